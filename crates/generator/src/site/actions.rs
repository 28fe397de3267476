//! How a visitor reaches the business, and writes a review of it, on every page.

use serde::Serialize;

use super::{routes::LinkView, view::Viewer};
use content::{Action, ActionKind, dataset::Dataset};

/// The page that says where to write a review, below the first page.
pub(super) const REVIEW_PAGE: &str = "review-us/";

/// A button.
#[derive(Debug, Serialize)]
pub(super) struct ActionView {
    href: String,
    label: String,
    /// What is on paper for the link: a number, an address.
    shown: String,
}

/// The owner's actions, or the telephone and the e-mail of the business.
pub(super) fn actions(viewer: &Viewer<'_>) -> Vec<ActionView> {
    let business = &viewer.data.business;
    let chosen = &viewer.data.site.actions;
    if !chosen.is_empty() {
        return chosen.iter().map(|action| of_owner(viewer, action)).collect();
    }
    let own = |kind: ActionKind, target: &str, shown: &str| ActionView {
        href: format!("{}{target}", kind.scheme()),
        label: viewer.words.word(kind.phrase()),
        shown: shown.to_owned(),
    };
    let call = business.phone.as_ref().map(|phone| own(ActionKind::Call, &dial(phone), phone));
    let mail = business.email.as_ref().map(|email| own(ActionKind::Mail, email, email));
    call.into_iter().chain(mail).collect()
}

fn of_owner(viewer: &Viewer<'_>, action: &Action) -> ActionView {
    let target = action.url.strip_prefix(action.kind.scheme()).unwrap_or(&action.url);
    ActionView {
        href: action.url.clone(),
        label: action.label.clone().unwrap_or_else(|| viewer.words.word(action.kind.phrase())),
        shown: target.split('?').next().unwrap_or(target).to_owned(),
    }
}

/// The digits of a telephone number, as a `tel:` address has them.
pub(super) fn dial(phone: &str) -> String {
    phone.chars().filter(|c| c.is_ascii_digit() || *c == '+').collect()
}

/// Whether there is a source that takes reviews.
pub(super) fn takes_reviews(data: &Dataset) -> bool {
    data.sources.iter().any(|source| source.write_url().is_some())
}

/// A link to the page that says where to write a review, where there is one.
pub(super) fn review_link(viewer: &Viewer<'_>) -> Option<LinkView> {
    let page = viewer.routes.page(REVIEW_PAGE);
    takes_reviews(viewer.data).then(|| viewer.link(&page, viewer.words.word("write_review")))
}
