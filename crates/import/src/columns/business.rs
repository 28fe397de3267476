//! The columns and keys that name the business, and the columns of platforms.

use std::{
    collections::{BTreeSet, HashMap, HashSet},
    sync::LazyLock,
};

use serde_json::Value;

use super::{
    Column, Columns, key,
    values::{LONGEST_NAME, is_name, is_yes_or_no},
};
use crate::{
    date::MONTHS,
    platform::{Platform, name_of_file, stem},
    raw::{Location, as_text},
    rows::{Cells, LIST_KEY, MAX_PLACE},
    status::Status,
    table,
};
use content::{ColumnMap, Field};
use contract::text::fold;

/// Different values of a column with more, which does not name businesses.
const MOST_BUSINESSES: usize = 50;
/// Rows of a table in which each row may be about another business.
const FEW: usize = 4;

const PLACES: &str = include_str!("../../data/places.txt");
pub(super) static PLACE_IDS: LazyLock<Vec<String>> =
    LazyLock::new(|| place_keys("id", &["id", ".id", "code", ".code"]));
pub(super) static PLACE_NAMES: LazyLock<Vec<String>> =
    LazyLock::new(|| place_keys("name", &["name", ".name", ".title", "title", ""]));

/// Keys of the site and of the address of a business, which other columns name better.
pub(super) static PLACE_SITES: LazyLock<Vec<String>> = LazyLock::new(|| place_keys("site", &[]));
pub(super) static PLACE_ADDRESSES: LazyLock<Vec<String>> =
    LazyLock::new(|| place_keys("address", &["address", ".address"]));

/// Words of names of files that say nothing of the business.
static NO_BUSINESS: LazyLock<HashSet<&str>> = LazyLock::new(|| {
    let lines = ["file", "rating", "date", "author", "text", "reply", "not business", "business"];
    let of_columns = lines.iter().flat_map(|line| table::words(table::COLUMN_WORDS, line));
    let months = table::lines(MONTHS).flat_map(|(_, names)| names);
    of_columns.chain(table::words(PLACES, "noun")).chain(months).collect()
});

/// The keys of the table, and those that each noun makes with these endings.
fn place_keys(kind: &'static str, endings: &[&str]) -> Vec<String> {
    let of_nouns = endings
        .iter()
        .flat_map(|ending| table::words(PLACES, "noun").map(move |noun| key(noun) + ending));
    of_nouns.chain(table::words(PLACES, kind).map(key)).collect()
}

/// Whether a column of this name has ids of businesses.
pub(in super::super) fn is_of_ids(column: &str) -> bool {
    PLACE_IDS.contains(&key(column))
}

impl Columns<'_> {
    /// Beside ids of businesses a title that is the same in all rows of an id is the name of the business.
    pub(super) fn with_title(&self, mut map: ColumnMap) -> ColumnMap {
        let named = |field| map.columns.get(&field).and_then(|column| self.named(column));
        let id = named(Field::Location).filter(|column| is_of_ids(&column.path));
        let title = named(Field::Title).filter(|column| column.key == "title");
        // Beside `business.id` a title is the review's, unless all are the same.
        let is_nested = id.is_some_and(|id| id.path.contains('.'));
        let title = title.filter(|title| !is_nested || !title.varies());
        if let (Some(id), Some(title), None) = (id, title, named(Field::LocationName))
            && title.different().len() <= id.different().len()
        {
            map.columns.remove(&Field::Title);
            map.columns.insert(Field::LocationName, title.path.clone());
        }
        map
    }

    /// Where no column names businesses, the first one that is empty so far: later rows may have values in it.
    pub(super) fn empty_place(&self, map: &ColumnMap) -> Option<(Field, String)> {
        let mut keys = PLACE_IDS.iter().chain(PLACE_NAMES.iter());
        let empty = |key| self.free(map, std::slice::from_ref(key)).find(|it| it.is_empty());
        let column = keys.find_map(empty);
        let is_named = map.columns.contains_key(&Field::Location);
        column.filter(|_| !is_named).map(|column| (Field::Location, column.path.clone()))
    }
}

impl<'a> Column<'a> {
    fn different(&self) -> BTreeSet<&'a str> {
        self.values.iter().filter_map(|value| value.as_str()).collect()
    }

    /// What its values name as platforms.
    pub(super) fn platforms(&self) -> impl Iterator<Item = Platform> {
        self.values.iter().map(|value| value.as_str().map_or(Platform::Unnamed, Platform::read))
    }

    /// Whether its values are names of several platforms.
    pub(super) fn names_platforms(&self) -> bool {
        let known = self.platforms().map(|platform| match platform {
            Platform::Known(name) | Platform::Invented(name) => Some(name),
            _ => None,
        });
        let known: Option<BTreeSet<String>> = known.collect();
        known.is_some_and(|known| known.len() > 1)
    }

    /// Whether it has few values, which could be names of businesses: its own name says so, or most of them have
    /// several words and begin with a capital letter.
    pub(super) fn names_few(&self) -> bool {
        let different = self.different();
        let (count, all) = (different.len(), self.values.len());
        // Lists may be those of languages.
        let is_code = different.iter().all(|name| name.len() <= 3);
        // Firebase begins the keys that it makes with -.
        let is_key = |name: &&str| name.starts_with('-') || is_of_reviews(name);
        let is_code = is_code || self.path == LIST_KEY && different.iter().all(is_key);
        // Every list of a document may have one review.
        let is_few =
            count < all || all < FEW && !self.has("vague business") || self.path == LIST_KEY;
        let is_named = self.has("business") && is_few && !is_code;
        let nouns = || table::words(PLACES, "noun").chain(table::words(PLACES, "name"));
        let is_of_place = || {
            !self.has("not business")
                && !self.has("reply")
                && count < all
                && table::has_word(&self.path, nouns())
        };
        let is_address = || PLACE_ADDRESSES.contains(&self.key) && count * 2 <= all;
        let is_like_names = || {
            !self.has("not business")
                && count * 2 <= all
                && different.iter().filter(|name| has_capitals(name)).count() * 2 > count
        };
        (2..=MOST_BUSINESSES).contains(&count)
            && (is_named || is_of_place() || is_address() || is_like_names())
            && self.all_are(|value| is_name(value, 2 * LONGEST_NAME))
            && !self.all_are(is_yes_or_no)
    }
}

/// Whether a name has several words and begins, as one of them does, with a capital letter.
fn has_capitals(name: &str) -> bool {
    let mut words = name.split_whitespace();
    words.next().is_some_and(|first| first.starts_with(char::is_uppercase))
        && words.any(|word| word.starts_with(char::is_uppercase))
}

/// The name of the business of each of several files or sheets, if their names differ as those of businesses do: in words
/// that say neither what reviews are there, nor from when, nor from which platform.
pub(in super::super) fn names_of_files<'f>(files: &[&'f str]) -> Option<Vec<&'f str>> {
    let paths: Vec<Vec<&str>> =
        files.iter().map(|name| name.split(['/', '\\']).collect()).collect();
    let shortest = paths.iter().map(|path| path.len() - 1).min()?;
    let common = (0..shortest).find(|&at| paths.iter().any(|path| path[at] != paths[0][at]));
    let named = |path: &Vec<&'f str>| {
        let parts = &path[common.unwrap_or(shortest)..];
        let own = parts.iter().find(|part| !own_words(part).is_empty()).or(parts.last());
        own.map_or("", |part| stem(part))
    };
    let names: Vec<&str> = paths.iter().map(named).collect();
    let words: BTreeSet<Vec<String>> = names.iter().map(|name| own_words(name)).collect();
    let is_other = |words: &Vec<String>| {
        table::has_word(&words.join(" "), table::words(table::COLUMN_WORDS, "other business"))
    };
    let are_several = words.iter().filter(|words| !words.is_empty()).count() > 1;
    (are_several || words.len() > 1 && words.iter().any(is_other)).then_some(names)
}

/// The words of the name of a file that may be those of a business.
fn own_words(name: &str) -> Vec<String> {
    let name = name_of_file(name);
    let is_platform = |name: &str| !matches!(Platform::read(name), Platform::Other(_));
    let is_own = |word: &&str| {
        let is_short = word.chars().count() < 3 || word.contains(char::is_numeric);
        let is_known = NO_BUSINESS.contains(word) || is_platform(word);
        !is_short && !is_known && Status::read("", word).is_none()
    };
    let words = name.split(' ').filter(|word| !is_platform(&name) && is_own(word));
    words.map(str::to_owned).collect()
}

/// Whether a name is that of a list of reviews: "page2", "reviews".
fn is_of_reviews(name: &str) -> bool {
    let name = fold(name);
    let name = name.trim_end_matches(|c: char| c.is_ascii_digit() || "_- ".contains(c));
    table::words(table::COLUMN_WORDS, "more reviews").any(|word| word == name)
}

/// The business an object is, which holds reviews.
pub(in super::super) fn place(cells: &Cells) -> Option<Location> {
    let values = by_key(cells)?;
    let named = |key: &str| values.get(key).copied().and_then(value_text);
    let name = first(&values, &PLACE_NAMES).or_else(|| named("name")).or_else(|| named("title"));
    let name = name.filter(|name| !is_of_reviews(name));
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
