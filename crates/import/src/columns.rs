//! The columns of a generic export: which of them means what, and what a guess leaves unused.

mod business;
mod guess;
mod scales;
mod values;
mod wording;

use std::collections::{BTreeMap, HashMap, HashSet};

use serde_json::Value;

pub(super) use business::{common_words, is_of_ids, named_place, names_of_files, pages, place};
pub(super) use values::is_owners;
pub(super) use wording::{
    confirmation, doubtful_location, is_complete, quoted, with_stars, without,
};

use super::{
    error::Refusal, explain::ExplainedColumn, platform::Platform, raw::by_language, rows::Cells,
    table,
};
use content::{ColumnMap, Field, is_personal};
use contract::text::{fold, printable};
use guess::NAMES;
use wording::{REQUIRED, pairs};

/// Columns that a message lists.
const LISTED: usize = 12;
/// Characters of a column's name that a message shows.
const LONGEST_NAME: usize = 60;
/// Objects within objects within a row: deeper there are no columns.
const MAX_DEPTH: usize = 4;
/// Words and characters of a long text where no column is taken as the reviews' text.
const LONG_WITHOUT_TEXT: (usize, usize) = (4, 20);
/// Words and characters of a long text beside the reviews' text. Titles and products are shorter.
const LONG_BESIDE_TEXT: (usize, usize) = (10, 60);
/// A column holds long texts if one value in this many is one.
const LONG_ONE_IN: usize = 10;

/// Parts of the keys of columns with long values that are not texts of reviews.
const NO_TEXTS: [&str; 9] =
    ["address", "adresse", "direccion", "indirizzo", "adres", "endereco", "query", "url", "link"];

/// The columns of a table, or the dotted paths of JSON objects, with the values of the first rows.
pub(super) struct Columns<'a> {
    all: Vec<Column<'a>>,
    by_key: HashMap<String, Vec<usize>>,
    /// Names that the first line has more than once.
    doubled: HashSet<String>,
}

struct Column<'a> {
    path: String,
    key: String,
    /// The end of its path as the tables write names, which every field asks for.
    name: String,
    values: Vec<&'a Value>,
}

/// Objects in which services put the columns of a row: Airtable, Strapi, GraphQL.
const ENVELOPES: [&str; 5] = ["fields.", "attributes.", "data.", "properties.", "node."];

/// A name as names are compared: without case, accents, spaces, `_`, `-`, what ends a question, and an envelope.
fn key(name: &str) -> String {
    let inner = ENVELOPES.iter().find_map(|envelope| name.strip_prefix(envelope));
    fold(inner.unwrap_or(name))
        .chars()
        .filter(|c| !c.is_whitespace() && !"_-?:*".contains(*c))
        .collect()
}

impl<'a> Columns<'a> {
    /// The columns a table's first line names, in their order, and then those of the rows.
    pub(super) fn of(header: &[String], rows: &'a [Cells]) -> Self {
        let mut values = BTreeMap::new();
        rows.iter().for_each(|row| collect(row, "", 1, &mut values));
        let mut columns: Vec<(String, Vec<&Value>)> = Vec::new();
        let mut known = HashSet::new();
        let (first, again): (Vec<_>, Vec<_>) =
            header.iter().filter(|name| !name.is_empty()).partition(|name| known.insert(*name));
        for name in first {
            columns.push((name.clone(), values.remove(name).unwrap_or_default()));
        }
        // An object that is null in a row is left out beside the columns of its parts.
        let parents = values.keys().filter_map(|path| Some(path.rsplit_once('.')?.0.to_owned()));
        let parents: HashSet<String> = parents.collect();
        values.retain(|path, values| !values.is_empty() || !parents.contains(path));
        columns.extend(values);
        let column = |(path, values): (String, _)| {
            let segments: Vec<&str> = path.rsplitn(3, '.').take(2).collect();
            let name = table::spaced(&segments.join(" "));
            Column { key: key(&path), name, path, values }
        };
        let all: Vec<Column<'_>> = columns.into_iter().map(column).collect();
        let mut by_key: HashMap<String, Vec<usize>> = HashMap::new();
        for (at, column) in all.iter().enumerate() {
            by_key.entry(column.key.clone()).or_default().push(at);
        }
        Self { all, by_key, doubled: again.into_iter().cloned().collect() }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.all.is_empty()
    }

    /// Lists the names of the columns for a message.
    pub(super) fn listed(&self) -> String {
        listed(self.all.iter())
    }

    /// The map with its columns as this file spells them. A column that is not there stays as it is.
    pub(super) fn spelled(&self, map: &ColumnMap) -> ColumnMap {
        let mut map = map.clone();
        for column in map.columns.values_mut() {
            if let Some(found) = self.named(column) {
                column.clone_from(&found.path);
            } else if column.contains('+') {
                let parts = column
                    .split('+')
                    .map(|part| self.named(part.trim()).map_or(part, |found| found.path.as_str()));
                *column = parts.collect::<Vec<_>>().join("+");
            }
        }
        self.with_identity(map)
    }

    /// Whether every column of the map is there.
    pub(super) fn have_all(&self, map: &ColumnMap) -> bool {
        map.used().all(|(_, column)| {
            self.has(column)
                || column.contains('+') && column.split('+').all(|c| self.has(c.trim()))
        })
    }

    /// Whether there is a column of this name, however it is spelled.
    pub(super) fn has(&self, name: &str) -> bool {
        self.named(name).is_some()
    }

    fn named(&self, name: &str) -> Option<&Column<'a>> {
        let key = key(name);
        let alike = || self.by_key.get(&key).into_iter().flatten().map(|&at| &self.all[at]);
        alike().find(|column| column.path == name).or_else(|| alike().next())
    }

    /// The columns a map leaves unused. Those with e-mail addresses and telephone numbers are never
    /// imported.
    fn unused<'s>(&'s self, map: &'s ColumnMap) -> impl Iterator<Item = &'s Column<'a>> {
        self.all.iter().filter(|column| column.is_free(map))
    }

    /// Describes a guess for the report: its pairs, and the columns it leaves unused.
    pub(super) fn report(&self, map: &ColumnMap) -> String {
        let unused = match self.unused(map).next() {
            Some(_) => format!("; not used: {}", listed(self.unused(map))),
            None => String::new(),
        };
        format!("by the names of its columns: {}{unused}", printable(&pairs(map)))
    }

    /// Lists each column with the field that a map reads it as. The map may be the user's.
    pub(super) fn explain(&self, map: &ColumnMap, is_given: bool) -> Vec<ExplainedColumn> {
        let mut why = BTreeMap::new();
        let guess = self.guess_because(&mut why);
        let explain = |column: &Column<'a>| {
            let field = map.parts().find(|(_, part)| *part == column.path).map(|(field, _)| field);
            let (word, why) = match field {
                None if is_personal(&column.path) => {
                    return ExplainedColumn::new(&column.path, None, "personal: never read", []);
                }
                None => (None, "not read"),
                Some(field) if is_given || guess.columns.get(&field) != map.columns.get(&field) => {
                    (Some(field.word()), "as the map says")
                }
                Some(field) => (Some(field.word()), why.get(&field).copied().unwrap_or_default()),
            };
            ExplainedColumn::new(&column.path, word, why, column.values.iter().copied())
        };
        self.all.iter().map(explain).collect()
    }

    /// Lists each column for a format that has columns of its own, of which it reads these.
    pub(super) fn explain_format(&self, read: &[String]) -> Vec<ExplainedColumn> {
        let explain = |column: &Column<'a>| {
            // A format may read a whole object.
            let is_within = |path: &String| {
                column.path.strip_prefix(path.as_str()).is_some_and(|rest| rest.starts_with('.'))
            };
            let is_read = read.contains(&column.path) || read.iter().any(is_within);
            let (field, why) =
                if is_read { (Some("read"), "by the format") } else { (None, "not read") };
            let is_shown = is_read || !is_personal(&column.path);
            let values = column.values.iter().copied().filter(|_| is_shown);
            ExplainedColumn::new(&column.path, field, why, values)
        };
        self.all.iter().map(explain).collect()
    }

    /// The map for a format with keys of its own, with these of addresses: the column in which a row names another platform.
    pub(super) fn other_source(&self, own: Option<&str>, urls: Option<&[&str]>) -> ColumnMap {
        let none = ColumnMap::default();
        let Some(urls) = urls else { return none };
        let names = NAMES.iter().find(|(field, _)| *field == Field::Source);
        let named = names.into_iter().flat_map(|(_, names)| self.free(&none, names));
        // The business's own addresses are in such columns too.
        let is_sure = |column: &&Column<'_>| {
            let is_doubtful =
                table::words(table::COLUMNS, "doubtful").any(|it| key(it) == column.key);
            (!is_doubtful || column.key.starts_with("publisher"))
                && !column.values.iter().any(|it| it.as_str().is_some_and(|it| it.contains("://")))
        };
        let is_known = |platform: &Platform, is_own: bool| matches!(platform, Platform::Known(platform) if is_own == (own == Some(&**platform)));
        let of_urls = urls.iter().filter_map(|url| self.named(url));
        let is_own = |column: &Column<'_>| column.platforms().all(|it| is_known(&it, true));
        if of_urls.clone().any(|column| !column.values.is_empty() && is_own(column)) {
            return ColumnMap::default();
        }
        let is_none = |column: &Column<'_>, it: &Platform| {
            matches!(it, Platform::Invented(name) if name != "unknown")
                && !column.key.starts_with("publisher")
        };
        let is_other = |column: &Column<'_>| {
            column.platforms().any(|it| is_known(&it, false) || is_none(column, &it))
        };
        let named = named.filter(is_sure).find(|column| is_other(column));
        let of_url = |column: &&Column<'_>| column.platforms().any(|it| is_known(&it, false));
        let other = named.or_else(|| of_urls.clone().find(of_url));
        let columns = other.map(|column| (Field::Source, column.path.clone())).into_iter();
        ColumnMap { columns: columns.collect(), ..ColumnMap::default() }
    }

    /// Refuses a second column of platforms that contradicts the first.
    pub(super) fn other_platforms(&self, map: &ColumnMap) -> Option<Refusal> {
        let known = |column: &Column<'_>| {
            let mut counts = BTreeMap::<String, usize>::new();
            for platform in column.platforms() {
                if let Platform::Known(platform) = platform {
                    *counts.entry(platform).or_default() += 1;
                }
            }
            counts
        };
        let (_, names) = NAMES.iter().find(|(field, _)| *field == Field::Source)?;
        let first = self.named(map.columns.get(&Field::Source)?)?;
        let of_first = known(first);
        let differs = |column: &&Column<'_>| {
            let other = known(column);
            !other.is_empty() && other != of_first
        };
        let other = self.free(map, names).find(differs)?;
        let (first, other) = (&first.path, &other.path);
        let reason = format!(
            "the columns {} and {} name other platforms",
            printable(first),
            printable(other)
        );
        let is_first = confirmation(map);
        let mut map = map.clone();
        map.columns.insert(Field::Source, other.clone());
        let help = format!(
            "say which of them the reviews are from: {is_first}, or {}",
            confirmation(&map)
        );
        Some(Refusal::new(reason, help).answered_by(is_first))
    }

    /// The map with a gap for each field that it lacks and should have, and with the texts that it would leave out.
    pub(super) fn with_gaps(&self, map: &ColumnMap) -> ColumnMap {
        let with_texts = self.with_lost_texts(map).map(|(_, map)| map);
        let with_texts = with_texts.filter(|_| !map.columns.contains_key(&Field::Text));
        let mut map = with_texts.unwrap_or_else(|| map.clone());
        for field in REQUIRED.into_iter().chain([Field::Text]) {
            map.columns.entry(field).or_insert_with(|| "COLUMN".to_owned());
        }
        map
    }

    /// Refuses a guess that leaves columns of long texts unused; the remedy is the map that confirms or completes it.
    pub(super) fn loss(&self, map: &ColumnMap) -> Option<Refusal> {
        let has_text = map.columns.contains_key(&Field::Text);
        let (lost, with_texts) = self.with_lost_texts(map)?;
        let columns = if lost.len() == 1 { "column" } else { "columns" };
        let reason = format!(
            "by the names of its columns it would be read as {}, without the texts of the {columns} {}",
            printable(&pairs(map)),
            listed(lost.iter().copied())
        );
        let as_it_is = confirmation(map);
        let with_texts = confirmation(&with_texts);
        let help = if has_text {
            format!("confirm that with {as_it_is}, or read all of them with {with_texts}")
        } else {
            format!(
                "confirm that these are the reviews' texts with {with_texts}, or that they are not with {as_it_is}"
            )
        };
        Some(Refusal::new(reason, help).answered_by(with_texts))
    }

    /// The columns of long texts that a map leaves unused, and the map with them.
    fn with_lost_texts(&self, map: &ColumnMap) -> Option<(Vec<&Column<'a>>, ColumnMap)> {
        let has_text = map.columns.contains_key(&Field::Text);
        let long = if has_text { LONG_BESIDE_TEXT } else { LONG_WITHOUT_TEXT };
        let is_lost = |column: &&Column<'_>| column.holds_texts(long) && !column.has("internal");
        let lost: Vec<&Column<'_>> =
            self.all.iter().filter(|it| it.is_free(map)).filter(is_lost).collect();
        let longest = lost.iter().max_by_key(|column| column.characters())?;
        let mut with_texts = map.clone();
        if let Some(text) = with_texts.columns.get_mut(&Field::Text) {
            lost.iter().for_each(|column| *text += &format!("+{}", column.path));
        } else {
            // "Positive Bewertung" and "Negative Bewertung" are two halves of one text.
            let is_half = |column: &&&Column<'_>| {
                let other = table::spaced(&longest.path);
                let mut words = other.split(' ').filter(|word| word.chars().count() > 2);
                column.path == longest.path
                    || words.any(|word| table::spaced(&column.path).contains(word))
            };
            let halves: Vec<&str> = lost.iter().filter(is_half).map(|it| &*it.path).collect();
            with_texts.columns.insert(Field::Text, halves.join("+"));
        }
        Some((lost, with_texts))
    }
}

impl Column<'_> {
    fn is_free(&self, map: &ColumnMap) -> bool {
        !is_personal(&self.path)
            && !map.used().any(|(_, used)| used == self.path)
            && !map.parts().any(|(_, part)| part == self.path)
    }

    /// Whether it holds long texts, most of them different: what is about the business is the same in
    /// every row.
    fn holds_texts(&self, (words, characters): (usize, usize)) -> bool {
        if NO_TEXTS.iter().any(|name| self.key.contains(name)) {
            return false;
        }
        let is_long = |text: &&str| {
            text.split_whitespace().count() >= words && text.chars().count() >= characters
        };
        let mut texts: Vec<&str> =
            self.values.iter().filter_map(|value| value.as_str()).filter(is_long).collect();
        let count = texts.len();
        texts.sort_unstable();
        texts.dedup();
        count > 0 && count * LONG_ONE_IN >= self.values.len() && texts.len() * 2 > count
    }

    fn characters(&self) -> usize {
        self.values.iter().filter_map(|value| value.as_str()).map(str::len).sum()
    }
}

/// The values of a row by path. Blank ones are left out, their columns are not.
fn collect<'a>(
    cells: &'a Cells,
    path: &str,
    depth: usize,
    columns: &mut BTreeMap<String, Vec<&'a Value>>,
) {
    for (name, value) in cells {
        let path = if path.is_empty() { name.clone() } else { format!("{path}.{name}") };
        match value {
            Value::Object(inner) if depth < MAX_DEPTH && by_language(value).is_none() => {
                collect(inner, &path, depth + 1, columns);
            }
            value => {
                let is_blank =
                    value.is_null() || value.as_str().is_some_and(|t| t.trim().is_empty());
                columns.entry(path).or_default().extend((!is_blank).then_some(value));
            }
        }
    }
}

fn listed<'a, 'v: 'a>(columns: impl Iterator<Item = &'a Column<'v>>) -> String {
    let names: Vec<_> = columns.map(|column| shown(&column.path)).collect();
    let more = match names.len().saturating_sub(LISTED) {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    format!("{}{more}", names[..names.len().min(LISTED)].join(", "))
}

/// A name without what a missing quote may have swallowed.
fn shown(name: &str) -> String {
    match name.char_indices().nth(LONGEST_NAME) {
        Some((end, _)) => format!("{}…", printable(&name[..end])),
        None => printable(name).to_string(),
    }
}
