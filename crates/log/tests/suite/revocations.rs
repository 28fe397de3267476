//! Revoked keys.

use jiff::Timestamp;
use review_log::{LogKey, Revocation, RevocationError, unrevoked};

use crate::site::ORIGIN;

fn keys(count: usize) -> (Vec<LogKey>, Vec<String>) {
    let keys: Vec<_> = (0..count).map(|_| LogKey::generate(ORIGIN).unwrap()).collect();
    let verifiers = keys.iter().map(|key| key.verifier_key().to_owned()).collect();
    (keys, verifiers)
}

fn revocation(key: &str) -> Revocation {
    Revocation { key: key.to_owned(), from: "2026-05-02".parse().unwrap() }
}

fn at(text: &str) -> Timestamp {
    text.parse().unwrap()
}

#[test]
fn a_note_names_the_key_and_the_day_and_is_signed_by_another_key() {
    let (keys, verifiers) = keys(2);
    let revoked = revocation(&verifiers[0]);
    let note = revoked.sign(&keys[1]).unwrap();
    let text =
        format!("candor log revocation v1\n{}\n2026-05-02\n\n\u{2014} {ORIGIN} ", verifiers[0]);
    assert!(note.starts_with(&text), "{note}");
    let read = Revocation::read(&[note], &verifiers).unwrap();
    assert_eq!(read, [revoked]);
    assert_eq!(unrevoked(&verifiers, &read), verifiers[1..]);
}

#[test]
fn only_another_key_of_the_log_that_counts_revokes_one() {
    let (keys, verifiers) = keys(3);
    let stranger = LogKey::generate(ORIGIN).unwrap();
    let signed = |at: usize, by: &LogKey| revocation(&verifiers[at]).sign(by).unwrap();
    let first = signed(0, &keys[2]);
    let unknown = revocation(stranger.verifier_key()).sign(&keys[1]).unwrap();
    for notes in [
        vec![signed(0, &keys[0])],
        vec![signed(0, &stranger)],
        vec![unknown],
        vec![first.replace("2026-05-02", "2026-05-03")],
        vec![first.replace("2026-05-02", "soon")],
        vec![first.replace("revocation v1", "revocation v2")],
        vec![first.clone(), signed(1, &keys[0])],
        vec![first.clone(), first.clone()],
        vec!["x".to_owned()],
    ] {
        assert_eq!(Revocation::read(&notes, &verifiers), Err(RevocationError), "{notes:?}");
    }
    let both = [first, signed(1, &keys[2])];
    assert_eq!(
        unrevoked(&verifiers, &Revocation::read(&both, &verifiers).unwrap()),
        verifiers[2..]
    );
    assert_eq!(
        RevocationError.to_string(),
        "a revocation must name a key of the log and a day, and another key of the log must have signed it"
    );
}

#[test]
fn what_a_revoked_key_alone_signed_counts_until_that_day() {
    let (_, verifiers) = keys(2);
    let revoked = [revocation(&verifiers[0])];
    let of = |keys: &[String], time: &str| Revocation::of(&revoked, keys, at(time)).is_some();
    assert!(!of(&verifiers[..1], "2026-05-01T23:59:59Z"));
    assert!(of(&verifiers[..1], "2026-05-02T00:00:00Z"));
    assert!(!of(&verifiers, "2026-05-02T00:00:00Z"), "another key has signed too");
    assert!(!of(&verifiers[1..], "2026-05-02T00:00:00Z"));
}
