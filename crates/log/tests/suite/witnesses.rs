//! Witnesses: their keys, what they sign, and a log that contradicts it.

use jiff::Timestamp;
use proptest::prelude::*;
use review_log::{Code, Cosigned, LogKey, Tree, WitnessKey, WitnessVerifier, Witnessed, sign};

use crate::site::{Files, ORIGIN, Site, finds};

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

/// What a witness has signed of a site.
fn cosigned(site: &Site) -> Cosigned {
    let (key, files) = (key(), site.files());
    let note = key.cosign(&files.checkpoint, at()).unwrap();
    verifier(&key).open(&note, &files.keys).unwrap()
}

#[test]
fn keys_are_read_as_they_are_written() {
    for _ in 0..100 {
        let key = key();
        let again = WitnessKey::from_text(&format!(" {}\n", key.to_text())).unwrap();
        assert_eq!(again.verifier_key(), key.verifier_key());
        let verifier = verifier(&key);
        assert_eq!((verifier.name(), &*verifier.to_text()), (NAME, key.verifier_key()));
        assert_eq!(key.verifier_key().split('+').nth(1).unwrap(), verifier.id());
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
             or `candor log witness-key` printed; this one is incomplete, has other characters, or is of \
             another kind"
        );
    }
    let other = log_key.verifier_key();
    assert_eq!(
        WitnessVerifier::new(other).unwrap_err().to_string(),
        format!(
            "{other:?} is not the verifier key of a witness: it must be <name>+<id>+<base64>, as `candor log \
             witness-key` printed it"
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
    let opened = verifier(&first).open(&note, &files.keys).unwrap();
    assert_eq!((opened.witness.as_str(), opened.at, opened.checkpoint.size), (NAME, at(), 9));
    let error = |verifier: &WitnessVerifier, note: &[u8]| {
        verifier.open(note, &files.keys).unwrap_err().to_string()
    };
    assert_eq!(
        error(&verifier(&second), &note),
        "the witness second.example has not signed the checkpoint"
    );
    let both = second.cosign(&note, at()).unwrap();
    assert!(verifier(&first).open(&both, &files.keys).is_ok());
    assert!(verifier(&second).open(&both, &files.keys).is_ok());
    // The signature of another checkpoint.
    let mut other = sign(
        ORIGIN,
        &Tree::from_leaves(["other"]),
        &[LogKey::from_text(crate::site::KEY).unwrap()],
    )
    .unwrap();
    let line = note.split_inclusive(|byte| *byte == b'\n').next_back().unwrap();
    other.extend(line);
    let forged = "the signature of the witness witness.example/reviews does not fit the checkpoint: one of them was \
                  changed, or somebody who does not have the key made the signature";
    assert_eq!(error(&verifier(&first), &other), forged);
    // A checkpoint that the log never signed.
    let stranger = LogKey::generate(ORIGIN).unwrap();
    let strange = sign(ORIGIN, &Tree::from_leaves(["other"]), &[stranger]).unwrap();
    let strange = first.cosign(&strange, at()).unwrap();
    assert!(
        error(&verifier(&first), &strange)
            .starts_with("the checkpoint is signed by none of the log's known keys")
    );
}

proptest! {
    #[test]
    fn a_changed_bit_is_never_taken_for_a_signature(bit in 0..10_000_usize) {
        let key = WitnessKey::from_text(KEY).unwrap();
        let files = Site::new().files();
        let mut note = key.cosign(&files.checkpoint, at()).unwrap();
        let bit = bit % (note.len() * 8);
        note[bit / 8] ^= 1 << (bit % 8);
        prop_assert!(verifier(&key).open(&note, &files.keys).is_err());
    }
}

#[test]
fn a_log_that_continues_what_a_witness_saw_is_proved() {
    let mut site = Site::new();
    let seen = cosigned(&site);
    site.publish(7, 1);
    site.log("2026-05-03T08:00:00Z");
    let files = Files { witnessed: vec![seen], ..site.files() };
    let proved = files.verify().proved.unwrap();
    let expected = Witnessed { witness: NAME.to_owned(), size: 9, at: at() };
    assert_eq!(proved.witnessed, [expected]);
}

#[test]
fn a_log_that_contradicts_a_witness_is_not_proved() {
    let seen = cosigned(&Site::new());
    let finding = |what: &str| {
        format!(
            "The witness {NAME} signed a log of 9 entries on 2026-05-03, and {what}: the log was rewritten, or \
             the witness was shown another one than you."
        )
    };
    let mut files = Files { witnessed: vec![seen.clone()], ..Site::new().files() };
    files.entries.swap(1, 2);
    files.sign_again();
    let rewritten = finding("these were other entries than the first ones of this log");
    finds(&files, &[(Code::Witness, None, &rewritten)]);

    let mut files = Files { witnessed: vec![seen], ..Site::new().files() };
    files.entries.truncate(1);
    files.sign_again();
    let back = finding("the log has 1 entries now, and a log only grows");
    let codes: Vec<_> = files.verify().findings.into_iter().map(|f| (f.code, f.message)).collect();
    assert!(codes.contains(&(Code::Witness, back)), "{codes:?}");
}
