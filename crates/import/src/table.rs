//! The tables of words in `data/`: lines of `key: word, word`. A key may have several lines; a blank line or one that
//! begins with `#` says nothing.

use std::{collections::HashMap, sync::LazyLock};

use contract::text::fold;

/// The names of columns, by field.
pub(super) static COLUMNS: &str = include_str!("../data/columns.txt");
/// The words of names of columns.
pub(super) static COLUMN_WORDS: &str = include_str!("../data/column_words.txt");

/// The kinds of rows that are not reviews, and what is written for nothing.
pub(super) static KINDS: &str = include_str!("../data/kinds.txt");

/// The lines of a table: each key with its words.
pub(super) fn lines(table: &'static str) -> impl Iterator<Item = (&'static str, Words)> {
    let lines = table.lines().filter(|line| !line.starts_with('#'));
    lines.filter_map(|line| line.split_once(": ")).map(|(key, words)| (key, words.split(", ")))
}

type Words = std::str::Split<'static, &'static str>;

type Index = HashMap<&'static str, Vec<&'static str>>;

/// The tables that are asked for every column, and for values, by key.
static INDEXED: LazyLock<[(&str, Index); 3]> = LazyLock::new(|| {
    [COLUMNS, COLUMN_WORDS, KINDS].map(|table| {
        let mut index = Index::new();
        for (key, words) in lines(table) {
            index.entry(key).or_default().extend(words);
        }
        (table, index)
    })
});

/// The words of all lines of a key.
pub(super) fn words(table: &'static str, key: &str) -> impl Iterator<Item = &'static str> {
    let known = INDEXED.iter().find(|(known, _)| std::ptr::eq(*known, table));
    let indexed = known.and_then(|(_, index)| index.get(key)).into_iter().flatten().copied();
    let rest = known.is_none().then(|| lines(table)).into_iter().flatten();
    indexed.chain(rest.filter(move |(name, _)| *name == key).flat_map(|(_, words)| words))
}

/// The key of each word of a table, without case and accents.
pub(super) fn by_word(table: &'static str) -> HashMap<String, &'static str> {
    lines(table).flat_map(|(key, words)| words.map(move |word| (fold(word), key))).collect()
}

/// Whether a name has one of these words. One of five letters or more may be a part of a word.
pub(super) fn has_word(name: &str, words: impl Iterator<Item = &'static str>) -> bool {
    has_word_of(&spaced(name), words)
}

/// The same of a name as [`spaced`] writes it.
pub(super) fn has_word_of(name: &str, mut words: impl Iterator<Item = &'static str>) -> bool {
    let whole: Vec<&str> = name.split(|c: char| !c.is_alphanumeric()).collect();
    words.any(|word| {
        // Most words are longer than the name, and need not be searched for.
        let has = |text: &str| text.len() >= word.len() && text.contains(word);
        let is_part = word.len() >= 5 && has(name) && whole.iter().any(|whole| has(whole));
        is_part || whole.contains(&word) || has(name) && word.contains(' ')
    })
}

/// Whether a value names this kind of rows or writers.
pub(super) fn is_kind(value: &str, kind: &str) -> bool {
    let value = spaced(value.trim());
    words(KINDS, kind).any(|word| word == value)
}

/// Whether an answer says itself that the author wants no name: "Yes, but without my name".
pub(super) fn names_nobody(value: &str) -> bool {
    has_word(value, words(COLUMN_WORDS, "nameless"))
}

/// `comment_approved`, `isApproved` and `Comment approved` as the tables write names: in lower case, with spaces.
pub(super) fn spaced(name: &str) -> String {
    let mut words = String::new();
    for c in name.chars() {
        if c.is_uppercase() && words.ends_with(char::is_lowercase) {
            words.push(' ');
        }
        words.push(if c == '_' || c == '-' { ' ' } else { c });
    }
    fold(&words)
}
