//! The definition of each built-in aspect, in a sentence.

use std::sync::Arc;

use crate::{
    aspects::{Aspect, Aspects},
    config::AspectConfig,
    language::Language,
};

/// The definition of a built-in aspect, from the annotation guidelines of the gold sets, in the language of the site or
/// else in English.
pub(crate) fn definition(id: &str, site: &str) -> Option<&'static str> {
    let languages = Language::of(site).into_iter().chain([Language::english()]);
    let definitions = languages.map(|it| it.file("definitions.txt")).find(|it| !it.is_empty())?;
    definitions.lines().find_map(|line| line.strip_prefix(id)?.strip_prefix(": "))
}

/// An aspect of a site, as it is explained to people and to other models.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DescribedAspect {
    /// The id (a slug).
    pub id: Arc<str>,
    /// The label.
    pub label: Arc<str>,
    /// The definition in a sentence: the owner's words, or those of the built-in aspect.
    pub definition: Option<String>,
}

/// The aspects of a site: the owner's in the order of the file, then the other built-in ones, in English.
#[must_use]
pub fn described_aspects(config: &AspectConfig) -> Vec<DescribedAspect> {
    let described = |aspect: Aspect| DescribedAspect {
        definition: config.definition(&aspect.id).or(definition(&aspect.id, "en")).map(Into::into),
        id: aspect.id,
        label: aspect.label,
    };
    Aspects::new(config).list.into_iter().map(described).collect()
}

#[cfg(test)]
mod tests {
    use super::definition;
    use crate::{aspects::BUILTIN, language::Language};

    #[test]
    fn every_built_in_aspect_has_a_definition() {
        for language in Language::all().filter(|language| language.is_read()) {
            let tag = language.tag();
            assert!(BUILTIN.iter().all(|(id, _)| definition(id, tag).is_some()), "{tag}");
            assert_eq!(language.file("definitions.txt").lines().count(), BUILTIN.len(), "{tag}");
        }
        assert_eq!(definition("after-hours", "en"), None);
        assert_eq!(definition("speed", "fr"), definition("speed", "en"));
    }
}
