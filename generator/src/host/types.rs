use std::collections::BTreeMap;

use super::{Served, Site};

/// Media types as servers know them: by extension, and the documents of which that is not true.
#[derive(Debug)]
pub(crate) struct Types<'a> {
    /// From the extension, in small letters, to what most documents with it are.
    pub(crate) by_extension: BTreeMap<String, &'a str>,
    /// Documents without an extension, of another type, or that must be told apart otherwise: the
    /// manifest, which has no date.
    pub(crate) exceptions: Vec<&'a Served<'a>>,
}

impl<'a> Types<'a> {
    pub(crate) fn of(site: &'a Site<'a>) -> Self {
        let mut counts: BTreeMap<String, BTreeMap<&str, usize>> = BTreeMap::new();
        for document in &site.documents {
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
            document.modified.is_some() && expected == Some(&document.media_type)
        };
        let exceptions = site.documents.iter().filter(|document| !ordinary(document)).collect();
        Self { by_extension, exceptions }
    }
}

/// What follows the last dot of a name; a name that begins with its only dot has none.
fn extension(file: &str) -> Option<String> {
    let name = file.rsplit('/').next()?;
    let (stem, extension) = name.rsplit_once('.')?;
    Some(extension.to_ascii_lowercase()).filter(|found| !stem.is_empty() && !found.is_empty())
}
