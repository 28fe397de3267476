//! Charts drawn once, as SVG of a few hundred bytes; their colours are the style sheet's, and each
//! says in words what it shows.

use contract::model::{Aggregate, Ratio};
use std::fmt::Write;

use minijinja::Value;
use serde::Serialize;

use super::view::Viewer;
use insights::Month;

/// Widths of the drawing for wide windows and of the one for telephones, where it is shown as wide as
/// that: what is written in it keeps its size.
const BROAD: f64 = 720.0;
const SLIM: f64 = 300.0;
/// Where the averages are drawn, five stars on top …
const TOP: f64 = 14.0;
const MIDDLE: f64 = 122.0;
/// … and where the numbers of reviews.
const BOTTOM: f64 = 172.0;
const LEFT: f64 = 26.0;
/// So many months are drawn, the newest, in the one and in the other.
const MONTHS: usize = 120;
const SLIM_MONTHS: usize = 36;
/// Fewer say nothing.
const MIN_MONTHS: usize = 3;

/// One of the bars of the distribution.
#[derive(Debug, Serialize)]
pub(super) struct StarBar {
    stars: u8,
    label: String,
    count: u64,
    href: String,
    /// Percent of the longest.
    width: String,
    share: String,
}

/// Reviews per star, five first.
pub(super) fn distribution(viewer: &Viewer<'_>) -> Vec<StarBar> {
    let rating = &viewer.data.aggregate;
    let bar = |(stars, count): (&u8, &u64)| {
        let path = viewer.routes.page(&format!("rating/{stars}/"));
        let share = *count as f64 * 100.0 / rating.review_count.max(1) as f64;
        StarBar {
            stars: *stars,
            label: viewer.words.say("n_stars", Some(u64::from(*stars)), &[]).unwrap_or_default(),
            count: *count,
            href: viewer.routes.href(&path),
            width: format!("{share:.1}"),
            share: viewer.words.percent(share),
        }
    };
    rating.distribution.iter().rev().map(bar).collect()
}

/// A line of the tables beside the chart.
#[derive(Debug, Serialize)]
pub(super) struct PeriodView {
    label: String,
    count: u64,
    average: String,
}

impl PeriodView {
    fn new(viewer: &Viewer<'_>, label: String, count: u64, average: Option<Ratio>) -> Self {
        let average = average.map(|average| viewer.words.decimal(average.value(), 2));
        Self { label, count, average: average.unwrap_or_default() }
    }
}

/// Averages and numbers by month.
#[derive(Debug, Serialize)]
pub(super) struct TimeView {
    broad: Value,
    slim: Value,
    years: Vec<PeriodView>,
    /// What is drawn, newest first; months without reviews are left out.
    months: Vec<PeriodView>,
}

/// Nothing below three months.
pub(super) fn by_month(viewer: &Viewer<'_>) -> Option<TimeView> {
    let months = &viewer.data.insights.monthly;
    if months.len() < MIN_MONTHS {
        return None;
    }
    let newest = |count: usize| &months[months.len().saturating_sub(count)..];
    let drawn = |width, count| Value::from_safe_string(draw(viewer, newest(count), width));
    Some(TimeView {
        broad: drawn(BROAD, MONTHS),
        slim: drawn(SLIM, SLIM_MONTHS),
        years: years(viewer),
        months: newest(MONTHS)
            .iter()
            .rev()
            .filter(|month| month.tally.count() > 0)
            .map(|month| {
                let label = viewer.words.month_year(month.first, "months");
                let tally = &month.tally;
                PeriodView::new(viewer, label, tally.count(), tally.average_rating())
            })
            .collect(),
    })
}

fn years(viewer: &Viewer<'_>) -> Vec<PeriodView> {
    let mut years: Vec<(i16, Aggregate)> = Vec::new();
    for review in &viewer.data.reviews {
        let year = review.date.date().year();
        if years.last().is_none_or(|(last, _)| *last != year) {
            years.push((year, Aggregate::default()));
        }
        if let Some((_, aggregate)) = years.last_mut() {
            aggregate.add(review.rating);
        }
    }
    let view = |(year, aggregate): (i16, Aggregate)| {
        PeriodView::new(viewer, year.to_string(), aggregate.count(), aggregate.average())
    };
    years.into_iter().map(view).collect()
}

fn height_of(stars: f64) -> f64 {
    MIDDLE - (stars - 1.0) / 4.0 * (MIDDLE - TOP)
}

fn draw(viewer: &Viewer<'_>, months: &[Month], width: f64) -> String {
    let step = (width - LEFT - 8.0) / months.len() as f64;
    let middle_of = |at: usize| LEFT + (at as f64 + 0.5) * step;
    let most = months.iter().map(|month| month.tally.count()).max().unwrap_or(1).max(1);
    let mut svg = String::new();
    let text = describe(viewer, months);
    let text = html_escape::encode_safe(&text);
    // Writing to a string cannot fail.
    let _ = write!(
        svg,
        "<svg class=\"chart\" viewBox=\"0 0 {width} 196\" role=\"img\" aria-label=\"{text}\">"
    );
    for stars in 1..=5_u8 {
        let y = height_of(f64::from(stars));
        let _ = write!(
            svg,
            "<path class=\"grid\" d=\"M{LEFT} {y:.1}H{width}\"/><text class=\"tick\" x=\"{:.0}\" y=\"{:.1}\" text-anchor=\"end\">{stars}</text>",
            LEFT - 8.0,
            y + 4.0
        );
    }
    let mut bars = String::new();
    for (at, month) in months.iter().enumerate().filter(|(_, month)| month.tally.count() > 0) {
        let height = (month.tally.count() as f64 / most as f64 * (BOTTOM - MIDDLE - 12.0)).max(1.5);
        let bar = (step * 0.7).min(14.0);
        let x = middle_of(at) - bar / 2.0;
        let _ = write!(bars, "M{x:.1} {BOTTOM}v-{height:.1}h{bar:.1}V{BOTTOM}z");
    }
    let _ = write!(svg, "<path class=\"volume\" d=\"{bars}\"/>");
    line(&mut svg, months, middle_of);
    year_marks(&mut svg, months, middle_of);
    svg.push_str("</svg>");
    svg
}

/// The averages of three months around each, so that one review does not look like a trend; and each
/// month as a dot.
fn line(svg: &mut String, months: &[Month], middle_of: impl Fn(usize) -> f64) {
    let mut path = String::new();
    for at in 0..months.len() {
        let around = &months[at.saturating_sub(1)..(at + 2).min(months.len())];
        let count: u64 = around.iter().map(|month| month.tally.count()).sum();
        let sum: f64 = around
            .iter()
            .filter_map(|month| {
                Some(month.tally.average_rating()?.value() * month.tally.count() as f64)
            })
            .sum();
        if count == 0 {
            continue;
        }
        let command = if path.is_empty() { 'M' } else { 'L' };
        let (x, y) = (middle_of(at), height_of(sum / count as f64));
        let _ = write!(path, "{command}{x:.1} {y:.1}");
    }
    let _ = write!(svg, "<path class=\"line\" d=\"{path}\"/>");
    for (at, month) in months.iter().enumerate() {
        let Some(average) = month.tally.average_rating() else { continue };
        let (x, y) = (middle_of(at), height_of(average.value()));
        let _ = write!(svg, "<circle class=\"dot\" cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"2\"/>");
    }
}

fn year_marks(svg: &mut String, months: &[Month], middle_of: impl Fn(usize) -> f64) {
    for (at, month) in months.iter().enumerate() {
        let date = month.first.date();
        if date.month() == 1 || (at == 0 && date.month() < 8) {
            let x = middle_of(at);
            let _ =
                write!(svg, "<text class=\"tick\" x=\"{x:.1}\" y=\"190\">{}</text>", date.year());
        }
    }
}

fn describe(viewer: &Viewer<'_>, months: &[Month]) -> String {
    let averages = months.iter().filter_map(|m| m.tally.average_rating()).map(|a| a.value());
    let (low, high) = averages.fold((5.0_f64, 1.0_f64), |(l, h), a| (l.min(a), h.max(a)));
    let name = |month: Option<&Month>| {
        month.map_or(String::new(), |month| viewer.words.month_year(month.first, "months"))
    };
    let values = [
        ("count", viewer.words.count(months.len() as u64)),
        ("from", name(months.first())),
        ("to", name(months.last())),
        ("low", viewer.words.decimal(low, 1)),
        ("high", viewer.words.decimal(high, 1)),
    ];
    viewer.words.say("chart_text", None, &values).unwrap_or_default()
}

/// Shares of the four sentiments as one bar.
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
