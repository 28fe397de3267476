//! The common parts of the platforms' files.

use std::path::{Component, Path};

use url::Url;

use super::HostSite;

/// Types that platforms give these extensions by themselves; any other type must be configured.
const OWN_TYPES: [(&str, &str); 9] = [
    ("css", "text/css; charset=utf-8"),
    ("csv", "text/csv; charset=utf-8"),
    ("html", "text/html; charset=utf-8"),
    ("js", "text/javascript; charset=utf-8"),
    ("json", "application/json"),
    ("png", "image/png"),
    ("svg", "image/svg+xml"),
    ("txt", "text/plain; charset=utf-8"),
    ("xml", "application/xml"),
];

/// Whether a platform needs a rule that `file` is `media_type`.
pub(super) fn needs_type(file: &str, media_type: &str) -> bool {
    let extension = file.rsplit('/').next().and_then(|name| name.rsplit_once('.'));
    let own = OWN_TYPES.iter().find(|(known, _)| Some(*known) == extension.map(|(_, found)| found));
    own.is_none_or(|(_, known)| *known != media_type)
}

/// Returns the step for the owner by which the sidecar answers agents that come through a platform, whose requests have
/// the sidecar's own name.
pub(super) fn name_of_sidecar(site: &HostSite<'_>) -> Option<String> {
    let sidecar = site.sidecar.as_ref()?;
    let published = site.manifest.sidecar.as_ref()?.url.as_deref();
    let known = published.and_then(|url| Url::parse(url).ok());
    let host = sidecar.host.as_str();
    let is_known = known.is_some_and(|url| url.host_str() == Some(host));
    (!is_known).then(|| {
        format!(
            "the sidecar is asked as {host}: set [sidecar] url = \"{sidecar}\" in site.toml, or start it with --mcp-hosts {host}"
        )
    })
}

/// Returns the relative path from one absolute folder to another, `/` between parts; the whole path if there is none.
pub(super) fn relative(from: &Path, to: &Path) -> String {
    let parts = |path: &Path| -> Vec<String> {
        let named = path.components().filter(|part| !matches!(part, Component::CurDir));
        named.map(|part| part.as_os_str().to_string_lossy().into_owned()).collect()
    };
    let (from, target) = (parts(from), parts(to));
    let common = from.iter().zip(&target).take_while(|(a, b)| a == b).count();
    if common == 0 {
        return to.to_string_lossy().into_owned();
    }
    let up = std::iter::repeat_n("..", from.len() - common);
    let way: Vec<_> = up.chain(target[common..].iter().map(String::as_str)).collect();
    if way.is_empty() { ".".to_owned() } else { way.join("/") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_is_found_from_another() {
        for (from, to, way) in [
            ("/a/hosts/netlify", "/a/public", "../../public"),
            ("/a", "/a/public", "public"),
            ("/a/public", "/a/public", "."),
            ("/b/./c", "/b/c/d e", "d e"),
        ] {
            assert_eq!(relative(Path::new(from), Path::new(to)), way, "{from} {to}");
        }
    }

    #[test]
    fn only_types_that_differ_are_said() {
        assert!(!needs_type("a/index.html", "text/html; charset=utf-8"));
        assert!(needs_type("schemas/review.json", "application/schema+json"));
        assert!(needs_type("feed.xml", "application/atom+xml"));
        assert!(needs_type(".well-known/api-catalog", "application/linkset+json"));
        assert!(needs_type("reviews.ndjson", "application/x-ndjson"));
    }
}
