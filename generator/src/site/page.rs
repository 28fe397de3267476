//! A page before it is rendered.

use jiff::Timestamp;
use minijinja::Value;

use super::renderer::Renderer;
use contract::compress::Effort;

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
    pub(super) view: MakeView<'d>,
}

impl<'d> Page<'d> {
    /// A page that search engines list.
    pub(super) fn new(
        path: String,
        template: &'static str,
        view: impl Fn(&Renderer<'d>) -> (Head, Value) + Send + Sync + 'd,
    ) -> Self {
        Self {
            path,
            template,
            effort: Effort::Quick,
            indexed: true,
            updated: None,
            view: Box::new(view),
        }
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
