//! Rotation and loss of the private key.

use super::{CHECKPOINT, KEY, SETTINGS, add, built, edit, lines, logged};
use crate::{
    project::{Project, Run},
    verify::faulty_site::FaultySite,
};

pub(super) const NEW: &str = "new.key";

pub(super) fn keys(project: &Project) -> Vec<String> {
    let settings = project.text(SETTINGS);
    settings
        .lines()
        .filter_map(|line| Some(line.trim().strip_prefix('"')?.split('"').next()?.to_owned()))
        .collect()
}

pub(super) fn signatures(project: &Project) -> usize {
    project.text(CHECKPOINT).lines().filter(|line| line.starts_with('\u{2014}')).count()
}

pub(super) fn rotate(project: &Project, old: Option<&str>) -> Run {
    let mut command = project.command(["log", "init", "--rotate", "--key-file", NEW]);
    if let Some(old) = old {
        command.env("CANDOR_LOG_KEY", project.text(old));
    }
    Run::of(&mut command)
}

fn verify(project: &Project, key: &str) -> Run {
    let site = FaultySite::honest(project);
    project.candor(["verify", "--log", &site.url(), "--log-key", key])
}

#[test]
fn while_the_old_key_is_at_hand_both_sign() {
    let project = built(3);
    let before = lines(&project);
    let run = rotate(&project, Some(KEY)).exits(0);
    run.says("the log reviews.example/log has another key, which signs from now on\n")
        .says("the last checkpoint is signed with the old key too");
    let known = keys(&project);
    assert_eq!((known.len(), signatures(&project), lines(&project)), (2, 2, before));
    project.build();
    for key in &known {
        verify(&project, key).exits(0);
    }
    edit(&project, "Words of review 1.", "Other words.");
    let run = add(&project).exits(1);
    assert_eq!(
        run.err,
        format!(
            "error: the newest private key of the log is needed, the one of the verifier key {}; log.key does not have it\n",
            known[1]
        )
    );
    project.write("both.key", project.text(NEW) + &project.text(KEY));
    project.candor(["log", "add", "--key-file", "both.key"]).exits(0);
    assert_eq!(signatures(&project), 2);
    project.build();
    verify(&project, &known[0]).exits(0);
}

#[test]
fn a_lost_key_is_replaced_and_readers_who_know_it_alone_are_told() {
    let project = built(3);
    project.write("kept", project.text(CHECKPOINT));
    std::fs::remove_file(project.path(KEY)).unwrap();
    rotate(&project, None).exits(0).says("no old private key was at hand");
    assert_eq!((keys(&project).len(), signatures(&project)), (2, 1));
    edit(&project, "Words of review 1.", "Other words.");
    project.candor(["log", "add", "--key-file", NEW]).exits(0);
    project.build();
    let known = keys(&project);
    verify(&project, &known[1]).exits(0);
    let run = verify(&project, &known[0]).exits(1);
    assert!(
        run.out.contains("the checkpoint is signed by none of the log's known keys"),
        "{}",
        run.out
    );

    // Who kept a checkpoint need not know a key.
    let site = FaultySite::honest(&project);
    let url = site.url();
    let since = |keys: &[&str]| {
        let mut arguments = vec!["verify", "--log", &url, "--since", "kept"];
        arguments.extend(keys.iter().flat_map(|key| ["--log-key", key]));
        project.candor(arguments)
    };
    let (old, new) = (&known[0], &known[1]);
    since(&[]).exits(1).says(&format!(
        "FAIL  the log continues the one that was kept last time, but is signed by {new}, and no longer by {old}: \
         the owner lost or changed the key, or somebody else publishes this log; ask the owner, and if the new \
         key is the owner's, give both with --log-key\n"
    ));
    since(&[old, new]).exits(0);
    since(&[]).exits(0);
}

#[test]
fn a_key_of_another_log_signs_nothing() {
    let (project, other) = (logged(2), logged(2));
    edit(&project, "Words of review 1.", "Other words.");
    let before = project.tree("content");
    project.write("other.key", other.text(KEY));
    let run = project.candor(["log", "add", "--key-file", "other.key"]).exits(1);
    assert_eq!(
        run.err,
        format!(
            "error: the private key in other.key is not of this log: its verifier key {} is not in log.toml\n",
            keys(&other)[0]
        )
    );
    project.candor(["log", "init", "--rotate", "--key-file", NEW]).exits(0);
    assert_ne!(project.tree("content"), before);
    let none = Project::new();
    none.candor(["log", "init", "--rotate", "--key-file", NEW])
        .exits(1)
        .complains("error: content has no transparency log; make one with: candor log init\n");
}
