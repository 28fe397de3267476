//! Whether the ids of a file are ids. Files that people keep, and many that programs write, number their rows: one
//! more on top gives every review the id of the one above it. So an id joins a row with a review only where
//! something else agrees: the words, the account or the author. What does not agree is matched without its ids.

use std::collections::{BTreeMap, HashMap, HashSet};

use super::{
    cluster::by_key,
    ids::{self, Key},
    node::{Node, differs},
    read::Reading,
    tombstones::TombstoneIndex,
};
use content::{Field, Tombstone};
use contract::{model::Day, text::printable};

/// Rows that disagree with a stored review, from which on no id of a file is believed: one where the ids could be
/// numbers of rows. Where a platform made them, several have to (or one, if they are digits alone or the review is in
/// the file with another id), and one of so many that are compared: authors change their name and their words.
const SEVERAL: usize = 2;
const OF_MANY: usize = 5;

/// The agreement of the ids of a file's rows with the other values of the rows.
#[derive(Default)]
struct IdsOfFile {
    /// Rows that have an id in common with a stored review, and whether they have something else in common with one.
    known: BTreeMap<u32, bool>,
    /// Whether one of them has the id of a review that has another id in the file, or in the content.
    has_moved: bool,
    /// Rows that have the id of another row of the file, and nothing else in common with it.
    repeated: Vec<u32>,
}

/// Takes the ids from rows that nothing else confirms, and says of which files.
pub(super) fn check_ids(nodes: &mut [Node], reading: &mut Reading, tombstones: &[Tombstone]) {
    let mut files: BTreeMap<usize, IdsOfFile> = BTreeMap::new();
    let keys = by_key(nodes);
    let groups = || keys.chunk_by(|a, b| a.0 == b.0).filter(|group| group.len() > 1);
    let names = Names::of(nodes, groups());
    for group in groups() {
        let stored: Vec<&Node> = members(nodes, group).filter(|node| node.is_stored()).collect();
        let mut first: HashMap<usize, &Node> = HashMap::new();
        for &(_, number) in group {
            let node = &nodes[number as usize];
            let Some(row) = node.row() else { continue };
            let file = files.entry(row.file).or_default();
            if !stored.is_empty() {
                let agrees = stored.iter().any(|stored| names.agree(node, stored));
                *file.known.entry(number).or_default() |= agrees;
                file.has_moved |=
                    !agrees && stored.iter().any(|stored| names.are_elsewhere(node, stored));
            }
            if let Some(first) = first.get(&row.file) {
                if !are_one(node, first) {
                    file.repeated.push(number);
                }
            } else {
                first.insert(row.file, node);
            }
        }
    }
    if let Some(explanation) = &mut reading.explanation {
        let known = || files.values().flat_map(|file| file.known.values());
        let agreeing = known().filter(|agrees| **agrees).count();
        explanation.known = Some((known().count() as u64, agreeing as u64));
    }
    let doubted: Vec<(usize, IdsOfFile)> = files
        .into_iter()
        .filter(|(_, file)| file.known.values().any(|agrees| !agrees) || !file.repeated.is_empty())
        .collect();
    if doubted.is_empty() {
        return;
    }
    let (mut counted, mut numbers) = (HashMap::new(), HashMap::new());
    for node in nodes.iter() {
        if let Some(file) = file_of(node) {
            *counted.entry(file).or_insert(true) &= node.has_plain_ids();
            *numbers.entry(file).or_insert(true) &= node.has_numbers_as_ids();
        }
    }
    // By file: whether all its rows lose their ids, or else which.
    let mut without: HashMap<usize, (bool, HashSet<u32>)> = HashMap::new();
    for (number, file) in doubted {
        let is_counted = counted.get(&number) == Some(&true);
        let is_one_enough = file.has_moved || numbers.get(&number) == Some(&true);
        let several = if is_one_enough { 1 } else { SEVERAL };
        let against = file.known.iter().filter(|(_, agrees)| !**agrees).map(|(row, _)| *row);
        let against: HashSet<u32> = against.collect();
        let is_no_id = !file.repeated.is_empty()
            || is_counted && !against.is_empty()
            || against.len() >= several && against.len() * OF_MANY >= file.known.len();
        let column = reading.files[number].map.columns.get(&Field::Id);
        let column = column.map_or_else(
            || "its ids are not ids".to_owned(),
            |column| format!("column {} is not an id", printable(column)),
        );
        let name = &reading.files[number].name;
        let (rows, all) = (against.len(), file.known.len());
        reading.warnings.push(if let Some(&row) = file.repeated.first() {
            let value = nodes[row as usize].row().and_then(|row| row.review.ids.first());
            let value = printable(value.map_or("", |value| value));
            format!(
                "{name}: {column}: {value:?} is in rows of different reviews; the reviews are matched by account, text, author and day"
            )
        } else if is_no_id {
            format!(
                "{name}: {column}: in {rows} of {all} rows that have the id of a stored review author and words are others; the reviews are matched by account, text, author and day"
            )
        } else {
            format!(
                "{name}: {rows} of {all} rows have the id of a stored review of another author with other words; they are new reviews without an id"
            )
        });
        without.insert(number, (is_no_id, against));
    }
    let tombstones = TombstoneIndex::of(tombstones);
    for (node, at) in nodes.iter_mut().zip(0_u32..) {
        let of_file = file_of(node).and_then(|file| without.get(&file));
        if of_file.is_some_and(|(all, rows)| *all || rows.contains(&at)) {
            node.take_ids(&tombstones);
        }
    }
}

fn members<'a>(nodes: &'a [Node], group: &'a [(Key, u32)]) -> impl Iterator<Item = &'a Node> {
    group.iter().map(|(_, number)| &nodes[*number as usize])
}

/// What tells people apart, by the nodes that have it.
struct Names<'n> {
    /// The number of times that each author is in the content and in each file.
    authors: HashMap<(Option<usize>, u64), u32>,
    /// The people of stored reviews and of rows, but for those that have an id in common with themselves.
    elsewhere: HashSet<(bool, Person<'n>)>,
}

/// Who wrote what: author and words, or what a review without one of them has instead.
type Person<'n> = (&'n str, Option<u64>, Option<u64>, Option<(Day, u8)>);

fn person(node: &Node) -> Person<'_> {
    let is_known = node.author.is_some() && node.words.is_some();
    let when = (!is_known).then_some((node.day, node.rating));
    (node.source(), node.author, node.words, when)
}

impl<'n> Names<'n> {
    fn of<'k>(nodes: &'n [Node], groups: impl Iterator<Item = &'k [(Key, u32)]>) -> Self {
        let mut authors = HashMap::new();
        for node in nodes {
            if let Some(author) = node.author {
                *authors.entry((file_of(node), author)).or_default() += 1;
            }
        }
        let mut in_place = HashSet::new();
        for group in groups {
            let people: HashSet<_> =
                members(nodes, group).map(|node| (node.is_stored(), person(node))).collect();
            let numbers = group.iter().map(|(_, number)| *number);
            in_place.extend(numbers.filter(|number| {
                let node = &nodes[*number as usize];
                people.contains(&(!node.is_stored(), person(node)))
            }));
        }
        let others = (0..).zip(nodes).filter(|(at, _)| !in_place.contains(at));
        let elsewhere = others.map(|(_, node)| (node.is_stored(), person(node))).collect();
        Self { authors, elsewhere }
    }

    fn is_one(&self, node: &Node) -> bool {
        let author = node.author.map(|author| (file_of(node), author));
        author.is_some_and(|author| self.authors.get(&author) == Some(&1))
    }

    /// Whether another stored review is what the row says, or another row what the stored review says.
    fn are_elsewhere(&self, row: &Node, stored: &Node) -> bool {
        let mut both = [(true, row), (false, stored)].into_iter();
        both.any(|(is_stored, node)| self.elsewhere.contains(&(is_stored, person(node))))
    }

    /// Whether something else than an id says that a row is a stored review. The id of a review that another row has,
    /// or of a row that another review has, is at the wrong place. Of ids that count rows an author with several
    /// reviews says nothing.
    fn agree(&self, row: &Node, stored: &Node) -> bool {
        if person(row) == person(stored) {
            return true;
        }
        if self.are_elsewhere(row, stored) {
            return false;
        }
        let is_same_author = is_same(row.author, stored.author);
        let is_same_day = (row.day, row.rating) == (stored.day, stored.rating);
        if have_words_or_account(row, stored) {
            true
        } else if row.has_plain_ids() {
            is_same_author && row.day == stored.day && self.is_one(row) && self.is_one(stored)
        } else {
            let has_same_words = is_same(row.words, stored.words) && !row.has_numbers_as_ids();
            let is_signed = !differs(row.author, stored.author) || has_same_words;
            is_same_author || is_same_day && is_signed
        }
    }
}

/// Whether two rows of a file that have an id in common are one review.
fn are_one(a: &Node, b: &Node) -> bool {
    // A customer's number is in each of the customer's reviews.
    let is_another = differs(a.words, b.words) && a.day != b.day && a.rating != b.rating;
    if is_another && (a.has_plain_ids() || a.has_numbers_as_ids()) {
        return false;
    }
    let nameless = [a.author, b.author, a.words, b.words].iter().all(Option::is_none);
    let is_same_day = (a.day, a.rating) == (b.day, b.rating);
    have_words_or_account(a, b) || is_same(a.author, b.author) || is_same_day && nameless
}

/// Whether two nodes have an account in common, or words: several people write the same few.
fn have_words_or_account(a: &Node, b: &Node) -> bool {
    let is_signed = !differs(a.author, b.author) || is_same(a.text, b.text);
    is_same(a.words, b.words) && is_signed || is_same(a.account, b.account)
}

fn is_same(a: Option<u64>, b: Option<u64>) -> bool {
    a.is_some() && a == b
}

fn file_of(node: &Node) -> Option<usize> {
    node.row().map(|row| row.file)
}

impl Node {
    /// Whether its ids are numbers of rows, or could be: `7`, `r-12`, `review_3`. What platforms make is longer.
    fn has_plain_ids(&self) -> bool {
        self.row().is_some_and(|row| row.review.ids.iter().all(|id| ids::is_plain(id)))
    }

    /// Whether its ids are digits alone. A platform makes such ids, and so does a program that goes on counting.
    fn has_numbers_as_ids(&self) -> bool {
        let is_number = |id: &String| id.bytes().all(|byte| byte.is_ascii_digit());
        self.row().is_some_and(|row| row.review.ids.iter().all(is_number))
    }
}
