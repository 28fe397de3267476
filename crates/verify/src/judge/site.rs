//! The publication as a whole: its manifest, whether it is a real site, and how old it is.

use jiff::{SignedDuration, Timestamp};
use serde::Deserialize;
use url::{Host, Url};

use crate::{
    fetch::response::{ReadEnd, Response},
    report::{Check, Findings, Level, Mismatch},
};
use contract::{
    address::is_public as is_public_address,
    duration,
    etag::ETag,
    manifest::{MANIFEST_PATH, Manifest},
};

/// Largest manifest: 256 MiB, some 700,000 files.
pub(crate) const MAX_MANIFEST: u64 = 256 << 20;

/// The most that another machine's clock may be ahead.
const CLOCK_SKEW: SignedDuration = SignedDuration::from_mins(10);

/// The manifest in a response, and the ETag of its bytes.
pub(crate) fn manifest(response: &Response) -> Result<(Manifest, ETag), Mismatch> {
    if response.status != 200 {
        let remedy = if response.is_redirect() {
            "no redirect is followed: verify the address it points to"
        } else {
            "publish candor-manifest.json beside index.html, or name the folder it is in"
        };
        return Err(Mismatch::new("200", response.shown_status(), remedy));
    }
    let remedy = "publish the site again with `candor build`";
    let bad = |found: String| Mismatch::new("a Candor manifest", found, remedy);
    let content = match (&response.body.end, &response.body.content) {
        (ReadEnd::Whole, Ok(content)) if content.length <= MAX_MANIFEST => content,
        (ReadEnd::Broken(why), _) => {
            return Err(bad(format!("{} bytes, then {why}", response.body.length)));
        }
        (_, Err(why)) => return Err(bad(why.clone())),
        _ => return Err(bad(format!("more than {MAX_MANIFEST} bytes"))),
    };
    let manifest = Manifest::from_json(&content.bytes).map_err(|error| bad(error.to_string()))?;
    Ok((manifest, content.tag.clone()))
}

/// Whether this is a site for the public: no sample, no address of one machine.
pub(crate) fn is_public(manifest: &Manifest, preview: bool, findings: &mut Findings) {
    if preview {
        findings.note(Check::Site, "a preview: sample and local address are not looked at");
        return;
    }
    let sample = if manifest.sample {
        let remedy =
            "put in your own reviews and set sample = false in site.toml, or verify with --preview";
        Err(Mismatch::new("a real business", "a sample: its reviews are invented", remedy))
    } else {
        Ok(())
    };
    findings.judge(Check::Site, Level::Fail, MANIFEST_PATH, sample);
    let local = if is_local(&manifest.base_url) {
        let remedy = "set base_url in site.toml to the public address and publish again, or verify with --preview";
        Err(Mismatch::new("a public base_url", &manifest.base_url, remedy))
    } else {
        Ok(())
    };
    findings.judge(Check::Site, Level::Fail, MANIFEST_PATH, local);
}

/// An address only this machine or this network has.
fn is_local(base_url: &str) -> bool {
    let Ok(url) = Url::parse(base_url) else { return true };
    match url.host() {
        Some(Host::Domain(name)) => {
            let name = name.trim_end_matches('.');
            !name.contains('.')
                || [".localhost", ".local", ".internal"].iter().any(|end| name.ends_with(end))
        }
        Some(Host::Ipv4(ip)) => !is_public_address(ip.into()),
        Some(Host::Ipv6(ip)) => !is_public_address(ip.into()),
        None => true,
    }
}

/// The newest import, where `reviews.json` says any.
fn newest_import(reviews: &[u8]) -> Option<Timestamp> {
    #[derive(Deserialize)]
    struct FetchedReviews {
        sources: Vec<FetchedSource>,
    }
    #[derive(Deserialize)]
    struct FetchedSource {
        last_import: Option<Timestamp>,
    }
    let document: FetchedReviews = serde_json::from_slice(reviews).ok()?;
    document.sources.into_iter().filter_map(|source| source.last_import).max()
}

/// Whether the newest import is not older than `max_age`; the publication, where nothing was ever
/// imported. A site that is built again for another reason does not hide that imports stopped.
pub(crate) fn age(
    manifest: &Manifest,
    reviews: Option<&[u8]>,
    max_age: SignedDuration,
    now: Timestamp,
    findings: &mut Findings,
) {
    let imported = reviews.and_then(newest_import);
    let (what, subject, at) = match imported {
        Some(at) => ("imported", "reviews.json", at),
        None => ("published", MANIFEST_PATH, manifest.published_at),
    };
    let old = now.duration_since(at);
    let expected = format!("{what} within the last {}", duration::shown(max_age));
    let verdict = if old > max_age {
        let remedy = match imported {
            Some(_) => "look why the scheduled import stopped, import and publish",
            None => "publish again",
        };
        Err(Mismatch::new(
            expected,
            format!("{what} {} ago, at {at}", duration::shown(old)),
            remedy,
        ))
    } else if -old > CLOCK_SKEW {
        Err(Mismatch::new(
            expected,
            format!("{what} at {at}, which is to come"),
            "set the clocks right",
        ))
    } else {
        Ok(())
    };
    findings.judge(Check::Age, Level::Fail, subject, verdict);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn local_addresses_are_known() {
        for local in [
            "http://localhost:8080",
            "http://shop.local",
            "http://a.localhost",
            "https://reviews",
            "http://127.0.0.1:8081",
            "http://192.168.1.4",
            "http://10.0.0.1",
            "http://[::1]",
            "http://[fd00::1]",
            "nonsense",
        ] {
            assert!(is_local(local), "{local}");
        }
        for public in ["https://reviews.example", "https://127.0.0.1.example", "http://8.8.8.8"] {
            assert!(!is_local(public), "{public}");
        }
    }
}
