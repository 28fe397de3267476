//! `--releases`: each publication in a folder of its own, and `candor rollback`.
#![cfg(unix)]

use std::{
    collections::{BTreeMap, BTreeSet},
    fs::{self, File},
    os::unix::fs::{MetadataExt, symlink},
    time::Duration,
};

use contract::{lock, manifest::MANIFEST_PATH};

use super::{
    project::{Project, Run, SITE},
    review::{id, mixed},
};

const CURRENT: &str = "releases/current";

fn run(project: &Project, arguments: &[&str]) -> Run {
    project.candor(arguments.iter().copied().chain(["--releases", "releases"]))
}

/// Releases the site with so many reviews, and returns the build.
fn release(project: &Project, reviews: usize) -> String {
    project.write_reviews(mixed(reviews));
    run(project, &["build"]).exits(0);
    current(project)
}

/// The folder that `current` names.
fn current(project: &Project) -> String {
    let name = project.path(CURRENT).read_link().unwrap();
    name.to_str().unwrap().to_owned()
}

/// What is in the folder of releases.
fn names(project: &Project) -> BTreeSet<String> {
    let entries = fs::read_dir(project.path("releases")).unwrap();
    entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect()
}

fn set<const N: usize>(names: [&str; N]) -> BTreeSet<String> {
    names.map(str::to_owned).into()
}

/// Each file of a release as a file of the disk.
fn inodes(project: &Project, release: &str) -> BTreeMap<String, u64> {
    let folder = format!("releases/{release}");
    let inode = |path: String| {
        let inode = fs::metadata(project.path(&folder).join(&path)).unwrap().ino();
        (path, inode)
    };
    project.tree(&folder).into_keys().map(inode).collect()
}

#[test]
fn a_release_is_a_folder_of_its_own_and_shares_what_is_equal() {
    let project = Project::new();
    let first = release(&project, 3);
    let build = project.manifest_in(CURRENT).build_id;
    assert_eq!(first, build.as_str().trim_matches('"'));
    assert_eq!(names(&project), set([&first, "current"]));
    project.assert_whole_in(CURRENT);
    assert!(!project.path("public").exists());

    let before = project.tree(&format!("releases/{first}"));
    let second = release(&project, 4);
    assert_eq!(names(&project), set([&first, &second, "current"]));
    project.assert_whole_in(CURRENT);
    assert_eq!(project.tree(&format!("releases/{first}")), before);
    let after = project.tree(CURRENT);
    let (old, new) = (inodes(&project, &first), inodes(&project, &second));
    let shared = old.iter().filter(|(path, inode)| new.get(*path) == Some(inode)).count();
    let equal = before.iter().filter(|(path, bytes)| after.get(*path) == Some(bytes)).count();
    assert!(shared == equal && equal > 10, "{shared} of {equal}");
}

#[test]
fn a_build_without_changes_switches_nothing() {
    let project = Project::new();
    let first = release(&project, 3);
    let link = fs::symlink_metadata(project.path(CURRENT)).unwrap().ino();
    let before = inodes(&project, &first);
    run(&project, &["build", "--exit-code"]).exits(2).says("(0 changed, 0 removed)");
    run(&project, &["build", "--dry-run", "--exit-code"])
        .exits(2)
        .says("a build would change nothing");
    assert_eq!(fs::symlink_metadata(project.path(CURRENT)).unwrap().ino(), link);
    assert_eq!((names(&project), inodes(&project, &first)), (set([&first, "current"]), before));
}

#[test]
fn the_last_three_builds_are_kept_and_what_is_not_ours_stays() {
    let project = Project::new()
        .file("releases/mine/page.html", "mine")
        .file("releases/note.txt", "mine")
        .file(format!("releases/copy/{MANIFEST_PATH}").as_str(), "{}");
    let builds: Vec<String> = (1..=5).map(|reviews| release(&project, reviews)).collect();
    let kept = set([&builds[2], &builds[3], &builds[4], "current", "mine", "note.txt", "copy"]);
    assert_eq!(names(&project), kept);
    // The documents of the third again: a build is there once.
    let third = release(&project, 3);
    assert_eq!(third, format!("{}-2", builds[2]));
    let kept = set([&builds[3], &builds[4], &third, "current", "mine", "note.txt", "copy"]);
    assert_eq!(names(&project), kept);
    project.assert_whole_in(CURRENT);
}

#[test]
fn files_of_the_owner_come_along() {
    let project = Project::new();
    release(&project, 1);
    project.write("releases/current/verification/code.html", "code");
    release(&project, 2);
    assert_eq!(project.text("releases/current/verification/code.html"), "code");
}

#[test]
fn a_rollback_publishes_the_build_before_once_more() {
    let project = Project::new();
    let first = release(&project, 3);
    let old = project.manifest_in(CURRENT);
    let second = release(&project, 4);
    let newer = project.manifest_in(CURRENT);
    let said = run(&project, &["rollback", "--verbose"]).exits(0);
    let line = format!(
        "returned from build {second} to build {first}; the next build publishes the content as it is then\n"
    );
    assert!(said.out.starts_with(&line), "{said:?}");
    said.says("  changed reviews.json\n").says("  removed ");

    project.assert_whole_in(CURRENT);
    let now = project.manifest_in(CURRENT);
    assert_eq!(now.build_id, old.build_id);
    assert!(now.published_at > newer.published_at);
    for file in &now.files {
        let (path, before) = (&file.path, newer.file(&file.path));
        let same = before.is_some_and(|before| before.etag == file.etag);
        match before {
            Some(before) if same => assert_eq!(file.modified, before.modified, "{path}"),
            Some(before) => assert!(file.modified > before.modified, "{path}"),
            None => {}
        }
        let disk = fs::metadata(project.path(CURRENT).join(path)).unwrap().modified().unwrap();
        assert_eq!(disk, std::time::SystemTime::from(file.modified), "{path}");
    }
    // Twice is back again; the next build publishes the content, whatever is current.
    run(&project, &["rollback"]).exits(0).says(&format!("to build {second};"));
    run(&project, &["rollback", &first]).exits(0).says(&format!("to build {first};"));
    assert_eq!(names(&project).len(), 3, "{:?}", names(&project));
    run(&project, &["build"]).exits(0);
    assert_eq!(project.manifest_in(CURRENT).build_id, newer.build_id);
}

#[test]
fn what_cannot_be_returned_to_is_refused() {
    let project = Project::new();
    let refusal = |arguments: &[&str]| run(&project, arguments).exits(1).err;
    let stays = "error: the current release stays: ";
    assert_eq!(
        project.candor(["rollback"]).exits(1).err,
        "error: a public folder holds one build only, so there is none to return to; name a folder of releases with --releases DIR\n"
    );
    let none = format!(
        "{stays}there is no release in releases; run `candor build --releases releases` first\n"
    );
    assert_eq!(refusal(&["rollback"]), none);
    fs::create_dir(project.path("releases")).unwrap();
    assert_eq!(refusal(&["rollback"]), none);
    let first = release(&project, 1);
    assert_eq!(
        refusal(&["rollback"]),
        format!(
            "{stays}releases holds only the current release; correct the content and run `candor build` instead\n"
        )
    );
    let second = release(&project, 2);
    assert_eq!(
        refusal(&["rollback", &second]),
        format!("{stays}build {second} is the current release already; name another one\n")
    );
    assert_eq!(
        refusal(&["rollback", "b3-1"]),
        format!("{stays}releases holds no build b3-1 to return to; it holds {first}\n")
    );
    fs::write(project.path("releases").join(&first).join("index.html"), "changed").unwrap();
    assert_eq!(
        refusal(&["rollback"]),
        format!(
            "{stays}releases/{first} was changed after it was published, so it is not published again; name another build\n"
        )
    );
    assert_eq!(current(&project), second);
    project.assert_whole_in(CURRENT);
    assert!(!project.path("releases/.candor-stage").exists());
}

#[test]
fn what_is_no_link_to_a_release_is_not_replaced() {
    let reason = "releases/current is not a symbolic link to a release beside it, so it is not Candor's to replace; move it away, or name another folder with --releases\n";
    let project = Project::new().reviews(mixed(1)).file("releases/current/page.html", "mine");
    let build = format!("error: nothing was published to releases/current: {reason}");
    assert_eq!(run(&project, &["build"]).exits(1).err, build);
    let rollback = format!("error: the current release stays: {reason}");
    assert_eq!(run(&project, &["rollback"]).exits(1).err, rollback);
    assert_eq!(project.text("releases/current/page.html"), "mine");
    fs::remove_dir_all(project.path(CURRENT)).unwrap();
    for target in ["..", "../content", "/tmp", ".candor-stage", "a/b"] {
        symlink(target, project.path(CURRENT)).unwrap();
        assert_eq!(run(&project, &["build"]).exits(1).err, build, "{target}");
        fs::remove_file(project.path(CURRENT)).unwrap();
    }
    // A release that is gone is published anew.
    symlink("gone", project.path(CURRENT)).unwrap();
    run(&project, &["build"]).exits(0);
    project.assert_whole_in(CURRENT);
}

#[test]
fn what_a_killed_build_left_is_removed_and_no_link_is_followed() {
    let project = Project::new().file("precious/file", "precious");
    release(&project, 1);
    for path in ["releases/.candor-stage", "releases/elsewhere"] {
        symlink(project.path("precious"), project.path(path)).unwrap();
    }
    release(&project, 2);
    assert_eq!(project.text("precious/file"), "precious");
    assert!(!project.path("releases/.candor-stage").exists());
    project.write("releases/.candor-stage/next/reviews.json", "torn");
    release(&project, 3);
    project.assert_whole_in(CURRENT);
}

#[test]
fn host_files_belong_to_the_release() {
    let project = Project::new();
    let first = release(&project, 2);
    let before = project.tree(CURRENT);
    run(&project, &["build", "--host", "caddy"]).exits(0);
    let with_host = current(&project);
    // Equal documents are an equal build; the release before it is not needed any more.
    assert_eq!(with_host, format!("{first}-2"));
    assert_eq!(names(&project), set([&with_host, "current"]));
    project.assert_whole_in(CURRENT);
    assert!(project.path("releases/current/reviews.json.etag").exists());
    run(&project, &["build"]).exits(0).complains("had put among the documents");
    assert_eq!((current(&project), project.tree(CURRENT)), (first.clone(), before));
    run(&project, &["host", "caddy"]).exits(0).says("releases/current");
    assert_eq!(current(&project), with_host);
    project.assert_whole_in(CURRENT);
    run(&project, &["host", "caddy"]).exits(0);
    assert_eq!(current(&project), with_host);

    release(&project, 3);
    run(&project, &["rollback", "--host", "nginx"]).exits(0).says("nginx: 4 files in ");
    let root = format!("root \"{}\";", project.path(CURRENT).display());
    let site = project.text("hosts/nginx/site.conf");
    assert!(site.contains(&root), "{site}");
}

#[test]
fn other_commands_read_the_current_release() {
    let site = SITE.replace("reviews.example", "reviews.acme-pipes.org");
    let project = Project::new().reviews(mixed(1)).file("content/site.toml", &site);
    assert_eq!(
        run(&project, &["host", "nginx"]).exits(1).err,
        "error: nothing was written for nginx: there is no releases/current/candor-manifest.json: nothing was published there; run `candor build` first, or name the folder with --public or --releases\n"
    );
    assert!(!project.path("releases").exists());
    release(&project, 1);
    project.write("content/site.toml", site.replace("https://reviews", "https://new"));
    for verb in [&["check"][..], &["build", "--dry-run"], &["build"]] {
        run(&project, verb)
            .exits(1)
            .complains("base_url was https://reviews.acme-pipes.org at the");
    }
}

#[test]
fn one_of_public_and_releases_is_named() {
    let project = Project::new();
    let run = run(&project, &["build", "--public", "public"]).exits(64);
    run.complains("the argument '--public <DIR>' cannot be used with '--releases <DIR>'");
}

#[test]
fn commands_on_one_folder_of_releases_exclude_each_other() {
    let project = Project::new();
    release(&project, 1);
    let before = project.tree("releases");
    let folder = File::open(project.path("releases")).unwrap();
    assert!(lock::acquire(&folder, Duration::ZERO).unwrap());
    let locked = "another build is publishing to releases; wait for it to end\n";
    project.write_reviews(mixed(2));
    for (verb, start) in [
        ("build", "nothing was published to releases/current"),
        ("rollback", "the current release stays"),
    ] {
        let run = run(&project, &[verb]).exits(1);
        assert_eq!(run.err, format!("error: {start}: {locked}"));
    }
    assert_eq!(project.tree("releases"), before);
}

#[test]
fn a_refused_build_leaves_the_current_release() {
    let project = Project::new();
    let first = release(&project, 1);
    let page = format!("releases/current/reviews/{}/index.html", id(1));
    project.write(&page, "mine");
    project.write_reviews(mixed(2));
    assert_eq!(
        run(&project, &["build"]).exits(1).err,
        format!(
            "error: nothing was published to releases/current: {page} is in the way: no manifest lists it, so it is not Candor's to overwrite; publish to another folder with --public or --releases, or move it away\n"
        )
    );
    assert_eq!(names(&project), set([&first, "current"]));
    assert_eq!(project.text(&page), "mine");
}
