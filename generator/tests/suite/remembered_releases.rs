//! The releases of `site.toml`: every build publishes there.

use super::{
    project::{BUSINESS, Project, Run, SITE},
    review::mixed,
};

#[test]
fn releases_are_remembered_with_the_host() {
    let project = Project::new()
        .reviews(mixed(1))
        .file("content/site.toml", format!("{SITE}host = \"nginx\"\n"));
    project.build();
    let conf = "hosts/nginx/site.conf";
    let root = |folder: &str| format!("root \"{}\";", project.path(folder).display());
    assert!(project.text(conf).contains(&root("public")), "{}", project.text(conf));
    let run = project.candor(["build", "--releases", "releases"]).exits(0);
    run.clone()
        .says("content/site.toml has releases = \"releases\" now: every build publishes there\n");
    assert!(!run.out.contains("as you left it"), "nobody changed it: {run:?}");
    assert!(!project.path("hosts/nginx/site.conf.new").exists());
    assert!(project.text(conf).contains(&root("releases/current")), "{}", project.text(conf));
    // What the night does.
    project.write_reviews(mixed(2));
    std::fs::remove_dir_all(project.path("public")).unwrap();
    project.candor(["build"]).exits(0);
    assert!(!project.path("public").exists());
    assert_eq!(
        project.json("releases/current/reviews.json")["reviews"].as_array().unwrap().len(),
        2
    );
    let manifest = project.manifest_in("releases/current");
    assert!(
        project
            .text("hosts/nginx/candor-maps.conf")
            .contains(manifest.file("reviews.json").unwrap().etag.as_str().trim_matches('"'))
    );
    project.candor(["rollback"]).exits(0).says("returned from build ");
    project.candor(["check", "--strict"]).exits(0);
    // Another folder that is named is for once, and `host` keeps it.
    project.candor(["build", "--public", "public"]).exits(0);
    assert!(project.text("content/site.toml").contains("releases = \"releases\"\n"));
    project.candor(["host", "nginx", "--public", "public"]).exits(0);
    assert!(!project.text("content/site.toml").contains("releases"));
    assert!(project.text(conf).contains(&root("public")));
}

#[test]
fn releases_are_remembered_without_a_host_too() {
    for host in [None, Some("nginx")] {
        let project = Project::new().reviews(mixed(1));
        let more = host.map(|host| ["--host", host]).into_iter().flatten();
        let build = ["build", "--releases", "releases"].into_iter().chain(more);
        let run = project.candor(build.clone()).exits(0);
        run.says(
            "content/site.toml has releases = \"releases\" now: every build publishes there\n",
        );
        assert_eq!(project.text("content/site.toml"), format!("{SITE}releases = \"releases\"\n"));
        let again = project.candor(build).exits(0);
        assert!(!again.out.contains("now: every build"), "{again:?}");
        project.write_reviews(mixed(2));
        let run = project.candor(["build"]).exits(0);
        // nginx serves these documents, without the tags that are not theirs.
        assert_eq!(run.err.contains("candor host NAME writes them again"), host.is_some());
        assert!(!project.path("public").exists());
        project.candor(["rollback"]).exits(0).says("returned from build ");
        project.candor(["host", "nginx"]).exits(0);
        let conf = project.text("hosts/nginx/site.conf");
        let root = format!("root \"{}\";", project.path("releases/current").display());
        assert!(conf.contains(&root), "{conf}");
    }
}

/// A workflow publishes `public/`, whatever the machine that serves keeps.
#[test]
fn a_variable_names_the_public_folder_for_a_workflow() {
    let project = Project::new()
        .reviews(mixed(1))
        .file("content/site.toml", format!("{SITE}releases = \"releases\"\n"));
    let mut build = project.command(["build"]);
    Run::of(build.env("CANDOR_PUBLIC", "public")).exits(0);
    assert!(project.path("public/index.html").exists() && !project.path("releases").exists());
    assert!(project.text("content/site.toml").contains("releases = "));
}

/// The site is published then.
#[test]
fn content_that_cannot_be_written_fails_no_build() {
    let project = Project::new().reviews(mixed(1));
    std::fs::create_dir(project.path("content/site.toml.new")).unwrap();
    let run = project.candor(["build", "--releases", "releases"]).exits(0);
    run.complains("warning: content/site.toml cannot be written: ")
        .complains("; name the releases at every build with --releases\n");
    assert!(project.path("releases/current/index.html").exists());
}

#[test]
fn releases_of_a_workspace_are_listed_for_the_sidecar() {
    let site = SITE.replace("reviews.example", "north.example");
    let project = Project::new()
        .file("candor-workspace.toml", "sites = [\"sites/*\"]\n")
        .file("sites/north/content/site.toml", format!("{site}releases = \"releases\"\n"))
        .file("sites/north/content/business.toml", BUSINESS);
    project.candor(["build", "--all", "--sites", "sites.toml"]).exits(0);
    let current = project.path("sites/north/releases/current");
    assert_eq!(
        project.text("sites.toml"),
        format!("\"north.example\" = \"{}\"\n", current.display())
    );
}

#[test]
fn releases_outside_the_checkout_are_named_on_the_command_line() {
    let project = Project::new()
        .file("shop/.git/HEAD", "ref: refs/heads/main\n")
        .file("shop/content/site.toml", format!("{SITE}releases = \"../out\"\n"))
        .file("shop/content/business.toml", BUSINESS);
    let build = |more: &[&str]| {
        let arguments = ["build"].into_iter().chain(more.iter().copied());
        Run::of(project.command(arguments).current_dir(project.path("shop")))
    };
    let shop = project.path("shop");
    assert_eq!(
        build(&[]).exits(1).err,
        format!(
            "error: releases of site.toml is ../out, which is outside {} or in the content; name it with --releases ../out, if it is right\n",
            shop.display()
        )
    );
    build(&["--releases", "../out"]).exits(0);
    assert!(project.path("out/current").exists());
}

#[test]
fn releases_outside_the_checkout_are_not_kept() {
    let project = Project::new()
        .file("shop/.git/HEAD", "ref: refs/heads/main\n")
        .file("shop/content/site.toml", format!("{SITE}host = \"nginx\"\n"))
        .file("shop/content/business.toml", BUSINESS);
    let mut build = project.command(["build", "--releases", "../out"]);
    Run::of(build.current_dir(project.path("shop"))).exits(0);
    assert!(!project.text("shop/content/site.toml").contains("releases"));
}
