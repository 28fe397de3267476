//! Proofs of single entries (C2SP tlog-proof).

use base64::prelude::{BASE64_STANDARD, Engine};
use review_log::{Entry, Event, LogKey, Receipt, Salt, Tree, sign, tlog_proof};

use crate::site::{KEY, ORIGIN};

/// A log of entries, and its checkpoint.
fn log(count: u8) -> (Tree, String) {
    let entry = |n: u8| {
        let review = format!("01HQ3S5B00ABCDEFGHJKMNPQ{n:02}").parse().unwrap();
        Entry { at: "2026-05-01T08:00:00Z".parse().unwrap(), event: Event::Removed { review } }
    };
    let tree = Tree::from_leaves((0..count).map(|n| entry(n).to_leaf()));
    let note = sign(ORIGIN, &tree, &[LogKey::from_text(KEY).unwrap()]).unwrap();
    (tree, String::from_utf8(note).unwrap())
}

fn proof(tree: &Tree, index: usize, salt: Option<Salt>, note: &str) -> String {
    tlog_proof(tree.hashes(), (index as u64, &tree.leaves()[index]), salt, note).unwrap()
}

fn keys() -> [String; 1] {
    [LogKey::from_text(KEY).unwrap().verifier_key().to_owned()]
}

#[test]
fn a_proof_has_the_lines_of_the_standard() {
    let (tree, note) = log(5);
    let text = proof(&tree, 4, Some(Salt::from_bytes([7; 32])), &note);
    let path = tree.hashes().prove_inclusion(4, 5).unwrap();
    let leaf = String::from_utf8(tree.leaves()[4].clone()).unwrap();
    let extra = BASE64_STANDARD.encode(format!("{leaf}\n{}", "07".repeat(32)));
    let expected = format!("c2sp.org/tlog-proof@v1\nextra {extra}\nindex 4\n{}\n\n{note}", path[0]);
    assert_eq!((path.len(), text), (1, expected));
    let (tree, note) = log(1);
    let extra = BASE64_STANDARD.encode(&tree.leaves()[0]);
    let expected = format!("c2sp.org/tlog-proof@v1\nextra {extra}\nindex 0\n\n{note}");
    assert_eq!(proof(&tree, 0, None, &note), expected);
}

#[test]
fn every_entry_is_proved_without_the_log() {
    for count in [1, 2, 7, 20] {
        let (tree, note) = log(count);
        for index in 0..usize::from(count) {
            for salt in [None, Some(Salt::from_bytes([1; 32]))] {
                let text = proof(&tree, index, salt, &note);
                let receipt = Receipt::open(text.as_bytes(), &keys()).unwrap();
                assert_eq!((receipt.index, receipt.checkpoint.size), (index as u64, count.into()));
                assert_eq!(receipt.entry.to_leaf(), tree.leaves()[index]);
            }
        }
    }
}

#[test]
fn a_proof_with_one_changed_bit_proves_nothing() {
    let (tree, note) = log(7);
    let text = proof(&tree, 3, None, &note);
    for at in 0..text.len() {
        let mut changed = text.clone().into_bytes();
        changed[at] ^= 1;
        assert!(Receipt::open(&changed, &keys()).is_err(), "byte {at}");
    }
}

#[test]
fn what_is_wrong_with_a_proof_is_said() {
    let (tree, note) = log(7);
    let text = proof(&tree, 3, None, &note);
    let error =
        |text: &str, keys: &[String]| Receipt::open(text.as_bytes(), keys).unwrap_err().to_string();
    let malformed = "it is not a tlog-proof of an entry about a review, or was changed";
    for other in
        [&note, "", &text.replace("extra", "extras"), &text.replace("proof@v1", "proof@v2")]
    {
        assert_eq!(error(other, &keys()), malformed);
    }
    assert_eq!(
        error(&text.replace("index 3", "index 7"), &keys()),
        "a log of 7 entries has no entry 7"
    );
    assert_eq!(
        error(&text.replace("index 3", "index 2"), &keys()),
        "the proof does not lead to the root hash of the checkpoint"
    );
    let stranger = LogKey::generate(ORIGIN).unwrap().verifier_key().to_owned();
    assert!(error(&text, &[stranger]).starts_with("the checkpoint is signed by none of"));
    let missing = tlog_proof(tree.hashes(), (7, b"x"), None, &note);
    assert_eq!(missing.unwrap_err().to_string(), "a log of 7 entries has no entry 7");
}
