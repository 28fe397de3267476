//! The page with the profiles on which a customer can write a review, and its QR code for the counter. The code has the
//! address of the page, so that a printed code stays valid when a profile moves.

use minijinja::{Value, context, value::Serde};

use super::{
    actions::{REVIEW_PAGE, takes_reviews},
    assets::CODE,
    page::{Head, Page},
    renderer::Renderer,
    routes::LinkView,
};

pub(super) fn page<'d>(renderer: &Renderer<'d>) -> Option<Page<'d>> {
    let viewer = &renderer.viewer;
    takes_reviews(viewer.data)
        .then(|| Page::new(viewer.routes.page(REVIEW_PAGE), "review_us.html", view).unlisted())
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
        picture => renderer.assets.path(CODE).map(|path| routes.href(path)),
        url => routes.url(&routes.page(REVIEW_PAGE)),
    };
    (Head { title: heading.clone(), description: heading, json_ld: None }, view)
}
