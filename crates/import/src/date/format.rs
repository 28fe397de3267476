//! The format of dates as the user states it.

use jiff::{
    civil::{Date, DateTime},
    fmt::strtime,
};

use super::written::without_time;

/// The format of dates, as the user gives it: `DD/MM/YYYY`, or strftime's `%d/%m/%Y`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DateFormat(String);

impl std::str::FromStr for DateFormat {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let strftime = if text.contains('%') { text.to_owned() } else { strftime(text) };
        // A year, a month and a day, however else: nothing less is a date.
        let sample = Date::constant(2026, 12, 31).at(23, 59, 58, 0);
        let written = strtime::format(&strftime, sample).map_err(|error| error.to_string())?;
        let format = Self(strftime);
        match format.read(&written) {
            Some(read) if read.date() == sample.date() => Ok(format),
            _ => Err(format!(
                "{text:?} does not say year, month and day; write it like DD/MM/YYYY, M/D/YYYY or %d.%m.%Y"
            )),
        }
    }
}

/// The directives for words such as `DD`, `d` or `TT`, in either case. `mm` are minutes right after an
/// hour, and after a month.
fn strftime(text: &str) -> String {
    let letters: Vec<char> = text.chars().collect();
    let (mut format, mut has_month, mut is_after_hour) = (String::new(), false, false);
    for run in letters.chunk_by(|a, b| a == b) {
        let directive = match (run[0], run.len()) {
            ('Y' | 'y' | 'J' | 'j' | 'A' | 'a', 4) => "%Y",
            ('Y' | 'y', 2) => "%y",
            ('D' | 'd' | 'J' | 'j', 1 | 2) | ('T' | 't', 2) => "%d",
            ('m', 1 | 2) if has_month || is_after_hour => "%M",
            ('M' | 'm', 1 | 2) => "%m",
            ('M' | 'm', 3) => "%b",
            ('M' | 'm', 4) => "%B",
            ('H' | 'h', 1 | 2) => "%H",
            ('S' | 's', 1 | 2) => "%S",
            _ => {
                format.extend(run);
                continue;
            }
        };
        has_month |= directive == "%m";
        is_after_hour = directive == "%H";
        format.push_str(directive);
    }
    format
}

impl DateFormat {
    /// The date, also if a time follows that the format does not have.
    pub(super) fn read(&self, text: &str) -> Option<DateTime> {
        let read = |text: &str| {
            let broken_down = strtime::parse(&self.0, text).ok()?;
            let datetime = broken_down.to_datetime();
            datetime.ok().or_else(|| Some(broken_down.to_date().ok()?.at(0, 0, 0, 0)))
        };
        read(text).or_else(|| read(without_time(text)?))
    }
}
