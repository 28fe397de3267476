//! Quotes that are fit to print: whole sentences or clauses of at most 240 characters, without
//! markup, greetings and signatures.

mod clauses;
mod edges;
mod markup;
#[cfg(test)]
mod tests;

use std::ops::Range;

use unicode_segmentation::UnicodeSegmentation;

use crate::{language::Language, segment::sentences};

/// The maximum length of a quote in characters.
pub(crate) const MAX_CHARS: usize = 240;
/// A line of at least this many bytes can end within a sentence.
const WRAPPED: usize = 40;
/// The maximum number of lines over which a wrapped sentence is followed.
const LINES: usize = 6;
/// The minimum number of words of a quote that is a part of a sentence.
const PART_WORDS: usize = 3;
/// The minimum number of words of a quote that is a line without a full stop.
const LINE_WORDS: usize = 4;
/// The minimum number of words of a quote that is an item of a list.
const ITEM_WORDS: usize = 5;
/// Marks that begin an item of a list.
const BULLETS: [char; 10] = ['-', '–', '—', '*', '•', '·', '+', '‣', '✓', '✔'];
/// Exports cut texts after a multiple of this many characters, and not below [`CUT_FROM`].
const CUT_AT: usize = 50;
const CUT_FROM: usize = 100;
/// Up to this length the label of a link can be a word of the review.
const SHORT_MARK: usize = 4;
/// Signs that end a sentence.
const FULL_STOPS: [char; 4] = ['.', '!', '?', '…'];

/// Whether a quote can be printed, and where its sentence is cut.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Print {
    /// Whether the quote is fit to print.
    pub(crate) fit: bool,
    /// Whether words of the same sentence precede the quote.
    pub(crate) cut_start: bool,
    /// Whether words of the same sentence follow the quote.
    pub(crate) cut_end: bool,
}

/// The part of the sentence that shows the mention: the whole sentence, or clauses of it if it is
/// too long or contains markup. It overlaps the mention. All positions are in bytes of `text`.
pub(crate) fn quotable(
    text: &str,
    sentence: (u32, u32),
    mention: (u32, u32),
    language: &Language,
) -> (u32, u32) {
    let mention = range(mention);
    let whole = unwrapped(text, range(sentence), language);
    let clean = markup::around(text, whole, &mention);
    let edges = edges::Edges(language);
    let mut quote = edges.trim(text, clean, &mention);
    if is_too_long(&text[quote.clone()]) {
        let window = clauses::window(text, &quote, &mention, language);
        quote = edges.trim(text, window, &mention);
    }
    (quote.start as u32, quote.end as u32)
}

/// Whether a quote is fit to print, and where its sentence is cut. `sentence` is the sentence of
/// the mention, if it is known.
pub(crate) fn examine(
    text: &str,
    sentence: Option<(u32, u32)>,
    quote: (u32, u32),
    language: &Language,
) -> Print {
    let edges = edges::Edges(language);
    let quote = range(quote);
    let whole = match sentence {
        Some(sentence) => unwrapped(text, range(sentence), language),
        None => sentences_of(text, &quote, language),
    };
    let before = &text[whole.start.min(quote.start)..quote.start];
    let after = &text[quote.end..whole.end.max(quote.end)];
    let words = &text[quote.clone()];
    let is_open = |text: &str| !text.ends_with(['.', '!', '?']) || text.ends_with("..");
    let follows = |text: &str| text.starts_with('.');
    Print {
        fit: edges.begins_clause(before, words)
            && edges.ends_clause(words, after)
            && is_printable(words)
            && !edges.is_signature(words)
            && has_enough_words(text, &quote, has_words(before) || has_words(after)),
        cut_start: has_words(before) && is_open(before.trim_end()),
        cut_end: has_words(after) && (is_open(words) || follows(after)),
    }
}

/// Whether an export cut the text: it ends with an ellipsis, with the label of a link to the rest ("… More", "Read more"),
/// or within a sentence after a round number of characters.
pub(crate) fn is_cut(text: &str, language: &Language) -> bool {
    let text = text.trim_end();
    let is_round = |length: usize| length >= CUT_FROM && length.is_multiple_of(CUT_AT);
    let is_open = |text: &str| {
        let text = text.trim_end_matches(|c: char| c.is_whitespace() || "()[]".contains(c));
        text.ends_with("...") || text.ends_with('…')
    };
    let is_marked = |mark: &str| {
        let Some(at) = text.len().checked_sub(mark.len()) else { return false };
        let (Some(before), Some(end)) = (text.get(..at), text.get(at..)) else { return false };
        let is_label = mark.len() > SHORT_MARK && end.starts_with(char::is_uppercase);
        end.replace(' ', "_").eq_ignore_ascii_case(mark) && (is_label || is_open(before))
    };
    is_open(text)
        || language.words("cut_marks").any(is_marked)
        || text.ends_with(char::is_alphanumeric) && is_round(text.chars().count())
}

fn range((from, to): (u32, u32)) -> Range<usize> {
    from as usize..to as usize
}

fn is_too_long(text: &str) -> bool {
    text.len() > MAX_CHARS && text.chars().count() > MAX_CHARS
}

fn has_words(text: &str) -> bool {
    text.contains(char::is_alphanumeric)
}

/// The sentences that a quote of unknown origin overlaps.
fn sentences_of(text: &str, quote: &Range<usize>, language: &Language) -> Range<usize> {
    let touched = |other: &Range<usize>| other.start < quote.end && quote.start < other.end;
    let all: Vec<Range<usize>> = sentences(text, language).into_iter().filter(touched).collect();
    match (all.first(), all.last()) {
        (Some(first), Some(last)) => first.start..last.end,
        _ => quote.clone(),
    }
}

/// The sentence with the lines before and after over which it is wrapped.
fn unwrapped(text: &str, sentence: Range<usize>, language: &Language) -> Range<usize> {
    let Range { mut start, mut end } = sentence;
    for _ in 0..LINES {
        let line = line_start(text, start);
        if line == 0 || !text[line..start].trim().is_empty() || !runs_on(text, line - 1) {
            break;
        }
        let previous = line_start(text, line - 1);
        let inside = sentences(&text[previous..line - 1], language);
        start = previous + inside.last().map_or(0, |last| last.start);
    }
    for _ in 0..LINES {
        let Some(break_at) = text[end..].find('\n').map(|at| end + at) else { break };
        if !text[end..break_at].trim().is_empty() || !runs_on(text, break_at) {
            break;
        }
        let next = &text[break_at + 1..];
        let next = &next[..next.find('\n').unwrap_or(next.len())];
        end =
            break_at + 1 + sentences(next, language).first().map_or(next.len(), |first| first.end);
    }
    start..end
}

fn line_start(text: &str, at: usize) -> usize {
    text[..at].rfind('\n').map_or(0, |line_break| line_break + 1)
}

/// Whether a sentence continues over the line break at this position: the line before is long and
/// has no sign at its end, and the next line begins with a lowercase letter.
fn runs_on(text: &str, line_break: usize) -> bool {
    let before = text[..line_break].trim_end_matches([' ', '\t', '\r']);
    let after = text[line_break + 1..].trim_start_matches([' ', '\t']);
    before.ends_with(|c: char| c.is_alphanumeric() || c == ',')
        && before.len() - line_start(text, before.len()) >= WRAPPED
        && after.starts_with(char::is_lowercase)
}

/// Whether the words alone can be printed.
fn is_printable(words: &str) -> bool {
    !is_too_long(words)
        && markup::find(words).is_empty()
        && words.matches('(').count() <= words.matches(')').count()
        && words.matches('"').count().is_multiple_of(2)
}

fn has_enough_words(text: &str, quote: &Range<usize>, is_part: bool) -> bool {
    let line_at = line_start(text, quote.start);
    let line = text[line_at..].trim_start();
    let ends = text[quote.clone()].ends_with(FULL_STOPS);
    let alone = text.trim().len() == quote.len();
    let least = if is_item(line) {
        ITEM_WORDS
    } else if !alone && !ends && text.trim().contains('\n') {
        LINE_WORDS
    } else if is_part {
        PART_WORDS
    } else {
        1
    };
    text[quote.clone()].unicode_words().take(least).count() == least
}

/// Whether the line is an item of a list: "- tidy", "2) tidy".
fn is_item(line: &str) -> bool {
    let rest = line.trim_start_matches(|c: char| c.is_ascii_digit());
    let numbered = rest.len() < line.len() && rest.starts_with(['.', ')']);
    line.starts_with(BULLETS) || numbered && rest[1..].starts_with(' ')
}
