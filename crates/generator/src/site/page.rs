//! A page, and its values, before it is rendered.

use std::io;

use jiff::Timestamp;
use minijinja::{Value, context};

use super::{
    json_ld,
    renderer::Renderer,
    templates::plain,
    values::EVERY_PAGE,
    view::{Viewer, excerpt},
};
use contract::compress::Effort;

/// Maximum characters of a title that search engines and tabs show.
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

/// The title, the description and the JSON-LD of a page.
#[derive(Clone, Debug)]
pub(super) struct Head {
    pub(super) title: String,
    pub(super) description: String,
    /// The JSON-LD, if the page has some.
    pub(super) json_ld: Option<String>,
}

/// Makes a head whose title has the business's name behind it.
pub(super) fn head(viewer: &Viewer<'_>, word: &str) -> Head {
    let title = format!("{} · {}", viewer.words.word(word), viewer.data.business.name);
    Head { description: title.clone(), title, json_ld: None }
}

/// Makes such a head with the breadcrumbs of the page, whose path is below those of all pages.
pub(super) fn head_at(viewer: &Viewer<'_>, word: &str, path: &str) -> Head {
    let trail = [(&*viewer.words.word(word), &*viewer.routes.page(path))];
    let json_ld = Some(json_ld::trail(viewer.data, &viewer.routes, &trail));
    Head { json_ld, ..head(viewer, word) }
}

/// Makes the values of a page, when it is rendered.
type MakeView<'d> = Box<dyn Fn(&Renderer<'d>) -> (Head, Value) + Send + Sync + 'd>;

/// One page.
pub(super) struct Page<'d> {
    /// The path below `base_url`: `search/`, or a file's name.
    pub(super) path: String,
    pub(super) template: &'static str,
    /// The effort with which it is compressed.
    pub(super) effort: Effort,
    /// Whether search engines may list it.
    pub(super) indexed: bool,
    /// The time of the last change of its content, if the data have it.
    pub(super) updated: Option<Timestamp>,
    view: MakeView<'d>,
}

impl<'d> Page<'d> {
    /// Makes a page that search engines list.
    pub(super) fn new(
        path: String,
        template: &'static str,
        view: impl Fn(&Renderer<'d>) -> (Head, Value) + Send + Sync + 'd,
    ) -> Self {
        let view = Box::new(view);
        Self { path, template, effort: Effort::Quick, indexed: true, updated: None, view }
    }

    /// Returns the page as one that search engines do not list.
    pub(super) fn unlisted(self) -> Self {
        Self { indexed: false, ..self }
    }

    /// Returns the page with the time of its last change.
    pub(super) fn updated(self, updated: Option<Timestamp>) -> Self {
        Self { updated, ..self }
    }

    /// Returns the page with another effort of compression.
    pub(super) fn with_effort(self, effort: Effort) -> Self {
        Self { effort, ..self }
    }

    /// The bytes of the page.
    ///
    /// # Errors
    /// When a template and its values disagree.
    pub(super) fn render(&self, renderer: &Renderer<'d>) -> io::Result<Vec<u8>> {
        let (head, view) = (self.view)(renderer);
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
        let values = context! { site => &renderer.site, page => about, view => view };
        let text = renderer.rendered(self.template, values);
        Ok(text.map_err(io::Error::other)?.into_bytes())
    }
}
