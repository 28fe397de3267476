//! Leaves: the bytes of every event, and what is refused.

use std::collections::BTreeMap;

use contract::model::{Rating, ReviewId, WithheldReason};
use proptest::prelude::*;
use review_log::{Commitment, Entry, Event, MAX_LEAF, Set};

const ID: &str = "01HQ3S5B00ABCDEFGHJKMNPQRS";

fn entry(event: Event) -> Entry {
    Entry { at: "2026-05-01T08:00:00Z".parse().unwrap(), event }
}

fn every_event() -> Vec<(Event, String)> {
    let review: ReviewId = ID.parse().unwrap();
    let (record, reply) = (Commitment::from_bytes([0xab; 32]), Commitment::from_bytes([1; 32]));
    let (ab, one) = ("ab".repeat(32), "01".repeat(32));
    let withheld = BTreeMap::from([(WithheldReason::OffTopic, 1), (WithheldReason::Unverified, 2)]);
    let set = Set { reviews: 12, by_rating: [1, 0, 0, 4, 7], withheld, digest: record };
    let json = |event: &str, rest: &str| format!(r#""event":"{event}","review":"{ID}"{rest}"#);
    let no_reply = format!(r#","record":"{ab}","reply":null"#);
    let replied = format!(r#","record":"{ab}","reply":"{one}""#);
    let reason = WithheldReason::PersonalData;
    vec![
        (Event::Published { review, record, reply: None }, json("published", &no_reply)),
        (Event::Changed { review, record, reply: Some(reply) }, json("changed", &replied)),
        (
            Event::ReplyChanged { review, record, reply: Some(reply) },
            json("reply_changed", &replied),
        ),
        (
            Event::Withheld { review, reason, rating: Rating::try_from(1).unwrap() },
            json("withheld", r#","reason":"personal_data","rating":1"#),
        ),
        (Event::Restored { review, record, reply: None }, json("restored", &no_reply)),
        (Event::Removed { review }, json("removed", "")),
        (Event::Forgotten { review, reason }, json("forgotten", r#","reason":"personal_data""#)),
        (
            Event::Set(set),
            format!(
                r#""event":"set","reviews":12,"by_rating":{{"1":1,"2":0,"3":0,"4":4,"5":7}},"withheld":{{"off_topic":1,"unverified":2}},"digest":"{ab}""#
            ),
        ),
    ]
}

#[test]
fn a_review_has_one_of_four_states_after_an_event() {
    let after = |event: &Event| (event.word(), event.status());
    let states: Vec<_> = every_event().iter().map(|(event, _)| after(event)).collect();
    let expected = [
        ("published", Some("published")),
        ("changed", Some("published")),
        ("reply_changed", Some("published")),
        ("withheld", Some("withheld")),
        ("restored", Some("published")),
        ("removed", Some("removed")),
        ("forgotten", Some("forgotten")),
        ("set", None),
    ];
    assert_eq!(states, expected);
}

#[test]
fn every_event_has_one_spelling() {
    for (event, json) in every_event() {
        let entry = entry(event);
        let leaf = entry.to_leaf();
        let text = format!(r#"{{"at":"2026-05-01T08:00:00Z",{json}}}"#);
        assert_eq!(String::from_utf8(leaf.clone()).unwrap(), text);
        assert_eq!(Entry::from_leaf(&leaf).unwrap(), entry);
        assert!(json.contains(&format!(r#""event":"{}""#, entry.event.word())));
        assert!(leaf.len() < MAX_LEAF && !leaf.contains(&b'\n'));
    }
}

/// A new order of the reasons would make the counts of every existing log unreadable.
#[test]
fn reasons_are_counted_in_one_order() {
    let reasons = WithheldReason::WORDS.iter().map(|word| (word.parse().unwrap(), 1));
    let withheld = reasons.collect();
    let digest = Commitment::from_bytes([0; 32]);
    let leaf = entry(Event::Set(Set { reviews: 0, by_rating: [0; 5], withheld, digest })).to_leaf();
    let json = r#""withheld":{"personal_data":1,"defamatory":1,"off_topic":1,"fake_suspected":1,"duplicate":1,"unlawful":1,"author_request":1,"unverified":1}"#;
    assert!(String::from_utf8(leaf).unwrap().contains(json));
}

#[test]
fn other_spellings_and_other_things_are_refused() {
    let good = format!(r#"{{"at":"2026-05-01T08:00:00Z","event":"removed","review":"{ID}"}}"#);
    assert!(Entry::from_leaf(good.as_bytes()).is_ok());
    let spelled = format!("is an entry, but not spelled as the log writes it: {good}");
    for other in [
        good.replace(',', ", "),
        format!("{good}\n"),
        good.replace("{", r#"{"more":1,"#),
        good.replace("08:00:00Z", "08:00:00.0Z"),
        good.replace("08:00:00Z", "10:00:00+02:00"),
        good.replace("removed", r"r\u0065moved"),
        format!(r#"{{"event":"removed","at":"2026-05-01T08:00:00Z","review":"{ID}"}}"#),
    ] {
        assert_eq!(Entry::from_leaf(other.as_bytes()).unwrap_err().to_string(), spelled, "{other}");
    }
    for (other, message) in [
        (
            good.replace("removed", "eaten"),
            "is not an entry of a review log: unknown variant `eaten`",
        ),
        (good.replace(ID, "x"), "is not an entry of a review log: an id is a ULID"),
        (good.replace("}", ""), "is not an entry of a review log: EOF"),
        ("[]".to_owned(), "is not an entry of a review log: invalid"),
        (String::new(), "is not an entry of a review log: EOF"),
    ] {
        let error = Entry::from_leaf(other.as_bytes()).unwrap_err().to_string();
        assert!(error.starts_with(message), "{error}");
    }
}

proptest! {
    #[test]
    fn whatever_is_read_is_written_the_same(bytes in "[ -~]{0,40}", at in 0..8_usize, cut: prop::sample::Index) {
        let (event, _) = every_event().swap_remove(at);
        let mut leaf = entry(event).to_leaf();
        let cut = cut.index(leaf.len());
        leaf.splice(cut..cut, bytes.bytes());
        if let Ok(entry) = Entry::from_leaf(&leaf) {
            prop_assert_eq!(entry.to_leaf(), leaf);
        }
    }
}
