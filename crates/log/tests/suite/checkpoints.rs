//! Keys, signatures and checkpoints, with the vectors of signed-note's first implementation.

use review_log::{Checkpoint, CheckpointError, KeyError, LogKey, Tree, check_verifier_key, sign};

use crate::site::{KEY, NEXT_KEY, ORIGIN};

/// From the tests of golang.org/x/mod/sumdb/note.
const NEUMANN: &str =
    "PRIVATE+KEY+PeterNeumann+c74f20a3+AYEKFALVFGyNhPJEMzD1QIDr+Y7hfZx09iUvxdXHKDFz";
const NEUMANN_VERIFIER: &str = "PeterNeumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW";

fn tree() -> Tree {
    Tree::from_leaves(["one", "two", "three"])
}

fn key(text: &str) -> LogKey {
    LogKey::from_text(text).unwrap()
}

fn text(note: &[u8]) -> String {
    String::from_utf8(note.to_vec()).unwrap()
}

fn open(note: &str, keys: &[&str]) -> Result<Checkpoint, CheckpointError> {
    Checkpoint::open(note.as_bytes(), &keys.iter().map(ToString::to_string).collect::<Vec<_>>())
}

fn error(note: &str, keys: &[&str]) -> String {
    open(note, keys).unwrap_err().to_string()
}

#[test]
fn the_verifier_key_follows_from_the_private_key() {
    let key = key(&format!("  {NEUMANN}\n"));
    assert_eq!(key.verifier_key(), NEUMANN_VERIFIER);
    assert_eq!((key.name(), key.to_text()), ("PeterNeumann", NEUMANN));
    assert_eq!(check_verifier_key(NEUMANN_VERIFIER).unwrap(), "PeterNeumann");
    assert_eq!(format!("{key:?}"), format!("PrivateKey({NEUMANN_VERIFIER})"));
}

/// Base64 can have a plus, which also separates the parts of a key.
#[test]
fn generated_keys_can_be_read_again_and_are_all_different() {
    let keys: Vec<LogKey> = (0..100).map(|_| LogKey::generate(ORIGIN).unwrap()).collect();
    for key in &keys {
        let again = LogKey::from_text(key.to_text()).unwrap();
        assert_eq!(again.verifier_key(), key.verifier_key());
        let note = text(&sign(ORIGIN, &tree(), std::slice::from_ref(key)).unwrap());
        assert_eq!(open(&note, &[key.verifier_key()]).unwrap().size, 3);
    }
    let different: std::collections::BTreeSet<_> = keys.iter().map(LogKey::verifier_key).collect();
    assert_eq!(different.len(), 100);
}

#[test]
fn a_checkpoint_has_origin_size_and_root() {
    let note = text(&sign(ORIGIN, &tree(), &[key(KEY)]).unwrap());
    let root = tree().root().to_string();
    assert!(note.starts_with(&format!("{ORIGIN}\n3\n{root}\n\n— {ORIGIN} ")), "{note}");
    assert_eq!(note.lines().count(), 5);
    let checkpoint = open(&note, &[key(KEY).verifier_key()]).unwrap();
    assert_eq!((checkpoint.origin.as_str(), checkpoint.size), (ORIGIN, 3));
    assert_eq!(checkpoint.root, tree().root());
    assert_eq!(checkpoint.signed_by, [key(KEY).verifier_key()]);
    assert_eq!(
        sign(ORIGIN, &tree(), &[key(KEY)]).unwrap(),
        note.as_bytes(),
        "same input, same bytes"
    );
}

#[test]
fn an_empty_log_has_a_checkpoint() {
    let note = text(&sign(ORIGIN, &Tree::default(), &[key(KEY)]).unwrap());
    assert!(
        note.starts_with(&format!("{ORIGIN}\n0\n47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=\n\n"))
    );
    assert_eq!(open(&note, &[key(KEY).verifier_key()]).unwrap().size, 0);
}

/// A reader who knows one of two keys reads what both have signed: that is how a key is replaced.
#[test]
fn two_keys_sign_while_one_replaces_the_other() {
    let (old, new) = (key(KEY), key(NEXT_KEY));
    let note = text(&sign(ORIGIN, &tree(), &[old.clone(), new.clone()]).unwrap());
    for (keys, signed_by) in [
        (vec![old.verifier_key()], vec![old.verifier_key()]),
        (vec![new.verifier_key()], vec![new.verifier_key()]),
        (vec![old.verifier_key(); 2], vec![old.verifier_key()]),
        (
            vec![old.verifier_key(), new.verifier_key()],
            vec![old.verifier_key(), new.verifier_key()],
        ),
    ] {
        assert_eq!(open(&note, &keys).unwrap().signed_by, signed_by);
    }
    let only_new = text(&sign(ORIGIN, &tree(), &[new]).unwrap());
    assert_eq!(
        error(&only_new, &[old.verifier_key()]),
        format!(
            "the checkpoint is signed by none of the log's known keys ({}): somebody else made it, or the \
             log has a new key. If the owner announced a new key, use that one as well",
            old.verifier_key()
        )
    );
}

/// The signature line of a witness, from the example of tlog-checkpoint.
#[test]
fn signatures_of_others_are_ignored() {
    let note = text(&sign(ORIGIN, &tree(), &[key(KEY)]).unwrap());
    let witness = "— example.com/behind-the-sofa Az3grlgtzPICa5OS8npVmf1Myq/5IZniMp+ZJurmRDeOoRDe4URYN7u5/\
                   Zhcyv2q1gGzGku9nTo+zyWE+xeMcTOAYQ8=\n";
    let signed_by =
        open(&format!("{note}{witness}"), &[key(KEY).verifier_key()]).unwrap().signed_by;
    assert_eq!(signed_by, [key(KEY).verifier_key()]);
}

#[test]
fn a_changed_checkpoint_is_forged() {
    let note = text(&sign(ORIGIN, &tree(), &[key(KEY)]).unwrap());
    let forged = "the signature of the key reviews.example.com/log+6df47a33 does not fit the checkpoint: it \
                  was changed after it was signed, or was made by somebody who does not have the key";
    let other_root = Tree::from_leaves(["one", "two", "four"]).root().to_string();
    for changed in [
        note.replace("\n3\n", "\n4\n"),
        note.replace(&tree().root().to_string(), &other_root),
        note.replace("\n\n", "\nan extension\n\n"),
    ] {
        assert_eq!(error(&changed, &[key(KEY).verifier_key()]), forged, "{changed}");
    }
}

#[test]
fn what_is_no_checkpoint_is_refused() {
    let malformed = "this is not a checkpoint of a log: it must have the log's name, its size and its root \
                     hash, then an empty line and signatures. Fetch it again; if it stays so, the site \
                     publishes no log";
    let note = text(&sign(ORIGIN, &tree(), &[key(KEY)]).unwrap());
    let unsigned = note.split_once("\n\n").unwrap().0;
    for other in ["", "<!doctype html>\n", unsigned, note.trim_end(), &note[..20]] {
        assert_eq!(error(other, &[key(KEY).verifier_key()]), malformed, "{other}");
    }
    // The vector of signed-note: a good note that is not a checkpoint.
    let poem = "If you think cryptography is the answer to your problem,\n\
                then you don't know what your problem is.\n\n\
                — PeterNeumann x08go/ZJkuBS9UG/SffcvIAQxVBtiFupLLr8pAcElZInNIuGUgYN1FFYC2pZSNXgKvqfqdngotpR\
                Zb6KE6RyyBwJnAM=\n";
    assert_eq!(error(poem, &[NEUMANN_VERIFIER]), malformed);
    let changed = poem.replace("don't", "do");
    assert!(
        error(&changed, &[NEUMANN_VERIFIER]).starts_with("the signature of the key PeterNeumann")
    );
}

#[test]
fn the_key_of_another_log_is_refused() {
    let other = LogKey::generate("other.example.com/log").unwrap();
    let error = sign(ORIGIN, &tree(), &[key(KEY), other]).unwrap_err();
    assert_eq!(
        error.to_string(),
        "the private key is of the log other.example.com/log, and this is the log \
         reviews.example.com/log: use the key of this log"
    );
    assert_eq!(
        sign(ORIGIN, &tree(), &[]).unwrap_err().to_string(),
        "a checkpoint needs at least one private key"
    );
}

#[test]
fn bad_keys_are_named_and_private_ones_never_printed() {
    let private = "the private key must be the whole line PRIVATE+KEY+<name>+<id>+<base64> that `candor log init` \
                   or `candor log cosign --name` made; this one is incomplete, has other characters, or is of another kind";
    for bad in [
        "",
        "secret",
        &KEY[..KEY.len() - 4],
        &KEY.replace("6df47a33", "6df47a34"),
        NEUMANN_VERIFIER,
    ] {
        assert_eq!(LogKey::from_text(bad).unwrap_err().to_string(), private, "{bad}");
    }
    assert_eq!(
        check_verifier_key("a+b").unwrap_err().to_string(),
        "\"a+b\" is not a verifier key: it must be <origin>+<id>+<base64>, as in the log's log.toml"
    );
    for origin in ["", "a b", "a+b", "a\nb", "a\u{7}"] {
        let expected = KeyError::Name(origin.to_owned());
        assert_eq!(LogKey::generate(origin).unwrap_err(), expected, "{origin:?}");
    }
}
