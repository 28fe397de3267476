//! Header fields that protect who reads a page. Every server sends them with every document: the
//! sidecar, and the web servers that Candor configures.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The content security policy of pages (CSP Level 3): a page loads its own files, and nothing from elsewhere.
pub const POLICY: &str = "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self' data:; font-src 'self'; connect-src 'self'; frame-src 'self'; form-action 'self'; base-uri 'none'";

/// `Referrer-Policy`: other sites learn the origin alone.
pub const REFERRER: &str = "strict-origin-when-cross-origin";

/// `Permissions-Policy`: no page asks for any of these.
pub const PERMISSIONS: &str = "camera=(), geolocation=(), microphone=(), payment=(), usb=()";

/// The URL paths of documents that other sites show in frames, as a regular expression of PCRE, RE2
/// and JavaScript. All others refuse it.
pub const FRAMED_PATTERN: &str = "/(?:embed|fragments)/";

/// Seconds of a day.
const DAY: u32 = 24 * 60 * 60;

/// The owner's settings of these fields.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Security {
    /// The policy that replaces Candor's own `Content-Security-Policy`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub content_security_policy: Option<String>,
    /// The days for which browsers request the site by https only; without it the field is not sent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hsts_days: Option<u32>,
}

impl Security {
    /// Whether the owner decided nothing.
    #[must_use]
    pub fn is_default(&self) -> bool {
        *self == Self::default()
    }

    /// The content security policy of pages: the owner's, or Candor's own.
    #[must_use]
    pub fn policy(&self) -> &str {
        self.content_security_policy.as_deref().unwrap_or(POLICY)
    }

    /// `Content-Security-Policy` of documents that other sites may frame, or of those they may not.
    #[must_use]
    pub fn policy_field(&self, is_framed: bool) -> String {
        let ancestors = if is_framed { "*" } else { "'none'" };
        format!("{}; frame-ancestors {ancestors}", self.policy().trim_end_matches([';', ' ']))
    }

    /// `Strict-Transport-Security` (RFC 6797), where the owner wants it.
    #[must_use]
    pub fn transport_field(&self) -> Option<String> {
        self.hsts_days.map(|days| format!("max-age={}", days.saturating_mul(DAY)))
    }

    /// Every field of the document at a path, which may be a URL's or a file's.
    #[must_use]
    pub fn fields(&self, path: &str) -> Vec<(&'static str, String)> {
        let mut fields = vec![
            ("Content-Security-Policy", self.policy_field(is_framed(path))),
            ("Referrer-Policy", REFERRER.to_owned()),
            ("Permissions-Policy", PERMISSIONS.to_owned()),
        ];
        fields.extend(self.transport_field().map(|value| ("Strict-Transport-Security", value)));
        fields
    }
}

/// Whether other sites show the document at a path in frames, as [`FRAMED_PATTERN`] says.
#[must_use]
pub fn is_framed(path: &str) -> bool {
    path.split('/').rev().skip(1).any(|folder| matches!(folder, "embed" | "fragments"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_embeds_and_fragments_stand_in_frames() {
        for path in ["/embed/", "embed/index.html", "/shop/reviews/embed/", "fragments/latest.html"]
        {
            assert!(is_framed(path), "{path}");
        }
        for path in ["/", "index.html", "/embed", "badges/index.html", "embedded/index.html"] {
            assert!(!is_framed(path), "{path}");
        }
    }

    #[test]
    fn the_owners_policy_keeps_the_rule_about_frames() {
        let own = Security {
            content_security_policy: Some("default-src 'self';".to_owned()),
            hsts_days: Some(365),
        };
        assert_eq!(own.policy_field(false), "default-src 'self'; frame-ancestors 'none'");
        assert_eq!(own.transport_field().as_deref(), Some("max-age=31536000"));
        assert_eq!(Security::default().fields("/").len(), 3);
        assert_eq!(own.fields("/").len(), 4);
    }
}
