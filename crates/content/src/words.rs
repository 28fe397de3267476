//! The words of one site: the phrases of its language, some replaced by the owner's, with numbers and dates.

use std::{
    collections::BTreeMap,
    sync::{Mutex, OnceLock, PoisonError},
};

use crate::{
    appearance::Appearance,
    site::Site,
    theme::{self, LANGUAGES, Phrase, primary_tag, shipped, shipped_keys},
};
use contract::model::{DIRECT, DatePrecision, Day, Review, source_name};

/// Languages written from right to left, by their primary tag.
const RIGHT_TO_LEFT: [&str; 10] = ["ar", "dv", "fa", "he", "ku", "ps", "sd", "ug", "ur", "yi"];

/// Languages that write four digits without a mark (`minimumGroupingDigits` of CLDR).
const FOUR_TOGETHER: [&str; 3] = ["bg", "es", "pl"];

/// The beginning of the keys of the built-in aspects' labels.
const LABEL: &str = "label_";
/// The beginning of the keys of the built-in aspects' definitions.
const DEFINITION: &str = "definition_";

/// The words of one site.
#[derive(Debug)]
pub struct Words {
    /// BCP 47 tag of these words.
    pub language: String,
    primary: String,
    is_right_to_left: bool,
    phrases: BTreeMap<String, Phrase>,
    /// The English labels and definitions of the built-in aspects, by key.
    labels: BTreeMap<String, Phrase>,
    /// The phrases used since the last [`Words::take_used`], once that was called.
    used: OnceLock<Mutex<UsedPhrases>>,
}

/// The phrases that were used: by key, an example with its values.
pub type UsedPhrases = BTreeMap<String, String>;

impl Words {
    /// Builds the words in the site's language, as far as it is shipped or the owner's, and English for the rest.
    pub fn new(site: &Site) -> Self {
        let primary = primary_tag(&site.language);
        let mut phrases = shipped_keys();
        let labels = phrases
            .clone()
            .into_iter()
            .filter(|(key, _)| key.starts_with(LABEL) || key.starts_with(DEFINITION));
        let labels = labels.collect();
        phrases.extend(shipped(&primary));
        phrases.extend(site.appearance.words.clone());
        phrases.extend(site.appearance.labels.clone());
        let speaks = site.appearance.speaks(&site.language);
        let language = if speaks { site.language.clone() } else { LANGUAGES[0].0.to_owned() };
        let primary = primary_tag(&language);
        let is_right_to_left = RIGHT_TO_LEFT.contains(&primary.as_str());
        Self { primary, is_right_to_left, language, phrases, labels, used: OnceLock::new() }
    }

    /// Records the phrases that are used from now on. Returns those used since the last call.
    pub fn take_used(&self) -> UsedPhrases {
        let used = self.used.get_or_init(Mutex::default);
        std::mem::take(&mut *used.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// Builds the words of a shipped language that is not the site's, so that none is the owner's.
    pub fn speaking(site: &Site, language: &str) -> Self {
        let appearance = Appearance::default();
        Self::new(&Site { language: language.to_owned(), appearance, ..site.clone() })
    }

    /// Whether the pages are in English.
    pub fn is_english(&self) -> bool {
        self.primary == LANGUAGES[0].0
    }

    /// The label of an aspect. An owner's label remains as it is.
    pub fn aspect(&self, id: &str, label: &str) -> String {
        // An aspect whose label depends on the business has several keys.
        let is_its = |key: &str| key.strip_prefix(LABEL).is_some_and(|rest| rest.starts_with(id));
        let is_label = |(key, phrase): &(&String, &Phrase)| {
            is_its(key) && matches!(phrase, Phrase::Text(english) if english == label)
        };
        let found = self.labels.iter().find(is_label);
        found.map_or_else(|| label.to_owned(), |(key, _)| self.word(key))
    }

    /// Returns the definition of an aspect. An owner's definition remains as it is.
    pub fn definition(&self, id: &str, text: &str) -> String {
        let key = format!("{DEFINITION}{id}");
        match self.labels.get(&key) {
            Some(Phrase::Text(english)) if english == text => self.word(&key),
            _ => text.to_owned(),
        }
    }

    /// Returns the direction of the script: `ltr` or `rtl`.
    pub fn direction(&self) -> &'static str {
        if self.is_right_to_left { "rtl" } else { "ltr" }
    }

    /// Fills a phrase with values; `n` selects the plural form. `None` for an unknown key or a value that is not given.
    pub fn say(
        &self,
        key: &str,
        n: Option<u64>,
        values: &[(&str, String)],
    ) -> Result<String, String> {
        let phrase = self.phrases.get(key).ok_or_else(|| format!("there are no words {key:?}"))?;
        let text = match phrase {
            Phrase::Text(text) => text,
            Phrase::Forms(forms) => {
                let category = theme::plural_category(&self.language, n.unwrap_or(0));
                forms.get(category).or(forms.get("other")).map_or("", String::as_str)
            }
        };
        let number = n.map(|n| self.count(n));
        let said = fill(text, |name| match (name, &number) {
            ("n", Some(number)) => Some(number.clone()),
            _ => values.iter().find(|(known, _)| *known == name).map(|(_, it)| self.apart(it)),
        })
        .map_err(|name| format!("the words {key:?} need a value {name:?}"))?;
        let said =
            if self.is_untranslated(text) { format!("\u{2066}{said}\u{2069}") } else { said };
        if let Some(used) = self.used.get() {
            let mut used = used.lock().unwrap_or_else(PoisonError::into_inner);
            used.entry(key.to_owned()).or_insert_with(|| said.clone());
        }
        Ok(said)
    }

    /// Isolates a value within a phrase, so that a name from left to right does not change the direction of the numbers
    /// and signs beside it.
    fn apart(&self, value: &str) -> String {
        if self.is_right_to_left && value.contains(is_left_to_right) {
            format!("\u{2068}{value}\u{2069}")
        } else {
            value.to_owned()
        }
    }

    /// Whether these are English words on pages from right to left, on which their numbers and full stops would be at
    /// the wrong end. Lists of names are divided later.
    fn is_untranslated(&self, text: &str) -> bool {
        let letters = |found: fn(char) -> bool| {
            text.split(['{', '}']).step_by(2).any(|words| words.contains(found))
        };
        self.is_right_to_left
            && !text.contains('|')
            && letters(is_left_to_right)
            && !letters(is_right_to_left)
    }

    /// Returns a source's name for readers.
    pub fn source(&self, source: &str) -> String {
        if source == DIRECT { self.word("source_direct") } else { source_name(source) }
    }

    /// Returns a phrase without values.
    pub fn word(&self, key: &str) -> String {
        let said = self.say(key, None, &[]);
        debug_assert!(said.is_ok(), "{said:?}");
        said.unwrap_or_default()
    }

    /// Formats a whole number with separated thousands.
    pub fn count(&self, n: u64) -> String {
        let digits = n.to_string();
        let apart = if FOUR_TOGETHER.contains(&self.primary.as_str()) { 5 } else { 4 };
        if digits.len() < apart {
            return digits;
        }
        let mark = self.word("thousands");
        let mut grouped = String::new();
        for (at, digit) in digits.chars().enumerate() {
            if at > 0 && (digits.len() - at).is_multiple_of(3) {
                grouped.push_str(&mark);
            }
            grouped.push(digit);
        }
        grouped
    }

    /// A number with this many decimals.
    pub fn decimal(&self, value: f64, decimals: usize) -> String {
        format!("{value:.decimals$}").replace('.', &self.word("decimal"))
    }

    /// Formats a share: with one decimal, and with none if that is a zero.
    pub fn percent(&self, value: f64) -> String {
        let rounded = (value * 10.0).round();
        let decimals = usize::from(rounded % 10.0 != 0.0);
        let values = [("value", self.decimal(rounded / 10.0, decimals))];
        self.say("percent", None, &values).unwrap_or_default()
    }

    /// Formats a day, as people write it.
    pub fn date(&self, day: Day) -> String {
        let date = day.date();
        let values = [
            ("day", date.day().to_string()),
            ("month", self.month(date.month(), "months")),
            ("year", date.year().to_string()),
        ];
        self.say("date", None, &values).unwrap_or_else(|_| day.to_string())
    }

    /// Formats the date of a review, no more exact than it is known: a day, `April 2026` or `2024`.
    pub fn review_date(&self, review: &Review) -> String {
        match review.date_precision {
            DatePrecision::Day => self.date(review.date),
            DatePrecision::Month => self.month_year(review.date, "months"),
            DatePrecision::Year => review.known_date(),
        }
    }

    /// Formats a month and its year.
    pub fn month_year(&self, day: Day, names: &str) -> String {
        let date = day.date();
        let month = self.month(date.month(), names);
        let values = [("month", month), ("year", date.year().to_string())];
        self.say("month_year", None, &values).unwrap_or_else(|_| day.month())
    }

    fn month(&self, month: i8, names: &str) -> String {
        let names = self.word(names);
        let at = usize::try_from(month - 1).unwrap_or(0);
        names.split('|').nth(at).unwrap_or_default().to_owned()
    }
}

/// Whether a letter is written from left to right: not Hebrew, Arabic and their like.
fn is_left_to_right(c: char) -> bool {
    c.is_alphabetic() && !is_right_to_left(c)
}

fn is_right_to_left(c: char) -> bool {
    matches!(c, '\u{590}'..='\u{8ff}' | '\u{fb1d}'..='\u{fefc}')
}

/// Puts the values into the text; the error is an unknown name.
fn fill(text: &str, value: impl Fn(&str) -> Option<String>) -> Result<String, String> {
    let mut filled = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('{') {
        let Some((name, after)) = after.split_once('}') else { break };
        filled.push_str(before);
        filled.push_str(&value(name).ok_or_else(|| name.to_owned())?);
        rest = after;
    }
    filled.push_str(rest);
    Ok(filled)
}

impl insights::Speech for Words {
    fn count(&self, n: u64) -> String {
        self.count(n)
    }

    fn percent(&self, share: f64) -> String {
        self.percent(share)
    }

    fn decimal(&self, value: f64, decimals: usize) -> String {
        self.decimal(value, decimals)
    }

    fn out_of_five(&self, average: f64) -> String {
        let average = [("average", self.decimal(average, 2))];
        self.say("out_of_five", None, &average).unwrap_or_default()
    }

    fn date(&self, day: Day, precision: DatePrecision) -> String {
        match precision {
            DatePrecision::Day => self.date(day),
            DatePrecision::Month => self.month_year(day, "months"),
            DatePrecision::Year => day.date().year().to_string(),
        }
    }

    fn and(&self, first: &str, last: &str) -> String {
        let values = [("first", first.to_owned()), ("last", last.to_owned())];
        self.say("and", None, &values).unwrap_or_default()
    }

    fn say(&self, key: &str, n: Option<u64>, values: &[(&str, String)]) -> String {
        let said = self.say(key, n, values);
        debug_assert!(said.is_ok(), "{said:?}");
        said.unwrap_or_default()
    }

    fn aspect(&self, id: &str, label: &str) -> String {
        self.aspect(id, label)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_filled_in_once_and_none_is_forgotten() {
        let braces = fill("{a} of {b}", |name| Some(format!("{{{name}}}")));
        assert_eq!(braces.unwrap(), "{a} of {b}");
        assert_eq!(fill("{a} {c}", |name| (name == "a").then(String::new)), Err("c".to_owned()));
    }
}
