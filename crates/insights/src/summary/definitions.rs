//! The definition of each built-in aspect, in a sentence.

use std::sync::Arc;

use crate::{
    aspects::{Aspect, Aspects},
    config::AspectConfig,
    language::Language,
};

/// The definition of a built-in aspect, from the annotation guidelines of the gold sets.
pub(crate) fn definition(id: &str) -> Option<&'static str> {
    let definitions = Language::english().file("definitions.txt");
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

/// The aspects of a site: the owner's in the order of the file, then the other built-in ones.
#[must_use]
pub fn described_aspects(config: &AspectConfig) -> Vec<DescribedAspect> {
    let described = |aspect: Aspect| DescribedAspect {
        definition: config.definition(&aspect.id).or(definition(&aspect.id)).map(Into::into),
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
        assert!(BUILTIN.iter().all(|(id, _)| definition(id).is_some()));
        let definitions = Language::english().file("definitions.txt");
        assert_eq!(definitions.lines().count(), BUILTIN.len());
        assert_eq!(definition("after-hours"), None);
    }
}
