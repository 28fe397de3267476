//! The page with the profiles on which a customer can write a review, and its QR code for the counter. The code has the
//! address of the page, so that a printed code stays valid when a profile moves.

use contract::compress::Effort;
use minijinja::{Value, context, value::Serde};
use qrcode::{EcLevel, QrCode, render::svg};

use super::{
    SVG,
    actions::{REVIEW_PAGE, takes_reviews},
    page::{Head, Page},
    renderer::Renderer,
    routes::{LinkView, Routes},
};
use crate::document::{Body, Document};

/// The path of the picture of the QR code.
const PICTURE: &str = "assets/review-us.svg";
/// Smallest width and height of the picture in pixels; printing scales it.
const PICTURE_SIZE: u32 = 480;

pub(super) fn page<'d>(renderer: &Renderer<'d>) -> Option<Page<'d>> {
    let viewer = &renderer.viewer;
    takes_reviews(viewer.data)
        .then(|| Page::new(viewer.routes.page(REVIEW_PAGE), "review_us.html", view).unlisted())
}

/// The picture of the QR code.
pub(super) fn picture<'d>(renderer: &Renderer<'d>) -> Option<Document<'d>> {
    let viewer = &renderer.viewer;
    let svg = takes_reviews(viewer.data).then(|| code(&viewer.routes)).flatten()?;
    Some(Document {
        path: viewer.routes.page(PICTURE),
        media_type: SVG,
        links: Vec::new(),
        effort: Effort::Best,
        body: Body::Bytes(svg.into_bytes()),
    })
}

/// Returns the address of the page as a QR code; none for an address longer than a code can hold.
fn code(routes: &Routes) -> Option<String> {
    let url = routes.url(&routes.page(REVIEW_PAGE));
    let code = QrCode::with_error_correction_level(url, EcLevel::M).ok()?;
    Some(code.render::<svg::Color<'_>>().min_dimensions(PICTURE_SIZE, PICTURE_SIZE).build())
}

fn view<'d>(renderer: &Renderer<'d>) -> (Head, Value) {
    let viewer = &renderer.viewer;
    let name = [("business", viewer.data.business.name.clone())];
    let heading = viewer.words.say("review_us", None, &name).unwrap_or_default();
    let places = viewer.data.sources.iter().filter_map(|source| {
        let href = source.write_url()?.to_owned();
        Some(LinkView { href, label: viewer.source_of_form(&source.source) })
    });
    let routes = &viewer.routes;
    let view = context! {
        heading => &heading,
        places => Value::from(Serde(places.collect::<Vec<_>>())),
        picture => code(routes).map(|_| routes.href(&routes.page(PICTURE))),
        url => routes.url(&routes.page(REVIEW_PAGE)),
    };
    (Head { title: heading.clone(), description: heading, json_ld: None }, view)
}
