//! The badge that other sites show, as a picture and as data.

use std::sync::Arc;

use schemars::JsonSchema;
use serde::Serialize;

use super::{SVG, picture::star_path, renderer::Renderer, templates::plain, view::Viewer};
use crate::document::{Body, Document, JSON, RenderError};
use content::dataset::Extent;
use contract::compress::Effort;

/// `badge.json`, in the form shields.io asks endpoints for.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "Badge")]
struct Badge {
    /// Always 1.
    schema_version: u32,
    /// The left side.
    label: String,
    /// The right side: the average over all reviews, and how many they are.
    message: String,
    /// The right side's colour.
    color: &'static str,
}

/// The schema of `badge.json`.
pub(crate) fn schema() -> serde_json::Value {
    crate::render::schema_of::<Badge>()
}

/// Colours of a badge.
struct Paint {
    paper: &'static str,
    line: &'static str,
    ink: &'static str,
    soft: &'static str,
    star: &'static str,
    empty: &'static str,
}

const LIGHT: Paint = Paint {
    paper: "#ffffff",
    line: "#dcd8cd",
    ink: "#1c2430",
    soft: "#566170",
    star: "#d9941a",
    empty: "#e4e1d8",
};
const DARK: Paint = Paint {
    paper: "#1d232b",
    line: "#39424e",
    ink: "#edf0f4",
    soft: "#aab4c0",
    star: "#efb541",
    empty: "#3b4450",
};

/// Returns the figures of a badge: the average and the number of all reviews.
fn said(viewer: &Viewer<'_>) -> (Option<f64>, u64) {
    let rating = &viewer.data.aggregate;
    (rating.average.map(|average| average.value()), rating.review_count)
}

/// Describes the badge in words, for readers who cannot see the picture.
fn in_words(viewer: &Viewer<'_>) -> String {
    let (_, count) = said(viewer);
    let none = || viewer.words.say("n_reviews", Some(count), &[]).unwrap_or_default();
    format!("{}: {}", viewer.data.business.name, viewer.rated().unwrap_or_else(none))
}

pub(super) fn documents<'d>(
    renderer: &Arc<Renderer<'d>>,
) -> Result<Vec<Document<'d>>, RenderError> {
    let viewer = &renderer.viewer;
    let (average, _) = said(viewer);
    let shown = viewer.counted();
    let message = match average {
        Some(average) => format!("{}/5 ({shown})", viewer.words.decimal(average, 2)),
        None => shown,
    };
    let badge = Badge {
        schema_version: 1,
        label: viewer.words.word("reviews").to_lowercase(),
        message,
        color: match average {
            // What is not here may be worse.
            Some(4.5..) if viewer.extent() == Extent::All => "brightgreen",
            Some(4.0..) => "green",
            Some(3.0..) => "yellow",
            Some(_) => "orange",
            None => "lightgrey",
        },
    };
    let mut json = serde_json::to_vec(&badge)?;
    json.push(b'\n');
    let picture = |paint: &Paint| draw(viewer, paint).into_bytes();
    let file = |path: &str, media_type, bytes| Document {
        path: path.to_owned(),
        media_type,
        links: Vec::new(),
        effort: Effort::Best,
        body: Body::Bytes(bytes),
    };
    Ok(vec![
        file("badge.json", JSON, json),
        file("badge.svg", SVG, picture(&LIGHT)),
        file("badge-dark.svg", SVG, picture(&DARK)),
    ])
}

fn draw(viewer: &Viewer<'_>, paint: &Paint) -> String {
    let (average, count) = said(viewer);
    let words = &viewer.words;
    let count_words = match viewer.extent() {
        Extent::All => words.say("n_reviews", Some(count), &[]).unwrap_or_default(),
        _ => viewer.counted(),
    };
    let number = average.map(|average| words.decimal(average, 2));
    let escape = |text: &str| html_escape::encode_safe(text).into_owned();
    let label = escape(&plain(&in_words(viewer)));
    let Paint { paper, line, ink, soft, star, empty } = paint;
    let fill = average.unwrap_or(0.0) * 16.0;
    let shape = star_path();
    let stars: String = (0..5)
        .map(|at| format!("<path transform=\"translate({})\" d=\"{shape}\"/>", at * 11))
        .collect();
    let text = |x: u32, y: u32, size: u32, weight: u32, colour: &str, text: &str| {
        format!(
            "<text x=\"{x}\" y=\"{y}\" font-size=\"{size}\" font-weight=\"{weight}\" fill=\"{colour}\">{}</text>",
            escape(text)
        )
    };
    let big = text(16, 37, 24, 700, ink, number.as_deref().unwrap_or("★"));
    let small = text(86, 44, 12, 400, soft, &count_words);
    let rating = match average {
        None => String::new(),
        Some(_) => format!(
            "<clipPath id=\"f\"><path d=\"M0 0h{fill:.1}v16H0z\"/></clipPath>\
             <g transform=\"translate(86 14)\"><g transform=\"scale(1.45)\" fill=\"{empty}\">{stars}</g>\
             <g clip-path=\"url(#f)\"><g transform=\"scale(1.45)\" fill=\"{star}\">{stars}</g></g></g>"
        ),
    };
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"184\" height=\"58\" viewBox=\"0 0 184 58\" role=\"img\" \
         aria-label=\"{label}\"><title>{label}</title>\
         <rect x=\".5\" y=\".5\" width=\"183\" height=\"57\" rx=\"9\" fill=\"{paper}\" stroke=\"{line}\"/>\
         <g font-family=\"system-ui,-apple-system,'Segoe UI',Roboto,sans-serif\">{big}{small}</g>{rating}</svg>\n"
    )
}
