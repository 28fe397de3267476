//! `_headers`, as Cloudflare and Netlify read it: a path, then its fields. Never an `ETag`: both send
//! what stands here and compare their own.

use std::fmt::Write;

use super::{Served, Site, platform::must_say_type};
use contract::fields;

/// How much of it a platform reads.
#[derive(Clone, Copy, Debug)]
pub(super) struct Limits {
    /// Paths.
    pub(super) rules: Option<usize>,
    /// Characters of a line.
    pub(super) line: Option<usize>,
}

/// The file, and what had to be left out of it.
#[derive(Debug)]
pub(super) struct Headers {
    pub(super) text: String,
    pub(super) left_out: Vec<String>,
}

/// What every document gets.
const EVERYWHERE: [(&str, &str); 4] = [
    ("Access-Control-Allow-Origin", fields::ALLOW_ORIGIN),
    ("Access-Control-Expose-Headers", fields::EXPOSE_HEADERS),
    ("Cache-Control", fields::REVALIDATE),
    ("X-Content-Type-Options", fields::NO_SNIFFING),
];

pub(super) fn text(host: &str, site: &Site<'_>, limits: Limits) -> Headers {
    let mut text = format!("# Written by `candor host {host}`. The next build replaces it.\n/*\n");
    for (name, value) in EVERYWHERE {
        line(&mut text, name, value);
    }
    let mut left_out = Vec::new();
    let mut rules = 1;
    for document in &site.documents {
        let own = own_fields(document);
        if own.is_empty() {
            continue;
        }
        if !is_plain(&document.url) || own.iter().any(|(name, value)| !fits(name, value, limits)) {
            left_out.push(format!(
                "say type or links of {}: its line in _headers cannot be written",
                document.url
            ));
            continue;
        }
        rules += 1;
        if limits.rules.is_some_and(|most| rules > most) {
            continue;
        }
        let _ = writeln!(text, "{}", document.url);
        own.iter().for_each(|(name, value)| line(&mut text, name, value));
    }
    if let Some(most) = limits.rules.filter(|most| rules > *most) {
        left_out.push(format!(
            "say type or links of {} documents: _headers has {most} rules at most",
            rules - most
        ));
    }
    Headers { text, left_out }
}

/// What one document needs beside; few do.
fn own_fields<'a>(document: &'a Served<'_>) -> Vec<(&'static str, &'a str)> {
    let mut own = Vec::new();
    if must_say_type(document.file, document.media_type) {
        own.push(("Content-Type", document.media_type));
    }
    own.extend(document.link.as_deref().map(|link| ("Link", link)));
    own
}

/// Whether a path stands for itself: no placeholder, no wildcard, no blank, no comment.
fn is_plain(path: &str) -> bool {
    !path.contains([':', '*', '#', '%']) && path.chars().all(|c| c.is_ascii_graphic())
}

fn fits(name: &str, value: &str, limits: Limits) -> bool {
    let length = name.len() + value.len() + "  : ".len();
    limits.line.is_none_or(|most| length <= most) && !value.contains(['\r', '\n'])
}

fn line(text: &mut String, name: &str, value: &str) {
    let _ = writeln!(text, "  {name}: {value}");
}
