//! Detects the format of a file by its content alone: a renamed file must work.

use std::ops::ControlFlow;

use super::{
    columns::{self, Columns},
    error::Refusal,
    explain::ExplainedColumn,
    format::{self, ExportFormat},
    raw::{RawReview, Row, find},
    rows::{self, Cells, Container, DOUBLED, RowLocation, Rows, Unreadable},
};
use content::{ColumnMap, Field};
use contract::text::printable;

/// Bytes of a file that are examined: 1 MiB.
pub(super) const PREFIX: usize = 1 << 20;
/// Rows that are examined.
const SAMPLE: usize = 1_000;
/// Lines of a title above the columns of a table.
const MOST_ABOVE: usize = 20;
/// The line that tells Excel what separates the cells: `sep=;`.
const SEPARATOR: &[u8] = b"sep=";

/// The keys of a page of the Business Profile API beside its reviews.
const GOOGLE_PAGE: [&str; 3] = ["averageRating", "totalReviewCount", "nextPageToken"];

/// The result of examining a file.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Detected {
    /// Reviews, and how the format was detected.
    ExportFormat { format: ExportFormat, container: Container, map: ColumnMap, why: String },
    /// Reviews that cannot be imported.
    Refused(Refusal),
    /// Reviews of which a part would be lost, unless the user confirms the columns.
    Unconfirmed(Refusal),
    /// Readable, and without any row.
    Empty,
    /// Anything else, and why it is not a known format.
    Unknown(Refusal),
}

/// The options that decide the format of a file.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Asked<'a> {
    pub(super) format: Option<ExportFormat>,
    /// The map of `--map`.
    pub(super) map: Option<&'a ColumnMap>,
    /// The maps of `import.toml`.
    pub(super) maps: &'a [ColumnMap],
    /// The best rating, if the user named it.
    pub(super) best: Option<u32>,
}

/// Detects the format by the beginning of a file. A table may have a title above the line that names its columns.
pub(super) fn detect(prefix: &[u8], asked: Asked<'_>) -> Detected {
    let first = detect_below(prefix, 0, asked);
    let Detected::Unknown(_) = first else { return first };
    let mut below = (1..=MOST_ABOVE).map(|number| detect_below(prefix, number, asked));
    let mut found = below.find(|found| !matches!(found, Detected::Unknown(_) | Detected::Empty));
    if let Some(Detected::ExportFormat { container: Container::Csv(_, above), why, .. }) =
        &mut found
    {
        *why += &format!("; without the lines above line {}", *above + 1);
    }
    found.unwrap_or(first)
}

fn detect_below(prefix: &[u8], number: usize, asked: Asked<'_>) -> Detected {
    let Some(container) = container(prefix, number) else {
        return match prefix {
            prefix if prefix.trim_ascii().is_empty() => Detected::Empty,
            // The compound file format (MS-CFB) of Excel 97 to 2003, and of encrypted workbooks.
            [0xd0, 0xcf, 0x11, 0xe0, ..] => Detected::Unknown(Refusal::new(
                "it is an Excel workbook of the old format (.xls), or one with a password",
                "save it as .xlsx without a password, or as CSV",
            )),
            _ => unknown("it is neither JSON, CSV nor HTML".to_owned()),
        };
    };
    let sample = Sample::of(prefix, container);
    if asked.format.is_none()
        && asked.map.is_none()
        && let Some((reason, help)) = sample.refusal()
    {
        return Detected::Refused(Refusal::new(reason, help));
    }
    match asked.format {
        Some(format) => sample.read_as(format, container, asked),
        None => sample.recognise(container, asked),
    }
}

/// The columns at the beginning of a file, and what each is taken for.
pub(super) fn explain(
    prefix: &[u8],
    asked: Asked<'_>,
    detected: &Detected,
) -> Vec<ExplainedColumn> {
    let container = match detected {
        Detected::ExportFormat { container, .. } => Some(*container),
        _ => container(prefix, 0),
    };
    let Some(container) = container else { return Vec::new() };
    let sample = Sample::of(prefix, container);
    let columns = sample.columns();
    match detected {
        Detected::ExportFormat { format, map, .. } if !format.is_generic() => {
            columns.explain_format(&format.columns(map))
        }
        Detected::ExportFormat { map, .. } => columns.explain(map, asked.map.is_some()),
        _ => columns.explain(&columns.guess(), false),
    }
}

fn unknown(reason: String) -> Detected {
    let refusal = Columns::of(&[], &[]).unknown(reason, &ColumnMap::default());
    Detected::Unknown(Refusal { option: None, ..refusal })
}

/// Recognises the container of the rows by the file's first bytes. `number`: the line of a table's columns, from 0.
fn container(prefix: &[u8], number: usize) -> Option<Container> {
    let whole = prefix.strip_prefix("\u{feff}".as_bytes()).unwrap_or(prefix);
    let text = whole.trim_ascii_start();
    match text.first()? {
        b'{' | b'[' | b'<' if number > 0 => None,
        b'{' if is_lines(text) => Some(Container::Ndjson),
        b'{' | b'[' => Some(Container::Json),
        b'<' => Some(Container::Html),
        _ if text.contains(&0) => None,
        _ => {
            let is_filled =
                |line: &[u8]| !line.trim_ascii().is_empty() && !line.starts_with(SEPARATOR);
            let lines = (0..).zip(whole.split(|&b| b == b'\n'));
            let (above, header) = lines.filter(|(_, line)| is_filled(line)).nth(number)?;
            let count = |delimiter: u8| header.iter().filter(|&&b| b == delimiter).count();
            let delimiter =
                [b',', b';', b'\t', b'|'].into_iter().max_by_key(|&d| (count(d), d == b','))?;
            (count(delimiter) > 0).then_some(Container::Csv(delimiter, above))
        }
    }
}

/// Whether the first line is a whole object and another one begins after it.
fn is_lines(text: &[u8]) -> bool {
    let Some(end) = text.iter().position(|&b| b == b'\n') else { return false };
    let (first, rest) = text.split_at(end);
    rest.trim_ascii_start().first() == Some(&b'{')
        && serde_json::from_slice::<serde::de::IgnoredAny>(first).is_ok()
}

/// The first rows, and the keys around them.
#[derive(Default)]
struct Sample {
    /// Whether the keys are the columns of a table.
    is_table: bool,
    /// Whether it has the declaration of an XML document that is not a page.
    is_xml: bool,
    keys: Vec<String>,
    rows: Vec<Cells>,
    /// The refusal for an object that has a key twice.
    doubled: Option<Refusal>,
}

impl Rows for Sample {
    fn key(&mut self, key: &str) {
        self.keys.push(key.to_owned());
    }

    fn row(&mut self, _: RowLocation, cells: Cells, _: Option<&Cells>) -> ControlFlow<()> {
        self.rows.push(cells);
        if self.rows.len() < SAMPLE { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    }

    fn broken(&mut self, _: RowLocation, _: String) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }
}

impl Sample {
    fn of(prefix: &[u8], container: Container) -> Self {
        let is_table = matches!(container, Container::Csv(..));
        let begins = |text: &[u8]| prefix.trim_ascii_start().starts_with(text);
        let is_page =
            prefix.windows(5).take(1000).any(|bytes| bytes.eq_ignore_ascii_case(b"<html"));
        let is_xml = begins(b"<?xml") && !is_page;
        let mut sample = Self { is_table, is_xml, ..Self::default() };
        // The end of the prefix is not an end of the file: what was read until there is enough.
        let outcome = rows::read(container, prefix, &mut sample);
        if let Err(Unreadable::Syntax { line, column, reason, help: DOUBLED }) = outcome {
            let reason = format!("line {line}, column {column}: {reason}");
            sample.doubled = Some(Refusal::new(reason, DOUBLED));
        }
        sample
    }

    /// Whether any row has a value there, or the table such a column.
    fn has(&self, path: &str) -> bool {
        self.keys.iter().any(|key| key == path)
            || self.rows.iter().any(|row| find(row, path).is_some())
    }

    /// Known exports that do not hold the business's reviews, with the reason and the remedy.
    fn refusal(&self) -> Option<(&'static str, &'static str)> {
        let is_features = |row: &Cells| row.get("type").is_some_and(|kind| kind == "Feature");
        let is_empty = self.rows.is_empty() && self.keys.iter().any(|key| key == "features");
        if (is_empty && !self.is_table) || self.rows.iter().any(is_features) {
            return Some((
                "these are reviews the account's owner wrote about other places (Takeout's \"Maps (your places)\"), not reviews of the business",
                "export \"Google Business Profile\" from Takeout instead",
            ));
        }
        if self.has("recommendation_type") {
            return Some((
                "these are Facebook recommendations: they have no stars, and Candor does not invent ratings",
                "leave them out; recommendations cannot be published as ratings",
            ));
        }
        let has_user = self.has("user.profile_url") || self.has("user.image_url");
        if self.has("time_created") && has_user {
            return Some((
                "these are excerpts from Yelp's API: at most three, each cut off at 160 characters",
                "leave them out; Yelp's API does not return complete reviews",
            ));
        }
        None
    }

    fn recognise(&self, container: Container, asked: Asked<'_>) -> Detected {
        if let Some(refusal) = self.doubled.clone() {
            return Detected::Unknown(refusal);
        }
        let known = self.known(container).filter(|_| asked.map.is_none());
        if let Some((format, why)) = known {
            let map = self.columns().other_source(format.source(), format.urls());
            return Detected::ExportFormat { format, container, map, why };
        }
        let Some(format) = ExportFormat::generic(container) else {
            if self.is_xml {
                let reason = "it is XML, which is not read";
                return Detected::Unknown(Refusal::new(reason, "export it as CSV or JSON"));
            }
            let reason =
                "the page holds no schema.org reviews, neither as JSON-LD nor as microdata";
            let help = "save a table in it as CSV, or take the export of the platform";
            return Detected::Unknown(Refusal::new(reason, help));
        };
        if self.rows.is_empty() && self.keys.iter().all(|key| key == "reviews") {
            return Detected::Empty;
        }
        self.read_as(format, container, asked)
    }

    /// The first format whose marks are there, and the marks.
    fn known(&self, container: Container) -> Option<(ExportFormat, String)> {
        // A total says nothing about the rows beside it: only a page without reviews is Google's by it.
        let is_page = |row: &Cells| row.keys().all(|key| GOOGLE_PAGE.contains(&key.as_str()));
        if self.has("totalReviewCount") && self.rows.iter().all(is_page) {
            let why = "it has totalReviewCount and no reviews".to_owned();
            return Some((ExportFormat::GoogleBusiness, why));
        }
        let is_one = |path: &str| self.has(path.trim_start_matches('!')) != path.starts_with('!');
        let is_there = |any: &&str| any.split('|').any(is_one);
        let known = format::marks().find(|(_, marks)| marks.iter().all(is_there));
        // Another key has the authors: it is another program's. These are keys of a place, or of a program.
        let is_other =
            |(_, column): (Field, String)| !["name", "title", "user"].contains(&&*column);
        let known = known.filter(|(format, _)| {
            !self.dropped_by(*format, &[Field::Author]).is_some_and(is_other)
        });
        let is_schema = self.rows.iter().any(rows::is_review_node)
            || (self.has("@context") || self.has("@graph")) && container != Container::Html;
        let schema = || (ExportFormat::Jsonld, "it holds schema.org reviews".to_owned());
        let known = known.map(|(format, _)| (format, format::why(format)));
        known.or_else(|| is_schema.then(schema))
    }

    /// Reads the file as the format the user named, or as a generic one.
    fn read_as(&self, format: ExportFormat, container: Container, asked: Asked<'_>) -> Detected {
        let (map, why) = match ExportFormat::generic(container).filter(|_| format.is_generic()) {
            None => match self.dropped_by(format, &[Field::Author, Field::Text, Field::Reply]) {
                Some((field, column)) => {
                    let (column, field) = (printable(&column), field.word());
                    let reason = format!(
                        "read as {format}, no row has its {field}, and the column {column} has it"
                    );
                    return Detected::Unknown(Refusal::new(reason, "leave --format away"));
                }
                None => {
                    let map = self.columns().other_source(format.source(), format.urls());
                    (map, "as --format says".to_owned())
                }
            },
            Some(_) => match self.map(asked) {
                Ok(found) => found,
                Err(_) if self.rows.is_empty() && self.keys.is_empty() => return Detected::Empty,
                Err(reason) => return *reason,
            },
        };
        let columns = self.columns();
        let is_said = map.best.is_some() && map.best != columns.stated_best(&map);
        let grades = columns.grades(&map).filter(|_| asked.best.is_none() && !is_said);
        let scales = || columns.scales(&map).filter(|_| asked.best.is_none());
        if let Some(refusal) = grades.or_else(scales).or_else(|| columns.doubled(&map)) {
            return Detected::Unconfirmed(refusal);
        }
        // A key of a longer document may be in later rows only.
        let is_whole = self.is_table || asked.map.is_some() && self.rows.len() < SAMPLE;
        let is_due = |column: &String| is_whole || ["…", "COLUMN"].contains(&&**column);
        let mut used = format.required(&map).into_iter().filter(is_due);
        if let Some(missing) = used.find(|column| !self.has(column) && !columns.has(column)) {
            let reason = format!("read as {format}, it has no column {missing:?}");
            return Detected::Unknown(Refusal::new(reason, self.column_help()));
        }
        Detected::ExportFormat { format, container, map, why }
    }

    /// Returns the first of these fields that a format leaves out in every row, and the column that has it.
    fn dropped_by(&self, format: ExportFormat, fields: &[Field]) -> Option<(Field, String)> {
        let raws: Vec<RawReview> = self
            .rows
            .iter()
            .filter_map(|cells| format.row(Row { cells, place: None }, &ColumnMap::default()))
            .collect();
        let map = self.columns().guess();
        let is_filled = |column: &str| self.rows.iter().any(|row| find(row, column).is_some());
        let has = |field: Field| match field {
            // Of a place without reviews there is none.
            Field::Author => raws.is_empty() || raws.iter().any(|raw| raw.author.is_some()),
            Field::Text => raws.iter().any(|raw| raw.text.is_some()),
            _ => raws.iter().any(|raw| raw.reply.is_some()),
        };
        fields.iter().filter(|field| !has(**field)).find_map(|field| {
            let column = map.columns.get(field).filter(|column| is_filled(column))?;
            Some((*field, column.clone()))
        })
    }

    /// The user's map, the first of `import.toml` that fits, or one by common names.
    fn map(&self, asked: Asked<'_>) -> Result<(ColumnMap, String), Box<Detected>> {
        let columns = self.columns();
        if let Some(map) = asked.map {
            return Ok((columns.spelled(map), "with the columns --map names".to_owned()));
        }
        let fits = |map: &&ColumnMap| columns::is_complete(map) && columns.have_all(map);
        if let Some(map) = asked.maps.iter().find(fits) {
            let why = format!("with the map {:?} of import.toml", map.name);
            return Ok((columns.spelled(map), why));
        }
        if columns.is_empty() {
            return Err(unknown("it holds no reviews of a known format".to_owned()).into());
        }
        let map = columns.guess();
        if !columns::is_complete(&map) {
            let lacks = |field: Field| !map.columns.contains_key(&field);
            let listed = columns.listed();
            let reason = match (lacks(Field::Rating), lacks(Field::Date)) {
                (false, true) => match columns.other_date(&map) {
                    Some(refusal) => return Err(Detected::Unknown(refusal).into()),
                    None if columns.hold(&map, Field::Date) => {
                        format!("no column is known to say when its reviews were written: {listed}")
                    }
                    None => format!("no column holds dates, and every review needs one: {listed}"),
                },
                (true, false) if columns.hold(&map, Field::Rating) => {
                    format!("no column is known to hold its stars: {listed}")
                }
                (true, false) => {
                    format!("no column holds stars, and every review needs them: {listed}")
                }
                _ => format!("its columns are of no known format: {listed}"),
            };
            return Err(Detected::Unknown(columns.unknown(reason, &map)).into());
        }
        let other_ratings = || columns.other_ratings(&map);
        match columns.other_platforms(&map).or_else(other_ratings).or_else(|| columns.loss(&map)) {
            Some(refusal) => Err(Detected::Unconfirmed(refusal).into()),
            None => {
                let why = columns.report(&map);
                Ok((map, why))
            }
        }
    }

    fn columns(&self) -> Columns<'_> {
        let is_header = self.is_table || self.rows.is_empty();
        Columns::of(if is_header { &self.keys } else { &[] }, &self.rows)
    }

    fn column_help(&self) -> String {
        format!("its columns are {}", self.columns().listed())
    }
}
