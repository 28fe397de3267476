//! Dates in the notations of exports.

use jiff::{
    Timestamp,
    civil::{Date, DateTime},
    fmt::strtime,
    tz::TimeZone,
};
use serde_json::Value;

use super::relative;
use crate::content::DatePrecision;
use contract::model::Day;

/// When something was written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct ReviewDate {
    /// In the business's time zone, or as the source wrote it where it named no zone.
    pub(crate) day: Day,
    /// Where the source gave time and zone.
    pub(crate) instant: Option<Timestamp>,
    /// Where it gave no date.
    pub(crate) precision: Option<DatePrecision>,
}

/// How dates of a file are read.
#[derive(Clone, Debug)]
pub(crate) struct DateRules {
    /// The business's.
    pub(crate) zone: TimeZone,
    /// Times without a zone are UTC.
    pub(crate) utc: bool,
    /// `03/04/2025 10:00:00` is March 4.
    pub(crate) american: bool,
    /// The format the user gave.
    pub(crate) format: Option<DateFormat>,
    /// The day relative dates count back from.
    pub(crate) relative_to: Option<Date>,
}

/// How dates are written, as the user gives it: `DD/MM/YYYY`, or strftime's `%d/%m/%Y`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DateFormat(String);

impl std::str::FromStr for DateFormat {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let strftime = match text.contains('%') {
            true => text.to_owned(),
            false => ["YYYY=%Y", "MM=%m", "DD=%d", "HH=%H", "mm=%M", "ss=%S", "SS=%S"]
                .iter()
                .filter_map(|rule| rule.split_once('='))
                .fold(text.to_owned(), |text, (word, directive)| text.replace(word, directive)),
        };
        // A year, a month and a day, however else: nothing less is a date.
        let sample = Date::constant(2026, 12, 31).at(23, 59, 58, 0);
        let written = strtime::format(&strftime, sample).map_err(|error| error.to_string())?;
        let format = Self(strftime);
        match format.read(&written) {
            Some(read) if read.date() == sample.date() => Ok(format),
            _ => Err(format!(
                "{text:?} does not say year, month and day; write it like DD/MM/YYYY or %d.%m.%Y"
            )),
        }
    }
}

impl DateFormat {
    fn read(&self, text: &str) -> Option<DateTime> {
        let broken_down = strtime::parse(&self.0, text).ok()?;
        let datetime = broken_down.to_datetime();
        datetime.ok().or_else(|| Some(broken_down.to_date().ok()?.at(0, 0, 0, 0)))
    }
}

/// Smaller numbers are years, or days run together.
const EARLIEST: i64 = 100_000_000;

/// Why a date is none, and what to do.
pub(crate) type DateFault = (String, &'static str);

const HELP: &str = "write dates as 2026-03-01 or 2026-03-01T09:30:00Z, or say how they are written with --date-format";
const RELATIVE_HELP: &str = "export again with real dates, or count back from the day of the export with --relative-to YYYY-MM-DD";

impl DateRules {
    /// A date in any of the ways exports write it, except those that can mean two days.
    pub(crate) fn read(&self, value: &Value) -> Result<ReviewDate, DateFault> {
        let refuse = || (format!("{value} is no date"), HELP);
        match value {
            Value::Number(number) => {
                let whole = number.as_i64().or_else(|| whole(number.as_f64()?));
                whole.and_then(|number| self.epoch(number)).ok_or_else(refuse)
            }
            Value::String(text) => self.read_text(text.trim()),
            _ => Err(refuse()),
        }
    }

    fn read_text(&self, text: &str) -> Result<ReviewDate, DateFault> {
        if let Some(format) = &self.format {
            return match format.read(text).or_else(|| iso(text)) {
                Some(datetime) => Ok(self.civil(datetime)),
                None => Err((
                    format!("{text:?} is not written as --date-format says"),
                    "correct the row or the format",
                )),
            };
        }
        let instant = zoned(text).map(|instant| self.instant(instant));
        let day = || text.parse::<Day>().ok().map(day_only);
        let civil = || iso(text).map(|datetime| self.civil(datetime));
        let epoch = || self.epoch(digits(text)?);
        let american = || self.american.then(|| american(text))?.map(|at| self.civil(at));
        let found = instant.or_else(day).or_else(civil).or_else(epoch).or_else(american);
        found.map_or_else(|| self.relative(text), Ok)
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

    /// Seconds from 1973 up to the year 5138, or milliseconds.
    fn epoch(&self, number: i64) -> Option<ReviewDate> {
        let instant = match number {
            ..EARLIEST => return None,
            EARLIEST..100_000_000_000 => Timestamp::from_second(number),
            _ => Timestamp::from_millisecond(number),
        };
        instant.ok().map(|instant| self.instant(instant))
    }

    fn relative(&self, text: &str) -> Result<ReviewDate, DateFault> {
        let Some(relative) = relative::read(text) else {
            let slashes = text.matches(['/', '.']).count() >= 2
                && text.starts_with(|c: char| c.is_ascii_digit());
            return Err(match slashes {
                true => (format!("{text:?} can mean more than one day"), HELP),
                false => (format!("{text:?} is no date"), HELP),
            });
        };
        let Some(from) = self.relative_to else {
            return Err((format!("{text:?} is no date, only a distance from one"), RELATIVE_HELP));
        };
        let counted = relative.before(from);
        let (day, precision) = counted
            .ok_or_else(|| (format!("{text:?} lies before all calendars"), RELATIVE_HELP))?;
        Ok(ReviewDate { day: day.into(), instant: None, precision: Some(precision) })
    }
}

fn day_only(day: Day) -> ReviewDate {
    ReviewDate { day, instant: None, precision: None }
}

/// RFC 3339 with any number of fraction digits and any offset, also after a blank.
fn zoned(text: &str) -> Option<Timestamp> {
    let text = text.strip_suffix(" UTC").map_or_else(|| text.to_owned(), |t| format!("{t}Z"));
    let joined = text.replace(" +", "+").replace(" -", "-").replace(" Z", "Z");
    joined.parse().ok().filter(|at: &Timestamp| at.to_zoned(TimeZone::UTC).year() >= 1)
}

/// `2026-03-01T09:30:00`, `2026-03-01 09:30`, without a zone.
fn iso(text: &str) -> Option<DateTime> {
    let starts_with_a_day = text.get(..10)?.parse::<Day>().is_ok();
    text.parse().ok().filter(|_| starts_with_a_day)
}

/// `03/04/2025 10:00:00`
fn american(text: &str) -> Option<DateTime> {
    DateTime::strptime("%m/%d/%Y %H:%M:%S", text).ok()
}

/// Nine digits and more: shorter numbers are years, or days run together.
fn digits(text: &str) -> Option<i64> {
    let all = text.bytes().all(|b| b.is_ascii_digit());
    (all && text.len() > 8).then(|| text.parse().ok())?
}

fn whole(number: f64) -> Option<i64> {
    (number.fract() == 0.0 && number.abs() < 1e15).then_some(number as i64)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn rules() -> DateRules {
        DateRules {
            zone: TimeZone::get("America/Chicago").unwrap(),
            utc: false,
            american: false,
            format: None,
            relative_to: None,
        }
    }

    fn day(rules: &DateRules, value: Value) -> String {
        rules.read(&value).map_or_else(|(reason, _)| reason, |when| when.day.to_string())
    }

    #[test]
    fn every_spelling_of_an_instant_is_a_day_in_the_business_zone() {
        for text in [
            "2025-03-04T23:30:00-06:00",
            "2025-03-05T05:30:00Z",
            "2025-03-05T05:30:00.1Z",
            "2025-03-05T05:30:00.123Z",
            "2025-03-05T05:30:00.123456Z",
            "2025-03-05T05:30:00.123456789Z",
            "2025-03-05 05:30:00 +00:00",
            "2025-03-05 05:30:00 UTC",
            "2025-03-05T14:30:00+0900",
            "1741152600",
            "1741152600000",
        ] {
            let when = rules().read(&json!(text)).unwrap();
            assert_eq!(when.day.to_string(), "2025-03-04", "{text}");
            assert_eq!(when.instant.unwrap().as_second(), 1_741_152_600, "{text}");
        }
        assert_eq!(day(&rules(), json!(1_741_152_600)), "2025-03-04");
        assert_eq!(day(&rules(), json!(1_741_152_600_000_i64)), "2025-03-04");
        assert_eq!(day(&rules(), json!(1_741_152_600.0)), "2025-03-04");
    }

    #[test]
    fn without_a_zone_the_day_is_as_it_is_written() {
        for text in ["2025-03-05", "2025-03-05 05:30:00", "2025-03-05T05:30:00", "2025-03-05T05:30"]
        {
            let when = rules().read(&json!(text)).unwrap();
            assert_eq!(
                (when.day.to_string().as_str(), when.instant),
                ("2025-03-05", None),
                "{text}"
            );
        }
        let outscraper = DateRules { utc: true, american: true, ..rules() };
        assert_eq!(day(&outscraper, json!("03/05/2025 05:30:00")), "2025-03-04");
    }

    #[test]
    fn what_can_mean_two_days_needs_a_word() {
        assert_eq!(day(&rules(), json!("03/04/2025")), "\"03/04/2025\" can mean more than one day");
        assert_eq!(
            day(&rules(), json!("03/04/2025 10:00:00")),
            "\"03/04/2025 10:00:00\" can mean more than one day"
        );
        for (format, text) in [
            ("DD/MM/YYYY", "04/03/2025"),
            ("%m/%d/%Y", "03/04/2025"),
            ("DD.MM.YYYY HH:mm", "04.03.2025 23:59"),
            ("DD/MM/YYYY", "2025-03-04"),
        ] {
            let rules = DateRules { format: Some(format.parse().unwrap()), ..rules() };
            assert_eq!(day(&rules, json!(text)), "2025-03-04", "{format}");
        }
        for format in ["MM/YYYY", "yyyy", "", "%Q"] {
            assert!(format.parse::<DateFormat>().is_err(), "{format}");
        }
    }

    #[test]
    fn relative_dates_are_dates_only_from_somewhere() {
        assert_eq!(
            day(&rules(), json!("vor 10 Monaten")),
            "\"vor 10 Monaten\" is no date, only a distance from one"
        );
        let told = DateRules { relative_to: Some("2026-03-31".parse().unwrap()), ..rules() };
        let when = told.read(&json!("vor 10 Monaten")).unwrap();
        assert_eq!(when.day.to_string(), "2025-05-31");
        assert_eq!(when.precision, Some(DatePrecision::Month));
    }

    #[test]
    fn anything_else_is_no_date() {
        for value in [
            json!("soon"),
            json!("20250304"),
            json!("2025"),
            json!("2025-02-30"),
            json!(true),
            json!(1.5),
            json!("-"),
            json!("é/1/2"),
        ] {
            assert!(rules().read(&value).is_err(), "{value}");
        }
    }
}
