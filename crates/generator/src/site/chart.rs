//! Charts drawn once, as SVG of a few hundred bytes; their colours are the style sheet's, and each has a description in
//! words.

use std::fmt::Write;

use minijinja::Value;
use serde::Serialize;

use super::view::Viewer;

/// One of the bars of the distribution.
#[derive(Debug, Serialize)]
pub(super) struct StarBar {
    stars: u8,
    label: String,
    count: u64,
    /// The path of the list of these reviews, if there is one.
    href: Option<String>,
    /// The percentage of all reviews.
    width: String,
}

/// Returns a bar of reviews per star, five first.
pub(super) fn distribution(viewer: &Viewer<'_>) -> Vec<StarBar> {
    let rating = &viewer.data.aggregate;
    let bar = |(stars, count): (&u8, &u64)| {
        let path = viewer.routes.page(&format!("rating/{stars}/"));
        let share = *count as f64 * 100.0 / rating.review_count.max(1) as f64;
        StarBar {
            stars: *stars,
            label: viewer.words.say("n_stars", Some(u64::from(*stars)), &[]).unwrap_or_default(),
            count: *count,
            href: (*count > 0).then(|| viewer.routes.href(&path)),
            width: format!("{share:.1}"),
        }
    };
    rating.distribution.iter().rev().map(bar).collect()
}

/// Draws the shares of the four sentiments as one bar.
pub(super) fn sentiments(counts: [u64; 4], words: &str) -> Value {
    let all: u64 = counts.iter().sum();
    let mut svg = format!(
        "<svg class=\"share\" viewBox=\"0 0 100 6\" preserveAspectRatio=\"none\" role=\"img\" aria-label=\"{}\">",
        html_escape::encode_safe(words)
    );
    let mut x = 0.0;
    for (class, count) in ["positive", "mixed", "neutral", "negative"].into_iter().zip(counts) {
        let width = count as f64 * 100.0 / all.max(1) as f64;
        if count > 0 {
            // Writing to a string cannot fail.
            let _ = write!(
                svg,
                "<rect class=\"{class}\" x=\"{x:.2}\" width=\"{width:.2}\" height=\"6\"/>"
            );
        }
        x += width;
    }
    svg.push_str("</svg>");
    Value::from_safe_string(svg)
}
