//! Compares a published site with what it follows from: with its `reviews.json`, or with the content. The program that
//! made it makes it again, and the first difference of each file is named (docs/proof.md, "Compute the figures again").
//!
//! - `published` reads the site: its manifest, its files and their compressed copies.
//! - `figures` is what a page says of reviews.
//! - `differences` finds the first difference of two documents.

mod differences;
mod figures;
mod published;

use std::collections::HashMap;

use anyhow::Context as _;
use jiff::Timestamp;
use serde::Serialize;
use serde_json::Value;
use url::Url;

use crate::{
    document::{Document, HTML},
    publication,
    publish::{self, GENERATOR},
};
use content::{Appearance, Pages, ReviewPages, Site, dataset::Dataset};
use contract::{
    manifest::{FileEntry, MANIFEST_PATH, Manifest},
    parallel::parallel,
};
use published::Published;

const INSIGHTS: &str = "insights.json";
/// Documents that have more than follows from `reviews.json`, such as the pages of the owner: what follows is among
/// their lines, in this order.
const LINES: &str = "llms.txt sitemap.xml";

/// The beginning of the paths of the changes, whose times `reviews.json` does not have.
const CHANGES: &str = "changes";

/// The result of the comparison.
#[derive(Debug, Serialize)]
pub struct Recomputed {
    /// The program that made the site, which is this one.
    pub generator: &'static str,
    /// Whether opinions were computed again. Those of a site with its own aspects or annotations are in `insights.json`.
    pub judged: bool,
    /// The number of documents that were computed again.
    pub documents: usize,
    /// The number of published files, all of which were compared with the manifest.
    pub files: usize,
    /// The first difference of each file in words, in the order of their paths.
    pub differences: Vec<String>,
}

/// Compares the files of the site in this folder with what its `reviews.json` gives. `say` receives a line about
/// redirects.
///
/// # Errors
/// When another version made the site, or something of it cannot be read.
pub fn recompute(folder: &Url, say: &dyn Fn(&str)) -> anyhow::Result<Recomputed> {
    let site = Published::open(folder, say)?;
    let insights: Value =
        serde_json::from_slice(&site.get(INSIGHTS)?).context("/insights.json cannot be read")?;
    let reviews = site.get("reviews.json")?;
    let (data, judged) = Dataset::published(settings(&site, &insights)?, &reviews, &insights)
        .context("/reviews.json cannot be read")?;
    let mut documents = publication::documents(&data)?;
    documents.retain(|it| !follows_from_content(it));
    compare(&site, &documents, judged, |document, published, computed| {
        if document.path == INSIGHTS {
            let quotes = if judged { "" } else { differences::OF_MODEL };
            let read = |bytes| differences::without(bytes, &[differences::OF_CONTENT, quotes]);
            differences::first(&read(published), &read(computed))
        } else if document.media_type == HTML {
            let [published, computed] = [published, computed]
                .map(|it| figures::of_page(&String::from_utf8_lossy(it), judged));
            differences::missing(&published, &computed)
        } else if LINES.split(' ').any(|path| path == document.path) {
            let lines = |bytes| differences::lines(bytes).as_array().cloned().unwrap_or_default();
            differences::missing(&lines(published), &lines(computed))
        } else {
            differences::of_bytes(published, computed)
        }
    })
}

/// Whether a document has times or colours that only the content has.
fn follows_from_content(document: &Document<'_>) -> bool {
    let Document { path, media_type, .. } = document;
    let is_picture = media_type.starts_with("image/") && !path.starts_with("badge");
    path.starts_with("assets/") || is_picture || path.starts_with(CHANGES)
}

/// Compares the files of the site in this folder, byte by byte, with what the content gives. `say` receives a line about
/// redirects.
///
/// # Errors
/// When another version made the site, or something of it cannot be read.
pub fn recompute_from(
    data: &Dataset,
    folder: &Url,
    say: &dyn Fn(&str),
) -> anyhow::Result<Recomputed> {
    let site = Published::open(folder, say)?;
    let documents = publication::documents(data)?;
    let mut found = compare(&site, &documents, true, |_, published, computed| {
        differences::of_bytes(published, computed)
    })?;
    let times = "modified published_at encodings host_files";
    let listed = |manifest: &Manifest| {
        serde_json::to_vec(manifest).map(|json| differences::without(&json, &[times]))
    };
    let computed = publish::preview(data, &documents, None, Timestamp::now())?;
    let other = differences::first(&listed(&site.manifest)?, &listed(&computed)?);
    found.differences.extend(other.map(|it| format!("/{MANIFEST_PATH}, {it}")));
    Ok(found)
}

/// Compares each file with the document of its path, if there is one, with the manifest, and with its compressed copies.
fn compare(
    site: &Published,
    documents: &[Document<'_>],
    judged: bool,
    difference: impl Fn(&Document<'_>, &[u8], &[u8]) -> Option<String> + Sync,
) -> anyhow::Result<Recomputed> {
    let computed: HashMap<&str, &Document<'_>> =
        documents.iter().map(|document| (&*document.path, document)).collect();
    let mut files: Vec<&FileEntry> = site.manifest.files.iter().collect();
    files.retain(|file| file.has_address());
    let of_file = |at: usize| {
        let (file, document) = (files[at], computed.get(&*files[at].path));
        let Some(bytes) = site.read(file)? else {
            return Ok(Some(format!(
                "/{}: the manifest lists it, and there is no such file",
                file.path
            )));
        };
        let other = document.map(|it| anyhow::Ok(difference(it, &bytes, &it.body.to_bytes()?)));
        let found = match other.transpose()?.flatten() {
            None => site.unlisted(file, &bytes),
            found => found,
        };
        let found = if found.is_none() { site.other_copy(file, &bytes)? } else { found };
        anyhow::Ok(found.map(|found| format!("/{}, {found}", file.path)))
    };
    let differences = parallel(files.len(), of_file)?.into_iter().flatten();
    let is_listed = |it: &&Document<'_>| files.iter().any(|file| file.path == it.path);
    let missing = documents.iter().filter(|it| it.media_type != HTML && !is_listed(it));
    let missing = missing.map(|it| format!("/{}: the site has no such file", it.path));
    let differences = differences.chain(missing).chain(site.other_build()).collect();
    let documents = files.iter().filter(|file| computed.contains_key(&*file.path)).count();
    Ok(Recomputed { generator: GENERATOR, judged, documents, files: files.len(), differences })
}

/// Returns the settings of a site, as far as its manifest, feeds and JSON-LD state them.
fn settings(site: &Published, insights: &Value) -> anyhow::Result<Site> {
    let manifest = &site.manifest;
    let feed: Value = serde_json::from_slice(&site.get("api/feed.json")?).unwrap_or_default();
    let text = |key: &str| feed[key].as_str().unwrap_or_default().to_owned();
    let markup = String::from_utf8(site.get("fragments/json-ld.html")?).unwrap_or_default();
    let mut pages =
        [("index.html", Pages::Root), ("reviews/index.html", Pages::Reviews)].into_iter();
    let pages = pages.find(|(path, _)| manifest.file(path).is_some());
    let mut ids = insights["per_review"].as_object().into_iter().flat_map(|it| it.keys());
    let has_page = |id: &String| manifest.file(&format!("reviews/{id}/index.html")).is_some();
    let review_pages = ReviewPages { enabled: ids.next().is_none_or(has_page), indexed: false };
    Ok(Site {
        base_url: manifest.base_url.clone(),
        title: Some(text("title")),
        language: text("language"),
        id_base: manifest.id_base.clone(),
        sample: manifest.sample,
        sidecar: manifest.sidecar.is_some(),
        sidecar_url: manifest.sidecar.as_ref().and_then(|sidecar| sidecar.url.clone()),
        security: manifest.security.clone(),
        appearance: Appearance {
            pages: pages.map_or(Pages::None, |(_, pages)| pages),
            review_pages,
            review_markup: Some(markup.contains("\"aggregateRating\"")),
            ..Appearance::default()
        },
        ..Site::default()
    })
}
