//! How texts write counts, shares, averages, dates and lists.

use std::fmt::Debug;

use contract::model::{DatePrecision, Day};

/// The conventions of one language.
pub trait Speech: Debug + Send + Sync {
    /// A whole number, as `1,234`.
    fn count(&self, n: u64) -> String;
    /// A share of 100, as `92.1%`.
    fn percent(&self, share: f64) -> String;
    /// An average of stars, as `4.76 out of 5`.
    fn out_of_five(&self, average: f64) -> String;
    /// A date as far as it is known, as `March 1, 2026`, `March 2026` or `2026`.
    fn date(&self, day: Day, precision: DatePrecision) -> String;
    /// Two parts of an enumeration, as `a, b and c`.
    fn and(&self, first: &str, last: &str) -> String;
}

/// The items as `a, b and c`.
pub(super) fn list(speech: &dyn Speech, items: &[String]) -> String {
    match items {
        [] => String::new(),
        [only] => only.clone(),
        [first @ .., last] => speech.and(&first.join(", "), last),
    }
}

/// The language of computed texts.
#[derive(Clone, Copy, Debug)]
pub(super) struct English;

impl Speech for English {
    fn count(&self, n: u64) -> String {
        let digits = n.to_string();
        let groups = digits.as_bytes().rchunks(3).rev().map(String::from_utf8_lossy);
        groups.collect::<Vec<_>>().join(",")
    }

    fn percent(&self, share: f64) -> String {
        let tenths = (share * 10.0).round();
        format!("{:.*}%", usize::from(tenths % 10.0 != 0.0), tenths / 10.0)
    }

    fn out_of_five(&self, average: f64) -> String {
        format!("{average:.2} out of 5")
    }

    fn date(&self, day: Day, precision: DatePrecision) -> String {
        let pattern = match precision {
            DatePrecision::Day => "%B %-d, %Y",
            DatePrecision::Month => "%B %Y",
            DatePrecision::Year => "%Y",
        };
        day.date().strftime(pattern).to_string()
    }

    fn and(&self, first: &str, last: &str) -> String {
        format!("{first} and {last}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn english_texts_write_values_as_english_pages_do() {
        let counts = [7, 999, 1_000, 1_234_567].map(|n| English.count(n));
        assert_eq!(counts, ["7", "999", "1,000", "1,234,567"]);
        let shares = [100.0, 92.14, 0.0, 99.96].map(|share| English.percent(share));
        assert_eq!(shares, ["100%", "92.1%", "0%", "100%"]);
        let day: Day = "2026-03-01".parse().unwrap();
        let precisions = [DatePrecision::Day, DatePrecision::Month, DatePrecision::Year];
        let dates = precisions.map(|precision| English.date(day, precision));
        assert_eq!(dates, ["March 1, 2026", "March 2026", "2026"]);
    }
}
