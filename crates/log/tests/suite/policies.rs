//! Policies: what C2SP tlog-policy requires of a file, and which witnesses are a quorum.

use base64::prelude::{BASE64_STANDARD, Engine};
use jiff::Timestamp;
use review_log::{Code, LogKey, Policy, PolicyError, WitnessKey};

use crate::site::{Files, ORIGIN, Site, finds};

/// Keys of witnesses, in the order of their names.
fn keys(count: usize) -> Vec<WitnessKey> {
    (0..count).map(|n| WitnessKey::generate(&format!("w{n}.example")).unwrap()).collect()
}

/// The same public key with another name.
fn renamed(key: &str) -> String {
    let base64 = key.splitn(3, '+').nth(2).unwrap();
    let id = signed_note::key_id("other", &BASE64_STANDARD.decode(base64).unwrap());
    format!("other+{id:08x}+{base64}")
}

/// A checkpoint that these witnesses have signed.
fn signed(keys: &[&WitnessKey]) -> Vec<u8> {
    let at: Timestamp = "2026-05-03T08:00:00Z".parse().unwrap();
    let note = Site::new().files().checkpoint;
    keys.iter().fold(note, |note, key| key.cosign(&note, at).unwrap())
}

/// The example of the specification, with spaces, tabs, comments and addresses.
#[test]
fn a_quorum_may_be_of_groups_of_groups() {
    let log = LogKey::generate(ORIGIN).unwrap().verifier_key().to_owned();
    let keys = keys(6);
    let [x1, x2, x3, y1, y2, y3] = &*keys else { panic!("six keys") };
    let line = |name: &str, key: &WitnessKey| format!("witness {name} {}\n", key.verifier_key());
    let text = format!(
        "# Ours, caf\u{e9}\n\n \t log {log}\thttps://reviews.example.com/log \n{}{}{}{}{}{}\
         group X-witnesses 2 X1 X2 X3\ngroup Y-witnesses any Y1 Y2 Y3\n\
         group X-and-Y all X-witnesses Y-witnesses\nquorum X-and-Y",
        line("X1", x1),
        line("X2", x2),
        format_args!("witness X3 {} https://w.example/x\n", x3.verifier_key()),
        line("Y1", y1),
        line("Y2", y2),
        line("Y3", y3),
    );
    let policy = Policy::parse(text.as_bytes()).unwrap();
    assert_eq!(policy.logs, [log]);
    let witnesses: Vec<_> = policy
        .witnesses
        .iter()
        .map(|witness| (&*witness.name, witness.key.name(), witness.url.as_deref()))
        .collect();
    assert_eq!(witnesses[0], ("X1", "w0.example", None));
    assert_eq!(witnesses[2], ("X3", "w2.example", Some("https://w.example/x")));
    for (keys, is_met) in [
        (vec![x1, x2, y1], true),
        (vec![x1, x3, y3], true),
        (vec![x1, x2, x3, y1, y2, y3], true),
        (vec![x1, y1, y2, y3], false),
        (vec![x1, x2, x3], false),
        (vec![], false),
    ] {
        let (signed, met) = policy.check(&signed(&keys)).unwrap();
        assert_eq!((signed.len(), met), (keys.len(), is_met));
    }
    assert!(Policy::parse(b"# caf\xe9\nquorum none\n").unwrap().check(&signed(&[])).unwrap().1);
}

#[test]
fn a_line_that_is_not_of_a_policy_is_named() {
    let (log, keys) = (LogKey::generate(ORIGIN).unwrap(), keys(2));
    let (log, one, two) = (log.verifier_key(), keys[0].verifier_key(), keys[1].verifier_key());
    let witness = format!("witness one {one}\n");
    let form = "it must be log KEY [URL], witness NAME KEY [URL], group NAME any|all|NUMBER NAME…, or, once, quorum NAME";
    let again = "the key is that of an earlier line";
    let needed = "the group g must need any, all, or 1 to 1 of its members";
    let no_log = format!(
        "{one:?} is not a verifier key: it must be <origin>+<id>+<base64>, as in the log's log.toml"
    );
    let no_witness = format!(
        "{log:?} is not the verifier key of a witness: it must be <name>+<id>+<base64>, with an Ed25519 key for cosignatures"
    );
    let unknown = |name: &str| format!("no earlier line defines a witness or group {name}");
    for (text, line, reason) in [
        (String::new(), 1, "no line names the quorum; add quorum NAME, or quorum none"),
        (witness.clone(), 1, "no line names the quorum; add quorum NAME, or quorum none"),
        ("quorum none\nquorum none\n".to_owned(), 2, form),
        ("quorum\n".to_owned(), 1, form),
        ("Quorum none\n".to_owned(), 1, form),
        ("log\n".to_owned(), 1, form),
        (format!("{} https://a.example b\n", witness.trim_end()), 1, form),
        (
            format!("{} ftp://a.example\n", witness.trim_end()),
            1,
            "the address of the witness one must begin with https:// or http://",
        ),
        ("group g any\n".to_owned(), 1, form),
        ("quorum none\r\n".to_owned(), 1, "it has the character '\\r', which a policy cannot have"),
        (format!("log {one}\n"), 1, &*no_log),
        (format!("witness log {log}\n"), 1, &*no_witness),
        (format!("log {log}\nlog {log} https://a.example\n"), 2, again),
        (format!("{witness}witness two {}\n", renamed(one)), 2, again),
        (format!("{witness}witness one {two}\n"), 2, "the name one has a meaning already"),
        (format!("witness none {one}\n"), 1, "the name none has a meaning already"),
        (format!("{witness}group one any one\n"), 2, "the name one has a meaning already"),
        (format!("{witness}group g any g\n"), 2, &*unknown("g")),
        (format!("{witness}group g any none\n"), 2, &*unknown("none")),
        ("quorum g\n".to_owned(), 1, &*unknown("g")),
        (format!("{witness}group g 0 one\n"), 2, needed),
        (format!("{witness}group g 2 one\n"), 2, needed),
        (format!("{witness}group g +1 one\n"), 2, needed),
        (format!("{witness}group g any one one\n"), 2, "one is in a group already"),
        (format!("{witness}group g any one\ngroup h any one\n"), 3, "one is in a group already"),
    ] {
        let error = Policy::parse(text.as_bytes()).unwrap_err();
        assert_eq!(error, PolicyError { line, reason: reason.to_owned() }, "{text}");
        assert_eq!(error.to_string(), format!("line {line}: {reason}"));
    }
}

#[test]
fn a_log_is_not_proved_without_the_quorum() {
    let keys = keys(2);
    let [one, two] = &*keys else { panic!("two keys") };
    let lines = format!("witness 1 {}\nwitness 2 {}\n", one.verifier_key(), two.verifier_key());
    let files = |quorum: &str, checkpoint: Vec<u8>| {
        let policy =
            Policy::parse(format!("{lines}group all all 1 2\nquorum {quorum}\n").as_bytes());
        Files { policy: policy.unwrap(), checkpoint, ..Site::new().files() }
    };
    let names = |files: &Files| -> Vec<String> {
        files.verify().proved.unwrap().witnessed.into_iter().map(|it| it.witness).collect()
    };
    assert_eq!(names(&files("all", signed(&[one, two]))), ["w0.example", "w1.example"]);
    assert_eq!(names(&files("1", signed(&[one]))), ["w0.example"]);
    assert_eq!(names(&files("none", signed(&[]))), [""; 0]);
    let unmet = |names: &str| {
        format!(
            "The quorum of the policy has not signed the checkpoint; of its witnesses {names} has. They \
             were not reached, or have seen another log than this one: ask the owner to run candor log \
             add again, or the witnesses what they have seen."
        )
    };
    finds(&files("all", signed(&[one])), &[(Code::Witness, None, &unmet("w0.example"))]);
    finds(&files("2", signed(&[])), &[(Code::Witness, None, &unmet("none"))]);
    // The signature of another checkpoint.
    let mut note = signed(&[]);
    let other =
        one.cosign(b"other\n1\nAAAA\n\n\xe2\x80\x94 other AAAAAAAA\n", Timestamp::UNIX_EPOCH);
    note.extend(other.unwrap().split_inclusive(|byte| *byte == b'\n').next_back().unwrap());
    let forged = "The checkpoint cannot be trusted: the signature of the witness w0.example does not fit the checkpoint: \
                  one of them was changed, or somebody who does not have the key made the signature.";
    finds(&files("none", note), &[(Code::Witness, None, forged)]);
}
