//! The page on which owners of other sites choose what to show: each choice with its snippet. Without
//! style sheets it is a list of all of them.

use minijinja::{Value, context, value::Serde};
use serde::Serialize;

use super::{
    embed::{FRAMES, Frame, other_languages},
    home::rating,
    languages,
    page::{Head, Page},
    renderer::{Renderer, has_pages},
    templates::plain,
    view::Viewer,
};
use content::words::Words;

/// How a frame looks: what its address ends in, and the phrase for it.
const LOOKS: [(&str, &str); 3] =
    [("", "look_automatic"), ("#light", "look_light"), ("#dark", "look_dark")];

/// A kind of frame with its choices.
#[derive(Debug, Serialize)]
struct FrameView {
    name: &'static str,
    choices: Vec<ChoiceView>,
}

/// A frame in one language and one look.
#[derive(Debug, Serialize)]
struct ChoiceView {
    /// Numbers of the language and the look, as the buttons above have them.
    language: usize,
    look: usize,
    label: String,
    href: String,
    width: Option<u32>,
    height: u32,
    /// HTML to copy.
    snippet: String,
}

pub(super) fn page<'d>(renderer: &Renderer<'d>) -> Page<'d> {
    Page::new(renderer.viewer.routes.page("badges/"), "badges.html", snippets)
}

/// The site's language and the others, with their words.
fn speakers(viewer: &Viewer<'_>) -> Vec<(Option<&'static str>, Words)> {
    let site = &viewer.data.site;
    let others = other_languages(viewer).map(|tag| (Some(tag), Words::speaking(site, tag)));
    std::iter::once((None, Words::new(site))).chain(others).collect()
}

fn snippets(renderer: &Renderer<'_>) -> (Head, Value) {
    let viewer = &renderer.viewer;
    let data = viewer.data;
    let title = format!("{} · {}", viewer.words.word("badges_title"), data.business.name);
    let speakers = speakers(viewer);
    let name = |words: &Words| languages::name(&words.language).to_owned();
    let frames: Vec<FrameView> = FRAMES.iter().map(|kind| frame(viewer, kind, &speakers)).collect();
    let view = context! {
        languages => speakers.iter().map(|(_, words)| name(words)).collect::<Vec<_>>(),
        looks => LOOKS.map(|(_, word)| viewer.words.word(word)),
        pictures => Value::from(Serde(pictures(viewer))),
        frames => Value::from(Serde(frames)),
        picture => viewer.routes.href("badge.svg"),
        picture_dark => viewer.routes.href("badge-dark.svg"),
        alt => plain(&viewer.reviews_of()),
        badge_json => data.address("badge.json"),
        fragments => has_pages(data).then(|| data.address("fragments/")),
        rating => Value::from(Serde(rating(viewer))),
    };
    (Head { description: title.clone(), title, json_ld: None }, view)
}

/// `Reviews of …` as the value of an attribute. Without figures: other sites keep what they copied, and
/// only what it shows changes.
fn alternative(words: &Words, business: &str) -> String {
    let name = [("business", business.to_owned())];
    let text = words.say("reviews_of", None, &name).unwrap_or_default();
    html_escape::encode_safe(&plain(&text)).into_owned()
}

fn frame(
    viewer: &Viewer<'_>,
    frame: &Frame,
    speakers: &[(Option<&'static str>, Words)],
) -> FrameView {
    let mut choices = Vec::new();
    for (number, (language, words)) in speakers.iter().enumerate() {
        let path = frame.path(viewer, *language);
        let title = alternative(words, &viewer.data.business.name);
        for (look, (end, word)) in LOOKS.iter().enumerate() {
            let address = format!("{}{end}", viewer.routes.url(&path));
            let label = [
                viewer.words.word(&format!("badge_{}", frame.name)),
                languages::name(&words.language).to_owned(),
                viewer.words.word(word),
            ];
            choices.push(ChoiceView {
                language: number,
                look,
                label: label.join(", "),
                href: format!("{}{end}", viewer.routes.href(&path)),
                width: frame.width,
                height: frame.height,
                snippet: snippet(frame, &address, &title),
            });
        }
    }
    FrameView { name: frame.name, choices }
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
    let alt = alternative(&viewer.words, &data.business.name);
    let image =
        |src: &str| format!("<img src=\"{src}\" alt=\"{alt}\" width=\"184\" height=\"58\">");
    let link = |shown: String| format!("<a href=\"{}\">{shown}</a>", data.site.home_url());
    let both = format!(
        "<picture><source srcset=\"{dark}\" media=\"(prefers-color-scheme: dark)\">{}</picture>",
        image(&light)
    );
    [link(both), link(image(&light)), link(image(&dark))]
}
