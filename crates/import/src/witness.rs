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

/// Rows that disagree with a stored review or another file, from which on no id of a file is believed: one where the ids
/// could be numbers of rows. Where a platform made them, several have to (or one, if they are digits alone or the review
/// is in the file with another id), and one of so many that are compared: authors change their name and their words.
const SEVERAL: usize = 2;
const OF_MANY: usize = 5;
/// Different states of one review that a row is compared with.
const MAX_STATES: usize = 20;

/// The agreement of the ids of a file's rows with the other values of the rows.
#[derive(Default)]
struct IdsOfFile {
    /// Rows that have an id of a stored review or of an earlier file, and whether they have something else in common.
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
        // The states of the review that has the id: as it is stored, and as the files have it.
        let mut states: Vec<&Node> =
            members(nodes, group).filter(|node| node.is_stored()).collect();
        let mut first: HashMap<usize, &Node> = HashMap::new();
        for &(_, number) in group {
            let node = &nodes[number as usize];
            let Some(row) = node.row() else { continue };
            let file = files.entry(row.file).or_default();
            let others = || states.iter().filter(|state| file_of(state) != Some(row.file));
            let mut agrees = true;
            if others().next().is_some() {
                agrees = others().any(|state| names.agree(node, state));
                *file.known.entry(number).or_default() |= agrees;
                file.has_moved |= !agrees && others().any(|state| names.are_elsewhere(node, state));
            }
            if let Some(first) = first.get(&row.file) {
                if !are_one(node, first) {
                    file.repeated.push(number);
                    continue;
                }
            } else {
                first.insert(row.file, node);
            }
            let is_known = |state: &&Node| person(state) == person(node);
            if agrees && states.len() < MAX_STATES && !states.iter().any(is_known) {
                states.push(node);
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
                "{name}: {column}: in {rows} of {all} rows that have the id of another review author and words are others; the reviews are matched by account, text, author and day"
            )
        } else {
            format!(
                "{name}: {rows} of {all} rows have the id of a review of another author with other words; they are new reviews without an id"
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
    /// The people of stored reviews and of rows, but for those that have an id in common with themselves; and those of
    /// each file, but for those of whom alone all files have this id.
    elsewhere: HashSet<(Option<usize>, Person<'n>)>,
}

/// What a person is looked for in: the stored reviews (`None`), all rows (0), or a file (its number and one).
fn side(node: &Node) -> Option<usize> {
    (!node.is_stored()).then_some(0)
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
        let (mut in_place, mut of_one) = (HashSet::new(), HashSet::new());
        for group in groups {
            let people: HashSet<_> =
                members(nodes, group).map(|node| (side(node), person(node))).collect();
            let numbers = || group.iter().map(|(_, number)| *number);
            in_place.extend(numbers().filter(|number| {
                let node = &nodes[*number as usize];
                people.contains(&(node.is_stored().then_some(0), person(node)))
            }));
            let mut rows = people.iter().filter(|(side, _)| side.is_some());
            if rows.next().is_some() && rows.next().is_none() {
                of_one.extend(numbers());
            }
        }
        let numbered = || (0..).zip(nodes);
        let of_sides = numbered().filter(|(at, _)| !in_place.contains(at));
        let of_sides = of_sides.map(|(_, node)| (side(node), person(node)));
        let of_files = numbered().filter(|(at, node)| !node.is_stored() && !of_one.contains(at));
        let of_files = of_files.map(|(_, node)| (file_of(node).map(|file| file + 1), person(node)));
        let elsewhere = of_sides.chain(of_files).collect();
        Self { authors, elsewhere }
    }

    fn is_one(&self, node: &Node) -> bool {
        let author = node.author.map(|author| (file_of(node), author));
        author.is_some_and(|author| self.authors.get(&author) == Some(&1))
    }

    /// Whether another review of the other's side, the stored ones or a file, is what one of them says.
    fn are_elsewhere(&self, row: &Node, other: &Node) -> bool {
        let file = |node| file_of(node).filter(|_| !other.is_stored()).map(|file| file + 1);
        let (of_row, of_other) = (file(row).or(Some(0)), file(other));
        self.elsewhere.contains(&(of_other, person(row)))
            || self.elsewhere.contains(&(of_row, person(other)))
    }

    /// Whether something else than an id says that a row is a stored review, or one of another file. The id of a review
    /// that another row has, or of a row that another review has, is at the wrong place. Of ids that count rows an author
    /// with several reviews says nothing.
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
