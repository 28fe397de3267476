//! A page before it is rendered.

use jiff::Timestamp;
use minijinja::Value;

use super::{listing::Pager, renderer::Renderer, review_view::ReviewViewer};
use contract::{
    compress::Effort,
    model::{Day, Review},
};

/// What a page says of itself.
#[derive(Clone, Debug)]
pub(super) struct Head {
    pub(super) title: String,
    pub(super) description: String,
    /// JSON-LD, where there is something to say.
    pub(super) json_ld: Option<String>,
}

/// A page's own words, made when it is rendered.
pub(super) type MakeView<'d> = Box<dyn Fn(&Renderer<'d>) -> (Head, Value) + Send + Sync + 'd>;

/// What a page of reviews shows beside them.
#[derive(Debug, Default, Hash)]
pub(super) struct Surroundings {
    pub(super) heading: String,
    pub(super) pager: Pager,
    /// The day since when the one review is in the transparency log, in UTC.
    pub(super) logged: Option<Day>,
}

/// Finds the surroundings and the numbers of the reviews of a page.
pub(super) type FindReviews<'d> =
    Box<dyn Fn(&Renderer<'d>) -> (Surroundings, Vec<u32>) + Send + Sync + 'd>;

/// Turns them into the page's words. No closure, so that it sees nothing else.
pub(super) type ShowReviews<'d> =
    fn(&ReviewViewer<'d>, Surroundings, &[&'d Review]) -> (Head, Value);

/// Where the words of a page come from.
pub(super) enum Source<'d> {
    /// All that is known.
    Site(MakeView<'d>),
    /// Reviews, so that the hashes of these say whether the page is as it was.
    Reviews(FindReviews<'d>, ShowReviews<'d>),
}

/// One page.
pub(super) struct Page<'d> {
    /// Below `base_url`: `search/`, or a file's name.
    pub(super) path: String,
    pub(super) template: &'static str,
    /// How hard to compress it.
    pub(super) effort: Effort,
    /// Whether search engines may list it.
    pub(super) indexed: bool,
    /// When what it shows last changed, where the data say so.
    pub(super) updated: Option<Timestamp>,
    pub(super) source: Source<'d>,
}

impl<'d> Page<'d> {
    /// A page that search engines list.
    pub(super) fn new(
        path: String,
        template: &'static str,
        view: impl Fn(&Renderer<'d>) -> (Head, Value) + Send + Sync + 'd,
    ) -> Self {
        Self::from(path, template, Source::Site(Box::new(view)))
    }

    /// One that shows reviews and nothing that is computed from others.
    pub(super) fn of_reviews(
        path: String,
        template: &'static str,
        find: impl Fn(&Renderer<'d>) -> (Surroundings, Vec<u32>) + Send + Sync + 'd,
        show: ShowReviews<'d>,
    ) -> Self {
        Self::from(path, template, Source::Reviews(Box::new(find), show))
    }

    fn from(path: String, template: &'static str, source: Source<'d>) -> Self {
        Self { path, template, effort: Effort::Quick, indexed: true, updated: None, source }
    }

    /// One that they do not.
    pub(super) fn unlisted(self) -> Self {
        Self { indexed: false, ..self }
    }

    /// One that last changed then.
    pub(super) fn updated(self, updated: Option<Timestamp>) -> Self {
        Self { updated, ..self }
    }

    /// One of very many.
    pub(super) fn with_effort(self, effort: Effort) -> Self {
        Self { effort, ..self }
    }
}
