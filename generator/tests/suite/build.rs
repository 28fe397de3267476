//! What `candor build` writes, and what it leaves alone.

use std::{collections::BTreeMap, time::SystemTime};

use contract::manifest::MANIFEST_PATH;

use super::{
    project::{Project, Run},
    review::{id, mixed, review},
};

/// When each file was last written, and as which file of the disk.
fn stamps(project: &Project) -> BTreeMap<String, (SystemTime, u64)> {
    let stamp = |path: String| {
        let meta = std::fs::metadata(project.path("public").join(&path)).unwrap();
        #[cfg(unix)]
        let file = std::os::unix::fs::MetadataExt::ino(&meta);
        #[cfg(not(unix))]
        let file = 0;
        (path, (meta.modified().unwrap(), file))
    };
    project.tree("public").into_keys().map(stamp).collect()
}

/// The documents `--verbose` says were added, changed or removed.
fn changed(project: &Project) -> Vec<String> {
    let run = project.candor(["build", "--verbose"]).exits(0);
    let lines = run.out.lines().filter_map(|line| line.strip_prefix("  "));
    lines.map(str::to_owned).collect()
}

#[test]
fn the_first_build_claims_nothing_about_changes() {
    let project = Project::new().reviews(mixed(3));
    let run = project.build();
    let said = run.out.lines().collect::<Vec<_>>();
    assert_eq!(said.len(), 1, "{run:?}");
    let start =
        "published 65 files (no earlier publication is known, so changes are not listed) in ";
    assert!(said[0].starts_with(start), "{run:?}");
    let build = project.manifest().build_id;
    assert!(said[0].ends_with(&format!(" ms, build b3-{}", build.hex())), "{run:?}");
    assert_eq!(run.err, "");
    project.assert_whole();
}

#[test]
fn the_second_build_says_that_nothing_changed_and_writes_nothing() {
    let project = Project::new().reviews(mixed(3));
    project.build();
    let before = (stamps(&project), project.tree("public"));
    let run = project.build();
    assert!(run.out.starts_with("published 65 files (0 changed, 0 removed) in "), "{run:?}");
    assert_eq!(run.out.lines().count(), 1, "{run:?}");
    assert_eq!((stamps(&project), project.tree("public")), before);
}

/// What changes on a small site when one review comes, goes or changes.
const WITH_EVERY_REVIEW: [&str; 33] = [
    "about-these-reviews/index.html",
    "api/feed.json",
    "badge-dark.svg",
    "badge.json",
    "badge.svg",
    "changes.json",
    "developers/api/index.html",
    "developers/data-model/insights/index.html",
    "developers/data-model/reviews/index.html",
    "developers/mcp/tools/index.html",
    "embed/carousel/index.html",
    "embed/index.html",
    "embed/list/index.html",
    "feed.xml",
    "fragments/latest.html",
    "fragments/summary.html",
    "index.html",
    "insights.json",
    "llms.txt",
    "openapi.json",
    "parts.json",
    "rating/1/index.html",
    "rating/2/index.html",
    "rating/3/index.html",
    "review-policy/index.html",
    "reviews.csv",
    "reviews.json",
    "reviews.ndjson",
    "reviews/index.html",
    "search/index.html",
    "search/words.json",
    "share.png",
    "sitemap.xml",
];

#[test]
fn one_more_review_changes_these_files_and_topics() {
    let project = Project::new().reviews(mixed(3));
    project.build();
    project.write_reviews(mixed(4));
    let run = project.candor(["build", "--verbose"]).exits(0);
    assert!(run.out.contains("published 67 files (35 changed, 0 removed) in "), "{run:?}");
    let said: Vec<&str> = run.out.lines().skip(1).collect();
    assert_eq!(said[0], "changed topics: feed.xml, api/feed.json, reviews.json");
    let mut expected: Vec<String> =
        WITH_EVERY_REVIEW.iter().map(|path| format!("  changed {path}")).collect();
    let next = expected.iter().position(|said| said.ends_with(" reviews/index.html")).unwrap();
    expected.insert(next, format!("  added reviews/{}/index.html", id(3)));
    let next =
        expected.iter().position(|said| said.ends_with(" review-policy/index.html")).unwrap();
    expected.insert(next, "  added rating/4/index.html".to_owned());
    assert_eq!(said[1..], expected);
    project.assert_whole();
}

#[test]
fn what_did_not_change_keeps_its_file_and_its_time() {
    let project = Project::new().reviews(mixed(3));
    project.build();
    let (before, old) = (stamps(&project), project.manifest());
    project.write_reviews(mixed(4));
    project.build();
    let (after, new) = (stamps(&project), project.manifest());
    for path in ["404.html", "404.html.br", "404.html.gz"] {
        assert_eq!(before[path], after[path], "{path}");
    }
    assert_eq!(old.file("404.html"), new.file("404.html"));
    let modified =
        |manifest: &contract::manifest::Manifest| manifest.file("reviews.json").unwrap().modified;
    assert!(modified(&new) > modified(&old), "strictly later, even within one second");
    assert!(new.published_at > old.published_at);
}

#[test]
fn a_file_on_disk_carries_the_time_of_its_manifest_entry() {
    let project = Project::new().reviews(mixed(3));
    project.build();
    for file in project.manifest().files {
        let on_disk = stamps(&project)[&file.path].0;
        assert_eq!(on_disk, SystemTime::from(file.modified), "{}", file.path);
    }
}

#[test]
fn a_file_that_was_deleted_or_damaged_is_repaired() {
    let project = Project::new().reviews(mixed(3));
    project.build();
    let (tree, manifest) = (project.tree("public"), project.manifest());
    project.remove("public/insights.json");
    project.remove("public/feed.xml.br");
    project.write("public/reviews.json", "{}");
    let mut flipped = tree["404.html"].clone();
    flipped[100] ^= 1;
    project.write("public/404.html", flipped);
    project.write("public/404.html.gz", "");
    project.build().says("(0 changed, 0 removed)");
    assert_eq!(project.tree("public"), tree);
    assert_eq!(project.manifest(), manifest);
}

#[test]
fn what_is_published_no_longer_is_removed_with_its_siblings_and_its_empty_folder() {
    let project = Project::new().reviews(mixed(3));
    project.build();
    let mut manifest = project.manifest();
    let mut entry = manifest.file("404.html").unwrap().clone();
    entry.path = "old/page/index.html".to_owned();
    for coding in entry.encodings.keys() {
        project.write(&format!("public/{}", entry.sibling(*coding)), "stale");
    }
    project.write("public/old/page/index.html", "stale");
    project.write("public/old/kept.txt", "the owner's");
    manifest.files.push(entry);
    manifest.files.sort_by(|a, b| a.path.cmp(&b.path));
    project.write(&format!("public/{MANIFEST_PATH}"), manifest.to_json());
    let run = project.candor(["build", "--verbose"]).exits(0);
    assert!(run.out.contains("(0 changed, 1 removed)"), "{run:?}");
    assert!(run.out.contains("  removed old/page/index.html\n"), "{run:?}");
    assert!(!project.path("public/old/page").exists());
    assert_eq!(project.text("public/old/kept.txt"), "the owner's");
}

#[test]
fn somebody_elses_file_in_the_way_is_an_error_and_nothing_is_written() {
    for path in ["reviews.json", "feed.xml.br", "index.html"] {
        let project = Project::new().reviews(mixed(3)).file(&format!("public/{path}"), "mine");
        let run = project.candor(["build"]).exits(1);
        assert_eq!(
            run.err,
            format!(
                "error: nothing was published to public: public/{path} is in the way: no manifest lists it, so it is not Candor's to overwrite; publish to another folder with --public or --releases, or move it away\n"
            )
        );
        assert_eq!(run.out, "");
        assert_eq!(project.tree("public"), [(path.to_owned(), b"mine".to_vec())].into());
        assert!(!project.path("public/.candor-stage").exists());
        project.remove(&format!("public/{path}"));
        project.build();
        project.assert_whole();
    }
}

#[test]
fn somebody_elses_file_in_the_way_later_leaves_the_old_site() {
    let project = Project::new().reviews(mixed(3));
    project.build();
    let mut manifest = project.manifest();
    manifest.files.retain(|file| file.path != "insights.json");
    project.write(&format!("public/{MANIFEST_PATH}"), manifest.to_json());
    project.write("public/insights.json", "mine");
    project.write_reviews(mixed(4));
    let before = project.tree("public");
    project.candor(["build"]).exits(1).complains("public/insights.json");
    assert_eq!(project.tree("public"), before);
    assert!(!project.path("public/.candor-stage").exists());
}

#[test]
fn a_folder_in_the_way_is_an_error_with_its_path() {
    let project = Project::new().file("public/reviews.json/mine.txt", "mine");
    project.candor(["build"]).exits(1).complains("public/reviews.json is in the way");
    assert_eq!(project.text("public/reviews.json/mine.txt"), "mine");
}

#[test]
fn a_file_where_a_folder_belongs_is_an_error_with_a_remedy() {
    let project = Project::new().file("public/api", "mine");
    let run = project.candor(["build"]).exits(1).complains("public/api");
    assert!(run.err.contains("move it away"), "{run:?}");
    assert_eq!(project.tree("public"), [("api".to_owned(), b"mine".to_vec())].into());
}

#[cfg(unix)]
#[test]
fn a_link_in_the_way_is_neither_followed_nor_replaced() {
    let project = Project::new().file("elsewhere.json", "mine");
    std::fs::create_dir(project.path("public")).unwrap();
    std::os::unix::fs::symlink("../elsewhere.json", project.path("public/reviews.json")).unwrap();
    project.candor(["build"]).exits(1).complains("public/reviews.json is in the way");
    assert_eq!(project.text("elsewhere.json"), "mine");
}

#[test]
fn somebody_elses_file_elsewhere_is_left_alone() {
    let project = Project::new().reviews(mixed(3));
    project.write("public/CNAME", "reviews.example");
    project.write("public/api/notes.txt", "mine");
    project.build();
    project.write_reviews(mixed(4));
    project.build();
    assert_eq!(project.text("public/CNAME"), "reviews.example");
    assert_eq!(project.text("public/api/notes.txt"), "mine");
}

#[test]
fn the_same_bytes_under_a_name_of_ours_are_taken_over() {
    let project = Project::new().reviews(mixed(3));
    project.build();
    let tree = project.tree("public");
    project.remove(&format!("public/{MANIFEST_PATH}"));
    project.build();
    project.assert_whole();
    let files = |tree: &BTreeMap<String, Vec<u8>>| {
        tree.iter()
            .filter(|(path, _)| *path != MANIFEST_PATH)
            .map(|f| f.1.clone())
            .collect::<Vec<_>>()
    };
    assert_eq!(files(&project.tree("public")), files(&tree));
}

#[test]
fn an_error_of_content_leaves_the_site_untouched() {
    let project = Project::new().reviews(mixed(3));
    project.build();
    let before = (stamps(&project), project.tree("public"));
    let mut reviews = mixed(4);
    reviews[0] = reviews[0].clone().with("rating", 6);
    project.write_reviews(reviews);
    project.candor(["build"]).exits(1).complains("nothing was published; fix the errors above");
    assert_eq!((stamps(&project), project.tree("public")), before);
}

#[test]
fn a_warning_does_not_stop_a_build() {
    let project = Project::new().reviews([review(1)]).file("content/x.txt", "");
    project.build().complains("warning[unknown-file]");
}

#[test]
fn a_build_says_how_many_reviews_are_withheld_and_why() {
    let project = Project::new().reviews([review(1), review(2).with("source", "facebook")]);
    let run = project.build().complains("withheld as unverified: 1 of 2 reviews");
    run.says("2 reviews: 1 published, 1 withheld (1 unverified); no errors, 1 warning\n");
}

#[test]
fn a_quiet_build_says_nothing() {
    let project = Project::new().reviews([review(1), review(2).with("source", "facebook")]);
    let run = project.candor(["build", "-q"]).exits(0);
    assert_eq!((run.out.as_str(), run.err.as_str()), ("", ""));
}

#[test]
fn two_builds_of_one_folder_do_not_meet() {
    let project = Project::new().reviews(mixed(40));
    let mut children: Vec<_> =
        (0..6).map(|_| project.command(["build", "-q"]).spawn().unwrap()).collect();
    let codes: Vec<_> = children.iter_mut().map(|child| child.wait().unwrap().code()).collect();
    assert!(codes.contains(&Some(0)), "{codes:?}");
    assert!(codes.iter().all(|code| matches!(code, Some(0 | 1))), "{codes:?}");
    project.assert_whole();
}

#[test]
fn a_hidden_review_leaves_every_document_but_the_counts() {
    let project = Project::new().reviews(mixed(4));
    project.build();
    let hidden = id(1);
    project.write(
        "content/overrides.toml",
        format!("[{hidden}]\ndate = 2026-03-01\nhidden = \"personal_data\"\n"),
    );
    let changes = changed(&project);
    assert!(changes.contains(&format!("removed reviews/{hidden}/index.html")), "{changes:?}");
    assert!(changes.contains(&"changed review-policy/index.html".to_owned()), "{changes:?}");
    for (path, bytes) in project.tree("public") {
        let text = String::from_utf8_lossy(&bytes);
        let says = path.starts_with("changes.json") || !text.contains(&hidden);
        assert!(says, "{path} names the review");
        assert!(!text.contains("Words of review 1."), "{path} quotes the review");
    }
    let removed = &project.json("public/changes.json")["changes"][0];
    assert_eq!(
        *removed,
        serde_json::json!({ "id": hidden, "change": "removed", "at": "2026-03-01T00:00:00Z" })
    );
    assert_eq!(
        project.json("public/reviews.json")["moderation"],
        serde_json::json!({
            "withheld_count": 1, "by_reason": { "personal_data": 1 },
            "by_rating": { "1": 0, "2": 1, "3": 0, "4": 0, "5": 0 },
        })
    );
}

#[test]
fn an_output_folder_is_apart_from_the_content() {
    let project = Project::new().reviews([review(1)]);
    let content = project.tree("content");
    let refuses = |command: &[&str], option: &str, folder: &str, relation: &str| {
        let run = project.candor(command.iter().copied().chain([option, folder])).exits(1);
        let said = format!(
            "error: {option} {folder}: this {relation} the content folder, and the two must be apart; name another folder with {option} DIR\n"
        );
        assert_eq!((run.out, run.err), (String::new(), said));
        assert_eq!(project.tree("content"), content, "{option} {folder}");
    };
    let host = ["build", "--host", "nginx"];
    for (command, option) in [
        (&["build"][..], "--public"),
        (&["build"][..], "--releases"),
        (&["build"][..], "--cache"),
        (&host[..], "--host-out"),
        (&["host", "nginx"][..], "--out"),
    ] {
        refuses(command, option, "content", "is");
        refuses(command, option, "content/reviews", "is inside");
        refuses(command, option, "new/../content/new", "is inside");
        refuses(command, option, ".", "contains");
        assert!(!project.path("public").exists() && !project.path("current").exists());
    }
    #[cfg(unix)]
    {
        std::os::unix::fs::symlink("content", project.path("link")).unwrap();
        refuses(&["build"], "--public", "link", "is");
        refuses(&["build"], "--public", "link/new", "is inside");
    }
    let mut inside = project.command(["build", "--content", "."]);
    Run::of(inside.current_dir(project.path("content"))).exits(1).complains(
        "error: --public public: this is inside the content folder, and the two must be apart",
    );
    let apart = ["--public", "content-public", "--cache", "content.cache"];
    project.candor(["build"].into_iter().chain(apart)).exits(0);
}
