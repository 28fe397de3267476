//! The features of a sentence for the detector: words, their parts, stems, pairs of neighbouring stems, stems
//! after a negation, patterns.

use crate::{
    aspects::BUILTIN,
    patterns::Sign,
    sentiment::lexicon::{Lexicon, UNKNOWN, WordId, class},
    sentiment::valence::{Word, negates},
};

/// The kinds of features.
mod kind {
    pub(super) const WORD: u64 = 0;
    pub(super) const STEM: u64 = 1;
    pub(super) const PAIR: u64 = 2;
    pub(super) const HIT: u64 = 3;
    pub(super) const NEGATED: u64 = 4;
    pub(super) const BEGINNING: u64 = 5;
    pub(super) const END: u64 = 6;
}

const WORD_BITS: u32 = 24;
/// The range of a negation in words.
const NEGATION_REACH: usize = 3;

/// A feature of the words of a sentence.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Gram {
    /// A word and its stem. Either may be [`UNKNOWN`].
    Word(WordId, WordId),
    /// The stems of two neighbours. [`UNKNOWN`] is the edge of the sentence.
    Pair(WordId, WordId),
    /// The stem of a word after a negation.
    Negated(WordId),
    /// The beginning and the end of a word. Either may be [`UNKNOWN`].
    Parts([WordId; 2]),
}

impl Gram {
    /// The keys of the features: of the word and of the stem, or of the pair.
    pub(crate) fn features(self) -> impl Iterator<Item = u64> {
        let one = |kind: u64, id: WordId| (id != UNKNOWN).then(|| key(kind, id, 0));
        match self {
            Self::Word(word, stem) => [one(kind::WORD, word), one(kind::STEM, stem)],
            Self::Pair(first, second) => [Some(key(kind::PAIR, first, second)), None],
            Self::Negated(stem) => [one(kind::NEGATED, stem), None],
            Self::Parts([first, last]) => [one(kind::BEGINNING, first), one(kind::END, last)],
        }
        .into_iter()
        .flatten()
    }
}

/// The first stem of a pair's key; `None` for other keys.
pub(super) fn first_of_pair(feature: u64) -> Option<WordId> {
    let first = (feature >> WORD_BITS) as u32 & ((1 << WORD_BITS) - 1);
    (feature >> (2 * WORD_BITS) == kind::PAIR).then_some(first)
}

/// The signs of patterns, and the character of each in the table.
const SIGNS: [(Sign, char); 5] = [
    (Sign::Praise, '+'),
    (Sign::Blame, '-'),
    (Sign::Fact, '='),
    (Sign::Subject, '?'),
    (Sign::Weak, '%'),
];

fn key(kind: u64, first: u32, second: u32) -> u64 {
    kind << (2 * WORD_BITS) | u64::from(first) << WORD_BITS | u64::from(second)
}

/// The key for a pattern of this sign about the built-in aspect of this number. `None` for an
/// exclusion.
pub(crate) fn hit(column: usize, sign: Sign) -> Option<u64> {
    let sign = SIGNS.iter().position(|(known, _)| *known == sign)?;
    Some(key(kind::HIT, column as u32, sign as u32))
}

/// The stem of every word of a lexicon.
#[derive(Debug, Default)]
pub(crate) struct Stems(Vec<WordId>);

impl Stems {
    /// The stems that are words of the lexicon.
    pub(crate) fn of(lexicon: &Lexicon) -> Self {
        Self(lexicon.words().map(|word| lexicon.id(&lexicon.stemming.shortened(word))).collect())
    }

    /// Adds every stem, and the parts of every word, to the lexicon as words.
    pub(crate) fn all(lexicon: &mut Lexicon) -> Self {
        let stem = |word| lexicon.stemming.shortened(word);
        let parts = lexicon.words().flat_map(|word| lexicon.parts_of(word).into_iter().flatten());
        let stems = lexicon.words().map(stem).chain(parts);
        let all: Vec<Box<str>> = stems.map(Into::into).collect();
        for word in all {
            lexicon.add(&word);
        }
        Self::of(lexicon)
    }

    pub(crate) fn get(&self, word: WordId) -> WordId {
        self.0.get(word as usize).copied().unwrap_or(UNKNOWN)
    }
}

/// Adds the inflected forms of a stem to the lexicon, so that texts may use other forms than the
/// table.
pub(super) fn add_forms(stem: &str, lexicon: &mut Lexicon) {
    for at in 0..lexicon.stemming.endings.len() {
        let form = format!("{stem}{}", lexicon.stemming.endings[at]);
        lexicon.add(&form);
    }
}

/// Calls `found` with the position of each word, of its parts, of the second stem of each pair, and of each word
/// after a negation. The first and the last stem are paired with the edge.
pub(crate) fn each(words: &[Word], stems: &Stems, mut found: impl FnMut(usize, Gram)) {
    let mut before = Some(UNKNOWN);
    let mut negated = 0;
    for (at, word) in words.iter().enumerate() {
        let stem = stems.get(word.id);
        found(at, Gram::Word(word.id, stem));
        if word.parts != [UNKNOWN; 2] {
            found(at, Gram::Parts(word.parts));
        }
        negated = match word.class {
            _ if negates(words, at) => NEGATION_REACH,
            class if class & (class::NEGATION_END | class::CONTRAST) != 0 => 0,
            _ if negated > 0 => {
                found(at, Gram::Negated(stem));
                negated - 1
            }
            _ => 0,
        };
        if stem == UNKNOWN {
            before = None;
            continue;
        }
        if let Some(before) = before {
            found(at, Gram::Pair(before, stem));
        }
        before = Some(stem);
    }
    if let (Some(last), Some(before)) = (words.len().checked_sub(1), before) {
        found(last, Gram::Pair(before, UNKNOWN));
    }
}

/// The name of a key: `w:word`, `s:stem`, `p:stem stem`, `n:stem` after a negation, `b:begin` and `e:inning` of a word,
/// `h:quality +`.
/// An empty stem is the edge of the sentence.
pub(crate) fn name(key: u64, lexicon: &Lexicon) -> String {
    let part = |shift: u32| (key >> shift) as u32 & ((1 << WORD_BITS) - 1);
    let (first, second) = (part(WORD_BITS), part(0));
    let word = |id: WordId| if id == UNKNOWN { "" } else { lexicon.word(id) };
    match key >> (2 * WORD_BITS) {
        kind::WORD => format!("w:{}", word(first)),
        kind::STEM => format!("s:{}", word(first)),
        kind::PAIR => format!("p:{} {}", word(first), word(second)),
        kind::NEGATED => format!("n:{}", word(first)),
        kind::BEGINNING => format!("b:{}", word(first)),
        kind::END => format!("e:{}", word(first)),
        _ => format!("h:{} {}", BUILTIN[first as usize].0, SIGNS[second as usize].1),
    }
}

/// The key of a name. Its words are added to the lexicon. `None` if the text is not a name.
pub(super) fn feature(name: &str, lexicon: &mut Lexicon) -> Option<u64> {
    let (prefix, rest) = name.split_once(':')?;
    let mut id = |word: &str| if word.is_empty() { UNKNOWN } else { lexicon.add(word) };
    Some(match prefix {
        "w" => key(kind::WORD, id(rest), 0),
        "b" => key(kind::BEGINNING, id(rest), 0),
        "e" => key(kind::END, id(rest), 0),
        "s" | "n" => {
            add_forms(rest, lexicon);
            key(if prefix == "s" { kind::STEM } else { kind::NEGATED }, lexicon.add(rest), 0)
        }
        "p" => {
            let (first, second) = rest.split_once(' ')?;
            key(kind::PAIR, id(first), id(second))
        }
        "h" => {
            let (aspect, sign) = rest.split_once(' ')?;
            let column = BUILTIN.iter().position(|(id, _)| *id == aspect)?;
            let (sign, _) = SIGNS.iter().find(|(_, written)| sign.starts_with(*written))?;
            hit(column, *sign)?
        }
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::language::Language;

    #[test]
    fn words_lose_their_endings_but_not_themselves() {
        let stemming = Language::english().stemming();
        let stems = ["cleaned", "cleaning", "bills", "quickly", "was", "red", "bus"]
            .map(|word| stemming.shortened(word));
        assert_eq!(stems, ["clean", "clean", "bill", "quick", "was", "red", "bus"]);
    }

    #[test]
    fn names_come_back_as_they_went() {
        let mut lexicon = Lexicon::new(Language::english());
        for written in
            ["w:tidied", "s:tidi", "n:mess", "p:on time", "p: worth", "p:late ", "h:speed -", "s:,"]
        {
            let key = feature(written, &mut lexicon).unwrap();
            assert_eq!(name(key, &lexicon), written);
        }
        for wrong in ["tidy", "x:a", "p:one", "h:weather +", "h:speed !"] {
            assert_eq!(feature(wrong, &mut lexicon), None, "{wrong}");
        }
    }

    #[test]
    fn a_form_nobody_wrote_has_its_stem() {
        let mut lexicon = Lexicon::new(Language::english());
        feature("s:hoover", &mut lexicon).unwrap();
        let stems = Stems::of(&lexicon);
        assert_eq!(lexicon.word(stems.get(lexicon.id("hoovering"))), "hoover");
    }
}
