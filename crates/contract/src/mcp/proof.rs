//! The result of `get_proof`, and what it says about the transparency log.

use serde_json::{Value, json};

use super::schema::{array, integer, object, string, text_or_null};

/// The claim that the proofs of `get_proof` prove, in words for readers (docs/proof.md).
pub const PROVES: &str = "The log that was signed with the checkpoint in each proof has these entries, \
     unchanged and at their indexes. With the salt anybody can compute from the published review \
     whether it has exactly the author, stars, date, text, source and answer that were logged last.";

/// The claims that they do not prove, in words for readers (docs/proof.md).
pub const DOES_NOT_PROVE: &str = "That the review is genuine: the log has what the site published. \
     That a time is right: times are those of the machine that logged. That these are all entries \
     of the review, or that no other review is missing: candor verify --log reads the whole log. \
     That the log is the only one: compare the checkpoint with one that somebody else kept, and the \
     verifier key with one that you have from elsewhere than the site.";

/// The schema of an entry's place in the log.
fn place() -> [(&'static str, Value, &'static str); 3] {
    let events =
        ["published", "changed", "reply_changed", "withheld", "restored", "removed", "forgotten"];
    [
        ("index", integer(), "The entry's index in the log, from 0."),
        ("time", string(), "When it was logged, by the clock of the machine that did (RFC 3339)."),
        ("event", json!({ "type": "string", "enum": events }), "What happened to the review."),
    ]
}

/// The schema of `log` in `get_review`.
pub(super) fn logged() -> Value {
    let mut schema = array(object(place()));
    schema["description"] = "The entries about the review in the site's transparency log, oldest \
                             first, the newest 100 at most. get_proof proves them."
        .into();
    schema
}

/// The schema of `get_proof`.
pub(super) fn proof() -> Value {
    let [index, time, event] = place();
    let entry = object([
        index,
        time,
        event,
        (
            "proof",
            string(),
            "The proof that the newest log has the entry, a C2SP tlog-proof@v1. Its extra data are \
             the exact bytes of the entry, which are JSON in ASCII without any text of the review, \
             and, if the review is published, a line break and the key of the review's hashes.",
        ),
    ]);
    let states = ["published", "withheld", "removed", "forgotten"];
    let mut schema = object([
        ("id", string(), "The review's id."),
        (
            "status",
            json!({ "type": "string", "enum": states }),
            "What the review is by its last entry. A removed one is no longer in the content, a \
             forgotten one was erased.",
        ),
        ("url", text_or_null(), "The page that shows and checks the proof; null without pages."),
        ("proves", string(), "What the proofs prove."),
        ("does_not_prove", string(), "What they do not prove."),
        (
            "verifier_keys",
            array(string()),
            "The keys that the site names, `<origin>+<id>+<base64>`, the newest last; one of them \
             signed the checkpoint in each proof.",
        ),
        ("entries", array(entry), "The entries about the review, oldest first."),
    ]);
    schema["properties"]["truncated"] = json!({
        "type": "boolean",
        "description": "Only there, and true, where only the newest entries fit.",
    });
    schema
}
