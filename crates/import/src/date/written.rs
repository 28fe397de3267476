//! Dates as people write them: `7/27/2011`, `13.04.2025 10:30`, `26 June 2023`.

use std::sync::LazyLock;

use jiff::civil::Date;

use crate::table;
use content::DatePrecision;
use contract::text::fold;

/// The order of the day and the month in a date.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum DateOrder {
    DayFirst,
    MonthFirst,
}

/// A date in numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Numbers {
    month_first: Option<Date>,
    day_first: Option<Date>,
}

impl Numbers {
    /// `None` for a text that is not a date in numbers. A year that comes first is followed by the month.
    pub(super) fn read(text: &str) -> Option<Self> {
        let kanji = text.replace(['\u{5e74}', '\u{6708}'], "/").replace('\u{65e5}', " ");
        let date = without_time(kanji.trim()).unwrap_or(kanji.trim());
        let separator = ['/', '.', '-'].into_iter().find(|c| date.contains(*c))?;
        let parts: Vec<&str> = date.trim_end_matches('.').split(separator).map(str::trim).collect();
        let [first, second, third] = parts[..] else { return None };
        let number = |part: &str, lengths: &[usize]| -> Option<i16> {
            let is_number = part.bytes().all(|byte| byte.is_ascii_digit());
            (is_number && lengths.contains(&part.len())).then(|| part.parse().ok())?
        };
        let date = |year: i16, month: i16, day: i16| {
            Date::new(year, i8::try_from(month).ok()?, i8::try_from(day).ok()?).ok()
        };
        if let Some(year) = number(first, &[4]) {
            let date = date(year, number(second, &[1, 2])?, number(third, &[1, 2])?);
            return Some(Self { month_first: date, day_first: date });
        }
        let (first, second) = (number(first, &[1, 2])?, number(second, &[1, 2])?);
        let year = number(third, &[4])?;
        Some(Self { month_first: date(year, first, second), day_first: date(year, second, first) })
    }

    /// The days it can be.
    pub(super) fn readings(self) -> Vec<Date> {
        let mut days: Vec<Date> = self.month_first.into_iter().chain(self.day_first).collect();
        days.dedup();
        days
    }

    /// The day in this order.
    pub(super) fn in_order(self, order: DateOrder) -> Option<Date> {
        match order {
            DateOrder::DayFirst => self.day_first,
            DateOrder::MonthFirst => self.month_first,
        }
    }

    /// The order that the date itself shows.
    pub(super) fn order(self) -> Option<DateOrder> {
        match (self.day_first, self.month_first) {
            (Some(_), None) => Some(DateOrder::DayFirst),
            (None, Some(_)) => Some(DateOrder::MonthFirst),
            _ => None,
        }
    }
}

/// The text before a time of day; `None` if it has no time, or if something else follows, such as a zone.
pub(super) fn without_time(text: &str) -> Option<&str> {
    let is_between = |c: char| matches!(c, ' ' | ',' | 'T' | '\u{a0}' | '\u{202f}');
    let (at, between) = text[..text.find(':')?].rmatch_indices(is_between).next()?;
    let mut behind = text[at + between.len()..].split(|c: char| c.is_whitespace() || c == 'T');
    let is_digits = |word: &str| word.bytes().all(|b| b.is_ascii_digit() || b == b':' || b == b'.');
    let is_time = behind.next().is_some_and(is_digits)
        && behind.all(|word| matches!(&*fold(word), "" | "am" | "pm" | "a.m." | "p.m." | "uhr"));
    let date = text[..at].trim_end_matches([' ', ',', '\u{a0}', '\u{202f}']);
    let date =
        ["at", "um", "kl.", "kl"].iter().find_map(|word| date.strip_suffix(word)).unwrap_or(date);
    is_time.then(|| date.trim_end_matches([' ', ',']))
}

/// Folded names of months, with their numbers.
static NAMES: LazyLock<Vec<(String, i8)>> = LazyLock::new(|| {
    let months = table::lines(include_str!("../../data/months.txt"));
    let months = months.flat_map(|(_, names)| (1..).zip(names));
    // Not the beginning of "maart".
    months.chain([(3, "mrt")]).map(|(number, name)| (fold(name), number)).collect()
});

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
    let folded = fold(text);
    let date = match folded.split_once(", ") {
        // A weekday.
        Some((day, date)) if day.chars().all(char::is_alphabetic) => date,
        _ => &folded,
    };
    let (mut day, mut named, mut year) = (None, None, None);
    for word in date.split([' ', ',', '.', '/', '-', '\u{a0}']).filter(|word| !word.is_empty()) {
        let digits = word.bytes().take_while(u8::is_ascii_digit).count();
        let is_new = match (digits, word.len() - digits) {
            (0, _)
                if matches!(
                    word,
                    "de" | "del" | "of" | "the" | "\u{433}" | "\u{433}\u{43e}\u{434}\u{430}"
                ) =>
            {
                true
            }
            (0, _) => named.replace(month(word)?).is_none(),
            (4, 0) => year.replace(word.parse().ok()?).is_none(),
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
        .filter(|word| !matches!(*word, "" | "de" | "del" | "of"))
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
    fn names_of_months_are_read_in_every_language() {
        for text in [
            "Jun 26, 2023",
            "June 26th, 2023",
            "26 June 2023",
            "26-Jun-2023",
            "Monday, June 26, 2023 at 10:30 AM",
            "26. Juni 2023, 10:30 Uhr",
            "26 de junio de 2023",
            "26 juin 2023",
            "26 giu 2023",
            "26 de jun. de 2023",
            "26 juni 2023 kl. 10:30",
            "26 June 2023\u{a0}10:30\u{202f}PM",
            "26 czerwca 2023",
            "26 \u{438}\u{44e}\u{43d}\u{44f} 2023 \u{433}.",
            "26 Haziran 2023",
        ] {
            assert_eq!(
                named(text).map(|date| date.to_string()).as_deref(),
                Some("2023-06-26"),
                "{text}"
            );
        }
        for text in [
            "June 2023",
            "26 June",
            "26 Jui 2023",
            "31 June 2023",
            "26 June 2023 2024",
            "26 June 2023 10:30 GMT",
            "a 26 June 2023",
            "June 26, 23",
        ] {
            assert_eq!(named(text), None, "{text}");
        }
    }

    #[test]
    fn months_and_years_are_periods() {
        for (text, day, precision) in [
            ("Feb 2026", "2026-02-01", DatePrecision::Month),
            ("2026-03", "2026-03-01", DatePrecision::Month),
            ("03/2026", "2026-03-01", DatePrecision::Month),
            ("avril 2025", "2025-04-01", DatePrecision::Month),
            ("marzo de 2025", "2025-03-01", DatePrecision::Month),
            ("2023", "2023-01-01", DatePrecision::Year),
        ] {
            assert_eq!(period(text), Some((day.parse().unwrap(), precision)), "{text}");
        }
        for text in ["13/2026", "5", "1234", "20230101", "2025 2026", "May", "4 stars 2023"] {
            assert_eq!(period(text), None, "{text}");
        }
    }

    #[test]
    fn each_month_has_one_number() {
        for (name, number) in NAMES.iter() {
            assert_eq!(month(name), Some(*number), "{name}");
        }
        assert_eq!(
            (month("juil"), month("jui"), month("ma"), month("sept")),
            (Some(7), None, None, Some(9))
        );
    }

    #[test]
    fn numbers_show_their_order_or_have_two_readings() {
        let read = |text: &str| {
            Numbers::read(text).map(|numbers| (numbers.readings().len(), numbers.order()))
        };
        for text in ["7/27/2011", "07-27-2011", "7/27/2011 10:30:00", "7/27/2011, 9:05 PM"] {
            assert_eq!(read(text), Some((1, Some(DateOrder::MonthFirst))), "{text}");
        }
        for text in ["13/04/2025", "13.4.2025", "13. 4. 2025", "13.04.2025."] {
            assert_eq!(read(text), Some((1, Some(DateOrder::DayFirst))), "{text}");
        }
        assert_eq!(read("03/04/2025"), Some((2, None)));
        for text in ["04/04/2025", "2025/03/04", "2025\u{5e74}3\u{6708}4\u{65e5}"] {
            assert_eq!(read(text), Some((1, None)), "{text}");
        }
        assert_eq!(read("13/13/2025"), Some((0, None)));
        for text in ["1/2/25", "1/2", "1/2/3/2025", "a/b/2025", "7/27/2011 10:30 PST"] {
            assert_eq!(read(text), None, "{text}");
        }
    }
}
