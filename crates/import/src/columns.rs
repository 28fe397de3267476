//! The columns of a generic export: which of them means what, and what a guess leaves unused.

use std::{
    collections::{BTreeMap, HashMap, HashSet},
    sync::LazyLock,
};

use serde_json::Value;

use super::{
    normalise::{Exactness, exactness},
    platform,
    rating::{self, RatingFault},
    raw::{Location, as_text, as_word},
    rows::Cells,
    status, table,
};
use content::{ColumnMap, Field, NO_COLUMN, is_personal};
use contract::text::{fold, printable};

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
/// Keys of an object that may describe the business of the rows in it. One with more does not.
const MAX_PLACE: usize = 200;

/// Parts of the keys of columns with long values that are not texts of reviews.
const NO_TEXTS: [&str; 9] =
    ["address", "adresse", "direccion", "indirizzo", "adres", "endereco", "query", "url", "link"];

/// The keys that each field's columns have, the likelier first.
static NAMES: LazyLock<Vec<(Field, Vec<String>)>> = LazyLock::new(|| {
    let mut names: Vec<(Field, Vec<String>)> = Vec::new();
    for (word, columns) in table::lines(include_str!("../data/columns.txt")) {
        let Some(field) = Field::named(word) else { continue };
        let keys = columns.map(key);
        match names.last_mut() {
            Some((last, known)) if *last == field => known.extend(keys),
            _ => names.push((field, keys.collect())),
        }
    }
    names
});

const PLACES: &str = include_str!("../data/places.txt");
static PLACE_IDS: LazyLock<Vec<String>> = LazyLock::new(|| place_keys("id", &["id", ".id"]));
static PLACE_NAMES: LazyLock<Vec<String>> =
    LazyLock::new(|| place_keys("name", &["name", ".name", ".title", ""]));

/// The keys of the table, and those that each noun makes with these endings.
fn place_keys(kind: &'static str, endings: &[&str]) -> Vec<String> {
    let of_nouns = endings
        .iter()
        .flat_map(|ending| table::words(PLACES, "noun").map(move |noun| key(noun) + ending));
    of_nouns.chain(table::words(PLACES, kind).map(key)).collect()
}

/// Exports that are known by their columns: the platform, their columns, and what they override.
const EXPORTS: &str = include_str!("../data/exports.txt");

/// The columns of a table, or the dotted paths of JSON objects, with the values of the first rows.
pub(super) struct Columns<'a> {
    all: Vec<Column<'a>>,
    by_key: HashMap<String, Vec<usize>>,
}

struct Column<'a> {
    path: String,
    key: String,
    values: Vec<&'a Value>,
}

/// A name as names are compared: without case, accents, spaces, `_` and `-`.
fn key(name: &str) -> String {
    fold(name).chars().filter(|c| !c.is_whitespace() && *c != '_' && *c != '-').collect()
}

impl<'a> Columns<'a> {
    /// The columns a table's first line names, in their order, and then those of the rows.
    pub(super) fn of(header: &[String], rows: &'a [Cells]) -> Self {
        let mut values = BTreeMap::new();
        rows.iter().for_each(|row| collect(row, "", 1, &mut values));
        let mut columns: Vec<(String, Vec<&Value>)> = Vec::new();
        let mut known = HashSet::new();
        for name in header.iter().filter(|name| !name.is_empty() && known.insert(*name)) {
            columns.push((name.clone(), values.remove(name).unwrap_or_default()));
        }
        columns.extend(values);
        let column = |(path, values): (String, _)| Column { key: key(&path), path, values };
        let all: Vec<Column<'_>> = columns.into_iter().map(column).collect();
        let mut by_key: HashMap<String, Vec<usize>> = HashMap::new();
        for (at, column) in all.iter().enumerate() {
            by_key.entry(column.key.clone()).or_default().push(at);
        }
        Self { all, by_key }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.all.is_empty()
    }

    /// Their names, as a message lists them.
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
        let is_there = |column: &str| self.named(column).is_some();
        map.used().all(|(_, column)| {
            is_there(column)
                || column.contains('+') && column.split('+').all(|c| is_there(c.trim()))
        })
    }

    fn named(&self, name: &str) -> Option<&Column<'a>> {
        let key = key(name);
        let alike = || self.by_key.get(&key).into_iter().flatten().map(|&at| &self.all[at]);
        alike().find(|column| column.path == name).or_else(|| alike().next())
    }

    /// A map by common names. It may lack fields without which there is no review.
    pub(super) fn guess(&self) -> ColumnMap {
        let mut map = self.known_export();
        for (field, names) in &*NAMES {
            self.add(&mut map, *field, names);
        }
        self.add_both_texts(&mut map);
        self.with_identity(map)
    }

    /// What is known of an export that has all columns of a line of the table.
    fn known_export(&self) -> ColumnMap {
        for (platform, words) in table::lines(EXPORTS) {
            let (columns, overrides): (Vec<&str>, Vec<&str>) =
                words.partition(|word| !word.contains('='));
            if !columns.iter().all(|column| self.named(column).is_some()) {
                continue;
            }
            let mut map = ColumnMap { source: Some(platform.to_owned()), ..ColumnMap::default() };
            for (word, column) in overrides.iter().filter_map(|pair| pair.split_once('=')) {
                match Field::named(word) {
                    Some(field) => drop(map.columns.insert(field, column.to_owned())),
                    None => map.html_entities |= word == "html_entities",
                }
            }
            return map;
        }
        ColumnMap::default()
    }

    /// Praise and complaints in two columns are both the text.
    fn add_both_texts(&self, map: &mut ColumnMap) {
        let both = || Some((self.named_any("pros")?, self.named_any("cons")?));
        if !map.columns.contains_key(&Field::Text)
            && let Some((pros, cons)) = both()
        {
            map.columns.insert(Field::Text, format!("{}+{}", pros.path, cons.path));
        }
    }

    /// The first column with a name of this line of the table.
    fn named_any(&self, line: &'static str) -> Option<&Column<'a>> {
        table::words(include_str!("../data/columns.txt"), line).find_map(|name| self.named(name))
    }

    /// Businesses and platforms are read whether the map names them or not: reviews of several businesses are never
    /// imported as those of one, nor reviews of one platform as those of another.
    fn with_identity(&self, mut map: ColumnMap) -> ColumnMap {
        if let Some((_, names)) = NAMES.iter().find(|(field, _)| *field == Field::Source) {
            self.add(&mut map, Field::Source, names);
        }
        if !map.columns.contains_key(&Field::Location) {
            self.add(&mut map, Field::Location, &PLACE_IDS);
            if map.columns.contains_key(&Field::Location) {
                self.add(&mut map, Field::LocationName, &PLACE_NAMES);
                self.add(&mut map, Field::LocationName, &["name".to_owned(), "title".to_owned()]);
            } else {
                self.add(&mut map, Field::Location, &PLACE_NAMES);
            }
        }
        map
    }

    fn add(&self, map: &mut ColumnMap, field: Field, keys: &[String]) {
        if map.columns.contains_key(&field) {
            return;
        }
        let free = |key: &String| {
            self.by_key.get(key)?.iter().map(|&at| &self.all[at]).find(|column| column.is_free(map))
        };
        let mut named: Vec<&Column<'_>> = keys.iter().filter_map(free).collect();
        if field == Field::Date {
            // The one with instants, wherever it is in the table; the order decides between equals.
            named.sort_by_key(|column| std::cmp::Reverse(column.exactness()));
        }
        let first = named.first().filter(|_| REQUIRED.contains(&field));
        if let Some(column) = named.iter().find(|column| column.suits(field)).or(first) {
            map.columns.insert(field, column.path.clone());
        }
    }

    /// The columns a map leaves unused. Those with e-mail addresses and telephone numbers are never
    /// imported.
    fn unused<'s>(&'s self, map: &'s ColumnMap) -> impl Iterator<Item = &'s Column<'a>> {
        self.all.iter().filter(|column| column.is_free(map))
    }

    /// How a guess is reported: its pairs, and the columns it leaves unused.
    pub(super) fn report(&self, map: &ColumnMap) -> String {
        let unused = match self.unused(map).next() {
            Some(_) => format!("; not used: {}", listed(self.unused(map))),
            None => String::new(),
        };
        format!("by the names of its columns: {}{unused}", printable(&pairs(map)))
    }

    /// What is lost by a guess that leaves columns of long texts unused, and how to confirm it.
    pub(super) fn loss(&self, map: &ColumnMap) -> Option<(String, String)> {
        let has_text = map.columns.contains_key(&Field::Text);
        let long = if has_text { LONG_BESIDE_TEXT } else { LONG_WITHOUT_TEXT };
        let lost: Vec<&Column<'_>> =
            self.unused(map).filter(|column| column.holds_texts(long)).collect();
        let longest = lost.iter().max_by_key(|column| column.characters())?;
        let columns = if lost.len() == 1 { "column" } else { "columns" };
        let reason = format!(
            "by the names of its columns it would be read as {}, without the texts of the {columns} {}",
            printable(&pairs(map)),
            listed(lost.iter().copied())
        );
        let as_it_is = confirmation(map);
        let help = if has_text {
            let mut with_all = map.clone();
            for text in with_all.columns.get_mut(&Field::Text).into_iter() {
                lost.iter().for_each(|column| *text += &format!("+{}", column.path));
            }
            format!(
                "confirm that with {as_it_is}, or read all of them with {}",
                confirmation(&with_all)
            )
        } else {
            let mut with_text = map.clone();
            with_text.columns.insert(Field::Text, longest.path.clone());
            format!(
                "confirm that these are the reviews' texts with {}, or that they are not with {as_it_is}",
                confirmation(&with_text)
            )
        };
        Some((reason, help))
    }
}

impl Column<'_> {
    fn is_free(&self, map: &ColumnMap) -> bool {
        !is_personal(&self.path)
            && !map.used().any(|(_, used)| used == self.path)
            && !map.parts().any(|(_, part)| part == self.path)
    }

    /// Whether the values can be the field's. "Bewertung" and "note" are ratings in one file and texts
    /// in another.
    fn suits(&self, field: Field) -> bool {
        let is_rating =
            |value: &&Value| !matches!(rating::read(value, None), Err(RatingFault::NotARating(_)));
        let is_number = |value: &&Value| as_text(value).is_some_and(|t| t.parse::<f64>().is_ok());
        let values = || self.values.iter().copied();
        let texts: Vec<String> = match field {
            Field::Source | Field::Status => values().filter_map(as_word).collect(),
            _ => Vec::new(),
        };
        let texts = || texts.iter().map(String::as_str);
        self.values.is_empty()
            || match field {
                Field::Rating => values().any(|value| is_rating(&value)),
                Field::Text | Field::Reply => !values().all(|value| is_rating(&value)),
                Field::Author => !values().all(|value| is_number(&value)),
                Field::Date => self.exactness() > Exactness::None,
                Field::Source => platform::is_named_by(&self.key, texts()),
                Field::Status => status::is_told_by(&self.path, texts()),
                Field::AnswerTo => values().all(|value| is_number(&value)),
                _ => true,
            }
    }

    /// How exact the dates in it are, by the least exact one of a few.
    fn exactness(&self) -> Exactness {
        let all = self.values.iter().take(20).map(|value| exactness(value));
        all.filter(|exactness| *exactness > Exactness::None).min().unwrap_or(Exactness::None)
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
            Value::Object(inner) if depth < MAX_DEPTH => collect(inner, &path, depth + 1, columns),
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

/// The fields without which there is no review.
const REQUIRED: [Field; 3] = [Field::Author, Field::Rating, Field::Date];

/// Whether a map has the fields without which there is no review.
pub(super) fn is_complete(map: &ColumnMap) -> bool {
    REQUIRED.iter().all(|field| map.columns.contains_key(field))
}

/// The map with a gap for each field that it lacks and should have.
pub(super) fn with_gaps(map: &ColumnMap) -> ColumnMap {
    let mut map = map.clone();
    for field in REQUIRED.into_iter().chain([Field::Text]) {
        map.columns.entry(field).or_insert_with(|| "…".to_owned());
    }
    map
}

fn pairs(map: &ColumnMap) -> String {
    let pair = |(field, column): (&Field, &String)| format!("{}={column}", field.word());
    map.columns.iter().map(pair).collect::<Vec<_>>().join(",")
}

/// How to give a map by hand: as an option that can be pasted into a shell, or in `import.toml` where
/// a name cannot be written in an option.
pub(super) fn confirmation(map: &ColumnMap) -> String {
    let pairs = pairs(map);
    let is_plain = |c: char| c.is_alphanumeric() || "=,._-/+…".contains(c);
    let in_names = |c: char| map.columns.values().any(|column| column.contains(c));
    if in_names(',') || pairs.contains(char::is_control) {
        let pair = |(field, column): (&Field, &String)| format!("{} = {column:?}", field.word());
        let pairs: Vec<String> = map.columns.iter().map(pair).collect();
        return format!(
            "a [[map]] of content/import.toml with columns = {{ {} }}",
            pairs.join(", ")
        );
    }
    if pairs.chars().all(is_plain) {
        format!("--map {pairs}")
    } else if pairs.contains(|c| "\"$`\\!".contains(c)) {
        format!("--map '{}'", pairs.replace('\'', r"'\''"))
    } else {
        format!("--map \"{pairs}\"")
    }
}

/// The column a guess takes for the name of the business, and the confirmation that it is not;
/// `None` where the map was given, or the column is one of ids.
pub(super) fn doubtful_location(map: &ColumnMap) -> Option<(String, String)> {
    let column = map.columns.get(&Field::Location).filter(|column| *column != NO_COLUMN)?;
    if PLACE_IDS.contains(&key(column)) {
        return None;
    }
    Some((column.clone(), without(map, Field::Location)))
}

/// The confirmation of a map in which no column has this field.
pub(super) fn without(map: &ColumnMap, field: Field) -> String {
    let mut without = map.clone();
    without.columns.insert(field, NO_COLUMN.to_owned());
    if field == Field::Location {
        without.columns.remove(&Field::LocationName);
    }
    confirmation(&without)
}

/// The business an object is, which holds reviews.
pub(super) fn place(cells: &Cells) -> Option<Location> {
    let values = by_key(cells)?;
    let named = |key: &str| values.get(key).copied().and_then(value_text);
    let name = first(&values, &PLACE_NAMES).or_else(|| named("name")).or_else(|| named("title"));
    let id = first(&values, &PLACE_IDS).or_else(|| named("id")).or_else(|| name.clone())?;
    Some(Location { id, name })
}

/// The business whose id an object has.
pub(super) fn identified_place(cells: &Cells) -> Option<Location> {
    let values = by_key(cells)?;
    let id = first(&values, &PLACE_IDS)?;
    Some(Location { id, name: first(&values, &PLACE_NAMES) })
}

/// The values of an object that may describe a business, by their keys.
fn by_key(cells: &Cells) -> Option<HashMap<String, &Value>> {
    let mut values = HashMap::new();
    for (column, value) in (cells.len() <= MAX_PLACE).then_some(cells)? {
        values.entry(key(column)).or_insert(value);
    }
    Some(values)
}

fn first(values: &HashMap<String, &Value>, keys: &[String]) -> Option<String> {
    keys.iter().find_map(|key| value_text(values.get(key)?))
}

fn value_text(value: &Value) -> Option<String> {
    Some(as_text(value)?.trim().to_owned()).filter(|text| !text.is_empty())
}
