//! A site on a web server or CDN, which is polled.

use std::{rc::Rc, time::Duration};

use actix_web::{
    http::header::{AGE, CACHE_CONTROL, HeaderMap},
    web::Bytes,
};
use contract::{etag::ETag, manifest::MANIFEST_PATH};

use super::{
    address::SiteUrl,
    client::{SourceClient, SourceResponse},
    request::{FetchError, SourceRequest, Validators},
    settings::RemoteConfig,
};
use crate::source::{LoadError, ObjectWriter, WantedObject};

#[derive(Debug)]
pub(crate) struct Remote {
    url: SiteUrl,
    client: Rc<SourceClient>,
    max_manifest: u64,
    held: Option<LastManifest>,
    fresh_for: Duration,
}

/// The manifest that was received last.
#[derive(Debug)]
struct LastManifest {
    tag: ETag,
    validators: Validators,
    /// The bytes; `None` once they have been processed.
    bytes: Option<Bytes>,
}

impl Remote {
    pub(super) fn open(url: &SiteUrl, settings: &RemoteConfig, client: Rc<SourceClient>) -> Self {
        Self {
            url: url.clone(),
            client,
            max_manifest: settings.max_manifest,
            held: None,
            fresh_for: Duration::ZERO,
        }
    }

    pub(super) fn location(&self, name: &str) -> String {
        self.url.file(name).into()
    }

    pub(super) fn fresh_for(&self) -> Duration {
        self.fresh_for
    }

    pub(super) fn settle(&mut self) {
        if let Some(held) = &mut self.held {
            held.bytes = None;
        }
    }

    pub(super) fn manifest(&mut self) -> Result<Option<Bytes>, LoadError> {
        self.fresh_for = Duration::ZERO;
        // The connections of the check before, which may have been of another site.
        self.client.close_idle();
        let mut bytes = Vec::new();
        let request = SourceRequest {
            url: self.url.file(MANIFEST_PATH),
            held: self.held.as_ref().map(|held| &held.validators),
            limit: self.max_manifest,
            may_compress: true,
        };
        let reply = self.client.fetch(&request, &mut bytes);
        match reply.map_err(|error| failed(request, MANIFEST_PATH, error))? {
            SourceResponse::Unchanged(head) => self.fresh_for = freshness(&head),
            SourceResponse::Bytes(head) => {
                self.fresh_for = freshness(&head);
                self.hold(bytes.into(), Validators::of(&head));
            }
        }
        Ok(self.held.as_ref().and_then(|held| held.bytes.clone()))
    }

    /// Keeps the manifest and its validators. Not every host has validators, so the same bytes may be received again.
    fn hold(&mut self, bytes: Bytes, validators: Validators) {
        let tag = ETag::of(&bytes);
        let same = self.held.as_ref().filter(|held| held.tag == tag);
        let is_settled = same.is_some_and(|held| held.bytes.is_none());
        self.held =
            Some(LastManifest { tag, validators, bytes: Some(bytes).filter(|_| !is_settled) });
    }

    pub(super) fn copy(
        &self,
        wanted: &WantedObject,
        to: &mut ObjectWriter,
    ) -> Result<(), LoadError> {
        let request = SourceRequest {
            url: self.url.file(&wanted.name),
            held: None,
            limit: wanted.length,
            // The bytes of a sibling are encoded; some hosts declare that as the content coding.
            may_compress: wanted.coding.is_none(),
        };
        let reply = self.client.fetch(&request, to);
        reply.map(drop).map_err(|error| failed(request, &wanted.name, error))
    }
}

fn failed(request: SourceRequest<'_>, name: &str, mut error: FetchError) -> LoadError {
    // What can be named instead is the address of the site, not that of the file.
    if let FetchError::OtherOrigin(target) = &mut error
        && let Some(folder) = target.path().strip_suffix(name).map(str::to_owned)
    {
        target.set_path(&folder);
        target.set_query(None);
    }
    match error {
        FetchError::Stopped => LoadError::Stopped,
        FetchError::Sink(error) => LoadError::Store(error),
        error => LoadError::Fetch { url: request.url.into(), error },
    }
}

/// Returns the rest of `max-age` (RFC 9111 section 4.2).
fn freshness(head: &HeaderMap) -> Duration {
    let fields = head.get_all(CACHE_CONTROL).filter_map(|field| field.to_str().ok());
    let directives: Vec<_> = fields.flat_map(|field| field.split(',')).map(str::trim).collect();
    if directives.iter().any(|directive| directive.eq_ignore_ascii_case("no-cache")) {
        return Duration::ZERO;
    }
    let max_age = directives.iter().find_map(|directive| {
        let (name, value) = directive.split_once('=')?;
        let seconds = value.trim_matches('"').parse::<u64>().ok()?;
        name.eq_ignore_ascii_case("max-age").then_some(seconds)
    });
    let age = head.get(AGE).and_then(|field| field.to_str().ok()?.trim().parse::<u64>().ok());
    Duration::from_secs(max_age.unwrap_or(0).saturating_sub(age.unwrap_or(0)))
}

#[cfg(test)]
mod tests {
    use actix_web::http::header::HeaderValue;

    use super::*;

    #[test]
    fn freshness_is_what_is_left_of_max_age() {
        for (field, age, seconds) in [
            ("public, max-age=0, must-revalidate", None, 0),
            ("max-age=600", None, 600),
            ("Max-Age=\"600\", public", Some("90"), 510),
            ("max-age=600", Some("900"), 0),
            ("max-age=600, no-cache", None, 0),
            ("max-age=soon", None, 0),
            ("s-maxage=600", None, 0),
        ] {
            let mut head = HeaderMap::new();
            head.insert(CACHE_CONTROL, HeaderValue::from_static(field));
            if let Some(age) = age {
                head.insert(AGE, HeaderValue::from_static(age));
            }
            assert_eq!(freshness(&head).as_secs(), seconds, "{field}");
        }
    }
}
