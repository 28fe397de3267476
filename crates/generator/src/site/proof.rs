//! The page on which a browser verifies one review with the transparency log, and the line on the page of each review
//! that links to it. Nothing on a site without a log.

use contract::{model::Review, routes::PROOF_PAGE};
use jiff::tz::TimeZone;
use minijinja::context;
use review_log::receipt_path;
use serde::Serialize;

use super::{
    page::{Page, head},
    renderer::Renderer,
    routes::Routes,
    view::Viewer,
};

/// The time since which a review is in the log.
#[derive(Debug, Serialize)]
pub(super) struct LoggedView {
    date: String,
    /// The path of the page that verifies it.
    href: String,
    /// The path of its receipt.
    receipt: String,
}

impl LoggedView {
    /// Finds the first entry with the hash of a review. Its time is in UTC like all times of the log.
    pub(super) fn of(viewer: &Viewer<'_>, review: &Review) -> Option<Self> {
        let logged = viewer.data.log.as_ref()?.history.review(review.id)?;
        let since = logged.published?.to_zoned(TimeZone::UTC).date();
        Some(Self {
            date: viewer.words.date(since.into()),
            // An id has digits and capital letters only: nothing to escape.
            href: format!("{}#{}", href(&viewer.routes), review.id),
            receipt: viewer.routes.href(&receipt_path(review.id)),
        })
    }
}

/// Returns the path of the page within the site.
pub(super) fn href(routes: &Routes) -> String {
    routes.href(&routes.page(PROOF_PAGE))
}

/// Returns the page, which search engines list like the one about these reviews: it explains what the log proves, and a
/// review's id is in the fragment, so that it is one page for all reviews.
pub(super) fn page<'d>(renderer: &Renderer<'d>) -> Option<Page<'d>> {
    let viewer = &renderer.viewer;
    let log = viewer.data.log.as_ref()?;
    let path = viewer.routes.page(PROOF_PAGE);
    Some(Page::new(path, "proof.html", |renderer| {
        let viewer = &renderer.viewer;
        let revoked = log.revoked.1.iter();
        let revoked = revoked.map(|it| {
            context! { key => it.key.as_str(), date => viewer.words.date(it.from.into()) }
        });
        (head(viewer, "proof_title"), context! { revoked => revoked.collect::<Vec<_>>() })
    }))
}
