//! The examples of a scheduled import, run as they are in `docs/ci/`.
#![cfg(unix)]

use std::path::Path;

use serde_json::json;

use super::{Project, google};
use crate::{log::witness::Witness, project::Run};

/// A file of `docs/ci/`.
pub(super) fn recipe(name: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/ci").join(name);
    std::fs::read_to_string(path).unwrap()
}

/// The script that follows a line, without its indentation.
fn script(name: &str, after: &str) -> String {
    let text = recipe(name);
    let (_, script) = text.rsplit_once(after).unwrap();
    let indentation = &script[..script.len() - script.trim_start().len()];
    script
        .lines()
        .take_while(|line| line.is_empty() || line.starts_with(indentation))
        .map(|line| line.strip_prefix(indentation).unwrap_or(line))
        .fold(String::new(), |script, line| script + line + "\n")
}

fn of_github() -> String {
    script("import.yml", "        run: |\n")
}

fn of_gitlab() -> String {
    script("gitlab/import.yml", "  script:\n    - |\n")
}

/// The shell of GitHub and GitLab, which finds `candor` and git, and knows nobody's settings.
fn shell(project: &Project, script: &str) -> Run {
    let programs = Path::new(env!("CARGO_BIN_EXE_candor")).parent().unwrap();
    let path = format!("{}:{}", programs.display(), std::env::var("PATH").unwrap());
    let mut shell = project.shielded("bash");
    shell.args(["-e", "-c", script]).env("PATH", path).env("EXPORT", "export.json");
    shell.env("HOME", project.root()).env("GIT_CONFIG_NOSYSTEM", "1");
    shell.env("RUNNER_TEMP", project.root()).env("GITHUB_OUTPUT", project.path("output"));
    shell.env("CI_PROJECT_URL", "./remote").env("CI_DEFAULT_BRANCH", "main");
    shell.env("IMPORT_TOKEN", "a token");
    Run::of(&mut shell)
}

fn commits(project: &Project) -> usize {
    let run = shell(project, "git --git-dir remote.git log --format=%s main").exits(0);
    run.out.lines().count()
}

/// A project with a repository to push to, checked out as the service does it.
fn checked_out(checkout: &str) -> Project {
    let project = Project::new();
    let setup = "git init -q --bare -b main remote.git && git init -q -b main . && git remote add origin ./remote.git
        git -c user.name=T -c user.email=t@example.com commit -q --allow-empty -m Start && git push -q -u origin main";
    shell(&project, setup).exits(0);
    shell(&project, checkout).exits(0);
    assert_eq!(commits(&project), 1);
    project
}

#[test]
fn it_commits_only_what_changed() {
    for (script, checkout) in [(of_github(), "true"), (of_gitlab(), "git checkout -q --detach")] {
        let project = checked_out(checkout);
        project.write_export("export.json", &[google(1)]);
        shell(&project, &script).exits(0);
        assert_eq!(commits(&project), 2, "new reviews are committed and pushed");
        shell(&project, &script).exits(0).says("nothing changed");
        assert_eq!(commits(&project), 2, "a night without news commits nothing");

        project.write("export.json", json!({ "reviews": [] }).to_string());
        shell(&project, &script).exits(1).complains("there is no review in it");
        assert_eq!(commits(&project), 2, "an error stops the job");
        project.write_export("export.json", &[google(1), google(2)]);
        shell(&project, &script).exits(0);
        assert_eq!(commits(&project), 3);
    }
}

#[test]
fn the_workflow_publishes_only_what_changed() {
    let project = checked_out("true");
    project.write_export("export.json", &[google(1)]);
    for _ in 0..2 {
        shell(&project, &of_github()).exits(0);
        assert_eq!(project.text("output"), "changed=true\n");
    }
    project.write_export("export.json", &[google(1), google(2)]);
    shell(&project, &of_github()).exits(0);
    assert_eq!(project.text("output").lines().count(), 2);
}

#[test]
fn gitlabs_push_has_the_token_in_no_address() {
    let (project, script) = (checked_out("true"), of_gitlab());
    let (_, push) = script.split_once("git -c credential.helper=").unwrap();
    let (helper, _) = push.split_once("push ").unwrap();
    let ask = format!(
        "printf 'protocol=https\\nhost=gitlab.example\\n\\n' | git -c credential.helper={helper} credential fill"
    );
    let run = shell(&project, &ask).exits(0);
    run.says("username=import").says("password=a token");
    assert!(!script.contains("TOKEN@"), "{script}");
}

#[test]
fn without_the_key_of_a_model_the_import_goes_on() {
    for (script, checkout) in [(of_github(), "true"), (of_gitlab(), "git checkout -q --detach")] {
        let project = checked_out(checkout);
        project.write_export("export.json", &[google(1)]);
        let settings =
            "export CANDOR_ANNOTATE_ENDPOINT=https://models.example/v1 CANDOR_ANNOTATE_MODEL=m\n";
        let run = shell(&project, &format!("{settings}{script}")).exits(0);
        run.complains("no key in CANDOR_ANNOTATE_KEY: nothing is asked, and the build continues with the built-in reader");
        assert_eq!(commits(&project), 2);
        // A model that cannot be asked does not keep new reviews away either.
        project.write_export("export.json", &[google(1), google(2)]);
        let settings =
            "export CANDOR_ANNOTATE_ENDPOINT=http://127.0.0.1:1/v1 CANDOR_ANNOTATE_MODEL=m\n";
        let run = shell(&project, &format!("{settings}{script}")).exits(0);
        run.complains("2 reviews are left to the built-in reader: ");
        assert_eq!(commits(&project), 3);
    }
}

#[test]
fn it_logs_what_changed_and_asks_witnesses_about_what_is_pushed() {
    for (script, checkout) in [(of_github(), "true"), (of_gitlab(), "git checkout -q --detach")] {
        let project = checked_out(checkout);
        let made = project.candor(["log", "init"]).exits(0);
        let key = made.out.lines().find(|line| line.starts_with("PRIVATE+KEY+")).unwrap();
        let night = format!("export CANDOR_LOG_KEY={key}\n{script}");
        project.write_export("export.json", &[google(1)]);
        shell(&project, &night).exits(0).says("logged 2 entries: 1 published, 1 set");
        assert_eq!(commits(&project), 2);

        project.build();
        let witness = Witness::of(&project, "witness.example");
        project.write("content/log/policy", format!("{}quorum one\n", witness.line("one")));
        shell(&project, &night).exits(0).says("signed by one");
        assert_eq!(commits(&project), 3);
        project.write_export("export.json", &[google(1), google(2)]);
        let run = shell(&project, &night).exits(0);
        run.says("logged 2 entries: 1 published, 1 set").says("signed by one");
        assert_eq!(commits(&project), 5, "a witness signs what is pushed");
        shell(&project, &night).exits(0).says("nothing changed");
        assert_eq!(commits(&project), 5);
    }
}
