//! Journals come from the disk, and so from anybody who can put files there: a pull request, an
//! archive, a cache. One is followed only where this program wrote it, and only inside its folder.
#![cfg(unix)]

use std::{
    collections::BTreeMap,
    os::unix::fs::{MetadataExt, symlink},
    path::PathBuf,
    process::Command,
};

use serde_json::{Value, json};

use super::{
    project::{Project, Run},
    review::{mixed, review},
};

const IMPORT: &str = "content/.candor-import";
pub(crate) const BUILD: &str = "public/.candor-stage";

impl Project {
    /// A journal as this program writes it into a folder of its own.
    pub(crate) fn write_journal(&self, stage: &str, changes: &Value) {
        std::fs::create_dir_all(self.path(stage)).unwrap();
        let metadata = self.path(stage).metadata().unwrap();
        let created = metadata.created().ok();
        let identity = json!({ "inode": metadata.ino(), "created": created });
        let journal = json!({ "stage": identity, "changes": changes });
        self.write(&format!("{stage}/journal.json"), journal.to_string());
    }

    /// An import that was killed after it wrote its journal.
    fn interrupt_an_import(&self) {
        let changes = json!({ "renames": [["reviews-0", "reviews/2026.ndjson"]], "removals": [] });
        self.write_journal(IMPORT, &changes);
        let lines: String = (0..2).map(|n| review(n).line() + "\n").collect();
        self.write(&format!("{IMPORT}/reviews-0"), lines);
    }

    /// Everything in the project's folder, symbolic links by what they point to.
    pub(crate) fn everything(&self) -> BTreeMap<PathBuf, Vec<u8>> {
        let mut found = BTreeMap::new();
        let mut folders = vec![self.root().to_owned()];
        while let Some(folder) = folders.pop() {
            for entry in std::fs::read_dir(folder).unwrap().flatten() {
                let (path, kind) = (entry.path(), entry.file_type().unwrap());
                let bytes = if kind.is_dir() {
                    folders.push(path.clone());
                    Vec::new()
                } else if kind.is_symlink() {
                    std::fs::read_link(&path).unwrap().into_os_string().into_encoded_bytes()
                } else {
                    std::fs::read(&path).unwrap()
                };
                found.insert(path, bytes);
            }
        }
        found
    }

    /// Runs a command that must fail for this journal, and touch nothing.
    #[track_caller]
    fn refuses(&self, verb: &[&str], reason: &str) {
        let before = self.everything();
        let run = self.candor(verb.iter().copied()).exits(1);
        assert!(run.err.contains("is not followed: ") && run.err.contains(reason), "{run:#?}");
        assert_eq!(run.err.matches("is not followed").count(), 1, "{run:#?}");
        assert_eq!(self.everything(), before, "{verb:?}");
    }
}

/// A site with an export to import.
pub(crate) fn with_an_export() -> Project {
    let project = Project::new().reviews(mixed(1));
    project.write("a.csv", "author,rating,date\nAnn,5,2026-01-02\n");
    project.write(".env", "SECRET=1\n");
    project
}

pub(crate) const READING: [&[&str]; 7] = [
    &["check"],
    &["build", "--dry-run"],
    &["stats"],
    &["show", "--insights"],
    &["suggest"],
    &["list"],
    &["show", "01J00000000000000000000000"],
];
const WRITING: [&[&str]; 5] = [
    &["hide", "01J00000000000000000000000", "--undo"],
    &["build"],
    &["import", "a.csv", "--source", "yelp"],
    &["forget", "--author", "Nobody"],
    &["new", "review", "--author", "Ann", "--rating", "5"],
];

#[test]
fn a_journal_that_came_with_the_content_is_refused_by_every_verb() {
    let project = with_an_export();
    project.write(&format!("{IMPORT}/x"), "#!/bin/sh\n");
    project.write(
        &format!("{IMPORT}/journal.json"),
        r#"{"renames":[["../.env","summary.md"],[".candor-import/x","../.git/hooks/pre-push"]],"removals":["/some/file"]}"#,
    );
    for verb in READING.iter().chain(&WRITING) {
        project.refuses(verb, "candor did not write it into this folder");
    }
    let check = project.candor(["check"]).exits(1);
    assert_eq!(
        check.err,
        "content/.candor-import/journal.json: error[foreign-journal]: the journal is not followed: candor did not write it into this folder; \
         remove content/.candor-import, also from the repository or archive it came with, and run the command again\n"
    );
    let build = project.candor(["build"]).exits(1);
    assert_eq!(
        build.err,
        "error: content/.candor-import/journal.json is not followed: candor did not write it into this folder; \
         remove content/.candor-import, also from the repository or archive it came with, and run the command again\n"
    );
}

fn copy_folder(from: PathBuf, to: PathBuf) {
    let copied = Command::new("cp").arg("-a").args([from, to]).status();
    assert!(copied.unwrap().success());
}

#[test]
fn a_journal_of_another_tree_is_refused() {
    let project = with_an_export();
    project.interrupt_an_import();
    let copy = with_an_export();
    copy_folder(project.path(IMPORT), copy.path(IMPORT));
    for verb in READING.iter().chain(&WRITING) {
        copy.refuses(verb, "candor did not write it into this folder");
    }
}

#[test]
fn a_journal_under_version_control_is_refused() {
    let origin = with_an_export();
    origin.interrupt_an_import();
    origin.build_files_for_a_clone();
    let clone = Project::new();
    std::fs::remove_dir_all(clone.path("content")).unwrap();
    let git = |arguments: &[&str]| {
        let mut git = origin.shielded("git");
        git.args(["-c", "user.name=Ann", "-c", "user.email=ann@example.com"]).args(arguments);
        assert!(git.output().unwrap().status.success(), "{arguments:?}");
    };
    git(&["init", "--quiet"]);
    git(&["add", "--force", "content", "public"]);
    git(&["commit", "--quiet", "--message", "a site"]);
    let target = clone.path("clone");
    git(&["clone", "--quiet", ".", target.to_str().unwrap()]);
    let check = |verb: &str| Run::of(clone.command([verb]).current_dir(&target)).exits(1);
    check("check").complains("content/.candor-import/journal.json: error[foreign-journal]");
    std::fs::remove_dir_all(target.join(IMPORT)).unwrap();
    check("build").complains("public/.candor-stage/journal.json is not followed");
}

impl Project {
    /// A publication with the journal of an unfinished one.
    fn build_files_for_a_clone(&self) {
        self.write("public/index.html", "old");
        self.write_journal(BUILD, &json!(["index.html"]));
    }
}

#[test]
fn an_import_journal_moves_from_the_stage_to_what_an_import_writes_and_nothing_else() {
    let rename = |from: &str, to: &str| json!({ "renames": [[from, to]], "removals": [] });
    let remove = |path: &str| json!({ "renames": [], "removals": [path] });
    let project = with_an_export();
    let secret = project.path(".env").display().to_string();
    project.write("elsewhere/2026.ndjson", "precious");
    symlink(project.path("elsewhere"), project.path("content/linked")).unwrap();
    for (changes, reason) in [
        (rename("../.env", "summary.md"), "which is not in the stage"),
        (rename("../../.env", "tombstones.ndjson"), "which is not in the stage"),
        (rename(&secret, "tombstones.ndjson"), "which is not in the stage"),
        (rename("a/b", "tombstones.ndjson"), "which is not in the stage"),
        (rename("link", "tombstones.ndjson"), "which is not a file"),
        (rename("x", "site.toml"), "it names \"site.toml\", which no import writes"),
        (rename("x", "../hook"), "it names \"../hook\", which no import writes"),
        (rename("x", "reviews/../site.json"), "which no import writes"),
        (rename("x", "reviews/a/2026.ndjson"), "which no import writes"),
        (rename("x", "reviews/.git"), "which no import writes"),
        (rename("x", "reviews/a\\..\\b.json"), "which is not inside the folder"),
        (rename("x", "linked/2026.ndjson"), "which no import writes"),
        (remove(&secret), "which no import writes"),
        (remove("../.env"), "which no import writes"),
        (remove("business.toml"), "which no import writes"),
    ] {
        let _ = std::fs::remove_dir_all(project.path(IMPORT));
        project.write_journal(IMPORT, &changes);
        project.write(&format!("{IMPORT}/x"), "x");
        symlink(project.path(".env"), project.path(IMPORT).join("link")).unwrap();
        project.refuses(&["check"], reason);
        project.refuses(&["build"], reason);
    }
}

#[test]
fn an_import_never_writes_through_a_symbolic_link() {
    let project = with_an_export();
    std::fs::remove_dir_all(project.path("content/reviews")).unwrap();
    project.write("elsewhere/2026.ndjson", "");
    symlink(project.path("elsewhere"), project.path("content/reviews")).unwrap();
    let changes = json!({ "renames": [["x", "reviews/2026.ndjson"]], "removals": [] });
    project.write_journal(IMPORT, &changes);
    project.write(&format!("{IMPORT}/x"), "x");
    let reason = "it names a path through content/reviews, which is not a folder";
    project.refuses(&["check"], reason);
    project.refuses(&["build"], reason);
    std::fs::remove_dir_all(project.path(IMPORT)).unwrap();
    let before = project.everything();
    let run = project.candor(["import", "a.csv", "--source", "yelp"]).exits(1);
    assert_eq!(
        run.err,
        "error: content/reviews: error[not-followed]: content/reviews is a symbolic link, and links are not followed here; replace the link by a copy of what it points to, or remove it\n"
    );
    assert_eq!(project.everything(), before);
}

#[test]
fn a_stage_or_journal_that_is_a_symbolic_link_is_refused() {
    let project = with_an_export();
    project.write("elsewhere/journal.json", "{}");
    symlink(project.path("elsewhere"), project.path(IMPORT)).unwrap();
    project.refuses(&["check"], "content/.candor-import");
    project.refuses(&["build"], "it is not a folder");
    std::fs::remove_file(project.path(IMPORT)).unwrap();
    std::fs::create_dir(project.path(IMPORT)).unwrap();
    symlink(project.path("elsewhere/journal.json"), project.path(IMPORT).join("journal.json"))
        .unwrap();
    project.refuses(&["check"], "candor did not write it into this folder");
    project.refuses(&["build"], "candor did not write it into this folder");
    std::fs::remove_dir_all(project.path(IMPORT)).unwrap();
    std::fs::create_dir(project.path("public")).unwrap();
    symlink(project.path("elsewhere"), project.path(BUILD)).unwrap();
    project.refuses(&["build"], "it is not a folder");
}

#[test]
fn a_verb_that_reads_writes_nothing_while_an_import_is_unfinished() {
    let project = with_an_export();
    project.interrupt_an_import();
    let before = project.everything();
    for verb in READING {
        let run = project.candor(verb.iter().copied()).exits(1);
        let first = run.err.lines().next().unwrap();
        assert_eq!(
            first,
            "content: error[unfinished-import]: an import was interrupted; run candor import or candor build to complete it"
        );
        assert_eq!(project.everything(), before, "{verb:?}");
    }
}

#[test]
fn a_verb_that_writes_completes_an_unfinished_import() {
    for verb in WRITING {
        let project = with_an_export();
        project.interrupt_an_import();
        let code = i32::from(verb[0] == "forget");
        project.candor(verb.iter().copied()).exits(code);
        assert!(!project.path(IMPORT).exists(), "{verb:?}");
        let stored = project.text("content/reviews/2026.ndjson");
        assert!(stored.contains(&review(0).line()), "{verb:?}: {stored}");
        project.candor(["check", "--quiet"]).exits(0);
    }
}

#[test]
fn a_build_journal_that_came_with_the_folder_is_refused() {
    let project = with_an_export();
    project.build();
    for journal in [r#"["../../.env"]"#, r#"["feed.xml"]"#, "{", ""] {
        project.write(&format!("{BUILD}/journal.json"), journal);
        project.refuses(&["build"], "candor did not write it into this folder");
        project.refuses(&["host", "caddy"], "candor did not write it into this folder");
    }
    let copy = with_an_export();
    copy.build();
    project.write_journal(BUILD, &json!(["feed.xml"]));
    copy_folder(project.path(BUILD), copy.path(BUILD));
    copy.refuses(&["build"], "candor did not write it into this folder");
}

#[test]
fn a_build_journal_names_files_inside_the_public_folder_and_nothing_else() {
    let project = with_an_export();
    project.build();
    let secret = project.path(".env").display().to_string();
    for path in ["../.env", secret.as_str(), "reviews/../../.env", "", "a//b"] {
        std::fs::create_dir_all(project.path(BUILD)).unwrap();
        project.write_journal(BUILD, &json!(["feed.xml", path]));
        project.refuses(&["build"], &format!("it names {path:?}, which is not inside the folder"));
    }
}

#[test]
fn a_build_removes_and_writes_nothing_through_a_symbolic_link() {
    let project = with_an_export();
    project.build();
    project.write("elsewhere/old.html", "precious");
    symlink(project.path("elsewhere"), project.path("public/linked")).unwrap();
    project.write_journal(BUILD, &json!(["linked/old.html"]));
    let run = project.candor(["build"]).exits(1);
    run.complains("public/linked is in the way: no manifest lists it");
    assert_eq!(project.text("elsewhere/old.html"), "precious");

    std::fs::remove_dir_all(project.path(BUILD)).unwrap();
    std::fs::remove_dir_all(project.path("public/api")).unwrap();
    symlink(project.path("elsewhere"), project.path("public/api")).unwrap();
    project.write_reviews(mixed(2));
    project.candor(["build"]).exits(1).complains("public/api is in the way: no manifest lists it");
    assert_eq!(std::fs::read_dir(project.path("elsewhere")).unwrap().count(), 1);
}

#[test]
fn a_build_does_not_write_through_links_left_in_its_stage() {
    let project = with_an_export();
    std::fs::create_dir_all(project.path(BUILD)).unwrap();
    for name in ["0", "1", "0.br", "manifest", "journal.new", "host-0"] {
        symlink(project.path(".env"), project.path(BUILD).join(name)).unwrap();
    }
    std::fs::create_dir(project.path(BUILD).join("2")).unwrap();
    project.build();
    assert_eq!(project.text(".env"), "SECRET=1\n");
    project.assert_whole();
}
