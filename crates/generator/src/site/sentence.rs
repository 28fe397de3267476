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
}
