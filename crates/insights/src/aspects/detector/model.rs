//! The table of the detector, and its application to a sentence, in integers.

use std::collections::HashMap;

use rustc_hash::FxBuildHasher;

use super::grams::{Gram, Stems, each, feature, first_of_pair};
use crate::{
    aspects::BUILTIN,
    opinion::{PER_STAR, VERDICT},
    sentiment::{
        lexicon::{Lexicon, WordId, class},
        model::BadModel,
        valence::Word,
    },
};

/// The number of columns: one for each built-in aspect, then praise.
pub const COLUMNS: usize = BUILTIN.len() + 1;
const PRAISE: usize = BUILTIN.len();
/// A logit of 1.
pub const LOGIT: i64 = 65_536;
/// The divisor for praise and blame outside the clause that is about the aspect, on its side of a
/// contrast.
const OUTSIDE: i64 = 2;
/// The weight of the stars, in percent of their weight in training, so that the text decides.
const STARS: i64 = 75;
/// Words that begin a new clause, and signs that end one.
const BEGINS: u16 = class::CONTRAST;
const ENDS: u16 = class::SEPARATOR;

/// The number of columns, rounded up to the width of registers: sums of sixteen are faster than
/// sums of eleven.
const LANES: usize = 16;

type Sums = [i32; LANES];

/// A parsed table, which `data/MODEL_CARD.md` describes: that of the detector, or in the same form that of the second
/// opinion, whose columns say whether a sentence blames the business for an aspect. Its column of praise is empty.
#[derive(Debug, Default)]
pub(crate) struct Detector {
    rows: HashMap<u64, u32, FxBuildHasher>,
    weights: Vec<[i8; LANES]>,
    /// The sum of a word's row and its stem's row, by word.
    words: Vec<[i16; LANES]>,
    /// Whether a row has a pair that begins with the stem, by stem.
    begins: Vec<bool>,
    intercepts: [i64; COLUMNS],
    /// A weight of 1, in 65,536ths of a logit.
    scale: i64,
    /// The score from which a sentence is about an aspect, in 65,536ths of a logit.
    spoken: i64,
    /// The weight of one star for praise, in 65,536ths of a logit.
    star: i64,
    stems: Stems,
}

/// The clauses of a sentence with their scores. The memory is reused for the next sentence.
#[derive(Debug, Default)]
pub(crate) struct Weighed {
    clauses: Vec<Clause>,
    total: Sums,
}

#[derive(Debug)]
struct Clause {
    first: usize,
    end: usize,
    /// The number of contrasts before the clause: clauses on both sides of a "but" differ in opinion.
    side: usize,
    sums: Sums,
}

/// An aspect that a sentence is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Finding {
    /// The number of the built-in aspect.
    pub(crate) column: usize,
    /// The words of the clause that is about the aspect: the first, and the one after the last.
    pub(crate) words: (usize, usize),
    /// Praise (above 0) or blame, before the stars, in thousandths.
    pub(crate) margin: i32,
    /// The score of the aspect, in thousandths of a logit.
    pub(crate) score: i64,
}

impl Detector {
    /// Parses tables: comments, `@` rows, then one feature per row with its weights, each after
    /// the letter of its column. The words of the tables are added to the lexicon; no word may be
    /// added afterwards.
    pub(crate) fn parse<const N: usize>(
        tables: [&str; N],
        lexicon: &mut Lexicon,
    ) -> Result<[Self; N], BadModel> {
        let mut detectors = tables.map(|_| Self { star: 1, ..Self::default() });
        for (detector, table) in detectors.iter_mut().zip(tables) {
            for (at, line) in table.lines().enumerate().filter(|(_, line)| !line.starts_with("# "))
            {
                detector.read_row(line, lexicon).ok_or(BadModel { line: at + 1 })?;
            }
        }
        detectors.iter_mut().for_each(|detector| detector.number(lexicon));
        Ok(detectors)
    }

    /// Makes the tables by word and by stem, once every word is known.
    fn number(&mut self, lexicon: &Lexicon) {
        self.stems = Stems::of(lexicon);
        self.words = (0..lexicon.words().count() as WordId)
            .map(|word| self.row_of(Gram::Word(word, self.stems.get(word))))
            .collect();
        self.begins = vec![false; self.words.len()];
        for stem in self.rows.keys().filter_map(|key| first_of_pair(*key)) {
            self.begins[stem as usize] = true;
        }
    }

    /// The sum of all rows of a gram.
    fn row_of(&self, gram: Gram) -> [i16; LANES] {
        let mut sum = [0; LANES];
        for row in gram.features().filter_map(|key| self.rows.get(&key)) {
            for (sum, weight) in sum.iter_mut().zip(self.weights[*row as usize]) {
                *sum += i16::from(weight);
            }
        }
        sum
    }

    fn read_row(&mut self, line: &str, lexicon: &mut Lexicon) -> Option<()> {
        let mut cells = line.split('\t');
        match cells.next()? {
            "@scale" => self.scale = cells.next()?.parse().ok()?,
            "@spoken" => self.spoken = cells.next()?.parse().ok()?,
            "@star" => self.star = cells.next()?.parse().ok().filter(|star| *star > 0)?,
            "@intercepts" => {
                for intercept in &mut self.intercepts {
                    *intercept = cells.next()?.parse().ok()?;
                }
            }
            name => {
                let weights = read_cells(cells.next()?)?;
                self.rows.insert(feature(name, lexicon)?, self.weights.len() as u32);
                self.weights.push(weights);
            }
        }
        Some(())
    }

    /// Weighs the words of a sentence and `hits`, the positions and features of patterns.
    pub(crate) fn weigh(
        &self,
        words: &[Word],
        hits: impl Iterator<Item = (usize, u64)>,
        weighed: &mut Weighed,
    ) {
        weighed.cut(words);
        let mut at_clause = 0;
        each(words, &self.stems, |at, gram| {
            while weighed.clauses[at_clause].end <= at {
                at_clause += 1;
            }
            let sums = &mut weighed.clauses[at_clause].sums;
            match gram {
                Gram::Word(word, _) => {
                    self.words.get(word as usize).into_iter().for_each(|row| add(sums, row));
                }
                Gram::Pair(first, _) if self.begins.get(first as usize) == Some(&true) => {
                    gram.features().for_each(|key| self.add_row(sums, key));
                }
                Gram::Pair(..) => {}
                Gram::Negated(_) | Gram::Parts(_) => {
                    gram.features().for_each(|key| self.add_row(sums, key))
                }
            }
        });
        for (at, key) in hits {
            let clause = weighed.clauses.partition_point(|clause| clause.end <= at);
            self.add_row(&mut weighed.clauses[clause].sums, key);
        }
        weighed.add_up();
    }

    fn add_row(&self, sums: &mut Sums, key: u64) {
        if let Some(row) = self.rows.get(&key) {
            add(sums, &self.weights[*row as usize]);
        }
    }

    /// The score of an aspect in the weighed sentence, in 65,536ths of a logit.
    pub(crate) fn score(&self, weighed: &Weighed, column: usize) -> i64 {
        i64::from(weighed.total[column]) * self.scale + self.intercepts[column]
    }

    /// The aspects that the weighed sentence is about.
    pub(crate) fn findings(&self, weighed: &Weighed, mut found: impl FnMut(Finding)) {
        for column in 0..PRAISE {
            let score = self.score(weighed, column);
            if score >= self.spoken
                && let Some(clause) = weighed.loudest(column)
            {
                let margin = self.margin(weighed, Some(clause));
                let score = score * 1_000 / LOGIT;
                found(Finding { column, words: (clause.first, clause.end), margin, score });
            }
        }
    }

    /// Praise or blame of the clause with this word, before the stars, in thousandths.
    pub(crate) fn margin_at(&self, weighed: &Weighed, word: usize) -> i32 {
        self.margin(weighed, weighed.clauses.iter().find(|clause| word < clause.end))
    }

    /// Praise or blame of all weighed words, before the stars, in thousandths.
    pub(crate) fn margin_of_all(&self, weighed: &Weighed) -> i32 {
        self.margin(weighed, None)
    }

    /// The margin on the scale of [`PER_STAR`]. It is never as large as the margin of a pattern.
    fn margin(&self, weighed: &Weighed, clause: Option<&Clause>) -> i32 {
        let praise = |clause: &Clause| i64::from(clause.sums[PRAISE]);
        let sum = match clause {
            None => i64::from(weighed.total[PRAISE]),
            Some(clause) => {
                let same = weighed.clauses.iter().filter(|other| other.side == clause.side);
                let side: i64 = same.map(praise).sum();
                praise(clause) + (side - praise(clause)) / OUTSIDE
            }
        };
        let logits = sum * self.scale + self.intercepts[PRAISE];
        let margin = logits * i64::from(PER_STAR) * 100 / (self.star * STARS);
        let most = i64::from(VERDICT) - 1;
        margin.clamp(-most, most) as i32
    }
}

/// The letter of a column in the table.
#[must_use]
pub fn letter(column: usize) -> char {
    char::from(b'a' + column as u8)
}

/// Parses cells such as `a55k-38`.
fn read_cells(cells: &str) -> Option<[i8; LANES]> {
    let mut weights = [0; LANES];
    let mut rest = cells;
    while let Some(first) = rest.chars().next() {
        let column = (0..COLUMNS).find(|column| letter(*column) == first)?;
        let weight = &rest[1..];
        let end = weight.find(|c: char| c.is_ascii_lowercase()).unwrap_or(weight.len());
        weights[column] = weight[..end].parse().ok()?;
        rest = &weight[end..];
    }
    Some(weights)
}

fn add<W: Copy + Into<i32>>(sums: &mut Sums, weights: &[W; LANES]) {
    for (sum, weight) in sums.iter_mut().zip(weights) {
        *sum += (*weight).into();
    }
}

impl Weighed {
    /// Starts a sentence: divides it into its clauses, at least one.
    fn cut(&mut self, words: &[Word]) {
        self.clauses.clear();
        let (mut first, mut side) = (0, 0);
        for (at, word) in words.iter().enumerate() {
            let (ends, begins) = (word.class & ENDS != 0, word.class & BEGINS != 0);
            let cut = at + usize::from(ends);
            if cut > first && cut < words.len() && (ends || begins) {
                self.clauses.push(Clause { first, end: cut, side, sums: [0; LANES] });
                first = cut;
            }
            side += usize::from(begins);
        }
        self.clauses.push(Clause { first, end: words.len(), side, sums: [0; LANES] });
    }

    fn add_up(&mut self) {
        self.total = [0; LANES];
        for clause in &self.clauses {
            for (total, sum) in self.total.iter_mut().zip(clause.sums) {
                *total += sum;
            }
        }
    }

    /// Whether the words speak of the aspect, and of no other one twice as clearly.
    pub(crate) fn is_about(&self, column: usize) -> bool {
        let own = self.total[column];
        own > 0 && self.total[..PRAISE].iter().all(|other| *other <= 2 * own)
    }

    /// The words of the clause with this word: the first, and the one after the last.
    pub(crate) fn clause_at(&self, word: usize) -> (usize, usize) {
        let clause = self.clauses.iter().find(|clause| word < clause.end);
        clause.map_or((word, word), |clause| (clause.first, clause.end))
    }

    /// The clause with the highest score for the aspect; the first of equal ones.
    fn loudest(&self, column: usize) -> Option<&Clause> {
        self.clauses.iter().rev().max_by_key(|clause| clause.sums[column])
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::language::Language;

    #[test]
    fn the_shipped_tables_are_well_formed() {
        for language in Language::all().filter(|language| language.is_read()) {
            let tables = language.detectors();
            for detector in Detector::parse(tables, &mut Lexicon::new(language)).unwrap() {
                assert!((1..=60_000).contains(&detector.weights.len()));
                assert!(detector.scale > 0 && detector.star > 0);
            }
        }
        for (table, line) in [
            ("x", 1),
            ("# a\nw:late\tz1", 2),
            ("w:late\ta1b", 1),
            ("w:late\ta128", 1),
            ("@star\t0", 1),
        ] {
            assert_eq!(
                Detector::parse([table], &mut Lexicon::new(Language::english()))
                    .unwrap_err()
                    .to_string(),
                format!("line {line} of the model is not a row")
            );
        }
    }
}
