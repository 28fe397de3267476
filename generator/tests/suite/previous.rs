//! What a build takes over from the last publication.

use std::io::{Read, Write};

use contract::manifest::MANIFEST_PATH;

use super::{
    project::{Project, Run, SITE},
    review::mixed,
};

#[test]
fn a_site_that_moves_says_so_or_is_refused() {
    let project = Project::new().reviews(mixed(3));
    project.build();
    let before = project.tree("public");
    let moved = SITE.replace("https://reviews.example", "https://new.example");
    project.write("content/site.toml", &moved);
    let refusal = "base_url was https://reviews.example at the last publication and is https://new.example now; add the old one to site.toml: previous_base_urls = [\"https://reviews.example\"], or publish to an empty folder\n";
    for (verb, start) in [
        ("build", "error: nothing was published to public: "),
        ("check", "error: "),
        ("diff", "error: "),
    ] {
        assert_eq!(project.candor([verb]).exits(1).err, format!("{start}{refusal}"));
    }
    assert_eq!(project.tree("public"), before);
    project.write(
        "content/site.toml",
        format!("{moved}previous_base_urls = [\"https://reviews.example/\"]\n"),
    );
    project.candor(["check", "--strict"]).exits(0);
    project.build();
    assert_eq!(project.manifest().previous_base_urls, ["https://reviews.example"]);
    assert!(project.text("public/reviews.json").contains("https://new.example/reviews/01"));
    assert!(project.text("public/feed.xml").contains("tag:reviews.example,2026-01-01:reviews/"));
}

#[test]
fn a_slash_at_the_end_of_the_address_is_no_move() {
    let project = Project::new().reviews(mixed(3));
    project.build();
    project.write("content/site.toml", SITE.replace(".example\"\nlang", ".example/\"\nlang"));
    project.build().says("(0 changed, 0 removed)");
}

#[test]
fn a_fresh_clone_goes_on_from_the_manifest_it_is_given() {
    let project = Project::new().reviews(mixed(3));
    project.build();
    let old = project.manifest();
    std::fs::rename(project.path("public"), project.path("kept")).unwrap();

    let previous = format!("kept/{MANIFEST_PATH}");
    let same = project.candor(["build", "--exit-code", "--previous", &previous]).exits(2);
    same.says("(0 changed, 0 removed)");
    assert_eq!(project.manifest(), old, "published_at and every modified are kept");
    project.assert_whole();

    std::fs::remove_dir_all(project.path("public")).unwrap();
    project.write_reviews(mixed(4));
    let other = project.candor(["build", "--exit-code", "--previous", &previous]).exits(0);
    other.says("(46 changed, 0 removed)");
    let new = project.manifest();
    assert!(new.published_at > old.published_at);
    for file in &new.files {
        // The new review's page is new.
        let Some(before) = old.file(&file.path) else { continue };
        match file.etag == before.etag {
            true => assert_eq!(file.modified, before.modified, "{}", file.path),
            false => assert!(file.modified > before.modified, "{}", file.path),
        }
    }
}

#[test]
fn a_move_is_noticed_from_the_manifest_it_is_given() {
    let project = Project::new();
    project.build();
    std::fs::rename(project.path("public"), project.path("kept")).unwrap();
    project.write("content/site.toml", SITE.replace("https://reviews", "https://new"));
    let previous = format!("kept/{MANIFEST_PATH}");
    for verb in ["check", "build", "diff"] {
        project.candor([verb, "--previous", &previous]).exits(1).complains("base_url was ");
    }
    assert!(!project.path(&format!("public/{MANIFEST_PATH}")).exists());
}

#[test]
fn a_first_publication_is_said_to_be_one() {
    let project = Project::new();
    let run = project.candor(["build", "--previous", "kept/none.json"]).exits(1);
    assert_eq!(
        run.err,
        "error: there is no publication at kept/none.json; if this is the first one, add --first\n"
    );
    // Nobody listens on a port that was just given back.
    let port = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
    let nowhere = format!("http://127.0.0.1:{port}/{MANIFEST_PATH}");
    let start = format!(
        "error: the last publication cannot be read; if there is none yet, add --first: {nowhere}: "
    );
    let run = project.candor(["build", "--previous", &nowhere]).exits(1);
    assert!(run.err.starts_with(&start), "{run:?}");
    assert!(!project.path("public").exists());
    project.candor(["build", "--previous", &nowhere, "--first"]).exits(0);
    let mut by_variable = project.command(["build", "--previous", &nowhere]);
    Run::of(by_variable.env("CANDOR_FIRST", "true")).exits(0);
    Run::of(by_variable.env("CANDOR_FIRST", "false")).exits(1);
    let there = format!("public/{MANIFEST_PATH}");
    let run = project.candor(["build", "--previous", &there, "--first"]).exits(1);
    assert_eq!(run.err, format!("error: {there} is a publication already; leave --first out\n"));
}

#[test]
fn files_are_listed_for_programs_that_upload() {
    let project = Project::new().reviews(mixed(3));
    let run = project.candor(["files"]).exits(1);
    run.complains("there is no public/candor-manifest.json: nothing was published there");
    project.candor(["build", "--host", "caddy"]).exits(0);
    let listed = |arguments: &[&str]| -> Vec<String> {
        let run = project.candor(arguments.iter().copied()).exits(0);
        run.out.lines().map(str::to_owned).collect()
    };
    let files = listed(&["files"]);
    assert_eq!(files.last().unwrap(), MANIFEST_PATH);
    let first = files.iter().position(|path| path.contains(".html")).unwrap();
    assert!(files[first..files.len() - 1].iter().all(|path| path.contains(".html")), "{files:?}");
    let mut sorted = files.clone();
    sorted.sort();
    let tree: Vec<String> = project.tree("public").into_keys().collect();
    assert_eq!(sorted, tree);

    std::fs::copy(project.path(&format!("public/{MANIFEST_PATH}")), project.path("before.json"))
        .unwrap();
    project.write_reviews(mixed(2));
    project.candor(["build", "--host", "caddy"]).exits(0);
    let gone = listed(&["files", "--gone-since", "before.json"]);
    let now = listed(&["files"]);
    let expected: Vec<&String> = files.iter().filter(|path| !now.contains(path)).collect();
    assert!(!gone.is_empty());
    assert_eq!(gone.iter().collect::<Vec<_>>(), expected);
    assert!(listed(&["files", "--gone-since", "none.json"]).is_empty());
    project.write("other.json", "[]");
    let run = project.candor(["files", "--gone-since", "other.json"]).exits(1);
    run.complains(
        "error: the earlier publication cannot be read: other.json: it is not a Candor manifest: ",
    );
}

#[test]
fn a_manifest_that_is_none_is_named() {
    let project = Project::new().file("kept.json", "[]").file("newer.json", r#"{"format": 2}"#);
    let run = project.candor(["build", "--previous", "kept.json"]).exits(1);
    run.complains(
        "error: the last publication cannot be read: kept.json: it is not a Candor manifest: ",
    );
    let run = project.candor(["build", "--previous", "newer.json"]).exits(1);
    assert_eq!(
        run.err,
        "error: the last publication cannot be read: newer.json: its format is 2, this program reads up to 1: update candor\n"
    );
    assert!(!project.path("public").exists());
    project.write(&format!("public/{MANIFEST_PATH}"), "[]");
    let run = project.candor(["build"]).exits(1);
    run.complains("public/candor-manifest.json: it is not a Candor manifest: ")
        .complains("; move it away to publish the site anew");
}

#[test]
fn a_manifest_that_points_outside_removes_nothing() {
    let project = Project::new().file("precious.txt", "mine");
    project.build();
    let hostile =
        project.text(&format!("public/{MANIFEST_PATH}")).replace("404.html", "../precious.txt");
    project.write(&format!("public/{MANIFEST_PATH}"), hostile);
    project.candor(["build"]).exits(1).complains("not inside the public directory");
    assert_eq!(project.text("precious.txt"), "mine");
}

#[test]
fn a_manifest_of_the_last_publication_has_a_limit() {
    let project = Project::new();
    let file = std::fs::File::create(project.path("kept.json")).unwrap();
    file.set_len((128 << 20) + 1).unwrap();
    let run = project.candor(["build", "--previous", "kept.json"]).exits(1);
    assert_eq!(
        run.err,
        "error: the last publication cannot be read: kept.json: it is larger than 134217728 bytes\n"
    );
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let address = format!("http://{}/kept.json", listener.local_addr().unwrap());
    let server = std::thread::spawn(move || {
        let (mut stream, _) = listener.accept().unwrap();
        let _ = stream.read(&mut [0; 4096]).unwrap();
        stream.write_all(b"HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n").unwrap();
        // Endless: the build closes the connection.
        while stream.write_all(&[b' '; 1 << 16]).is_ok() {}
    });
    let run = project.candor(["build", "--previous", &address]).exits(1);
    let said = "it is larger than 134217728 bytes";
    let remedy = "if there is none yet, add --first";
    assert_eq!(
        run.err,
        format!("error: the last publication cannot be read; {remedy}: {address}: {said}\n")
    );
    server.join().unwrap();
    assert!(!project.path("public").exists());
}
