//! Pages: rendered only where what they were rendered from changed.

use std::{
    fs::File,
    io::{self, Cursor, Write},
    path::PathBuf,
};

use serde::{Deserialize, Serialize};
use tracing::info_span;

use super::{Rendered, Source, Stage, new_entry, seal};
use crate::{
    document::{Body, Document, Ingredients},
    publish::{PublishError, Why},
};
use content::cache::Hasher;
use contract::{
    etag::ETag,
    manifest::{Coding, FileEntry},
};

/// What a page was rendered from, and the tag of its bytes.
#[derive(Clone, Serialize, Deserialize)]
struct KnownPage {
    sources: Option<[u8; 16]>,
    ingredients: Ingredients,
    etag: ETag,
}

impl Stage<'_> {
    /// A page whose parts are those of the last publication is not rendered; any other is rendered in
    /// memory and, where its bytes are the same, not written.
    pub(super) fn page(
        &self,
        at: usize,
        document: &Document<'_>,
    ) -> Result<Rendered, PublishError> {
        let Body::Page(page) = &document.body else {
            return self.render_page(at, document, || document.body.to_bytes());
        };
        let mut key = Hasher::new("page");
        key.add(self.site.as_bytes());
        key.add(document.path.as_bytes());
        let key = key.key();
        let known: Option<KnownPage> = self.cache.get(key);
        let sources = info_span!("hash sources").in_scope(|| page.sources());
        if let Some(known) =
            known.as_ref().filter(|known| sources.is_some() && known.sources == sources)
            && let Some(standing) = self.standing(document, &known.etag)?
        {
            return Ok(standing);
        }
        let failed = |error| PublishError::io(&self.public.join(&document.path))(error);
        let prepared = info_span!("prepare pages").in_scope(|| page.prepare());
        let ingredients =
            info_span!("hash ingredients").in_scope(|| prepared.ingredients()).map_err(failed)?;
        if let Some(known) = known.as_ref().filter(|known| known.ingredients == ingredients)
            && let Some(standing) = self.standing(document, &known.etag)?
        {
            if known.sources != sources {
                self.cache.put(key, &KnownPage { sources, ..known.clone() });
            }
            return Ok(standing);
        }
        let why = Why::between(known.as_ref().map(|known| &known.ingredients), &ingredients);
        self.progress.rendered(&document.path, why);
        let rendered = self.render_page(at, document, || prepared.render())?;
        self.cache.put(key, &KnownPage { sources, ingredients, etag: rendered.entry.etag.clone() });
        Ok(rendered)
    }

    /// The document as it is in the public directory with its siblings; `None` where any of them
    /// has other bytes, or is missing.
    fn standing(
        &self,
        document: &Document<'_>,
        etag: &ETag,
    ) -> Result<Option<Rendered>, PublishError> {
        let last = self.last(&document.path).filter(|last| last.etag == *etag);
        let Some(last) = last else { return Ok(None) };
        if !self.last_stands && !self.stands(last)? {
            return Ok(None);
        }
        let mut entry = new_entry(document, last.length, etag.clone(), Some(last), self.now);
        entry.encodings.clone_from(&last.encodings);
        Ok(Some(Rendered { staged: PathBuf::new(), is_in_place: true, entry, encoded: Vec::new() }))
    }

    /// Whether the public directory has the document and its siblings.
    fn stands(&self, document: &FileEntry) -> Result<bool, PublishError> {
        let siblings = document.encodings.iter();
        let names = siblings.map(|(coding, it)| (document.sibling(*coding), &it.etag, it.length));
        let itself = (document.path.clone(), &document.etag, document.length);
        for (name, etag, length) in names.chain([itself]) {
            if !self.is_in_place(&name, etag, length)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    fn render_page(
        &self,
        at: usize,
        document: &Document<'_>,
        render: impl FnOnce() -> io::Result<Vec<u8>>,
    ) -> Result<Rendered, PublishError> {
        let path = self.folder.join(at.to_string());
        let target = self.public.join(&document.path);
        let bytes =
            info_span!("render pages").in_scope(render).map_err(PublishError::io(&target))?;
        let etag = ETag::of(&bytes);
        let last = self.last(&document.path);
        let entry = new_entry(document, bytes.len() as u64, etag, last, self.now);
        let is_in_place = self.is_in_place(&document.path, &entry.etag, entry.length)?;
        if !is_in_place {
            let write = || {
                let mut file = File::create(&path)?;
                file.write_all(&bytes)?;
                seal(&file, &entry)
            };
            write().map_err(PublishError::io(&target))?;
        }
        let source = Source::new(|| Ok(Box::new(Cursor::new(&bytes[..]))));
        let encoded = Coding::ALL
            .into_iter()
            .map(|coding| self.encode(at, coding, document.effort, &entry, &source))
            .collect::<Result<_, _>>()?;
        Ok(Rendered { staged: path, is_in_place, entry, encoded })
    }
}
