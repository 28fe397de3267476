//! The media types of a site, as servers are configured for them.

use std::collections::BTreeMap;

use serde::Serialize;

use super::Served;

/// Media types by extension, and the documents that have others.
#[derive(Debug, Serialize)]
pub(crate) struct Types<'a> {
    /// The media type of most documents, by extension in small letters.
    by_extension: BTreeMap<String, &'a str>,
    /// Documents without an extension, of another type, or with other fields: the manifest, which has no date. The
    /// tiles of the transparency log have the type of documents without an extension.
    exceptions: Vec<&'a Served<'a>>,
    /// The paths of the exceptions, by media type.
    exception_groups: Vec<Group<'a>>,
}

/// The exceptions of one type.
#[derive(Debug, Serialize)]
struct Group<'a> {
    media_type: &'a str,
    /// Whether these documents have a modification time.
    dated: bool,
    urls: Vec<&'a str>,
}

impl<'a> Types<'a> {
    pub(super) fn of(documents: &'a [Served<'a>]) -> Self {
        let mut counts: BTreeMap<String, BTreeMap<&str, usize>> = BTreeMap::new();
        for document in documents {
            if let Some(extension) = extension(document.file) {
                *counts.entry(extension).or_default().entry(document.media_type).or_default() += 1;
            }
        }
        let most = |counts: BTreeMap<&'a str, usize>| {
            counts.into_iter().max_by_key(|(_, count)| *count).map(|(media_type, _)| media_type)
        };
        let by_extension: BTreeMap<_, _> = counts
            .into_iter()
            .filter_map(|(extension, counts)| Some((extension, most(counts)?)))
            .collect();
        let ordinary = |document: &&Served<'_>| {
            let expected = extension(document.file).and_then(|known| by_extension.get(&known));
            document.is_tile
                || (document.modified.is_some() && expected == Some(&document.media_type))
        };
        let exceptions: Vec<_> = documents.iter().filter(|document| !ordinary(document)).collect();
        let exception_groups = grouped(&exceptions);
        Self { by_extension, exceptions, exception_groups }
    }
}

fn grouped<'a>(documents: &[&'a Served<'a>]) -> Vec<Group<'a>> {
    let mut groups: BTreeMap<_, Vec<_>> = BTreeMap::new();
    for document in documents {
        let key = (document.media_type, document.modified.is_some());
        groups.entry(key).or_default().push(&*document.url);
    }
    let group = |((media_type, dated), urls)| Group { media_type, dated, urls };
    groups.into_iter().map(group).collect()
}

/// Returns the part after the last dot of a name; a name that begins with its only dot has none.
fn extension(file: &str) -> Option<String> {
    let name = file.rsplit('/').next()?;
    let (stem, extension) = name.rsplit_once('.')?;
    Some(extension.to_ascii_lowercase()).filter(|found| !stem.is_empty() && !found.is_empty())
}
