//! Training reviews with marked mentions, one per line: stars, a tab, the text. In the text,
//! `[quality- The hinge sags]` marks the words that mention the aspect. Stars are 0 if a sentence
//! was judged alone.

use insights::Sentiment;

use crate::scores::{Gold, Judged};

/// The signs of sentiments in a mark.
const SIGNS: [(char, Sentiment); 4] = [
    ('+', Sentiment::Positive),
    ('-', Sentiment::Negative),
    ('=', Sentiment::Neutral),
    ('~', Sentiment::Mixed),
];
/// The stars that favour neither side.
const NO_STARS: u8 = 3;

/// The reviews of a file, or the number of the line that is not a review.
pub fn parse(text: &str) -> Result<Vec<Judged>, usize> {
    let lines = text.lines().enumerate();
    lines.map(|(at, line)| review(at + 1, line).ok_or(at + 1)).collect()
}

fn review(number: usize, line: &str) -> Option<Judged> {
    let (stars, marked) = line.split_once('\t')?;
    let rating = stars.parse().ok().filter(|stars| (0..=5).contains(stars))?;
    let mut judged = Judged {
        id: number.to_string(),
        rating: if rating == 0 { NO_STARS } else { rating },
        text: String::new(),
        aspects: Vec::new(),
        rewritten: false,
    };
    let mut rest = marked;
    while let Some((before, after)) = rest.split_once('[') {
        let (inside, after) = after.split_once(']')?;
        judged.text.push_str(before);
        let at = judged.text.len();
        judged.text.push_str(marks(inside, at, &mut judged.aspects)?);
        rest = after;
    }
    judged.text.push_str(rest);
    Some(judged)
}

/// Parses `quality- speed+ the words`, which begin at this byte, and returns the words.
fn marks<'a>(mut inside: &'a str, at: usize, aspects: &mut Vec<Gold>) -> Option<&'a str> {
    let first = aspects.len();
    while let Some((mark, quote)) = inside.split_once(' ').filter(|(mark, _)| is_mark(mark)) {
        let (sign, id) = (mark.chars().next_back()?, &mark[..mark.len() - 1]);
        let (_, sentiment) = *SIGNS.iter().find(|(known, _)| *known == sign)?;
        let (id, quote_at) = (id.to_owned(), Some(at));
        aspects.push(Gold { id, sentiment, quote: String::new(), at: quote_at, optional: false });
        inside = quote;
    }
    aspects[first..].iter_mut().for_each(|gold| gold.quote = inside.to_owned());
    (aspects.len() > first).then_some(inside)
}

fn is_mark(word: &str) -> bool {
    let letters = word.trim_end_matches(['+', '-', '=', '~']);
    letters.len() + 1 == word.len() && letters.bytes().all(|byte| byte.is_ascii_lowercase())
}
