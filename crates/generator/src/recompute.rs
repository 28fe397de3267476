//! Computes again, from what a site publishes as `reviews.json`, what its other documents say of the reviews, with the
//! program that made them, and names where they differ (docs/proof.md, "Compute the figures again").

mod differences;
mod figures;

use anyhow::{Context as _, bail};
use serde::Serialize;
use serde_json::Value;
use url::Url;

use crate::{
    document::{Document, HTML},
    previous::Previous,
    publication,
    publish::GENERATOR,
};
use content::{Appearance, Pages, ReviewPages, Site, dataset::Dataset};
use contract::{
    manifest::{FileEntry, MANIFEST_PATH, Manifest},
    parallel::parallel,
};

/// The documents that follow from `reviews.json` and the settings of the site that they state, byte by byte.
const WHOLE: &str = "reviews.json reviews.ndjson reviews.csv api/feed.json feed.xml parts.json badge.json badge.svg badge-dark.svg";
const INSIGHTS: &str = "insights.json";
/// Largest document that is read: 1 GiB.
const MAX_READ: u64 = 1 << 30;

/// The result of the comparison.
#[derive(Debug, Serialize)]
pub struct Recomputed {
    /// The program that made the site, which is this one.
    pub generator: &'static str,
    /// Whether opinions were computed again: the site has no aspects and annotations of its own.
    pub judged: bool,
    /// The number of documents that were compared.
    pub documents: usize,
    /// The first difference of each document in words, in the order of their paths.
    pub differences: Vec<String>,
}

/// Compares the documents of the site in this folder. `say` receives a line about redirects.
///
/// # Errors
/// When another version made the site, or something of it cannot be read.
pub fn recompute(folder: &Url, say: &dyn Fn(&str)) -> anyhow::Result<Recomputed> {
    let at = Previous::Url(folder.join(MANIFEST_PATH)?);
    let manifest = at.manifest(say)?.with_context(|| format!("there is no {at}"))?;
    match &manifest.generator {
        None => bail!(
            "the manifest does not say which version of candor made the site, so it is older than {GENERATOR}; the owner can build it again"
        ),
        Some(made) if made != GENERATOR => bail!(
            "{made} made the site, and this is {GENERATOR}, which may make other bytes of the same reviews; verify it with {made}"
        ),
        Some(_) => {}
    }
    let get = |path: &str| {
        let file = manifest.file(path).with_context(|| format!("the site has no /{path}"))?;
        // Hosts may redirect index.html to its folder.
        let bytes = at.document(&format!(".{}", file.url_path()), MAX_READ)?;
        bytes.with_context(|| format!("/{path} is in the manifest, and there is no such file"))
    };
    let insights: Value =
        serde_json::from_slice(&get(INSIGHTS)?).context("/insights.json cannot be read")?;
    let data =
        Dataset::published(settings(&manifest, &insights, &get)?, &get("reviews.json")?, &insights)
            .context("/reviews.json cannot be read")?;
    let judged = insights["model"]["hash"] == *data.insights.model_hash
        && insights["model"]["coverage"]["annotated"] == 0;
    let is_part = |path: &str| path.starts_with("reviews-") && path.ends_with(".json");
    let is_whole = |it: &Document<'_>| is_part(&it.path) || WHOLE.split(' ').any(|w| w == it.path);
    let mut documents = publication::documents(&data)?;
    documents.retain(|it| {
        let has_address = manifest.file(&it.path).is_some_and(FileEntry::has_address);
        let is_page = it.media_type == HTML && has_address;
        let is_judgement = it.path.split('/').any(|part| part == "aspects");
        is_whole(it) || is_page && (judged || !is_judgement) || it.path == INSIGHTS
    });
    documents.sort_by(|a, b| a.path.cmp(&b.path));
    let opinions = if judged { "" } else { differences::OF_OPINIONS };
    let compare = |at: usize| {
        let document = &documents[at];
        let read = |bytes: &[u8]| match &*document.path {
            INSIGHTS => differences::without(bytes, &[differences::OF_CONTENT, opinions]),
            _ if is_whole(document) => differences::lines(bytes),
            _ => figures::of_page(&String::from_utf8_lossy(bytes)),
        };
        let (published, computed) = (get(&document.path)?, document.body.to_bytes()?);
        let difference = differences::first(&read(&published), &read(&computed));
        let line = if is_whole(document) { "line " } else { "" };
        anyhow::Ok(difference.map(|difference| format!("/{}, {line}{difference}", document.path)))
    };
    let differences = parallel(documents.len(), compare)?.into_iter().flatten().collect();
    Ok(Recomputed { generator: GENERATOR, judged, documents: documents.len(), differences })
}

/// Returns the settings of a site, as far as its manifest, feeds and JSON-LD state them.
fn settings(
    manifest: &Manifest,
    insights: &Value,
    get: &dyn Fn(&str) -> anyhow::Result<Vec<u8>>,
) -> anyhow::Result<Site> {
    let feed: Value = serde_json::from_slice(&get("api/feed.json")?).unwrap_or_default();
    let text = |key: &str| feed[key].as_str().unwrap_or_default().to_owned();
    let markup = String::from_utf8(get("fragments/json-ld.html")?).unwrap_or_default();
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
        sidecar: manifest.sidecar.is_some(),
        appearance: Appearance {
            pages: pages.map_or(Pages::None, |(_, pages)| pages),
            review_pages,
            review_markup: Some(markup.contains("\"aggregateRating\"")),
            ..Appearance::default()
        },
        ..Site::default()
    })
}
