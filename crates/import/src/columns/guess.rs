//! Determines the field of each column, by its name and its values.

use std::{collections::BTreeMap, sync::LazyLock};

use super::{
    Column, Columns,
    business::{PLACE_ADDRESSES, PLACE_IDS, PLACE_NAMES, PLACE_SITES},
    key,
    values::{self, is_date, is_rating},
    wording::{REQUIRED, confirmation, is_complete},
};
use crate::{
    error::Refusal,
    platform::Platform,
    status::asks_to_publish,
    table::{self, COLUMNS as NAMED},
};
use content::{ColumnMap, Field, NO_COLUMN};
use contract::text::printable;

/// The keys that each field's columns have, the likelier first.
pub(super) static NAMES: LazyLock<Vec<(Field, Vec<String>)>> = LazyLock::new(|| {
    let mut names: Vec<(Field, Vec<String>)> = Vec::new();
    for (word, columns) in table::lines(NAMED) {
        let Some(field) = Field::named(word) else { continue };
        let keys = columns.map(key);
        match names.last_mut() {
            Some((last, known)) if *last == field => known.extend(keys),
            _ => names.push((field, keys.collect())),
        }
    }
    names
});

/// Exports that are known by their columns: the platform, their columns, and what they override.
const EXPORTS: &str = include_str!("../../data/exports.txt");

/// The word in place of a platform for exports whose rows name it.
const BY_ROW: &str = "row";

impl<'a> Columns<'a> {
    /// A map by common names. It may lack fields without which there is no review.
    pub(in super::super) fn guess(&self) -> ColumnMap {
        self.guess_because(&mut BTreeMap::new())
    }

    /// Guesses the map, and adds to `why` the reason for each field's column.
    pub(super) fn guess_because(&self, why: &mut BTreeMap<Field, &'static str>) -> ColumnMap {
        let mut because = |map: &ColumnMap, reason| {
            for field in map.columns.keys() {
                why.entry(*field).or_insert(reason);
            }
        };
        let mut map = self.known_export();
        because(&map, "the export is known by its columns");
        for (field, names) in &*NAMES {
            self.add(&mut map, *field, names);
        }
        self.add_both_names(&mut map);
        self.add_both_texts(&mut map);
        self.add_wishes(&mut map, Field::Anonymous);
        self.add_wishes(&mut map, Field::Status);
        let mut map = self.with_title(self.with_identity(map));
        because(&map, "by its name");
        self.add_by_words(&mut map);
        because(&map, "by a word in its name, and its values");
        // A column that has the name and other values: its rows say what is wrong with them.
        for (field, names) in NAMES.iter().filter(|(field, _)| REQUIRED.contains(field)) {
            let free = self.free(&map, names).next().map(|column| column.path.clone());
            if let Some(column) = free {
                map.columns.entry(*field).or_insert(column);
            }
        }
        because(&map, "by its name; not all its values fit");
        map.best = map.best.or_else(|| self.stated_best(&map));
        map
    }

    /// Refuses a column that is used and of which the table has two.
    pub(in super::super) fn doubled(&self, map: &ColumnMap) -> Option<Refusal> {
        let (_, column) = map.used().find(|(_, column)| self.doubled.contains(*column))?;
        Some(Refusal::new(
            format!("the table has two columns {}", printable(column)),
            "rename or remove one of them",
        ))
    }

    /// Whether an unused column has dates, or ratings.
    pub(in super::super) fn hold(&self, map: &ColumnMap, field: Field) -> bool {
        let is = if field == Field::Date { is_date } else { is_rating };
        self.unused(map).any(|column| column.all_are(is))
    }

    /// Asks whether the only dates that there are, such as those of visits, may stand for those of the reviews.
    pub(in super::super) fn other_date(&self, map: &ColumnMap) -> Option<Refusal> {
        let mut dates = self.unused(map).filter(|column| column.all_are(is_date));
        let (date, None) = (dates.next()?, dates.next()) else { return None };
        let mut map = map.clone();
        map.columns.insert(Field::Date, date.path.clone());
        if !is_complete(&map) {
            return None;
        }
        let map = confirmation(&map);
        Some(
            Refusal::new(
                format!(
                    "no column is known to say when its reviews were written, and {} has dates",
                    printable(&date.path)
                ),
                format!("if the reviews may have these, take them with {map}"),
            )
            .answered_by(map),
        )
    }

    /// Returns the map for a known export: the first line of the table whose columns this file has all.
    fn known_export(&self) -> ColumnMap {
        for (platform, words) in table::lines(EXPORTS) {
            let (columns, overrides): (Vec<&str>, Vec<&str>) =
                words.partition(|word| !word.contains('='));
            if !columns.iter().all(|column| self.named(column).is_some()) {
                continue;
            }
            let source = Some(platform.to_owned()).filter(|name| name != BY_ROW);
            let mut map = ColumnMap { source, ..ColumnMap::default() };
            for (word, column) in overrides.iter().filter_map(|pair| pair.split_once('=')) {
                let spelled = self.named(column).map_or(column, |found| found.path.as_str());
                match Field::named(word) {
                    Some(field) => drop(map.columns.insert(field, spelled.to_owned())),
                    None if word == "best" => map.best = column.parse().ok(),
                    None => map.html_entities |= word == "html_entities",
                }
            }
            return map;
        }
        ColumnMap::default()
    }

    /// Praise and complaints in two columns are both the text.
    fn add_both_texts(&self, map: &mut ColumnMap) {
        if let (Some(pros), Some(cons)) = (self.named_any("pros"), self.named_any("cons")) {
            let both = || format!("{}+{}", pros.path, cons.path);
            map.columns.entry(Field::Text).or_insert_with(both);
        }
        // What is too long for a cell goes on in the next one: "Text 2", "Text (continued)".
        let start = map.columns.get(&Field::Text).map(|text| key(text)).unwrap_or_default();
        let goes_on = |column: &&Column<'_>| {
            let rest =
                column.key.strip_prefix(&*start).unwrap_or_default().trim_matches(['(', ')']);
            let is_next = ["2", "3", "4", "cont", "contd", "continued"].contains(&rest);
            is_next && column.is_free(map) && column.has_texts()
        };
        let next: Vec<_> = self.all.iter().filter(goes_on).map(|it| it.path.clone()).collect();
        if let Some(text) = map.columns.get_mut(&Field::Text) {
            next.iter().for_each(|column| *text += &format!("+{column}"));
        }
    }

    /// The columns of a shop's statuses, of which one may say that a review is approved, and another that it is deleted,
    /// and those that ask whether a review or a name may be published.
    fn add_wishes(&self, map: &mut ColumnMap, field: Field) {
        // The first of several that name it counts, but every status does.
        let names = NAMES.iter().filter(|(of, _)| *of == field && field == Field::Status);
        let is_named =
            |column: &Column<'_>| names.clone().any(|(_, names)| names.contains(&column.key));
        let asks = |column: &Column<'_>| match field {
            Field::Anonymous => column.asks_for_name(),
            _ => asks_to_publish(&column.path) && !column.asks_for_name(),
        };
        let is_wish = |column: &Column<'_>| {
            is_named(column) || column.answers() && asks(column) && !column.is_of_reply()
        };
        let free = self.all.iter().filter(|it| it.is_free(map) && is_wish(it) && it.suits(field));
        let others: Vec<&str> = free.map(|column| &*column.path).collect();
        if others.is_empty() {
            return;
        }
        let others = others.join("+");
        match map.columns.get_mut(&field) {
            Some(column) if *column != NO_COLUMN => *column += &format!("+{others}"),
            Some(_) => {}
            None => drop(map.columns.insert(field, others)),
        }
    }

    /// Adds fields that no name gave, by words of names and by values. If several columns match, none is taken.
    fn add_by_words(&self, map: &mut ColumnMap) {
        self.add_only(map, Field::ReplyDate, |column| {
            let is_of_reply = column.is_of_reply() || column.has("comment");
            column.has("date") && is_of_reply && column.all_are(is_date)
        });
        self.add_only(map, Field::ReplyStatus, |column| column.tells_of_reply());
        self.add_only(map, Field::Reply, |column| {
            let is_list = || column.has_lists() && (column.is_reply() || column.has("answers"));
            column.is_reply() && column.has_texts() && column.has_answers() || is_list()
        });
        self.add_only(map, Field::Rating, |column| {
            // A part of what was rated is not the whole.
            let is_part = column.has("part")
                && self.all.iter().any(|other| other.path != column.path && other.has_ratings());
            column.has_ratings() && !column.has("only a part") && !is_part
        });
        self.add_only(map, Field::Date, |column| column.has_dates());
        self.add_only(map, Field::Author, |column| {
            column.has("author") && !column.has("not author") && column.has_names()
        });
        self.add_only(map, Field::Text, |column| {
            let is_text = column.has("text") && !column.has("not text");
            is_text && !column.has("internal") && !column.is_of_reply() && column.has_texts()
        });
        self.add_only(map, Field::Title, |column| {
            column.has("title") && column.suits(Field::Title) && column.has_texts()
        });
        if !map.columns.contains_key(&Field::Author) {
            let typed: Vec<String> = table::words(NAMED, "typed").map(key).collect();
            let found = self.free(map, &typed).find(|it| it.varies() && it.suits(Field::Author));
            let found = found.map(|column| column.path.clone());
            map.columns.extend(found.map(|path| (Field::Author, path)));
        }
        // What could be names is not left out unseen.
        let is_nameless = [Field::Rating, Field::Date, Field::Text]
            .iter()
            .all(|field| map.columns.contains_key(field))
            && !self.all.iter().any(|column| {
                column.is_free(map) && column.has_names() && !column.has("not author")
            });
        if is_nameless {
            map.columns.entry(Field::Author).or_insert_with(|| NO_COLUMN.to_owned());
        }
    }

    fn add_only(&self, map: &mut ColumnMap, field: Field, is: impl Fn(&Column<'_>) -> bool) {
        if map.columns.contains_key(&field) {
            return;
        }
        let mut found: Vec<&Column<'_>> =
            self.all.iter().filter(|column| column.is_free(map) && is(column)).collect();
        if field == Field::Date {
            let best = found.iter().map(|column| column.exactness()).max();
            found.retain(|column| Some(column.exactness()) == best);
        }
        if let [only] = found[..] {
            map.columns.insert(field, only.path.clone());
        }
    }

    /// The first column with a name of this line of the table.
    fn named_any(&self, line: &'static str) -> Option<&Column<'a>> {
        table::words(NAMED, line).find_map(|name| self.named(name))
    }

    /// Businesses and platforms are read whether the map names them or not: reviews of several businesses are never
    /// imported as those of one, nor reviews of one platform as those of another.
    pub(super) fn with_identity(&self, mut map: ColumnMap) -> ColumnMap {
        if let Some((_, names)) = NAMES.iter().find(|(field, _)| *field == Field::Source) {
            self.add(&mut map, Field::Source, names);
            self.add_first(&mut map, Field::Source, Column::names_platforms);
        }
        // The address of a review names its platform, too.
        let url = map.columns.get(&Field::Url).and_then(|column| self.named(column));
        let url = url.filter(|url| {
            map.source.is_none() && url.platforms().any(|it| matches!(it, Platform::Known(_)))
        });
        if let Some(path) = url.map(|url| url.path.clone()) {
            map.columns.entry(Field::Source).or_insert(path);
        }
        if !map.columns.contains_key(&Field::Location) {
            self.add(&mut map, Field::Location, &PLACE_IDS);
            if map.columns.contains_key(&Field::Location) {
                self.add(&mut map, Field::LocationName, &PLACE_NAMES);
                self.add(&mut map, Field::LocationName, &["name".to_owned(), "title".to_owned()]);
            } else {
                self.add(&mut map, Field::Location, &PLACE_NAMES);
                self.add(&mut map, Field::Location, &PLACE_SITES);
                self.add_address(&mut map);
                self.add_first(&mut map, Field::Location, Column::names_few);
            }
            let empty = self.empty_place(&map);
            map.columns.extend(empty);
        }
        map
    }

    /// Branches of one name have addresses of their own.
    fn add_address(&self, map: &mut ColumnMap) {
        let Some(name) = map.columns.get(&Field::Location).and_then(|name| self.named(name)) else {
            return;
        };
        let is_full = |address: &&Column<'_>| address.values.len() == name.values.len();
        let address = self.free(map, &PLACE_ADDRESSES).find(is_full);
        if let Some(path) = address.map(|address| address.path.clone()) {
            map.columns.insert(Field::LocationName, name.path.clone());
            map.columns.insert(Field::Location, path);
        }
    }

    /// Adds the first free column of which the values are the field's, whatever its name is.
    fn add_first(&self, map: &mut ColumnMap, field: Field, is: impl Fn(&Column<'a>) -> bool) {
        let found = self.all.iter().find(|column| column.is_free(map) && is(column));
        if let Some(column) = found.filter(|_| !map.columns.contains_key(&field)) {
            map.columns.insert(field, column.path.clone());
        }
    }

    fn add(&self, map: &mut ColumnMap, field: Field, keys: &[String]) {
        if map.columns.contains_key(&field) {
            return;
        }
        let mut named: Vec<&Column<'_>> = self.free(map, keys).collect();
        if field == Field::Date {
            values::order_dates(&mut named);
        }
        if field == Field::Author {
            let is_of = |line, column: &Column<'_>| {
                table::words(NAMED, line).any(|name| key(name) == column.key)
            };
            named.retain(|column| column.varies() || !is_of("one", column));
            named.retain(|column| !is_of("typed", column));
        }
        if matches!(field, Field::Location | Field::LocationName) {
            named.retain(|column| !column.values.is_empty());
        }
        if let Some(column) = named.iter().find(|column| column.suits(field)) {
            map.columns.insert(field, column.path.clone());
        }
    }

    /// The columns of these keys that the map leaves unused, in the order of the keys.
    pub(super) fn free<'s>(
        &'s self,
        map: &'s ColumnMap,
        keys: &'s [String],
    ) -> impl Iterator<Item = &'s Column<'a>> {
        let of_key =
            |key| self.by_key.get(key)?.iter().map(|&at| &self.all[at]).find(|c| c.is_free(map));
        keys.iter().filter_map(of_key)
    }
}
