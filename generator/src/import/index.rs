//! What merging needs of each record, small enough to hold a million: the words stay on the disk.

use super::{
    ids::{self, Key},
    normalise::Incoming,
    store::Span,
};
use crate::content::Record;
use contract::{
    model::{Day, ReviewId},
    text::fold,
};

/// Texts from this many characters on are not written twice by chance.
const DISTINCTIVE_TEXT: usize = 40;

/// A stored review has no unit.
pub(super) const STORED: u32 = u32::MAX;

/// A stored review or a row.
#[derive(Clone, Copy, Debug)]
pub(super) struct Node {
    /// A stored review's id; the id a row would get were it alone.
    pub(super) id: ReviewId,
    pub(super) span: Span,
    /// Of the name, folded; 0 where nobody is named.
    pub(super) author: u64,
    /// Of the account; 0 where there is none.
    pub(super) account: u64,
    /// Of a text long enough to tell; 0 for others.
    pub(super) text: u64,
    /// Of everything a row without id is known by.
    pub(super) exact: u64,
    /// Days since 1970.
    pub(super) day: i32,
    /// Days it may be off.
    pub(super) tolerance: u16,
    pub(super) source: u16,
    /// What the row stands or falls with; [`STORED`] for stored reviews.
    pub(super) unit: u32,
    /// Its file for rows, its array for stored reviews that are in one.
    pub(super) file: u32,
    /// The business; 0 where none is named.
    pub(super) location: u32,
    pub(super) rating: u8,
    /// The id spaces it has an id in.
    pub(super) spaces: u8,
    /// Whether its owner had it removed for good.
    pub(super) forgotten: bool,
    /// The removed review it would bring back, plus one; 0 for none.
    pub(super) revives: u32,
}

impl Node {
    pub(super) fn is_stored(&self) -> bool {
        self.unit == STORED
    }
}

/// All of them, with the keys of their ids.
#[derive(Default)]
pub(super) struct Index {
    pub(super) nodes: Vec<Node>,
    pub(super) keys: Vec<(Key, u32)>,
    pub(super) sources: Vec<String>,
}

impl Index {
    /// The number of a source.
    pub(super) fn source(&mut self, name: &str) -> u16 {
        let at = self.sources.iter().position(|source| source == name).unwrap_or_else(|| {
            self.sources.push(name.to_owned());
            self.sources.len() - 1
        });
        u16::try_from(at).unwrap_or(u16::MAX)
    }

    /// Adds a stored review.
    pub(super) fn add_stored(&mut self, record: &Record, span: Span, array: Option<usize>) {
        let source = &*record.source.0;
        let text = record.text.as_ref().and_then(|words| words.0.as_deref());
        let bare: Vec<&str> = record.source_ids.iter().map(|id| ids::bare(source, id)).collect();
        let node = Node {
            id: record.id,
            span,
            author: author_key(&record.author.0),
            account: record.author_id.as_deref().map_or(0, |id| account_key(source, id)),
            text: telling(source, text),
            exact: exact(
                source,
                &record.author.0,
                exact_day(record.date, record.date_precision.is_some()),
                text,
                record.rating.stars(),
            ),
            day: days(record.date),
            tolerance: record.date_precision.map_or(0, |precision| precision.days()),
            source: self.source(source),
            unit: STORED,
            file: array.map_or(u32::MAX, |array| u32::try_from(array).unwrap_or(u32::MAX)),
            location: 0,
            rating: record.rating.stars(),
            spaces: ids::spaces(source, bare.iter().copied()),
            forgotten: false,
            revives: 0,
        };
        self.add(node, source, &bare);
    }

    /// Adds a row.
    pub(super) fn add_row(&mut self, row: &Incoming, place: RowPlace) {
        let text = row.text.as_deref();
        let author = row.author();
        let day = exact_day(row.day, row.precision.is_some());
        let bare: Vec<&str> = row.ids.iter().map(String::as_str).collect();
        let RowPlace { span, unit, file, location, forgotten, revives } = place;
        let node = Node {
            id: row.derived_id(),
            span,
            author: row.author.as_deref().map_or(0, author_key),
            account: row.author_id.as_deref().map_or(0, |id| account_key(&row.source, id)),
            text: telling(&row.source, text),
            exact: exact(&row.source, author, day, text, row.rating.stars()),
            day: days(row.day),
            tolerance: row.precision.map_or(0, |precision| precision.days()),
            source: self.source(&row.source),
            unit,
            file,
            location,
            rating: row.rating.stars(),
            spaces: ids::spaces(&row.source, bare.iter().copied()),
            forgotten,
            revives,
        };
        self.add(node, &row.source, &bare);
    }

    fn add(&mut self, node: Node, source: &str, ids: &[&str]) {
        let number = u32::try_from(self.nodes.len()).unwrap_or(u32::MAX);
        self.keys.extend(ids.iter().map(|id| (ids::key(source, id), number)));
        self.nodes.push(node);
    }

    /// Leaves out the rows `keep` does not want.
    pub(super) fn retain(&mut self, keep: impl Fn(&Node) -> bool) {
        let mut numbers: Vec<u32> = Vec::with_capacity(self.nodes.len());
        let mut kept = 0;
        for node in &self.nodes {
            let stays = keep(node);
            numbers.push(if stays { kept } else { u32::MAX });
            kept += u32::from(stays);
        }
        self.nodes.retain(&keep);
        self.keys.retain_mut(|(_, node)| {
            *node = numbers[*node as usize];
            *node != u32::MAX
        });
    }
}

/// Where a row stands, and what tombstones say of it.
#[derive(Clone, Copy, Debug)]
pub(super) struct RowPlace {
    pub(super) span: Span,
    pub(super) unit: u32,
    pub(super) file: u32,
    pub(super) location: u32,
    pub(super) forgotten: bool,
    pub(super) revives: u32,
}

impl Incoming {
    /// The name it is published under.
    pub(super) fn author(&self) -> &str {
        let nobody = if self.google { GOOGLE_USER } else { ANONYMOUS };
        self.author.as_deref().unwrap_or(nobody)
    }

    /// The id it gets when it is stored for the first time: the time it was written, or the first
    /// instant of its day; then a hash of its first id, or of what it is known by without one.
    pub(super) fn derived_id(&self) -> ReviewId {
        let at = self.instant.unwrap_or_else(|| self.day.midnight_utc());
        let entropy = match self.ids.iter().min() {
            Some(id) => blake3::hash(ids::stored(&self.source, id).as_bytes()),
            None => {
                let day = exact_day(self.day, self.precision.is_some());
                let text = self.text.as_deref().unwrap_or_default();
                blake3::hash([&*self.source, self.author(), &day, text].join("\0").as_bytes())
            }
        };
        ReviewId::from_parts(at, &entropy)
    }
}

/// What Google calls somebody without a name.
const GOOGLE_USER: &str = "A Google user";
/// What everybody else is called.
const ANONYMOUS: &str = "Anonymous";

/// Whether a name says nothing about who it is.
pub(super) fn is_nobody(name: &str) -> bool {
    matches!(fold(name).as_str(), "a google user" | "google user" | "anonymous")
}

fn author_key(name: &str) -> u64 {
    match is_nobody(name) {
        true => 0,
        false => ids::hashed_short(&["author", &folded_name(name)]).max(1),
    }
}

/// A name without case, accents and the width of its blanks.
pub(super) fn folded_name(name: &str) -> String {
    fold(name).split_whitespace().collect::<Vec<_>>().join(" ")
}

fn account_key(source: &str, id: &str) -> u64 {
    ids::hashed_short(&["account", source, id]).max(1)
}

fn telling(source: &str, text: Option<&str>) -> u64 {
    let long = text.filter(|text| is_distinctive(text));
    long.map_or(0, |text| ids::hashed_short(&["text", source, text]).max(1))
}

/// Whether a text is long enough to tell its review by.
pub(super) fn is_distinctive(text: &str) -> bool {
    text.chars().nth(DISTINCTIVE_TEXT - 1).is_some()
}

/// A date that was counted back is another one tomorrow, and no part of a key.
fn exact_day(day: Day, relative: bool) -> String {
    if relative { String::new() } else { day.to_string() }
}

fn exact(source: &str, author: &str, day: String, text: Option<&str>, rating: u8) -> u64 {
    let rating = rating.to_string();
    ids::hashed_short(&[
        "row",
        source,
        &folded_name(author),
        &day,
        text.unwrap_or_default(),
        &rating,
    ])
}

/// Days since 1970.
pub(super) fn days(day: Day) -> i32 {
    let epoch = jiff::civil::Date::constant(1970, 1, 1);
    day.date().since(epoch).map_or(0, |span| span.get_days())
}
