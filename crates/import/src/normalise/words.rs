//! Text, translation and reply of a row.

use crate::raw::RawReview;
use contract::text::clean;

const TRANSLATED: &str = "(Translated by Google)";
const ORIGINAL: &str = "(Original)";

/// The texts of a review.
pub(super) struct WordsOf {
    pub(super) text: Option<String>,
    pub(super) translation: Option<(String, Option<String>)>,
    pub(super) reply: Option<String>,
}

/// Text, translation and reply of a row. A title is the text's first line, unless the text begins
/// with it anyway.
pub(super) fn read(raw: &RawReview, google: bool) -> WordsOf {
    let cleaned = |text: &Option<String>| clean(text.as_deref()?);
    let (mut text, mut translation) = (cleaned(&raw.text), None);
    if google {
        (text, translation) = unfold(text);
    }
    let text = match (cleaned(&raw.title), text) {
        (Some(title), Some(text)) if !begins_with(&text, &title) => {
            Some(format!("{title}\n{text}"))
        }
        (title, text) => text.or(title),
    };
    let given = raw.translation.as_ref();
    let given = given.and_then(|(text, language)| Some((clean(text)?, language.clone())));
    let translation = translation.map(|text| (text, None)).or(given);
    let reply = cleaned(&raw.reply);
    WordsOf {
        translation: translation.filter(|(words, _)| Some(words) != text.as_ref()),
        reply: if google { unfold(reply).0 } else { reply },
        text,
    }
}

/// Platforms cut a title out of the text's beginning.
fn begins_with(text: &str, title: &str) -> bool {
    let title = title.trim_end_matches(['.', '…']).trim_end();
    text.starts_with(title)
}

/// Google writes original and translation into one field, in either order. The original, and the
/// translation where there is one.
fn unfold(text: Option<String>) -> (Option<String>, Option<String>) {
    let Some(whole) = text else { return (None, None) };
    if let Some(rest) = whole.strip_prefix(TRANSLATED)
        && let Some((translation, original)) = rest.split_once(ORIGINAL)
        && translation.ends_with('\n')
    {
        return (clean(original), clean(translation));
    }
    if let Some((original, translation)) = whole.split_once(TRANSLATED)
        && original.ends_with("\n")
        && !original.trim().is_empty()
    {
        return (clean(original), clean(translation));
    }
    (Some(whole), None)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parts(text: &str) -> (String, String) {
        let raw = RawReview { text: Some(text.to_owned()), ..RawReview::default() };
        let words = read(&raw, true);
        let translation = words.translation.map(|(text, _)| text);
        (words.text.unwrap_or_default(), translation.unwrap_or_default())
    }

    #[test]
    fn the_envelope_is_opened_from_both_sides() {
        let split = ("Muy bien.\n\nGracias".to_owned(), "Very good.\n\nThanks".to_owned());
        assert_eq!(
            parts(
                "(Translated by Google) Very good.\r\n\r\nThanks\r\n\r\n(Original)\r\nMuy bien.\n\nGracias"
            ),
            split
        );
        assert_eq!(
            parts("Muy bien.\n\nGracias\n\n(Translated by Google)\nVery good.\n\nThanks"),
            split
        );
        let said = "They said (Translated by Google) is odd.";
        assert_eq!(parts(said), (said.to_owned(), String::new()));
        let only = "(Translated by Google) Very good.";
        assert_eq!(parts(only), (only.to_owned(), String::new()));
    }

    #[test]
    fn a_title_is_the_first_line_and_never_said_twice() {
        let text = |title: &str, text: &str| {
            let given = |s: &str| Some(s.to_owned());
            read(
                &RawReview { title: given(title), text: given(text), ..RawReview::default() },
                false,
            )
            .text
        };
        assert_eq!(text("Great", "On time.").as_deref(), Some("Great\nOn time."));
        assert_eq!(text("On time…", "On time and tidy.").as_deref(), Some("On time and tidy."));
        assert_eq!(text("Great", " ").as_deref(), Some("Great"));
        assert_eq!(text("", " "), None);
    }
}
