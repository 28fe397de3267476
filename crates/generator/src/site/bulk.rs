//! All reviews for spreadsheets and pipelines: one a line, as JSON and as CSV.

use std::{
    borrow::Cow,
    io::{self, Write},
    sync::Arc,
};

use crate::document::{Body, Document};
use content::dataset::Dataset;
use contract::{compress::Effort, model::Review, text::is_formula};

const NDJSON: &str = "application/x-ndjson";
const CSV: &str = "text/csv; charset=utf-8";

const COLUMNS: [&str; 21] = [
    "id",
    "author",
    "rating",
    "date",
    "text",
    "source",
    "source_url",
    "owner_reply_text",
    "owner_reply_date",
    "verified",
    "updated",
    "url",
    "language",
    "translation_text",
    "translation_language",
    "disclosure",
    "technicians",
    "services",
    "service_areas",
    "date_precision",
    "verification",
];

pub(super) fn documents(data: &Dataset) -> Vec<Document<'_>> {
    let file = |path: &str, media_type, body| Document {
        path: path.to_owned(),
        media_type,
        links: Vec::new(),
        effort: Effort::Best,
        body,
    };
    let lines = Body::Stream(Box::new(|out| {
        // A serializer writes a few bytes at a time.
        let mut line = Vec::new();
        for review in &data.reviews {
            line.clear();
            serde_json::to_writer(&mut line, review)?;
            line.push(b'\n');
            out.write_all(&line)?;
        }
        Ok(())
    }));
    let table = Body::Stream(Box::new(|out| write_csv(&data.reviews, out)));
    vec![file("reviews.ndjson", NDJSON, lines), file("reviews.csv", CSV, table)]
}

fn write_csv(reviews: &[Review], out: &mut dyn Write) -> io::Result<()> {
    let mut csv = csv::Writer::from_writer(out);
    csv.write_record(COLUMNS)?;
    for review in reviews {
        csv.write_record(row(review).map(guarded).iter().map(|cell| cell.as_bytes()))?;
    }
    csv.flush()
}

fn row(review: &Review) -> [Cow<'_, str>; COLUMNS.len()] {
    fn text(text: Option<&str>) -> Cow<'_, str> {
        text.unwrap_or_default().into()
    }
    let list = |names: &[Arc<str>]| Cow::from(names.join("; "));
    let reply = review.owner_reply.as_ref();
    let reply_date = reply.and_then(|reply| reply.date).map(|date| date.to_string());
    let translation = review.translation.as_ref();
    let translation_language = translation.and_then(|it| it.language.as_deref());
    let disclosure = review.disclosure.as_ref().map(|disclosure| disclosure.kind.to_string());
    [
        review.id.to_string().into(),
        text(Some(&review.author)),
        review.rating.to_string().into(),
        review.date.to_string().into(),
        text(review.text.as_deref()),
        text(Some(&review.source)),
        text(review.source_url.as_deref()),
        text(reply.map(|reply| &*reply.text)),
        reply_date.unwrap_or_default().into(),
        review.verified.to_string().into(),
        review.updated.to_string().into(),
        text(Some(&review.url)),
        text(review.language.as_deref()),
        text(translation.map(|it| &*it.text)),
        text(translation_language),
        disclosure.unwrap_or_default().into(),
        list(&review.mentions.technicians),
        list(&review.mentions.services),
        list(&review.mentions.service_areas),
        review.date_precision.to_string().into(),
        review.verification.to_string().into(),
    ]
}

/// Puts an apostrophe before a cell that begins like a formula: a spreadsheet would run it, and customers wrote these
/// texts (OWASP, CSV injection).
fn guarded(cell: Cow<'_, str>) -> Cow<'_, str> {
    if is_formula(&cell) { format!("'{cell}").into() } else { cell }
}

#[cfg(test)]
mod tests {
    use super::guarded;

    #[test]
    fn no_cell_is_a_formula() {
        for cell in ["=1+1", "+1", "-2", "@SUM(A1)", " =1", "\t=1", "＝1"] {
            assert_eq!(guarded(cell.into()), format!("'{cell}"));
        }
        for cell in ["", "5", "a=b", "'quoted'"] {
            assert_eq!(guarded(cell.into()), cell);
        }
    }
}
