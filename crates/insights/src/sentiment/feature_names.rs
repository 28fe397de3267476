//! The names of features in `model.tsv`.

use super::{
    features::{code, key, kind, parts},
    lexicon::Lexicon,
};

/// The content of a key in addition to its kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Carries {
    /// The key has this many words.
    Words(usize),
    /// The key has a parameter.
    Number,
    /// The key has nothing else.
    Nothing,
}

/// Kind, prefix, and content. A prefix ends a name without words or is followed by `:`.
const NAMES: [(u64, &str, Carries); 48] = [
    (kind::SENTENCE, "s", Carries::Words(1)),
    (kind::CLAUSE, "c", Carries::Words(1)),
    (kind::NEAR, "w", Carries::Words(1)),
    (kind::LEFT_1, "L1", Carries::Words(1)),
    (kind::LEFT_2, "L2", Carries::Words(1)),
    (kind::LEFT_3, "L3", Carries::Words(1)),
    (kind::RIGHT_1, "R1", Carries::Words(1)),
    (kind::RIGHT_2, "R2", Carries::Words(1)),
    (kind::RIGHT_3, "R3", Carries::Words(1)),
    (kind::BIGRAM, "b", Carries::Words(2)),
    (kind::PREDICATE, "p", Carries::Words(1)),
    (kind::TARGET_WORD, "g", Carries::Words(1)),
    (kind::TARGET_HEAD, "gh", Carries::Words(1)),
    (kind::AROUND_01, "t01", Carries::Words(1)),
    (kind::AROUND_02, "t02", Carries::Words(2)),
    (kind::AROUND_10, "t10", Carries::Words(1)),
    (kind::AROUND_11, "t11", Carries::Words(2)),
    (kind::AROUND_12, "t12", Carries::Words(3)),
    (kind::AROUND_20, "t20", Carries::Words(2)),
    (kind::AROUND_21, "t21", Carries::Words(3)),
    (kind::BIAS, "bias", Carries::Nothing),
    (kind::RULE, "sc", Carries::Nothing),
    (kind::RULE_BIN, "sc_bin", Carries::Number),
    (kind::POSITIVE, "ps", Carries::Nothing),
    (kind::NEGATIVE, "ns", Carries::Nothing),
    (kind::CLAUSE_POSITIVE, "cp", Carries::Nothing),
    (kind::CLAUSE_NEGATIVE, "cn", Carries::Nothing),
    (kind::TOTAL_POSITIVE, "tp", Carries::Nothing),
    (kind::TOTAL_NEGATIVE, "tn", Carries::Nothing),
    (kind::HAS_POSITIVE, "has_p", Carries::Number),
    (kind::HAS_NEGATIVE, "has_n", Carries::Number),
    (kind::HAS_BOTH, "has_pn", Carries::Number),
    (kind::PART_MASS, "part_pn", Carries::Number),
    (kind::COMPOUND, "vs", Carries::Nothing),
    (kind::COMPOUND_BIN, "vs_bin", Carries::Number),
    (kind::CLAUSE_COMPOUND, "vc", Carries::Nothing),
    (kind::CLAUSE_COMPOUND_BIN, "vc_bin", Carries::Number),
    (kind::NEAREST, "n_bin", Carries::Number),
    (kind::NEAREST_INVERSE, "n", Carries::Number),
    (kind::NEAREST_NONE, "n_none", Carries::Number),
    (kind::OTHERS, "others", Carries::Number),
    (kind::LENGTH, "len", Carries::Number),
    (kind::ASKS, "q", Carries::Nothing),
    (kind::EXCLAIMS, "ex", Carries::Nothing),
    (kind::CONTRASTS, "contrast", Carries::Nothing),
    (kind::NEGATES, "neg", Carries::Nothing),
    (kind::CLAUSE_NEGATES, "neg_clause", Carries::Nothing),
    (kind::MODAL, "modal", Carries::Nothing),
];

/// The prefix of a negated word.
const NEGATED: &str = "NOT_";

/// The name of a feature: `s:word`, `b:word NOT_word`, `n_bin:17`, `bias`.
pub(crate) fn name(feature: u64, lexicon: &Lexicon) -> String {
    let (kind, codes) = parts(feature);
    let (_, prefix, carries) = NAMES[kind as usize];
    match carries {
        Carries::Nothing => prefix.to_owned(),
        Carries::Number => format!("{prefix}:{}", codes[2]),
        Carries::Words(count) => {
            let word = |code: &u32| {
                let negated = if code & 1 == 1 { NEGATED } else { "" };
                format!("{negated}{}", lexicon.word(code >> 1))
            };
            let words: Vec<String> = codes[..count].iter().map(word).collect();
            format!("{prefix}:{}", words.join(" "))
        }
    }
}

/// The feature of a name. Its words are added to the lexicon. `None` if the text is not a name.
pub(crate) fn feature(name: &str, lexicon: &mut Lexicon) -> Option<u64> {
    let (prefix, rest) = name.split_once(':').unwrap_or((name, ""));
    let (kind, _, carries) = *NAMES.iter().find(|(_, known, _)| *known == prefix)?;
    let mut codes = [0; 3];
    match carries {
        Carries::Nothing => {}
        Carries::Number => codes[2] = rest.parse().ok()?,
        Carries::Words(count) => {
            let mut words = rest.split(' ');
            for slot in &mut codes[..count] {
                let written = words.next()?;
                let word = written.strip_prefix(NEGATED);
                *slot = code(lexicon.add(word.unwrap_or(written)), word.is_some());
            }
        }
    }
    Some(key(kind, codes))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_stand_in_the_order_of_the_kinds() {
        for (at, (kind, ..)) in NAMES.iter().enumerate() {
            assert_eq!(*kind, at as u64);
        }
    }

    #[test]
    fn names_come_back_as_they_went() {
        let mut lexicon = Lexicon::new(crate::language::Language::english());
        for written in
            ["s:tidy", "b:NOT_on time", "t12:a TGT NOT_#", "n_bin:17", "bias", "s::", "w:,"]
        {
            let key = feature(written, &mut lexicon).unwrap();
            assert_eq!(name(key, &lexicon), written);
        }
        for wrong in ["zz:a", "n_bin:x", "b:one"] {
            assert_eq!(feature(wrong, &mut lexicon), None, "{wrong}");
        }
    }
}
