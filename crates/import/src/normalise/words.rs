//! Text, translation and reply of a row.

use crate::{raw::RawReview, table};
use contract::text::clean;

/// The marks of Google's translations, by kind: `translated` and `original`.
const MARKS: &str = include_str!("../../data/translation_marks.txt");

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

/// Google writes original and translation into one field, in either order, on one line or several. The original, and
/// the translation where there is one.
fn unfold(text: Option<String>) -> (Option<String>, Option<String>) {
    let Some(whole) = text else { return (None, None) };
    let parts = split(&whole, "translated").and_then(|(before, after)| {
        let begins = before.trim().is_empty();
        let (translation, original) =
            if begins { split(after, "original")? } else { (after, before) };
        Some((clean(original)?, clean(translation)?))
    });
    parts.map_or((Some(whole), None), |(original, translation)| (Some(original), Some(translation)))
}

/// Returns the texts before and after the first mark of this kind.
fn split<'t>(text: &'t str, kind: &str) -> Option<(&'t str, &'t str)> {
    let found = table::words(MARKS, kind).filter_map(|mark| Some((text.find(mark)?, mark.len())));
    found.min().map(|(at, length)| (&text[..at], &text[at + length..]))
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
        let pair =
            |original: &str, translation: &str| (original.to_owned(), translation.to_owned());
        let on_one_line = "Très bon service. (Translated by Google) Very good service.";
        assert_eq!(parts(on_one_line), pair("Très bon service.", "Very good service."));
        let begun = "(Translated by Google) Good work (Original) Gute Arbeit";
        assert_eq!(parts(begun), pair("Gute Arbeit", "Good work"));
        let french = "(Traduit par Google) Bon travail (Avis d'origine)\nGute Arbeit";
        assert_eq!(parts(french), pair("Gute Arbeit", "Bon travail"));
        for only in ["(Translated by Google) Very good.", "Very good. (Translated by Google)"] {
            assert_eq!(parts(only), pair(only, ""));
        }
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
