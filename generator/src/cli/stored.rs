//! The stored reviews as their owner sees them: corrections applied, withheld ones marked.

use std::borrow::Cow;

use anyhow::Context as _;
use contract::{
    model::{DatePrecision, Day, OwnerReply, Rating, ReviewId, WithheldReason},
    problem::{Problem, Report, Severity},
    text::printable,
};
use jiff::Timestamp;
use serde::Serialize;

use super::{Context, Exit};
use content::{Content, Override, Record, dataset};
use generator::pipeline;

/// Characters of a text in a list.
const EXCERPT: usize = 60;

/// The content, read for its reviews.
pub(super) struct StoredReviews {
    content: Content,
    has_errors: bool,
}

impl StoredReviews {
    /// Reads the content and prints its errors: a line that cannot be read is not listed.
    pub(super) fn read(context: &Context) -> anyhow::Result<Self> {
        let report = Report::default();
        let global = &context.global;
        let base_url = global.base_url.as_deref();
        let content = pipeline::load(&global.content, base_url, Timestamp::now(), &report);
        let problems: Vec<Problem> = report
            .into_problems()
            .into_iter()
            .filter(|problem| problem.severity == Severity::Error)
            .collect();
        context.out.problems(&problems);
        let content = content.context("the reviews cannot be read; fix the errors above")?;
        Ok(Self { content, has_errors: !problems.is_empty() })
    }

    /// Failed where the content has errors.
    pub(super) fn exit(&self) -> Exit {
        if self.has_errors { Exit::Failed } else { Exit::Done }
    }

    pub(super) fn ids(&self) -> impl Iterator<Item = ReviewId> {
        self.content.reviews.iter().map(|record| record.id)
    }

    pub(super) fn views(&self) -> impl Iterator<Item = ReviewView<'_>> {
        self.content.reviews.iter().map(|record| ReviewView::new(record, &self.content))
    }

    pub(super) fn view(&self, id: ReviewId) -> anyhow::Result<ReviewView<'_>> {
        self.views().find(|view| view.id == id).with_context(|| format!("there is no review {id}"))
    }
}

/// One review for `show`, `list` and the commands that change one.
#[derive(Debug, Serialize)]
pub(super) struct ReviewView<'c> {
    pub(super) id: ReviewId,
    pub(super) author: Cow<'c, str>,
    pub(super) rating: Rating,
    pub(super) date: Day,
    /// The precision of the date.
    date_precision: DatePrecision,
    pub(super) text: Option<&'c str>,
    source: &'c str,
    source_url: Option<&'c str>,
    language: Option<&'c str>,
    pub(super) owner_reply: Option<OwnerReply>,
    /// The reason why it is not published.
    withheld: Option<WithheldReason>,
    /// The keys that `overrides.toml` sets.
    overrides: Vec<&'static str>,
    note: Option<&'c str>,
    /// The place of the record: `content/reviews/2026.ndjson:3`.
    stored: String,
    /// The ids of the review at its source.
    source_ids: Vec<&'c str>,
}

impl<'c> ReviewView<'c> {
    fn new(record: &'c Record, content: &'c Content) -> Self {
        let correction = content.overrides.get(&record.id);
        let by_hand = |pick: fn(&Override) -> &Option<String>| {
            correction.and_then(|correction| pick(correction).as_deref())
        };
        let stored_url = record.source_url.as_ref().map(|url| &*url.0);
        let stored_language = record.language.as_ref().map(|tag| &*tag.0);
        Self {
            id: record.id,
            author: by_hand(|c| &c.author).unwrap_or(&record.author.0).into(),
            rating: record.rating,
            date: record.date,
            date_precision: record.known_precision(),
            text: record.text.as_ref().and_then(|words| words.0.as_deref()),
            source: &record.source.0,
            source_url: by_hand(|c| &c.source_url).or(stored_url),
            language: by_hand(|c| &c.language).or(stored_language),
            owner_reply: Override::reply(correction, record.owner_reply.clone()),
            withheld: dataset::withheld(record, correction, &content.business),
            overrides: correction.map(Override::keys).unwrap_or_default(),
            note: by_hand(|c| &c.note),
            stored: record.origin.place().to_string(),
            source_ids: record.source_ids.iter().map(|id| &**id).collect(),
        }
    }

    pub(super) fn print_json(&self, context: &Context) -> anyhow::Result<()> {
        context.out.json_pretty(self)
    }

    /// Returns the review as a line of a list.
    pub(super) fn line(&self) -> String {
        let words: String = self.text.unwrap_or("(no text)").split_whitespace().fold(
            String::new(),
            |line, word| {
                if line.is_empty() { word.to_owned() } else { line + " " + word }
            },
        );
        let excerpt = match words.char_indices().nth(EXCERPT) {
            Some((end, _)) => format!("{}…", words[..end].trim_end()),
            None => words,
        };
        let mut line = format!(
            "{}  {:<10}  {}  {}  {}: {excerpt}",
            self.id,
            self.date_precision.known(self.date),
            self.rating,
            self.source,
            self.author
        );
        if self.owner_reply.is_some() {
            line.push_str("  [answered]");
        }
        if let Some(reason) = self.withheld {
            line.push_str(&format!("  [withheld: {reason}]"));
        }
        printable(&line).into_owned()
    }

    /// Returns all fields, a field a line.
    pub(super) fn lines(&self) -> Vec<String> {
        let reply = self.owner_reply.as_ref().map(|reply| match reply.date {
            Some(date) => format!("{} ({date})", reply.text),
            None => reply.text.clone(),
        });
        let state = self.withheld.map_or("published".to_owned(), |r| format!("withheld: {r}"));
        let overrides = (!self.overrides.is_empty()).then(|| self.overrides.join(", "));
        let source_ids = (!self.source_ids.is_empty()).then(|| self.source_ids.join(", "));
        let fields = [
            ("id", Some(self.id.to_string())),
            ("author", Some(self.author.to_string())),
            ("rating", Some(self.rating.to_string())),
            ("date", Some(self.date_precision.known(self.date))),
            ("source", Some(self.source.to_owned())),
            ("url", self.source_url.map(str::to_owned)),
            ("language", self.language.map(str::to_owned)),
            ("state", Some(state)),
            ("text", self.text.map(str::to_owned)),
            ("reply", reply),
            ("overrides", overrides),
            ("note", self.note.map(str::to_owned)),
            ("stored", Some(self.stored.clone())),
            ("source_ids", source_ids),
        ];
        let field = |(name, value): (&str, Option<String>)| {
            // Further lines of a text are below its first one.
            Some(format!("{name:<10} {}", value?.replace('\n', &format!("\n{:11}", ""))))
        };
        fields.into_iter().filter_map(field).collect()
    }
}
