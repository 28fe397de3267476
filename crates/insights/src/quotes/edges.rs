//! The edges of a quote: which words are trimmed there, and where a clause can begin and end.

use std::ops::Range;

use unicode_segmentation::UnicodeSegmentation;

use crate::language::Language;

/// The maximum number of words of a signature.
const SIGNED: usize = 6;
/// Faces of signs that end no quote.
const EMOTICONS: [&str; 6] = [":-)", ":)", ";-)", ";)", ":-(", ":("];
/// Signs that end no quote.
const OPEN: [char; 24] = [
    ',', ';', ':', '-', '–', '—', '(', '[', '{', '<', '*', '/', '&', '+', '=', '_', '~', '|', '#',
    '“', '‘', '«', '\\', '^',
];

/// The edges of quotes in a language.
#[derive(Clone, Copy)]
pub(super) struct Edges<'l>(pub(super) &'l Language);

impl Edges<'_> {
    /// The piece without what is not printed at its edges. It still overlaps the mention.
    pub(super) fn trim(
        self,
        text: &str,
        piece: Range<usize>,
        mention: &Range<usize>,
    ) -> Range<usize> {
        let Range { mut start, mut end } = piece;
        loop {
            let skipped = self.leading(&text[start..end]);
            if skipped == 0 || start + skipped >= mention.end.min(end) {
                break;
            }
            start += skipped;
        }
        loop {
            let kept = start + self.trailing(&text[start..end]);
            if kept == end || kept <= mention.start.max(start) {
                break;
            }
            end = kept;
        }
        start..end
    }

    /// The length of the text that is trimmed first at the beginning.
    fn leading(self, text: &str) -> usize {
        let paired = |sign: char, close: char| match sign {
            '"' => text.matches('"').count().is_multiple_of(2),
            _ => text.contains(close),
        };
        let begins = |sign: char| match sign {
            '(' => paired('(', ')'),
            '"' => paired('"', '"'),
            '“' => paired('“', '”'),
            '\'' | '‘' | '£' | '$' | '€' | '¡' | '¿' => true,
            _ => sign.is_alphanumeric(),
        };
        let noise = text.find(begins).unwrap_or(text.len());
        if noise > 0 {
            return noise;
        }
        [unopened(text), self.label(text), self.greeting(text), self.leading_word(text)]
            .into_iter()
            .find(|length| *length > 0)
            .unwrap_or(0)
    }

    /// The length of a label at the beginning: "Update:", "EDIT*".
    fn label(self, text: &str) -> usize {
        let Some(first) = words(text, 1).first().copied() else { return 0 };
        let marked = text[end_of(first)..].starts_with([':', '*', '-', '.', ')', ']']);
        if self.0.lists("labels", first.1) && marked { end_of(first) + 1 } else { 0 }
    }

    /// The length of a greeting at the beginning: "Hi there,", "Good afternoon -", "Hello".
    fn greeting(self, text: &str) -> usize {
        let words = words(text, 4);
        let Some(first) = words.first() else { return 0 };
        let is_good = self.0.lists("wishes", first.1)
            && words.get(1).is_some_and(|(_, word)| self.0.lists("wished", word));
        if !is_good && !self.0.lists("greetings", first.1) {
            return 0;
        }
        let marked = words.iter().skip(usize::from(is_good)).find_map(|word| mark(text, *word));
        if let Some(end) = marked {
            return end;
        }
        if is_good || self.0.lists("addresses", first.1) {
            return 0;
        }
        match words.get(1) {
            Some(second) if self.0.lists("greeted", second.1) => end_of(*second),
            _ => end_of(*first),
        }
    }

    fn leading_word(self, text: &str) -> usize {
        let Some(first) = words(text, 1).first().copied() else { return 0 };
        let apart = text[end_of(first)..].starts_with([' ', ',', '\n']);
        if first.0 == 0 && apart && self.0.lists("leading", first.1) { end_of(first) } else { 0 }
    }

    /// The length of the text without what is trimmed first at its end.
    fn trailing(self, text: &str) -> usize {
        let is_rated = |rest: &str| rest.ends_with(|c: char| c.is_ascii_digit());
        let kept = text.trim_end();
        let rest = EMOTICONS.iter().find_map(|face| kept.strip_suffix(face));
        if let Some(rest) = rest.or(kept.strip_suffix(OPEN))
            && !(kept.ends_with('*') && is_rated(rest.trim_end_matches('*')))
        {
            return rest.trim_end().len();
        }
        if let Some(rest) = kept.strip_suffix('"').filter(|_| kept.matches('"').count() % 2 == 1) {
            return rest.trim_end().len();
        }
        if let Some(open) = kept.rfind('(').filter(|at| !kept[*at..].contains(')')) {
            return kept[..open].trim_end().len();
        }
        let last = kept.unicode_word_indices().next_back();
        if let Some(last) = last.filter(|last| end_of(*last) == kept.len() && last.0 > 0)
            && self.0.lists("dangling", last.1)
        {
            return kept[..last.0].trim_end().len();
        }
        self.signature(kept)
            .filter(|at| *at > 0)
            .map_or(kept.len(), |at| kept[..at].trim_end().len())
    }

    /// Whether the whole text is a signature.
    pub(super) fn is_signature(self, text: &str) -> bool {
        self.signature(text) == Some(0)
    }

    /// The position of a signature at the end of a text: "Thanks, The Millers", "Best regards", "- Jo".
    fn signature(self, text: &str) -> Option<usize> {
        let mut last: Vec<(usize, &str)> = text.unicode_word_indices().rev().take(SIGNED).collect();
        last.reverse();
        (0..last.len()).find_map(|n| {
            let (at, word) = last[n];
            let rest = &last[n + 1..];
            let before = text[..at].trim_end();
            let apart = before.is_empty() || before.ends_with(|c: char| !c.is_alphanumeric());
            let qualified = n > 0 && self.0.lists("qualifiers", last[n - 1].1);
            if self.0.lists("closing", word) && (apart || qualified) && self.are_names(rest) {
                return Some(if qualified { last[n - 1].0 } else { at });
            }
            let thanked = self.0.words("thanks").find_map(|thanks| {
                let (first, second) = thanks.split_once('_').unwrap_or((thanks, ""));
                let is_second = rest.first().is_some_and(|(_, word)| *word == second);
                let after = if second.is_empty() { Some(rest) } else { rest.get(1..) };
                after.filter(|_| {
                    word.eq_ignore_ascii_case(first) && (is_second || second.is_empty())
                })
            });
            let names = |names: &&[(usize, &str)]| !names.is_empty() && self.are_names(names);
            if apart && thanked.filter(names).is_some() {
                return Some(at);
            }
            let unsigned = before.strip_suffix(['-', '–', '—', '~'])?;
            let signed = unsigned.ends_with(|c: char| c.is_whitespace() || ".!?".contains(c));
            (signed && last.len() - n <= 3 && self.are_names(&last[n..])).then_some(unsigned.len())
        })
    }

    /// Whether all words are names, such as "The Millers" or "Jo and Sam".
    fn are_names(self, words: &[(usize, &str)]) -> bool {
        words.iter().all(|(_, word)| {
            let mut letters = word.chars();
            let capital = letters.next().is_some_and(char::is_uppercase);
            let is_name = capital && letters.all(|c| !c.is_uppercase());
            let is = |list: &str| self.0.words(list).any(|known| known == *word);
            is_name && !is("no_signature") || is("name_joins")
        })
    }

    /// Whether a clause can begin between these texts.
    pub(super) fn begins_clause(self, before: &str, quote: &str) -> bool {
        let Some(first) = quote.chars().next() else { return false };
        if !(first.is_alphanumeric() || "\"“'‘(£$€¡¿".contains(first))
            || self.leading_word(quote) > 0
        {
            return false;
        }
        let before = before.trim_end();
        if !before.contains(char::is_alphanumeric) || !is_within_words(before.chars().next_back()) {
            return true;
        }
        let last = before.unicode_words().next_back().unwrap_or_default();
        let first = quote.unicode_words().next().unwrap_or_default();
        self.0.lists("leading", last)
            || self.0.lists("greetings", last)
            || self.0.lists("greeted", last)
            || self.0.lists("clause_contrasts", first)
            || self.0.lists("joining", first)
    }

    /// Whether a clause can end between these texts.
    pub(super) fn ends_clause(self, quote: &str, after: &str) -> bool {
        let last = quote.unicode_word_indices().next_back();
        let dangles = last
            .is_some_and(|last| end_of(last) == quote.len() && self.0.lists("dangling", last.1));
        if dangles || quote.ends_with(OPEN) && !quote.ends_with('*') {
            return false;
        }
        let after = after.trim_start();
        if !after.contains(char::is_alphanumeric) || quote.ends_with(super::FULL_STOPS) {
            return true;
        }
        let next = after.unicode_words().next().unwrap_or_default();
        !is_within_words(after.chars().next())
            || self.0.lists("clause_contrasts", next)
            || self.0.lists("joining", next)
    }
}

/// The length up to a closing bracket that is not opened in the text, other than that of ":)" and
/// of "2)".
fn unopened(text: &str) -> usize {
    let close = text.find(')').filter(|at| !text[..*at].contains('('));
    let of_words = |at: &usize| text[..*at].ends_with(char::is_alphabetic);
    close.filter(of_words).map_or(0, |at| at + 1)
}

fn words(text: &str, count: usize) -> Vec<(usize, &str)> {
    text.unicode_word_indices().take(count).collect()
}

fn end_of((at, word): (usize, &str)) -> usize {
    at + word.len()
}

/// The end of the sign after a word of a greeting.
fn mark(text: &str, word: (usize, &str)) -> Option<usize> {
    let rest = &text[end_of(word)..];
    let blank = rest.len() - rest.trim_start_matches(' ').len();
    let sign = rest[blank..].chars().next()?;
    let marks = matches!(sign, ',' | '!' | ':') || matches!(sign, '-' | '–' | '—') && blank > 0;
    marks.then_some(end_of(word) + blank + sign.len_utf8())
}

/// Whether a sign is between words of one clause, or is a part of a word.
fn is_within_words(sign: Option<char>) -> bool {
    sign.is_some_and(|c| c.is_alphanumeric() || "'’£$€%#".contains(c))
}
