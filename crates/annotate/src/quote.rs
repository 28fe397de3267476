//! Finds the words that somebody quotes in a text, also if they were not copied character by character.

use std::ops::Range;

use contract::text::search_fold;
use unicode_segmentation::GraphemeCursor;

/// Longest quote in characters, as the built-in reader cuts them.
const MAX_QUOTE: usize = 240;
/// One edit for this many characters of a quote is accepted.
const CHARACTERS_PER_EDIT: usize = 10;

/// The place of the quoted words in a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Found {
    /// Bytes of the text.
    pub(super) span: Range<usize>,
    /// Whether they were quoted character by character.
    pub(super) is_exact: bool,
}

/// Finds a quote, by the first of these that applies:
///
/// 1. it is a part of the text, character by character;
/// 2. it is one after cleaning: no quotation marks, ellipses and blanks around it, and as the search
///    compares (`search_fold`: no case, no accents, plain quotation marks and dashes, a run of white
///    space is one blank);
/// 3. a part of the cleaned text is at most one edit for every ten characters of the quote away
///    (Levenshtein), the nearest one, and the first of these.
///
/// The result begins and ends at the bounds of words: half a word is never quoted.
pub(super) fn find(text: &str, quote: &str) -> Option<Found> {
    let quote = quote.trim();
    if quote.is_empty() || quote.chars().count() > MAX_QUOTE {
        return None;
    }
    let mut exact = text.match_indices(quote).map(|(at, _)| at..at + quote.len());
    if let Some(span) = exact.find(|span| is_whole(text, span)) {
        return Some(Found { span, is_exact: true });
    }
    let around = |c: char| {
        c.is_whitespace()
            || matches!(c, '"' | '\'' | '.' | '…' | '“' | '”' | '„' | '«' | '»' | '‘' | '’')
    };
    let (needle, _) = folded(quote.trim_matches(around));
    let (text_folded, places) = folded(text);
    if needle.is_empty() {
        return None;
    }
    let quotable = |part: Range<usize>| {
        let (first, last) = (places.get(part.start)?, places.get(part.end.checked_sub(1)?)?);
        let span = trimmed(text, first.start..last.end);
        let is_short = text.get(span.clone())?.chars().count() <= MAX_QUOTE;
        (!span.is_empty() && is_short && is_whole(text, &span)).then_some(span)
    };
    let limit = needle.len() / CHARACTERS_PER_EDIT;
    let span = nearest(&text_folded, &needle, limit, &quotable)?;
    Some(Found { span, is_exact: false })
}

/// The cleaned characters of a text, and the bytes of the text that each stands for.
fn folded(text: &str) -> (Vec<char>, Vec<Range<usize>>) {
    let (mut folded, mut places): (Vec<char>, Vec<Range<usize>>) = (Vec::new(), Vec::new());
    for (at, c) in text.char_indices() {
        let place = at..at + c.len_utf8();
        let parts = search_fold(c.encode_utf8(&mut [0; 4]));
        if let (true, Some(before)) = (parts.is_empty(), places.last_mut()) {
            // An accent belongs to its letter.
            before.end = place.end;
        }
        for part in parts.chars() {
            match (part, folded.last(), places.last_mut()) {
                (' ', Some(' '), Some(before)) => before.end = place.end,
                _ => {
                    folded.push(part);
                    places.push(place.clone());
                }
            }
        }
    }
    (folded, places)
}

/// The part of `text` with the fewest edits to `needle`, at most `limit`, and the first of these, among
/// those for which `place` knows a place (Sellers' algorithm).
fn nearest<P>(
    text: &[char],
    needle: &[char],
    limit: usize,
    place: &dyn Fn(Range<usize>) -> Option<P>,
) -> Option<P> {
    // For each beginning of the needle: the edits to the part of the text that ends here, and where
    // that part begins.
    let mut column: Vec<(usize, usize)> = (0..=needle.len()).map(|edits| (edits, 0)).collect();
    let mut best: Option<(usize, P)> = None;
    for (at, c) in text.iter().enumerate() {
        let mut before = column[0];
        column[0] = (0, at + 1);
        for (row, wanted) in needle.iter().enumerate() {
            let same = (before.0 + usize::from(c != wanted), before.1);
            let more = (column[row + 1].0 + 1, column[row + 1].1);
            let less = (column[row].0 + 1, column[row].1);
            before = column[row + 1];
            column[row + 1] =
                [same, more, less].into_iter().min_by_key(|(edits, _)| *edits).unwrap_or(same);
        }
        let (edits, from) = column[needle.len()];
        if edits <= limit && best.as_ref().is_none_or(|(least, _)| edits < *least) {
            best = place(from..at + 1).map(|place| (edits, place)).or(best);
        }
    }
    best.map(|(_, place)| place)
}

/// Returns the span without white space at its ends.
fn trimmed(text: &str, span: Range<usize>) -> Range<usize> {
    let Some(part) = text.get(span.clone()) else { return 0..0 };
    let start = span.start + (part.len() - part.trim_start().len());
    start..start + part.trim().len()
}

/// Whether a span neither begins nor ends within a word or a character: "late" in "chocolate", "can" in
/// "can't", a thumb without its colour. It may begin behind the apostrophe of an elision, as in "qu'ils".
fn is_whole(text: &str, span: &Range<usize>) -> bool {
    let is_bound = |at: usize| {
        let (Some(before), Some(after)) = (text.get(..at), text.get(at..)) else { return false };
        let is_in_word = before.ends_with(is_of_word) && after.starts_with(is_of_word);
        let cursor = &mut GraphemeCursor::new(at, text.len(), true);
        !is_in_word && cursor.is_boundary(text, 0) == Ok(true)
    };
    is_bound(span.start) && is_bound(span.end) && !ends_before_contraction(text, span.end)
}

fn ends_before_contraction(text: &str, end: usize) -> bool {
    let (Some(before), Some(after)) = (text.get(..end), text.get(end..)) else { return false };
    let rest = after.strip_prefix(['\'', '’']);
    before.ends_with(is_of_word) && rest.is_some_and(|rest| rest.starts_with(is_of_word))
}

/// Whether the character is part of a word that blanks separate from others. Thai, Chinese, Japanese
/// and their like have no blanks between words.
fn is_of_word(c: char) -> bool {
    c.is_alphanumeric()
        && !matches!(c, '\u{e00}'..='\u{eff}' | '\u{1000}'..='\u{109f}' | '\u{1780}'..='\u{17ff}' | '\u{2e80}'..='\u{abff}' | '\u{f900}'..='\u{faff}' | '\u{20000}'..)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found<'t>(text: &'t str, quote: &str) -> Option<(&'t str, bool)> {
        find(text, quote).map(|found| (&text[found.span], found.is_exact))
    }

    #[test]
    fn an_exact_part_is_taken_as_it_is() {
        let text = "They were late. Not chocolate late, late.";
        assert_eq!(found(text, "were late"), Some(("were late", true)));
        assert_eq!(find("chocolate, late", "late").unwrap().span, 11..15, "a whole word");
        assert_eq!(found("chocolate", "late"), None, "half a word");
        assert_eq!(found("価格が安い。また来ます", "価格が安い"), Some(("価格が安い", true)));
    }

    #[test]
    fn a_word_or_a_character_is_not_cut() {
        assert_eq!(
            found("Chocolate. Late again!", "late"),
            Some(("Late", false)),
            "the whole word"
        );
        for (text, quote) in [
            ("They can't be beaten", "They can"),
            ("They can’t be beaten", "They can"),
            ("Great 👍🏽", "Great 👍"),
            ("Great 👨‍👩‍👧", "Great 👨"),
            ("Great 🇩🇪", "🇩"),
        ] {
            assert_eq!(found(text, quote), None, "{text}");
        }
        assert_eq!(found("Great 👍🏽!", "Great 👍🏽"), Some(("Great 👍🏽", true)));
        let (text, plain) = ("Great q\u{303} here", "great q");
        assert_eq!(found(text, plain), Some(("Great q\u{303}", false)), "no accent is left behind");
        let text = "J’ai vu qu’ils étaient à l’heure.";
        let quote = "ils étaient à l’heure";
        assert_eq!(found(text, quote), Some((quote, true)));
        assert_eq!(found("They were late.Then", "They were late"), Some(("They were late", true)));
    }

    #[test]
    fn white_space_quotation_marks_and_case_do_not_matter() {
        let text = "He said “it’s  fine”\nand left — at\u{a0}noon.";
        for quote in ["it's fine", "\"It's fine\"", "it’s fine", " …it’s fine… "] {
            assert_eq!(found(text, quote), Some(("it’s  fine", false)), "{quote}");
        }
        assert_eq!(
            found(text, "fine\" and left - at noon."),
            Some(("fine”\nand left — at\u{a0}noon", false))
        );
        assert_eq!(found("Très à l’heure", "tres a l'heure"), Some(("Très à l’heure", false)));
    }

    #[test]
    fn the_nearest_part_within_a_tenth_is_taken() {
        let text = "The plumber explaned everything to us. Great price.";
        assert_eq!(
            found(text, "The plumber explained everything to us"),
            Some(("The plumber explaned everything to us", false))
        );
        assert_eq!(found(text, "Great prices"), Some(("Great price", false)));
        assert_eq!(found(text, "He explained all of it to us"), None);
        assert_eq!(found(text, "fine price"), None, "no edit below ten characters");
        assert_eq!(found("An overpriced lamp", "over price lamp"), None);
    }

    #[test]
    fn nothing_is_found_without_words_or_with_too_many() {
        assert_eq!(found("Good...", "..."), Some(("...", true)));
        assert_eq!(found("Good", "…"), None);
        assert_eq!(found("Good", ""), None);
        assert_eq!(found(&"x ".repeat(600), &"x ".repeat(600)), None);
        assert_eq!(found("", "x"), None);
        let blanks = " ".repeat(MAX_QUOTE);
        assert_eq!(found(&format!("very{blanks}late"), "very late"), None, "too long in the text");
    }
}
