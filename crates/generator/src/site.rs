//! The pages for people, and the documents for other sites and for crawlers.
//!
//! ```text
//! Dataset ─▶ pages: path, template, view ─▶ Renderer (templates, words) ─▶ Document
//! ```
//!
//! `documents` lists every page; each is rendered when its bytes are read, on the thread that reads them, so that a
//! hundred thousand are never in memory together. A page has nothing that changes with every review unless that is its
//! subject: a page that did not change is not written again.

mod actions;
mod assets;
mod badge;
mod badge_page;
mod bulk;
mod chart;
mod colour;
mod contact;
mod crawlers;
mod developers;
mod directory;
mod embed;
mod fragments;
mod home;
mod index;
mod invite;
mod json_ld;
mod languages;
mod listing;
mod llms;
mod members;
mod page;
mod paged;
mod picture;
mod policy;
mod proof;
mod quotes;
mod renderer;
mod replies;
mod review_view;
mod routes;
mod search;
mod sentence;
mod share;
mod sources;
mod subject;
mod templates;
mod text_pages;
mod values;
mod view;
mod voices;
mod years;

use std::{collections::BTreeMap, io, sync::Arc};

pub(crate) use {badge::schema as badge_schema, routes::file, values::TemplateValues};

use crate::document::{Body, Document, HTML, RenderError};
use content::{Pages, dataset::Dataset, words::UsedPhrases};
use page::Page;
use renderer::Renderer;

const CSS: &str = "text/css; charset=utf-8";
const JAVASCRIPT: &str = "text/javascript; charset=utf-8";
const SVG: &str = "image/svg+xml";

/// Returns every document but data documents: embeds and bulk files, then pages, the first page last.
///
/// # Errors
/// When a template is broken.
pub fn documents(data: &Dataset) -> Result<Vec<Document<'_>>, RenderError> {
    documents_of(&Arc::new(Renderer::new(data)?))
}

/// Returns the values that each template gets on this site.
///
/// # Errors
/// When a template is broken.
pub fn template_values(data: &Dataset) -> Result<TemplateValues, RenderError> {
    let renderer = Arc::new(Renderer::noting(data)?);
    let documents = documents_of(&renderer)?;
    for page in documents.iter().filter(|document| document.media_type == HTML) {
        page.body.write_to(&mut io::sink())?;
    }
    Ok(renderer.values())
}

/// Returns the phrases that the documents of a site use: by key, an example and the paths of the documents. A phrase of
/// many pages, such as that of their menu, has no path.
///
/// # Errors
/// When a template is broken.
pub fn phrases_in_use(data: &Dataset) -> Result<BTreeMap<String, PhraseUse>, RenderError> {
    let renderer = Arc::new(Renderer::noting(data)?);
    let documents = documents_of(&renderer)?;
    let mut uses = BTreeMap::new();
    let words = &renderer.viewer.words;
    note_phrases(&mut uses, words.take_used(), None);
    for document in documents {
        document.body.write_to(&mut io::sink())?;
        note_phrases(&mut uses, words.take_used(), Some(&document.path));
    }
    Ok(uses)
}

/// The use of a phrase.
#[derive(Debug, Default)]
pub struct PhraseUse {
    /// The phrase with its values filled in.
    pub example: String,
    /// The paths of the pages that use it.
    pub paths: Vec<String>,
}

fn note_phrases(uses: &mut BTreeMap<String, PhraseUse>, used: UsedPhrases, path: Option<&str>) {
    for (key, example) in used {
        let found = uses.entry(key).or_insert_with(|| PhraseUse { example, paths: Vec::new() });
        found.paths.extend(path.map(str::to_owned));
    }
}

fn documents_of<'d>(renderer: &Arc<Renderer<'d>>) -> Result<Vec<Document<'d>>, RenderError> {
    let data = renderer.viewer.data;
    let mut documents = bulk::documents(data);
    documents.extend(badge::documents(renderer)?);
    documents.extend(fragments::documents(renderer));
    documents.push(llms::document(renderer)?);
    if data.site.appearance.pages == Pages::None {
        return Ok(documents);
    }
    documents.extend(renderer.assets.documents());
    documents.extend(index::documents(renderer));
    documents.extend(share::documents(renderer));
    let pages = pages(renderer)?;
    documents.extend(crawlers::documents(renderer, &pages));
    documents.extend(pages.into_iter().map(|page| document(renderer, page)));
    Ok(documents)
}

/// Returns every page, the most specific first.
fn pages<'d>(renderer: &Arc<Renderer<'d>>) -> Result<Vec<Page<'d>>, RenderError> {
    let members = members::Members::of(renderer.viewer.data);
    let mut pages = listing::review_pages(renderer);
    pages.extend(subject::pages(renderer, &members));
    pages.extend(directory::pages(renderer));
    pages.extend(listing::star_lists(renderer, &members));
    pages.extend(listing::all(renderer, &members, search::tool));
    pages.extend(developers::pages(renderer)?);
    pages.extend(text_pages::pages(renderer));
    pages.push(badge_page::page(renderer));
    pages.extend(embed::pages(renderer));
    pages.extend(invite::page(renderer));
    pages.push(search::page(renderer));
    pages.extend(proof::page(renderer));
    pages.push(home::page(renderer));
    Ok(pages)
}

fn document<'d>(renderer: &Arc<Renderer<'d>>, page: Page<'d>) -> Document<'d> {
    let renderer = Arc::clone(renderer);
    Document {
        path: routes::file(&page.path),
        media_type: HTML,
        links: Vec::new(),
        effort: page.effort,
        body: Body::Page(Box::new(move || page.render(&renderer))),
    }
}
