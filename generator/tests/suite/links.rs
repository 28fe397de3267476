//! A symbolic link in the content is one line of a pull request, and could lead to any file of the machine that
//! checks or builds it. No link below the content folder is followed, whatever it stands for, and nothing but a
//! regular file is opened.
#![cfg(unix)]

use std::{os::unix::fs::symlink, process::Command};

use super::{
    log::logged,
    project::{BUSINESS, Project, Run, SITE},
    review::{mixed, review},
};

const SECRET: &str = "DEPLOY_TOKEN=s3cr3t";

/// Every kind of file that the content can have, with a text for it that is not refused.
const FILES: [(&str, &str); 29] = [
    ("site.toml", SITE),
    ("business.toml", BUSINESS),
    (
        "technicians.toml",
        "[[technician]]\nid = \"ann\"\nname = \"Ann Lee\"\nphoto = \"photos/ann.png\"\n",
    ),
    ("photos/ann.png", "\u{89}PNG\r\n\u{1a}\n"),
    ("services.toml", "[[service]]\nid = \"drains\"\nlabel = \"Drains\"\n"),
    ("service_areas.toml", "[[service_area]]\nid = \"tilla\"\nname = \"Tilla\"\n"),
    ("problems.toml", "[[problem]]\nid = \"leak\"\nlabel = \"Leak\"\n"),
    ("topics.toml", "[[topic]]\nid = \"boilers\"\nlabel = \"Boilers\"\n"),
    (
        "aspects.toml",
        "[[aspect]]\nid = \"parking\"\nlabel = \"Parking\"\nkeywords = [\"parking\"]\n",
    ),
    ("faq.toml", "[[faq]]\nid = \"hours\"\nquestion = \"When?\"\nanswer = \"Always.\"\n"),
    ("summary.md", "Customers are content.\n"),
    ("overrides.toml", ""),
    ("strings.toml", "all_reviews = \"All of them\"\n"),
    ("import.toml", ""),
    ("templates/_note.html", "<p>A note.</p>\n"),
    ("templates/custom.css", "p { color: #123456 }\n"),
    ("templates/404.html", "<p>Not here.</p>\n"),
    ("pages/imprint.md", "+++\ntitle = \"Imprint\"\n+++\nAcme.\n"),
    ("annotations/m.jsonl", ""),
    ("reviews.json", "[]"),
    ("reviews/2020.ndjson", ""),
    ("imports.log.ndjson", ""),
    ("tombstones.ndjson", ""),
    ("log/log.toml", ""),
    ("log/entries.ndjson", ""),
    ("log/salts.ndjson", ""),
    ("log/checkpoint", ""),
    ("defaults/topics.toml", ""),
    ("defaults/templates/_shared.html", ""),
];

/// Where a file of the table is: the shared folder is beside the content folder.
fn place(file: &str) -> String {
    if file.starts_with("defaults/") { file.to_owned() } else { format!("content/{file}") }
}

fn with_all_files() -> Project {
    let project = logged(3);
    project.write(".env", SECRET);
    for (file, text) in FILES {
        if !project.path(&place(file)).exists() {
            project.write(&place(file), text);
        }
    }
    project.file("content/site.toml", format!("shared = \"../defaults\"\n{SITE}"))
}

/// Checks and builds a project that is refused with one message, and without a word of the secret.
fn refused(project: &Project, file: &str, reason: &str) {
    for verb in ["check", "build"] {
        let run = project.candor([verb]).exits(1);
        assert_eq!(run.err.matches(reason).count(), 1, "{reason:?} once for {file}: {}", run.err);
        let remedy = ["; replace ", "; name a file of the content folder"];
        assert!(remedy.iter().any(|help| run.err.contains(help)), "{file}: {}", run.err);
        assert!(!format!("{}{}", run.out, run.err).contains("s3cr3t"), "{file}: {}", run.err);
    }
    assert!(!project.path("public/index.html").exists(), "{file}");
}

const LINK: &str = "is a symbolic link, and links are not followed here";

#[test]
fn a_link_in_place_of_a_file_is_refused() {
    for (file, _) in FILES {
        let project = with_all_files();
        let link = project.path(&place(file));
        std::fs::remove_file(&link).unwrap();
        symlink(project.path(".env"), &link).unwrap();
        refused(&project, file, LINK);
    }
}

#[test]
fn a_link_in_place_of_a_folder_is_refused() {
    for folder in
        ["annotations", "log", "pages", "photos", "reviews", "templates", "defaults/templates"]
    {
        let project = with_all_files();
        let link = project.path(&place(folder));
        std::fs::rename(&link, project.path("elsewhere")).unwrap();
        symlink(project.path("elsewhere"), &link).unwrap();
        refused(&project, folder, LINK);
    }
}

#[test]
fn what_is_not_a_regular_file_is_refused() {
    for (file, _) in FILES {
        let project = with_all_files();
        let pipe = project.path(&place(file));
        std::fs::remove_file(&pipe).unwrap();
        assert!(Command::new("mkfifo").arg(&pipe).status().unwrap().success());
        refused(&project, file, "is not a regular file");
    }
}

#[test]
fn a_file_without_an_end_is_not_read() {
    let project = with_all_files();
    project.remove("content/summary.md");
    symlink("/dev/zero", project.path("content/summary.md")).unwrap();
    refused(&project, "summary.md", LINK);
}

#[test]
fn the_content_folder_may_be_a_link() {
    let project = Project::new().reviews(mixed(3));
    std::fs::rename(project.path("content"), project.path("elsewhere")).unwrap();
    symlink("elsewhere", project.path("content")).unwrap();
    project.build();
    assert!(project.path("public/index.html").exists());
}

#[test]
fn a_changed_link_is_no_unchanged_build() {
    let project = Project::new().reviews(mixed(3)).file(".env", SECRET);
    project.build();
    project.write("content/summary.md", "Fine.\n");
    project.build();
    project.remove("content/summary.md");
    symlink(project.path(".env"), project.path("content/summary.md")).unwrap();
    project.candor(["build"]).exits(1).complains(LINK);
}

#[test]
fn commands_that_change_content_follow_no_link_either() {
    let id = super::review::id(0);
    for (file, arguments) in [
        ("overrides.toml", vec!["hide", &id, "--reason", "off_topic"]),
        ("reviews/2026.ndjson", vec!["forget", &id]),
        (
            "reviews/2026.ndjson",
            vec!["new", "review", "--author", "Ann", "--rating", "5", "--date", "2026-01-01"],
        ),
        ("tombstones.ndjson", vec!["forget", &id]),
        ("topics.toml", vec!["suggest", "--write"]),
    ] {
        let project = Project::new().reviews([review(0)]);
        let (link, target) = (project.path(&place(file)), project.path("elsewhere"));
        let text = std::fs::read_to_string(&link).unwrap_or_default();
        let _ = std::fs::remove_file(&link);
        std::fs::write(&target, format!("{text}\n# {SECRET}\n")).unwrap();
        let before = std::fs::read(&target).unwrap();
        symlink(&target, &link).unwrap();
        let run = project.candor(arguments.iter().copied());
        assert_eq!(std::fs::read(&target).unwrap(), before, "{arguments:?}");
        assert!(!run.err.contains("s3cr3t"), "{arguments:?}: {}", run.err);
        let stored = std::fs::read_to_string(&link).unwrap_or_default();
        let is_copied = stored.contains("s3cr3t") && !link.is_symlink();
        assert!(!is_copied, "{arguments:?} copied the file that the link leads to");
    }
}

/// A site in `checkout/sites/a` that shares a folder, and what `check` says of it.
fn sharing(shared: &str) -> impl Fn(&Project, &[&str]) -> Run {
    let shared = shared.to_owned();
    move |project, arguments| {
        let folder = "checkout/sites/a";
        project.write(
            &format!("{folder}/content/site.toml"),
            format!("shared = \"{shared}\"\n{SITE}"),
        );
        project.write(&format!("{folder}/content/business.toml"), BUSINESS);
        let mut command = project.command(["check"].iter().chain(arguments).copied());
        Run::of(command.current_dir(project.path(folder)))
    }
}

const OUTSIDE: &str = "error[no-shared-folder]: shared: content/../../../";

#[test]
fn a_shared_folder_is_inside_the_checkout_or_the_workspace() {
    let check = sharing("../../../defaults");
    let project = Project::new().file("checkout/defaults/import.toml", "");
    let run = check(&project, &[]).exits(1).complains(&format!("{OUTSIDE}defaults is outside "));
    run.complains("/checkout/sites/a; move it there, or accept it on the command line with --shared content/../../../defaults");
    project.write("checkout/candor-workspace.toml", "sites = [\"sites/*\"]\n");
    assert_eq!(check(&project, &[]).exits(0).err, "");
    // The checkout is the limit where there is one.
    project.write("checkout/sites/.git/HEAD", "ref: refs/heads/main\n");
    check(&project, &[]).exits(1).complains("/checkout/sites; move it there");
    std::fs::rename(project.path("checkout/sites/.git"), project.path("checkout/.git")).unwrap();
    assert_eq!(check(&project, &[]).exits(0).err, "");
}

#[test]
fn the_command_line_may_name_a_shared_folder_outside() {
    let check = sharing("../../../../defaults");
    let project = Project::new().file("defaults/import.toml", "").file("other/import.toml", "");
    project.write("checkout/.git/HEAD", "ref: refs/heads/main\n");
    let outside = format!("{OUTSIDE}../defaults is outside ");
    check(&project, &[]).exits(1).complains(&outside);
    check(&project, &["--shared", "../../../other"]).exits(1).complains(&outside);
    assert_eq!(check(&project, &["--shared", "../../../defaults"]).exits(0).err, "");
}

#[test]
fn no_message_shows_a_file_outside_the_checkout() {
    let site = ["checkout", "elsewhere"].map(|folder| format!("{folder}/content/site.toml"));
    let project = Project::new().file("defaults/topics.toml", SECRET).file(&site[1], SECRET);
    project.write("checkout/.git/HEAD", "ref: refs/heads/main\n");
    let check = |arguments: &[&str]| {
        let mut command = project.command(["check"].iter().chain(arguments).copied());
        Run::of(command.current_dir(project.path("checkout"))).exits(1).err
    };
    let shared = format!("shared = \"../../defaults\"\n{SITE}");
    project.write(&site[0], shared);
    project.write("checkout/content/business.toml", BUSINESS);
    assert!(!check(&[]).contains("s3cr3t"));
    // What the command line names is shown.
    assert!(check(&["--shared", "../defaults"]).contains("s3cr3t"));
    project.write("checkout/candor-workspace.toml", "sites = [\"../elsewhere\"]\n");
    assert!(!check(&["--all"]).contains("s3cr3t"));
    assert!(check(&["--content", "../elsewhere/content"]).contains("s3cr3t"));
}

#[test]
fn no_link_leads_to_a_shared_folder() {
    let check = sharing("../../../defaults");
    let project = Project::new().file("checkout/real/import.toml", "");
    project.write("checkout/.git/HEAD", "ref: refs/heads/main\n");
    symlink("real", project.path("checkout/defaults")).unwrap();
    let run = check(&project, &[]).exits(1).complains(LINK);
    run.complains("replace a link by a copy of what it points to");
}

#[test]
fn the_sites_of_a_workspace_are_inside_its_checkout() {
    for (entry, reason) in [("../elsewhere", "is outside "), ("link", LINK), ("site", LINK)] {
        let project =
            Project::new().file("checkout/candor-workspace.toml", format!("sites = [\"{entry}\"]"));
        project.write("checkout/.git/HEAD", "ref: refs/heads/main\n");
        std::fs::create_dir(project.path("elsewhere")).unwrap();
        symlink("../elsewhere", project.path("checkout/link")).unwrap();
        std::fs::create_dir(project.path("checkout/site")).unwrap();
        symlink("../../elsewhere", project.path("checkout/site/content")).unwrap();
        let mut command = project.command(["check", "--all"]);
        let run = Run::of(command.current_dir(project.path("checkout"))).exits(1);
        run.clone().complains(reason);
        run.complains("correct the entry, or replace a link by a copy of what it points to");
    }
    let project = Project::new().file(".env", SECRET);
    symlink(".env", project.path("candor-workspace.toml")).unwrap();
    let run = project.candor(["check", "--all"]).exits(1).complains(LINK);
    assert!(!run.err.contains("s3cr3t"));
}

/// Runs git in the folder of the project.
fn git(project: &Project, arguments: &[&str]) {
    let output = project.shielded("git").args(arguments).output().expect("git");
    assert!(output.status.success(), "{arguments:?}");
}

#[test]
fn a_cache_that_git_tracks_is_not_used() {
    let project = Project::new().reviews(mixed(3));
    let git = |arguments: &[&str]| git(&project, arguments);
    git(&["init", "--quiet"]);
    assert!(!project.build().err.contains("cache"), "a cache of this machine");
    assert_eq!(project.candor(["build"]).exits(0).err, "");
    git(&["add", "--force", ".candor-cache/build"]);
    let refused = "the cache .candor-cache/build is not used: git tracks it, so whoever may commit can have written it; remove it with git rm -r --cached ";
    project.candor(["build"]).exits(0).complains(refused);
    // Under another name it is the same file.
    std::fs::rename(project.path(".candor-cache"), project.path("kept")).unwrap();
    git(&["add", "--force", "kept/build"]);
    symlink("kept", project.path(".candor-cache")).unwrap();
    project.candor(["build"]).exits(0).complains("git tracks it");
    std::fs::remove_file(project.path(".candor-cache")).unwrap();
    // A link that came with the repository leads to what is not in it.
    let elsewhere = tempfile::tempdir().unwrap();
    std::fs::write(elsewhere.path().join("build"), "precious").unwrap();
    symlink(elsewhere.path(), project.path(".candor-cache")).unwrap();
    git(&["add", "--force", ".candor-cache"]);
    project.candor(["build"]).exits(0).complains("git tracks it");
    assert_eq!(std::fs::read(elsewhere.path().join("build")).unwrap(), b"precious");
    std::fs::remove_file(project.path(".candor-cache")).unwrap();
    std::fs::rename(project.path("kept"), project.path(".candor-cache")).unwrap();
    project.write(".git/HEAD", "not a repository");
    project
        .candor(["build"])
        .exits(0)
        .complains("git does not say whether it came with the repository");
}

/// A link in the checkout would let whoever proposes a change choose the folder that a build writes.
#[test]
fn a_public_folder_that_is_a_tracked_link_is_not_written() {
    let project = Project::new().reviews(mixed(3));
    let git = |arguments: &[&str]| git(&project, arguments);
    git(&["init", "--quiet"]);
    let elsewhere = tempfile::tempdir().unwrap();
    symlink(elsewhere.path(), project.path("public")).unwrap();
    project.build();
    assert!(elsewhere.path().join("reviews.json").exists(), "a link of this machine");
    git(&["add", "--force", "public"]);
    for command in [["build", "--clean"], ["host", "nginx"]] {
        project.candor(command).exits(1).complains(
            "public is a link that git tracks, or leads through one, so a change of the checkout would choose the folder: remove the link, or name the folder that it leads to\n",
        );
    }
    project.candor(["build", "--public", elsewhere.path().to_str().unwrap()]).exits(0);
    // The same is so for what a host needs.
    std::fs::remove_file(project.path("public")).unwrap();
    git(&["rm", "--quiet", "--cached", "public"]);
    project.build();
    let config = tempfile::tempdir().unwrap();
    symlink(config.path(), project.path("hosts")).unwrap();
    git(&["add", "--force", "hosts"]);
    project.candor(["host", "nginx"]).exits(1).complains(
        "git tracks a link on the way there, so a change of the checkout would choose the folder: remove the link",
    );
    assert_eq!(std::fs::read_dir(config.path()).unwrap().count(), 0);
}

#[test]
fn a_folder_of_exports_has_no_link_that_an_import_leaves_out_in_silence() {
    let project = Project::new();
    project.write("exports/a.csv", "author,rating,date\nAnn,5,2026-01-02\n");
    symlink("/etc/passwd", project.path("exports/b.csv")).unwrap();
    project.candor(["import", "exports", "--source", "yelp"]).exits(1).complains(
        "exports/b.csv cannot be read: it is a symbolic link; name what it leads to as an argument, or remove it",
    );
    assert!(!project.path("content/reviews").exists());
}

/// A pull request could put a device or a pipe in place of the manifest, from which a build reads what it published.
#[test]
fn the_last_manifest_is_a_regular_file() {
    let project = Project::new().reviews(mixed(3));
    project.build();
    let manifest = project.path("public/candor-manifest.json");
    for (command, reason) in [
        (["/dev/zero", "ln", "-s"], "is a symbolic link, and links are not followed here\n"),
        (["", "mkfifo", ""], "is not a regular file\n"),
    ] {
        std::fs::remove_file(&manifest).unwrap();
        let [from, program, option] = command;
        let words = [option, from].into_iter().filter(|word| !word.is_empty());
        let status = Command::new(program).args(words).arg(&manifest).status().unwrap();
        assert!(status.success());
        for arguments in [&["build"][..], &["host", "nginx"], &["check"]] {
            project.candor(arguments.iter().copied()).exits(1).complains(reason);
        }
    }
}

#[test]
fn what_a_reader_names_of_a_log_has_an_end() {
    let project = logged(1);
    project.write_reviews(mixed(2));
    for (arguments, said) in [
        (
            &["log", "add", "--key-file", "/dev/zero"][..],
            "error: the private key in /dev/zero cannot be used: it has more than 65536 bytes\n",
        ),
        (
            &["verify", "--log", "http://127.0.0.1:9/", "--since", "/dev/zero"],
            "error: the checkpoint kept in /dev/zero cannot be read: it has more than 1048576 bytes\n",
        ),
        (
            &["verify", "--log", "http://127.0.0.1:9/", "--policy", "/dev/zero"],
            "error: the policy /dev/zero cannot be read: it has more than 1048576 bytes\n",
        ),
        (
            &["verify", "--log", "http://127.0.0.1:9/", "--receipt", "/dev/zero"],
            "error: the receipt /dev/zero cannot be read: it has more than 1048576 bytes\n",
        ),
    ] {
        project.candor(arguments.iter().copied()).exits(1).complains(said);
    }
}
