//! Processing of text that customers wrote: cleaning before publication, folding before comparison.

mod invisible;

use std::borrow::Cow;

pub use invisible::without_invisible;

use icu_casemap::CaseMapper;
use unicode_normalization::{
    UnicodeNormalization,
    char::{decompose_compatible, is_combining_mark},
    is_nfc,
};

/// Bytes of a text of a review at most: 64 KiB. Platforms end texts at some thousand characters.
pub const MAX_TEXT: usize = 64 << 10;

/// Checks the length of a text of a review.
///
/// # Errors
/// For a text of more than [`MAX_TEXT`] bytes, with both numbers.
pub fn check_length(text: &str) -> Result<(), String> {
    match text.len() {
        length if length > MAX_TEXT => {
            Err(format!("it has {length} bytes, and {MAX_TEXT} are allowed"))
        }
        _ => Ok(()),
    }
}

/// Reads a text of a review, for serde's `deserialize_with`.
///
/// # Errors
/// For a text that is too long.
pub fn limited<'de, D: serde::Deserializer<'de>, T: AsRef<str> + serde::Deserialize<'de>>(
    deserializer: D,
) -> Result<T, D::Error> {
    let text = T::deserialize(deserializer)?;
    check_length(text.as_ref()).map_err(serde::de::Error::custom)?;
    Ok(text)
}

/// Cleans a text for publication: line ends as `
/// `, no control characters except `
/// ` and tab, no leading or trailing white space, NFC. `None` if nothing remains.
#[must_use]
pub fn clean(text: &str) -> Option<String> {
    let is_kept = |c: &char| matches!(c, '\n' | '\t') || !c.is_control();
    let trimmed = text.trim();
    // Most texts are as they should be.
    if trimmed.chars().all(|c| is_kept(&c)) {
        return composed(trimmed);
    }
    let unified = text.replace("\r\n", "\n").replace('\r', "\n");
    composed(unified.chars().filter(is_kept).collect::<String>().trim())
}

/// Returns the text in NFC; `None` if it is empty.
fn composed(text: &str) -> Option<String> {
    match text {
        "" => None,
        _ if text.is_ascii() || is_nfc(text) => Some(text.to_owned()),
        _ => Some(text.nfc().collect()),
    }
}

/// Whether a spreadsheet takes a cell that begins so for a formula.
#[must_use]
pub fn is_formula(cell: &str) -> bool {
    let first = cell.trim_start().chars().next().or_else(|| cell.chars().next());
    matches!(first, Some('=' | '+' | '-' | '@' | '\t' | '\r' | '＝' | '＋' | '－' | '＠'))
}

/// A text for a terminal, on one line. Control characters and the bidirectional controls of UAX #9
/// are written as escapes such as `\u{1b}`.
#[must_use]
pub fn printable(text: &str) -> Cow<'_, str> {
    escaped(text, acts_on_terminal, |shown, c| shown.extend(c.escape_default()))
}

/// A text of several lines for a terminal: every line as of [`printable`].
#[must_use]
pub fn printable_lines(text: &str) -> String {
    text.split('\n').map(printable).collect::<Vec<_>>().join("\n")
}

/// JSON for a terminal. The same characters in strings are written as escapes such as `\u202e`; the
/// value stays the same.
#[must_use]
pub fn printable_json(json: &str) -> Cow<'_, str> {
    // Outside strings JSON has no such character but the line feed, and a string has none raw.
    let is_unsafe = |c| acts_on_terminal(c) && c != '\n';
    escaped(json, is_unsafe, |shown, c| shown.push_str(&format!("\\u{:04x}", u32::from(c))))
}

/// A word of a command that a user may type, as a shell reads it.
#[must_use]
pub fn shell_word(word: impl std::fmt::Display) -> String {
    let word = word.to_string();
    let is_plain = |c: char| c.is_alphanumeric() || "=,._-/+:%@".contains(c);
    if !word.is_empty() && word.chars().all(is_plain) {
        return word;
    }
    format!("'{}'", word.replace('\'', r"'\''"))
}

/// Whether a terminal takes the character for a command, or shows others in another order for it.
fn acts_on_terminal(c: char) -> bool {
    let is_bidi = matches!(c, '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    (c.is_control() && c != '\t') || is_bidi
}

fn escaped(
    text: &str,
    is_unsafe: impl Fn(char) -> bool,
    escape: impl Fn(&mut String, char),
) -> Cow<'_, str> {
    if !text.contains(&is_unsafe) {
        return Cow::Borrowed(text);
    }
    let mut shown = String::with_capacity(text.len() + 8);
    for c in text.chars() {
        if is_unsafe(c) { escape(&mut shown, c) } else { shown.push(c) }
    }
    Cow::Owned(shown)
}

/// Folds a text for comparisons of names: compatibility-decomposed, without accents, lowercase,
/// with straight apostrophes.
#[must_use]
pub fn fold(text: &str) -> String {
    let mut folded = String::with_capacity(text.len());
    text.chars().for_each(|c| fold_into(c, &mut folded));
    folded
}

/// The position in `text` of the character whose folded form has the byte `at`.
#[must_use]
pub fn origin(text: &str, at: usize) -> usize {
    let mut folded = String::new();
    for (start, c) in text.char_indices() {
        fold_into(c, &mut folded);
        if folded.len() > at {
            return start;
        }
    }
    text.len()
}

/// Each character is folded alone: a decomposition only reorders marks, and these are left out.
fn fold_into(c: char, folded: &mut String) {
    match c {
        '`' => folded.push('\''),
        c if c.is_ascii() => folded.push(c.to_ascii_lowercase()),
        c => decompose_compatible(c, |part| fold_part(part, folded)),
    }
}

fn fold_part(part: char, folded: &mut String) {
    match part {
        '’' | '‘' | 'ʼ' | '`' => folded.push('\''),
        'ß' | 'ẞ' => folded.push_str("ss"),
        'ø' | 'Ø' => folded.push('o'),
        'ł' | 'Ł' => folded.push('l'),
        'æ' | 'Æ' => folded.push_str("ae"),
        'œ' | 'Œ' => folded.push_str("oe"),
        'đ' | 'Đ' => folded.push('d'),
        'ı' => folded.push('i'),
        mark if is_combining_mark(mark) => {}
        other => folded.extend(other.to_lowercase()),
    }
}

/// Folds a text for `q`: [`casefold`], then [`fold`]; quotation marks and dashes are straight, and a
/// run of white space is one blank. If `casefold(text)` contains `casefold(needle)`, then
/// `search_fold(text)` contains `search_fold(needle)`.
#[must_use]
pub fn search_fold(text: &str) -> String {
    loosen(&casefold(text))
}

/// [`search_fold`] of a text, from its [`casefold`].
#[must_use]
pub fn loosen(casefolded: &str) -> String {
    let mut folded = String::with_capacity(casefolded.len());
    for c in casefolded.chars() {
        match c {
            // Its decomposition begins with a blank.
            '´' => folded.push('\''),
            '“' | '”' | '„' | '«' | '»' => folded.push('"'),
            '\u{2010}'..='\u{2015}' | '\u{2212}' => folded.push('-'),
            c => fold_into(c, &mut folded),
        }
    }
    if folded.contains("  ") || folded.contains(|c: char| c != ' ' && c.is_whitespace()) {
        return with_single_blanks(&folded);
    }
    folded
}

fn with_single_blanks(text: &str) -> String {
    let mut single = String::with_capacity(text.len());
    for c in text.chars() {
        if !c.is_whitespace() {
            single.push(c);
        } else if !single.ends_with(' ') {
            single.push(' ');
        }
    }
    single
}

/// Folds a text for searching: NFC, then the full default case folding of the Unicode Standard
/// (`toCasefold`, section 3.13; the C and F mappings of CaseFolding.txt). Texts, needles, names and
/// ids are all folded by this function, so that they match.
#[must_use]
pub fn casefold(text: &str) -> Cow<'_, str> {
    if text.is_ascii() {
        return if text.bytes().any(|byte| byte.is_ascii_uppercase()) {
            Cow::Owned(text.to_ascii_lowercase())
        } else {
            Cow::Borrowed(text)
        };
    }
    if is_nfc(text) {
        CaseMapper::new().fold_string(text)
    } else {
        let composed: String = text.nfc().collect();
        Cow::Owned(CaseMapper::new().fold_string(&composed).into_owned())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn searching_finds_what_full_case_folding_finds() {
        let holds = |text: &str, needle: &str| casefold(text).contains(&*casefold(needle));
        for (text, needle) in [
            ("Straße", "STRASSE"),
            ("STRASSE", "Straße"),
            ("STRAẞE", "straße"),
            ("ΣΊΣΥΦΟΣ", "σίσυφοσ"),
            ("σίσυφος", "ΣΊΣΥΦΟΣ"),
            ("İstanbul", "i"),
            ("ﬁne", "fine"),
            ("café", "CAFE\u{301}"),
            ("\u{212a}elvin", "kelvin"),
        ] {
            assert!(holds(text, needle), "{text} / {needle}");
        }
        assert!(!holds("İstanbul", "istanbul"), "İ folds to i and a combining dot");
        assert!(!holds("DIYARBAKIR", "dıyarbakır"), "only Turkic folding joins I and ı");
        assert!(!holds("café", "cafe"), "accents count");
    }

    #[test]
    fn json_for_a_terminal_is_the_same_value() {
        let value =
            serde_json::json!({ "a\u{202e}": "b\u{9b}31m\u{1b}\n\u{2066}é\u{7f}", "c": [1] });
        let json = serde_json::to_string_pretty(&value).unwrap();
        let shown = printable_json(&json);
        assert!(
            shown.contains("a\\u202e") && shown.contains("\\u009b31m\\u001b\\n\\u2066é\\u007f"),
            "{shown}"
        );
        assert!(!shown.contains(|c| acts_on_terminal(c) && c != '\n'));
        assert_eq!(serde_json::from_str::<serde_json::Value>(&shown).unwrap(), value);
    }

    #[test]
    fn cleaning_keeps_the_words() {
        assert_eq!(clean("  Gut\r\ngemacht\u{0}\u{7}!\r\n ").as_deref(), Some("Gut\ngemacht!"));
        assert_eq!(clean("e\u{301}").as_deref(), Some("é"));
        assert_eq!(clean("👩\u{200d}🔧 ok").as_deref(), Some("👩\u{200d}🔧 ok"));
        assert_eq!(clean(" \n\t\u{a0} "), None);
    }

    #[test]
    fn folded_places_lead_back() {
        let text = "Żółć ﬁne Straße José’s";
        let folded = fold(text);
        for word in ["zolc", "strasse", "jose's"] {
            let at = folded.find(word).unwrap();
            assert_eq!(fold(&text[origin(text, at)..]).find(word), Some(0), "{word}");
        }
        assert_eq!(origin(text, folded.len()), text.len());
    }

    #[test]
    fn words_are_searched_as_people_type_them() {
        for (text, typed) in [
            ("Crème brûlée", "creme BRULEE"),
            ("It’s, it‘s, it´s, it`s", "it's, it's, it's, it's"),
            ("„Gut“ – «bon» — “good”", "\"gut\" - \"bon\" - \"good\""),
            ("e‑mail", "e-mail"),
            ("on\n\n time\u{a0}again", "on time again"),
            ("ΣΊΣΥΦΟΣ", "σισυφος"),
            ("ﬁne Ｗｉｄｅ ½", "fine wide 1⁄2"),
            ("Diyarbakır, İzmir", "DIYARBAKIR, izmir"),
        ] {
            assert_eq!(search_fold(text), search_fold(typed), "{text}");
        }
        assert_eq!(search_fold("Straße  “x”"), "strasse \"x\"");
    }

    #[test]
    fn folding_ignores_case_and_accents() {
        assert_eq!(fold("José’s GRÖSSE Straße Łódź"), "jose's grosse strasse lodz");
    }
}
