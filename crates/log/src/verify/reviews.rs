//! Each review of `reviews.json` and its last entry.

use std::collections::BTreeSet;

use contract::model::ReviewId;

use super::{
    Published,
    document::Document,
    finding::{Code, Finding, day},
};
use crate::{
    facts::{Facts, Reply},
    history::{History, Logged},
    standing::Standing,
};

/// Reviews that differ from the log: those of the document in its order, then those missing there.
pub(super) fn check(
    document: &Document,
    history: &History,
    published: &Published<'_>,
    findings: &mut Vec<Finding>,
) {
    let mut seen = BTreeSet::new();
    for (facts, reply) in &document.reviews {
        if seen.insert(facts.id) {
            findings.extend(check_review(facts, reply.as_ref(), history, published));
        } else {
            let message = format!("reviews.json has the review {} twice.", facts.id);
            findings.push(Finding::new(Code::Document, message).of(facts.id));
        }
    }
    findings.extend(missing(history, &seen));
    let is_published = |id: &ReviewId| {
        let logged = history.review(*id).map(|logged| logged.standing);
        seen.contains(id) || matches!(logged, Some(Standing::Published { .. }))
    };
    let others = published.salts.keys().filter(|id| !is_published(id));
    findings.extend(others.map(|id| {
        let message = format!(
            "/log/salts.json has the salt of review {id}, which reviews.json does not have: with the salt, the \
             words of a withheld or erased review can be guessed from its entries."
        );
        Finding::new(Code::Salt, message).of(*id)
    }));
}

fn check_review(
    facts: &Facts,
    reply: Option<&Reply>,
    history: &History,
    published: &Published<'_>,
) -> Option<Finding> {
    let id = facts.id;
    let Some(logged) = history.review(id) else {
        let message = format!(
            "Review {id} is on the site and was never logged: it was added without an entry."
        );
        return Some(Finding::new(Code::NotLogged, message).of(id));
    };
    let finding = |code, message| Some(Finding::new(code, message).of(id).at(Some(logged.last)));
    let Standing::Published { record, reply: logged_reply } = logged.standing else {
        let message = format!(
            "Review {id} is on the site, but by {} it {}: it was published again without an entry.",
            entry(logged),
            in_words(logged.standing)
        );
        return finding(Code::NotLogged, message);
    };
    let Some(salt) = published.salts.get(&id) else {
        let message = format!(
            "The salt of review {id} is missing in /log/salts.json: without it nobody can compare the \
             review with {}.",
            entry(logged)
        );
        return finding(Code::Salt, message);
    };
    if salt.record(facts) != record {
        let message = format!(
            "Review {id} is not what was logged by {}: its author, stars, date, text or another fact was \
             changed without an entry, or its salt was replaced.",
            entry(logged)
        );
        return finding(Code::Record, message);
    }
    (reply.map(|reply| salt.reply(reply)) != logged_reply).then_some(())?;
    let message = format!(
        "The answer of the business to review {id} is not what was logged by {}: it was added, changed or \
         removed without an entry.",
        entry(logged)
    );
    finding(Code::Reply, message)
}

fn missing(history: &History, seen: &BTreeSet<ReviewId>) -> impl Iterator<Item = Finding> {
    let missing = history.reviews().filter(|(id, logged)| {
        matches!(logged.standing, Standing::Published { .. }) && !seen.contains(id)
    });
    missing.map(|(id, logged)| {
        let message = format!(
            "Review {id} was logged as published by {} and is not in reviews.json: it was dropped without \
             an entry.",
            entry(logged)
        );
        Finding::new(Code::Missing, message).of(*id).at(Some(logged.last))
    })
}

fn entry(logged: &Logged) -> String {
    format!("entry {} of {}", logged.last, day(logged.changed))
}

fn in_words(standing: Standing) -> &'static str {
    match standing {
        Standing::Published { .. } => "is published",
        Standing::Withheld { .. } => "is withheld",
        Standing::Removed => "was taken out",
        Standing::Forgotten { .. } => "was erased",
    }
}
