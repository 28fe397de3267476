//! The page of the review policy: what the owner states about all reviews, how they are verified, and what is withheld.

use contract::model::{Policy, Rating};
use minijinja::{Value, context, value::Serde};
use serde::Serialize;

use super::{
    page::{Head, Page, head_at},
    renderer::Renderer,
    review_view::report_link,
    sources::sources,
    view::Viewer,
};

/// A statement of the owner's, below its heading.
#[derive(Debug, Serialize)]
struct StatementView {
    heading: String,
    text: String,
}

pub(super) fn page<'d>(renderer: &Renderer<'d>) -> Page<'d> {
    Page::new(renderer.viewer.routes.policy(), "policy.html", view)
}

fn view<'d>(renderer: &Renderer<'d>) -> (Head, Value) {
    let viewer = &renderer.viewer;
    let (data, words) = (viewer.data, &viewer.words);
    let (policy, moderation) = (&data.business.policy, &data.moderation);
    let (statements, mut unstated) = statements(viewer, policy);
    if policy.report.is_none() {
        unstated.push(words.word("policy_report"));
    }
    let reasons: Vec<(String, usize)> = moderation
        .by_reason
        .iter()
        .map(|(reason, count)| (words.word(&format!("reason_{reason}")), *count))
        .collect();
    let stars = |rating: &Rating| {
        words.say("n_stars", Some(u64::from(rating.stars())), &[]).unwrap_or_default()
    };
    let by_stars: Vec<(String, usize)> =
        moderation.by_rating.iter().rev().map(|(rating, count)| (stars(rating), *count)).collect();
    let view = context! {
        date => policy.date.map(|day| words.date(day)),
        statements => Value::from(Serde(statements)),
        unstated => unstated,
        report => &policy.report,
        report_link => report_link(policy, None),
        verification => data.business.verification.as_ref().map(|v| Value::from(Serde(v))),
        sources => Value::from(Serde(sources(viewer))),
        purchases => data.has_purchases(),
        withheld => moderation.withheld_count,
        reasons => Value::from(Serde(reasons)),
        by_stars => Value::from(Serde(by_stars)),
        drop_missing_after => data.drop_missing_after,
    };
    (head_at(viewer, "review_policy", "review-policy/"), view)
}

/// Returns the statements, and the headings of those that the owner does not make.
fn statements(viewer: &Viewer<'_>, policy: &Policy) -> (Vec<StatementView>, Vec<String>) {
    let (mut stated, mut unstated) = (Vec::new(), Vec::new());
    for key in Policy::KEYS {
        let heading = viewer.words.word(&format!("policy_{key}"));
        match policy.statements.get(key) {
            None => unstated.push(heading),
            Some(text) => {
                let none = || viewer.words.word(&format!("policy_{key}_none"));
                let text = text.clone().unwrap_or_else(none);
                stated.push(StatementView { heading, text });
            }
        }
    }
    (stated, unstated)
}
