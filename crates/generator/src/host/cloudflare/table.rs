//! `site.mjs`: the published documents, as the worker looks them up.

use std::collections::BTreeMap;

use minijinja::{Value, context, value::Serde};

use super::limits;
use crate::host::{HostSite, Served};

/// The documents whose tags the worker knows.
#[derive(Debug)]
pub(super) struct WorkerTable<'a> {
    documents: Vec<&'a Served<'a>>,
    /// Folders for which the platform's own tag is used, each with its number of documents.
    unlisted: Vec<(String, usize)>,
}

impl<'a> WorkerTable<'a> {
    /// Takes all documents, or as many as fit: the largest folders are left out, but never those at the top.
    pub(super) fn of(site: &'a HostSite<'a>) -> Self {
        let mut folders: BTreeMap<Option<String>, Vec<&Served<'_>>> = BTreeMap::new();
        for document in site.documents {
            folders.entry(folder(document, &site.prefix)).or_default().push(document);
        }
        let size = |documents: &[&Served<'_>]| -> usize {
            documents.iter().map(|document| document.url.len() + ENTRY).sum()
        };
        let mut total: usize = folders.values().map(|documents| size(documents)).sum();
        let mut unlisted = Vec::new();
        while total > limits::TABLE {
            let below =
                folders.iter().filter_map(|(name, documents)| Some((name.clone()?, documents)));
            let Some((name, largest)) = below.max_by_key(|(_, documents)| size(documents)) else {
                break;
            };
            total -= size(largest);
            unlisted.push((name.clone(), largest.len()));
            folders.remove(&Some(name));
        }
        unlisted.sort();
        let mut documents: Vec<_> = folders.into_values().flatten().collect();
        documents.sort_by(|a, b| a.url.cmp(&b.url));
        Self { documents, unlisted }
    }

    /// Returns the loss for documents that do not fit.
    pub(super) fn left_out(&self) -> Option<String> {
        let count: usize = self.unlisted.iter().map(|(_, count)| count).sum();
        let folders: Vec<_> = self.unlisted.iter().map(|(name, _)| name.as_str()).collect();
        (count > 0).then(|| {
            format!(
                "send Candor's ETags below {}: {count} documents are too many for a worker, so they have the platform's own tag, which it compares itself",
                folders.join(", ")
            )
        })
    }

    /// Returns the values of the template beside the site.
    pub(super) fn values(&self) -> Value {
        let mut media_types: Vec<&str> =
            self.documents.iter().map(|document| document.media_type).collect();
        media_types.sort_unstable();
        media_types.dedup();
        let places: BTreeMap<_, _> = media_types
            .iter()
            .enumerate()
            .map(|(place, media_type)| (*media_type, place))
            .collect();
        let unlisted: Vec<_> = self.unlisted.iter().map(|(folder, _)| folder.as_str()).collect();
        context! {
            listed => Value::from(Serde(&self.documents)),
            places => Value::from(Serde(places)),
            media_types => Value::from(Serde(&media_types)),
            unlisted => Value::from(Serde(unlisted)),
        }
    }
}

/// Bytes of an entry besides its path.
const ENTRY: usize = 58;

/// Returns the folder below the site's own that contains a document: `/shop/reviews/`.
fn folder(document: &Served<'_>, prefix: &str) -> Option<String> {
    let below = document.url.strip_prefix(prefix)?.strip_prefix('/')?;
    below.split_once('/').map(|(name, _)| format!("{prefix}/{name}/"))
}
