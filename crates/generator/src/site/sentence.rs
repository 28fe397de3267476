//! Selects one sentence of a review, of a length that fits, as it was written.

use std::ops::RangeInclusive;

/// Returns the first sentence with so many characters that is `wanted`.
pub(super) fn first(
    text: &str,
    length: RangeInclusive<usize>,
    wanted: impl Fn(&str) -> bool,
) -> Option<&str> {
    let marks = text.match_indices(['.', '!', '?', '…', '\n']);
    let mut start = 0;
    for end in marks.map(|(at, mark)| at + mark.len()).chain([text.len()]) {
        let rest = &text[end..];
        let is_line = rest.is_empty() || text[..end].ends_with('\n');
        // "$3.50" and "approx. an hour" end no sentence.
        let goes_on = rest.trim_start().starts_with(char::is_lowercase);
        if !is_line && (goes_on || !rest.starts_with(char::is_whitespace)) {
            continue;
        }
        let sentence = text[start..end].trim();
        start = end;
        if length.contains(&sentence.chars().count()) && wanted(sentence) {
            return Some(sentence);
        }
    }
    None
}

/// Splits a long text into the part shown at first and the rest, at the end of a sentence in the last half or a word.
pub(super) fn clamp(text: &str, limit: usize) -> (&str, Option<&str>) {
    let most = limit + limit * 3 / 10;
    if text.len() <= most || text.chars().nth(most).is_none() {
        return (text, None);
    }
    let end = text.char_indices().nth(limit).map_or(text.len(), |(at, _)| at);
    let shown = &text[..end];
    let sentence = [". ", "! ", "? ", "\n"].iter().filter_map(|mark| shown.rfind(mark)).max();
    let sentence = sentence.map(|at| at + 1).filter(|at| *at > end / 2);
    let word = || shown.rfind(char::is_whitespace).filter(|at| *at > 0);
    let end = sentence.or_else(word).unwrap_or(end);
    (&text[..end], Some(&text[end..]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sentence_is_whole_and_fits() {
        let text = "Great! They charged $3.50 less than approx. an hour of work. Thank you so much, we will call again";
        let find = |length| first(text, length, |_| true);
        assert_eq!(find(20..=60), Some("They charged $3.50 less than approx. an hour of work."));
        assert_eq!(find(1..=6), Some("Great!"));
        assert_eq!(find(30..=45), Some("Thank you so much, we will call again"));
        assert_eq!(find(200..=300), None);
        assert_eq!(
            first(text, 1..=60, |it| it.contains("call")),
            Some("Thank you so much, we will call again")
        );
    }

    #[test]
    fn a_long_text_is_parted_between_words_and_loses_nothing() {
        let text = "word ".repeat(400);
        let (head, tail) = clamp(&text, 190);
        assert_eq!(format!("{head}{}", tail.unwrap()), text);
        assert!(head.ends_with("word"));
        assert_eq!(clamp("short", 190), ("short", None));
        assert_eq!(clamp(&"a".repeat(247), 190).1, None, "a rest of a few words is shown at once");
        let unbroken = "語".repeat(2_000);
        assert_eq!(clamp(&unbroken, 190).0.chars().count(), 190);
        let sentences = "Ten letters and more. ".repeat(30);
        assert!(clamp(&sentences, 190).0.ends_with("more."), "{sentences}");
    }
}
