//! A page, and its values, before it is rendered.

use std::{hash::Hash, io, sync::Arc};

use jiff::Timestamp;
use minijinja::{Value, context};

use super::{
    paged::Pager,
    renderer::Renderer,
    review_view::ReviewViewer,
    templates::plain,
    values::EVERY_PAGE,
    view::{Viewer, excerpt},
};
use crate::document::{Ingredients, Prepared, RenderError};
use content::cache::Hasher;
use contract::{
    compress::Effort,
    model::{Day, Review},
};

/// Characters of a title that search engines and tabs show.
pub(super) const TITLE_LIMIT: usize = 68;

/// The beginning of a title whose HTML has at most so many characters. Validators count the characters of
/// the source, in which `&` and quotation marks are references such as `&#x27;`.
pub(super) fn title_within(title: &str, mut room: usize) -> String {
    let fits = |c: &char| {
        let width = if "&<>\"'/".contains(*c) { "&#x27;".len() } else { 1 };
        let fits = width <= room;
        room = room.saturating_sub(width);
        fits
    };
    let title = plain(title);
    excerpt(&title, title.chars().take_while(fits).count())
}

/// What a page says of itself.
#[derive(Clone, Debug)]
pub(super) struct Head {
    pub(super) title: String,
    pub(super) description: String,
    /// JSON-LD, where there is something to say.
    pub(super) json_ld: Option<String>,
}

/// A title with the business's name behind it.
pub(super) fn head(viewer: &Viewer<'_>, word: &str) -> Head {
    let title = format!("{} · {}", viewer.words.word(word), viewer.data.business.name);
    Head { description: title.clone(), title, json_ld: None }
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

    /// The hash of what a page is computed from, if that is reviews.
    pub(super) fn sources(&self, renderer: &Renderer<'d>) -> Option<[u8; 16]> {
        let Source::Reviews(find, _) = &self.source else { return None };
        let (surroundings, numbers) = find(renderer);
        let mut hasher = Hasher::new("sources");
        hasher.add(&renderer.theme(self.template));
        hasher.add(&renderer.site_hash);
        hasher.add(&renderer.viewer_hash);
        (self.template, &self.path, self.indexed, surroundings).hash(&mut hasher);
        numbers.iter().for_each(|at| hasher.add(&renderer.review_hashes[*at as usize]));
        Some(hasher.key().bytes())
    }

    /// A page with its values.
    pub(super) fn prepare(&self, renderer: &Arc<Renderer<'d>>) -> PreparedPage<'d> {
        let (head, view) = match &self.source {
            Source::Site(make) => make(renderer),
            Source::Reviews(find, show) => {
                let (surroundings, numbers) = find(renderer);
                let all = &renderer.viewer.data.reviews;
                let reviews: Vec<_> = numbers.iter().map(|at| &all[*at as usize]).collect();
                show(&renderer.viewer.reviews, surroundings, &reviews)
            }
        };
        let about = context! {
            path => &self.path,
            url => renderer.viewer.routes.url(&self.path),
            href => renderer.viewer.routes.href(&self.path),
            title => title_within(&head.title, TITLE_LIMIT),
            description => plain(&head.description),
            indexed => self.indexed,
            json_ld => head.json_ld.map(Value::from_safe_string),
            is_error => self.path.ends_with("404.html"),
        };
        renderer.note(EVERY_PAGE, "page", &about);
        renderer.note(self.template, "view", &view);
        PreparedPage { renderer: Arc::clone(renderer), template: self.template, about, view }
    }
}

/// A page with its values.
pub(super) struct PreparedPage<'d> {
    renderer: Arc<Renderer<'d>>,
    template: &'static str,
    about: Value,
    view: Value,
}

impl Prepared for PreparedPage<'_> {
    fn ingredients(&self) -> io::Result<Ingredients> {
        let mut page = Hasher::new("page");
        page.add(self.template.as_bytes());
        // The hash of a few bytes at a time would take longer.
        page.add(&serde_json::to_vec(&self.about)?);
        page.add(&serde_json::to_vec(&self.view)?);
        let theme = self.renderer.theme(self.template);
        Ok(Ingredients { theme, site: self.renderer.site_hash, page: page.key().bytes() })
    }

    fn render(&self) -> io::Result<Vec<u8>> {
        let Self { renderer, about, view, .. } = self;
        let template = renderer.environment.get_template(self.template);
        let values = context! { site => &renderer.site, page => about, view => view };
        let text = template.and_then(|template| template.render(values));
        Ok(text.map_err(|error| io::Error::other(RenderError::from(error)))?.into_bytes())
    }
}
