//! Keeps a copy of a site's reviews up to date: `sync https://reviews.example.com copy.json`.
//! Needs the crates anyhow, base64, ring, serde (with `derive`), serde_json and ureq.

use std::{
    collections::{HashMap, HashSet},
    env, fs,
    path::Path,
    time::Duration,
};

use anyhow::{Context, Result, bail, ensure};
use base64::{Engine, prelude::BASE64_STANDARD};
use ring::digest::{SHA256, digest};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

#[derive(Default, Serialize, Deserialize)]
struct LocalCopy {
    changes_etag: String,
    parts_etag: String,
    removed: HashSet<String>,
    parts: Vec<Part>,
}

#[derive(Clone, Serialize, Deserialize)]
struct Part {
    path: String,
    integrity: String,
    reviews: Vec<Review>,
}

#[derive(Clone, PartialEq, Serialize, Deserialize)]
struct Review {
    id: String,
    #[serde(flatten)]
    others: Map<String, Value>,
}

#[derive(Deserialize)]
struct PartDocument {
    reviews: Vec<Review>,
}

#[derive(Deserialize)]
struct Parts {
    parts: Vec<Listed>,
}

#[derive(Deserialize)]
struct Listed {
    path: String,
    integrity: String,
}

#[derive(Deserialize)]
struct Changes {
    changes: Vec<Change>,
}

#[derive(Deserialize)]
struct Change {
    id: String,
    change: String,
}

/// The document and its ETag, or its date if the server has no ETags; `None` if the document still has it.
fn fetch(url: &str, etag: &str) -> Result<Option<(Vec<u8>, String)>> {
    let mut request =
        ureq::get(url).config().timeout_global(Some(Duration::from_secs(600))).build();
    if !etag.is_empty() {
        let is_tag = etag.contains('"');
        let condition = if is_tag { "If-None-Match" } else { "If-Modified-Since" };
        request = request.header(condition, etag);
    }
    let mut response = request.call().with_context(|| url.to_owned())?;
    if response.status() == 304 {
        return Ok(None);
    }
    let headers = response.headers();
    let etag = headers.get("ETag").or_else(|| headers.get("Last-Modified"));
    let etag = etag.map(|it| it.to_str().map(str::to_owned));
    let body = response.body_mut().with_config().limit(1 << 30).read_to_vec()?;
    Ok(Some((body, etag.transpose()?.unwrap_or_default())))
}

fn is_missing(error: &anyhow::Error) -> bool {
    matches!(error.downcast_ref(), Some(ureq::Error::StatusCode(404)))
}

/// A part, which is checked: a cache may have an old one.
fn fetch_part(site: &str, Listed { path, integrity }: Listed) -> Result<Part> {
    let body = fetch(&format!("{site}/{path}"), "")?.unwrap_or_default().0;
    let found = format!("sha256-{}", BASE64_STANDARD.encode(digest(&SHA256, &body)));
    ensure!(
        found == integrity,
        "{path} is not the one that parts.json lists; the next run fetches it"
    );
    let PartDocument { reviews } = serde_json::from_slice(&body)?;
    Ok(Part { path, integrity, reviews })
}

/// Stores the reviews that are not withdrawn, and prints what is different.
fn save(file: &Path, copy: &mut LocalCopy, mut parts: Vec<Part>) -> Result<()> {
    for part in &mut parts {
        let count = part.reviews.len();
        part.reviews.retain(|review| !copy.removed.contains(&review.id));
        if part.reviews.len() < count {
            // It is fetched again: the review may be published again.
            part.integrity.clear();
        }
    }
    let old = copy.parts.iter().flat_map(|part| &part.reviews);
    let mut old: HashMap<&str, &Review> = old.map(|it| (&*it.id, it)).collect();
    for review in parts.iter().flat_map(|part| &part.reviews) {
        match old.remove(&*review.id) {
            // A program with tables of its own changes them here.
            None => println!("added {}", review.id),
            Some(before) if before != review => println!("changed {}", review.id),
            Some(_) => {}
        }
    }
    for id in old.keys() {
        println!("removed {id}");
    }
    copy.parts = parts;
    let temporary = file.with_added_extension("part");
    fs::write(&temporary, serde_json::to_vec(copy)?)?;
    Ok(fs::rename(temporary, file)?)
}

fn main() -> Result<()> {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let [site, file] = &*arguments else { bail!("give the address of a site and a file") };
    let file = Path::new(file);
    let mut copy = LocalCopy::default();
    if file.exists() {
        copy = serde_json::from_slice(&fs::read(file)?)?;
    }
    if let Some((body, etag)) = fetch(&format!("{site}/changes.json"), &copy.changes_etag)? {
        copy.changes_etag = etag;
        let changes: Changes = serde_json::from_slice(&body)?;
        let removed = changes.changes.into_iter().filter(|it| it.change == "removed");
        copy.removed = removed.map(|it| it.id).collect();
        copy.parts_etag.clear(); // After a change, parts.json is fetched without a condition.
        let known = copy.parts.clone();
        save(file, &mut copy, known)?;
    }
    let list = fetch(&format!("{site}/parts.json"), &copy.parts_etag);
    if list.as_ref().is_err_and(is_missing) {
        // The site has no parts: its reviews are one.
        if let Some((body, etag)) = fetch(&format!("{site}/reviews.json"), &copy.parts_etag)? {
            let PartDocument { reviews } = serde_json::from_slice(&body)?;
            let (path, integrity) = ("reviews.json".to_owned(), String::new());
            copy.parts_etag = etag;
            save(file, &mut copy, vec![Part { path, integrity, reviews }])?;
        }
    } else if let Some((body, etag)) = list? {
        let Parts { parts } = serde_json::from_slice(&body)?;
        let part = |listed: Listed| {
            let same = |it: &&Part| it.path == listed.path && it.integrity == listed.integrity;
            copy.parts.iter().find(same).cloned().map_or_else(|| fetch_part(site, listed), Ok)
        };
        let parts = parts.into_iter().map(part).collect::<Result<_>>()?;
        copy.parts_etag = etag;
        save(file, &mut copy, parts)?;
    }
    Ok(())
}
