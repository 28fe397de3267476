//! Misspelt names, for the technicians whose owner asks for it.

use super::{Kind, Target, is_whole_word};
use contract::text::fold;

/// Shorter names have too many neighbours.
const SHORTEST: usize = 5;
/// From this length on two slips are forgiven.
const LONG: usize = 8;

/// Single-word names that may be misspelt.
#[derive(Debug, Default)]
pub(super) struct Fuzzy {
    names: Vec<(String, Target)>,
    exact: Vec<String>,
}

impl Fuzzy {
    /// `exact` are all names there are: a word that is somebody's name is nobody's slip.
    pub(super) fn new(names: Vec<(String, Target)>, exact: Vec<String>) -> Self {
        let fits = |(name, target): &(String, Target)| {
            target.0 == Kind::Technician
                && name.chars().count() >= SHORTEST
                && name.chars().all(char::is_alphabetic)
        };
        Self { names: names.into_iter().filter(fits).collect(), exact }
    }

    /// Whom the words of `text` outside `taken` mean by a slip. Only words with a capital count,
    /// the first letter must be right, and two people as near as each other are a tie for nobody.
    pub(super) fn find(&self, text: &str, taken: &[String], found: &mut Vec<Target>) {
        if self.names.is_empty() {
            return;
        }
        for word in text.split(|c: char| !c.is_alphabetic() && c != '\u{301}') {
            if word.starts_with(char::is_uppercase) && word.chars().count() + 2 >= SHORTEST {
                let folded = fold(word);
                if !self.exact.contains(&folded)
                    && !taken.contains(&folded)
                    && !crate::sentiment::lexicon::is_word(&folded)
                {
                    found.extend(self.nearest(&folded));
                }
            }
        }
    }

    fn nearest(&self, word: &str) -> Option<Target> {
        let mut best: Option<(usize, Target, bool)> = None;
        for (name, target) in &self.names {
            let allowed = if name.chars().count() >= LONG { 2 } else { 1 };
            let distance = strsim::damerau_levenshtein(name, word);
            if distance > allowed || name.chars().next() != word.chars().next() {
                continue;
            }
            best = Some(match best {
                Some((least, other, tie)) if distance > least => (least, other, tie),
                Some((least, other, tie)) if distance == least => {
                    (least, other, tie || other != *target)
                }
                _ => (distance, *target, false),
            });
        }
        best.filter(|(_, _, tie)| !tie).map(|(_, target, _)| target)
    }
}

/// The folded words of `folded` at whole-word places, so that a found name is not found again.
pub(super) fn words(folded: &str, spans: &[(usize, usize)]) -> Vec<String> {
    let in_span = spans.iter().filter(|(start, end)| is_whole_word(folded, *start, *end));
    in_span.flat_map(|(start, end)| folded[*start..*end].split(' ').map(str::to_owned)).collect()
}
