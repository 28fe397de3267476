//! Names that are also words: "Will came", "Mark did the drains" and "they will mark it".

/// First and last names that are English words, folded.
const WORDS: &str = include_str!("../data/words/name_words.txt");

/// Words next to which a common word is a name in any spelling.
const ROLES: &str = include_str!("../data/words/name_roles.txt");

/// Verbs before which a common word is a name too.
const DEEDS: &str = include_str!("../data/words/name_deeds.txt");

/// The number of words examined on each side.
const REACH: usize = 2;

/// Whether a single folded word is both a name and a word.
pub(super) fn is_common(name: &str) -> bool {
    has(WORDS, name)
}

fn has(list: &str, word: &str) -> bool {
    list.split_ascii_whitespace().any(|known| known == word)
}

/// Whether the common word at `start..end` of the folded text is a name. `capital`: it is written
/// with a capital letter.
pub(super) fn is_name(folded: &str, start: usize, end: usize, capital: bool) -> bool {
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
    let role = |word: &String| has(ROLES, word);
    if left.iter().rev().take(REACH).any(role) || right.iter().take(REACH).any(role) {
        return true;
    }
    capital
        && (folded[end..].starts_with("'s") || right.first().is_some_and(|word| has(DEEDS, word)))
}

fn sentence_end(text: &str) -> &str {
    text.rsplit(['.', '!', '?', '\n']).next().unwrap_or_default()
}

fn sentence_start(text: &str) -> &str {
    text.split(['.', '!', '?', '\n']).next().unwrap_or_default()
}
