//! A calendar day.

use std::{fmt, str::FromStr};

use jiff::{Timestamp, civil::Date};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A calendar day in the business's time zone, written `YYYY-MM-DD`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(try_from = "String", into = "String")]
#[schemars(inline, extend("format" = "date"))]
pub struct Day(Date);

/// The text is not a calendar day.
#[derive(Debug, thiserror::Error)]
#[error("a day is written YYYY-MM-DD and must exist in the calendar, found {0:?}")]
pub struct InvalidDay(String);

impl Day {
    /// The day as a civil date.
    #[must_use]
    pub fn date(self) -> Date {
        self.0
    }

    /// The month as `YYYY-MM`.
    #[must_use]
    pub fn month(self) -> String {
        format!("{:04}-{:02}", self.0.year(), self.0.month())
    }

    /// The first instant of the day in UTC.
    #[must_use]
    pub fn midnight_utc(self) -> Timestamp {
        self.at_hour(0)
    }

    /// Noon UTC. Feeds write a day without a time as noon, so that no time zone moves it to another
    /// day.
    #[must_use]
    pub fn noon_utc(self) -> Timestamp {
        self.at_hour(12)
    }

    fn at_hour(self, hour: i8) -> Timestamp {
        let at = self.0.at(hour, 0, 0, 0).to_zoned(jiff::tz::TimeZone::UTC);
        at.map_or(Timestamp::MAX, |zoned| zoned.timestamp())
    }
}

impl FromStr for Day {
    type Err = InvalidDay;

    fn from_str(text: &str) -> Result<Self, InvalidDay> {
        let shape = text.len() == 10
            && text.bytes().enumerate().all(|(at, byte)| match at {
                4 | 7 => byte == b'-',
                _ => byte.is_ascii_digit(),
            });
        let date = shape.then(|| text.parse::<Date>().ok()).flatten();
        date.filter(|date| date.year() >= 1).map(Self).ok_or_else(|| InvalidDay(text.to_owned()))
    }
}

impl TryFrom<String> for Day {
    type Error = InvalidDay;

    fn try_from(text: String) -> Result<Self, InvalidDay> {
        text.parse()
    }
}

impl From<Date> for Day {
    fn from(date: Date) -> Self {
        Self(date)
    }
}

impl From<Day> for String {
    fn from(day: Day) -> Self {
        day.to_string()
    }
}

impl fmt::Display for Day {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:04}-{:02}-{:02}", self.0.year(), self.0.month(), self.0.day())
    }
}

impl fmt::Debug for Day {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_real_days_in_the_one_spelling() {
        for good in ["2024-02-29", "0001-01-01", "9999-12-31"] {
            assert_eq!(good.parse::<Day>().unwrap().to_string(), good);
        }
        for bad in [
            "2023-02-29",
            "2024-13-01",
            "2024-1-01",
            "20240101",
            "2024-01-01T00:00:00Z",
            "0000-01-01",
            "+2024-01-0",
            "２０２４-01-01",
            "",
        ] {
            assert!(bad.parse::<Day>().is_err(), "{bad}");
        }
    }

    #[test]
    fn a_bare_day_is_noon_utc_in_feeds() {
        let day: Day = "2024-02-29".parse().unwrap();
        assert_eq!(day.noon_utc().to_string(), "2024-02-29T12:00:00Z");
        assert_eq!(day.midnight_utc().to_string(), "2024-02-29T00:00:00Z");
    }
}
