//! Reads from columns whether a shop shows a review.

use std::{collections::HashMap, sync::LazyLock};

use crate::table;

/// Whether a shop shows a review.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Status {
    /// No review at all.
    Spam,
    /// Not yet approved.
    Pending,
    /// Approved or sorted out, and not shown. To leave these out would be to choose.
    Hidden,
    /// Shown.
    Shown,
}

/// Different values of a longer list, which is not one of statuses.
const MOST: usize = 12;

/// Words in the name of a column of statuses. "State" may be that of an address.
const NAMES: [&str; 4] = ["status", "statut", "stato", "moderation"];
/// Words that turn the meaning of those behind them.
const NEGATIONS: [&str; 12] =
    ["not", "no", "non", "nicht", "niet", "nao", "pas", "nie", "ikke", "inte", "never", "without"];
/// Words that say nothing in a longer value.
const PASSING: [&str; 3] = ["new", "test", "moderation"];
/// Words of a phrase within a value.
const LONGEST: usize = 4;

static WORDS: LazyLock<HashMap<String, &str>> =
    LazyLock::new(|| table::by_word(include_str!("../data/statuses.txt")));

impl Status {
    /// The status that a value of a column means; `None` where the table does not say.
    pub(super) fn read(column: &str, value: &str) -> Option<Self> {
        let column = table::spaced(column).replace('.', " ");
        let column = without_is(&column);
        let value = yes_or_no(table::spaced(value.trim()));
        let of_column = |value: &str| WORDS.get(&format!("{column}={value}"));
        // "Yes, but without my name".
        let first = || yes_or_no(value.split([',', ';']).next().unwrap_or_default().to_owned());
        let found = of_column(&value).or_else(|| of_column("*")).or_else(|| WORDS.get(&value));
        let found = found.or_else(|| of_column(&first())).map(|word| Self::named(word));
        let own = without_reply(column).filter(|own| own != column);
        found.or_else(|| Self::read(&own?, &value)).or_else(|| Self::asked(column, &first()))
    }

    /// The status that an answer means to the question whether a review may be published.
    fn asked(column: &str, answer: &str) -> Option<Self> {
        let may = is_yes(answer).filter(|_| asks_to_publish(column))?;
        let refuses = table::has_word(column, table::words(table::COLUMN_WORDS, "refuses"));
        Some(if may == refuses { Self::Pending } else { Self::Shown })
    }

    /// The status of the reviews in a list of an object by its key: "reviews", "spam", "deleted_reviews".
    pub(super) fn of_list(key: &str) -> Option<Self> {
        let key = table::spaced(key);
        let words = key.split(' ').filter(|word| !["reviews", "review", "list"].contains(word));
        let own = words.collect::<Vec<_>>().join(" ");
        let known = WORDS.get(&own).filter(|_| !PASSING.contains(&&*own));
        if own.is_empty() { Some(Self::Shown) } else { known.map(|word| Self::named(word)) }
    }

    /// The status that a value of a column of statuses means: as a whole, or by the longest phrase in it that the table
    /// has. Of several, the one that shows least.
    pub(super) fn read_phrase(column: &str, value: &str) -> Option<Self> {
        let spaced = table::spaced(value);
        let words: Vec<&str> = spaced.split(|c: char| !c.is_alphanumeric()).collect();
        let of_length = |length: usize| {
            let known = words.windows(length).enumerate().filter_map(|(at, phrase)| {
                let status = Self::named(WORDS.get(&phrase.join(" "))?);
                let is_negated = words[..at].iter().any(|word| NEGATIONS.contains(word));
                Some(match status {
                    Self::Shown if is_negated => Self::Pending,
                    _ if is_negated => Self::Shown,
                    status => status,
                })
            });
            known.filter(|_| !words.iter().any(|word| PASSING.contains(word))).min()
        };
        Self::read(column, value).or_else(|| (1..=LONGEST).rev().find_map(of_length))
    }

    fn named(word: &str) -> Self {
        match word {
            "spam" => Self::Spam,
            "pending" => Self::Pending,
            "hidden" => Self::Hidden,
            _ => Self::Shown,
        }
    }
}

/// The name of a column about an answer, without the words that say so: "Public reply", `reply.visible`.
pub(super) fn without_reply(column: &str) -> Option<String> {
    let is_reply = |word: &&str| table::words(table::COLUMN_WORDS, "reply").any(|it| it == *word);
    let own: Vec<&str> = column.split(' ').filter(|word| !is_reply(word)).collect();
    (!own.is_empty()).then(|| own.join(" "))
}

/// Whether a column asks whether a review may be published, or says that it may not: "May we share your feedback?"
pub(super) fn asks_to_publish(column: &str) -> bool {
    // What is in brackets explains: "(Your address will not be shown)".
    let question =
        column.split(['(', '[']).next().unwrap_or_default().replace(['\'', '\u{2019}'], "");
    let has = |line| table::has_word(&question, table::words(table::COLUMN_WORDS, line));
    !has("otherwise") && (has("refuses") || has("permission") && has("publishes"))
}

/// Whether a question is asked the other way round: "Do not show my name".
pub(super) fn is_negated(question: &str) -> bool {
    let question = table::spaced(question).replace(['\'', '\u{2019}'], "");
    let mut words = question.split(|c: char| !c.is_alphanumeric());
    words.any(|word| ["not", "dont", "nicht", "niet", "pas", "never"].contains(&word))
}

/// The name of a column that asks, as the tables write it: without `is` and the question mark.
pub(super) fn without_is(column: &str) -> &str {
    let column = column.trim_end_matches(['?', ' ']);
    column.strip_prefix("is ").unwrap_or(column)
}

/// A value in lower case without accents, where it is an answer as the tables write that: `yes` or `no`.
pub(super) fn yes_or_no(value: String) -> String {
    match value.as_str() {
        "1" | "true" | "ja" | "oui" | "si" | "sim" | "tak" | "evet" | "x" => "yes".to_owned(),
        "0" | "false" | "nein" | "non" | "nee" | "nao" | "nie" | "hayir" | "nej" => "no".to_owned(),
        _ => value,
    }
}

/// Whether a value answers yes or no; `None` if it answers nothing.
pub(super) fn is_yes(value: &str) -> Option<bool> {
    match &*yes_or_no(table::spaced(value.trim())) {
        "yes" | "y" => Some(true),
        "no" | "n" => Some(false),
        _ => None,
    }
}

/// Whether a column of this name with these values is one of statuses: it has few values, and its name says so, or most
/// rows have a value that is known, and one of them as a whole.
pub(super) fn is_told_by<'a>(column: &str, values: impl Iterator<Item = &'a str> + Clone) -> bool {
    let is_exact = values.clone().any(|value| Status::read(column, value).is_some());
    let known = values.clone().filter(|value| Status::read_phrase(column, value).is_some()).count();
    let mut different: Vec<&str> = values.clone().collect();
    different.sort_unstable();
    different.dedup();
    let says_so = table::spaced(column).split(' ').any(|word| NAMES.contains(&word));
    let is_any = Status::read(column, "*").is_some();
    is_any || (says_so || is_exact && known * 2 > values.count()) && different.len() <= MOST
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_means_what_its_column_makes_of_it() {
        for (column, value, status) in [
            ("curated", "spam", Some(Status::Spam)),
            ("comment_approved", "0", Some(Status::Pending)),
            ("comment_approved", "1", Some(Status::Shown)),
            ("published", "0", Some(Status::Hidden)),
            ("isApproved", "FALSE", Some(Status::Pending)),
            ("status", "Hidden", Some(Status::Hidden)),
            ("state", "Texas", None),
            ("deletedAt", "2026-04-01", Some(Status::Spam)),
        ] {
            assert_eq!(Status::read(column, value), status, "{column} {value}");
        }
        for (value, status) in [
            ("pending_approval", Status::Pending),
            ("PendingReview", Status::Pending),
            ("post-trashed", Status::Spam),
            ("Waiting for approval", Status::Pending),
            ("Marked as spam", Status::Spam),
            ("Not_Approved", Status::Pending),
            ("not spam", Status::Shown),
            ("Nicht freigeschaltet", Status::Pending),
            ("Pendiente de revisión", Status::Pending),
            ("En attente de validation", Status::Pending),
            ("Oczekuje na moderację", Status::Pending),
            ("In attesa di approvazione", Status::Pending),
            ("Eliminada", Status::Spam),
            ("Publicada", Status::Shown),
        ] {
            assert_eq!(Status::read_phrase("status", value), Some(status), "{value}");
        }
        assert_eq!(Status::read_phrase("status", "odd"), None);
        assert_eq!(Status::read_phrase("status", "new customer"), None);
        assert_eq!(Status::read_phrase("status", "Test passed"), None);
        assert_eq!(Status::read_phrase("status", "No spam detected"), Some(Status::Shown));
        for value in ["Non approuvé", "No aprobado", "nicht sichtbar", "Do not publish"] {
            assert_eq!(Status::read_phrase("status", value), Some(Status::Pending), "{value}");
        }
        assert!(!is_told_by("state", ["Texas", "Iowa"].into_iter()));
        assert!(is_told_by("review_status", ["odd"].into_iter()));
        assert!(is_told_by("curated", ["ok", "odd", "spam"].into_iter()));
    }
}
