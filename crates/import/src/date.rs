//! Dates in the notations of exports.

mod format;
mod relative;
mod written;

use std::fmt;

use jiff::{
    Timestamp, ToSpan,
    civil::{Date, DateTime},
    fmt::rfc2822,
    tz::TimeZone,
};
use serde_json::Value;

use super::raw::as_text;
pub use format::DateFormat;
pub(super) use written::{DateOrder, MONTHS};

use self::written::{Numbers, named, period};
use super::error::Refusal;
use content::{DatePrecision, FIRST_YEAR};
use contract::model::Day;

/// The date of a review or of a reply.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct ReviewDate {
    /// The day in the business's time zone, or as the source wrote it where it named no zone.
    pub day: Day,
    /// The time, if the source gave time and zone.
    pub(crate) instant: Option<Timestamp>,
    /// The step in which the source counted, if it gave no date: "3 months ago" is true to a month.
    pub(crate) precision: Option<DatePrecision>,
}

/// The rules by which the dates of a file are read.
#[derive(Clone, Debug)]
pub(crate) struct DateRules {
    /// The business's time zone.
    pub zone: TimeZone,
    /// Times without a zone are UTC.
    pub(crate) utc: bool,
    /// `03/04/2025` is March 4.
    pub(crate) american: bool,
    /// What the other dates of the file show.
    pub impossible: ImpossibleOrders,
    /// The format the user gave.
    pub format: Option<DateFormat>,
    /// The day relative dates count back from.
    pub relative_to: Option<Date>,
    /// Later days are in the future.
    pub latest: Day,
}

/// The orders that dates of a file do not have, such as `13/04/2025` and `7/27/2011`; by their numbers.
pub(crate) type ImpossibleOrders = [bool; 3];

/// The precision of a value that is a date, from the least to the most exact.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Exactness {
    /// Not a date.
    None,
    /// A distance from a day that it does not name.
    Relative,
    /// A month or a year.
    Period,
    Day,
    Instant,
}

/// The rules for a value alone.
fn lenient() -> DateRules {
    DateRules {
        zone: TimeZone::UTC,
        utc: false,
        american: false,
        impossible: ImpossibleOrders::default(),
        format: None,
        relative_to: None,
        latest: Day::from(Date::MAX),
    }
}

/// Returns the day of a value that can be one day only.
pub(crate) fn day(value: &Value) -> Option<Day> {
    lenient().read(value).ok().map(|date| date.day)
}

/// Returns how exactly a value is a date.
pub(crate) fn exactness(value: &Value) -> Exactness {
    let is_relative = |text: &str| relative::read(text).is_some();
    let text = value.as_str().map(str::trim);
    match lenient().read(value) {
        // Other columns have such numbers, too.
        Ok(_) if as_text(value).is_some_and(|text| serial(text.trim()).is_some()) => {
            Exactness::None
        }
        Ok(date) if date.instant.is_some() => Exactness::Instant,
        Ok(date) if date.precision.is_some() => Exactness::Period,
        Ok(_) => Exactness::Day,
        Err(_) if text.is_some_and(|text| Numbers::read(text, Date::MAX).is_some()) => {
            Exactness::Day
        }
        Err(_) if text.is_some_and(is_relative) => Exactness::Relative,
        Err(_) => Exactness::None,
    }
}

/// Smaller numbers are years, or days run together.
const EARLIEST: i64 = 100_000_000;

const HELP: &str = "write dates as 2026-03-01 or 2026-03-01T09:30:00Z, or say how they are written with --date-format";
const DATE_FORMAT: &str = "--date-format FORMAT";
const FUTURE_HELP: &str =
    "say how the dates of the file are written with --date-format, or correct the row";
const RELATIVE_HELP: &str = "export again with real dates, or count back from the day of the export with --relative-to YYYY-MM-DD";

impl DateRules {
    /// A date in any of the ways exports write it, except those that can mean two days.
    pub(crate) fn read(&self, value: &Value) -> Result<ReviewDate, Refusal> {
        let date = self.read_any(value)?;
        if date.day.date().year() < FIRST_YEAR {
            let reason =
                format!("{value} is {}, and there were no reviews before {FIRST_YEAR}", date.day);
            return Err(Refusal::new(reason, FUTURE_HELP).answered_by(DATE_FORMAT));
        }
        if date.day <= self.latest {
            return Ok(date);
        }
        // One that can be two days was read as the others of the file are.
        let other = self.undecided(value).and_then(|numbers| {
            let mut days = numbers.readings([false; 3]).into_iter().map(|(_, day)| Day::from(day));
            days.find(|day| *day <= self.latest)
        });
        let other =
            other.map_or_else(String::new, |day| format!("; the other way round it is {day}"));
        let reason = format!("{value} is {}, which is in the future{other}", date.day);
        Err(Refusal::new(reason, FUTURE_HELP).answered_by(DATE_FORMAT))
    }

    fn read_any(&self, value: &Value) -> Result<ReviewDate, Refusal> {
        match value {
            Value::Number(number) => {
                let text = number.to_string();
                self.read_text(text.strip_suffix(".0").unwrap_or(&text))
            }
            Value::String(text) => self.read_text(text.trim()),
            _ => Err(not_a_date(value)),
        }
    }

    fn read_text(&self, text: &str) -> Result<ReviewDate, Refusal> {
        if let Some(format) = &self.format {
            return match format.read(text).or_else(|| iso(text)) {
                Some(datetime) => Ok(self.civil(datetime)),
                None => Err(Refusal::new(
                    format!("{text:?} is not written as --date-format says"),
                    "correct the row or the format",
                )),
            };
        }
        let instant = zoned(text).map(|instant| self.instant(instant));
        let day = || text.parse::<Day>().ok().map(day_only);
        let civil = || iso(text).map(|datetime| self.civil(datetime));
        let epoch = || self.epoch(digits(text)?);
        let serial = || serial(text).map(day_only);
        let american = || self.american.then(|| american(text))?.map(|at| self.civil(at));
        let found = instant.or_else(day).or_else(civil).or_else(epoch).or_else(serial);
        let found = found.or_else(american);
        if let Some(found) = found {
            return Ok(found);
        }
        if let Some(numbers) = Numbers::read(text, self.latest.date()) {
            return self.numbers(text, numbers);
        }
        if let Some(day) = named(text) {
            return Ok(day_only(day.into()));
        }
        month_or_year(text).map_or_else(|| self.relative(text), Ok)
    }

    fn numbers(&self, text: &str, numbers: Numbers) -> Result<ReviewDate, Refusal> {
        let readings = numbers.readings(self.impossible());
        match readings[..] {
            [] => Err(Refusal::new(format!("{text:?} is not a day of any calendar"), HELP)),
            [(_, day)] => Ok(day_only(day.into())),
            [..] => {
                let why = if self.impossible == [true; 3] {
                    "other dates of the file are written both ways"
                } else {
                    "no other date of the file decides"
                };
                let days: Vec<_> = readings.iter().map(|(_, day)| day.to_string()).collect();
                let formats = readings.iter().map(|(order, _)| numbers.format(*order));
                let formats: Vec<_> = formats.map(|it| format!("--date-format {it}")).collect();
                let refusal = Refusal::new(
                    format!("{text:?} can be {}, and {why}", days.join(" or ")),
                    format!("say which with {}", formats.join(" or ")),
                );
                Err(refusal.answered_by(DATE_FORMAT))
            }
        }
    }

    /// The orders that dates of the file do not have.
    fn impossible(&self) -> ImpossibleOrders {
        if self.american { [false, true, true] } else { self.impossible }
    }

    /// The order of a date that can be several days, where the format or the file decides it.
    pub(super) fn order(&self, value: &Value) -> Option<DateOrder> {
        self.undecided(value).filter(|numbers| numbers.readings([false; 3]).len() > 1)?;
        let mut possible =
            DateOrder::ALL.into_iter().filter(|order| !self.impossible[*order as usize]);
        possible.next().filter(|_| possible.next().is_none())
    }

    /// Notes the orders that a date does not have, and returns whether the date itself can be several days.
    pub(crate) fn observe(&mut self, value: &Value) -> bool {
        let Some(numbers) = self.undecided(value) else { return false };
        for (known, is_impossible) in self.impossible.iter_mut().zip(numbers.impossible()) {
            *known |= is_impossible;
        }
        numbers.readings([false; 3]).len() > 1
    }

    fn undecided(&self, value: &Value) -> Option<Numbers> {
        if self.format.is_some() || self.american {
            return None;
        }
        Numbers::read(value.as_str()?.trim(), self.latest.date())
    }

    /// A time in the zone the rules name, or a day without a time.
    fn civil(&self, datetime: DateTime) -> ReviewDate {
        let zoned = self.utc.then(|| datetime.to_zoned(TimeZone::UTC).ok()).flatten();
        match zoned {
            Some(zoned) => self.instant(zoned.timestamp()),
            None => day_only(datetime.date().into()),
        }
    }

    fn instant(&self, instant: Timestamp) -> ReviewDate {
        let day = instant.to_zoned(self.zone.clone()).date().into();
        ReviewDate { day, instant: Some(instant), precision: None }
    }

    /// Seconds from 1973 up to the year 5138; or milliseconds, microseconds or nanoseconds.
    fn epoch(&self, number: i64) -> Option<ReviewDate> {
        let instant = match number {
            ..EARLIEST => return None,
            EARLIEST..100_000_000_000 => Timestamp::from_second(number),
            100_000_000_000..100_000_000_000_000 => Timestamp::from_millisecond(number),
            100_000_000_000_000..100_000_000_000_000_000 => Timestamp::from_microsecond(number),
            _ => Timestamp::from_nanosecond(number.into()),
        };
        instant.ok().map(|instant| self.instant(instant))
    }

    fn relative(&self, text: &str) -> Result<ReviewDate, Refusal> {
        let Some(relative) = relative::read(text) else {
            return Err(not_a_date(&format_args!("{text:?}")));
        };
        let refuse = |why| {
            let refusal = Refusal::new(format!("{text:?} {why}"), RELATIVE_HELP);
            refusal.answered_by("--relative-to YYYY-MM-DD")
        };
        let from =
            self.relative_to.ok_or_else(|| refuse("is not a date, only a distance from one"))?;
        let counted = relative.before(from);
        let (day, precision) = counted.ok_or_else(|| refuse("is before all calendars"))?;
        Ok(ReviewDate { day: day.into(), instant: None, precision: Some(precision) })
    }
}

fn not_a_date(value: &dyn fmt::Display) -> Refusal {
    Refusal::new(format!("{value} is not a date"), HELP).answered_by(DATE_FORMAT)
}

/// A month or a year: its first day.
fn month_or_year(text: &str) -> Option<ReviewDate> {
    let (day, precision) = period(text)?;
    Some(ReviewDate { day: day.into(), instant: None, precision: Some(precision) })
}

fn day_only(day: Day) -> ReviewDate {
    ReviewDate { day, instant: None, precision: None }
}

/// RFC 3339 with any number of fraction digits and any offset, also after a blank; RFC 2822; or as JavaScript writes it.
fn zoned(text: &str) -> Option<Timestamp> {
    let text = text.strip_suffix(" UTC").map_or_else(|| text.to_owned(), |t| format!("{t}Z"));
    let joined = text.replace(" +", "+").replace(" -", "-").replace(" Z", "Z");
    let instant =
        joined.parse().ok().or_else(|| rfc2822::parse(&text).ok().map(|at| at.timestamp()));
    let javascript = |text: &str| Timestamp::strptime("%a %b %d %Y %H:%M:%S GMT%z", text).ok();
    let instant = instant.or_else(|| javascript(text.split(" (").next()?));
    instant.filter(|at: &Timestamp| at.to_zoned(TimeZone::UTC).year() >= 1)
}

/// `2026-03-01T09:30:00`, `2026-03-01 09:30`, without a zone.
fn iso(text: &str) -> Option<DateTime> {
    let starts_with_a_day = text.get(..10)?.parse::<Day>().is_ok();
    text.parse().ok().filter(|_| starts_with_a_day)
}

/// A day as spreadsheets count it, from 2000 to 2100: days since the end of 1899.
fn serial(text: &str) -> Option<Day> {
    let (days, fraction) = text.split_once('.').unwrap_or((text, ""));
    let is_digits = |part: &str| part.bytes().all(|byte| byte.is_ascii_digit());
    let days =
        days.parse().ok().filter(|_| days.len() == 5 && is_digits(days) && is_digits(fraction));
    let days: i64 = days.filter(|days| (36_526..73_050).contains(days))?;
    Some(Date::constant(1899, 12, 30).checked_add(days.days()).ok()?.into())
}

/// Reads `03/04/2025 10:00:00`.
fn american(text: &str) -> Option<DateTime> {
    DateTime::strptime("%m/%d/%Y %H:%M:%S", text).ok()
}

/// Nine digits and more, and a fraction: shorter numbers are years, or days run together.
fn digits(text: &str) -> Option<i64> {
    let (whole, fraction) = text.split_once('.').unwrap_or((text, ""));
    let all = [whole, fraction].iter().all(|part| part.bytes().all(|b| b.is_ascii_digit()));
    (all && whole.len() > 8).then(|| whole.parse().ok())?
}

#[cfg(test)]
mod tests;
