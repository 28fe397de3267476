//! Reads `overrides.toml`: corrections of single reviews by hand.

mod edit;

use std::{collections::BTreeMap, path::Path};

use jiff::Timestamp;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;
use toml::{
    Spanned,
    de::{DeString, DeValue},
};

pub use edit::{KeyChange, edit, unknown_mention};

use super::toml_reader::{At, TomlFile};
use contract::{
    model::{Disclosure, OwnerReply, ReviewId, WithheldReason},
    problem::{Place, Report},
    text::{check_length, clean},
};
use system::root::Root;

/// The file's name in `content/`.
pub const OVERRIDES_FILE: &str = "overrides.toml";

/// `overrides.toml`: corrections by hand, one table per review id
#[derive(Default, Deserialize, JsonSchema)]
pub(super) struct OverridesFile(BTreeMap<At<String>, Correction>);

#[derive(Deserialize, JsonSchema)]
struct Correction {
    #[serde(flatten)]
    of: Override,
    /// In place of what the text seems to name
    mentions: Option<MentionsTable>,
}

/// A hand-made correction of one review. Never its rating, never its text.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
pub struct Override {
    /// The day, or the instant, of the correction
    #[schemars(with = "String", extend("x-rule" = "instant", "x-missing" = [
        "a correction needs a date",
        "add the day of the correction, such as date = 2026-03-01: readers learn of a change by it",
    ]))]
    pub date: Timestamp,
    /// Why the review is withheld
    pub hidden: Option<WithheldReason>,
    /// Display name
    pub author: Option<String>,
    /// Whether the method of verification covers it
    pub verified: Option<bool>,
    /// What must be disclosed
    #[schemars(extend("x-properties" = json!({ "kind": {
        "description": "What connects author and business",
        "x-missing": [
            "a disclosure needs its kind", "add kind = \"incentivized\" or kind = \"insider\"",
        ],
    } })))]
    pub disclosure: Option<Disclosure>,
    /// The review on its platform
    #[schemars(extend("format" = "uri"))]
    pub source_url: Option<String>,
    /// BCP 47 tag of the text
    #[schemars(extend("x-rule" = "language"))]
    pub language: Option<String>,
    /// The reply in place of the stored one; false: no reply is published
    #[schemars(extend("x-properties" = json!({
        "text": { "description": "The reply in the words of the business" },
        "date": { "description": "The day of the reply" },
    })))]
    pub owner_reply: Option<ReplyOrNone>,
    /// Never published
    pub note: Option<String>,
    /// In place of what the text seems to name.
    #[serde(skip)]
    pub mentions: Option<MentionLists>,
    /// Where it is, for problems found later.
    #[serde(skip)]
    pub place: Place,
}

/// A reply in place of the stored one.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum ReplyOrNone {
    /// The reply
    Reply(OwnerReply),
    /// No reply
    None(#[schemars(extend("const" = false))] bool),
}

impl Override {
    /// Whether the correction withdraws a review that readers may have a copy of.
    #[must_use]
    pub fn withdraws(&self) -> bool {
        self.hidden.is_some() || self.verified == Some(false)
    }

    /// The reply that is published: a correction's in place of the stored one.
    pub fn reply(correction: Option<&Self>, stored: Option<OwnerReply>) -> Option<OwnerReply> {
        match correction.and_then(|correction| correction.owner_reply.clone()) {
            None => stored,
            Some(ReplyOrNone::Reply(reply)) => Some(reply),
            Some(ReplyOrNone::None(_)) => None,
        }
    }

    /// The keys that the correction sets, except its date and note.
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

/// Ids that replace the recognised ones; a list that is absent changes nothing.
#[derive(Clone, Debug, Default)]
pub struct MentionLists {
    /// Technician ids.
    pub technicians: Option<ListedIds>,
    /// Service ids.
    pub services: Option<ListedIds>,
    /// Service area ids.
    pub service_areas: Option<ListedIds>,
}

/// Ids, each with its place in the file.
pub type ListedIds = Vec<(String, Place)>;

pub(super) fn read(dir: &Path, report: &Report) -> BTreeMap<ReviewId, Override> {
    TomlFile::open(&Root::at(dir), OVERRIDES_FILE, report)
        .map(|file| read_file(&file))
        .unwrap_or_default()
}

/// Reads the corrections of a text that is not in its file yet.
fn read_text(path: &str, text: &str, report: &Report) {
    read_file(&TomlFile::from_text(path.to_owned(), text, report));
}

fn read_file(file: &TomlFile<'_>) -> BTreeMap<ReviewId, Override> {
    let Some(mut root) = file.parse() else { return BTreeMap::new() };
    root.get_mut().iter_mut().for_each(|(id, table)| check_raw(file, id, table.get_mut()));
    let OverridesFile(corrections) = file.build(root).unwrap_or_default();
    let read = |(id, Correction { of, mentions }): (At<String>, Correction)| {
        let place = file.place(id.span());
        let author = of.author.as_deref().and_then(clean);
        let mentions = mentions.map(|lists| lists.at(file));
        Some((id.parse().ok()?, Override { author, mentions, place, ..of }))
    };
    corrections.into_iter().filter_map(read).collect()
}

/// Reports a table whose name is not a review's id, and removes keys that must not be corrected.
fn check_raw(file: &TomlFile<'_>, id: &Spanned<DeString<'_>>, value: &mut DeValue<'_>) {
    let DeValue::Table(table) = value else { return };
    if let Err(error) = id.get_ref().parse::<ReviewId>() {
        let help = "head each table with a review's id: [01H…]";
        file.error(id.span(), "invalid-id", error.to_string(), help);
    }
    for key in ["rating", "text"] {
        let Some(value) = table.remove(key) else { continue };
        let message = format!("{key} cannot be corrected: a review's {key} is its author's");
        let help = "remove the key; candor hide withholds a review for a reason";
        file.error(value.span(), "never-corrected", message, help);
    }
    // Of either a reply or false, serde would say only that the value is neither.
    let reply = table.get("owner_reply").and_then(|reply| reply.get_ref().get("text"));
    let Some(text) = reply else { return };
    if let Err(reason) = text.get_ref().as_str().map_or(Ok(()), check_length) {
        let message = format!("owner_reply.text: {reason}");
        file.error(text.span(), "invalid-value", message, "shorten it");
        table.remove("owner_reply");
    }
}

#[derive(Deserialize, JsonSchema)]
struct MentionsTable {
    technicians: Option<Vec<At<String>>>,
    services: Option<Vec<At<String>>>,
    service_areas: Option<Vec<At<String>>>,
}

impl MentionsTable {
    fn at(self, file: &TomlFile<'_>) -> MentionLists {
        let placed = |id: At<String>| (String::clone(&id), file.place(id.span()));
        let list = |ids: Vec<At<String>>| ids.into_iter().map(placed).collect();
        MentionLists {
            technicians: self.technicians.map(list),
            services: self.services.map(list),
            service_areas: self.service_areas.map(list),
        }
    }
}
