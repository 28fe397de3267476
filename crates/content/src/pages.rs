//! Reads `faq.toml` and `summary.md`.

use std::path::Path;

use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;

use super::{
    folder::Folder,
    front_matter, text_file,
    toml_reader::{At, SLUG, ULID},
    values::is_email,
};
use crate::theme::{Reference, is_harmless, references};
use contract::{
    model::{Day, Faq, Summary},
    problem::{Passage, Place, Report},
};
use system::root::Root;

/// `faq.toml`: questions customers ask
#[derive(Default, Deserialize, JsonSchema)]
#[serde(default)]
pub(super) struct FaqFile {
    faq: Vec<Question>,
}

#[derive(Deserialize, JsonSchema)]
struct Question {
    /// Small letters, digits and hyphens
    #[schemars(extend("pattern" = SLUG))]
    id: At<String>,
    /// The question
    question: String,
    /// The answer: Markdown with computed values
    answer: At<String>,
    /// A condition on computed values
    when: Option<At<String>>,
    /// Place among the questions
    order: Option<i64>,
    /// Ids of reviews that support the answer
    #[serde(default)]
    #[schemars(extend("items" = json!({ "type": "string", "pattern": ULID })))]
    review_ids: Vec<At<String>>,
}

pub(super) fn faq(folder: &Folder, links: &mut Links, report: &Report) -> Vec<Faq> {
    let Some(file) = folder.toml("faq.toml", report) else { return Vec::new() };
    let questions = file.load::<FaqFile>().unwrap_or_default().faq;
    let read = |Question { id, question, answer, when, order, review_ids }| {
        let when_place = file.passage(when.as_ref().unwrap_or(&id).span(), false);
        let answer_place = file.passage(answer.span(), false);
        add_links("faq/", (&answer, &answer_place), links, report);
        let named = |id: At<String>| Some((id.parse().ok()?, file.place(id.span())));
        Faq {
            id: id.into_inner(),
            question,
            answer: answer.into_inner(),
            when: when.map(At::into_inner),
            when_place,
            answer_place,
            order: order.unwrap_or(i64::MAX),
            review_ids: review_ids.into_iter().filter_map(named).collect(),
        }
    };
    let mut entries: Vec<Faq> = questions.into_iter().map(read).collect();
    entries.sort_by_key(|entry| entry.order);
    entries
}

/// The summary, and the file for problems found in it later.
pub(super) fn summary(
    dir: &Path,
    links: &mut Links,
    report: &Report,
) -> (Option<Summary>, Passage) {
    let path = dir.join("summary.md");
    let text =
        text_file::read(&Root::at(dir), &path, report).unwrap_or_default().replace("\r\n", "\n");
    let shown = path.display().to_string();
    let whole = Passage::new(&shown, text.as_str().into(), 0..text.len());
    add_links("summary/", (&text, &whole), links, report);
    (read_summary(&shown, &text, report), whole)
}

/// The head of `summary.md`
#[derive(Default, Deserialize, JsonSchema)]
struct SummaryHead {
    author: Option<String>,
    date: Option<Day>,
}

fn read_summary(path: &str, text: &str, report: &Report) -> Option<Summary> {
    let (head, body) = front_matter::split(path, text, report)?;
    let SummaryHead { author, date } = match head {
        Some(head) => head.load()?,
        None => SummaryHead::default(),
    };
    let date = date.map(Day::date);
    non_empty(body).map(|text| Summary { text, author, date, computed: false })
}

/// Reports links and pictures that would not be published. The others, each with its place.
pub(super) fn check_links(
    markdown: &str,
    text: &Passage,
    report: &Report,
) -> Vec<(Reference, Place)> {
    let mut harmless = Vec::new();
    for reference in references(markdown) {
        let whole = format!("({})", reference.address);
        let is_part = markdown.matches(&*reference.address).nth(1).is_some();
        let words = if is_part && markdown.contains(&whole) { &whole } else { &reference.address };
        let place = text.place_of(words, 1);
        if leads_nowhere(&reference.address) {
            let message = format!("the link to {:?} leads nowhere", reference.address);
            let help = "write a whole address such as https://example.com/page or mailto:office@example.com";
            report.error("invalid-url", place, message, help);
            continue;
        }
        if is_harmless(&reference.address) {
            harmless.push((reference, place));
            continue;
        }
        let message = format!("the link to {:?} is not published", reference.address);
        let help = "link to an http, https, mailto or tel address, or to a path of the site";
        report.error("invalid-url", place, message, help);
    }
    harmless
}

/// Whether an address has no host or no mailbox. One with a computed value is not known yet.
fn leads_nowhere(address: &str) -> bool {
    let is_web = address.starts_with("http:") || address.starts_with("https:");
    let mailbox = address.strip_prefix("mailto:").and_then(|to| to.split('?').next());
    let is_wrong = |to: &str| !to.is_empty() && !to.split(',').all(|to| is_email(to.trim()));
    !address.contains("{{")
        && (is_web && url::Url::parse(address).is_err() || mailbox.is_some_and(is_wrong))
}

/// What texts refer to, each with the path of its page below the first one, and its place.
pub(crate) type Links = Vec<(String, Reference, Place)>;

/// Adds the links of a text that is a part of a page, and reports its pictures, which are not shown. An address with a
/// computed value is not known yet.
pub(super) fn add_links(page: &str, of: (&str, &Passage), links: &mut Links, report: &Report) {
    for (it, place) in check_links(of.0, of.1, report) {
        if it.is_picture {
            let message =
                format!("the picture {:?} is not shown: this text has words alone", it.address);
            let help = "remove it, or show it on a page of your own: content/pages/NAME.md";
            report.error("dead-link", place, message, help);
        } else if !it.address.contains("{{") && !it.address.starts_with('#') {
            links.push((page.to_owned(), it, place));
        }
    }
}

pub(super) fn non_empty(text: &str) -> Option<String> {
    let text = text.trim();
    (!text.is_empty()).then(|| text.to_owned())
}
