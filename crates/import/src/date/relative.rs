//! Relative dates: "a week ago", "vor 10 Monaten".

use std::{
    collections::{HashMap, HashSet},
    sync::LazyLock,
};

use jiff::{Span, ToSpan, civil::Date};

use crate::table;
use content::DatePrecision;
use contract::text::fold;

/// The words of all languages, folded.
#[derive(Default)]
struct Words {
    marks: HashSet<String>,
    /// Marks of several words.
    phrases: Vec<String>,
    named: HashMap<String, i32>,
    /// Articles, and the number one.
    ones: HashSet<String>,
    /// Units and the counts that their words state.
    units: HashMap<String, (Unit, i32)>,
}

static WORDS: LazyLock<Words> = LazyLock::new(|| {
    let mut words = Words::default();
    for (key, names) in table::lines(include_str!("../../data/relative_dates.txt")) {
        let counted = names.map(counted);
        let unit = match key {
            "past" => {
                let (phrases, marks): (Vec<_>, Vec<_>) =
                    counted.map(|(mark, _)| mark).partition(|mark| mark.contains(' '));
                words.phrases.extend(phrases);
                words.marks.extend(marks);
                continue;
            }
            "one" => {
                words.ones.extend(counted.map(|(word, _)| word));
                continue;
            }
            "days ago" => {
                words.named.extend(counted);
                continue;
            }
            "moment" => Unit::Moment,
            "day" => Unit::Day,
            "week" => Unit::Week,
            "month" => Unit::Month,
            _ => Unit::Year,
        };
        words.units.extend(counted.map(|(name, count)| (name, (unit, count))));
    }
    words
});

/// `gestern=1`: a word and its count.
fn counted(word: &'static str) -> (String, i32) {
    let (word, count) = word.split_once('=').unwrap_or((word, "1"));
    (fold(word), count.parse().unwrap_or(1))
}

/// Words for a half, which is none of the numbers that a distance has.
const HALVES: [&str; 8] = ["half", "halb", "halbes", "halben", "demi", "medio", "mezzo", "meio"];

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Unit {
    Moment,
    Day,
    Week,
    Month,
    Year,
}

/// A distance back from a day that the text does not name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Relative {
    count: i32,
    unit: Unit,
}

/// The text as a relative date; `None` where it is none.
pub(super) fn read(text: &str) -> Option<Relative> {
    let folded = fold(text);
    if let Some(days) = WORDS.named.get(folded.trim()) {
        return Some(Relative { count: *days, unit: Unit::Day });
    }
    // Japanese writes number and unit together.
    let mut spaced = String::new();
    for run in folded
        .chars()
        .collect::<Vec<_>>()
        .chunk_by(|a, b| digit(*a).is_some() == digit(*b).is_some())
    {
        spaced.extend(run);
        spaced.push(' ');
    }
    let words: Vec<&str> =
        spaced.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).collect();
    let is_marked = words.iter().any(|word| WORDS.marks.contains(*word))
        || WORDS.phrases.iter().any(|phrase| folded.contains(phrase));
    // "30+ days ago", "half a year ago".
    let is_inexact = folded.contains('+') || words.iter().any(|word| HALVES.contains(word));
    if !is_marked || is_inexact || words.len() > 8 {
        return None;
    }
    // "il y a un an": the last word for a unit is the unit.
    let at = words.iter().rposition(|word| WORDS.units.contains_key(*word))?;
    let (unit, stated) = WORDS.units.get(words[at])?;
    let mut numbers = words.iter().enumerate().filter_map(|(at, word)| Some((at, number(word)?)));
    let count = match (numbers.next(), numbers.next()) {
        // "1.5 years", "1,200 days", "2 years 3 months": not one number of one unit.
        (Some((beside, count)), None) if beside.abs_diff(at) == 1 => count,
        (None, _) if at.checked_sub(1).is_none_or(|before| is_one(words[before])) => *stated,
        _ => return None,
    };
    Some(Relative { count, unit: *unit })
}

/// Whether a word before a unit leaves it one: an article, or a mark of the past. Other words, such as "two" and
/// "several", are numbers, but for those in other scripts than Latin.
fn is_one(word: &str) -> bool {
    let is_part = || WORDS.phrases.iter().any(|phrase| phrase.split(' ').any(|part| part == word));
    let is_latin = word.chars().all(|c| c.is_ascii_alphabetic());
    !is_latin || WORDS.ones.contains(word) || WORDS.marks.contains(word) || is_part()
}

/// A European or an Arabic digit.
fn digit(c: char) -> Option<u32> {
    let arabic = |zero: char| (c as u32).checked_sub(zero as u32).filter(|digit| *digit < 10);
    c.to_digit(10).or_else(|| arabic('\u{660}')).or_else(|| arabic('\u{6f0}'))
}

fn number(word: &str) -> Option<i32> {
    let digits =
        word.chars().map(|c| char::from_digit(digit(c)?, 10)).collect::<Option<String>>()?;
    digits.parse().ok()
}

impl Relative {
    /// The day so far before `from`, and how exact it is.
    pub(super) fn before(self, from: Date) -> Option<(Date, DatePrecision)> {
        let Self { count, unit } = self;
        let (span, precision): (Span, _) = match unit {
            Unit::Moment => (0.days(), DatePrecision::Day),
            Unit::Day => (count.days(), DatePrecision::Day),
            Unit::Week => (count.weeks(), DatePrecision::Week),
            Unit::Month => (count.months(), DatePrecision::Month),
            Unit::Year => (i16::try_from(count).ok()?.years(), DatePrecision::Year),
        };
        from.checked_sub(span).ok().map(|day| (day, precision))
    }
}
