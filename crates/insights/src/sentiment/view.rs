//! A sentence from the position of one target. The target is one item, and clauses are counted from
//! it.

use super::{
    lexicon::{NUMBER, OTHER, TARGET, UNKNOWN, class},
    valence::Sentence,
};

/// The number of items after a negation that are negated.
const NEGATION_REACH: u32 = 4;
/// exp(-d/6) for d = 0, 1, …; smaller than 1e-6 after the end.
const DECAY: [f64; 84] = decay();

const fn decay() -> [f64; 84] {
    // e^(-1/6), to the last bit of a double. Its products are rounded the same way on every
    // machine.
    const STEP: f64 = 0.846_481_724_890_614_1;
    let mut table = [1.0; 84];
    let mut at = 1;
    while at < table.len() {
        table[at] = table[at - 1] * STEP;
        at += 1;
    }
    table
}

/// exp(-d/6).
pub(crate) fn decayed(distance: usize) -> f64 {
    DECAY.get(distance).copied().unwrap_or(0.0)
}

/// A word, the target, or a word of another target.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Item {
    /// Twice the word's number, plus one after a negation.
    pub(crate) code: u32,
    pub(crate) class: u16,
    /// The valence; 0 for the target.
    pub(crate) valence: f64,
    /// The number of the clause. Clauses end at colons, stops and contrasts.
    pub(crate) clause: u16,
    /// The number of the part. Parts also end at commas.
    pub(crate) part: u16,
}

impl Item {
    /// Whether the word is in the lexicon.
    pub(crate) fn is_known(&self) -> bool {
        self.code >> 1 != UNKNOWN
    }
}

/// A sentence from the position of one target.
#[derive(Debug, Default)]
pub(crate) struct View {
    pub(crate) items: Vec<Item>,
    /// The position of the target.
    pub(crate) at: usize,
    /// The valence of the target's own words.
    pub(crate) own_valence: f64,
    /// The number of other targets in the sentence.
    pub(crate) others: usize,
}

impl View {
    /// Sets the target to the words `target` of the sentence. `others` are the other targets, in
    /// order.
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

    /// The score of the rules: the valence of every word, decreasing with the distance and with
    /// separators in between.
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
