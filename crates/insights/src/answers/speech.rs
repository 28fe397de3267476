//! Formats counts, averages, dates, lists and whole sentences in the language of the site.

use std::fmt::Debug;

use contract::model::{DatePrecision, Day};

use crate::{opinion::Sentiment, summary::tally::Tally};

/// The conventions of one language.
pub trait Speech: Debug + Send + Sync {
    /// A whole number, as `1,234`.
    fn count(&self, n: u64) -> String;
    /// A share of 100, as `92.1%`.
    fn percent(&self, share: f64) -> String;
    /// A number with this many decimals, as `4.76`.
    fn decimal(&self, value: f64, decimals: usize) -> String;
    /// An average of stars, as `4.76 out of 5`.
    fn out_of_five(&self, average: f64) -> String;
    /// A date as far as it is known, as `March 1, 2026`, `March 2026` or `2026`.
    fn date(&self, day: Day, precision: DatePrecision) -> String;
    /// Two parts of an enumeration, as `a, b and c`.
    fn and(&self, first: &str, last: &str) -> String;
    /// A phrase of the site with its values; `n` chooses the plural form.
    fn say(&self, key: &str, n: Option<u64>, values: &[(&str, String)]) -> String;
    /// The label of an aspect in the language of the site.
    fn aspect(&self, id: &str, label: &str) -> String;
}

/// Opinions in words, counts first: `27 of 28 positive, 1 unclear`. The remaining ones are on the other side.
#[must_use]
pub fn counted(speech: &dyn Speech, tally: &Tally, side: Sentiment) -> String {
    let key = if side == Sentiment::Negative { "n_of_negative" } else { "n_of_positive" };
    let total = [("total", speech.count(tally.count()))];
    let said = speech.say(key, Some(tally.with(side)), &total);
    match tally.unclear() {
        0 => said,
        unclear => format!("{said}, {}", speech.say("n_unclear", Some(unclear), &[])),
    }
}

/// The items as `a, b and c`.
pub(super) fn list(speech: &dyn Speech, items: &[String]) -> String {
    match items {
        [] => String::new(),
        [only] => only.clone(),
        [first @ .., last] => speech.and(&first.join(", "), last),
    }
}
