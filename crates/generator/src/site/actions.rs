//! The buttons on every page with which a visitor reaches the business, and writes a review of it.

use qrcode::{EcLevel, QrCode, render::svg};
use serde::Serialize;

use super::{routes::LinkView, view::Viewer};
use content::{Action, ActionKind, dataset::Dataset};

/// The page with the places to write a review, below the first page.
pub(super) const REVIEW_PAGE: &str = "review-us/";

/// A button.
#[derive(Debug, Serialize)]
pub(super) struct ActionView {
    href: String,
    label: String,
    /// The text behind the label on paper: an address, or a number that is not the label.
    shown: Option<String>,
}

/// The owner's actions, or the telephone of the business, or its e-mail. A number is its own label.
pub(super) fn actions(viewer: &Viewer<'_>) -> Vec<ActionView> {
    let business = &viewer.data.business;
    let chosen = &viewer.data.site.actions;
    if !chosen.is_empty() {
        return chosen.iter().map(|action| of_owner(viewer, action)).collect();
    }
    let own = |kind: ActionKind, target: &str, shown: &str| {
        view(viewer, kind, None, format!("{}{target}", kind.scheme()), shown)
    };
    let call = business.phone.as_ref().map(|phone| own(ActionKind::Call, &dial(phone), phone));
    let mail = business.email.as_ref().map(|email| own(ActionKind::Mail, email, email));
    call.or(mail).into_iter().collect()
}

fn of_owner(viewer: &Viewer<'_>, action: &Action) -> ActionView {
    let target = action.url.strip_prefix(action.kind.scheme()).unwrap_or(&action.url);
    let shown = target.split('?').next().unwrap_or(target);
    view(viewer, action.kind, action.label.as_deref(), action.url.clone(), shown)
}

fn view(
    viewer: &Viewer<'_>,
    kind: ActionKind,
    label: Option<&str>,
    href: String,
    shown: &str,
) -> ActionView {
    let label = label.map(str::to_owned).or_else(|| kind.phrase().map(|it| viewer.words.word(it)));
    match kind {
        // A visitor at a desk dials on another device.
        ActionKind::Call => {
            let label = label.map_or(shown.to_owned(), |label| format!("{label} {shown}"));
            ActionView { href, label, shown: None }
        }
        _ => ActionView { href, label: label.unwrap_or_default(), shown: Some(shown.to_owned()) },
    }
}

/// The digits of a telephone number, as a `tel:` address has them. A zero in brackets is not dialled after the code of
/// a country.
pub(super) fn dial(phone: &str) -> String {
    let phone = if phone.starts_with('+') { phone.replacen("(0)", "", 1) } else { phone.into() };
    phone.chars().filter(|c| c.is_ascii_digit() || *c == '+').collect()
}

/// Whether there is a source that takes reviews.
pub(super) fn takes_reviews(data: &Dataset) -> bool {
    data.sources.iter().any(|source| source.write_url().is_some())
}

/// A link to the page with the places to write a review, if there is one.
pub(super) fn review_link(viewer: &Viewer<'_>) -> Option<LinkView> {
    let page = viewer.routes.page(REVIEW_PAGE);
    takes_reviews(viewer.data).then(|| viewer.link(&page, viewer.words.word("write_review")))
}

/// Smallest width and height of the picture in pixels; printing scales it.
const PICTURE_SIZE: u32 = 480;

/// Returns the address of the page as a QR code; none without the page, or for an address longer than a code can hold.
pub(super) fn code(viewer: &Viewer<'_>) -> Option<String> {
    let url = viewer.routes.url(&viewer.routes.page(REVIEW_PAGE));
    let code = takes_reviews(viewer.data)
        .then(|| QrCode::with_error_correction_level(url, EcLevel::M).ok())??;
    Some(code.render::<svg::Color<'_>>().min_dimensions(PICTURE_SIZE, PICTURE_SIZE).build())
}
