//! Witnesses: `candor log witness-key`, `cosign` and `keep`, and what readers get of it.

use serde_json::Value;

use super::{CHECKPOINT, ENTRIES, KEY, SALTS, SETTINGS, add, built, edit, with_log};
use crate::{
    project::{Project, Run},
    verify::faulty_site::FaultySite,
};

const WITNESS: &str = "witness.key";
const SEEN: &str = "seen";

/// Makes a witness, and returns its verifier key.
fn witness(project: &Project) -> String {
    let run =
        project.candor(["log", "witness-key", "witness.example", "--key-file", WITNESS]).exits(0);
    let key = run.out.lines().nth(1).unwrap().trim().to_owned();
    assert_eq!(
        run.out,
        format!(
            "verifier key of the witness, for the owners of logs:\n  {key}\n\
             the private key is in {WITNESS}; keep a copy where nobody else reads it, and never in a repository\n\
             in CI, make it the secret CANDOR_WITNESS_KEY; then run candor log cosign\n"
        )
    );
    key
}

fn cosign(project: &Project, url: &str) -> Run {
    project.candor(["log", "cosign", url, "--since", SEEN, "--key-file", WITNESS])
}

/// The witness looks at the honest site, and the owner keeps what it signs.
fn witnessed(project: &Project) -> String {
    let key = witness(project);
    cosign(project, &FaultySite::honest(project).url()).exits(0);
    project.candor(["log", "keep", SEEN, "--witness", &key]).exits(0);
    key
}

#[test]
fn what_a_witness_signs_is_published_and_read() {
    let project = built(3);
    let key = witness(&project);
    let site = FaultySite::honest(&project);
    let run = cosign(&project, &site.url()).exits(0);
    run.says("ok    complete: each of the 3 reviews")
        .says("signed as witness.example; seen has the signed checkpoint: publish it, or send it to the owner of the log\n");
    let note = project.text(SEEN);
    assert!(note.starts_with(&project.text("public/log/checkpoint")), "{note}");

    let run = project.candor(["log", "keep", SEEN, "--witness", &key]).exits(0);
    assert_eq!(
        run.out,
        "kept: witness.example has signed the log of 4 entries; publish it with: candor build\n"
    );
    project.build();
    let id = key.split('+').nth(1).unwrap();
    assert_eq!(project.text(&format!("public/log/witness/{id}.txt")), note);
    assert!(project.text("public/.well-known/candor-log.json").contains(&key));
    assert!(project.text(SETTINGS).contains(&format!("witnesses = [\n    \"{key}\",\n]\n")));

    // The log grows, and what the witness saw is still its beginning.
    edit(&project, "Words of review 1.", "Other words.");
    add(&project).exits(0);
    project.build();
    let site = FaultySite::honest(&project);
    let run = project.candor(["verify", "--log", &site.url()]).exits(0);
    run.says("ok    witnessed: witness.example signed on ")
        .says(" that it had seen the log with 4 entries, and the log continues it\n")
        .says("skip  not proved: that a witness is independent of the owner, since the site itself names it\n");
    cosign(&project, &site.url())
        .exits(0)
        .says("it continues the log of 4 entries that was kept last time");
    let keep = ["log", "keep", SEEN, "--exit-code"];
    project.candor(keep).exits(0).says("kept: witness.example has signed the log of 6 entries");
    let run = project.candor(keep).exits(2);
    assert_eq!(run.out, "nothing to keep: the log has this signature or a newer one\n");
}

#[test]
fn a_witness_signs_no_log_that_contradicts_what_it_saw() {
    let project = built(3);
    witness(&project);
    cosign(&project, &FaultySite::honest(&project).url()).exits(0);
    let seen = project.text(SEEN);
    std::fs::remove_dir_all(project.path("content/log")).unwrap();
    std::fs::remove_dir_all(project.path("public")).unwrap();
    project.candor(["log", "init", "--key-file", "second.key"]).exits(0);
    project.candor(["log", "add", "--key-file", "second.key"]).exits(0);
    project.build();
    let run = cosign(&project, &FaultySite::honest(&project).url()).exits(1);
    run.says("FAIL  the checkpoint that was kept last time cannot be compared");
    assert_eq!(project.text(SEEN), seen);
}

#[test]
fn a_witness_needs_its_key() {
    let project = built(3);
    let run = project.candor(["log", "cosign", "http://127.0.0.1:9/", "--since", SEEN]).exits(1);
    assert_eq!(
        run.err,
        "error: the private key of the witness is needed: name its file with --key-file FILE, or put the key into the variable CANDOR_WITNESS_KEY; candor log witness-key NAME makes one\n"
    );
    let run = project
        .candor(["log", "cosign", "http://127.0.0.1:9/", "--since", SEEN, "--key-file", KEY])
        .exits(1);
    assert_eq!(
        run.err,
        "error: the private key in log.key cannot be used: the private key must be the whole line PRIVATE+KEY+<name>+<id>+<base64> that `candor log init` or `candor log witness-key` printed; this one is incomplete, has other characters, or is of another kind\n"
    );
}

#[test]
fn only_what_a_witness_signed_of_this_log_is_kept() {
    let project = built(3);
    let key = witness(&project);
    cosign(&project, &FaultySite::honest(&project).url()).exits(0);
    let keep = |flags: &[&str]| {
        project.candor(["log", "keep", SEEN].into_iter().chain(flags.iter().copied())).exits(1).err
    };
    assert_eq!(
        keep(&[]),
        "error: the checkpoint cannot be kept: the log has no witnesses yet; name the verifier key of a new one with --witness KEY\n"
    );
    let before = project.text(SETTINGS);
    let other = project.candor(["log", "witness-key", "other.example"]).exits(0);
    let other = other.out.lines().nth(1).unwrap().trim().to_owned();
    assert_eq!(
        keep(&["--witness", &other]),
        "error: the checkpoint cannot be kept: of the witnesses of the log (other.example) none has signed it; name the verifier key of a new one with --witness KEY\n"
    );
    assert_eq!(project.text(SETTINGS), before);
    project.candor(["log", "keep", SEEN, "--witness", &key]).exits(0);
    let signed = project.text(SEEN);
    project.write(SEEN, signed.replacen("\n4\n", "\n3\n", 1));
    assert!(keep(&[]).starts_with("error: the signature of the key reviews.example/log+"));
    std::fs::remove_file(project.path(SEEN)).unwrap();
    assert!(keep(&[]).starts_with("error: seen cannot be read: "));
}

/// The owner takes the log back to what it was before the witness saw it.
#[test]
fn a_log_that_lost_what_a_witness_signed_is_not_built_and_keeps_nothing() {
    let project = with_log(3);
    let empty = [ENTRIES, SALTS, CHECKPOINT].map(|file| (file, project.text(file)));
    add(&project).exits(0);
    project.build();
    let key = witness(&project);
    cosign(&project, &FaultySite::honest(&project).url()).exits(0);
    let take_back = || empty.iter().for_each(|(file, text)| project.write(file, text));
    let logged = [ENTRIES, SALTS, CHECKPOINT].map(|file| (file, project.text(file)));

    take_back();
    let run = project.candor(["log", "keep", SEEN, "--witness", &key]).exits(1);
    assert_eq!(
        run.err,
        "error: the witness witness.example has signed another log of 4 entries than this one was: it was shown another one, or entries of this log are missing or were changed since; take the newest content/log from version control\n"
    );
    logged.iter().for_each(|(file, text)| project.write(file, text));
    project.candor(["log", "keep", SEEN, "--witness", &key]).exits(0);
    take_back();
    let id = key.split('+').nth(1).unwrap();
    let message = format!(
        "content/log/witness/{id}: error[damaged-log]: the witness witness.example has signed other entries than the first 4 of the log; take content/log as it last was from version control; only candor log and candor forget change it\n"
    );
    let run = project.candor(["build"]).exits(1);
    assert!(run.err.contains(&message), "{run:#?}");
}

#[test]
fn a_build_publishes_no_signature_that_does_not_fit() {
    let project = built(3);
    let key = witnessed(&project);
    let id = key.split('+').nth(1).unwrap();
    let file = format!("content/log/witness/{id}");
    let note = project.text(&file);
    // Another time than the one that was signed.
    let line = note.lines().last().unwrap();
    let at = line.len() - 20;
    let swapped = if line[at..].starts_with('A') { "B" } else { "A" };
    project
        .write(&file, note.replace(line, &format!("{}{swapped}{}", &line[..at], &line[at + 1..])));
    super::assert_refused(
        &project,
        &format!(
            "{file}: error[damaged-log]: the signature of the witness witness.example does not fit the checkpoint: one of them was changed, or somebody who does not have the key made the signature; take content/log as it last was from version control; only candor log and candor forget change it\n"
        ),
    );
    project.write(&file, note);
    project.write(SETTINGS, project.text(SETTINGS).replace(&key, "no key"));
    let run = project.candor(["build"]).exits(1);
    assert!(
        run.err.contains("error[damaged-log]: \"no key\" is not the verifier key of a witness"),
        "{run:#?}"
    );
}

#[test]
fn a_site_that_contradicts_its_witness_is_found() {
    let project = built(3);
    let key = witnessed(&project);
    project.build();
    let id = key.split('+').nth(1).unwrap().to_owned();
    let site = FaultySite::telling(&project, move |asked, told| {
        if asked.path == format!("/log/witness/{id}.txt") {
            told.body[0] ^= 1;
        }
    });
    let run = project.candor(["verify", "--log", &site.url()]).exits(1);
    run.says("FAIL  what a witness has signed cannot be used: ");
    // A site cannot hide one behind many others.
    let site = FaultySite::telling(&project, |asked, told| {
        if asked.path == "/.well-known/candor-log.json" {
            let mut keys: Value = serde_json::from_slice(&told.body).unwrap();
            let witness = keys["witnesses"][0].clone();
            keys["witnesses"] = vec![witness; 17].into();
            told.body = keys.to_string().into_bytes();
        }
    });
    let run = project.candor(["verify", "--log", &site.url()]).exits(1);
    run.says(
        "FAIL  the site names 17 witnesses; only the signatures of the first 16 were checked\n",
    );
    // A witness that has not signed yet is not a fault.
    let site = FaultySite::telling(&project, |asked, told| {
        if asked.path.starts_with("/log/witness/") {
            told.status = 404;
        }
    });
    let run = project.candor(["verify", "--log", &site.url()]).exits(0);
    assert!(!run.out.contains("witness"), "{run:#?}");
}
