//! The example of a scheduled import, run as it stands in `docs/ci/import.yml`.
#![cfg(unix)]

use std::path::Path;

use serde_json::json;

use super::{Project, google};
use crate::project::Run;

/// The script of the last step.
fn script() -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/ci/import.yml");
    let text = std::fs::read_to_string(path).unwrap();
    let (_, script) = text.rsplit_once("        run: |\n").unwrap();
    script
        .lines()
        .take_while(|line| line.is_empty() || line.starts_with("          "))
        .map(|line| line.strip_prefix("          ").unwrap_or(line))
        .fold(String::new(), |script, line| script + line + "\n")
}

/// A shell that finds `candor` and git, and knows nobody's settings.
fn shell(project: &Project, script: &str) -> Run {
    let programs = Path::new(env!("CARGO_BIN_EXE_candor")).parent().unwrap();
    let path = format!("{}:{}", programs.display(), std::env::var("PATH").unwrap());
    let mut shell = project.shielded("sh");
    shell.args(["-e", "-c", script]).env("PATH", path).env("EXPORT", "export.json");
    shell.env("HOME", project.root()).env("GIT_CONFIG_NOSYSTEM", "1");
    shell.env("RUNNER_TEMP", project.root()).env("GITHUB_OUTPUT", project.path("output"));
    Run::of(&mut shell)
}

fn commits(project: &Project) -> usize {
    let run = shell(project, "git --git-dir remote.git log --format=%s main").exits(0);
    run.out.lines().count()
}

#[test]
fn it_commits_only_what_changed() {
    let project = Project::new();
    let setup = "git init -q --bare -b main remote.git && git init -q -b main . && git remote add origin ./remote.git
        git -c user.name=T -c user.email=t@example.com commit -q --allow-empty -m Start && git push -q -u origin main";
    shell(&project, setup).exits(0);
    assert_eq!(commits(&project), 1);

    project.write_export("export.json", &[google(1)]);
    shell(&project, &script()).exits(0);
    assert_eq!(commits(&project), 2, "new reviews are committed and pushed");
    assert_eq!(project.text("output"), "changed=true\n", "and published");
    shell(&project, &script()).exits(0).says("nothing changed");
    assert_eq!(commits(&project), 2, "a night without news commits nothing");
    assert_eq!(project.text("output"), "changed=true\n", "nor does it publish");

    project.write("export.json", json!({ "reviews": [] }).to_string());
    shell(&project, &script()).exits(1).complains("there is no review in it");
    assert_eq!(commits(&project), 2, "an error stops the job");
    project.write_export("export.json", &[google(1), google(2)]);
    shell(&project, &script()).exits(0);
    assert_eq!(commits(&project), 3);
    assert_eq!(project.text("output").lines().count(), 2);
}
