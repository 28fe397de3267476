//! Revoked keys of the log.

use serde_json::Value;

use super::{
    CHECKPOINT, KEY, SETTINGS, add, built, edit,
    keys::{NEW, keys, rotate, signatures},
    live::{lying, verify},
    witnesses::with_witness,
};
use crate::{
    project::{Project, Run, SITE},
    verify::faulty_site::FaultySite,
};

const DAY: &str = "2026-05-02";

/// The id of a verifier key.
fn id(key: &str) -> String {
    key.split('+').nth(1).unwrap().to_owned()
}

fn revoke(project: &Project, key: &str, by: &str) -> Run {
    project.candor(["log", "revoke", key, "--from", DAY, "--key-file", by])
}

/// A site whose first key is revoked, and both keys.
fn revoked() -> (Project, Vec<String>) {
    let project = built(3);
    rotate(&project, None).exits(0);
    let keys = keys(&project);
    revoke(&project, &id(&keys[0]), NEW).exits(0).says(&format!(
        "revoked {}: what it signs from {DAY} on does not count; publish it with: candor build\n",
        keys[0]
    ));
    project.build();
    (project, keys)
}

#[test]
fn a_revoked_key_is_published_with_the_day_and_named_by_verify() {
    let (project, keys) = revoked();
    let published = project.json("public/.well-known/candor-log.json");
    let note = published["revoked"][0].as_str().unwrap();
    let text = format!("candor log revocation v1\n{}\n{DAY}\n\n", keys[0]);
    assert!(note.starts_with(&text), "{note}");
    assert_eq!((published["keys"].as_array().unwrap().len(), signatures(&project)), (2, 1));
    let honest = FaultySite::honest(&project);
    verify(&project, &honest, &[]).exits(0).says(&format!(
        "revoked: {}; its signatures do not count from {DAY} on, and the log is signed by another key\n",
        keys[0]
    ));
    let report: Value =
        serde_json::from_str(&verify(&project, &honest, &["--json"]).exits(0).out).unwrap();
    assert_eq!(report["revoked"], serde_json::json!([{ "key": keys[0], "from": DAY }]));
    let run = verify(&project, &honest, &["--log-key", &keys[0]]).exits(1);
    run.says(
        "FAIL  every key that you trust was revoked, so nothing that they signed counts for the log of today: ask the owner for the new key, and give it with --log-key\n",
    );
}

#[test]
fn what_the_revoked_key_alone_signs_is_refused() {
    let (project, keys) = revoked();
    // Whoever stole the key signs the same log.
    let thief = built(3);
    thief.write(SETTINGS, project.text(SETTINGS).split("revoked").next().unwrap());
    thief.write(KEY, project.text(KEY));
    for file in ["entries.ndjson", "salts.ndjson", "checkpoints.ndjson", "checkpoint"] {
        thief.write(&format!("content/log/{file}"), project.text(&format!("content/log/{file}")));
    }
    std::fs::remove_dir_all(thief.path("public")).unwrap();
    thief.write("both.key", project.text(NEW) + &project.text(KEY));
    edit(&thief, "Words of review 1.", "Other words.");
    thief.candor(["log", "add", "--key-file", "both.key"]).exits(0);
    let note = thief.text(CHECKPOINT);
    assert_eq!(signatures(&thief), 2);
    // The signature of the new key is the last line or the one before.
    let kept: String = note
        .lines()
        .filter(|line| !is_signed_by(line, &keys[1]))
        .map(|line| format!("{line}\n"))
        .collect();
    let forged = lying(&project, "/log/checkpoint", move |_| kept.clone().into_bytes());
    let run = verify(&project, &forged, &[]).exits(1);
    run.says(&format!(
        "FAIL  The checkpoint cannot be trusted: no key that counts has signed it, only {}, revoked from {DAY} on: whoever has a revoked key can have made it. Ask the owner; the newest key of the log has to sign it.\n",
        keys[0]
    ));
}

/// Whether a line of a note is the signature of a key: its first four bytes are the key's id.
fn is_signed_by(line: &str, key: &str) -> bool {
    use base64::prelude::{BASE64_STANDARD, Engine};
    let signature = line.strip_prefix("\u{2014} ").and_then(|line| line.split(' ').nth(1));
    let bytes = signature.and_then(|text| BASE64_STANDARD.decode(text).ok());
    bytes.is_some_and(|bytes| contract::hex::to_hex(&bytes[..4]) == id(key))
}

#[test]
fn a_kept_checkpoint_counts_if_it_is_older_than_the_revocation() {
    let project = built(3);
    project.write("kept", project.text(CHECKPOINT));
    rotate(&project, None).exits(0);
    let keys = keys(&project);
    let since = ["--since", "kept", "--log-key", &keys[0], "--log-key", &keys[1]];
    project.candor(["log", "revoke", &keys[0], "--from", "2999-01-01", "--key-file", NEW]).exits(0);
    project.build();
    let before = project.text("kept");
    verify(&project, &FaultySite::honest(&project), &since).exits(0);
    // Of a day before the entries.
    let settings = project.text(SETTINGS);
    project.write(SETTINGS, settings.split("revoked").next().unwrap());
    project.candor(["log", "revoke", &keys[0], "--from", "2001-01-01", "--key-file", NEW]).exits(0);
    project.build();
    project.write("kept", before);
    let run = verify(&project, &FaultySite::honest(&project), &since).exits(1);
    run.says(&format!(
        "is signed by {} alone, which was revoked: its signatures do not count from 2001-01-01 on; take an older checkpoint, or begin anew without one\n",
        keys[0]
    ));
}

#[test]
fn the_newest_other_key_signs_and_a_revoked_one_never_again() {
    let project = built(3);
    let first = keys(&project)[0].clone();
    let run = revoke(&project, &first, KEY).exits(1);
    assert_eq!(
        run.err,
        "error: the log has no other key, which has to sign the revocation; make one first: candor log init --rotate\n"
    );
    rotate(&project, None).exits(0);
    let second = keys(&project)[1].clone();
    let run = revoke(&project, &first, KEY).exits(1);
    assert_eq!(
        run.err,
        format!(
            "error: the newest private key of the log is needed, the one of the verifier key {second}; log.key does not have it\n"
        )
    );
    revoke(&project, &first, NEW).exits(0);
    for unknown in [&*id(&first), "00000000"] {
        let run = revoke(&project, unknown, NEW).exits(1);
        assert_eq!(
            run.err,
            format!(
                "error: the log has no key {unknown}, or it is revoked already: name one of log.toml, whole or by the eight digits of its id\n"
            )
        );
    }
    project.write("both.key", project.text(NEW) + &project.text(KEY));
    edit(&project, "Words of review 1.", "Other words.");
    project.candor(["log", "add", "--key-file", "both.key"]).exits(0);
    assert_eq!(signatures(&project), 1);
    edit(&project, "Other words.", "Yet other words.");
    add(&project)
        .exits(1)
        .complains(&format!("the one of the verifier key {second}; log.key does not have it\n"));
    project.candor(["log", "revoke", "x", "--from", "soon"]).exits(64).complains("soon");
}

#[test]
fn a_revocation_that_was_changed_is_refused_where_it_is_read() {
    let (project, _) = revoked();
    let changed = lying(&project, "/.well-known/candor-log.json", |body| {
        String::from_utf8(body).unwrap().replace(DAY, "2026-05-03").into_bytes()
    });
    verify(&project, &changed, &[]).exits(1).says(
        "FAIL  /.well-known/candor-log.json: a revocation must name a key of the log and a day, and another key of the log must have signed it\n",
    );
    project.write(SETTINGS, project.text(SETTINGS).replace(DAY, "2026-05-03"));
    project.candor(["build"]).exits(1).complains(
        "content/log/log.toml: error[damaged-log]: a revocation must name a key of the log and a day, and another key of the log must have signed it;",
    );
}

#[test]
fn another_key_and_a_revocation_keep_what_the_witnesses_signed() {
    let (project, witness) = with_witness();
    add(&project).exits(0).says("signed by one\n");
    let note = project.text(CHECKPOINT);
    let line = note.lines().last().unwrap().to_owned();
    witness.requests();
    rotate(&project, Some(KEY)).exits(0);
    assert!(project.text(CHECKPOINT).contains(&line), "{}", project.text(CHECKPOINT));
    assert_eq!(signatures(&project), 3, "of both keys and of the witness");
    rotate_again(&project);
    let first = keys(&project)[0].clone();
    project.candor(["log", "revoke", &first, "--key-file", "third.key"]).exits(0);
    assert!(project.text(CHECKPOINT).contains(&line), "{}", project.text(CHECKPOINT));
    assert_eq!(signatures(&project), 2, "of the newest key and of the witness");
    project.build();
    verify(&project, &FaultySite::honest(&project), &[])
        .exits(0)
        .says("ok    witnessed: witness.example/w signed this log on ");
    assert_eq!(witness.requests(), [""; 0], "none of it needs the witness");
}

/// Makes a third key, with none of the others at hand.
fn rotate_again(project: &Project) {
    project.candor(["log", "init", "--rotate", "--key-file", "third.key"]).exits(0);
}

#[test]
fn the_page_that_verifies_says_it_in_every_language() {
    let (project, keys) = revoked();
    for (language, words) in [
        ("en", "was revoked: what it signed from May 2, 2026 on does not count"),
        ("de", "wurde widerrufen: Was er ab 2. Mai 2026 signiert hat, zählt nicht"),
        ("es", "se revocó: lo que haya firmado desde el 2 de mayo de 2026 no cuenta"),
        ("fr", "a été révoquée : ce qu’elle a signé à partir du 2 mai 2026 ne compte pas"),
        ("nl", "is ingetrokken: wat ermee vanaf 2 mei 2026 is ondertekend, telt niet"),
    ] {
        let site = SITE.replace("language = \"en\"", &format!("language = \"{language}\""));
        project.write("content/site.toml", site);
        project.build();
        let page = project.text("public/proof/index.html");
        let plain = page
            .replace("&#x2f;", "/")
            .replace("&#43;", "+")
            .replace("&#x3d;", "=")
            .replace('\u{a0}', " ");
        assert!(plain.contains(words) && plain.contains(&keys[0]), "{language}: {plain}");
    }
}
