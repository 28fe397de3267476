//! Needles with two spaces or more: an ending, whole words, a beginning.

use std::ops::Range;

use super::{
    bitmap::Bitmap, corpus::Corpus, dictionary::NOTHING, postings::Places, table::HashTable,
};

/// Lists that are merged one by one; more are not worth it.
const MERGED: usize = 24;

/// What it takes to put a number into a hash table, look for one there, and read a text's words at
/// one place, in the time it takes to merge a number.
const INSERT: usize = 3;
const PROBE: usize = 2;
const READ: usize = 40;

/// A needle's words, taken from the dictionary.
#[derive(Debug)]
pub(super) struct NeedlePhrase<'a> {
    corpus: &'a Corpus,
    /// The ending places that may come first.
    ending: Range<u32>,
    /// At least one.
    middle: &'a [u32],
    /// The words that may come last.
    beginning: Range<u32>,
}

/// Two neighbours of the phrase, as sorted lists of where the second one occurs.
struct Step<'a> {
    /// How far the second one is from the phrase's first whole word.
    distance: u32,
    lists: Vec<&'a [u32]>,
    total: usize,
}

impl<'a> Step<'a> {
    fn new(distance: usize, lists: Vec<&'a [u32]>) -> Self {
        let total = lists.iter().map(|list| list.len()).sum();
        Self { distance: distance as u32, lists, total }
    }

    fn is_merged(&self) -> bool {
        self.lists.len() <= MERGED
    }

    /// Where the first whole word would be, list by list.
    fn candidates(&self, places: Places) -> Vec<u32> {
        let all = self.lists.iter().flat_map(|list| list.iter());
        // The second word of this pair needs room for the phrase's words before it.
        let with_room = all.filter(|&&at| places.place(at) > self.distance);
        with_room.map(|at| at - self.distance).collect()
    }

    /// Keeps the candidates that this step has too.
    fn join(&self, candidates: &mut Vec<u32>, places: Places) {
        let table = HashTable::new(candidates);
        let all = self.lists.iter().flat_map(|list| list.iter());
        let with_room = all.filter(|&&at| places.place(at) > self.distance);
        let met = with_room.map(|at| at - self.distance).filter(|at| table.contains(*at));
        *candidates = met.collect();
    }

    /// The same of sorted candidates, by sorted lists.
    fn retain(&self, candidates: &mut Vec<u32>) {
        let mut kept = Vec::with_capacity(candidates.len().min(self.total));
        for list in &self.lists {
            merge(candidates, list, self.distance, &mut kept);
        }
        if self.lists.len() > 1 {
            kept.sort();
        }
        *candidates = kept;
    }
}

/// How candidates of the rarest step are tried.
#[derive(Clone, Copy, Debug)]
enum PhrasePlan {
    /// Against the sorted lists of every other step.
    Merge,
    /// Against the lists of every other step, by a hash table.
    Join,
    /// Against the words of their texts.
    Read,
}

impl PhrasePlan {
    fn new(rarest: &Step<'_>, others: &[Step<'_>]) -> Self {
        let candidates = rarest.total;
        let read = candidates * READ;
        // Galloping passes most of a list that is much longer.
        let merged = others.iter().map(|step| step.total.min(candidates * 8) + candidates);
        let few = rarest.is_merged() && others.iter().all(Step::is_merged);
        let joined = others.iter().map(|step| step.total * PROBE + candidates * INSERT);
        let (merge, join) = (merged.sum::<usize>(), joined.sum::<usize>());
        let (cheapest, plan) = match few && merge <= join {
            true => (merge, Self::Merge),
            false => (join, Self::Join),
        };
        if cheapest <= read { plan } else { Self::Read }
    }
}

impl<'a> NeedlePhrase<'a> {
    pub(super) fn new(
        corpus: &'a Corpus,
        ending: Range<u32>,
        middle: &'a [u32],
        beginning: Range<u32>,
    ) -> Self {
        Self { corpus, ending, middle, beginning }
    }

    /// Adds the reviews that hold the phrase.
    pub(super) fn add_to(&self, reviews: &mut Bitmap) {
        let mut steps = self.steps();
        steps.sort_by_key(|step| step.total);
        if let Some((rarest, others)) = steps.split_first() {
            self.run(PhrasePlan::new(rarest, others), rarest, others, reviews);
        }
    }

    fn run(&self, plan: PhrasePlan, rarest: &Step<'_>, others: &[Step<'_>], reviews: &mut Bitmap) {
        let places = self.corpus.postings.places;
        let mut candidates = rarest.candidates(places);
        match plan {
            PhrasePlan::Merge => {
                candidates.sort();
                others.iter().for_each(|step| step.retain(&mut candidates));
            }
            PhrasePlan::Join => others.iter().for_each(|step| step.join(&mut candidates, places)),
            PhrasePlan::Read => return self.add_read(candidates, reviews),
        }
        self.add_placed(&candidates, reviews);
    }

    /// The pairs the phrase consists of. An empty ending or beginning is no pair: it only asks that
    /// there be a word.
    fn steps(&self) -> Vec<Step<'a>> {
        let postings = &self.corpus.postings;
        let (first, last) = (self.middle[0], self.middle[self.middle.len() - 1]);
        let mut steps = Vec::new();
        if self.ending != self.corpus.dictionary.all_places() {
            let pairs = postings.preceded(first, &self.ending);
            steps.push(Step::new(0, pairs.map(|pair| postings.of_pairs(pair..pair + 1)).collect()));
        }
        for (at, pair) in self.middle.windows(2).enumerate() {
            let place = self.corpus.dictionary.ending_place(pair[0]);
            let pairs = postings.preceded(pair[1], &(place..place + 1));
            steps.push(Step::new(at + 1, vec![postings.of_pairs(pairs)]));
        }
        if self.beginning != self.corpus.dictionary.all_words() {
            let place = self.corpus.dictionary.ending_place(last);
            let pairs = postings.followed(place, &self.beginning).iter();
            let lists = pairs.map(|&pair| postings.of_pairs(pair..pair + 1)).collect();
            steps.push(Step::new(self.middle.len(), lists));
        }
        if steps.is_empty() {
            let pairs = postings.pairs_of(first);
            let pairs = pairs.filter(|&pair| postings.before(pair) != NOTHING);
            steps.push(Step::new(0, pairs.map(|pair| postings.of_pairs(pair..pair + 1)).collect()));
        }
        steps
    }

    /// Of candidates that every step has: only whether enough words follow is open.
    fn add_placed(&self, candidates: &[u32], reviews: &mut Bitmap) {
        let places = self.corpus.postings.places;
        for &candidate in candidates {
            let (review, place) = (places.review(candidate), places.place(candidate));
            let length = self.corpus.words.length(review);
            if place + (self.middle.len() as u32) < length {
                reviews.insert(review);
            }
        }
    }

    /// Of candidates of one step: the text's words decide.
    fn add_read(&self, mut candidates: Vec<u32>, reviews: &mut Bitmap) {
        let places = self.corpus.postings.places;
        // In their own order the texts come one after the other into the cache.
        candidates.sort_unstable();
        for candidate in candidates {
            let (review, place) = (places.review(candidate), places.place(candidate) as usize);
            if !reviews.contains(review) && self.stands_at(review, place) {
                reviews.insert(review);
            }
        }
    }

    fn stands_at(&self, review: u32, place: usize) -> bool {
        let words = self.corpus.words.of(review);
        let Some(before) = place.checked_sub(1).and_then(|at| words.get(at)) else { return false };
        let Some((middle, [last, ..])) = words[place..].split_at_checked(self.middle.len()) else {
            return false;
        };
        middle == self.middle
            && self.beginning.contains(last)
            && self.ending.contains(&self.corpus.dictionary.ending_place(*before))
    }
}

/// Appends the candidates for which the sorted list has the number at this distance.
fn merge(candidates: &[u32], list: &[u32], distance: u32, kept: &mut Vec<u32>) {
    let mut list = list;
    let mut candidates = candidates;
    while let (Some(&candidate), Some(&at)) = (candidates.first(), list.first()) {
        // What overflows into the next text is refused when both sides are looked at.
        let wanted = candidate.saturating_add(distance);
        match wanted.cmp(&at) {
            std::cmp::Ordering::Equal => {
                kept.push(candidate);
                candidates = &candidates[1..];
                list = &list[1..];
            }
            std::cmp::Ordering::Less => {
                candidates = &candidates[gallop(candidates, |c| c.saturating_add(distance) < at)..];
            }
            std::cmp::Ordering::Greater => list = &list[gallop(list, |at| at < wanted)..],
        }
    }
}

/// How many numbers at the start of a sorted list hold, where those that hold come first.
fn gallop(list: &[u32], holds: impl Fn(u32) -> bool) -> usize {
    let mut step = 1;
    while step < list.len() && holds(list[step]) {
        step *= 2;
    }
    let start = step / 2;
    let end = list.len().min(step + 1);
    start + list[start..end].partition_point(|&at| holds(at))
}

#[cfg(test)]
mod tests {
    use contract::model::Rating;

    use super::*;
    use crate::index::{IndexEntry, Tuning};

    /// Texts of three words in every order, so that every phrase has many neighbours.
    fn texts() -> Vec<String> {
        let word = |n: usize| ["on", "non", "time"][n % 3];
        let texts = (0..700_usize).map(|seed| {
            let words = (0..seed % 7).map(|at| word(seed / 3_usize.pow(at as u32)));
            words.collect::<Vec<_>>().join(" ")
        });
        texts.collect()
    }

    #[test]
    fn every_plan_finds_the_same() {
        let texts = texts();
        let entries: Vec<IndexEntry<'_>> = texts
            .iter()
            .map(|text| {
                IndexEntry::new(
                    "2026-01-01".parse().unwrap(),
                    Rating::try_from(5).unwrap(),
                    Some(text),
                )
            })
            .collect();
        let corpus = Corpus::build(&entries, &Tuning::default()).unwrap();
        for needle in
            ["n on t", "on time on", " on ", "e non on n", " time on time ", "time time o"]
        {
            let parts: Vec<&[u8]> = needle.as_bytes().split(|&byte| byte == b' ').collect();
            let words = parts[1..parts.len() - 1].iter();
            let middle: Vec<u32> =
                words.map(|word| corpus.dictionary.exact(word).unwrap()).collect();
            let ending = corpus.dictionary.ending_with(parts[0]);
            let beginning = corpus.dictionary.beginning_with(parts[parts.len() - 1]);
            let phrase = NeedlePhrase::new(&corpus, ending, &middle, beginning);
            let holds = |review: &u32| texts[*review as usize].contains(needle);
            let expected: Vec<u32> = (0..700).filter(holds).collect();
            assert!(!expected.is_empty(), "{needle}");
            let steps = phrase.steps();
            for rarest in 0..steps.len() {
                let mut steps = phrase.steps();
                steps.swap(0, rarest);
                for plan in [PhrasePlan::Merge, PhrasePlan::Join, PhrasePlan::Read] {
                    let mut found = Bitmap::new(texts.len());
                    phrase.run(plan, &steps[0], &steps[1..], &mut found);
                    let found: Vec<u32> = found.iter_from(0).collect();
                    assert_eq!(found, expected, "{needle} {plan:?} {rarest}");
                }
            }
        }
    }
}
