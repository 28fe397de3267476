//! What other sites show in frames: a card, a carousel and a list of reviews, in each language. They run
//! no script, and their addresses stay the same: what others pasted into their pages has to work for
//! years.

use std::sync::Arc;

use minijinja::{Value, context, value::Serde};

use super::{
    home::{newest, rating},
    listing::reviews,
    page::{Head, Page},
    renderer::Renderer,
    view::Viewer,
};
use crate::document::RenderError;
use content::theme::{LANGUAGES, primary_tag};

/// One kind of frame.
#[derive(Debug)]
pub(super) struct Frame {
    /// Its name in the style sheet, and the phrase that is its heading.
    pub(super) name: &'static str,
    /// Below `embed/`.
    folder: &'static str,
    /// Reviews in it.
    reviews: usize,
    /// Pixels; without a width it is as wide as its place.
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
    /// Its address below `base_url`, in the site's language or in another.
    pub(super) fn path(&self, viewer: &Viewer<'_>, language: Option<&str>) -> String {
        let language = language.map_or(String::new(), |language| format!("{language}/"));
        viewer.routes.page(&format!("embed/{}{language}", self.folder))
    }
}

/// The languages that frames have beside the site's own.
pub(super) fn other_languages(viewer: &Viewer<'_>) -> impl Iterator<Item = &'static str> {
    let own = primary_tag(&viewer.words.language);
    LANGUAGES.into_iter().map(|(tag, _)| tag).filter(move |tag| *tag != own)
}

/// Every frame in every language, each page with the renderer that speaks it.
pub(super) fn pages<'d>(
    renderer: &Arc<Renderer<'d>>,
) -> Result<Vec<(Arc<Renderer<'d>>, Page<'d>)>, RenderError> {
    let mut speakers = vec![(None, Arc::clone(renderer))];
    for language in other_languages(&renderer.viewer) {
        speakers.push((Some(language), Arc::new(renderer.speaking(language)?)));
    }
    let pages = speakers.into_iter().flat_map(|(language, speaker)| {
        FRAMES.iter().map(move |frame| (Arc::clone(&speaker), page(&speaker, frame, language)))
    });
    Ok(pages.collect())
}

fn page<'d>(renderer: &Renderer<'d>, frame: &'static Frame, language: Option<&str>) -> Page<'d> {
    let path = frame.path(&renderer.viewer, language);
    Page::new(path, "embed.html", move |renderer| view(renderer, frame)).unlisted()
}

fn view(renderer: &Renderer<'_>, frame: &Frame) -> (Head, Value) {
    let viewer = &renderer.viewer;
    let title = viewer.reviews_of();
    let view = context! {
        kind => frame.name,
        rating => Value::from(Serde(rating(viewer))),
        reviews => Value::from(Serde(reviews(viewer, &newest(viewer.data, frame.reviews)))),
        home => viewer.data.site.home_url(),
    };
    (Head { description: title.clone(), title, json_ld: None }, view)
}
