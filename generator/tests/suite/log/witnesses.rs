//! Witnesses: what `candor log add` asks them, what `candor log cosign` signs, and what readers get of it.

use review_log::{LogKey, monitoring_path};

use super::{
    CHECKPOINT, ENTRIES, KEY, SALTS, SETTINGS, add, assert_refused, built, edit,
    live::{codes, verify},
    witness::Witness,
};
use crate::{
    project::{Project, Run},
    review::id,
    verify::faulty_site::FaultySite,
};

const POLICY: &str = "content/log/policy";
const SEEN: &str = "seen";
const WITNESS: &str = "witness.key";
const UNMET: &str = "the quorum of content/log/policy has not signed: candor verify --log fails where this log is published; run candor log add again later, or name another quorum\n";
const OTHER_LOG: &str = "it has signed another log than this one is: it was shown another one, or entries of this log are missing or were changed since; take the newest content/log from version control";

fn add_with(project: &Project, flag: &str) -> Run {
    project.candor(["log", "add", "--key-file", KEY, flag])
}

/// A site with a log and a witness, which has signed nothing yet.
pub(super) fn with_witness() -> (Project, Witness) {
    let project = built(3);
    let witness = Witness::of(&project, "witness.example/w");
    project.write(POLICY, format!("{}quorum one\n", witness.line("one")));
    (project, witness)
}

#[test]
fn witnesses_sign_what_is_logged_and_readers_ask_for_the_quorum() {
    let (project, witness) = with_witness();
    let run = add(&project).exits(0);
    assert_eq!(
        run.out,
        "nothing to log: the log says what the content says (4 entries)\nsigned by one\n"
    );
    let note = project.text(CHECKPOINT);
    let (unsigned, line) = note.split_at(note.rfind("— witness.example/w ").unwrap());
    assert_eq!(witness.requests(), [format!("old 0\n\n{unsigned}")]);
    assert_eq!(line.lines().count(), 1);
    add_with(&project, "--exit-code").exits(2);
    assert_eq!(witness.requests(), [""; 0], "it has signed");

    project.build();
    assert_eq!(project.text("public/log/checkpoint"), note);
    let key = project.text(SETTINGS).split('"').nth(3).unwrap().to_owned();
    let policy =
        format!("log {key} https://reviews.example/log\n{}quorum one\n", witness.line("one"));
    assert_eq!(project.text("public/log/policy.txt"), policy);
    let named = project.json("public/.well-known/candor-log.json");
    assert_eq!(named["policy"], "https://reviews.example/log/policy.txt");
    let site = FaultySite::honest(&project);
    let run = verify(&project, &site, &[]).exits(0);
    run.says("ok    witnessed: witness.example/w signed this log on ")
        .says(", and that it continues what it had seen before\n")
        .says("skip  not proved: that a witness is independent of the owner, since the site itself names it: give the ones that you trust with --policy FILE\n");

    // The log grows, and the witness has a proof that it continues.
    edit(&project, "Words of review 1.", "Other words.");
    let run = add(&project).exits(0);
    run.says("logged 2 entries: 1 changed, 1 set; the log then has 6; publish it with: candor build\nsigned by one\n");
    let [request] = &*witness.requests() else { panic!("one request") };
    assert!(request.starts_with("old 4\n"), "{request}");
    assert!(request.split_once("\n\n").unwrap().0.lines().count() > 1, "{request}");
    project.build();
    verify(&project, &FaultySite::honest(&project), &[]).exits(0).says("ok    witnessed: ");
    // The receipt of a review that has not changed keeps the first checkpoint, with its signatures.
    let receipt = project.text(&format!("public/log/proof/{}.tlog-proof", id(2)));
    assert!(receipt.ends_with(&note), "{receipt}");
}

#[test]
fn a_reader_may_bring_another_policy() {
    let (project, witness) = with_witness();
    add(&project).exits(0);
    project.build();
    let site = FaultySite::honest(&project);
    let own = project.text("public/log/policy.txt");
    let key = own.split(' ').nth(1).unwrap().to_owned();
    project.write("own", &own);
    let run = verify(&project, &site, &["--policy", "own"]).exits(0);
    let run = run.says("ok    witnessed: witness.example/w signed this log on ");
    assert!(!run.out.contains("independent") && !run.out.contains("--log-key"), "{run:#?}");

    let stranger = Witness::of(&project, "stranger.example");
    let both = |quorum: &str| {
        let lines = format!("{}{}", witness.line("one"), stranger.line("two"));
        project.write("own", format!("{lines}group both all one two\nquorum {quorum}\n"));
        verify(&project, &site, &["--policy", "own"])
    };
    both("one").exits(0);
    both("none").exits(0);
    both("both").exits(1).says(
        "FAIL  The quorum of the policy has not signed the checkpoint; of its witnesses witness.example/w has. They were not reached, or have seen another log than this one: ask the owner to run candor log add again, or the witnesses what they have seen.\n",
    );
    both("two").exits(1);
    project.write("own", format!("{}quorum two\n", stranger.line("two")));
    let run = verify(&project, &site, &["--policy", "own"]).exits(1);
    run.says(
        "FAIL  The quorum of the policy has not signed the checkpoint; of its witnesses none has. ",
    );
    assert_eq!(codes(&project, &site, &["--policy", "own"]), ["witness"]);
    // Its keys are the ones that count.
    let other = LogKey::generate("reviews.example/log").unwrap();
    project.write("own", own.replace(&key, other.verifier_key()));
    assert_eq!(codes(&project, &site, &["--policy", "own"]), ["checkpoint"]);
    project.write("own", "quorum nobody\n");
    assert_eq!(
        verify(&project, &site, &["--policy", "own"]).exits(1).err,
        "error: the policy own cannot be read: line 1: no earlier line defines a witness or group nobody\n"
    );
    let run = verify(&project, &site, &["--policy", "missing"]).exits(1);
    run.complains("error: the policy missing cannot be read: ");
}

#[test]
fn a_witness_that_has_seen_less_says_so_and_gets_the_proof() {
    let (project, witness) = with_witness();
    add(&project).exits(0);
    let edits = ["Words of review 1.", "Other words.", "Words."];
    for words in edits.windows(2) {
        edit(&project, words[0], words[1]);
        add_with(&project, "--no-witnesses").exits(0);
    }
    witness.requests();
    add(&project).exits(0).says("signed by one\n");
    let sizes: Vec<String> = witness
        .requests()
        .iter()
        .map(|request| request.lines().next().unwrap().to_owned())
        .collect();
    assert_eq!(sizes, ["old 6", "old 4"]);
}

#[test]
fn a_witness_that_does_not_sign_is_named_and_stops_nothing() {
    let project = built(3);
    let key = Witness::of(&project, "witness.example").key;
    let signed = |wrong: bool| {
        // A line of the right form: the key has four bytes of id, then come the time and the signature.
        let other = Witness::of(&project, "witness.example");
        project.write(POLICY, format!("{}quorum none\n", other.line("other")));
        add(&project).exits(0);
        let note = project.text(CHECKPOINT);
        let at = note.rfind('—').unwrap();
        project.write(CHECKPOINT, &note[..at]);
        let key = if wrong { key.clone() } else { other.key };
        (key, note[at..].to_owned())
    };
    let (_, strange) = signed(true);
    let (own, line) = signed(false);
    let end = line.len() - 20;
    let swapped = if line[end..].starts_with('A') { "B" } else { "A" };
    let forged = format!("{}{swapped}{}", &line[..end], &line[end + 1..]);
    for (key, status, body, reason) in [
        (
            &key,
            403,
            "",
            "its answer is 403; its operator has to know the log and its newest key, in content/log/log.toml",
        ),
        (
            &key,
            404,
            "",
            "its answer is 404; its operator has to know the log and its newest key, in content/log/log.toml",
        ),
        (&key, 503, "", "its answer is 503"),
        (&key, 409, "", "its answer is 409 without the size that it signed last"),
        (&key, 409, "9999", OTHER_LOG),
        (&key, 422, "", OTHER_LOG),
        (&key, 200, &*strange, "its answer has no signature of the key in the policy"),
        (
            &own,
            200,
            &*forged,
            "the signature of the witness witness.example does not fit the checkpoint: one of them was changed, or somebody who does not have the key made the signature",
        ),
        (
            &key,
            200,
            "<html>",
            "its answer is not a signature of the checkpoint (C2SP tlog-witness)",
        ),
    ] {
        let body = body.to_owned();
        let site = FaultySite::telling(&project, move |asked, told| {
            if asked.method == "POST" {
                (told.status, told.body) = (status, body.clone().into_bytes());
            }
        });
        project.write(POLICY, format!("witness one {key} {}\nquorum one\n", site.url()));
        let run = add(&project).exits(0);
        assert_eq!(run.err, format!("the witness one has not signed: {reason}\n{UNMET}"));
    }
    // What happened is logged all the same, and another witness signs it.
    let witness = Witness::of(&project, "other.example");
    let lines = format!("witness one {key} http://127.0.0.1:1/\n{}", witness.line("two"));
    project.write(POLICY, format!("{lines}group some any one two\nquorum some\n"));
    edit(&project, "Words of review 1.", "Other words.");
    let run = add(&project).exits(0);
    let run = run.says("logged 2 entries").says("signed by two\n");
    assert!(run.err.starts_with("the witness one has not signed: "), "{run:#?}");
    assert_eq!(run.err.lines().count(), 1, "the quorum has signed");
    project.write(POLICY, format!("witness one {key} nowhere\nquorum none\n"));
    assert_eq!(
        add(&project).exits(1).err,
        "content/log/policy:1: error[invalid-policy]: the address of the witness one must begin with https:// or http://; write it as C2SP tlog-policy has it, without log lines\nerror: nothing was logged; fix the errors above\n"
    );
}

/// The owner takes the log back to what it was before the witness saw it.
#[test]
fn a_witness_signs_no_other_log_in_place_of_the_one_it_saw() {
    let (project, witness) = with_witness();
    let files = [ENTRIES, SALTS, CHECKPOINT].map(|file| (file, project.text(file)));
    edit(&project, "Words of review 1.", "Other words.");
    add(&project).exits(0).says("signed by one\n");
    let take_back = || files.iter().for_each(|(file, text)| project.write(file, text));
    let refused = format!("the witness one has not signed: {OTHER_LOG}\n{UNMET}");
    // It is as long, with other entries.
    take_back();
    edit(&project, "Other words.", "Words.");
    assert_eq!(add(&project).exits(0).err, refused);
    // It is shorter.
    take_back();
    edit(&project, "Words.", "Words of review 1.");
    assert_eq!(add(&project).exits(0).err, refused);
    assert_eq!(witness.requests().len(), 5);
}

fn cosign(project: &Project, url: &str, flags: &[&str]) -> Run {
    let command = ["log", "cosign", url, "--since", SEEN, "--key-file", WITNESS];
    project.candor(command.into_iter().chain(flags.iter().copied()))
}

#[test]
fn a_witness_without_a_server_publishes_what_it_signs() {
    let project = built(3);
    let site = FaultySite::honest(&project);
    let run = cosign(&project, &site.url(), &["--name", "witness.example"]).exits(0);
    let key = run.out.lines().nth(1).unwrap().trim().to_owned();
    let path = monitoring_path("reviews.example/log");
    run.says(&format!(
        "verifier key of the witness, for the owners of logs:\n  {key}\n\
         the private key is in {WITNESS}; in CI, make it the secret CANDOR_WITNESS_KEY, and keep it in no repository\n"
    ))
    .says("ok    complete: each of the 3 reviews")
    .says(&format!(
        "signed as witness.example; seen has the signed checkpoint: publish it as {path} below the address that the owner's policy has for the witness\n"
    ));
    assert!(project.text(SEEN).starts_with(&project.text("public/log/checkpoint")));
    let again = cosign(&project, &site.url(), &["--name", "witness.example"]).exits(1);
    again.complains("error: the key file witness.key cannot be written: ");

    let (file, path) = (project.path(SEEN), format!("/{path}"));
    let server = FaultySite::telling(&project, move |asked, told| {
        if asked.path == path {
            (told.status, told.body) = (200, std::fs::read(&file).unwrap());
        }
    });
    project.write(POLICY, format!("witness free {key} {}\nquorum free\n", server.url()));
    add(&project).exits(0).says("signed by free\n");
    project.build();
    verify(&project, &FaultySite::honest(&project), &[])
        .exits(0)
        .says("ok    witnessed: witness.example signed this log on ");

    edit(&project, "Words of review 1.", "Other words.");
    assert_eq!(
        add(&project).exits(0).err,
        format!(
            "the witness free has not signed: it has signed 4 entries so far, and comes to see the rest once it is published\n{UNMET}"
        )
    );
    // The quorum that is not met does not keep a witness from signing.
    project.build();
    let site = FaultySite::honest(&project);
    assert_eq!(codes(&project, &site, &[]), ["witness"]);
    let run = cosign(&project, &site.url(), &[]).exits(0);
    run.says("it continues the log of 4 entries that was kept last time");
    add_with(&project, "--exit-code").exits(0).says("signed by free\n");
    // It has seen entries that the log does not have any more.
    let other = project.text(SEEN).replace("\n6\n", "\n5\n");
    project.write(SEEN, other);
    edit(&project, "Other words.", "Words.");
    add(&project).exits(0).complains(
        "the witness free has not signed: the signature of the key reviews.example/log+",
    );
}

#[test]
fn a_witness_signs_no_log_that_contradicts_what_it_saw() {
    let project = built(3);
    cosign(&project, &FaultySite::honest(&project).url(), &["--name", "witness.example"]).exits(0);
    let seen = project.text(SEEN);
    std::fs::remove_dir_all(project.path("content/log")).unwrap();
    std::fs::remove_dir_all(project.path("public")).unwrap();
    project.candor(["log", "init", "--key-file", "second.key"]).exits(0);
    project.candor(["log", "add", "--key-file", "second.key"]).exits(0);
    project.build();
    let run = cosign(&project, &FaultySite::honest(&project).url(), &[]).exits(1);
    run.says("FAIL  the checkpoint that was kept last time cannot be compared");
    assert_eq!(project.text(SEEN), seen);
}

#[test]
fn a_witness_needs_its_key() {
    let project = built(3);
    let run = project.candor(["log", "cosign", "http://127.0.0.1:9/", "--since", SEEN]).exits(1);
    assert_eq!(
        run.err,
        "error: the private key of the witness is needed: name its file with --key-file FILE, or put the key into the variable CANDOR_WITNESS_KEY; candor log cosign --name NAME makes one\n"
    );
    let run = project
        .candor(["log", "cosign", "http://127.0.0.1:9/", "--since", SEEN, "--key-file", KEY])
        .exits(1);
    assert_eq!(
        run.err,
        "error: the private key in log.key cannot be used: the private key must be the whole line PRIVATE+KEY+<name>+<id>+<base64> that `candor log init` or `candor log cosign --name` made; this one is incomplete, has other characters, or is of another kind\n"
    );
}

#[test]
fn a_build_publishes_no_signature_that_does_not_fit() {
    let (project, _witness) = with_witness();
    add(&project).exits(0);
    let note = project.text(CHECKPOINT);
    // Another time than the one that was signed.
    let at = note.trim_end().len() - 20;
    let swapped = if note[at..].starts_with('A') { "B" } else { "A" };
    project.write(CHECKPOINT, format!("{}{swapped}{}", &note[..at], &note[at + 1..]));
    assert_refused(
        &project,
        &format!(
            "{CHECKPOINT}: error[damaged-log]: the signature of the witness witness.example/w does not fit the checkpoint: one of them was changed, or somebody who does not have the key made the signature; take content/log as it last was from version control; only candor log and candor forget change it\n"
        ),
    );
}

#[test]
fn a_policy_that_cannot_be_read_is_not_published() {
    let (project, witness) = with_witness();
    let help = "write it as C2SP tlog-policy has it, without log lines";
    project.write(POLICY, format!("# Ours\n{}quorum other\n", witness.line("one")));
    assert_refused(
        &project,
        &format!(
            "{POLICY}:3: error[invalid-policy]: no earlier line defines a witness or group other; {help}\n"
        ),
    );
    let key = project.text(SETTINGS).split('"').nth(3).unwrap().to_owned();
    project.write(POLICY, format!("log {key}\nquorum none\n"));
    assert_refused(
        &project,
        &format!(
            "{POLICY}: error[invalid-policy]: it has a log line, which a build adds; {help}\n"
        ),
    );
    project.candor(["help", "invalid-policy"]).exits(0).says("C2SP tlog-policy");
}

#[test]
fn a_policy_that_a_site_names_is_there() {
    let (project, _witness) = with_witness();
    add(&project).exits(0);
    project.build();
    let lying = |status: u16, body: &'static str| {
        FaultySite::telling(&project, move |asked, told| {
            if asked.path == "/log/policy.txt" {
                (told.status, told.body) = (status, body.into());
            }
        })
    };
    verify(&project, &lying(404, ""), &[])
        .exits(1)
        .says("FAIL  /log/policy.txt cannot be used: it is not there (404)\n");
    verify(&project, &lying(200, "<html>\n"), &[]).exits(1).says(
        "FAIL  /log/policy.txt: line 1: it must be log KEY [URL], witness NAME KEY [URL], group NAME any|all|NUMBER NAME…, or, once, quorum NAME\n",
    );
    // Who does not trust the site brings a policy.
    assert_eq!(codes(&project, &lying(200, "quorum none\n"), &[]), Vec::<String>::new());
}
