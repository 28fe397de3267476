//! The counts of `reviews.json` and those of the log.

use std::collections::BTreeSet;

use contract::model::{AggregateRating, Rating};
use serde_json::Value;

use super::{
    document::{Document, Moderation},
    finding::{Code, Finding, day},
};
use crate::{history::History, standing::Standing};

/// Counts that differ: those of the last set, those of the average, and those of withheld reviews.
pub(super) fn check(document: &Document, history: &History, findings: &mut Vec<Finding>) {
    findings.extend(set(document, history));
    findings.extend(average(document));
    withheld_by_reason(&document.moderation, history, findings);
    findings.extend(withheld_by_rating(&document.moderation, history));
}

fn set(document: &Document, history: &History) -> Option<Finding> {
    let (Some(set), Some((leaf, at))) = (history.last_set(), history.last_set_at()) else {
        let message = "The log never counts the reviews of the site: nothing tells whether reviews.json is \
                       complete.";
        return Some(Finding::new(Code::Set, message.to_owned()));
    };
    let finding = |message| Some(Finding::new(Code::Set, message).at(Some(leaf)));
    let entry = format!("entry {leaf} of {}", day(at));
    let found = document.by_rating();
    let reviews: u64 = found.iter().sum();
    if set.reviews != reviews {
        return finding(format!(
            "Published reviews: reviews.json has {reviews}, and {entry}, the last count of the log, has {}.",
            set.reviews
        ));
    }
    if let Some(stars) = first_difference(&set.by_rating, &found) {
        return finding(format!(
            "Published reviews rated {stars} of 5: reviews.json has {}, and {entry}, the last count of the \
             log, has {}.",
            found[stars.index()],
            set.by_rating[stars.index()]
        ));
    }
    if *set == history.current_set(found) {
        return None;
    }
    finding(format!(
        "The published reviews are not those of {entry}, the last count of the log: an entry or a count \
         is missing."
    ))
}

/// Whether the average and the counts by stars are those of the reviews.
fn average(document: &Document) -> Option<Finding> {
    let published = document.aggregate_rating.as_ref().unwrap_or(&Value::Null);
    let ratings = document.reviews.iter().map(|(facts, _)| facts.rating);
    let counted = serde_json::to_value(AggregateRating::over(ratings)).ok()?;
    let key = ["average", "review_count", "distribution"]
        .into_iter()
        .find(|key| published.get(*key) != counted.get(*key))?;
    let of = |value: &Value| value.get(key).unwrap_or(&Value::Null).to_string();
    let message = format!(
        "The {key} of aggregate_rating in reviews.json is {}, and over the reviews in it it is {}.",
        of(published),
        of(&counted)
    );
    Some(Finding::new(Code::Average, message))
}

/// The stars at which the counts differ first.
fn first_difference(left: &[u64; 5], right: &[u64; 5]) -> Option<Rating> {
    Rating::all().find(|stars| left[stars.index()] != right[stars.index()])
}

fn withheld_by_reason(moderation: &Moderation, history: &History, findings: &mut Vec<Finding>) {
    let logged = history.withheld();
    let reasons: BTreeSet<_> = moderation.by_reason.keys().chain(logged.keys()).collect();
    for reason in reasons {
        let said = moderation.by_reason.get(reason).unwrap_or(&0);
        let counted = logged.get(reason).unwrap_or(&0);
        if said != counted {
            let message = format!(
                "Reviews withheld as {reason}: reviews.json says {said}, and the log {counted}."
            );
            findings.push(Finding::new(Code::Withheld, message));
        }
    }
    let total: u64 = logged.values().sum();
    if moderation.withheld_count != total {
        let message = format!(
            "Reviews withheld in all: reviews.json says {}, and the log {total}.",
            moderation.withheld_count
        );
        findings.push(Finding::new(Code::Withheld, message));
    }
}

fn withheld_by_rating(moderation: &Moderation, history: &History) -> Option<Finding> {
    let mut counted = [0_u64; 5];
    for (_, logged) in history.reviews() {
        if let Standing::Withheld { rating, .. } = logged.standing {
            counted[rating.index()] += 1;
        }
    }
    let said = moderation.by_rating();
    let stars = first_difference(&said, &counted)?;
    let message = format!(
        "Withheld reviews rated {stars} of 5: reviews.json says {}, and the log {}.",
        said[stars.index()],
        counted[stars.index()]
    );
    Some(Finding::new(Code::Withheld, message))
}
