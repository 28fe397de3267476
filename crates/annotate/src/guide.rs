//! The rules of each built-in aspect, as they are explained to a model, and the borderline cases of the
//! guidelines by which the gold sets were judged, with other examples.

/// The explanation of a built-in aspect.
pub(super) struct Guide {
    /// Words that name it without a detail.
    pub(super) counts: &'static str,
    /// Subjects that belong to another aspect, or to none.
    pub(super) excludes: &'static str,
    /// A sentence and its judgement.
    pub(super) example: &'static str,
}

const GUIDES: [(&str, Guide); 10] = [
    (
        "punctuality",
        Guide {
            counts: "on time, punctual, when they said, late, did not turn up, finished on schedule; a wait past one's slot",
            excludes: "how long the work itself took (speed); how long one waits for a free date (scheduling)",
            example: "\"The engineer said noon and it was gone two.\" is negative",
        },
    ),
    (
        "pricing",
        Guide {
            counts: "price, cost, quote kept, reasonable, affordable, cheap, expensive, overcharged, hidden fees",
            excludes: "whether it was worth it (value)",
            example: "\"Forty for a key seems a lot.\" is negative; \"Paid 60 by card.\" is neutral",
        },
    ),
    (
        "communication",
        Guide {
            counts: "kept informed, explained, listened, answered questions, quick to reply, not calling back",
            excludes: "false information or hidden facts (professionalism)",
            example: "\"Nobody told us that the road was closed.\" is negative",
        },
    ),
    (
        "quality",
        Guide {
            counts: "great work, result, knowledgeable, skilled, attention to detail, damage to what was worked on, had to be redone",
            excludes: "how a person behaved (professionalism); dirt left behind (cleanliness)",
            example: "\"It broke again two days later.\" is negative",
        },
    ),
    (
        "professionalism",
        Guide {
            counts: "professional, reliable, trustworthy, honest, respectful, owning a mistake, lying, insulting, careless with belongings",
            excludes: "tone and warmth (friendliness)",
            example: "\"He admitted that he had cut the wrong board and replaced it.\" is positive",
        },
    ),
    (
        "cleanliness",
        Guide {
            counts: "tidy, clean, cleaned up, spotless, mess left",
            excludes: "the customer's own dirt (\"my filthy garage\")",
            example: "\"They swept the drive before they left.\" is positive",
        },
    ),
    (
        "scheduling",
        Guide {
            counts: "easy to book, fitted in at short notice, flexible, available, no appointment, cancelled",
            excludes: "being late for an agreed time (punctuality)",
            example: "\"First free date was in seven weeks, but the fence was up in a morning.\" is negative here and positive for speed",
        },
    ),
    (
        "friendliness",
        Guide {
            counts: "friendly, nice or lovely (of a person), kind, polite, welcoming, helpful, patient, rude, cold",
            excludes: "belittling, lying or blaming the customer (professionalism)",
            example: "\"The valuer hardly said hello.\" is negative",
        },
    ),
    (
        "value",
        Guide {
            counts: "good value, worth it, worth every penny, waste of money",
            excludes: "an amount or a comparison of prices alone (pricing)",
            example: "\"They charge more than most and I'd say it's money well spent.\" is positive here and negative for pricing",
        },
    ),
    (
        "speed",
        Guide {
            counts: "quick, fast, prompt, efficient, same day, no delay, slow",
            excludes: "an agreed time that was missed (punctuality)",
            example: "\"The new lock was in within ten minutes.\" is positive",
        },
    ),
];

/// Returns the explanation of a built-in aspect.
pub(super) fn of(id: &str) -> Option<&'static Guide> {
    GUIDES.iter().find(|(known, _)| *known == id).map(|(_, guide)| guide)
}

#[cfg(test)]
mod tests {
    use insights::{AspectConfig, described_aspects};

    use super::*;

    #[test]
    fn every_built_in_aspect_has_a_guide() {
        let aspects = described_aspects(&AspectConfig::default());
        assert_eq!(aspects.len(), GUIDES.len());
        assert!(
            aspects.iter().all(|aspect| of(&aspect.id).is_some() && aspect.definition.is_some())
        );
    }
}
