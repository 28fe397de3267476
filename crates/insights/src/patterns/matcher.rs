//! Finds patterns in a sentence.

use super::{
    Sign,
    compile::{Pattern, PatternSet},
    element::{Element, bit},
    near::{Entry, Surroundings},
};
use crate::sentiment::lexicon::{WordId, class};

/// A match of a pattern in a sentence.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Hit {
    /// The number of the subject.
    pub(crate) about: u16,
    pub(crate) sign: Sign,
    /// The words of the match in the sentence: the first, and the one after the last.
    pub(crate) words: (usize, usize),
    /// Whether the pattern is shipped and not the owner's.
    pub(crate) shipped: bool,
    /// The number of the pattern, for ties.
    pattern: u32,
}

/// The maximum distance in words of a negation before a pattern.
const NEGATION_REACH: usize = 3;

/// The maximum number of words between two matches that conflict.
const COLLISION_REACH: usize = 2;

/// Finds patterns in sentences, one after the other.
#[derive(Debug, Default)]
pub(crate) struct Matcher {
    /// The sentence without hyphens and quotation marks: word, class, position in the sentence.
    words: Vec<(WordId, u16, usize)>,
    /// The bits of the same words.
    bits: Vec<u128>,
    hits: Vec<Hit>,
    /// Memory for the selection.
    kept: Vec<Hit>,
}

impl Matcher {
    /// All matches in the order of their positions. Of overlapping matches about the same subject
    /// only the best is returned. `words` are number, class, and whether patterns ignore the word.
    pub(crate) fn find(
        &mut self,
        set: &PatternSet,
        words: impl Iterator<Item = (WordId, u16, bool)>,
    ) -> &[Hit] {
        self.words.clear();
        let seen = words.enumerate().filter(|(_, (_, _, mark))| !mark);
        self.words.extend(seen.map(|(at, (word, class, _))| (word, class, at)));
        self.bits.clear();
        self.bits.extend(self.words.iter().map(|(word, ..)| bit(*word)));
        self.hits.clear();
        for at in 0..self.words.len() {
            let Some(patterns) = set.index.get(self.words[at].0 as usize) else { continue };
            if patterns.is_empty() {
                continue;
            }
            let before = Surroundings::of(self.bits[..at].iter().rev());
            let behind = Surroundings::of(self.bits[at + 1..].iter());
            let near =
                |entry: &&Entry| entry.behind.may_be_in(&behind) && entry.before.may_be_in(&before);
            for entry in patterns.iter().filter(near) {
                let pattern = &set.patterns[entry.number as usize];
                if let Some((from, to)) = self.around(pattern, at) {
                    let turned = !pattern.negates && self.is_negated(set, from, to);
                    let sign = if turned { pattern.sign.turned() } else { pattern.sign };
                    let words = (self.words[from].2, self.words[to - 1].2 + 1);
                    self.hits.push(Hit {
                        about: pattern.about,
                        sign,
                        words,
                        shipped: entry.number < set.shipped,
                        pattern: entry.number,
                    });
                }
            }
        }
        self.choose();
        &self.hits
    }

    /// The position of the pattern if its anchor is at `at`.
    fn around(&self, pattern: &Pattern, at: usize) -> Option<(usize, usize)> {
        let (least, most) = pattern.lead;
        let earliest = at.saturating_sub(most);
        let latest = at.checked_sub(least)?;
        let first = pattern.elements.first()?;
        let may_begin = |from: &usize| first.may_begin(self.bits[*from]);
        (earliest..=latest).rev().filter(may_begin).find_map(|from| {
            let to = self.matches(&pattern.elements, from)?;
            (from <= at && at < to).then_some((from, to))
        })
    }

    /// The end of the elements if they begin at `from`.
    fn matches(&self, elements: &[Element], from: usize) -> Option<usize> {
        let Some((first, rest)) = elements.split_first() else { return Some(from) };
        match first {
            Element::Gap(most) => {
                for skipped in 0..=usize::from(*most) {
                    if let Some(to) = self.matches(rest, from + skipped) {
                        return Some(to);
                    }
                    let ends =
                        self.words.get(from + skipped).is_none_or(|(_, c, _)| c & class::STOP != 0);
                    if ends {
                        return None;
                    }
                }
                None
            }
            Element::Any { choice, optional, firsts } => {
                let first = self.words.get(from).map(|(word, ..)| *word);
                let first = first.filter(|_| firsts & self.bits[from] != 0);
                let phrases = first.map_or(&[][..], |first| choice.beginning_with(first));
                let found = phrases.iter().find_map(|(_, tail)| {
                    let words = self.words.get(from + 1..=from + tail.len())?;
                    let fits = words.iter().map(|(word, ..)| word).eq(tail.iter());
                    fits.then(|| self.matches(rest, from + 1 + tail.len()))?
                });
                found.or_else(|| optional.then(|| self.matches(rest, from))?)
            }
        }
    }

    /// Whether a negation applies to the match. In "never so rude" it does not.
    fn is_negated(&self, set: &PatternSet, from: usize, to: usize) -> bool {
        for back in 1..=NEGATION_REACH {
            let Some(at) = from.checked_sub(back) else { return false };
            let (_, bits, _) = self.words[at];
            if bits & (class::SEPARATOR | class::CONTRAST) != 0 {
                return false;
            }
            let follower = self.words.get(at + 1).map_or(0, |(_, class, _)| *class);
            if bits & class::NEGATION != 0 {
                let intensifies =
                    |(word, ..): &(WordId, u16, usize)| set.intensifiers.contains(word);
                if self.words[at..to].iter().any(intensifies) {
                    return false;
                }
                return !(bits & class::NOT != 0 && follower & class::NO_NEGATION != 0);
            }
        }
        false
    }

    /// Whether two matches about the same subject exclude each other: they overlap, or they have
    /// opposite signs with almost no words in between ("not a speck of dust").
    fn collide(&self, one: &Hit, other: &Hit) -> bool {
        let (first, second) =
            if one.words.0 <= other.words.0 { (one, other) } else { (other, one) };
        if second.words.0 < first.words.1 {
            return true;
        }
        let opposite =
            one.sign.is_verdict() && one.sign != Sign::Fact && one.sign.turned() == other.sign;
        let between =
            |(_, _, at): &&(WordId, u16, usize)| (first.words.1..second.words.0).contains(at);
        let ends = class::SEPARATOR | class::CONTRAST | class::AND;
        opposite
            && second.words.0 - first.words.1 <= COLLISION_REACH
            && !self.words.iter().filter(between).any(|(_, bits, _)| bits & ends != 0)
    }

    /// Selects from overlapping matches about the same subject: opinions before subjects, then the
    /// longest, then exclusions, then the first, then the earlier pattern.
    fn choose(&mut self) {
        let rank = |hit: &Hit| {
            let length = hit.words.1 - hit.words.0;
            let verdict = hit.sign.is_verdict() || hit.sign == Sign::Exclude;
            (!verdict, usize::MAX - length, hit.sign != Sign::Exclude, hit.words.0, hit.pattern)
        };
        self.hits.sort_unstable_by_key(|hit| (hit.about, rank(hit)));
        let mut kept = std::mem::take(&mut self.kept);
        kept.clear();
        for hit in &self.hits {
            let same = kept.iter().rev().take_while(|other| other.about == hit.about);
            if !same.clone().any(|other| self.collide(hit, other)) {
                kept.push(*hit);
            }
        }
        kept.sort_unstable_by_key(|hit| (hit.words.0, hit.about));
        self.kept = std::mem::replace(&mut self.hits, kept);
    }
}
