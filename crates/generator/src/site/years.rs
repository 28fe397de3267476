//! Reviews by year, as rows that link to them.

use contract::model::Aggregate;
use serde::Serialize;

use super::{
    listing,
    view::{CountedLink, Viewer},
};

/// The number of years from which the rows are shown.
const MIN_YEARS: usize = 2;

/// A year with its reviews.
#[derive(Debug, Serialize)]
pub(super) struct YearBar {
    label: String,
    count: u64,
    average: String,
    /// The width of the bar as a percentage of the longest.
    width: String,
    /// The search for the reviews of the year.
    href: String,
    /// The path of the page with its newest review.
    #[serde(skip)]
    page: String,
}

impl From<YearBar> for CountedLink {
    fn from(year: YearBar) -> Self {
        let filter = format!("year={}", year.label);
        Self { href: year.page, label: year.label, count: year.count, filter }
    }
}

/// Reviews per year, the newest first; nothing where all are of one.
pub(super) fn years(viewer: &Viewer<'_>) -> Vec<YearBar> {
    let reviews = &viewer.data.reviews;
    let list = listing::all_pages(viewer.data, &viewer.routes);
    let mut years: Vec<(i16, usize, Aggregate)> = Vec::new();
    for (at, review) in reviews.iter().enumerate() {
        let year = review.date.date().year();
        if years.last().is_none_or(|(last, ..)| *last != year) {
            years.push((year, at, Aggregate::default()));
        }
        if let Some((.., aggregate)) = years.last_mut() {
            aggregate.add(review.rating);
        }
    }
    let most = years.iter().map(|(.., of)| of.count()).max().unwrap_or(1);
    let bar = |(year, first, of): (i16, usize, Aggregate)| YearBar {
        label: year.to_string(),
        count: of.count(),
        average: of.average().map_or(String::new(), |it| viewer.words.decimal(it.value(), 2)),
        width: format!("{:.1}", of.count() as f64 * 100.0 / most as f64),
        href: viewer.searched(&format!("year={year}")),
        page: viewer.routes.href(&list.path_of(list.number_of(first))),
    };
    if years.len() < MIN_YEARS { Vec::new() } else { years.into_iter().map(bar).collect() }
}
