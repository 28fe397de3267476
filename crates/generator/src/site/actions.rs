//! How a visitor reaches the business, on every page.

use serde::Serialize;

use super::view::Viewer;
use content::{Action, ActionKind};

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
