//! Keeps a copy of a site's reviews up to date: `sync https://reviews.example.com copy.json`.
//! Needs the crates anyhow, serde (with `derive`), serde_json and ureq.

use std::{
    collections::{HashMap, HashSet},
    env, fs,
    path::Path,
    time::Duration,
};

use anyhow::{Context, Result, bail};
use serde::{Deserialize, Serialize, de::DeserializeOwned};
use serde_json::{Map, Value};

#[derive(Default, Serialize, Deserialize)]
struct LocalCopy {
    changes_etag: String,
    reviews_etag: String,
    removed: HashSet<String>,
    reviews: Vec<Review>,
}

#[derive(Clone, PartialEq, Serialize, Deserialize)]
struct Review {
    id: String,
    #[serde(flatten)]
    others: Map<String, Value>,
}

#[derive(Deserialize)]
struct Reviews {
    reviews: Vec<Review>,
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

/// The document and its ETag; `None` if the document still has the ETag.
fn fetch<T: DeserializeOwned>(url: &str, etag: &str) -> Result<Option<(T, String)>> {
    let mut request =
        ureq::get(url).config().timeout_global(Some(Duration::from_secs(600))).build();
    if !etag.is_empty() {
        request = request.header("If-None-Match", etag);
    }
    let mut response = request.call().with_context(|| url.to_owned())?;
    if response.status() == 304 {
        return Ok(None);
    }
    let etag = response.headers().get("ETag").map(|it| it.to_str().map(str::to_owned));
    let document = serde_json::from_reader(response.body_mut().as_reader())?;
    Ok(Some((document, etag.transpose()?.unwrap_or_default())))
}

/// Stores the reviews that are not withdrawn, and prints what is different.
fn save(file: &Path, copy: &mut LocalCopy, mut reviews: Vec<Review>) -> Result<()> {
    reviews.retain(|review| !copy.removed.contains(&review.id));
    let mut old: HashMap<&str, &Review> = copy.reviews.iter().map(|it| (&*it.id, it)).collect();
    for review in &reviews {
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
    copy.reviews = reviews;
    let part = file.with_added_extension("part");
    fs::write(&part, serde_json::to_vec(copy)?)?;
    Ok(fs::rename(part, file)?)
}

fn main() -> Result<()> {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let [site, file] = &*arguments else { bail!("give the address of a site and a file") };
    let file = Path::new(file);
    let mut copy = LocalCopy::default();
    if file.exists() {
        copy = serde_json::from_slice(&fs::read(file)?)?;
    }
    if let Some((changes, etag)) =
        fetch::<Changes>(&format!("{site}/changes.json"), &copy.changes_etag)?
    {
        copy.changes_etag = etag;
        let removed = changes.changes.into_iter().filter(|it| it.change == "removed");
        copy.removed = removed.map(|it| it.id).collect();
        copy.reviews_etag.clear(); // After a change, reviews.json is fetched without a condition.
        let known = copy.reviews.clone();
        save(file, &mut copy, known)?;
    }
    if let Some((document, etag)) =
        fetch::<Reviews>(&format!("{site}/reviews.json"), &copy.reviews_etag)?
    {
        copy.reviews_etag = etag;
        save(file, &mut copy, document.reviews)?;
    }
    Ok(())
}
