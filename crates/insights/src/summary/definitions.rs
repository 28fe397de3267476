//! What counts for each built-in aspect, in a sentence.

use std::sync::Arc;

use crate::{
    aspects::{Aspect, Aspects},
    config::AspectConfig,
};

/// The definitions by aspect id, from the annotation guidelines of the gold sets.
const DEFINITIONS: [(&str, &str); 10] = [
    (
        "punctuality",
        "Arriving, starting and finishing against an agreed time; delays and missed visits.",
    ),
    (
        "pricing",
        "How much it cost, the fairness of the bill, the accuracy of quotes, fees, discounts and refunds.",
    ),
    (
        "communication",
        "Information before, during and after the work, returning calls, explaining, listening to the request.",
    ),
    (
        "quality",
        "The work or result itself, including food and the outcome of care, skill, and whether the fault returned.",
    ),
    (
        "professionalism",
        "Conduct: competence in behaviour, honesty, respect, care of property, owning a mistake.",
    ),
    ("cleanliness", "Tidiness, mess left or removed, hygiene of the place."),
    (
        "scheduling",
        "Booking, availability, waiting for a slot or table, cancelling and rescheduling.",
    ),
    ("friendliness", "Warmth, politeness, attitude, making people feel welcome."),
    ("value", "A judgment that it was or was not worth what was paid."),
    (
        "speed",
        "How quickly the work or service itself went, or how quickly they came in an emergency.",
    ),
];

/// The definition of a built-in aspect.
pub(crate) fn definition(id: &str) -> Option<&'static str> {
    DEFINITIONS.iter().find(|(known, _)| *known == id).map(|(_, definition)| *definition)
}

/// An aspect of a site, as it is explained to people and to other models.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DescribedAspect {
    /// The id (a slug).
    pub id: Arc<str>,
    /// The label.
    pub label: Arc<str>,
    /// What counts, in a sentence: the owner's words, or those of the built-in aspect.
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
    use super::{DEFINITIONS, definition};
    use crate::aspects::BUILTIN;

    #[test]
    fn every_built_in_aspect_has_a_definition() {
        assert!(BUILTIN.iter().all(|(id, _)| definition(id).is_some()));
        assert_eq!(DEFINITIONS.len(), BUILTIN.len());
        assert_eq!(definition("after-hours"), None);
    }
}
