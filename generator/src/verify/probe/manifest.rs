//! The manifest of the site, which everything else is compared with.

use super::questions;
use crate::verify::{
    fetch::{
        answer::Answer,
        client::{Ask, Client, Failure},
    },
    judge::{headers, responses::unanswered, site},
    report::{Check, Level, Log, Wrong},
};
use contract::{
    etag::ETag,
    manifest::{MANIFEST_PATH, Manifest},
};

/// A manifest as it was found.
pub(crate) struct Found {
    pub(crate) manifest: Manifest,
    /// Of its bytes.
    pub(crate) tag: ETag,
    pub(crate) answer: Answer,
    pub(crate) ask: Ask,
}

/// Reads the manifest below the address.
pub(crate) fn read(client: &Client) -> Result<Found, Wrong> {
    let url = client.url(MANIFEST_PATH);
    let ask = Ask::new("GET", url).with("accept-encoding", "identity");
    let answer =
        client.send(&ask.clone().keeping(site::MAX_MANIFEST)).map_err(|failure| Wrong {
            remedy: "look whether the address is right and the server runs".into(),
            ..unanswered(failure)
        })?;
    let (manifest, tag) = site::manifest(&answer)?;
    Ok(Found { manifest, tag, answer, ask })
}

/// Whether programs that follow the manifest can ask for changes alone.
pub(crate) fn revalidates(client: &Client, found: &Found) -> Result<Log, Failure> {
    let mut log = Log::default();
    let subject = format!("/{MANIFEST_PATH}");
    match headers::tag(&found.tag, &found.answer) {
        Err(wrong) => log.fail(Check::Tags, &subject, wrong),
        Ok(tag) => {
            let verdict = questions::revalidates(client, &found.ask, &tag)?;
            log.judge(Check::NotModified, Level::Fail, &subject, verdict);
        }
    }
    Ok(log)
}
