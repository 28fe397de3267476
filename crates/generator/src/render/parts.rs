//! The parts of `reviews.json`, and `parts.json`, which lists them: for whoever keeps a copy, and for the search in
//! the browser.

use base64::{Engine as _, engine::general_purpose::STANDARD};
use ring::digest::{SHA256, digest};
use schemars::JsonSchema;
use serde::Serialize;

use super::{Body, Document, JSON, RenderError, document, reviews_json, stream::ObjectWriter};
use content::dataset::Dataset;
use contract::{
    compress::Effort,
    model::{Day, Review},
};

/// Version of both documents' shape.
const VERSION: u32 = 1;

/// Reviews that a site has at most without parts.
const SMALL: usize = 1_000;

/// Reviews that a part has at most, unless they are of one day: a search downloads up to twenty parts.
const SIZE: usize = 64;

/// The lengths of the beginnings of a date: a year, ten months, a month, ten days, a day.
const LENGTHS: [usize; 5] = [4, 6, 7, 9, 10];

/// `parts.json`.
#[derive(JsonSchema)]
pub(super) struct Parts {
    /// Of the document's shape.
    version: u32,
    /// Newest first. Together they have each published review once, in the order of `reviews.json`.
    parts: Vec<Listed>,
}

/// A file of reviews.
#[derive(Serialize, JsonSchema)]
struct Listed {
    /// Relative to this document: `reviews-2026-04.json` has the reviews whose dates begin with `2026-04`.
    path: String,
    /// The reviews in it.
    count: usize,
    /// The SHA-256 of the file without content coding, as Subresource Integrity writes it.
    #[schemars(extend("pattern" = "^sha256-[A-Za-z0-9+/]{43}=$"))]
    integrity: String,
}

/// A part.
#[derive(JsonSchema)]
pub(super) struct Part<'d> {
    /// Of the document's shape.
    version: u32,
    /// Newest first.
    reviews: &'d [Review],
}

/// A small site has one part, which is `reviews.json`.
pub(super) fn documents(data: &Dataset) -> Result<Vec<Document<'_>>, RenderError> {
    let mut documents = Vec::new();
    let mut parts = Vec::new();
    let mut list = |path: &str, count, body: &Body<'_>| -> Result<(), RenderError> {
        let integrity = format!("sha256-{}", STANDARD.encode(digest(&SHA256, &body.to_bytes()?)));
        parts.push(Listed { path: path.to_owned(), count, integrity });
        Ok(())
    };
    if let Some(divided) = divided(data) {
        for (date, reviews) in divided {
            let path = path(&date);
            let body = body(reviews);
            list(&path, reviews.len(), &body)?;
            // In sum they are as large as `reviews.json`.
            documents.push(document(data, &path, JSON, body).with_effort(Effort::Quick));
        }
    } else {
        list("reviews.json", data.reviews.len(), &reviews_json::body(data))?;
    }
    documents.push(document(data, "parts.json", JSON, list_of(parts)));
    Ok(documents)
}

/// Divides the reviews of a site that is not small by the beginnings of their dates: years, and those of too many
/// reviews again. A review more or less so alters one part and leaves the others as they are.
pub(crate) fn divided(data: &Dataset) -> Option<Vec<(String, &[Review])>> {
    has_parts(data).then(|| {
        let mut parts = Vec::new();
        divide(&LENGTHS, &data.reviews, &mut parts);
        parts
    })
}

/// Whether `reviews.json` has parts.
pub(crate) fn has_parts(data: &Dataset) -> bool {
    data.reviews.len() > SMALL
}

fn divide<'r>(lengths: &[usize], reviews: &'r [Review], to: &mut Vec<(String, &'r [Review])>) {
    let Some((&length, longer)) = lengths.split_first() else { return };
    let beginning = |date: Day| date.to_string()[..length].to_owned();
    for alike in reviews.chunk_by(|a, b| beginning(a.date) == beginning(b.date)) {
        if alike.len() <= SIZE || longer.is_empty() {
            to.push((beginning(alike[0].date), alike));
        } else {
            divide(longer, alike, to);
        }
    }
}

/// The path of the part of the reviews whose dates begin with `date`.
fn path(date: &str) -> String {
    format!("reviews-{date}.json")
}

fn list_of<'d>(parts: Vec<Listed>) -> Body<'d> {
    let list = Parts { version: VERSION, parts };
    Body::Stream(Box::new(move |out| {
        let mut object = ObjectWriter::open(out)?;
        object.member("version", &list.version)?;
        object.array("parts", &list.parts)?;
        object.close()
    }))
}

fn body(reviews: &[Review]) -> Body<'_> {
    let part = Part { version: VERSION, reviews };
    Body::Stream(Box::new(move |out| {
        let mut object = ObjectWriter::open(out)?;
        object.member("version", &part.version)?;
        object.array("reviews", part.reviews)?;
        object.close()
    }))
}
