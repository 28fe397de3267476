//! Reads `overrides.toml`: corrections of single reviews by hand.

mod edit;

use std::{collections::BTreeMap, path::Path};

use jiff::Timestamp;

pub use edit::{KeyChange, edit, unknown_mention};

use super::toml_reader::{TomlFile, TomlTable};
use contract::{
    model::{Day, Disclosure, OwnerReply, ReviewId, WithheldReason},
    problem::{Place, Report},
    text::clean,
};
use system::root::Root;

/// The file's name in `content/`.
pub const OVERRIDES_FILE: &str = "overrides.toml";

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
    /// In place of the stored reply; `Some(None)`: no reply is published.
    pub owner_reply: Option<Option<OwnerReply>>,
    /// A note that is never published.
    pub note: Option<String>,
    /// In place of what the text seems to name.
    pub mentions: Option<MentionLists>,
    /// Where it is, for problems found later.
    pub place: Place,
}

impl Override {
    /// Whether it takes a review back that readers may have a copy of.
    #[must_use]
    pub fn withdraws(&self) -> bool {
        self.hidden.is_some() || self.verified == Some(false)
    }

    /// The reply that is published: a correction's in place of the stored one.
    pub fn reply(correction: Option<&Self>, stored: Option<OwnerReply>) -> Option<OwnerReply> {
        correction.and_then(|correction| correction.owner_reply.clone()).unwrap_or(stored)
    }

    /// The keys it sets, except its date and note.
    #[must_use]
    pub fn keys(&self) -> Vec<&'static str> {
        let keys = [
            ("hidden", self.hidden.is_some()),
            ("author", self.author.is_some()),
            ("verified", self.verified.is_some()),
            ("disclosure", self.disclosure.is_some()),
            ("source_url", self.source_url.is_some()),
            ("language", self.language.is_some()),
            ("owner_reply", self.owner_reply.is_some()),
            ("mentions", self.mentions.is_some()),
        ];
        keys.into_iter().filter_map(|(key, is_set)| is_set.then_some(key)).collect()
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
    TomlFile::open(&Root::at(dir), OVERRIDES_FILE, report)
        .map(|file| read_file(&file))
        .unwrap_or_default()
}

/// The corrections of a text that is not in its file yet.
fn read_text(path: &str, text: &str, report: &Report) {
    read_file(&TomlFile::from_text(path.to_owned(), text, report));
}

fn read_file(file: &TomlFile<'_>) -> BTreeMap<ReviewId, Override> {
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
                "remove the key; candor hide withholds a review for a reason",
            );
        }
    }
    let language = table.string("language");
    if let Some(tag) = language.as_deref().filter(|tag| !super::syntax::is_language_tag(tag)) {
        let message = format!("language: {tag:?} is not a BCP 47 language tag");
        table.error("language", "invalid-language", message, "write a tag such as en, de or pt-BR");
    }
    let correction = Override {
        date: Timestamp::MIN,
        hidden: table.parsed("hidden"),
        author: table.string("author").as_deref().and_then(clean),
        verified: table.boolean("verified"),
        disclosure: table
            .table("disclosure", |t| {
                if !t.contains("kind") {
                    let help = "add kind = \"incentivized\" or kind = \"insider\"";
                    t.error("kind", "missing-key", "a disclosure needs its kind", help);
                }
                let (kind, note) = (t.parsed("kind"), t.string("note"));
                Some(Disclosure { kind: kind?, note })
            })
            .flatten(),
        source_url: table.url("source_url"),
        language,
        owner_reply: read_reply(table),
        note: table.string("note"),
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

/// `owner_reply = { text = "…", date = 2026-03-01 }`, or `false` for none.
fn read_reply(table: &TomlTable<'_>) -> Option<Option<OwnerReply>> {
    if table.is_false("owner_reply") {
        return Some(None);
    }
    let read = |t: &TomlTable<'_>| {
        let date = t.day("date").map(Day::from);
        Some(OwnerReply { text: t.required("text")?, date })
    };
    table.table("owner_reply", read).flatten().map(Some)
}
