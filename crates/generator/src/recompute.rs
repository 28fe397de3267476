//! Compares a published site with what it follows from: with its `reviews.json`, or with the content. The program that
//! made it makes it again, and the first difference of each file is named (docs/proof.md, "Compute the figures again").
//!
//! - `published` reads the site: its manifest, its log, its files and their compressed copies.
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
    model::ReviewId,
    parallel::parallel,
};
use published::Published;
use review_log::{LOG_FOLDER, LOG_KEYS_PATH};

const INSIGHTS: &str = "insights.json";
/// Documents that have more than follows from `reviews.json`, such as the pages of the owner: what follows is among
/// their lines, in this order.
const LINES: &str = "llms.txt sitemap.xml";

/// The beginnings of the paths of what does not follow from `reviews.json`: the changes and their times, and the log.
const NOT_COMPUTED: [&str; 3] = ["changes", LOG_FOLDER, LOG_KEYS_PATH];
/// The beginnings of the paths of pages with words of the owner, which can have figures.
const OWN_WORDS: [&str; 7] =
    ["index.html", "services/", "areas/", "summary/", "faq/", "review-policy/", "about-these-"];

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
    let (mut data, judged) = Dataset::published(settings(&site, &insights)?, &reviews, &insights)
        .context("/reviews.json cannot be read")?;
    data.log = site.log()?;
    let prefix = data.site.appearance.pages.prefix();
    if let Ok(page) = site.get(&format!("{prefix}review-policy/index.html")) {
        data.business.policy.report = figures::reported_to(&String::from_utf8_lossy(&page));
    }
    let mut documents = publication::documents(&data)?;
    documents.retain(|it| !follows_from_content(it));
    compare(&site, &documents, judged, |document, published, computed| {
        if document.path == INSIGHTS {
            let quotes = if judged { "" } else { differences::OF_MODEL };
            let read = |bytes| differences::without(bytes, &[differences::OF_CONTENT, quotes]);
            differences::first(&read(published), &read(computed))
        } else if document.media_type == HTML {
            let path = document.path.strip_prefix(prefix).unwrap_or(&document.path);
            let reading = figures::Reading { judged, is_review: is_review(&document.path) };
            let [published, computed] = [published, computed]
                .map(|it| figures::of_page(&String::from_utf8_lossy(it), reading));
            let has_words = OWN_WORDS.iter().any(|it| path.starts_with(it));
            differences::missing(&published, &computed, !has_words)
        } else if LINES.split(' ').any(|path| path == document.path) {
            let [published, computed] = [published, computed].map(differences::unlabelled);
            differences::missing(&published, &computed, false)
        } else {
            differences::of_bytes(published, computed)
        }
    })
}

/// Whether a document has times or colours that only the content has, or is the log.
fn follows_from_content(document: &Document<'_>) -> bool {
    let Document { path, media_type, .. } = document;
    let is_picture = media_type.starts_with("image/") && !path.starts_with("badge");
    let is_asset = path.trim_start_matches(Pages::Reviews.prefix()).starts_with("assets/");
    is_asset || is_picture || NOT_COMPUTED.iter().any(|it| path.starts_with(it))
}

/// Whether this is the path of a review's own page.
fn is_review(path: &str) -> bool {
    let id = path.strip_prefix("reviews/").and_then(|it| it.strip_suffix("/index.html"));
    id.is_some_and(|id| id.parse::<ReviewId>().is_ok())
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
    let missing = documents.iter().filter(|it| site.manifest.file(&it.path).is_none());
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
    let has_none = insights["per_review"].as_object().is_none_or(|it| it.is_empty());
    let has_pages = manifest.files.iter().any(|file| is_review(&file.path));
    let review_pages = ReviewPages { enabled: has_none || has_pages, indexed: false };
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
