//! Judgements as a text file for people: one line for each opinion.
//!
//! ```text
//! by: Ann
//!
//! == 01J00000000000000000000001 3f2a91bc
//! > They were late. Fair price.
//! punctuality | negative | They were late
//! ? pricing | positive | Fair price
//! ```

use std::collections::BTreeMap;

use contract::{
    model::{Review, ReviewId},
    problem::{Place, Report, unknown_help},
};
use insights::{Annotation, Sentiment, text_hash};
use jiff::civil::Date;
use serde::{Deserialize, de::value::StrDeserializer};

use super::{
    answer::JudgedAspect,
    compare::{Judgements, Opinions},
    quote,
    select::row,
};

/// The line that names the person.
const BY: &str = "by:";
/// What a line about a review begins with.
const REVIEW: &str = "== ";
/// What a line that is not decided begins with.
const OPEN: &str = "?";
/// Digits of the text's hash beside the id.
const HASH: usize = 8;
/// The code of problems in such a file.
const INVALID: &str = "invalid-judgement";

/// What a file says.
#[derive(Debug, Default)]
pub struct Judged {
    /// The person.
    pub by: String,
    /// The judgements of reviews without an open line.
    pub rows: Vec<Annotation>,
    /// Reviews with a line that is not decided.
    pub open: usize,
}

/// A file with these reviews and what model and program say of them.
pub fn write(judgements: &Judgements<'_>) -> (String, usize) {
    let mut text = format!(
        "# The reviews about which a model and the built-in reader differ.\n\
         # A line is one opinion: aspect | sentiment | words of the review. Words may be left out.\n\
         # Aspects: {}.\n\
         # Sentiments: positive, neutral, negative, mixed.\n\
         # A line that begins with ? is not decided, and a review with such a line is not read: remove the ?\n\
         # or the whole line, correct lines, add lines. A review without lines is about no aspect.\n\
         # Your name, as insights.json publishes it:\n\
         {BY}\n",
        judgements.aspects.join(", ")
    );
    let mut count = 0;
    for (review, [model, built_in]) in judgements.disputed() {
        count += 1;
        let words = review.text.as_deref().unwrap_or_default();
        let hash = text_hash(Some(words));
        text.push_str(&format!("\n{REVIEW}{} {}\n", review.id, &hash[..HASH]));
        words.lines().for_each(|line| text.push_str(&format!("> {line}\n")));
        for (at, aspect) in judgements.aspects.iter().enumerate() {
            text.push_str(&lines(aspect, at, model, built_in));
        }
    }
    (text, count)
}

/// The lines about an aspect: one if both agree, and what each says if not.
fn lines(aspect: &str, at: usize, model: &Opinions, built_in: &Opinions) -> String {
    let line = |(sentiment, quote): &(Sentiment, Option<String>)| {
        let quote = quote.as_deref().unwrap_or_default().split_whitespace().collect::<Vec<_>>();
        format!("{aspect} | {} | {}", word(*sentiment), quote.join(" "))
            .trim_end_matches([' ', '|'])
            .to_owned()
    };
    match (model.get(&at), built_in.get(&at)) {
        (None, None) => String::new(),
        (Some(model), Some(built_in)) if model.0 == built_in.0 => format!("{}\n", line(model)),
        (model, built_in) => {
            let open = |name: &str, said: Option<&(Sentiment, Option<String>)>| {
                said.map_or(String::new(), |said| format!("# {name}:\n{OPEN} {}\n", line(said)))
            };
            open("model", model) + &open("built-in", built_in)
        }
    }
}

/// The word of a sentiment.
pub fn word(sentiment: Sentiment) -> &'static str {
    match sentiment {
        Sentiment::Positive => "positive",
        Sentiment::Neutral => "neutral",
        Sentiment::Negative => "negative",
        Sentiment::Mixed => "mixed",
    }
}

/// Reads what a person decided about the published texts. Everything wrong is reported with line and column.
pub fn read(
    (name, text): (&str, &str),
    reviews: &BTreeMap<ReviewId, &Review>,
    aspects: &[String],
    date: Date,
    report: &Report,
) -> Judged {
    let mut reader =
        Reader { name, reviews, aspects, report, by: String::new(), entries: Vec::new() };
    // Some editors begin a file with a byte order mark.
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    for (at, line) in text.lines().enumerate() {
        reader.line(at + 1, line);
    }
    if reader.by.is_empty() {
        let help = "write your name behind by:, above the first review";
        report.error(INVALID, Place::file(name), "the judge is not named", help);
    }
    let Reader { by, entries, .. } = reader;
    let open = entries.iter().filter(|entry| entry.is_open).count();
    let decided = entries.iter().filter(|entry| !entry.is_open);
    let rows = decided.map(|entry| row(entry.review, &entry.opinions, (&by, None), date)).collect();
    Judged { by, rows, open }
}

struct Reader<'a> {
    name: &'a str,
    reviews: &'a BTreeMap<ReviewId, &'a Review>,
    aspects: &'a [String],
    report: &'a Report,
    by: String,
    entries: Vec<Entry<'a>>,
}

struct Entry<'a> {
    review: &'a Review,
    opinions: Vec<JudgedAspect>,
    is_open: bool,
}

impl<'a> Reader<'a> {
    fn line(&mut self, number: usize, line: &str) {
        let said = line.trim();
        if said.is_empty() || said.starts_with(['#', '>']) {
            return;
        }
        if let Some(by) = said.strip_prefix(BY).filter(|_| self.entries.is_empty()) {
            self.by = by.trim().to_owned();
        } else if let Some(head) = said.strip_prefix(REVIEW) {
            self.review(number, line, head);
        } else if said.starts_with(OPEN) {
            if let Some(entry) = self.entries.last_mut() {
                entry.is_open = true;
            }
        } else {
            self.opinion(number, line);
        }
    }

    /// Reports a part of the line; one that is missing, at the line's end.
    fn wrong(&self, number: usize, line: &str, part: &str, what: String, help: &str) {
        // The word can be in the line twice, so it is not looked for.
        let start = (part.as_ptr() as usize).checked_sub(line.as_ptr() as usize);
        let start = start.filter(|start| start + part.len() <= line.len()).unwrap_or(line.len());
        let place = Place::in_line(self.name, number, line, start..start + part.len().max(1));
        self.report.error(INVALID, place, what, help);
    }

    fn review(&mut self, number: usize, line: &str, head: &str) {
        let (id, hash) = head.trim().split_once(' ').unwrap_or((head.trim(), ""));
        let found = id.parse::<ReviewId>().ok().and_then(|id| self.reviews.get(&id));
        let Some(review) = found else {
            let what = format!("there is no published review {id:?}");
            return self.wrong(number, line, id, what, "remove the review, or correct its id");
        };
        let known = text_hash(review.text.as_deref());
        if hash.trim() != &known[..HASH] {
            let help = "write the file again with candor annotate --disputed FILE";
            let what = format!("the text of {id} has changed since the file was written");
            return self.wrong(number, line, head.trim(), what, help);
        }
        if self.entries.iter().any(|entry| entry.review.id == review.id) {
            let what = format!("{id} is judged twice");
            return self.wrong(number, line, id, what, "keep one of the two");
        }
        self.entries.push(Entry { review, opinions: Vec::new(), is_open: false });
    }

    fn opinion(&mut self, number: usize, line: &str) {
        let mut parts = line.splitn(3, '|').map(str::trim);
        let (aspect, sentiment) =
            (parts.next().unwrap_or_default(), parts.next().unwrap_or_default());
        let quote = parts.next().unwrap_or_default();
        let Some(entry) = self.entries.last() else {
            let help = "a review begins with == and its id; remarks begin with #";
            return self.wrong(
                number,
                line,
                aspect,
                "no review is above this line".to_owned(),
                help,
            );
        };
        if !self.aspects.iter().any(|known| known == aspect) {
            let help = unknown_help(aspect, self.aspects.iter().map(String::as_str));
            return self.wrong(
                number,
                line,
                aspect,
                format!("there is no aspect {aspect:?}"),
                &help,
            );
        }
        let Ok(read) =
            Sentiment::deserialize(StrDeserializer::<serde::de::value::Error>::new(sentiment))
        else {
            let help = "write aspect | positive, neutral, negative or mixed | words of the review";
            return self.wrong(
                number,
                line,
                sentiment,
                format!("{sentiment:?} is not a sentiment"),
                help,
            );
        };
        if entry.opinions.iter().any(|other| other.aspect == aspect) {
            let help = "keep one line for an aspect; praise and blame together are mixed";
            return self.wrong(number, line, aspect, format!("{aspect} is judged twice"), help);
        }
        let text = entry.review.text.as_deref().unwrap_or_default();
        let span = if quote.is_empty() {
            0..0
        } else {
            match quote::find(text, quote) {
                Some(found) => found.span,
                None => {
                    let help =
                        "copy them from the lines above that begin with >, or leave them out";
                    return self.wrong(
                        number,
                        line,
                        quote,
                        "the review does not have these words".to_owned(),
                        help,
                    );
                }
            }
        };
        let opinion = JudgedAspect { aspect: aspect.to_owned(), sentiment: read, span };
        if let Some(entry) = self.entries.last_mut() {
            entry.opinions.push(opinion);
        }
    }
}
