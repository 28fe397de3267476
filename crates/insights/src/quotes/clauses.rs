//! Clauses of a sentence that is too long for a quote.

use std::ops::Range;

use unicode_segmentation::UnicodeSegmentation;

use super::MAX_CHARS;
use crate::language::Language;

/// The number of characters below which a clause is shown with its neighbours.
const ENOUGH: usize = 40;
/// The strength of an edge between two sentences.
const SENTENCE: u8 = 3;
/// The strength of an edge between two clauses.
const CLAUSE: u8 = 2;
/// The strength of an edge that can also be one within a clause, as in a list.
const LIST: u8 = 1;

/// A place where a clause ends and the next one begins.
#[derive(Clone, Copy, Debug)]
struct Edge {
    end: usize,
    start: usize,
    strength: u8,
}

/// The clauses around the mention, at most 240 characters. Strong edges are preferred to weak ones;
/// between strong edges short parts are preferred, between others long ones. Without edges the
/// piece is cut at white space.
pub(super) fn window(
    text: &str,
    piece: &Range<usize>,
    mention: &Range<usize>,
    language: &Language,
) -> Range<usize> {
    let edges = edges(text, piece, language);
    let anchor = anchor(text, piece, mention);
    let near = |from: usize, to: usize| to - from <= MAX_CHARS * 4;
    let starts = || {
        let all = edges.iter().map(|edge| (edge.start, edge.strength));
        let all = all.chain([(piece.start, SENTENCE)]);
        all.filter(|(start, _)| *start <= anchor.start && near(*start, anchor.start))
    };
    let ends = || {
        let all = edges.iter().map(|edge| (edge.end, edge.strength));
        let all = all.chain([(piece.end, SENTENCE)]);
        all.filter(|(end, _)| *end >= anchor.end && *end > anchor.start && near(anchor.start, *end))
    };
    let mut best: Option<(i32, Range<usize>)> = None;
    for (start, before) in starts() {
        for (end, after) in ends().filter(|(end, _)| near(start, *end)) {
            let Some(rank) = rank(&text[start..end], before + after) else { continue };
            if best.as_ref().is_none_or(|(known, _)| rank > *known) {
                best = Some((rank, start..end));
            }
        }
    }
    best.map_or_else(|| cut(text, piece, &anchor, starts()), |(_, found)| found)
}

/// The rank of a window; `None` if it is too long.
fn rank(words: &str, strength: u8) -> Option<i32> {
    let length = words.chars().count();
    if length > MAX_CHARS {
        return None;
    }
    let short = strength == 2 * SENTENCE && length >= ENOUGH;
    let preferred = if short { 2 * MAX_CHARS - length } else { length };
    Some(i32::from(strength) * 1_000 + preferred as i32)
}

/// The part of the mention that the quote must contain.
fn anchor(text: &str, piece: &Range<usize>, mention: &Range<usize>) -> Range<usize> {
    let start = mention.start.clamp(piece.start, piece.end);
    let end = mention.end.clamp(start, piece.end);
    let fits = text[start..end].chars().count() <= MAX_CHARS;
    start..if fits { end } else { start }
}

/// The part from the strongest edge that is near enough to the last white space.
fn cut(
    text: &str,
    piece: &Range<usize>,
    anchor: &Range<usize>,
    starts: impl Iterator<Item = (usize, u8)>,
) -> Range<usize> {
    let reaches = |start: &usize| text[*start..anchor.end].chars().count() <= MAX_CHARS;
    let start = starts
        .filter(|(start, _)| reaches(start))
        .max_by_key(|(start, strength)| (*strength, std::cmp::Reverse(*start)))
        .map_or(anchor.start, |(start, _)| start);
    let limit = text[start..piece.end].char_indices().nth(MAX_CHARS);
    let Some(limit) = limit.map(|(at, _)| start + at) else { return start..piece.end };
    let blank = text[start..limit].rfind(char::is_whitespace).map(|at| start + at);
    let end = blank.filter(|end| *end >= anchor.end && *end > anchor.start).unwrap_or(limit);
    start..end
}

fn edges(text: &str, piece: &Range<usize>, language: &Language) -> Vec<Edge> {
    let part = &text[piece.clone()];
    let mut found = Vec::new();
    for (at, sign) in part.char_indices() {
        let after = at + sign.len_utf8();
        let Some((end, strength)) = edge(part, at, sign, language) else { continue };
        found.push(Edge { end: piece.start + end, start: piece.start + after, strength });
    }
    found
}

/// The end of the clause before a sign, and the strength of the edge.
fn edge(part: &str, at: usize, sign: char, language: &Language) -> Option<(usize, u8)> {
    let after = at + sign.len_utf8();
    let rest = &part[after..];
    let before = part[..at].chars().next_back();
    let digits = before.is_some_and(|c| c.is_ascii_digit())
        && rest.starts_with(|c: char| c.is_ascii_digit());
    match sign {
        '!' | '?' | '…' => Some((after, SENTENCE)),
        '.' if is_full_stop(part, at) => Some((after, SENTENCE)),
        ';' | '\n' | '—' => Some((at, SENTENCE)),
        '-' | '–' if before == Some(' ') && rest.starts_with(' ') => Some((at, SENTENCE)),
        ',' | ':' if !digits => Some((at, if begins(rest, language) { CLAUSE } else { LIST })),
        '(' | ')' => Some((at + usize::from(sign == ')'), LIST)),
        _ if is_symbol(sign) => Some((at, SENTENCE)),
        _ if sign.is_whitespace() => joined(rest, language).map(|strength| (at, strength)),
        _ => None,
    }
}

/// Whether a full stop ends a sentence: it is one of several, or it follows a word and not an
/// abbreviation.
fn is_full_stop(part: &str, at: usize) -> bool {
    let (before, rest) = (&part[..at], &part[at + 1..]);
    let word = before.rsplit(char::is_whitespace).next().unwrap_or_default();
    let plain = word.len() >= 3 && word.bytes().all(|byte| byte.is_ascii_alphabetic());
    let next = rest.chars().next();
    rest.starts_with('.')
        || before.ends_with('.')
        || plain && next.is_none_or(|c| c.is_whitespace() || c.is_uppercase())
}

/// Emoji and other symbols.
pub(super) fn is_symbol(sign: char) -> bool {
    sign >= '\u{2190}' && !sign.is_alphanumeric()
}

/// The first two words in lowercase, without what follows an apostrophe.
fn first_words(text: &str) -> [String; 2] {
    let mut words = text
        .unicode_words()
        .map(|word| word.split(['\'', '’']).next().unwrap_or_default().to_lowercase());
    [words.next().unwrap_or_default(), words.next().unwrap_or_default()]
}

/// Whether a clause begins here.
fn begins(text: &str, language: &Language) -> bool {
    let [first, second] = first_words(text);
    language.lists("clause_contrasts", &first)
        || language.lists("starters", &first)
        || language.lists("joining", &first) && language.lists("starters", &second)
}

/// The strength of the edge before a word that contrasts or joins.
fn joined(text: &str, language: &Language) -> Option<u8> {
    let [first, second] = first_words(text);
    if !text.starts_with(char::is_alphabetic) {
        return None;
    }
    let is = |list: &str| language.lists(list, &first);
    if is("clause_contrasts") || is("joining") && language.lists("starters", &second) {
        return Some(CLAUSE);
    }
    is("and").then_some(LIST)
}
