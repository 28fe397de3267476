//! The report as people read it: what is proved, and what is not.

use std::collections::BTreeMap;

use review_log::{Proved, Witnessed};

use super::{LogReport, Received, Revoked};
use crate::{print::Line, report::Level};

/// Findings of one kind that are printed; the rest is counted.
const NAMED: usize = 10;

impl LogReport {
    /// Returns one line for each thing that is proved or wrong, and for each that is neither.
    #[must_use]
    pub fn lines(&self) -> Vec<Line> {
        let mut lines = self.failures();
        if let Some(proved) = &self.proved {
            lines.extend(self.proved(proved));
            lines.extend(self.not_proved(proved));
        }
        lines
    }

    /// The last line of the report: the result in one sentence.
    #[must_use]
    pub fn summary(&self) -> String {
        let found = match (self.findings.len(), &self.proved) {
            (0, Some(proved)) => {
                format!("the log proves reviews.json ({} entries)", proved.size)
            }
            (1, _) => "1 thing is wrong, so nothing is proved".to_owned(),
            (count, _) => format!("{count} things are wrong, so nothing is proved"),
        };
        let requests = if self.requests == 1 { "request" } else { "requests" };
        format!("{}: {found}; {} {requests}", self.url, self.requests)
    }

    /// The first findings of each kind, and how many more there are.
    fn failures(&self) -> Vec<Line> {
        let mut counts = BTreeMap::<&str, usize>::new();
        let mut lines = Vec::new();
        for finding in &self.findings {
            let count = counts.entry(&finding.code).or_default();
            *count += 1;
            if *count <= NAMED {
                lines.push(line(Level::Fail, &finding.message));
            }
        }
        lines.extend(counts.iter().filter(|(_, count)| **count > NAMED).map(|(code, count)| {
            let text = format!("{code}: {} more like these; --json lists them", count - NAMED);
            line(Level::Fail, &text)
        }));
        lines
    }

    fn proved(&self, proved: &Proved) -> Vec<Line> {
        let times = match (proved.since, proved.until) {
            (Some(since), Some(until)) => format!(" from {since} to {until}"),
            _ => String::new(),
        };
        let events: Vec<String> = proved
            .events
            .iter()
            .filter(|(word, _)| **word != "set")
            .map(|(word, count)| format!("{count} {}", word.replace('_', " ")))
            .collect();
        let mut lines = vec![
            format!(
                "signed: the log {} is signed by {}",
                proved.origin,
                proved.signed_by.join(" and ")
            ),
            format!(
                "whole: its {} entries{times} are those that were signed, and follow from each other: {}",
                proved.size,
                if events.is_empty() {
                    "none is about a review".to_owned()
                } else {
                    events.join(", ")
                }
            ),
            format!(
                "complete: each of the {} reviews in reviews.json is the one that was logged last, and none that is logged as published is missing",
                proved.reviews
            ),
            format!("withheld: {}", withheld(&proved.withheld)),
        ];
        lines.extend(self.revoked.iter().map(|Revoked { key, from }| {
            format!("revoked: {key}; its signatures do not count from {from} on, and the log is signed by another key")
        }));
        lines.extend(proved.continues.map(|size| {
            format!("unchanged: it continues the log of {size} entries that was kept last time, so nothing of that was taken back or rewritten")
        }));
        lines.extend(proved.witnessed.iter().map(|witnessed| {
            let Witnessed { witness, at } = witnessed;
            format!("witnessed: {witness} signed this log on {at}, and that it continues what it had seen before")
        }));
        let mut lines: Vec<Line> = lines.iter().map(|text| line(Level::Ok, text)).collect();
        lines.extend(self.receipt.as_ref().map(received));
        lines
    }

    fn not_proved(&self, proved: &Proved) -> Vec<Line> {
        let mut lines = Vec::new();
        if proved.continues.is_none() {
            lines.push("that the log was not rewritten before today: a checkpoint kept with --since FILE proves it the next time".to_owned());
        }
        if !self.keys_are_readers {
            lines.push("that these keys are the owner's, since the site itself names them: compare them with the ones published elsewhere, and give yours with --log-key KEY".to_owned());
        }
        if !proved.witnessed.is_empty() && !self.policy_is_readers {
            lines.push(
                "that a witness is independent of the owner, since the site itself names it: give the ones that you trust with --policy FILE".to_owned(),
            );
        }
        let count = |event| proved.events.get(event).copied().unwrap_or_default();
        let gone = count("removed") + count("forgotten");
        if gone > 0 {
            let reviews = if gone == 1 { "1 review was" } else { &format!("{gone} reviews were") };
            lines.push(format!("why {reviews} taken out or erased, and whether the source still has what was taken out"));
        }
        lines.push("that pages, feeds and badges say what reviews.json says".to_owned());
        lines.push("that a review is genuine, that every review of its source was imported, or what happened before it was logged".to_owned());
        lines.iter().map(|text| line(Level::Skip, &format!("not proved: {text}"))).collect()
    }
}

/// What became of the review of the receipt.
fn received(receipt: &Received) -> Line {
    let Received { review, status, at, since } = receipt;
    if since.is_empty() {
        let text = format!(
            "receipt: the review {review} is {status} as it was on {at}; the log has nothing newer about it"
        );
        return line(Level::Ok, &text);
    }
    let since: Vec<String> = since.iter().map(|(event, at)| format!("{event} on {at}")).collect();
    let text = format!(
        "receipt: the review {review} was {status} on {at}, and since then the log has: {}",
        since.join(", ")
    );
    line(Level::Warn, &text)
}

fn line(level: Level, text: &str) -> Line {
    Line { level, text: text.to_owned() }
}

fn withheld<R: std::fmt::Display>(reasons: &BTreeMap<R, u64>) -> String {
    let reasons: Vec<String> =
        reasons.iter().map(|(reason, count)| format!("{count} as {reason}")).collect();
    if reasons.is_empty() {
        "no review is withheld, in the log as in reviews.json".to_owned()
    } else {
        format!("{}, in the log as in reviews.json", reasons.join(", "))
    }
}
