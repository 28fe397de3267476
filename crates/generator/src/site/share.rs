//! Pictures of the site for other programs: the one that messengers and social networks show beside a link, and the
//! icon that browsers request.

use std::sync::Arc;

use super::{
    picture::{PNG, Picture, Rgb, icon, is_drawable, mark, width},
    renderer::{PICTURE_SIZE, Renderer},
    routes::PICTURE,
    view::Viewer,
};
use crate::document::{Body, Document};
use content::{Pages, dataset::Extent};
use contract::compress::Effort;

const ICO: &str = "image/vnd.microsoft.icon";

/// Side of the icon for browsers, in dots.
const FAVICON: u32 = 48;

const PAPER: Rgb = [0xfa, 0xf9, 0xf6];
const INK: Rgb = [0x1b, 0x22, 0x2c];
const SOFT: Rgb = [0x56, 0x61, 0x70];
const STAR: Rgb = [0xd9, 0x94, 0x1a];
const EMPTY: Rgb = [0xdf, 0xdb, 0xd0];

/// The space between the edge and the drawing, in dots.
const MARGIN: f32 = 80.0;
/// The top and the height of the logo, or of the star in its place: above the name.
const MARK: i32 = 74;
const MARK_SIDE: i32 = 84;
/// The baseline of the figures, in dots from the top.
const LINE: f32 = 556.0;
/// The sizes of the name, from the one that is tried first.
const NAME_SIZES: [f32; 3] = [80.0, 64.0, 50.0];
/// The maximum number of lines of the name.
const LINES: usize = 2;

/// Returns the pictures that keep their names, though they change with the reviews.
pub(super) fn documents<'d>(renderer: &Arc<Renderer<'d>>) -> Vec<Document<'d>> {
    let viewer = &renderer.viewer;
    let shared = Arc::clone(renderer);
    let mut documents = vec![Document {
        path: viewer.routes.page(PICTURE),
        media_type: PNG,
        links: Vec::new(),
        effort: Effort::None,
        body: Body::Stream(Box::new(move |out| {
            let picture = beside_a_link(&shared.viewer);
            out.write_all(&picture.map_or(Ok(Vec::new()), |picture| picture.png())?)
        })),
    }];
    // The root belongs to the larger site, where there is one.
    if viewer.data.site.appearance.pages == Pages::Root {
        documents.push(Document {
            path: "favicon.ico".to_owned(),
            media_type: ICO,
            links: Vec::new(),
            effort: Effort::None,
            body: Body::Bytes(favicon(accent(viewer))),
        });
    }
    documents
}

/// The accent of light pages.
fn accent(viewer: &Viewer<'_>) -> Rgb {
    super::colour::light(viewer.data.site.appearance.accent)
}

/// Returns one picture in the container that browsers request as `favicon.ico`.
fn favicon(accent: Rgb) -> Vec<u8> {
    let png = icon(FAVICON, accent);
    let side = u8::try_from(FAVICON).unwrap_or(0);
    let length = u32::try_from(png.len()).unwrap_or(0);
    // One icon; its sides, up to 256 colours, one plane of eight bits; its length, and where it begins.
    let mut ico = vec![0, 0, 1, 0, 1, 0, side, side, 0, 0, 1, 0, 8, 0];
    ico.extend(length.to_le_bytes());
    ico.extend(22_u32.to_le_bytes());
    ico.extend(png);
    ico
}

fn beside_a_link(viewer: &Viewer<'_>) -> Option<Picture> {
    let (accent, right) = (accent(viewer), PICTURE_SIZE.0 as f32 - 2.0 * MARGIN);
    let mut picture = Picture::new(PICTURE_SIZE.0, PICTURE_SIZE.1, PAPER)?;
    picture.rectangle([0.0, 0.0, PICTURE_SIZE.0 as f32, 18.0], accent);
    match &viewer.data.site.appearance.small_logo {
        Some(logo) => {
            picture.place((MARGIN as i32, MARK + (MARK_SIDE - logo.size.1 as i32) / 2), logo)
        }
        None => mark(&mut picture, MARGIN, MARK as f32, MARK_SIDE as f32, accent),
    }
    let name = &viewer.data.business.name;
    if is_drawable(name) {
        let (size, lines) = fitted(name, right);
        for (at, line) in lines.iter().enumerate() {
            let y = 260.0 + at as f32 * size * 1.2;
            picture.words((MARGIN, y), size, line, INK);
        }
    }
    let rating = &viewer.data.aggregate;
    let count = match viewer.extent() {
        Extent::All => {
            viewer.words.say("n_reviews", Some(rating.review_count), &[]).unwrap_or_default()
        }
        _ => viewer.counted(),
    };
    let Some(average) = rating.average.map(|average| average.value()) else { return Some(picture) };
    let number = viewer.words.decimal(average, 2);
    picture.words((MARGIN, LINE), 150.0, &number, INK);
    let stars = MARGIN + width(&number, 150.0) + 48.0;
    for at in 0..5_u8 {
        let x = stars + f32::from(at) * 84.0;
        picture.star(x, LINE - 128.0, 78.0, 1.0, EMPTY);
        picture.star(x, LINE - 128.0, 78.0, (average - f64::from(at)) as f32, STAR);
    }
    if is_drawable(&count) {
        picture.words((stars, LINE), 40.0, &count, SOFT);
    }
    Some(picture)
}

/// Returns a text in the largest size in which it fits; cut off if it fits in none.
fn fitted(text: &str, most: f32) -> (f32, Vec<String>) {
    let fits = |size: &f32| wrapped(text, *size, most).len() <= LINES;
    let size = NAME_SIZES.into_iter().find(fits);
    let least = NAME_SIZES[NAME_SIZES.len() - 1];
    let mut lines = wrapped(text, size.unwrap_or(least), most);
    if lines.len() > LINES {
        lines.truncate(LINES);
        lines[LINES - 1].push('…');
    }
    (size.unwrap_or(least), lines)
}

/// Breaks a text between words; a word that is longer than a line is split.
fn wrapped(text: &str, size: f32, most: f32) -> Vec<String> {
    let mut lines = vec![String::new()];
    for word in text.split_whitespace() {
        let line = lines.last_mut().map(std::mem::take).unwrap_or_default();
        let longer = if line.is_empty() { word.to_owned() } else { format!("{line} {word}") };
        lines.pop();
        if width(&longer, size) <= most {
            lines.push(longer)
        } else {
            lines.extend(Some(line).filter(|line| !line.is_empty()));
            lines.extend(parts(word, size, most));
        }
    }
    lines
}

fn parts(word: &str, size: f32, most: f32) -> Vec<String> {
    let mut parts = vec![String::new()];
    for letter in word.chars() {
        let Some(part) = parts.last_mut() else { break };
        if width(&format!("{part}{letter}"), size) <= most {
            part.push(letter)
        } else {
            parts.push(letter.to_string())
        }
    }
    parts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_as_large_as_two_lines_allow() {
        assert_eq!(fitted("Acme", 1_000.0), (80.0, vec!["Acme".to_owned()]));
        let (size, lines) =
            fitted("Tillwater Plumbing, Heating & Air of Calder Bluff and sons", 1_040.0);
        assert!(size < 80.0 && lines.len() == 2, "{size} {lines:?}");
        for name in ["word ".repeat(40), "x".repeat(200)] {
            let (size, lines) = fitted(&name, 1_000.0);
            assert_eq!((size, lines.len()), (50.0, 2));
            assert!(lines[1].ends_with('…') && width(&lines[0], size) <= 1_000.0, "{lines:?}");
        }
    }
}
