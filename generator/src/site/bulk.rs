//! All reviews for spreadsheets and pipelines: one a line, as JSON and as CSV.

use std::io::{self, Write};

use crate::{
    dataset::Dataset,
    document::{Body, Document},
};
use contract::{compress::Effort, model::Review};

const NDJSON: &str = "application/x-ndjson";
const CSV: &str = "text/csv; charset=utf-8";

const COLUMNS: [&str; 20] = [
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
        for review in &data.reviews {
            serde_json::to_writer(&mut *out, review)?;
            out.write_all(b"\n")?;
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
        csv.write_record(row(review).map(guarded))?;
    }
    csv.flush()
}

fn row(review: &Review) -> [String; COLUMNS.len()] {
    let text = |text: &Option<Box<str>>| text.as_deref().unwrap_or_default().to_owned();
    let list = |names: &[std::sync::Arc<str>]| names.join("; ");
    let reply = review.owner_reply.as_ref();
    let translation = review.translation.as_ref();
    [
        review.id.to_string(),
        review.author.to_string(),
        review.rating.to_string(),
        review.date.to_string(),
        text(&review.text),
        review.source.to_string(),
        text(&review.source_url),
        reply.map_or(String::new(), |reply| reply.text.clone()),
        reply.and_then(|reply| reply.date).map_or(String::new(), |date| date.to_string()),
        review.verified.to_string(),
        review.updated.to_string(),
        review.url.to_string(),
        text(&review.language),
        translation.map_or(String::new(), |it| it.text.to_string()),
        translation.map_or(String::new(), |it| text(&it.language)),
        review.disclosure.as_ref().map_or(String::new(), |d| d.kind.to_string()),
        list(&review.mentions.technicians),
        list(&review.mentions.services),
        list(&review.mentions.service_areas),
        review.date_precision.to_string(),
    ]
}

/// A spreadsheet takes a cell that begins like a formula for one, and a stranger wrote these: an
/// apostrophe makes it text (OWASP, CSV injection).
fn guarded(cell: String) -> String {
    match cell.trim_start().chars().next().or_else(|| cell.chars().next()) {
        Some('=' | '+' | '-' | '@' | '\t' | '\r' | '＝' | '＋' | '－' | '＠') => {
            format!("'{cell}")
        }
        _ => cell,
    }
}

#[cfg(test)]
mod tests {
    use super::guarded;

    #[test]
    fn no_cell_is_a_formula() {
        for cell in ["=1+1", "+1", "-2", "@SUM(A1)", " =1", "\t=1", "＝1"] {
            assert_eq!(guarded(cell.to_owned()), format!("'{cell}"));
        }
        for cell in ["", "5", "a=b", "'quoted'"] {
            assert_eq!(guarded(cell.to_owned()), cell);
        }
    }
}
