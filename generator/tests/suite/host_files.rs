//! What a host needs among the documents: written, kept in step and removed with the publication.

use std::collections::BTreeMap;

use contract::{
    etag::ETag,
    manifest::{MANIFEST_PATH, Manifest},
};

use super::{
    project::{Project, SITE},
    review::mixed,
};

/// The tag beside each file must be that file's: documents, siblings and the manifest.
fn assert_tagged(project: &Project) {
    let tree = project.tree("public");
    let (tags, files): (BTreeMap<_, _>, BTreeMap<_, _>) =
        tree.into_iter().partition(|(path, _)| path.ends_with(".etag"));
    let hidden = |path: &str| path == "404.html" || path.starts_with("404.html.");
    let tagged: Vec<&String> = files.keys().filter(|path| !hidden(path)).collect();
    for path in &tagged {
        let tag = tags.get(&format!("{path}.etag")).unwrap_or_else(|| panic!("{path} has no tag"));
        assert_eq!(String::from_utf8_lossy(tag), ETag::of(&files[*path]).as_str(), "{path}");
    }
    assert_eq!(tags.len(), tagged.len());
    project.assert_whole();
}

#[test]
fn caddy_reads_a_tag_beside_every_file() {
    let project = Project::new().reviews(mixed(3));
    project.build();
    let documents = project.tree("public").len();
    let run = project.candor(["host", "caddy"]).exits(0);
    assert_tagged(&project);
    let count = project.manifest().host_files.len();
    assert!(count > documents / 2);
    run.says(&format!("caddy: 2 files in {}\n", project.path("hosts/caddy").display()))
        .says(&format!("caddy: {count} files in {}\n", project.path("public").display()));
}

#[test]
fn a_build_for_the_host_keeps_tags_in_step() {
    let project = Project::new().reviews(mixed(3));
    project.candor(["build", "--host", "caddy"]).exits(0);
    assert_tagged(&project);
    project.write_reviews(mixed(5));
    project.candor(["build", "--host", "caddy"]).exits(0);
    assert_tagged(&project);
    project.write_reviews(mixed(1));
    project.candor(["build", "--host", "caddy"]).exits(0);
    assert_tagged(&project);
}

#[test]
fn host_and_build_write_the_same() {
    let built = Project::new().reviews(mixed(3));
    built.candor(["build", "--host", "caddy"]).exits(0);
    let before = built.tree("public");
    built.candor(["host", "caddy"]).exits(0);
    assert_eq!(built.tree("public"), before);
    let run = built.candor(["build", "--host", "caddy", "--exit-code"]).exits(2);
    assert!(run.out.starts_with("published 65 files (0 changed, 0 removed) in "), "{run:?}");
    assert_eq!(built.tree("public"), before);
}

#[test]
fn a_build_for_nobody_removes_them_and_says_so() {
    let project = Project::new().reviews(mixed(3));
    project.build();
    let before = project.tree("public");
    project.candor(["host", "caddy"]).exits(0);
    let count = project.manifest().host_files.len();
    project.write("content/site.toml", SITE);
    let run = project.build();
    assert_eq!(
        run.err,
        format!(
            "removed {count} files that `candor host` had put among the documents; candor host NAME writes them again now and at every build\n"
        )
    );
    assert_eq!(project.tree("public"), before);
}

#[test]
fn another_host_removes_what_the_last_one_needed() {
    let project = Project::new().reviews(mixed(3));
    project.build();
    let before = project.tree("public");
    project.candor(["host", "caddy"]).exits(0);
    project.candor(["host", "apache"]).exits(0);
    assert_eq!(project.tree("public"), before);
    project.candor(["build", "--host", "caddy"]).exits(0);
    let run = project.candor(["build", "--host", "apache"]).exits(0);
    assert_eq!(run.err, "");
    assert_eq!(project.tree("public"), before);
}

#[test]
fn the_publication_stays_the_same_one() {
    let project = Project::new().reviews(mixed(3));
    project.build();
    let before = project.manifest();
    project.candor(["host", "caddy"]).exits(0);
    let after = project.manifest();
    assert_eq!(Manifest { host_files: Vec::new(), ..after }, before);
}

#[test]
fn a_strangers_file_in_the_way_stops_everything() {
    let project = Project::new().reviews(mixed(3));
    project.build();
    project.write("public/feed.xml.etag", "mine");
    let before = project.tree("public");
    let run = project.candor(["host", "caddy"]).exits(1);
    assert_eq!(
        run.err,
        "error: nothing was written for caddy: public/feed.xml.etag is in the way: no manifest lists it, so it is not Candor's to overwrite; publish to another folder with --public or --releases, or move it away\n"
    );
    assert_eq!(project.tree("public"), before);
    assert!(!project.path("hosts").exists());
    project.write_reviews(mixed(4));
    project.candor(["build", "--host", "caddy"]).exits(1).complains("feed.xml.etag is in the way");
    assert_eq!(project.tree("public"), before);
}

#[test]
fn tags_that_were_lost_come_back() {
    let project = Project::new().reviews(mixed(3));
    project.candor(["build", "--host", "caddy"]).exits(0);
    project.remove("public/feed.xml.etag");
    project.write("public/reviews.json.etag", "\"b3-other\"");
    project.candor(["build", "--host", "caddy"]).exits(0);
    assert_tagged(&project);
}

#[test]
fn an_unfinished_build_is_finished_first() {
    let project = Project::new().reviews(mixed(3));
    project.build();
    project.write_journal("public/.candor-stage", &serde_json::json!(["feed.xml"]));
    let run = project.candor(["host", "caddy"]).exits(1);
    assert_eq!(
        run.err,
        "error: nothing was written for caddy: the last build to public did not come to its end; run `candor build` again\n"
    );
    project.candor(["build", "--host", "caddy"]).exits(0);
    assert_tagged(&project);
}

#[test]
fn a_manifest_whose_host_files_leave_the_folder_is_refused() {
    let project = Project::new();
    project.build();
    let mut manifest = project.json(&format!("public/{MANIFEST_PATH}"));
    manifest["host_files"] = serde_json::json!(["../content/site.toml"]);
    project.write(&format!("public/{MANIFEST_PATH}"), manifest.to_string());
    project.candor(["build"]).exits(1).complains(
        "it lists the path \"../content/site.toml\", which is not inside the public directory",
    );
    assert!(project.path("content/site.toml").exists());
}
