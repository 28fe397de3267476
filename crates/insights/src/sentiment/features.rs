//! The linear model's features of one target in one sentence.
//!
//! A feature is a number: its kind, then up to three words or one small parameter. Values are in
//! 256ths, rounded half up, so that sums are integers. Training and scoring share this file.

use super::{
    lexicon::{UNKNOWN, WordId, class},
    valence::{Sentence, Word},
    view::{Item, View, decayed},
};

/// The integer for a value of 1.
pub const UNIT: i32 = 256;

/// Kinds of features; their names are in [`super::feature_names`].
pub(crate) mod kind {
    macro_rules! kinds {
        ($($name:ident)+) => { kinds!(@ 0; $($name)+); };
        (@ $at:expr; $name:ident $($rest:ident)*) => {
            pub(crate) const $name: u64 = $at;
            kinds!(@ $at + 1; $($rest)*);
        };
        (@ $at:expr;) => {};
    }
    kinds! {
        SENTENCE CLAUSE NEAR LEFT_1 LEFT_2 LEFT_3 RIGHT_1 RIGHT_2 RIGHT_3 BIGRAM PREDICATE TARGET_WORD TARGET_HEAD
        AROUND_01 AROUND_02 AROUND_10 AROUND_11 AROUND_12 AROUND_20 AROUND_21
        BIAS RULE RULE_BIN POSITIVE NEGATIVE CLAUSE_POSITIVE CLAUSE_NEGATIVE TOTAL_POSITIVE TOTAL_NEGATIVE
        HAS_POSITIVE HAS_NEGATIVE HAS_BOTH PART_MASS COMPOUND COMPOUND_BIN CLAUSE_COMPOUND CLAUSE_COMPOUND_BIN
        NEAREST NEAREST_INVERSE NEAREST_NONE OTHERS LENGTH ASKS EXCLAIMS CONTRASTS NEGATES CLAUSE_NEGATES MODAL
    }
}

const KIND_SHIFT: u32 = 54;
const WORD_BITS: u32 = 18;

/// The key of a feature of words, or of one parameter.
pub(crate) fn key(kind: u64, words: [u32; 3]) -> u64 {
    let words = words.iter().fold(0, |all, word| all << WORD_BITS | u64::from(*word));
    kind << KIND_SHIFT | words
}

/// The kind and the words of a key.
pub(crate) fn parts(key: u64) -> (u64, [u32; 3]) {
    let word = |at: u32| (key >> (WORD_BITS * at)) as u32 & ((1 << WORD_BITS) - 1);
    (key >> KIND_SHIFT, [word(2), word(1), word(0)])
}

/// The edges of the bins of the rule score.
const RULE_EDGES: [f64; 12] =
    [-2.5, -1.5, -0.8, -0.4, -0.15, -0.02, 0.02, 0.15, 0.4, 0.8, 1.5, 2.5];
/// The edges of the bins of a compound.
const COMPOUND_EDGES: [f64; 6] = [-0.6, -0.3, -0.05, 0.05, 0.3, 0.6];
/// The edges of the bins of a mass in a part of a clause.
const MASS_EDGES: [f64; 3] = [0.01, 1.5, 3.0];
/// The edges of the bins of the distance to the nearest word with a valence.
const NEAREST_EDGES: [usize; 5] = [2, 3, 5, 8, 13];
/// The edges of the bins of a sentence's length.
const LENGTH_EDGES: [usize; 4] = [6, 12, 20, 30];
/// The maximum distance in words of a word near the target.
const NEAR: usize = 5;
/// 1/sqrt(d) and 1/d in 256ths, by the distance d.
const INVERSE_ROOT: [i32; NEAR + 1] = [0, 256, 181, 148, 128, 114];

/// Receives features with their values in 256ths. A feature may occur several times; its values add
/// up.
pub(crate) trait Sink {
    fn add(&mut self, key: u64, value: i32);
}

impl<F: FnMut(u64, i32)> Sink for F {
    fn add(&mut self, key: u64, value: i32) {
        self(key, value);
    }
}

/// Emits every feature of the view's target.
pub(crate) fn extract(view: &View, sentence: &Sentence, target: &[Word], sink: &mut impl Sink) {
    words(view, sink);
    around(view, sink);
    predicate(view, sink);
    for word in target {
        known(sink, kind::TARGET_WORD, [word.id << 1, 0, 0], scaled(0.7));
    }
    if let Some(last) = target.last() {
        known(sink, kind::TARGET_HEAD, [last.id << 1, 0, 0], scaled(0.7));
    }
    valences(view, sentence, sink);
    nearest(view, sink);
    sentence_wide(view, sentence, sink);
}

/// The value in 256ths, rounded half up.
fn scaled(value: f64) -> i32 {
    (value * f64::from(UNIT) + 0.5).floor() as i32
}

fn known(sink: &mut impl Sink, kind: u64, codes: [u32; 3], value: i32) {
    if codes[0] >> 1 != UNKNOWN {
        sink.add(key(kind, codes), value);
    }
}

fn words(view: &View, sink: &mut impl Sink) {
    let clause = view.target().clause;
    let first = view.items.iter().position(|item| item.clause == clause).unwrap_or(0);
    for (at, item) in view.items.iter().enumerate() {
        let distance = at.abs_diff(view.at);
        if distance == 0 || !item.is_known() {
            continue;
        }
        let code = [item.code, 0, 0];
        sink.add(key(kind::SENTENCE, code), UNIT / 2);
        if distance <= NEAR {
            sink.add(key(kind::NEAR, code), INVERSE_ROOT[distance]);
        }
        if distance <= 3 {
            let base = if at < view.at { kind::LEFT_1 } else { kind::RIGHT_1 };
            sink.add(key(base + distance as u64 - 1, code), scaled(0.7));
        }
        if item.clause != clause {
            continue;
        }
        let is_first = |earlier: &Item| earlier.code != item.code;
        if view.items[first..at].iter().all(is_first) {
            sink.add(key(kind::CLAUSE, code), UNIT);
        }
        if let Some(next) =
            view.items.get(at + 1).filter(|next| distance <= NEAR && next.is_known())
        {
            let pair = (item.code, next.code);
            let earlier = view.items[first.max(view.at.saturating_sub(NEAR))..at]
                .windows(2)
                .any(|two| (two[0].code, two[1].code) == pair);
            if !earlier {
                sink.add(key(kind::BIGRAM, [item.code, next.code, 0]), scaled(0.7));
            }
        }
    }
}

/// Every n-gram of 2 to 4 words that contains the target, from two words before to two words after.
fn around(view: &View, sink: &mut impl Sink) {
    const SHAPES: [(u64, usize, usize); 7] = [
        (kind::AROUND_01, 0, 1),
        (kind::AROUND_02, 0, 2),
        (kind::AROUND_10, 1, 0),
        (kind::AROUND_11, 1, 1),
        (kind::AROUND_12, 1, 2),
        (kind::AROUND_20, 2, 0),
        (kind::AROUND_21, 2, 1),
    ];
    for (kind, left, right) in SHAPES {
        let Some(from) = view.at.checked_sub(left) else { continue };
        let Some(items) = view.items.get(from..=view.at + right) else { continue };
        let mut codes = [0; 3];
        let around = items.iter().enumerate().filter(|(at, _)| from + at != view.at);
        let mut known = true;
        for (slot, (_, item)) in codes.iter_mut().zip(around) {
            *slot = item.code;
            known &= item.is_known();
        }
        if known {
            sink.add(key(kind, codes), scaled(0.7));
        }
    }
}

/// The predicate of the target: the words after "is", "was really" and the like.
fn predicate(view: &View, sink: &mut impl Sink) {
    let behind = &view.items[view.at + 1..];
    let skipped = behind.iter().take(4).take_while(|item| item.class & class::BE != 0).count();
    if skipped == 0 {
        return;
    }
    for (item, value) in behind[skipped..].iter().zip([UNIT, scaled(0.7)]) {
        known(sink, kind::PREDICATE, [item.code, 0, 0], value);
    }
}

fn bin(value: f64, edges: &[f64]) -> u32 {
    edges.iter().filter(|edge| **edge <= value).count() as u32
}

fn flag(sink: &mut impl Sink, kind: u64, parameter: u32) {
    sink.add(key(kind, [0, 0, parameter]), UNIT);
}

fn valences(view: &View, sentence: &Sentence, sink: &mut impl Sink) {
    let target = view.target();
    let rule = view.rule_score(sentence.classes & class::EXCLAMATION != 0);
    sink.add(key(kind::RULE, [0; 3]), scaled(rule / 2.0));
    flag(sink, kind::RULE_BIN, bin(rule, &RULE_EDGES));
    // Positive and negative mass: weighted by distance, in the clause, in the sentence, in the
    // part.
    let mut mass = [[0.0; 2]; 4];
    for (at, item) in view.items.iter().enumerate().filter(|(_, item)| item.valence != 0.0) {
        let sign = usize::from(item.valence < 0.0);
        let size = item.valence.abs();
        mass[0][sign] += size * decayed(at.abs_diff(view.at));
        mass[2][sign] += size;
        if item.clause == target.clause {
            mass[1][sign] += size;
        }
        if item.part == target.part {
            mass[3][sign] += size;
        }
    }
    let [near, clause, total, part] = mass;
    let masses: [(u64, f64, f64, f64); 6] = [
        (kind::POSITIVE, near[0], f64::MAX, 2.0),
        (kind::NEGATIVE, near[1], f64::MAX, 2.0),
        (kind::CLAUSE_POSITIVE, clause[0], 6.0, 3.0),
        (kind::CLAUSE_NEGATIVE, clause[1], 6.0, 3.0),
        (kind::TOTAL_POSITIVE, total[0], 8.0, 4.0),
        (kind::TOTAL_NEGATIVE, total[1], 8.0, 4.0),
    ];
    for (kind, mass, cap, by) in masses {
        let mass = if mass > cap { cap } else { mass };
        sink.add(key(kind, [0; 3]), scaled(mass / by));
    }
    flag(sink, kind::HAS_POSITIVE, u32::from(clause[0] > 0.0));
    flag(sink, kind::HAS_NEGATIVE, u32::from(clause[1] > 0.0));
    flag(sink, kind::HAS_BOTH, u32::from(total[0] > 0.0) * 2 + u32::from(total[1] > 0.0));
    flag(sink, kind::PART_MASS, bin(part[0], &MASS_EDGES) * 4 + bin(part[1], &MASS_EDGES));
    compounds(view, sentence, target, sink);
}

fn compounds(view: &View, sentence: &Sentence, target: &Item, sink: &mut impl Sink) {
    let whole = Sentence::compound(&sentence.words);
    let clause = view.items.iter().filter(|item| item.clause == target.clause);
    let sum: f64 = clause.map(|item| item.valence).sum::<f64>() + view.own_valence;
    let clause = sum / (sum * sum + 15.0).sqrt();
    for (kind, bins, compound) in [
        (kind::COMPOUND, kind::COMPOUND_BIN, whole),
        (kind::CLAUSE_COMPOUND, kind::CLAUSE_COMPOUND_BIN, clause),
    ] {
        sink.add(key(kind, [0; 3]), scaled(compound));
        sink.add(key(bins, [0, 0, bin(compound, &COMPOUND_EDGES)]), scaled(0.7));
    }
}

fn nearest(view: &View, sink: &mut impl Sink) {
    let target = view.target();
    let right = view.items[view.at + 1..].iter().enumerate().find(|(_, item)| item.valence != 0.0);
    let left = view.items[..view.at].iter().rev().enumerate().find(|(_, item)| item.valence != 0.0);
    for (side, found) in [(0, left), (1, right)] {
        let Some((between, item)) = found else {
            flag(sink, kind::NEAREST_NONE, side);
            continue;
        };
        let distance = between + 1;
        let sign = side * 2 + u32::from(item.valence < 0.0);
        let edges = NEAREST_EDGES.iter().filter(|edge| **edge <= distance).count() as u32;
        let elsewhere =
            u32::from(item.clause != target.clause) * 2 + u32::from(item.part != target.part);
        flag(sink, kind::NEAREST, (sign * 8 + edges) * 4 + elsewhere);
        let inverse = (2 * UNIT as usize + distance) / (2 * distance);
        sink.add(key(kind::NEAREST_INVERSE, [0, 0, sign]), inverse as i32);
    }
}

fn sentence_wide(view: &View, sentence: &Sentence, sink: &mut impl Sink) {
    flag(sink, kind::BIAS, 0);
    flag(sink, kind::OTHERS, view.others.min(3) as u32);
    let length = LENGTH_EDGES.iter().filter(|edge| **edge <= view.items.len()).count() as u32;
    sink.add(key(kind::LENGTH, [0, 0, length]), UNIT / 2);
    let clause = view.target().clause;
    let in_clause = view.items.iter().filter(|item| item.clause == clause);
    let clause_classes = in_clause.fold(0, |all, item| all | item.class);
    for (kind, holds) in [
        (kind::ASKS, sentence.classes & class::QUESTION),
        (kind::EXCLAIMS, sentence.classes & class::EXCLAMATION),
        (kind::CONTRASTS, sentence.classes & class::CONTRAST),
        (kind::NEGATES, sentence.classes & class::NEGATION),
        (kind::CLAUSE_NEGATES, clause_classes & class::NEGATION),
        (kind::MODAL, sentence.classes & class::MODAL),
    ] {
        if holds != 0 {
            flag(sink, kind, 0);
        }
    }
}

/// The code of a word in a key.
pub(crate) fn code(word: WordId, negated: bool) -> u32 {
    word << 1 | u32::from(negated)
}
