//! What happens to strangers' words: cleaning before they are published, folding before they are
//! compared.

use unicode_normalization::{UnicodeNormalization, char::is_combining_mark, is_nfc};

/// A text as it is published: line ends as `\n`, no control characters but `\n` and tab, no outer
/// blanks, NFC. `None` when nothing is left.
#[must_use]
pub fn clean(text: &str) -> Option<String> {
    let unified = text.replace("\r\n", "\n").replace('\r', "\n");
    let kept: String =
        unified.chars().filter(|&c| c == '\n' || c == '\t' || !c.is_control()).collect();
    let trimmed = kept.trim();
    match trimmed {
        "" => None,
        text if is_nfc(text) => Some(text.to_owned()),
        text => Some(text.nfc().collect()),
    }
}

/// A text for comparing names in: compatibility-decomposed, without accents, small letters,
/// straight apostrophes.
#[must_use]
pub fn fold(text: &str) -> String {
    let mut folded = String::with_capacity(text.len());
    for c in text.nfkd().filter(|c| !is_combining_mark(*c)) {
        match c {
            '’' | '‘' | 'ʼ' | '`' => folded.push('\''),
            'ß' | 'ẞ' => folded.push_str("ss"),
            'ø' | 'Ø' => folded.push('o'),
            'ł' | 'Ł' => folded.push('l'),
            'æ' | 'Æ' => folded.push_str("ae"),
            'œ' | 'Œ' => folded.push_str("oe"),
            'đ' | 'Đ' => folded.push('d'),
            c => folded.extend(c.to_lowercase()),
        }
    }
    folded
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cleaning_keeps_the_words() {
        assert_eq!(clean("  Gut\r\ngemacht\u{0}\u{7}!\r\n ").as_deref(), Some("Gut\ngemacht!"));
        assert_eq!(clean("e\u{301}").as_deref(), Some("é"));
        assert_eq!(clean("👩\u{200d}🔧 ok").as_deref(), Some("👩\u{200d}🔧 ok"));
        assert_eq!(clean(" \n\t\u{a0} "), None);
    }

    #[test]
    fn folding_ignores_case_and_accents() {
        assert_eq!(fold("José’s GRÖSSE Straße Łódź"), "jose's grosse strasse lodz");
    }
}
