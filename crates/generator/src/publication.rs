//! The list of what is published: data documents, then the pages that point to them. Adding a
//! document is adding a function and a line in `render` or `site`.

use crate::{
    document::{Document, RenderError},
    render, site,
};
use content::dataset::Dataset;

/// Everything that is published, data before the pages that point to it.
///
/// # Errors
/// When a document cannot be rendered.
pub fn documents(data: &Dataset) -> Result<Vec<Document<'_>>, RenderError> {
    let mut documents = render::documents(data, &[("badge", site::badge_schema())])?;
    documents.extend(site::documents(data)?);
    Ok(documents)
}
