//! Checks that the time of a publication can be right, and is later than that of another.

use contract::manifest::Manifest;
use jiff::Timestamp;

use crate::{runtime::limits::MAX_AHEAD, source::LoadError};

/// Refuses a manifest whose time is wrong. A time more than a day ahead of the clock is not trusted: otherwise one
/// build with a wrong clock would exclude every later one. Nor is such a time of the served publication, so that any
/// manifest of the present replaces it.
pub(crate) fn check_time(
    manifest: &Manifest,
    served: &Manifest,
    now: Timestamp,
    file: String,
) -> Result<(), LoadError> {
    let (published_at, served_at) = (manifest.published_at, served.published_at);
    match (is_ahead(published_at, now), is_ahead(served_at, now)) {
        (true, false) => Err(LoadError::Ahead { file, published_at }),
        (false, true) => Ok(()),
        _ if is_older(manifest, served) => {
            Err(LoadError::Older { file, published_at, served: served_at })
        }
        _ => Ok(()),
    }
}

/// Whether a time is more than a day ahead of the clock.
pub(crate) fn is_ahead(published_at: Timestamp, now: Timestamp) -> bool {
    published_at > now + MAX_AHEAD
}

/// Whether a manifest is an older copy of the same site. The times of another site do not compare.
fn is_older(manifest: &Manifest, served: &Manifest) -> bool {
    manifest.published_at < served.published_at && manifest.base_url == served.base_url
}

#[cfg(test)]
mod tests {
    use contract::etag::ETag;

    use super::*;

    #[test]
    fn a_time_in_the_future_shuts_out_no_other() {
        let at = |time: &str| {
            let manifest = serde_json::json!({
                "format": 1, "build_id": ETag::of(time.as_bytes()), "published_at": time,
                "base_url": "https://x.example", "sidecar": null, "topics": [], "files": []
            });
            Manifest::from_json(manifest.to_string().as_bytes()).unwrap()
        };
        let now: Timestamp = "2026-03-01T12:00:00Z".parse().unwrap();
        let check = |new: &str, served: &str| {
            let checked = check_time(&at(new), &at(served), now, "m.json".into());
            checked.map_err(|error| error.to_string())
        };
        let (yesterday, today) = ("2026-02-28T12:00:00Z", "2026-03-01T12:00:00Z");
        let (tomorrow, later) = ("2026-03-02T12:00:00Z", "2031-01-01T00:00:00Z");
        assert_eq!(check(today, yesterday), Ok(()));
        assert_eq!(check(tomorrow, today), Ok(()), "clocks differ");
        assert_eq!(check(today, later), Ok(()), "the right one replaces the wrong one");
        assert_eq!(check("2032-01-01T00:00:00Z", later), Ok(()), "this clock may be the wrong one");
        assert_eq!(
            check(later, today).unwrap_err(),
            "m.json was published at 2031-01-01T00:00:00Z, more than a day ahead of this machine's \
             clock: correct the clock that is wrong, and build and publish again"
        );
        assert_eq!(
            check(yesterday, today).unwrap_err(),
            "m.json is older than the served publication: it was published at \
             2026-02-28T12:00:00Z, the served one at 2026-03-01T12:00:00Z. To go back to it, build \
             and publish it again. If the served one was built with a wrong clock, stop the program, \
             delete manifest.json in --state if it has one, and start it"
        );
    }
}
