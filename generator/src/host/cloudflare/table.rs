//! `site.mjs`: what was published, as the worker looks it up.

use std::{collections::BTreeMap, fmt::Write};

use serde_json::{Value, json};

use super::limits;
use crate::host::{ROUTES, Served, Site};
use contract::fields;

/// The documents the worker knows the tags of.
#[derive(Debug)]
pub(super) struct Table<'a> {
    site: &'a Site<'a>,
    documents: Vec<&'a Served<'a>>,
    /// Folders that are left to the platform's own tag, each with its number of documents.
    unlisted: Vec<(String, usize)>,
}

impl<'a> Table<'a> {
    /// All documents, or as many as fit: the largest folders are left out, those at the top never.
    pub(super) fn of(site: &'a Site<'a>) -> Self {
        let mut folders: BTreeMap<Option<String>, Vec<&Served<'_>>> = BTreeMap::new();
        for document in &site.documents {
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
        Self { site, documents, unlisted }
    }

    /// What is lost by what does not fit.
    pub(super) fn left_out(&self) -> Option<String> {
        let count: usize = self.unlisted.iter().map(|(_, count)| count).sum();
        let folders: Vec<_> = self.unlisted.iter().map(|(name, _)| name.as_str()).collect();
        (count > 0).then(|| {
            format!(
                "send our tags below {}: {count} documents are too many for a worker, so they have the platform's own tag, which it compares itself",
                folders.join(", ")
            )
        })
    }

    pub(super) fn text(&self) -> String {
        let mut types: Vec<&str> =
            self.documents.iter().map(|document| document.media_type).collect();
        types.sort_unstable();
        types.dedup();
        let mut text =
            "// Written by `candor host cloudflare`. The next build replaces it.\n".to_owned();
        for (name, value) in self.constants(&types) {
            let _ = writeln!(text, "export const {name} = {value};");
        }
        text.push_str(
            "// Path to hash of the bytes, place of the type in TYPES, last change in seconds.\n",
        );
        text.push_str("export const DOCUMENTS = {\n");
        for document in &self.documents {
            let place = types.binary_search(&document.media_type).unwrap_or_default();
            let modified = document.modified.map(|modified| modified.as_second());
            let entry = json!([document.etag.hex(), place, modified]);
            let _ = writeln!(text, "{}:{entry},", json!(document.url));
        }
        text.push_str("};\n");
        text
    }

    fn constants(&self, types: &[&str]) -> Vec<(&'static str, Value)> {
        let site = self.site;
        let links: BTreeMap<_, _> = site
            .documents
            .iter()
            .filter_map(|document| Some((document.url.as_str(), document.link.as_deref()?)))
            .collect();
        let previous: Vec<_> = site
            .previous
            .iter()
            .map(|origin| {
                let host = match origin.port {
                    Some(port) => format!("{}:{port}", origin.host),
                    None => origin.host.clone(),
                };
                json!({ "host": host, "prefix": origin.prefix })
            })
            .collect();
        let routes: Vec<_> = ROUTES
            .iter()
            .filter(|_| site.sidecar.is_some())
            .map(|route| json!({ "path": route.path, "post": route.post }))
            .collect();
        let unlisted: Vec<_> = self.unlisted.iter().map(|(folder, _)| folder).collect();
        vec![
            ("BASE_URL", json!(site.base_url)),
            ("HOST", json!(site.authority)),
            ("PREFIX", json!(site.prefix)),
            ("PREVIOUS", json!(previous)),
            ("ROUTES", json!(routes)),
            ("UNLISTED", json!(unlisted)),
            ("LINKS", json!(links)),
            ("TYPES", json!(types)),
            ("NOT_FOUND_TYPE", json!(site.not_found.map(|page| &page.media_type))),
            ("NOT_FOUND", parsed(fields::NOT_FOUND)),
            ("METHOD_NOT_ALLOWED", parsed(fields::METHOD_NOT_ALLOWED)),
            ("FIELDS", fields_of_answers()),
        ]
    }
}

/// Bytes of an entry beside its path.
const ENTRY: usize = 58;

/// The folder below the site's own that holds a document: `/shop/reviews/`.
fn folder(document: &Served<'_>, prefix: &str) -> Option<String> {
    let below = document.url.strip_prefix(prefix)?.strip_prefix('/')?;
    below.split_once('/').map(|(name, _)| format!("{prefix}/{name}/"))
}

fn parsed(body: &str) -> Value {
    serde_json::from_str(body).unwrap_or_default()
}

fn fields_of_answers() -> Value {
    json!({
        "all": {
            "Access-Control-Allow-Origin": fields::ALLOW_ORIGIN,
            "Access-Control-Expose-Headers": fields::EXPOSE_HEADERS,
            "X-Content-Type-Options": fields::NO_SNIFFING,
        },
        "document": { "Cache-Control": fields::REVALIDATE, "Vary": "Accept-Encoding" },
        "preflight": {
            "Access-Control-Allow-Methods": fields::ALLOW_METHODS,
            "Access-Control-Allow-Headers": fields::ALLOW_HEADERS,
            "Access-Control-Max-Age": fields::MAX_AGE,
        },
        "allow": fields::DOCUMENT_METHODS,
        "noCache": fields::NO_CACHE,
        "noStore": fields::NO_STORE,
    })
}
