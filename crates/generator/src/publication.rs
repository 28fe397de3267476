//! The list of all published documents: data documents, then the pages that link to them. Adding a document is adding a
//! function and a line in `render` or `site`.

use crate::{
    document::{Body, Document, RenderError},
    render, site,
};
use content::{StaticFile, dataset::Dataset};
use contract::compress::Effort;

/// Returns all published documents, data before the pages that link to it.
///
/// # Errors
/// When a document cannot be rendered.
pub fn documents(data: &Dataset) -> Result<Vec<Document<'_>>, RenderError> {
    let mut documents = render::documents(data, &[("badge", site::badge_schema())])?;
    documents.extend(data.site.appearance.static_files.iter().map(document_of));
    documents.extend(site::documents(data)?);
    Ok(documents)
}

fn document_of(file: &StaticFile) -> Document<'_> {
    let is_text = ["text/", "json", "xml"].iter().any(|part| file.media_type.contains(part));
    Document {
        path: file.path.clone(),
        media_type: &file.media_type,
        links: Vec::new(),
        effort: if is_text { Effort::Best } else { Effort::None },
        body: Body::Bytes(file.bytes.clone()),
    }
}
