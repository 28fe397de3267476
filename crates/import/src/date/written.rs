//! Dates as people write them: `7/27/2011`, `13.04.2025 10:30`, `26 June 2023`.

use std::{collections::HashMap, sync::LazyLock};

use jiff::civil::Date;

use crate::table;
use content::DatePrecision;
use contract::text::fold;

/// The order of day, month and year in a date.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum DateOrder {
    MonthDay,
    DayMonth,
    YearMonth,
}

impl DateOrder {
    pub(super) const ALL: [Self; 3] = [Self::MonthDay, Self::DayMonth, Self::YearMonth];
}

/// A date in numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Numbers {
    /// The day in each order.
    days: [Option<Date>; 3],
    separator: Option<char>,
    /// Whether the year has two digits.
    is_short: bool,
}

impl Numbers {
    /// `None` for a text that is not a date in numbers. A year that comes first and has four digits is followed by the
    /// month. One with two digits is in this century, and the day not after `latest`.
    pub(super) fn read(text: &str, latest: Date) -> Option<Self> {
        let kanji = bare(text).replace(['\u{5e74}', '\u{6708}'], "/").replace('\u{65e5}', " ");
        let date = without_time(kanji.trim()).unwrap_or(kanji.trim()).trim_end_matches('.');
        let separator = ['/', '.', '-'].into_iter().find(|c| date.contains(*c));
        let is_number = |part: &str| part.bytes().all(|byte| byte.is_ascii_digit());
        let parts: Vec<&str> = match separator {
            Some(separator) => date.split(separator).map(str::trim).collect(),
            None if date.len() != 8 || !is_number(date) => return None,
            None if YEARS.contains(&date[..4].parse().ok()?) => {
                vec![&date[..4], &date[4..6], &date[6..]]
            }
            None => vec![&date[..2], &date[2..4], &date[4..]],
        };
        let [first, second, third] = parts[..] else { return None };
        if !parts.iter().all(|part| is_number(part)) {
            return None;
        }
        let is_short = match (first.len(), second.len(), third.len()) {
            (4, 1 | 2, 1 | 2) | (1 | 2, 1 | 2, 4) => false,
            (1 | 2, 1 | 2, 1 | 2) => true,
            _ => return None,
        };
        let day = |year: &str, month: &str, day: &str| {
            let century = if is_short { 2000 } else { 0 };
            let year = Some(year).filter(|year| year.len() > 1)?.parse::<i16>().ok()?;
            let day = Date::new(century + year, month.parse().ok()?, day.parse().ok()?).ok()?;
            (!is_short || day <= latest).then_some(day)
        };
        let days = match day(first, second, third) {
            day if first.len() == 4 => [day; 3],
            day_of_year => {
                let year_first = day_of_year.filter(|_| is_short);
                [day(third, first, second), day(third, second, first), year_first]
            }
        };
        let is_date = !is_short || days.iter().any(Option::is_some);
        is_date.then_some(Self { days, separator, is_short })
    }

    /// The days it can be in orders that are not impossible, or else in any order.
    pub(super) fn readings(self, impossible: [bool; 3]) -> Vec<(DateOrder, Date)> {
        let all = || {
            let all = DateOrder::ALL.into_iter().zip(self.days);
            all.filter_map(|(order, day)| Some((order, day?)))
        };
        let mut days: Vec<_> = all().filter(|(order, _)| !impossible[*order as usize]).collect();
        if days.is_empty() {
            days.extend(all());
        }
        days.sort_by_key(|(_, day)| *day);
        days.dedup_by_key(|(_, day)| *day);
        days.sort_by_key(|(order, _)| *order);
        days
    }

    /// The orders that the date itself does not have. One of no calendar shows nothing.
    pub(super) fn impossible(self) -> [bool; 3] {
        let is_any = self.days.iter().any(Option::is_some);
        self.days.map(|day| is_any && day.is_none())
    }

    /// How dates of this form are written in an order, as `--date-format` takes it.
    pub(super) fn format(self, order: DateOrder) -> String {
        let year = if self.is_short { "YY" } else { "YYYY" };
        let (day, month) = if self.separator.is_some() { ("D", "M") } else { ("DD", "MM") };
        let parts = match order {
            DateOrder::MonthDay => [month, day, year],
            DateOrder::DayMonth => [day, month, year],
            DateOrder::YearMonth => [year, month, day],
        };
        parts.join(&self.separator.map_or_else(String::new, String::from))
    }
}

/// What is between the words of a date.
fn is_blank(c: char) -> bool {
    c.is_whitespace() || c == ','
}

/// The text before a time of day; `None` if it has no time, or if something else follows, such as a zone.
pub(super) fn without_time(text: &str) -> Option<&str> {
    let is_digits = |part: &str| !part.is_empty() && part.bytes().all(|b| b.is_ascii_digit());
    let is_time = |word: &str, before: &str| {
        let word = fold(word);
        let word = WORDS["after"].iter().find_map(|end| word.strip_suffix(&**end)).unwrap_or(&word);
        // `10.00.00` is a time behind a date.
        let dots = if before.contains(|c: char| c.is_ascii_digit()) { '.' } else { ':' };
        let mut parts = word.trim_end_matches('h').split([':', 'h', dots]);
        (parts.clone().count() > 1 || word.ends_with('h')) && parts.all(is_digits)
    };
    let is_end = |c: char| is_blank(c) || c == 'T';
    let starts = text.match_indices(is_end).map(|(at, end)| (at, at + end.len()));
    let word = |from: usize| text[from..].split(is_end).next().unwrap_or_default();
    let (at, from) = starts.clone().find(|(at, from)| is_time(word(*from), &text[..*at]))?;
    let behind = fold(&text[from + word(from).len()..]);
    let is_whole = behind.split(is_end).all(|word| word.is_empty() || is_word_of("after", word));
    let date = text[..at].trim_end_matches(is_blank);
    // "um", "a las"
    let mut before = date.match_indices(is_blank).map(|(at, _)| at);
    let before = before.find(|at| is_word_of("time", fold(&date[*at..]).trim_matches(is_blank)));
    let date = before.map_or(date, |at| &date[..at]);
    is_whole.then(|| date.trim_end_matches(is_blank))
}

/// A date without the words around it: weekdays, "posted on", "r.".
fn bare(text: &str) -> &str {
    let is_weekday =
        |word: &str| word.len() > 1 && WORDS["weekday"].iter().any(|day| day.starts_with(word));
    let is_around = |word: &str| {
        let word = fold(word.trim_matches(|c: char| "().:;".contains(c)));
        let is_letters = word.chars().all(|c| c.is_alphabetic() || c == '-');
        is_letters && (is_word_of("around", &word) || is_weekday(&word))
    };
    // "Mar" is March, unless another month follows it: "mar. 3 mars".
    let is_month = |word: &str| {
        let word = fold(word.trim_matches(|c: char| "().:;,".contains(c)));
        word.len() >= SHORTEST && NAMES.iter().any(|(name, _)| name.starts_with(&word))
    };
    let is_before = |word: &str, rest: &str| {
        is_around(word) && (!is_month(word) || rest.split(is_blank).any(is_month))
    };
    let mut text = text.trim();
    while let Some((_, rest)) =
        text.split_once(is_blank).filter(|(word, rest)| is_before(word, rest))
    {
        text = rest.trim_start_matches(is_blank);
    }
    while let Some((rest, _)) = text.rsplit_once(is_blank).filter(|(_, word)| is_around(word)) {
        text = rest.trim_end_matches(is_blank);
    }
    text.split_once('(').filter(|(_, behind)| is_around(behind)).map_or(text, |(date, _)| date)
}

/// The names of months, by language.
pub(crate) const MONTHS: &str = include_str!("../../data/months.txt");

/// Folded names of months, with their numbers.
static NAMES: LazyLock<Vec<(String, i8)>> = LazyLock::new(|| {
    let months = table::lines(MONTHS).filter(|(language, _)| language.len() == 2);
    let months = months.flat_map(|(_, names)| (1..).zip(names));
    // Not the beginning of "maart", and also that of "marraskuu", November.
    months.chain([(3, "mrt"), (3, "mar")]).map(|(number, name)| (fold(name), number)).collect()
});

/// Folded words of dates, by the line of the table.
static WORDS: LazyLock<HashMap<&str, Vec<String>>> = LazyLock::new(|| {
    let mut words = HashMap::<&str, Vec<String>>::new();
    for (line, of_line) in table::lines(MONTHS) {
        words.entry(line).or_default().extend(of_line.map(fold));
    }
    words
});

fn is_word_of(line: &str, word: &str) -> bool {
    WORDS[line].iter().any(|known| known == word)
}

/// Letters that an abbreviated month has at least.
const SHORTEST: usize = 3;

/// The month of a folded name, or of a beginning that only one month has.
fn month(word: &str) -> Option<i8> {
    if word.chars().count() < SHORTEST {
        return None;
    }
    if let Some((_, number)) = NAMES.iter().find(|(name, _)| name == word) {
        return Some(*number);
    }
    let mut numbers = NAMES.iter().filter(|(name, _)| name.starts_with(word)).map(|(_, n)| *n);
    let first = numbers.next()?;
    numbers.all(|number| number == first).then_some(first)
}

/// A date with the name of its month; in any order, with or without a weekday and a time.
pub(super) fn named(text: &str) -> Option<Date> {
    let text = without_time(text).unwrap_or(text);
    // "Mar" is a month, or else a weekday.
    named_day(text).or_else(|| named_day(bare(text)))
}

fn named_day(text: &str) -> Option<Date> {
    let date = fold(text);
    let (mut day, mut named, mut year) = (None, None, None);
    for word in date.split([' ', ',', '.', '/', '-', '\u{a0}']).filter(|word| !word.is_empty()) {
        let digits = word.bytes().take_while(u8::is_ascii_digit).count();
        let is_new = match (digits, word.len() - digits) {
            (0, _) if is_word_of("between", word) => true,
            (0, _) => named.replace(month(word)?).is_none(),
            (4, 0) => year.replace(word.parse().ok()?).is_none(),
            (2, 0) if day.is_some() => year.replace(2000 + word.parse::<i16>().ok()?).is_none(),
            // "26th", "1er"
            (1 | 2, 0 | 2) => day.replace(word[..digits].parse().ok()?).is_none(),
            _ => false,
        };
        if !is_new {
            return None;
        }
    }
    Date::new(year?, named?, day?).ok()
}

/// Years that a number alone can be.
const YEARS: std::ops::RangeInclusive<i16> = 1990..=2100;

/// The first day of a month or a year: `Feb 2026`, `avril 2025`, `2026-03`, `03/2026`, `2023`.
pub(super) fn period(text: &str) -> Option<(Date, DatePrecision)> {
    let folded = fold(text.trim());
    let words: Vec<&str> = folded
        .split([' ', ',', '.', '/', '-', '\u{a0}'])
        .filter(|word| !word.is_empty() && !is_word_of("between", word))
        .collect();
    let year = |word: &str| {
        let is_year = word.len() == 4 && word.bytes().all(|byte| byte.is_ascii_digit());
        word.parse().ok().filter(|year| is_year && YEARS.contains(year))
    };
    let number = |word: &str| {
        let is_number = matches!(word.len(), 1 | 2) && word.bytes().all(|b| b.is_ascii_digit());
        is_number.then(|| word.parse().ok())?
    };
    let read_month = |word: &str| month(word).or_else(|| number(word));
    let (year, month) = match words[..] {
        [only] => return Some((Date::new(year(only)?, 1, 1).ok()?, DatePrecision::Year)),
        [first, second] => match (year(first), year(second)) {
            (Some(year), None) => (year, read_month(second)?),
            (None, Some(year)) => (year, read_month(first)?),
            _ => return None,
        },
        _ => return None,
    };
    Some((Date::new(year, month, 1).ok()?, DatePrecision::Month))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_month_has_one_number() {
        for (name, number) in NAMES.iter() {
            assert_eq!(month(name), Some(*number), "{name}");
        }
        assert_eq!(
            (month("juil"), month("jui"), month("ma"), month("sept")),
            (Some(7), None, None, Some(9))
        );
        let day = |text: &str| named(text).map(|day| day.to_string());
        assert_eq!(day("le 2 août 2024").as_deref(), Some("2024-08-02"));
        assert_eq!(day("2. května 2024").as_deref(), Some("2024-05-02"));
        assert_eq!(day("2 Mar 2024").as_deref(), Some("2024-03-02"));
        assert_eq!(day("mar. 2 mars 2024").as_deref(), Some("2024-03-02"));
        assert_eq!(day("March 2024"), None);
        assert_eq!(period("marzec 2025").map(|(day, _)| day.month()), Some(3));
    }
}
