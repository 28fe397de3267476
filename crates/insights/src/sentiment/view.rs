//! A sentence seen from one target: the target is one item, clauses are counted from it.

use super::{
    lexicon::{NUMBER, OTHER, TARGET, UNKNOWN, class},
    valence::Sentence,
};

/// Items a negation marks behind itself.
const NEGATION_REACH: u32 = 4;
/// exp(-d/6) for d = 0, 1, …; nearer than 1e-6 to zero behind the end.
const DECAY: [f64; 84] = decay();

const fn decay() -> [f64; 84] {
    // e^(-1/6), to the last bit of a double; products of it are rounded the same way everywhere.
    const STEP: f64 = 0.846_481_724_890_614_1;
    let mut table = [1.0; 84];
    let mut at = 1;
    while at < table.len() {
        table[at] = table[at - 1] * STEP;
        at += 1;
    }
    table
}

/// exp(-d/6)
pub(crate) fn decayed(distance: usize) -> f64 {
    DECAY.get(distance).copied().unwrap_or(0.0)
}

/// A word, the target, or a word of another target.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Item {
    /// Twice the word's number, plus one behind a negation.
    pub(crate) code: u32,
    pub(crate) class: u16,
    /// 0 on the target.
    pub(crate) valence: f64,
    /// Clauses end at colons, stops and contrasts.
    pub(crate) clause: u16,
    /// … and these at commas too.
    pub(crate) part: u16,
}

impl Item {
    /// Whether a table can know the word at all.
    pub(crate) fn is_known(&self) -> bool {
        self.code >> 1 != UNKNOWN
    }
}

/// The sentence from one target's point of view.
#[derive(Debug, Default)]
pub(crate) struct View {
    pub(crate) items: Vec<Item>,
    /// Where the target is.
    pub(crate) at: usize,
    /// What the target's own words say.
    pub(crate) own_valence: f64,
    /// How many other targets the sentence has.
    pub(crate) others: usize,
}

impl View {
    /// Looks at the words `target` of the sentence; `others` are the other targets, in order.
    pub(crate) fn look(
        &mut self,
        sentence: &Sentence,
        target: (usize, usize),
        others: &[(usize, usize)],
    ) {
        self.items.clear();
        self.own_valence = sentence.words[target.0..target.1].iter().map(|word| word.valence).sum();
        self.others = others.len();
        let (mut clause, mut part, mut negated) = (0, 0, 0_u32);
        let mut at = 0;
        while at < sentence.words.len() {
            let word = &sentence.words[at];
            if at == target.0 {
                self.at = self.items.len();
                let code = TARGET << 1;
                self.items.push(Item { code, class: 0, valence: 0.0, clause, part });
                at = target.1.max(at + 1);
                negated = negated.saturating_sub(1);
                continue;
            }
            let is_other = others.iter().any(|(from, to)| (*from..*to).contains(&at));
            if word.class & (class::COLON | class::STOP | class::CONTRAST) != 0 {
                clause += 1;
            }
            if word.class & (class::SEPARATOR | class::CONTRAST) != 0 {
                part += 1;
            }
            let ends = word.class & (class::NEGATION_END | class::CONTRAST) != 0;
            let begins = sentence.negates(at);
            if ends || begins {
                negated = 0;
            }
            let id = if is_other { OTHER } else { word.id };
            let code = id << 1 | u32::from(negated > 0 && id != OTHER && id != NUMBER);
            self.items.push(Item { code, class: word.class, valence: word.valence, clause, part });
            negated = if begins { NEGATION_REACH } else { negated.saturating_sub(1) };
            at += 1;
        }
    }

    /// Score of the rules: every word's valence, less the farther and the more is between.
    pub(crate) fn rule_score(&self, exclaims: bool) -> f64 {
        let right = self.side(self.items[self.at + 1..].iter());
        let left = self.side(self.items[..self.at].iter().rev());
        let score = right + left + 0.6 * self.own_valence;
        if exclaims { score * 1.1 } else { score }
    }

    fn side<'i>(&self, items: impl Iterator<Item = &'i Item>) -> f64 {
        let (mut factor, mut sum) = (1.0, 0.0);
        for (at, item) in items.enumerate() {
            if item.class & class::COMMA != 0 {
                factor *= 0.75;
            } else if item.class & (class::COLON | class::STOP | class::CONTRAST) != 0 {
                factor *= 0.35;
            } else if item.class & class::AND != 0 {
                factor *= 0.92;
            } else if item.code >> 1 == OTHER {
                factor *= 0.8;
            }
            sum += item.valence * decayed(at + 1) * factor;
        }
        sum
    }

    /// The target itself.
    pub(crate) fn target(&self) -> &Item {
        &self.items[self.at]
    }
}
