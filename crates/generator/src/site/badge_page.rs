//! The page on which owners of other sites select a badge or a frame, each with its snippet. Without style sheets it is
//! a list of all of them.

use minijinja::{Value, context, value::Serde};
use serde::Serialize;

use super::{
    embed::{FRAMES, Frame},
    home::rating,
    page::{Head, Page},
    renderer::Renderer,
    templates::plain,
    view::Viewer,
};

/// The looks of a frame: the end of its address, and the phrase for it.
const LOOKS: [(&str, &str); 3] =
    [("", "look_automatic"), ("#light", "look_light"), ("#dark", "look_dark")];

/// A kind of frame with its choices.
#[derive(Debug, Serialize)]
struct FrameView {
    name: &'static str,
    choices: Vec<ChoiceView>,
}

/// A frame in one look.
#[derive(Debug, Serialize)]
struct ChoiceView {
    /// The number of the look, as its button has it.
    look: usize,
    label: String,
    href: String,
    width: Option<u32>,
    height: u32,
    /// The HTML to copy.
    snippet: String,
}

pub(super) fn page<'d>(renderer: &Renderer<'d>) -> Page<'d> {
    Page::new(renderer.viewer.routes.page("badges/"), "badges.html", snippets).unlisted()
}

fn snippets(renderer: &Renderer<'_>) -> (Head, Value) {
    let viewer = &renderer.viewer;
    let data = viewer.data;
    let title = format!("{} · {}", viewer.words.word("badges_title"), data.business.name);
    let frames: Vec<FrameView> = FRAMES.iter().map(|kind| frame(viewer, kind)).collect();
    let view = context! {
        looks => LOOKS.map(|(_, word)| viewer.words.word(word)),
        pictures => Value::from(Serde(pictures(viewer))),
        frames => Value::from(Serde(frames)),
        picture => viewer.routes.href("badge.svg"),
        picture_dark => viewer.routes.href("badge-dark.svg"),
        alt => plain(&viewer.reviews_of()),
        badge_json => data.address("badge.json"),
        fragments => data.site.appearance.pages.exist().then(|| data.address("fragments/")),
        rating => Value::from(Serde(rating(viewer))),
    };
    (Head { description: title.clone(), title, json_ld: None }, view)
}

/// Returns `Reviews of …` as the value of an attribute. Without figures: other sites keep the snippet that they copied,
/// and only the frame changes.
fn alternative(viewer: &Viewer<'_>) -> String {
    html_escape::encode_safe(&plain(&viewer.reviews_of())).into_owned()
}

fn frame(viewer: &Viewer<'_>, frame: &Frame) -> FrameView {
    let path = frame.path(viewer);
    let title = alternative(viewer);
    let kind = viewer.words.word(&format!("badge_{}", frame.name));
    let choices = LOOKS.iter().enumerate().map(|(look, (end, word))| {
        let address = format!("{}{end}", viewer.routes.url(&path));
        ChoiceView {
            look,
            label: format!("{kind}, {}", viewer.words.word(word)),
            href: format!("{}{end}", viewer.routes.href(&path)),
            width: frame.width,
            height: frame.height,
            snippet: snippet(frame, &address, &title),
        }
    });
    FrameView { name: frame.name, choices: choices.collect() }
}

fn snippet(frame: &Frame, address: &str, title: &str) -> String {
    let (width, style) = match frame.width {
        Some(width) => (format!("width=\"{width}\" "), "border:0;max-width:100%"),
        None => (String::new(), "border:0;width:100%"),
    };
    let height = frame.height;
    format!(
        "<iframe src=\"{address}\" title=\"{title}\" {width}height=\"{height}\" style=\"{style}\" loading=\"lazy\"></iframe>"
    )
}

/// The snippets of the picture, in the order of the looks.
fn pictures(viewer: &Viewer<'_>) -> [String; 3] {
    let data = viewer.data;
    let (light, dark) = (data.address("badge.svg"), data.address("badge-dark.svg"));
    let alt = alternative(viewer);
    let image =
        |src: &str| format!("<img src=\"{src}\" alt=\"{alt}\" width=\"184\" height=\"58\">");
    let link = |shown: String| format!("<a href=\"{}\">{shown}</a>", data.site.home_url());
    let both = format!(
        "<picture><source srcset=\"{dark}\" media=\"(prefers-color-scheme: dark)\">{}</picture>",
        image(&light)
    );
    [link(both), link(image(&light)), link(image(&dark))]
}
