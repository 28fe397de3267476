//! Finds the faults of a stored review that did not parse, key by key.

use std::collections::BTreeMap;

use jiff::Timestamp;
use serde::de::DeserializeOwned;
use serde_json::value::RawValue;

use super::{
    Author, DatePrecision, LanguageTag, ReplyMissing, SourceName, Translation, WebUrl, Words,
};
use contract::{
    model::{Day, Disclosure, OwnerReply, Rating, ReviewId},
    problem::without_position,
};

/// A key of the record and whether its value is well formed.
type Check = fn(&RawValue) -> Result<(), String>;

/// Every key, in order: its name, whether it is required, its check.
const KEYS: &[(&str, bool, Check)] = &[
    ("id", true, check::<ReviewId>),
    ("author", true, check::<Author>),
    ("author_avatar_url", false, check::<Option<WebUrl>>),
    ("rating", true, check::<Rating>),
    ("date", true, check::<Day>),
    ("text", false, check::<Option<Words>>),
    ("source", true, check::<SourceName>),
    ("source_url", false, check::<Option<WebUrl>>),
    ("owner_reply", false, check::<Option<OwnerReply>>),
    ("verified", false, check::<Option<bool>>),
    ("verified_by", false, check::<Option<Words>>),
    ("verified_purchase", false, check::<bool>),
    ("updated", true, check::<Timestamp>),
    ("language", false, check::<Option<LanguageTag>>),
    ("disclosure", false, check::<Option<Disclosure>>),
    ("source_ids", false, check::<Vec<Box<str>>>),
    ("added", false, check::<Option<Timestamp>>),
    ("changed", false, check::<Option<Timestamp>>),
    ("missing_since", false, check::<Option<Day>>),
    ("reply_missing", false, check::<Option<ReplyMissing>>),
    ("author_id", false, check::<Option<Box<str>>>),
    ("source_updated", false, check::<Option<Timestamp>>),
    ("date_precision", false, check::<Option<DatePrecision>>),
    ("translation", false, check::<Option<Translation>>),
];

/// The names of all keys.
fn key_names() -> impl Iterator<Item = &'static str> + Clone {
    KEYS.iter().map(|(name, ..)| *name)
}

fn check<T: DeserializeOwned>(raw: &RawValue) -> Result<(), String> {
    serde_json::from_str::<T>(raw.get()).map(drop).map_err(|error| without_position(&error))
}

/// The code of a record that is not a JSON object.
pub(in super::super) const JSON_SYNTAX: &str = "json-syntax";

/// A fault of one key of a record.
pub(in super::super) struct Fault {
    pub(in super::super) code: &'static str,
    /// The bytes of the record's text that it is about.
    pub(in super::super) span: std::ops::Range<usize>,
    pub(in super::super) message: String,
    pub(in super::super) help: String,
}

/// Every fault of a record that did not parse, key by key.
pub(in super::super) fn faults(text: &str) -> Vec<Fault> {
    let pairs: BTreeMap<String, &RawValue> = match serde_json::from_str(text) {
        Ok(pairs) => pairs,
        Err(error) => {
            let at = error.column().saturating_sub(1);
            let message = format!("this is not a JSON object: {}", without_position(&error));
            let help = "fix the line; every review is one JSON object".to_owned();
            return vec![Fault { code: JSON_SYNTAX, span: at..at + 1, message, help }];
        }
    };
    let mut faults = Vec::new();
    for &(name, required, check) in KEYS {
        match pairs.get(name) {
            Some(raw) => faults.extend(check(raw).err().map(|reason| Fault {
                code: "invalid-value",
                span: span_of(text, raw),
                message: if reason.starts_with(name) {
                    reason
                } else {
                    format!("{name}: {reason}")
                },
                help: invalid_help(name).to_owned(),
            })),
            None if required => faults.push(Fault {
                code: if name == "id" { "missing-id" } else { "missing-key" },
                span: 0..1,
                message: format!("the review has no {name}"),
                help: missing_help(name),
            }),
            None => {}
        }
    }
    for (name, raw) in pairs.iter().filter(|(name, _)| !key_names().any(|known| known == *name)) {
        faults.push(Fault {
            code: "unknown-key",
            span: key_before(text, name, span_of(text, raw)),
            message: format!("unknown key {name:?}"),
            help: contract::problem::unknown_help(name, key_names()),
        });
    }
    faults
}

fn invalid_help(name: &str) -> &'static str {
    match name {
        "updated" | "added" | "changed" | "source_updated" => {
            "write an instant such as 2026-03-01T09:30:00Z"
        }
        "owner_reply" => {
            "write {\"text\": \"…\", \"date\": \"2026-03-01\"}, with null for an unknown day"
        }
        "disclosure" => "write {\"kind\": \"incentivized\", \"note\": \"…\"}",
        _ => "correct it here, or remove the review and import it again",
    }
}

fn missing_help(name: &str) -> String {
    match name {
        "id" => "add the review with candor new review, which gives it one".to_owned(),
        _ => format!("add \"{name}\""),
    }
}

/// Returns the place of the key of the value at `value`, or of the value if the key is written with escapes.
fn key_before(text: &str, name: &str, value: std::ops::Range<usize>) -> std::ops::Range<usize> {
    let quoted = format!("\"{name}\"");
    let from = text.floor_char_boundary(value.start.saturating_sub(quoted.len() + 1_000));
    let key = text[from..value.start].rfind(&quoted).map(|at| from + at);
    key.map_or(value, |start| start..start + quoted.len())
}

/// Returns the place of a borrowed value in the text it was borrowed from.
fn span_of(text: &str, raw: &RawValue) -> std::ops::Range<usize> {
    let start = (raw.get().as_ptr() as usize).saturating_sub(text.as_ptr() as usize);
    start..start + raw.get().len()
}
