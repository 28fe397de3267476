//! Texts of different authors that are the same or nearly the same.

use std::collections::{BTreeMap, HashMap, HashSet};

use super::{Sign, Text};
use contract::text::fold;

/// The length of a run of words. Two texts are compared by the runs that both have.
const RUN: usize = 3;
/// The share of equal runs from which on texts are nearly the same.
const ALIKE: f64 = 0.6;
/// Runs of a text from which on two authors do not write it by chance: short praise is often the same.
const MIN_RUNS: usize = 12;
/// Texts that have a run, from which on it is a usual phrase.
const USUAL: usize = 200;
/// Authors of a text from which on the first is not believed either.
const SEVERAL: usize = 3;

pub(super) fn signs<'d>(texts: &[Text<'d>]) -> Vec<Sign<'d>> {
    // Oldest first: the first of a group may be the original.
    let texts = texts.iter().rev().map(|text| (text, text.words.windows(RUN).collect()));
    let (texts, runs): (Vec<&Text<'d>>, Vec<HashSet<&[String]>>) =
        texts.filter(|(_, runs): &(_, HashSet<_>)| runs.len() >= MIN_RUNS).unzip();
    let mut having: HashMap<&[String], Vec<usize>> = HashMap::new();
    for (at, runs) in runs.iter().enumerate() {
        runs.iter().for_each(|run| having.entry(*run).or_default().push(at));
    }
    having.retain(|_, texts| texts.len() <= USUAL);
    let authors: Vec<String> = texts.iter().map(|text| fold(&text.review.author)).collect();
    let mut groups: Vec<usize> = (0..texts.len()).collect();
    let (mut least, mut next) = (BTreeMap::new(), 0.0_f64);
    for (at, of) in runs.iter().enumerate() {
        let mut shared: BTreeMap<usize, usize> = BTreeMap::new();
        for other in of.iter().filter_map(|run| having.get(run)).flatten() {
            if *other < at && authors[*other] != authors[at] {
                *shared.entry(*other).or_default() += 1;
            }
        }
        for (other, count) in shared {
            let likeness = count as f64 / (of.len() + runs[other].len() - count) as f64;
            if likeness < ALIKE {
                next = next.max(likeness);
                continue;
            }
            let (from, to) = (groups[at].max(groups[other]), groups[at].min(groups[other]));
            groups.iter_mut().filter(|group| **group == from).for_each(|group| *group = to);
            let lowest: f64 =
                [from, to].iter().filter_map(|it| least.remove(it)).fold(likeness, f64::min);
            least.insert(to, lowest);
        }
    }
    let sign = |(group, likeness): (usize, f64)| {
        let of: Vec<_> =
            (0..texts.len()).filter(|at| groups[*at] == group).map(|at| texts[at].review).collect();
        let what = if likeness < 1.0 { "nearly the same" } else { "the same" };
        let [likeness, next] = [likeness, next].map(|share| share * 100.0);
        Sign {
            what: format!("{} authors wrote {what} text", of.len()),
            unusual: format!(
                "{likeness:.0} % of their words are the same, three in a row, and of any other two texts {next:.0} % at most"
            ),
            originals: usize::from(of.len() < SEVERAL),
            reviews: of,
            reason: "fake_suspected",
        }
    };
    least.into_iter().map(sign).collect()
}
