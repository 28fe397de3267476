//! The command `edit`: corrects keys of one review.

use clap::Args;
use contract::{problem::unknown_help, text::without_invisible};
use serde_json::Value;

use super::{Context, Exit, change};
use content::{IdPrefix, KeyChange};
use import::edit::{ReviewChange, SOURCE_IDS};

#[derive(Debug, Args)]
#[command(after_help = "\
Fields: author, language, source_url, verified, disclosure (incentivized or insider), disclosure.note, \
mentions.technicians, mentions.services, mentions.service_areas and note are in overrides.toml, and \
imports never undo them.

rating, text, date and source are changed in the stored review; those of an imported review are its \
author's, and cannot be changed. source_ids are the review's ids at its source, by which imports find it.")]
pub(super) struct Edit {
    /// The review's id, or as much of its beginning as no other id has
    id: IdPrefix,
    /// A field and its new value; an empty value removes the correction; may be given again
    #[arg(long, required = true, value_name = "FIELD=VALUE", value_parser = parse_set)]
    set: Vec<ReviewChange>,
    /// Print the review as JSON
    #[arg(long)]
    json: bool,
}

impl Edit {
    pub(super) fn run(self, context: &Context) -> anyhow::Result<Exit> {
        change::run(context, &self.id, &self.set, "edited", self.json)
    }
}

/// The form of a field's value in `overrides.toml`.
#[derive(Clone, Copy)]
enum Form {
    Text,
    Flag,
    List,
}

/// The fields of a correction: name, key, form.
const CORRECTIONS: [(&str, &str, Form); 10] = [
    ("author", "author", Form::Text),
    ("language", "language", Form::Text),
    ("source_url", "source_url", Form::Text),
    ("verified", "verified", Form::Flag),
    ("disclosure", "disclosure.kind", Form::Text),
    ("disclosure.note", "disclosure.note", Form::Text),
    ("mentions.technicians", "mentions.technicians", Form::List),
    ("mentions.services", "mentions.services", Form::List),
    ("mentions.service_areas", "mentions.service_areas", Form::List),
    ("note", "note", Form::Text),
];

/// The fields of the stored review.
const STORED: [&str; 5] = ["rating", "text", "date", "source", SOURCE_IDS];

fn parse_set(text: &str) -> Result<ReviewChange, String> {
    let (field, value) = text.split_once('=').ok_or("write field=value")?;
    let (value, _) = without_invisible(value);
    let (field, value) = (field.trim(), value.trim());
    if let Some((_, key, form)) = CORRECTIONS.iter().find(|(name, ..)| *name == field) {
        return correction(key, *form, value);
    }
    if let Some(field) = STORED.iter().find(|name| **name == field) {
        if *field == SOURCE_IDS {
            let ids: Vec<&str> = list(value).collect();
            return Ok(ReviewChange::Stored(field, ids.into()));
        }
        let number = value.parse::<u8>().ok().filter(|_| *field == "rating");
        let value = match (number, value) {
            (Some(number), _) => number.into(),
            (None, "") => Value::Null,
            (None, text) => text.into(),
        };
        return Ok(ReviewChange::Stored(field, value));
    }
    let help = match field {
        "hidden" => "use candor hide, and candor hide ID --undo".to_owned(),
        "owner_reply" | "reply" => "use candor reply".to_owned(),
        _ => unknown_help(field, CORRECTIONS.iter().map(|(name, ..)| *name).chain(STORED)),
    };
    Err(format!("{field:?} is not a field; {help}"))
}

/// The items of `a, b`.
fn list(value: &str) -> impl Iterator<Item = &str> {
    value.split(',').map(str::trim).filter(|item| !item.is_empty())
}

fn correction(key: &'static str, form: Form, value: &str) -> Result<ReviewChange, String> {
    if value.is_empty() {
        // Without its kind a disclosure says nothing.
        let path = if key == "disclosure.kind" { "disclosure" } else { key };
        return Ok(ReviewChange::Correction(KeyChange { path, value: None }));
    }
    let value = match form {
        Form::Text => value.into(),
        Form::Flag => value.parse::<bool>().map_err(|_| "write true or false")?.into(),
        Form::List => toml_edit::Value::Array(list(value).collect()),
    };
    Ok(ReviewChange::Correction(KeyChange { path: key, value: Some(value) }))
}
