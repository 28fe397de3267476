//! One file to be published: path, media type and bytes. Data documents and pages are lists of these.

use std::io::{self, Write};

use content::dataset::Dataset;
use contract::{compress::Effort, manifest::Link, routes::TOPICS};
use insights::TemplateFault;

/// Media type of the JSON documents.
pub const JSON: &str = "application/json";
/// Media type of the Atom feed (RFC 4287 section 7).
pub const ATOM: &str = "application/atom+xml";
/// Media type of the pages.
pub const HTML: &str = "text/html; charset=utf-8";

/// One file to be published.
pub struct Document<'d> {
    /// The path, relative to the public directory.
    pub path: String,
    /// The whole `Content-Type` value.
    pub media_type: &'d str,
    /// The `Link` header's members.
    pub links: Vec<Link>,
    /// The effort with which it is compressed.
    pub effort: Effort,
    /// The bytes.
    pub body: Body<'d>,
}

impl Document<'_> {
    /// Returns the document with another effort of compression.
    #[must_use]
    pub(crate) fn with_effort(self, effort: Effort) -> Self {
        Self { effort, ..self }
    }
}

/// Writes a document's bytes, the same each time it is called.
pub type WriteBytes<'d> = Box<dyn Fn(&mut dyn Write) -> io::Result<()> + Sync + 'd>;

/// Makes a page's bytes, the same each time it is called.
pub type RenderPage<'d> = Box<dyn Fn() -> io::Result<Vec<u8>> + Sync + 'd>;

/// The bytes of a document, or a function that makes them.
pub enum Body<'d> {
    /// Bytes of a small document.
    Bytes(Vec<u8>),
    /// A stream of bytes, for a document that grows with the number of reviews.
    Stream(WriteBytes<'d>),
    /// A page, rendered when its bytes are read.
    Page(RenderPage<'d>),
}

impl Body<'_> {
    /// Writes the bytes.
    ///
    /// # Errors
    /// When `out` cannot be written to.
    pub fn write_to(&self, out: &mut dyn Write) -> io::Result<()> {
        match self {
            Self::Bytes(bytes) => out.write_all(bytes),
            Self::Stream(write) => write(out),
            Self::Page(render) => out.write_all(&render()?),
        }
    }

    /// Returns all bytes in memory.
    ///
    /// # Errors
    /// When rendering fails.
    pub fn to_bytes(&self) -> io::Result<Vec<u8>> {
        let mut bytes = Vec::new();
        self.write_to(&mut bytes)?;
        Ok(bytes)
    }
}

/// The reason why a document cannot be rendered. Content that passed the checks does not cause one.
#[derive(Debug, thiserror::Error)]
pub enum RenderError {
    /// A template names a value that its data lack.
    #[error("a page cannot be rendered: {0}")]
    Template(TemplateFault),
    /// A document cannot be serialized.
    #[error("a document cannot be serialized")]
    Json(#[from] serde_json::Error),
    /// A document cannot be written to memory.
    #[error("a document cannot be written")]
    Write(#[from] io::Error),
    /// The Atom feed cannot be written.
    #[error("the Atom feed cannot be written")]
    Atom(#[from] atom_syndication::Error),
}

impl From<minijinja::Error> for RenderError {
    fn from(error: minijinja::Error) -> Self {
        Self::Template(TemplateFault::of(&error))
    }
}

/// A data document, whose subscribers find the hub by its links.
pub fn document<'d>(
    data: &Dataset,
    path: &str,
    media_type: &'static str,
    body: Body<'d>,
) -> Document<'d> {
    let mut links = Vec::new();
    if TOPICS.contains(&path) {
        links.extend(data.hub().map(|href| Link { href, rel: "hub".to_owned() }));
        links.push(Link { href: data.address(path), rel: "self".to_owned() });
    }
    Document { path: path.to_owned(), media_type, links, effort: Effort::Best, body }
}
