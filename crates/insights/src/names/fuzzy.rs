//! Misspelt names, for the technicians for whom the owner allows it.

use super::{NameKind, Target, is_whole_word};
use crate::language::Language;
use contract::text::fold;

/// The minimum length of a name that may be misspelt, because shorter names resemble too many
/// words.
const SHORTEST: usize = 5;
/// The length from which two errors are allowed.
const LONG: usize = 8;

/// Single-word names that may be misspelt.
#[derive(Debug, Default)]
pub(super) struct Fuzzy {
    names: Vec<(String, Target)>,
    exact: Vec<String>,
}

impl Fuzzy {
    /// Keeps the names that may be misspelt. `exact` has all names: a name is not a misspelling of another one.
    pub(super) fn new(names: Vec<(String, Target)>, exact: Vec<String>) -> Self {
        let fits = |(name, target): &(String, Target)| {
            target.0 == NameKind::Technician
                && name.chars().count() >= SHORTEST
                && name.chars().all(char::is_alphabetic)
        };
        Self { names: names.into_iter().filter(fits).collect(), exact }
    }

    /// The targets of misspelt names in `text`, outside `taken`. A word counts only if it has a
    /// capital letter and the right first letter. If two names are equally similar, none counts.
    pub(super) fn find(
        &self,
        text: &str,
        taken: &[String],
        language: &Language,
        found: &mut Vec<Target>,
    ) {
        if self.names.is_empty() {
            return;
        }
        for word in text.split(|c: char| !c.is_alphabetic() && c != '\u{301}') {
            if word.starts_with(char::is_uppercase) && word.chars().count() + 2 >= SHORTEST {
                let folded = fold(word);
                if !self.exact.contains(&folded)
                    && !taken.contains(&folded)
                    && !language.is_word(&folded)
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

/// The words of `folded` at whole-word positions, so that a found name is not found again.
pub(super) fn words(folded: &str, spans: &[(usize, usize)]) -> Vec<String> {
    let in_span = spans.iter().filter(|(start, end)| is_whole_word(folded, *start, *end));
    in_span.flat_map(|(start, end)| folded[*start..*end].split(' ').map(str::to_owned)).collect()
}
