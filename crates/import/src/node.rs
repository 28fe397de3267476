//! Stored reviews and rows, with the keys by which merging compares them.

use super::{
    ids::{self, GOOGLE_USER, Key, is_nobody},
    normalise::ImportedReview,
    platform::source_of,
    rows::RowLocation,
    store::StoredLine,
    tombstones::TombstoneIndex,
};
use content::Record;
pub(super) use content::is_distinctive;
use contract::{
    model::{ANONYMOUS, Day, ReviewId},
    text::{fold, without_invisible},
};
use jiff::Timestamp;

/// Milliseconds of a day.
const DAY: u64 = 24 * 60 * 60 * 1000;
/// Characters of the beginning of a text, which an author who edits it keeps.
const OPENING: usize = 20;

/// Whether both are known, and differ.
pub(super) fn differs(a: Option<u64>, b: Option<u64>) -> bool {
    a.is_some() && b.is_some() && a != b
}

/// A stored review or a row.
#[derive(Debug)]
pub(super) struct Node {
    /// A stored review's id; the id a row would get were it alone.
    pub(super) id: ReviewId,
    /// Hashes of its ids at the source.
    pub(super) keys: Vec<Key>,
    /// Hash of the folded name; `None` if the source names no author.
    pub(super) author: Option<u64>,
    /// The first letter of the name, which stays where an export shortens it.
    pub(super) initial: Option<char>,
    /// Hash of the account's id.
    pub(super) account: Option<u64>,
    /// Hash of the text, if that is distinctive.
    pub(super) text: Option<u64>,
    /// Hash of the folded words of the text, if it has any.
    pub(super) words: Option<u64>,
    /// Hash of the beginning of the words, which an author who edits them keeps, and a program that cuts them off.
    pub(super) opening: Option<u64>,
    /// The first letter of the text.
    pub(super) start: Option<char>,
    /// Hash of the author and a distinctive text; nobody writes the same twice.
    pub(super) signed_words: Option<u64>,
    /// Hash of all values that identify a row without ids.
    pub(super) exact: u64,
    /// `exact` and `id` of a row without ids in other decodings of its texts.
    pub(super) decodings: Vec<(u64, ReviewId)>,
    pub(super) day: Day,
    /// Days by which `day` may be wrong.
    pub(super) tolerance: u16,
    pub(super) rating: u8,
    /// The id spaces it has an id in.
    pub(super) spaces: u8,
    pub(super) origin: Origin,
}

/// The origin of a node.
#[derive(Debug)]
pub(super) enum Origin {
    /// A review of the content folder.
    Stored(StoredReview),
    /// A row of an export.
    Row(Box<AcceptedRow>),
}

/// A stored review as its file has it, and as the import leaves it.
#[derive(Debug)]
pub(super) struct StoredReview {
    pub(super) source: Box<str>,
    pub(super) line: StoredLine,
    pub(super) outcome: StoredOutcome,
}

/// The outcome of the import for a stored review.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum StoredOutcome {
    /// The same line is kept.
    Unchanged,
    /// The line is replaced, and the review is of this day.
    Changed(Day),
    /// The line is removed.
    Removed,
}

/// A row that was accepted.
#[derive(Debug)]
pub(super) struct AcceptedRow {
    pub(super) review: ImportedReview,
    pub(super) at: RowLocation,
    /// The number of its file.
    pub(super) file: usize,
    /// The unit of its file.
    pub(super) unit: u32,
    /// The business; 0 where none is named.
    pub(super) location: u32,
    /// Whether the row itself names its platform.
    pub(super) names_source: bool,
    /// Whether its owner had it removed for good.
    pub(super) forgotten: bool,
    /// The number of the tombstone of the removed review it would bring back.
    pub(super) revives: Option<usize>,
}

impl Node {
    /// Makes the node of a stored review.
    pub(super) fn of_record(record: &Record, line: StoredLine) -> Self {
        let source = &*source_of(&record.source.0);
        let text = record.text.as_ref().and_then(|words| words.0.as_deref());
        let ids = || record.source_ids.iter().map(|id| ids::bare(source, id));
        let day = exact_day(record.date, record.date_precision.is_some());
        let rating = record.rating.stars();
        Self {
            id: record.id,
            keys: ids().map(|id| ids::key(source, id)).collect(),
            author: author_key(&record.author.0),
            initial: initial(&record.author.0),
            account: record.author_id.as_deref().map(|id| account_key(source, id)),
            text: text_hash_if_distinctive(source, text),
            words: text.and_then(words_key),
            opening: text.and_then(opening_key),
            start: text.and_then(initial),
            signed_words: signed_words(source, author_key(&record.author.0), text),
            exact: exact(source, &record.author.0, &day, text, rating),
            decodings: Vec::new(),
            day: record.date,
            tolerance: record.date_precision.map_or(0, |precision| precision.days()),
            rating,
            spaces: ids::spaces(source, ids()),
            origin: Origin::Stored(StoredReview {
                source: source.into(),
                line,
                outcome: StoredOutcome::Unchanged,
            }),
        }
    }

    /// Makes the node of a row.
    pub(super) fn of_row(row: AcceptedRow) -> Self {
        let review = &row.review;
        let (source, text) = (&*review.source, review.text.as_deref());
        let ids = || review.ids.iter().map(String::as_str);
        let day = exact_day(review.day, review.precision.is_some());
        let rating = review.rating.stars();
        Self {
            id: review.derived_id(),
            keys: ids().map(|id| ids::key(source, id)).collect(),
            author: review.author.as_deref().and_then(author_key),
            initial: review.author.as_deref().and_then(initial),
            account: review.author_id.as_deref().map(|id| account_key(source, id)),
            text: text_hash_if_distinctive(source, text),
            words: text.and_then(words_key),
            opening: text.and_then(opening_key),
            start: text.and_then(initial),
            signed_words: signed_words(source, review.author.as_deref().and_then(author_key), text),
            exact: exact(source, review.author(), &day, text, rating),
            decodings: review.in_other_decodings(&day),
            day: review.day,
            tolerance: review.precision.map_or(0, |precision| precision.days()),
            rating,
            spaces: ids::spaces(source, ids()),
            origin: Origin::Row(Box::new(row)),
        }
    }

    /// Makes it a row without ids.
    pub(super) fn take_ids(&mut self, tombstones: &TombstoneIndex) {
        let Origin::Row(row) = &mut self.origin else { return };
        row.review.ids.clear();
        (row.revives, row.forgotten) =
            tombstones.look_up(&row.review).map_or((None, false), |(n, is)| (Some(n), is));
        let day = exact_day(row.review.day, row.review.precision.is_some());
        self.id = row.review.derived_id();
        self.decodings = row.review.in_other_decodings(&day);
        (self.keys, self.spaces) = (Vec::new(), 0);
    }

    pub(super) fn is_stored(&self) -> bool {
        self.stored().is_some()
    }

    pub(super) fn stored(&self) -> Option<&StoredReview> {
        match &self.origin {
            Origin::Stored(stored) => Some(stored),
            Origin::Row(_) => None,
        }
    }

    pub(super) fn row(&self) -> Option<&AcceptedRow> {
        match &self.origin {
            Origin::Stored(_) => None,
            Origin::Row(row) => Some(row),
        }
    }

    pub(super) fn row_mut(&mut self) -> Option<&mut AcceptedRow> {
        match &mut self.origin {
            Origin::Stored(_) => None,
            Origin::Row(row) => Some(row),
        }
    }

    pub(super) fn source(&self) -> &str {
        match &self.origin {
            Origin::Stored(stored) => &stored.source,
            Origin::Row(row) => &row.review.source,
        }
    }

    /// The second in which it was written, of which its id is made; `None` where only the day is known.
    pub(super) fn second(&self) -> Option<u64> {
        let milliseconds = self.id.to_bytes()[..6].iter().fold(0, |n, b| (n << 8) | u64::from(*b));
        (milliseconds % DAY != 0).then_some(milliseconds / 1000)
    }

    /// Whether it has no name and no words by which it could be told from another.
    pub(super) fn is_nameless(&self) -> bool {
        self.author.is_none() && self.text.is_none()
    }

    /// The unit of a row; a stored review has none.
    pub(super) fn unit(&self) -> Option<u32> {
        self.row().map(|row| row.unit)
    }
}

impl ImportedReview {
    /// The name it is published under.
    pub(super) fn author(&self) -> &str {
        self.shown_author(&self.author)
    }

    fn shown_author<'a>(&self, author: &'a Option<String>) -> &'a str {
        let nobody = if self.google { GOOGLE_USER } else { ANONYMOUS };
        author.as_deref().unwrap_or(nobody)
    }

    fn in_other_decodings(&self, day: &str) -> Vec<(u64, ReviewId)> {
        if !self.ids.is_empty() {
            return Vec::new();
        }
        let exact = self.decodings.iter().map(|(author, text)| {
            let author = self.shown_author(author);
            exact(&self.source, author, day, text.as_deref(), self.rating.stars())
        });
        exact.zip(self.derived_ids().skip(1)).collect()
    }

    /// Returns the time at which the source last changed the review or its reply.
    pub(super) fn last_change(&self) -> Option<Timestamp> {
        self.updated.max(self.replied)
    }

    /// The id it gets when it is stored for the first time: the time it was written, or the first
    /// instant of its day; then a hash of its first id, or of its values if it has none.
    pub(super) fn derived_id(&self) -> ReviewId {
        self.derived_id_of(&self.author, &self.text)
    }

    /// Returns the derived id, and then the ids that the row would get in other decodings.
    pub(super) fn derived_ids(&self) -> impl Iterator<Item = ReviewId> {
        let others = self.decodings.iter().map(|(author, text)| self.derived_id_of(author, text));
        std::iter::once(self.derived_id()).chain(others)
    }

    fn derived_id_of(&self, author: &Option<String>, text: &Option<String>) -> ReviewId {
        let at = self.instant.unwrap_or_else(|| self.day.midnight_utc());
        let entropy = match self.ids.iter().min() {
            Some(id) => blake3::hash(ids::stored(&self.source, id).as_bytes()),
            None => {
                let day = exact_day(self.day, self.precision.is_some());
                let text = text.as_deref().unwrap_or_default();
                let author = self.shown_author(author);
                blake3::hash([&*self.source, author, &day, text].join("\0").as_bytes())
            }
        };
        ReviewId::from_parts(at, &entropy)
    }
}

fn author_key(name: &str) -> Option<u64> {
    let name = &*without_invisible(name).0;
    (!is_nobody(name)).then(|| ids::hashed_short(&["author", &folded_name(name)]))
}

fn initial(text: &str) -> Option<char> {
    folded_name(text).chars().find(|c| c.is_alphanumeric())
}

/// A name in lower case, without accents, with single spaces.
pub(super) fn folded_name(name: &str) -> String {
    fold(name).split_whitespace().collect::<Vec<_>>().join(" ")
}

fn account_key(source: &str, id: &str) -> u64 {
    ids::hashed_short(&["account", source, id])
}

/// Case, accents and white space are not words.
fn words_key(text: &str) -> Option<u64> {
    let words = folded_name(&without_invisible(text).0);
    (!words.is_empty()).then(|| ids::hashed_short(&["words", &words]))
}

/// The beginning of a text that has a longer one.
fn opening_key(text: &str) -> Option<u64> {
    let words = folded_name(&without_invisible(text).0);
    let (end, _) = words.char_indices().nth(OPENING)?;
    Some(ids::hashed_short(&["opening", &words[..end]]))
}

fn signed_words(source: &str, author: Option<u64>, text: Option<&str>) -> Option<u64> {
    let text = text.filter(|text| is_distinctive(text))?;
    let words = squeezed(&without_invisible(text).0);
    Some(ids::hashed_short(&["signed", source, &author?.to_string(), &words]))
}

/// A text without what copies of it differ in: white space, line ends, and the form of quotes.
pub(super) fn squeezed(text: &str) -> String {
    let straight = |c: char| match c {
        '\u{2018}' | '\u{2019}' | '`' | '\u{b4}' => '\'',
        '\u{201c}' | '\u{201d}' | '\u{201e}' | '\u{ab}' | '\u{bb}' => '"',
        c => c,
    };
    let text: String = text.chars().map(straight).collect();
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn text_hash_if_distinctive(source: &str, text: Option<&str>) -> Option<u64> {
    let text = text.map(without_invisible);
    let long = text.as_ref().map(|(text, _)| &**text).filter(|text| is_distinctive(text));
    long.map(|text| ids::hashed_short(&["text", source, text]))
}

/// The day as part of a key. A relative date gives another day tomorrow and is not part of a key.
fn exact_day(day: Day, relative: bool) -> String {
    if relative { String::new() } else { day.to_string() }
}

/// A stored text may have invisible characters that imports remove today.
fn exact(source: &str, author: &str, day: &str, text: Option<&str>, rating: u8) -> u64 {
    let author = folded_name(&without_invisible(author).0);
    let (text, _) = without_invisible(text.unwrap_or_default());
    ids::hashed_short(&["row", source, &author, day, &text, &rating.to_string()])
}

/// Returns the number of days since 1970.
pub(super) fn days(day: Day) -> i32 {
    let epoch = jiff::civil::Date::constant(1970, 1, 1);
    day.date().since(epoch).map_or(0, |span| span.get_days())
}
