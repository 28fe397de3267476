//! Reads `overrides.toml`: corrections of single reviews by hand.

use std::{collections::BTreeMap, path::Path};

use jiff::Timestamp;

use super::toml_reader::{TomlFile, TomlTable};
use contract::{
    model::{Disclosure, ReviewId, WithheldReason},
    problem::{Place, Report},
    text::clean,
};

/// A hand-made correction of one review. Never its rating, never its text.
#[derive(Clone, Debug)]
pub struct Override {
    /// When the correction was made.
    pub date: Timestamp,
    /// Withheld, and why.
    pub hidden: Option<WithheldReason>,
    /// Display name.
    pub author: Option<String>,
    /// Whether the owner's method covers it.
    pub verified: Option<bool>,
    /// What must be disclosed.
    pub disclosure: Option<Disclosure>,
    /// The review on its platform.
    pub source_url: Option<String>,
    /// BCP 47 tag.
    pub language: Option<String>,
    /// In place of what the text seems to name.
    pub mentions: Option<MentionLists>,
    /// Where it stands, for problems found later.
    pub place: Place,
}

impl Override {
    /// Whether it takes a review back that readers may have a copy of.
    #[must_use]
    pub fn withdraws(&self) -> bool {
        self.hidden.is_some() || self.verified == Some(false)
    }
}

/// Ids that replace what was recognised; a list that is absent leaves its kind alone.
#[derive(Clone, Debug, Default)]
pub struct MentionLists {
    /// Technician ids.
    pub technicians: Option<ListedIds>,
    /// Service ids.
    pub services: Option<ListedIds>,
    /// Service area ids.
    pub service_areas: Option<ListedIds>,
}

/// Ids and where each is written.
pub type ListedIds = Vec<(String, Place)>;

pub(super) fn read(dir: &Path, report: &Report) -> BTreeMap<ReviewId, Override> {
    let Some(file) = TomlFile::open(&dir.join("overrides.toml"), report) else {
        return BTreeMap::new();
    };
    let entries = file.read(|root| {
        root.named_tables(|name, table| {
            let correction = read_override(table);
            match name.parse::<ReviewId>() {
                Ok(id) => Some((id, correction?)),
                Err(error) => {
                    table.error(
                        "",
                        "invalid-id",
                        error.to_string(),
                        "head each table with a review's id: [01H…]",
                    );
                    None
                }
            }
        })
    });
    entries.into_iter().flatten().collect()
}

fn read_override(table: &TomlTable<'_>) -> Option<Override> {
    let date = table.instant("date");
    if date.is_none() && !table.contains("date") {
        let help = "add the day of the correction, such as date = 2026-03-01: readers learn of a change by it";
        table.error("date", "missing-key", "a correction needs a date", help);
    }
    for key in ["rating", "text"] {
        if table.contains(key) {
            let message = format!("{key} cannot be corrected: a review's {key} is its author's");
            table.error(
                key,
                "never-corrected",
                message,
                "remove the key, or withhold the review with hidden and a reason",
            );
        }
    }
    let language = table.string("language");
    if let Some(tag) = language.as_deref().filter(|tag| !super::site::is_language_tag(tag)) {
        let message = format!("language: {tag:?} is no BCP 47 language tag");
        table.error("language", "invalid-language", message, "write a tag such as en, de or pt-BR");
    }
    // For the owner's eyes only: known, and never published.
    table.string("note");
    let correction = Override {
        date: Timestamp::MIN,
        hidden: table.parsed("hidden"),
        author: table.string("author").as_deref().and_then(clean),
        verified: table.boolean("verified"),
        disclosure: table
            .table("disclosure", |t| {
                let (kind, note) = (t.parsed("kind"), t.string("note"));
                Some(Disclosure { kind: kind?, note })
            })
            .flatten(),
        source_url: table.url("source_url"),
        language,
        mentions: table.table("mentions", |t| MentionLists {
            technicians: listed_ids(t, "technicians"),
            services: listed_ids(t, "services"),
            service_areas: listed_ids(t, "service_areas"),
        }),
        place: table.place(""),
    };
    Some(Override { date: date?, ..correction })
}

fn listed_ids(table: &TomlTable<'_>, key: &'static str) -> Option<ListedIds> {
    let items = table.items(key)?.into_iter();
    Some(items.map(|(id, span)| (id, table.place_at(span))).collect())
}
