//! The values that templates get: plain values, already in the site's words.

use contract::model::{DIRECT, source_name};
use std::{collections::BTreeSet, sync::Arc};

use serde::Serialize;

use super::{
    review_view::ReviewViewer,
    routes::{LinkView, Routes},
    templates::plain,
};
use content::{
    Menu, OwnPage,
    dataset::{Dataset, Extent, rated},
    words::Words,
};

/// The number of reviews below which all of them are on the first page, without figures of all together.
pub(super) const MIN_FOR_LISTS: usize = 20;

/// The number of reviews that mention an aspect or a topic from which it has a page.
pub(super) const MIN_OPINIONS: u64 = 5;

/// A link with a number beside it.
#[derive(Clone, Debug, Serialize)]
pub(super) struct CountedLink {
    pub(super) href: String,
    pub(super) label: String,
    pub(super) count: u64,
    /// The words that the search understands in place of the link.
    pub(super) filter: String,
}

/// The data from which views are made.
#[derive(Debug)]
pub(super) struct Viewer<'d> {
    pub(super) data: &'d Dataset,
    pub(super) words: Arc<Words>,
    pub(super) routes: Routes,
    /// The maker of views of single reviews.
    pub(super) reviews: ReviewViewer<'d>,
}

impl<'d> Viewer<'d> {
    pub(super) fn new(data: &'d Dataset) -> Self {
        Self::with(data, Words::new(&data.site))
    }

    /// Returns the viewer of the same site in another language.
    pub(super) fn speaking(&self, language: &str) -> Self {
        Self::with(self.data, Words::speaking(&self.data.site, language))
    }

    fn with(data: &'d Dataset, words: Words) -> Self {
        let words = Arc::new(words);
        let reviews = ReviewViewer::new(data, Arc::clone(&words));
        Self { data, words, routes: Routes::new(&data.site), reviews }
    }

    /// Returns `Reviews of Acme`.
    pub(super) fn reviews_of(&self) -> String {
        let name = [("business", self.data.business.name.clone())];
        self.words.say("reviews_of", None, &name).unwrap_or_default()
    }

    pub(super) fn link(&self, path: &str, label: impl Into<String>) -> LinkView {
        LinkView { href: self.routes.href(path), label: label.into() }
    }

    /// Where what a query selects is shown.
    pub(super) fn searched(&self, query: &str) -> String {
        format!("{}?{query}", self.routes.href(&self.routes.page("search/")))
    }

    /// Where a page of the owner is.
    pub(super) fn own_path(&self, page: &OwnPage) -> String {
        self.routes.page(&format!("{}/", page.slug))
    }

    /// Returns links to the owner's pages that belong in this place.
    pub(super) fn own_links(&self, place: Menu) -> Vec<LinkView> {
        let own = self.data.site.appearance.own_pages.iter();
        let linked = own.filter(|page| page.menu == Some(place));
        linked.map(|page| self.link(&self.own_path(page), &*page.title)).collect()
    }

    /// Returns a source's name on the page for writing a review; the business's own for direct reviews.
    pub(super) fn source_of_form(&self, source: &str) -> String {
        match source {
            DIRECT => self.data.business.name.clone(),
            _ => source_name(source),
        }
    }

    /// States the number of reviews judged by their words, and of those judged by their stars alone.
    pub(super) fn coverage(&self) -> String {
        let coverage = &self.data.insights.coverage;
        let values = [
            ("text", self.words.count(coverage.text + coverage.annotated)),
            ("stars", self.words.count(coverage.rating_only + coverage.other_language)),
        ];
        let count = Some(self.data.reviews.len() as u64);
        self.words.say("about_coverage", count, &values).unwrap_or_default()
    }

    /// States the number of reviews that a person or another model judged, and who; nothing if there are none.
    pub(super) fn annotated(&self) -> Option<String> {
        let insights = &self.data.insights;
        let judges: BTreeSet<&str> =
            insights.per_review.iter().filter_map(|insight| insight.judged_by.as_deref()).collect();
        let names = judges.into_iter().collect::<Vec<_>>().join(", ");
        let count = Some(insights.coverage.annotated).filter(|count| *count > 0)?;
        self.words.say("about_annotated", Some(count), &[("names", names)]).ok()
    }

    /// Returns `4.8 of 5 from 212 reviews`, or `from 32 of 184 reviews` if sources have more; nothing without reviews.
    pub(super) fn rated(&self) -> Option<String> {
        rated(&self.words, &self.data.aggregate, &self.data.sources)
    }

    /// Returns the number of reviews for a place without room for words: `212`, `32 of 184`, `32+`.
    pub(super) fn counted(&self) -> String {
        let count = self.data.aggregate.review_count;
        match self.extent() {
            Extent::All => self.words.count(count),
            Extent::Of(total) => {
                let total = [("total", self.words.count(total))];
                self.words.say("n_of_total", Some(count), &total).unwrap_or_default()
            }
            Extent::Part => format!("{}+", self.words.count(count)),
        }
    }

    /// Returns the extent to which the site has the reviews of its sources.
    pub(super) fn extent(&self) -> Extent {
        Extent::of(&self.data.aggregate, &self.data.sources)
    }
}

/// Returns the beginning of a text in one line, for descriptions.
pub(super) fn excerpt(text: &str, characters: usize) -> String {
    let line = plain(text).split_whitespace().collect::<Vec<_>>().join(" ");
    match line.char_indices().nth(characters) {
        None => line,
        Some((end, _)) => {
            let end = line[..end].rfind(' ').filter(|at| *at > 0).unwrap_or(end);
            format!("{}…", &line[..end])
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_excerpt_is_one_line() {
        assert_eq!(excerpt("a\nb  \u{202e}c", 10), "a b c");
        assert_eq!(excerpt("one two three", 9), "one two…");
    }
}
