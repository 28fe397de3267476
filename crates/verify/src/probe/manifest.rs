//! The manifest of the site, which everything else is compared with.

use super::requests;
use crate::{
    fetch::{
        client::{Failure, Request, SiteClient},
        response::Response,
    },
    judge::{headers, responses::no_response, site},
    report::{Check, Findings, Level, Mismatch},
};
use contract::{
    etag::ETag,
    manifest::{MANIFEST_PATH, Manifest},
};

/// A manifest as it was found.
pub(crate) struct FoundManifest {
    pub manifest: Manifest,
    /// The ETag of its bytes.
    pub tag: ETag,
    pub(crate) response: Response,
    pub request: Request,
}

/// Reads the manifest below the address.
pub(crate) fn read(client: &SiteClient) -> Result<FoundManifest, Mismatch> {
    let url = client.url(MANIFEST_PATH);
    let request = Request::new("GET", url).with("accept-encoding", "identity");
    let response =
        client.send(&request.clone().keeping(site::MAX_MANIFEST)).map_err(|failure| Mismatch {
            remedy: "check the address and that the server is running".into(),
            ..no_response(failure)
        })?;
    let (manifest, tag) = site::manifest(&response)?;
    Ok(FoundManifest { manifest, tag, response, request })
}

/// Whether programs that follow the manifest can ask for changes alone.
pub(crate) fn revalidates(client: &SiteClient, found: &FoundManifest) -> Result<Findings, Failure> {
    let mut findings = Findings::default();
    let subject = format!("/{MANIFEST_PATH}");
    match headers::tag(&found.tag, &found.response) {
        Err(mismatch) => findings.fail(Check::Tags, &subject, mismatch),
        Ok(tag) => {
            let verdict = requests::revalidates(client, &found.request, &tag)?;
            findings.judge(Check::NotModified, Level::Fail, &subject, verdict);
        }
    }
    Ok(findings)
}
