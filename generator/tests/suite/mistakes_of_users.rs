//! The list of `mistakes_of_users.toml`: each is answered once, with the parts of a good answer.

use std::path::Path;

use serde::Deserialize;

use super::project::{Project, Run};

#[derive(Deserialize)]
struct List {
    mistake: Vec<Mistake>,
}

#[derive(Deserialize)]
struct Mistake {
    name: String,
    setup: String,
    command: String,
    answer: String,
    wants: Vec<String>,
    #[serde(default)]
    exact: Vec<String>,
}

/// Runs lines of a shell in a new site, with `candor` on its path.
fn shell(project: &Project, lines: &str) -> Run {
    let programs = Path::new(env!("CARGO_BIN_EXE_candor")).parent().unwrap();
    let path = std::env::join_paths([programs, Path::new("/usr/bin"), Path::new("/bin")]).unwrap();
    let mut command = project.shielded("sh");
    Run::of(command.args(["-ec", lines]).env("PATH", path).current_dir(project.path("site")))
}

#[test]
#[cfg(unix)]
fn each_is_answered_once_with_place_reason_and_remedy() {
    let list: List = toml::from_str(include_str!("mistakes_of_users.toml")).unwrap();
    let mut wrong = Vec::new();
    for mistake in &list.mistake {
        let project = Project::new();
        std::fs::remove_dir_all(project.path("content")).unwrap();
        project
            .candor([
                "init",
                "site",
                "--name",
                "Acme Plumbing",
                "--base-url",
                "https://reviews.acme-plumbing.co.uk",
                "--time-zone",
                "Europe/London",
                "--no-input",
            ])
            .exits(0);
        shell(&project, &mistake.setup).exits(0);
        let run = shell(&project, &mistake.command);
        let said = format!("{}{}", run.out, run.err);
        let small = said.to_lowercase();
        let has = |want: &String| want.split('|').any(|part| small.contains(&part.to_lowercase()));
        let mut missing: Vec<_> = mistake.wants.iter().filter(|want| !has(want)).collect();
        missing.extend(mistake.exact.iter().filter(|want| !said.contains(want.as_str())));
        // The last line of a build that was refused is about its errors.
        let is_message = |line: &&str| {
            let found = ["error: ", "error[", "warning: ", "warning["];
            let begins = |part: &str| found.iter().any(|it| part.starts_with(it));
            (begins(line) || line.split(": ").any(begins))
                && !line.contains("nothing was published;")
        };
        let messages = said.lines().filter(is_message).count();
        let is_let_pass = run.code == 0 && mistake.answer == "error";
        if !missing.is_empty() || messages != 1 || is_let_pass {
            wrong.push(format!("{}: lacks {missing:?}, {messages} messages\n{said}", mistake.name));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
