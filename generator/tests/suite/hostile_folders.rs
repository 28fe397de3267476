//! A content folder is somebody else's until it is checked: symbolic links, folders in place of files,
//! and a git repository inside it change nothing outside.
#![cfg(unix)]

use std::os::unix::fs::symlink;

use serde_json::json;

use super::{
    journals::{BUILD, READING, with_an_export},
    review::mixed,
};

#[test]
fn a_build_writes_the_public_folder_and_the_cache_and_other_verbs_nothing() {
    let project = with_an_export();
    let outside = |folders: &[&str]| {
        let mut found = project.everything();
        found.retain(|path, _| !folders.iter().any(|name| path.starts_with(project.path(name))));
        found
    };
    let before = outside(&[]);
    project.build();
    assert_eq!(outside(&["public", ".candor-cache"]), before);
    let built = outside(&[]);
    for verb in READING {
        project.candor(verb.iter().copied()).exits(0);
        assert_eq!(outside(&[]), built, "{verb:?}");
    }
}

#[test]
fn a_build_runs_no_program_of_the_repository_around_it() {
    let project = with_an_export();
    let git = |arguments: &[&str]| {
        let output = project.shielded("git").args(arguments).output().unwrap();
        assert!(output.status.success(), "{arguments:?}");
    };
    let ran = project.path("ran");
    git(&["init", "--quiet"]);
    git(&["config", "core.fsmonitor", &format!("touch {}; false", ran.display())]);
    git(&["-c", "core.fsmonitor=false", "add", "content"]);
    for _ in 0..2 {
        project.build();
    }
    assert!(!ran.exists());
    git(&["ls-files"]);
    assert!(ran.exists(), "git runs it without the option");
}

#[test]
fn nothing_is_written_through_a_link_where_a_temporary_file_is_made() {
    let project = with_an_export();
    project.build();
    let victim = project.path(".env");
    symlink(&victim, project.path("content/reviews/2026.ndjson.new")).unwrap();
    std::fs::create_dir_all(project.path(BUILD)).unwrap();
    for name in ["host-0", "manifest", "journal.json.new"] {
        symlink(&victim, project.path(BUILD).join(name)).unwrap();
    }
    std::fs::create_dir_all(project.path("hosts/netlify")).unwrap();
    symlink(&victim, project.path("hosts/netlify/netlify.toml.new")).unwrap();
    let new = ["new", "review", "--author", "Ann", "--rating", "5", "--date", "2026-01-01"];
    project.candor(new).exits(0);
    project.candor(["host", "netlify", "--sidecar", "https://s.example"]).exits(0);
    assert_eq!(project.text(".env"), "SECRET=1\n");
}

#[test]
fn a_review_is_not_added_through_a_symbolic_link() {
    let project = with_an_export();
    std::fs::remove_dir_all(project.path("content/reviews")).unwrap();
    std::fs::create_dir(project.path("elsewhere")).unwrap();
    symlink(project.path("elsewhere"), project.path("content/reviews")).unwrap();
    let run = project.candor(["new", "review", "--author", "Ann", "--rating", "5"]).exits(1);
    run.complains("content/reviews is a symbolic link, and links are not followed here");
    assert_eq!(std::fs::read_dir(project.path("elsewhere")).unwrap().count(), 0);
}

#[test]
fn a_manifest_that_lists_a_folder_or_the_stage_is_in_the_way() {
    for path in ["reviews", ".candor-stage/manifest"] {
        let project = with_an_export();
        project.build();
        let manifest = "public/candor-manifest.json";
        let mut listed = project.json(manifest);
        listed["host_files"] = json!([path]);
        project.write(manifest, listed.to_string());
        let before = project.tree("public");
        project.write_reviews(mixed(2));
        project.candor(["build"]).exits(1).complains(&format!("public/{path} is in the way"));
        assert_eq!(project.tree("public"), before);
    }
}

#[test]
fn forgetting_a_review_runs_no_program_of_a_repository_in_the_content() {
    let project = with_an_export();
    let git = |arguments: &[&str]| {
        let mut git = project.shielded("git");
        git.current_dir(project.path("content")).args(arguments);
        assert!(git.output().unwrap().status.success(), "{arguments:?}");
    };
    let ran = project.path("ran");
    git(&["init", "--quiet", "--bare", "bare"]);
    for name in ["HEAD", "objects", "refs", "config", "info"] {
        std::fs::rename(
            project.path("content/bare").join(name),
            project.path("content").join(name),
        )
        .unwrap();
    }
    let textconv = format!("touch {}; cat", ran.display());
    project.write("content/info/attributes", "* diff=x\n");
    git(&["config", "diff.x.textconv", &textconv]);
    for text in ["one", "two"] {
        project.write("content/reviews/note.txt", text);
        let identity = ["-c", "user.name=Ann", "-c", "user.email=ann@example.com"];
        git(&["--git-dir=.", "--work-tree=reviews", "add", "note.txt"]);
        let commit = ["--git-dir=.", "--work-tree=reviews", "commit", "--quiet", "-m", text];
        git(&[&identity[..], &commit[..]].concat());
    }
    std::fs::remove_file(project.path("content/reviews/note.txt")).unwrap();
    project.candor(["forget", "--author", "Ann 0"]).exits(0);
    assert!(!ran.exists());
}
