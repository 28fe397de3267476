//! Witnesses: their keys, what they sign, and how they are asked.

use jiff::Timestamp;
use proptest::prelude::*;
use review_log::{
    LogKey, Tree, TreeHashes, WitnessKey, WitnessVerifier, add_checkpoint, monitoring_path, sign,
};

use crate::site::{ORIGIN, Site};

const NAME: &str = "witness.example/reviews";
/// A key with the seed 0, 1, 2, … 31, made for this test.
const KEY: &str =
    "PRIVATE+KEY+witness.example/reviews+103734d5+BAABAgMEBQYHCAkKCwwNDg8QERITFBUWFxgZGhscHR4f";

fn key() -> WitnessKey {
    WitnessKey::generate(NAME).unwrap()
}

fn at() -> Timestamp {
    "2026-05-03T08:00:00Z".parse().unwrap()
}

fn verifier(key: &WitnessKey) -> WitnessVerifier {
    WitnessVerifier::new(key.verifier_key()).unwrap()
}

#[test]
fn keys_are_read_as_they_are_written() {
    for _ in 0..100 {
        let key = key();
        let again = WitnessKey::from_text(&format!(" {}\n", key.to_text())).unwrap();
        assert_eq!(again.verifier_key(), key.verifier_key());
        let verifier = verifier(&key);
        assert_eq!(verifier.name(), NAME);
        assert_eq!(format!("{key:?}"), format!("PrivateKey({})", key.verifier_key()));
    }
}

#[test]
fn what_is_no_key_of_a_witness_is_refused() {
    let log_key = LogKey::generate(ORIGIN).unwrap();
    let key = key().to_text().to_owned();
    for text in
        ["", "PRIVATE+KEY+a", log_key.to_text(), &key[..key.len() - 4], &key.replace(NAME, "other")]
    {
        assert_eq!(
            WitnessKey::from_text(text).unwrap_err().to_string(),
            "the private key must be the whole line PRIVATE+KEY+<name>+<id>+<base64> that `candor log init` \
             or `candor log cosign --name` made; this one is incomplete, has other characters, or is of \
             another kind"
        );
    }
    let other = log_key.verifier_key();
    assert_eq!(
        WitnessVerifier::new(other).unwrap_err().to_string(),
        format!(
            "{other:?} is not the verifier key of a witness: it must be <name>+<id>+<base64>, with an Ed25519 \
             key for cosignatures"
        )
    );
    for name in ["", "a b", "a+b", "a\u{7}"] {
        assert_eq!(
            WitnessKey::generate(name).unwrap_err().to_string(),
            format!(
                "the name {name:?} of a key must have at least one character, and neither white space nor +"
            )
        );
    }
}

/// C2SP tlog-cosignature: the id of the key, the time in eight bytes, and a signature over both and the text.
#[test]
fn a_cosignature_is_a_line_of_the_note() {
    let key = WitnessKey::from_text(KEY).unwrap();
    let files = Site::new().files();
    let note = key.cosign(&files.checkpoint, at()).unwrap();
    let (text, lines) =
        (String::from_utf8(note.clone()).unwrap(), String::from_utf8(files.checkpoint).unwrap());
    let line = text.strip_prefix(&lines).unwrap();
    // The same key signs the same text at the same time with the same bytes (RFC 8032).
    assert_eq!(key.cosign(&note, at()).unwrap(), note, "in place of its earlier one");
    assert!(line.starts_with(&format!("— {NAME} EDc01QAAAABp9wCA")), "{line}");
    assert_eq!(line.len(), "— ".len() + NAME.len() + 1 + (4_usize + 8 + 64).div_ceil(3) * 4 + 1);
}

#[test]
fn each_signature_is_checked() {
    let files = Site::new().files();
    let (first, second) = (key(), WitnessKey::generate("second.example").unwrap());
    let note = first.cosign(&files.checkpoint, at()).unwrap();
    let signed = |key: &WitnessKey, note: &[u8]| verifier(key).cosignature(note).unwrap();
    let (time, line) = signed(&first, &note).unwrap();
    assert_eq!((time, [&files.checkpoint, line.as_bytes()].concat()), (at(), note.clone()));
    assert_eq!(signed(&second, &note), None);
    let both = second.cosign(&note, at()).unwrap();
    assert!(signed(&first, &both).is_some() && signed(&second, &both).is_some());
    // The signature of another checkpoint.
    let log_key = LogKey::from_text(crate::site::KEY).unwrap();
    let mut other = sign(ORIGIN, &Tree::from_leaves(["other"]), &[log_key]).unwrap();
    other.extend(line.as_bytes());
    let error = |note: &[u8]| verifier(&first).cosignature(note).unwrap_err().to_string();
    assert_eq!(
        error(&other),
        "the signature of the witness witness.example/reviews does not fit the checkpoint: one of them was \
         changed, or somebody who does not have the key made the signature"
    );
    assert!(error(b"<html>").starts_with("this is not a checkpoint of a log"));
}

proptest! {
    #[test]
    fn a_changed_bit_is_never_taken_for_a_signature(bit in 0..10_000_usize) {
        let key = WitnessKey::from_text(KEY).unwrap();
        let files = Site::new().files();
        let note = key.cosign(&files.checkpoint, at()).unwrap();
        // Without the signature of the log.
        let end = note.windows(2).position(|two| two == b"\n\n").unwrap() + 2;
        let (_, line) = verifier(&key).cosignature(&note).unwrap().unwrap();
        let mut note = [&note[..end], line.as_bytes()].concat();
        let bit = bit % (note.len() * 8);
        note[bit / 8] ^= 1 << (bit % 8);
        prop_assert!(!matches!(verifier(&key).cosignature(&note), Ok(Some(_))));
    }
}

/// C2SP tlog-witness: the size that the witness signed last, the consistency proof, an empty line, the checkpoint.
#[test]
fn a_witness_is_asked_with_a_proof_that_the_log_continues() {
    let leaves: Vec<String> = (0..40).map(|n| n.to_string()).collect();
    let hashes = TreeHashes::from_leaves(&leaves);
    assert_eq!(add_checkpoint(&hashes, 0, "note\n").unwrap(), "old 0\n\nnote\n");
    assert_eq!(add_checkpoint(&hashes, 40, "note\n").unwrap(), "old 40\n\nnote\n");
    assert_eq!(add_checkpoint(&hashes, 41, "note\n"), None);
    for old in 1..=40 {
        let proof = hashes.prove_consistency(old).unwrap();
        let before = TreeHashes::from_leaves(&leaves[..old as usize]).root();
        tlog_tiles::check_tree(&proof, 40, hashes.root(), old, before).unwrap();
        let lines: String = proof.iter().map(|hash| format!("{hash}\n")).collect();
        let request = add_checkpoint(&hashes, old, "note\n").unwrap();
        assert_eq!(request, format!("old {old}\n{lines}\nnote\n"));
    }
}

/// The hash is that of `printf %s reviews.example.com/log | sha256sum`.
#[test]
fn what_a_witness_signed_is_below_the_hash_of_the_log() {
    assert_eq!(
        monitoring_path("reviews.example.com/log"),
        "5b9387efd4fea41608a7cf5eb7c4666cbaf9bcf810abc8bac03318654567871c/checkpoint"
    );
}
