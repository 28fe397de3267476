//! Hashes of what a template's pages depend on beside their values: its own source and those of the
//! templates it names, the phrases it names, and the names of style sheet, scripts and pictures.
//!
//! Names are looked for in the sources as text, so that one in a comment counts too: a page may be
//! rendered once too often, and never too seldom.

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::OnceLock,
};

use super::assets::Assets;
use content::{Appearance, cache::Hasher, theme::TEMPLATES, words::Words};

/// The function that gives a phrase.
const SPEAK: &str = "t";

/// The hash of each template, made when it is first asked for: a renderer of frames needs one of them.
#[derive(Debug)]
pub(super) struct ThemeHashes(BTreeMap<String, OnceLock<[u8; 16]>>);

impl ThemeHashes {
    /// None is made yet.
    pub(super) fn of(appearance: &Appearance) -> Self {
        let names = sources(appearance).into_keys();
        Self(names.map(|name| (name.to_owned(), OnceLock::new())).collect())
    }

    /// The hash of a template, always with the same arguments; zeros for one that does not exist.
    pub(super) fn get(
        &self,
        template: &str,
        appearance: &Appearance,
        words: &Words,
        assets: &Assets,
    ) -> [u8; 16] {
        let hash = self.0.get(template);
        let make = || theme_hash(template, &sources(appearance), words, assets);
        hash.map(|hash| *hash.get_or_init(make)).unwrap_or_default()
    }
}

/// The text of each template, the owner's before the built-in one.
fn sources(appearance: &Appearance) -> BTreeMap<&str, &str> {
    let own = appearance.templates.iter().map(|(name, own)| (name.as_str(), own.text.as_str()));
    TEMPLATES.iter().copied().chain(own).collect()
}

fn theme_hash(
    name: &str,
    sources: &BTreeMap<&str, &str>,
    words: &Words,
    assets: &Assets,
) -> [u8; 16] {
    let mut hasher = Hasher::new("theme");
    let mut used = BTreeSet::new();
    collect(name, sources, &mut used);
    let texts: Vec<&str> = used.iter().map(|name| sources[name]).collect();
    for (name, text) in used.iter().zip(&texts) {
        hasher.add(name.as_bytes());
        hasher.add(text.as_bytes());
    }
    hasher.add(words.language.as_bytes());
    assets.paths().for_each(|path| hasher.add(path.as_bytes()));
    let any = texts.iter().any(|text| computes_keys(text));
    let quoted: BTreeSet<&str> = texts.iter().flat_map(|text| quoted(text)).collect();
    // Every number is written with the mark between its thousands.
    let is_used = |key: &str| any || key == "thousands" || quoted.contains(key);
    for (key, phrase) in words.phrases().filter(|(key, _)| is_used(key)) {
        hasher.add(key.as_bytes());
        hasher.add(format!("{phrase:?}").as_bytes());
    }
    hasher.key().bytes()
}

/// The template, and those it names.
fn collect<'s>(name: &'s str, sources: &BTreeMap<&'s str, &'s str>, used: &mut BTreeSet<&'s str>) {
    let Some(source) = sources.get(name).filter(|_| used.insert(name)) else { return };
    for other in sources.keys().filter(|other| source.contains(**other)) {
        collect(other, sources, used);
    }
}

/// What is between two quotation marks, and more.
fn quoted(text: &str) -> impl Iterator<Item = &str> {
    ['"', '\''].into_iter().flat_map(|mark| text.split(mark))
}

/// Whether the template may ask for a phrase by a key that it does not spell out.
fn computes_keys(text: &str) -> bool {
    let is_part = |c: char| c.is_alphanumeric() || c == '_';
    text.match_indices(SPEAK).any(|(at, _)| {
        let (before, after) = (&text[..at], &text[at + SPEAK.len()..]);
        let is_word = !before.ends_with(is_part) && !after.starts_with(is_part);
        is_word && !is_spelled_out(after)
    })
}

/// Whether this begins with a literal as the only or the first argument.
fn is_spelled_out(arguments: &str) -> bool {
    ['"', '\''].iter().any(|quote| {
        let literal = arguments.strip_prefix('(').and_then(|rest| rest.strip_prefix(*quote));
        let after = literal.and_then(|rest| rest.split_once(*quote)).map(|(_, after)| after);
        after.is_some_and(|after| after.starts_with([')', ',']))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_computed_key_is_noticed() {
        for text in [
            "{{ t(word) }}",
            "{{ t (\"a\") }}",
            "{{ t(\"a_\" ~ b) }}",
            "{% set say = t %}",
            "{{ 1|map(t) }}",
        ] {
            assert!(computes_keys(text), "{text}");
        }
        for text in ["{{ t(\"a\") }}", "{{ t('a', n=2)|plain }}", "{{ at(x) }} <table> t_x"] {
            assert!(!computes_keys(text), "{text}");
        }
    }

    #[test]
    fn most_pages_are_of_templates_that_spell_their_keys_out() {
        for name in ["base.html", "_parts.html", "_review.html", "list.html", "review.html"] {
            let (_, text) = TEMPLATES.iter().find(|(known, _)| *known == name).unwrap();
            assert!(!computes_keys(text), "{name}");
        }
    }

    #[test]
    fn templates_are_followed_through_those_they_name() {
        let sources = [
            ("a.html", "{% include 'b.html' %}"),
            ("b.html", "{% extends 'c.html' %}"),
            ("c.html", ""),
            ("d.html", "{% extends 'a.html' %}"),
        ];
        let mut used = BTreeSet::new();
        collect("b.html", &sources.into(), &mut used);
        assert_eq!(used, ["b.html", "c.html"].into());
    }
}
