//! The frames that other sites show: a card, a carousel and a list of reviews. They run no script, and their addresses
//! stay the same: snippets in the pages of other sites must work for years.

use minijinja::{Value, context, value::Serde};

use super::{
    home::{newest, rating},
    listing::reviews,
    page::{Head, Page},
    renderer::Renderer,
    view::Viewer,
};

/// One kind of frame.
#[derive(Debug)]
pub(super) struct Frame {
    /// The name in the style sheet, and the key of the phrase of its heading.
    pub(super) name: &'static str,
    /// The folder below `embed/`.
    folder: &'static str,
    /// The number of reviews in it.
    reviews: usize,
    /// The width in pixels; `None`: that of the element around it.
    pub(super) width: Option<u32>,
    pub(super) height: u32,
}

/// The frames, the smallest first.
pub(super) static FRAMES: [Frame; 3] = [
    Frame { name: "card", folder: "", reviews: 0, width: Some(320), height: 260 },
    Frame { name: "carousel", folder: "carousel/", reviews: 9, width: None, height: 560 },
    Frame { name: "list", folder: "list/", reviews: 20, width: None, height: 640 },
];

impl Frame {
    /// Returns its path below `base_url`.
    pub(super) fn path(&self, viewer: &Viewer<'_>) -> String {
        viewer.routes.page(&format!("embed/{}", self.folder))
    }
}

/// Returns a page for every frame.
pub(super) fn pages<'d>(renderer: &Renderer<'d>) -> impl Iterator<Item = Page<'d>> {
    FRAMES.iter().map(|frame| {
        let path = frame.path(&renderer.viewer);
        Page::new(path, "embed.html", move |renderer| view(renderer, frame)).unlisted()
    })
}

fn view(renderer: &Renderer<'_>, frame: &Frame) -> (Head, Value) {
    let viewer = &renderer.viewer;
    let title = viewer.reviews_of();
    let reviews = reviews(viewer, &newest(viewer.data, frame.reviews));
    let view = context! {
        marks => Value::from(Serde(viewer.reviews.marks(reviews.iter()))),
        kind => frame.name,
        rating => Value::from(Serde(rating(viewer))),
        reviews => Value::from(Serde(reviews)),
        home => viewer.data.site.home_url(),
    };
    (Head { description: title.clone(), title, json_ld: None }, view)
}
