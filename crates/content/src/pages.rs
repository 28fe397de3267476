//! Reads `faq.toml` and `summary.md`.

use std::{collections::HashSet, path::Path};

use super::{folder::Folder, front_matter, text_file, toml_reader::TomlTable, values::slug};
use contract::{
    model::{Faq, ReviewId, Summary},
    problem::{Passage, Place, Report},
};
use system::root::Root;

pub(super) fn faq(folder: &Folder, report: &Report) -> Vec<Faq> {
    let Some(file) = folder.toml("faq.toml", report) else {
        return Vec::new();
    };
    let mut seen = HashSet::new();
    let entries = file.read(|root| {
        root.tables("faq", |table| {
            let id = slug(table, &mut seen);
            let question = table.required("question");
            let answer = table.required("answer");
            let when = table.string("when");
            let (when_place, answer_place) = (table.passage("when"), table.passage("answer"));
            check_links(answer.as_deref(), &answer_place, report);
            let order = table.integer("order").unwrap_or(i64::MAX);
            let review_ids = read_review_ids(table);
            Some(Faq {
                id: id?,
                question: question?,
                answer: answer?,
                when,
                when_place,
                answer_place,
                order,
                review_ids,
            })
        })
    });
    let mut entries = entries.unwrap_or_default();
    entries.sort_by_key(|entry| entry.order);
    entries
}

fn read_review_ids(table: &TomlTable<'_>) -> Vec<(ReviewId, Place)> {
    let ids = table.items("review_ids").unwrap_or_default().into_iter();
    let read = |(text, span): (String, std::ops::Range<usize>)| match text.parse::<ReviewId>() {
        Ok(id) => Some((id, table.place_at(span))),
        Err(error) => {
            let help = "candor list shows the ids";
            table.error_at(span, "invalid-id", error.to_string(), help);
            None
        }
    };
    ids.filter_map(read).collect()
}

/// The summary, and the file for problems found in it later.
pub(super) fn summary(dir: &Path, report: &Report) -> (Option<Summary>, Passage) {
    let path = dir.join("summary.md");
    let text =
        text_file::read(&Root::at(dir), &path, report).unwrap_or_default().replace("\r\n", "\n");
    let shown = path.display().to_string();
    let whole = Passage::new(&shown, text.as_str().into(), 0..text.len());
    check_links(Some(&text), &whole, report);
    (read_summary(&shown, &text, report), whole)
}

fn read_summary(path: &str, text: &str, report: &Report) -> Option<Summary> {
    let (head, body) = front_matter::split(path, text, report)?;
    let (author, date) = match head {
        Some(head) => head.read(|table| (table.string("author"), table.day("date")))?,
        None => (None, None),
    };
    non_empty(body).map(|text| Summary { text, author, date, computed: false })
}

/// Reports links that would not be published.
pub(super) fn check_links(markdown: Option<&str>, text: &Passage, report: &Report) {
    for address in crate::theme::refused_links(markdown.unwrap_or_default()) {
        let message = format!("the link to {address:?} is not published");
        let help = "link to an http, https, mailto or tel address, or to a path of the site";
        report.error("invalid-url", text.place_of(&address, 1), message, help);
    }
}

pub(super) fn non_empty(text: &str) -> Option<String> {
    let text = text.trim();
    (!text.is_empty()).then(|| text.to_owned())
}
