//! Reads `faq.toml` and `summary.md`.

use std::{collections::HashSet, path::Path};

use super::{entities::slug, toml_reader::TomlFile};
use contract::{
    model::{Faq, ReviewId, Summary},
    problem::{Place, Report},
};

/// What encloses the front matter of `summary.md`.
const FENCE: &str = "+++";

pub(super) fn faq(dir: &Path, report: &Report) -> Vec<Faq> {
    let Some(file) = TomlFile::open(&dir.join("faq.toml"), report) else {
        return Vec::new();
    };
    let mut seen = HashSet::new();
    let mut entries = file.read(|root| {
        root.tables("faq", |table| {
            let id = slug(table, &mut seen);
            let question = table.required("question");
            let answer = table.required("answer");
            let when = table.string("when");
            let answer_place = table.place("answer");
            check_links(answer.as_deref(), &answer_place, report);
            let order = table.integer("order").unwrap_or(i64::MAX);
            let ids = table.strings("review_ids");
            let review_ids = ids.iter().filter_map(|text| match text.parse::<ReviewId>() {
                Ok(id) => Some(id),
                Err(error) => {
                    table.error(
                        "review_ids",
                        "invalid-id",
                        error.to_string(),
                        "copy the id from content/reviews",
                    );
                    None
                }
            });
            let review_ids = review_ids.collect();
            let place = table.place("review_ids");
            Some(Faq {
                id: id?,
                question: question?,
                answer: answer?,
                when,
                answer_place,
                order,
                review_ids,
                place,
            })
        })
    });
    entries.sort_by_key(|entry| entry.order);
    entries
}

pub(super) fn summary(dir: &Path, report: &Report) -> Option<Summary> {
    let path = dir.join("summary.md");
    let text = match std::fs::read_to_string(&path) {
        Ok(text) => text.replace("\r\n", "\n"),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return None,
        Err(error) => {
            report.unreadable(&path, &error);
            return None;
        }
    };
    let text = text.strip_prefix('\u{feff}').unwrap_or(&text);
    check_links(Some(text), &Place::file(path.display().to_string()), report);
    let Some(rest) = text.strip_prefix(FENCE).and_then(|rest| rest.strip_prefix('\n')) else {
        return non_empty(text).map(|text| Summary {
            text,
            author: None,
            date: None,
            computed: false,
        });
    };
    let Some(end) = rest.find("\n+++").or_else(|| rest.starts_with(FENCE).then_some(0)) else {
        let place = Place::line(path.display().to_string(), 1);
        report.error(
            "front-matter",
            place,
            "the front matter never ends",
            "close it with a line +++",
        );
        return None;
    };
    // A line break in place of the fence keeps the line numbers of problems true.
    let matter =
        TomlFile::from_text(path.display().to_string(), format!("\n{}", &rest[..end]), report);
    let (author, date) = matter.read(|table| (table.string("author"), table.day("date")));
    let body = rest[end..].trim_start_matches('\n').strip_prefix(FENCE).unwrap_or_default();
    non_empty(body).map(|text| Summary { text, author, date, computed: false })
}

/// Reports links that would not be published.
fn check_links(markdown: Option<&str>, place: &Place, report: &Report) {
    for address in crate::theme::refused_links(markdown.unwrap_or_default()) {
        let message = format!("the link to {address:?} is not published");
        let help = "link to an http, https, mailto or tel address, or to a path of the site";
        report.error("invalid-url", place.clone(), message, help);
    }
}

fn non_empty(text: &str) -> Option<String> {
    let text = text.trim();
    (!text.is_empty()).then(|| text.to_owned())
}
