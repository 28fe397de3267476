//! Hashes of what a template's pages depend on beside their values: its own source and those of the
//! templates it names, the phrases it names, and the names of style sheet, scripts and pictures.
//!
//! Names are looked for in the sources as text, so that one in a comment counts too: a page may be
//! rendered once too often, and never too seldom.

use std::collections::{BTreeMap, BTreeSet};

use super::assets::Assets;
use crate::{cache::Hasher, content::Appearance, theme::TEMPLATES, words::Words};

/// The function that gives a phrase.
const SPEAK: &str = "t";

/// The hash of each template.
pub(super) fn theme_hashes(
    appearance: &Appearance,
    words: &Words,
    assets: &Assets,
) -> BTreeMap<String, [u8; 16]> {
    let mut sources: BTreeMap<&str, &str> = TEMPLATES.iter().copied().collect();
    let own = appearance.templates.iter();
    sources.extend(own.map(|(name, own)| (name.as_str(), own.text.as_str())));
    let hash = |name: &&str| {
        let mut hasher = Hasher::new("theme");
        let mut used = BTreeSet::new();
        collect(name, &sources, &mut used);
        let texts: Vec<&str> = used.iter().map(|name| sources[name]).collect();
        for (name, text) in used.iter().zip(&texts) {
            hasher.add(name.as_bytes());
            hasher.add(text.as_bytes());
        }
        hasher.add(words.language.as_bytes());
        assets.paths().for_each(|path| hasher.add(path.as_bytes()));
        let any = texts.iter().any(|text| computes_keys(text));
        for (key, phrase) in words.phrases().filter(|(key, _)| any || names(&texts, key)) {
            hasher.add(key.as_bytes());
            hasher.add(format!("{phrase:?}").as_bytes());
        }
        ((*name).to_owned(), hasher.key().bytes())
    };
    sources.keys().map(hash).collect()
}

/// The template, and those it names.
fn collect<'s>(name: &'s str, sources: &BTreeMap<&'s str, &'s str>, used: &mut BTreeSet<&'s str>) {
    let Some(source) = sources.get(name).filter(|_| used.insert(name)) else { return };
    for other in sources.keys().filter(|other| source.contains(**other)) {
        collect(other, sources, used);
    }
}

/// Whether one of the templates names the phrase. Every number is written with the mark between its
/// thousands.
fn names(texts: &[&str], key: &str) -> bool {
    let quoted = [format!("\"{key}\""), format!("'{key}'")];
    key == "thousands" || texts.iter().any(|text| quoted.iter().any(|key| text.contains(key)))
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
