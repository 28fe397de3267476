//! The columns and keys that name the business, and the columns of platforms.

use std::{
    collections::{BTreeSet, HashMap},
    sync::LazyLock,
};

use serde_json::Value;

use super::{
    Column, key,
    values::{LONGEST_NAME, is_name},
};
use crate::{
    platform::Platform,
    raw::{Location, as_text},
    rows::{Cells, MAX_PLACE},
    table,
};

/// Different values of a column with more, which does not name businesses.
const MOST_BUSINESSES: usize = 50;

const PLACES: &str = include_str!("../../data/places.txt");
pub(super) static PLACE_IDS: LazyLock<Vec<String>> =
    LazyLock::new(|| place_keys("id", &["id", ".id"]));
pub(super) static PLACE_NAMES: LazyLock<Vec<String>> =
    LazyLock::new(|| place_keys("name", &["name", ".name", ".title", "title", ""]));

/// Keys of the site and of the address of a business, which other columns name better.
pub(super) static PLACE_SITES: LazyLock<Vec<String>> = LazyLock::new(|| place_keys("site", &[]));
pub(super) static PLACE_ADDRESSES: LazyLock<Vec<String>> =
    LazyLock::new(|| place_keys("address", &["address", ".address"]));

/// The keys of the table, and those that each noun makes with these endings.
fn place_keys(kind: &'static str, endings: &[&str]) -> Vec<String> {
    let of_nouns = endings
        .iter()
        .flat_map(|ending| table::words(PLACES, "noun").map(move |noun| key(noun) + ending));
    of_nouns.chain(table::words(PLACES, kind).map(key)).collect()
}

impl Column<'_> {
    /// Whether its values are names of several platforms.
    pub(super) fn names_platforms(&self) -> bool {
        let known = self.values.iter().map(|value| match Platform::read(value.as_str()?) {
            Platform::Known(name) | Platform::Invented(name) => Some(name),
            _ => None,
        });
        let known: Option<BTreeSet<String>> = known.collect();
        known.is_some_and(|known| known.len() > 1)
    }

    /// Whether it has few values, which could be names of businesses: its own name says so, or most of them have
    /// several words and begin with a capital letter.
    pub(super) fn names_few(&self) -> bool {
        let different: BTreeSet<&str> = self.values.iter().filter_map(|v| v.as_str()).collect();
        let (count, all) = (different.len(), self.values.len());
        // Lists may be those of languages.
        let is_code = different.iter().all(|name| name.len() <= 3);
        let is_named = self.has("business") && count < all && !is_code;
        let is_like_names = || {
            !self.has("not business")
                && count * 2 <= all
                && different.iter().filter(|name| has_capitals(name)).count() * 2 > count
        };
        (2..=MOST_BUSINESSES).contains(&count)
            && (is_named || is_like_names())
            && self.all_are(|value| is_name(value, 2 * LONGEST_NAME))
    }
}

/// Whether a name has several words and begins, as one of them does, with a capital letter.
fn has_capitals(name: &str) -> bool {
    let mut words = name.split_whitespace();
    words.next().is_some_and(|first| first.starts_with(char::is_uppercase))
        && words.any(|word| word.starts_with(char::is_uppercase))
}

/// Whether the name of a sheet is like one of a business: it has capitals, no number, and says nothing about reviews.
pub(in super::super) fn is_like_business(name: &str) -> bool {
    let lines = ["rating", "date", "author", "text", "reply", "not business"];
    let has = |line: &&str| table::has_word(name, table::words(table::COLUMN_WORDS, line));
    has_capitals(name) && !name.contains(char::is_numeric) && !lines.iter().any(has)
}

/// The business an object is, which holds reviews.
pub(in super::super) fn place(cells: &Cells) -> Option<Location> {
    let values = by_key(cells)?;
    let named = |key: &str| values.get(key).copied().and_then(value_text);
    let name = first(&values, &PLACE_NAMES).or_else(|| named("name")).or_else(|| named("title"));
    let id = first(&values, &PLACE_IDS).or_else(|| named("id")).or_else(|| name.clone())?;
    Some(Location { id, name })
}

/// The business whose id or name an object has, which may itself be something else.
pub(in super::super) fn named_place(cells: &Cells) -> Option<Location> {
    let values = by_key(cells)?;
    let name = first(&values, &PLACE_NAMES);
    let id = first(&values, &PLACE_IDS).or_else(|| name.clone())?;
    Some(Location { id, name })
}

/// The beginnings of addresses of platforms that name a business.
pub(in super::super) fn pages() -> impl Iterator<Item = &'static str> {
    table::words(PLACES, "page")
}

/// The words of names that do not distinguish a business.
pub(in super::super) fn common_words() -> impl Iterator<Item = &'static str> {
    table::words(PLACES, "common")
}

/// The values of an object that may describe a business, by their keys.
fn by_key(cells: &Cells) -> Option<HashMap<String, &Value>> {
    let mut values = HashMap::new();
    for (column, value) in (cells.len() <= MAX_PLACE).then_some(cells)? {
        values.entry(key(column)).or_insert(value);
        for (inner, value) in value.as_object().into_iter().flatten().take(MAX_PLACE) {
            values.entry(format!("{}.{}", key(column), key(inner))).or_insert(value);
        }
    }
    Some(values)
}

fn first(values: &HashMap<String, &Value>, keys: &[String]) -> Option<String> {
    keys.iter().find_map(|key| value_text(values.get(key)?))
}

fn value_text(value: &Value) -> Option<String> {
    Some(as_text(value)?.trim().to_owned()).filter(|text| !text.is_empty())
}
