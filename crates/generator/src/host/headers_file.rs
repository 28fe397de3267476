//! `_headers`, as Cloudflare and Netlify read it: a path, then its fields. Never an `ETag`: both send one that is
//! written here, but compare their own.

use minijinja::{Error, Value, context, value::Serde};

use super::{HostSite, Served, templates::Templates};

/// The limits up to which a platform reads the file.
#[derive(Clone, Copy, Debug)]
pub(super) struct Limits {
    /// Maximum number of paths.
    pub(super) rules: Option<usize>,
    /// Maximum characters of a line.
    pub(super) line: Option<usize>,
}

/// The file, and the documents left out of it.
#[derive(Debug)]
pub(super) struct Headers {
    pub(super) text: String,
    pub(super) left_out: Vec<String>,
}

/// Writes the file for `platform`.
///
/// # Errors
/// When the template fails.
pub(super) fn text(
    platform: &str,
    site: &HostSite<'_>,
    templates: &Templates,
    limits: Limits,
) -> Result<Headers, Error> {
    let needed = site.documents.iter().filter(|document| document.needs_rule());
    let (mut rules, unwritable): (Vec<_>, Vec<_>) =
        needed.partition(|document| is_writable(document, limits));
    let mut left_out: Vec<_> = unwritable
        .iter()
        .map(|document| {
            format!("say type or links of {}: its line in _headers cannot be written", document.url)
        })
        .collect();
    let count = rules.len() + site.common_rules();
    if let Some(most) = limits.rules.filter(|most| count > *most) {
        rules.truncate(most - site.common_rules());
        left_out.push(format!(
            "say type or links of {} documents: _headers has {most} rules at most",
            count - most
        ));
    }
    let more = context! { platform, rules => Value::from(Serde(rules)) };
    Ok(Headers { text: templates.render_with("_headers", more)?, left_out })
}

/// Whether the path is read as itself (no placeholder, no wildcard, no blank, no comment) and no line is too long.
fn is_writable(document: &Served<'_>, limits: Limits) -> bool {
    let path = &document.url;
    let is_plain =
        !path.contains([':', '*', '#', '%']) && path.chars().all(|c| c.is_ascii_graphic());
    let media_type = Some(document.media_type).filter(|_| document.needs_type);
    is_plain
        && media_type.is_none_or(|media_type| fits("Content-Type", media_type, limits))
        && document.link.as_ref().is_none_or(|link| fits("Link", link, limits))
}

fn fits(name: &str, value: &str, limits: Limits) -> bool {
    let length = name.len() + value.len() + "  : ".len();
    limits.line.is_none_or(|most| length <= most)
}
