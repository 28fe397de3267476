//! The words of `q`.

use super::Code;
use crate::text::search_fold;

/// Words and phrases of `q` at most, those that are excluded included.
pub const MAX_WORDS: usize = 16;

/// The strings that a text must contain and must not contain, each folded by [`search_fold`], never empty.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Words {
    /// Each is a part of the text.
    pub all: Vec<String>,
    /// None is a part of the text.
    pub none: Vec<String>,
}

/// The quotation marks that begin and end a phrase.
const QUOTES: [char; 4] = ['"', '“', '”', '„'];

impl Words {
    /// Parses words, `"phrases"` and `-exclusions`. A phrase without an end lasts to the end of the
    /// text. What is empty once folded is left out.
    ///
    /// # Errors
    /// For more than [`MAX_WORDS`].
    pub(super) fn parse(typed: &str) -> Result<Self, Code> {
        let mut words = Self::default();
        let mut left = typed.trim_start();
        while !left.is_empty() {
            let (excluded, rest) = match left.strip_prefix('-') {
                Some(rest) => (true, rest),
                None => (false, left),
            };
            let (needle, rest) = match rest.strip_prefix(QUOTES) {
                Some(phrase) => {
                    let (phrase, rest) = phrase.split_once(QUOTES).unwrap_or((phrase, ""));
                    (search_fold(phrase).trim().to_owned(), rest)
                }
                None => {
                    let ends = |c: char| c.is_whitespace() || QUOTES.contains(&c);
                    let (word, rest) = rest.split_at(rest.find(ends).unwrap_or(rest.len()));
                    (without_punctuation(&search_fold(word)).to_owned(), rest)
                }
            };
            let list = if excluded { &mut words.none } else { &mut words.all };
            if !needle.is_empty() && !list.contains(&needle) {
                list.push(needle);
            }
            // Each word is compared with those before it, so there must be few of them.
            if words.all.len() + words.none.len() > MAX_WORDS {
                return Err(Code::TooLong);
            }
            left = rest.trim_start();
        }
        Ok(words)
    }

    /// Whether a word that begins at a byte of a text is a whole word there.
    #[must_use]
    pub fn is_whole(text: &str, word: &str, start: usize) -> bool {
        let around = [text[..start].chars().next_back(), text[start + word.len()..].chars().next()];
        !around.into_iter().flatten().any(char::is_alphanumeric)
    }

    /// Whether every text meets them.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.all.is_empty() && self.none.is_empty()
    }
}

/// The word without what is not a letter or digit at its edges. A word of such characters only, for
/// example an emoji, stays as it is.
fn without_punctuation(word: &str) -> &str {
    match word.trim_matches(|c: char| !c.is_alphanumeric()) {
        "" => word.trim(),
        inner => inner,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parsed(typed: &str) -> (String, String) {
        let words = Words::parse(typed).unwrap();
        (words.all.join("|"), words.none.join("|"))
    }

    #[test]
    fn words_phrases_and_exclusions() {
        for (typed, all, none) in [
            ("", "", ""),
            ("  \t ", "", ""),
            ("Größe  CAFÉ", "grosse|cafe", ""),
            ("clean clean CLEAN", "clean", ""),
            ("\"on  time\" late", "on time|late", ""),
            ("“on time” „sehr gut“", "on time|sehr gut", ""),
            ("-late on -\"too much\"", "on", "late|too much"),
            ("- \"\" -\"\" -\" \"", "", ""),
            ("\"no end", "no end", ""),
            ("-\"no end -at all", "", "no end -at all"),
            ("e-mail --x", "e-mail", "x"),
            ("don’t 5\" x", "don't|5|x", ""),
            ("clean, (24/7)! 100%", "clean|24/7|100", ""),
            ("👍 !! -…", "👍|!!", "..."),
            ("\"clean,\"", "clean,", ""),
            ("a\u{301} \u{301}", "a", ""),
            ("«quoted»", "quoted", ""),
            // Blanks at the edges of a phrase do not count.
            ("\" on  time \" \"\u{a0}late\t\"", "on time|late", ""),
            // Letters that no decomposition makes plain.
            ("Ærø Łódź Œuvre đ ıIİ ß", "aero|lodz|oeuvre|d|iii|ss", ""),
            ("ö å", "o|a", ""),
            // A quotation mark ends a word, and begins or ends a phrase.
            ("5\" pipe of copper\" x", "5|pipe of copper|x", ""),
            ("a\"b c\"d", "a|b c|d", ""),
            ("d'eau o'clock'", "d'eau|o'clock", ""),
            // A repeated word counts once, and one that is also excluded counts twice.
            ("Late late \"late\" -late", "late", "late"),
        ] {
            assert_eq!(parsed(typed), (all.into(), none.into()), "{typed}");
        }
    }

    #[test]
    fn too_many_words_are_refused() {
        let words = |count: usize| {
            (0..count).map(|n| format!("{}w{n}", ["", "-"][n % 2])).collect::<Vec<_>>().join(" ")
        };
        assert!(Words::parse(&words(MAX_WORDS)).is_ok());
        assert_eq!(Words::parse(&words(MAX_WORDS + 1)), Err(Code::TooLong));
        assert!(Words::parse(&"clean ".repeat(100)).is_ok(), "a repeated word counts once");
    }
}
