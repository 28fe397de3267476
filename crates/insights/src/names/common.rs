//! Names that are also words: "Will came", "Mark did the drains" and "they will mark it".

use crate::language::Language;

/// The number of words examined on each side.
const REACH: usize = 2;

/// Whether a single folded word is both a name and a word of the language.
pub(super) fn is_common(name: &str, language: &Language) -> bool {
    language.has("name_words", name)
}

/// Whether the common word at `start..end` of the folded text is a name. `capital`: it is written
/// with a capital letter, which says nothing in a language whose nouns have one.
pub(super) fn is_name(
    folded: &str,
    (start, end): (usize, usize),
    capital: bool,
    language: &Language,
) -> bool {
    let capital = capital && !language.has_capital_nouns();
    let before = &folded[..start];
    let first = before.trim_end().is_empty()
        || before.trim_end().ends_with(['.', '!', '?', '"', ':'])
        || before.trim_end_matches([' ', '\t']).ends_with('\n');
    if capital && !first {
        return true;
    }
    let words = |text: &str| -> Vec<String> {
        let pieces = text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
        pieces.map(str::to_owned).collect()
    };
    let (left, right) = (words(sentence_end(before)), words(sentence_start(&folded[end..])));
    let role = |word: &String| language.has("name_roles", word);
    if left.iter().rev().take(REACH).any(role) || right.iter().take(REACH).any(role) {
        return true;
    }
    capital
        && (folded[end..].starts_with("'s")
            || right.first().is_some_and(|word| language.has("name_deeds", word)))
}

fn sentence_end(text: &str) -> &str {
    text.rsplit(['.', '!', '?', '\n']).next().unwrap_or_default()
}

fn sentence_start(text: &str) -> &str {
    text.split(['.', '!', '?', '\n']).next().unwrap_or_default()
}
