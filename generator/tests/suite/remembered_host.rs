//! The host of `site.toml`: every build writes what it needs.

use super::{
    project::{Project, SITE},
    review::mixed,
};

/// The tags that nginx would send, as the last command wrote them.
fn tags(project: &Project) -> String {
    project.text("hosts/nginx/candor-maps.conf")
}

fn manifest_tag(project: &Project) -> String {
    let manifest = project.json("public/candor-manifest.json");
    let files = manifest["files"].as_array().unwrap();
    let entry = files.iter().find(|file| file["path"] == "reviews.json").unwrap();
    entry["etag"].as_str().unwrap().to_owned()
}

#[test]
fn every_build_writes_the_tables_of_the_host_that_was_configured_once() {
    let project = Project::new().reviews(mixed(2));
    project.build();
    let said = project.candor(["host", "nginx", "--sidecar", "http://127.0.0.1:9999"]).exits(0);
    said.says("site.toml has host = \"nginx\" now: every build writes this configuration anew\n");
    assert_eq!(
        project.text("content/site.toml"),
        format!("{SITE}host = \"nginx\"\nhost_sidecar = \"http://127.0.0.1:9999\"\n")
    );
    for number in 3..5 {
        project.write_reviews(mixed(number));
        let before = manifest_tag(&project);
        project.candor(["build"]).exits(0);
        assert_ne!(manifest_tag(&project), before);
        assert!(tags(&project).contains(&manifest_tag(&project)));
        assert!(tags(&project).contains("127.0.0.1:9999"));
    }
    // The same again says and changes nothing.
    let text = project.text("content/site.toml");
    let again = project.candor(["host", "nginx", "--sidecar", "http://127.0.0.1:9999"]).exits(0);
    assert!(!again.out.contains("site.toml"), "{again:?}");
    assert_eq!(project.text("content/site.toml"), text);
    // Another host takes its place, with what was said of it alone.
    project.candor(["host", "caddy", "--compat", "2.6", "--out", "served"]).exits(0);
    assert_eq!(
        project.text("content/site.toml"),
        format!("{SITE}host = \"caddy\"\nhost_compat = \"2.6\"\nhost_out = \"served\"\n")
    );
    project.write_reviews(mixed(6));
    project.candor(["build"]).exits(0).says("caddy: ");
    assert!(project.path("served/candor.caddyfile").exists());
}

#[test]
fn host_keeps_what_it_is_not_told_anew() {
    let kept = "host = \"caddy\"\nhost_sidecar = \"http://10.0.0.5:8081\"\nhost_compat = \"2.6\"\nhost_out = \"served\"\nhost_target = \"deploy@server:/srv/reviews\"\n";
    let project =
        Project::new().reviews(mixed(1)).file("content/site.toml", format!("{SITE}{kept}"));
    project.build();
    let built = project.tree("served");
    project.candor(["host", "caddy"]).exits(0).says("/served/upload.sh\n");
    assert_eq!(project.text("content/site.toml"), format!("{SITE}{kept}"));
    assert_eq!(project.tree("served"), built);
    assert!(!project.path("hosts").exists());
    project.candor(["host", "caddy", "--sidecar", "http://10.0.0.6:8081"]).exits(0);
    assert_eq!(
        project.text("content/site.toml"),
        format!("{SITE}{}", kept.replace("0.5:", "0.6:"))
    );
}

/// A timer and a workflow may start anywhere.
#[test]
fn what_is_kept_counts_from_the_folder_of_the_site() {
    let project = Project::new().reviews(mixed(1));
    let shop = |path: &str| project.path("shop").join(path);
    std::fs::create_dir(project.path("shop")).unwrap();
    std::fs::rename(project.path("content"), shop("content")).unwrap();
    let typed = |arguments: &str| {
        let content = ["--content", "shop/content"];
        project.candor(arguments.split(' ').chain(content)).exits(0)
    };
    let settings = || project.text("shop/content/site.toml");
    typed("build --releases shop/releases")
        .says("shop/content/site.toml has releases = \"releases\" now: ");
    typed("host nginx").says("now: every build writes this configuration anew\n");
    assert!(shop("hosts/nginx/site.conf").exists() && !project.path("hosts").exists());
    typed("build").says(&format!("nginx: 4 files in {}\n", shop("hosts/nginx").display()));
    // Those of a folder that is named count from where they are typed.
    typed("host nginx --out shop/conf");
    assert_eq!(
        settings(),
        format!("{SITE}releases = \"releases\"\nhost = \"nginx\"\nhost_out = \"conf\"\n")
    );
    for (from, content) in
        [("shop/hosts", "../content"), ("shop", "content"), ("shop/content", ".")]
    {
        std::fs::remove_dir_all(shop("conf")).unwrap();
        let mut build = project.command(["build", "--content", content]);
        super::project::Run::of(build.current_dir(project.path(from))).exits(0);
        assert!(shop("conf/site.conf").exists(), "{from}");
        assert!(!project.path(from).join("public").exists(), "{from}");
    }
    let text = project.text("shop/conf/site.conf");
    assert!(text.contains(&format!("root \"{}\";", shop("releases/current").display())), "{text}");
    typed("host nginx --out elsewhere");
    assert!(settings().contains("host_out = \"../elsewhere\"\n"), "{}", settings());
    // Tables without a host are warned of where they are.
    project.write("shop/content/site.toml", SITE);
    let warning = "warning: shop/hosts/nginx is of an earlier build, so nginx would ";
    typed("build --public shop/public").complains(warning);
}

#[test]
fn a_new_site_remembers_its_host() {
    let project = Project::new();
    project
        .candor([
            "init",
            "shop",
            "--no-input",
            "--base-url",
            "https://shop.example",
            "--host",
            "apache",
        ])
        .exits(0);
    let text = project.text("shop/content/site.toml");
    assert!(text.contains("\nhost = \"apache\"\n"), "{text}");
    let build = project.command(["build"]).current_dir(project.path("shop")).output().unwrap();
    assert!(build.status.success(), "{build:?}");
    assert!(project.path("shop/hosts/apache/candor.conf").exists());
}

#[test]
fn what_is_named_counts_more_than_what_is_remembered() {
    let keys = "host = \"nginx\"\nhost_sidecar = \"http://10.0.0.1:8081\"\n";
    let project =
        Project::new().reviews(mixed(1)).file("content/site.toml", format!("{SITE}{keys}"));
    project.candor(["build", "--sidecar", "http://10.0.0.2:8081"]).exits(0);
    assert!(tags(&project).contains("10.0.0.2:8081"));
    project.candor(["build", "--host", "apache"]).exits(0).says("apache: ");
    // What is said of another host is not said of this one.
    let written = project.tree("hosts/apache").into_values().map(String::from_utf8);
    assert!(written.into_iter().all(|text| !text.unwrap().contains("10.0.0.1")));
    assert_eq!(project.text("content/site.toml"), format!("{SITE}{keys}"));
}

#[test]
fn tables_of_an_earlier_build_are_warned_of() {
    let project = Project::new().reviews(mixed(1));
    project.candor(["build", "--host", "apache"]).exits(0);
    project.write_reviews(mixed(2));
    let warning = "warning: hosts/apache is of an earlier build, so apache would serve these documents with the tags of others; candor host apache writes it anew now and at every build\n";
    project.candor(["build"]).exits(0).complains(warning);
    project.candor(["host", "apache"]).exits(0);
    project.write_reviews(mixed(3));
    let run = project.candor(["build"]).exits(0);
    assert!(!run.err.contains("earlier build"), "{run:?}");
}

/// nginx reads its tables when it starts, so the documents say whether they are still those.
#[test]
fn the_marker_of_nginx_is_that_of_its_tables() {
    let project = Project::new().reviews(mixed(1));
    let marker = || {
        let names = project.tree("public").into_keys();
        names.filter(|name| name.starts_with(".candor-b3-")).collect::<Vec<_>>()
    };
    project.candor(["build", "--host", "nginx"]).exits(0);
    let first = marker();
    let line = format!("if (!-f \"$document_root/{}\") {{", first[0]);
    assert!(project.text("hosts/nginx/candor-server.conf").contains(&line));
    project.candor(["build", "--host", "nginx"]).exits(0);
    assert_eq!(marker(), first);
    project.write_reviews(mixed(2));
    project.candor(["build", "--host", "nginx"]).exits(0);
    assert_eq!(marker().len(), 1);
    assert_ne!(marker(), first);
    // Without tables for what is published there is no marker.
    project.candor(["build"]).exits(0).complains("removed 1 file that `candor host` had put ");
    assert!(marker().is_empty());
}

#[test]
fn a_server_with_the_published_folder_alone_has_nothing_to_remember_it_in() {
    let project = Project::new().reviews(mixed(1));
    project.build();
    std::fs::remove_dir_all(project.path("content")).unwrap();
    project.candor(["host", "nginx"]).exits(0);
    assert!(!project.path("content").exists());
}

#[test]
fn comments_and_order_of_the_file_stay() {
    let text = format!("# Ours.\n{SITE}# The small server.\n[sidecar] # yes\nenabled = true\n");
    let project = Project::new().reviews(mixed(1)).file("content/site.toml", &text);
    project.build();
    project.candor(["host", "nginx"]).exits(0);
    let expected = text.replace("reviews\"\n", "reviews\"\nhost = \"nginx\"\n");
    assert_eq!(project.text("content/site.toml"), expected);
    project.candor(["check"]).exits(0);
}

#[test]
fn wrong_keys_are_errors_with_their_place() {
    for (keys, message) in [
        (
            "host = \"ngnix\"\n",
            "content/site.toml:5:8: error[unknown-value]: host: \"ngnix\" is not known; did you mean \"nginx\"?",
        ),
        (
            "host = \"caddy\"\nhost_compat = \"2.5\"\n",
            "content/site.toml:6:15: error[unknown-value]: host_compat: \"2.5\" is not known; ",
        ),
        (
            "host_out = \"x\"\n",
            "content/site.toml:5:12: error[missing-key]: host_out is about a host, and there is none; add host = \"NAME\"",
        ),
        (
            "host = \"nginx\"\nhost_target = \"-oProxyCommand=x:/srv\"\n",
            "content/site.toml:6:15: error[invalid-value]: host_target: \"-oProxyCommand=x:/srv\" is not a folder on a server, such as deploy@server:/srv/reviews; correct it",
        ),
        (
            "host_target = \"deploy@server:/srv/reviews\"\n",
            "content/site.toml:5:15: error[missing-key]: host_target is about a host, and there is none; add host = \"NAME\"",
        ),
        (
            "host = \"nginx\"\nhost_sidecar = \"here\"\n",
            "content/site.toml:6:16: error[invalid-url]: host_sidecar: ",
        ),
    ] {
        let project = Project::new().reviews(mixed(1));
        project.write("content/site.toml", format!("{SITE}{keys}"));
        project.candor(["check"]).exits(1).complains(message);
    }
}

#[test]
fn a_checkout_names_no_folder_outside_itself_for_the_host() {
    let outside = tempfile::tempdir().unwrap();
    let absolute = outside.path().join("conf");
    for out in [absolute.to_str().unwrap(), "content/reviews"] {
        let project = Project::new();
        project
            .write("content/site.toml", format!("{SITE}host = \"caddy\"\nhost_out = \"{out}\"\n"));
        // Without a checkout the owner of the machine wrote it.
        if out != "content/reviews" {
            project.candor(["build"]).exits(0);
        }
        project.write(".git/HEAD", "ref: refs/heads/main\n");
        let run = project.candor(["build"]).exits(1);
        run.complains(&format!("error: host_out of site.toml is {out}, which is outside "));
        // A folder in the content is refused however it is named.
        let code = i32::from(out.starts_with("content"));
        project.candor(["build", "--host-out", out]).exits(code);
    }
}

/// The configuration has the paths of the server alone, and every build ends with the command that uploads.
#[test]
fn a_site_that_is_served_elsewhere_has_the_folders_of_its_server() {
    for name in ["nginx", "caddy", "apache"] {
        for (served, named) in [("public", "public"), ("releases", "releases/current")] {
            let project = Project::new().reviews(mixed(1));
            let option = format!("--{served}");
            project.candor(["build", &option, served]).exits(0);
            let target = "deploy@server:/srv/a shop/";
            project.candor(["host", name, "--target", target, &option, served]).exits(0);
            let site = project.text("content/site.toml");
            assert!(site.contains("host_target = \"deploy@server:/srv/a shop/\"\n"), "{site}");
            project.write_reviews(mixed(2));
            let run = project.candor(["build"]).exits(0);
            let out = project.path("hosts").join(name);
            let last = run.out.lines().last();
            assert_eq!(last, Some(&*format!("next: sh {}/upload.sh", out.display())));
            let there = format!("/srv/a shop/hosts/{name}");
            let file = if name == "caddy" { "Caddyfile" } else { "site.conf" };
            let once = run.out.lines().rev().nth(1).unwrap_or_default();
            let start = "next: once, on deploy@server after the first upload: ";
            assert!(once.starts_with(start), "{once}");
            assert!(once.contains(&format!("'{there}/{file}'")), "{once}");
            let written = project.tree(&format!("hosts/{name}"));
            let here = project.path("").display().to_string();
            let with_paths = written.iter().filter(|(file, _)| *file != "upload.sh");
            let all: String =
                with_paths.map(|(_, text)| String::from_utf8(text.clone()).unwrap()).collect();
            assert!(!all.contains(here.trim_end_matches('/')), "{name}: {all}");
            assert!(all.contains(&there), "{name}: {all}");
            assert!(all.contains(&format!("/srv/a shop/{named}")), "{name}: {all}");
            assert!(project.path(&format!("{named}/candor-manifest.json")).exists());
        }
    }
}

#[test]
fn a_wrong_target_is_refused() {
    let project = Project::new().reviews(mixed(1));
    project.build();
    for wrong in ["/srv/reviews", "server:reviews", "server:/", "-l:/srv", "a b:/srv", ":/srv"] {
        let run = project.candor(["host", "nginx", &format!("--target={wrong}")]).exits(64);
        run.complains(&format!("error: invalid value '{wrong}' for '--target <SERVER:FOLDER>': \"{wrong}\" is not a folder on a server, such as deploy@server:/srv/reviews"));
    }
    let run = project.candor(["host", "netlify", "--target", "server:/srv/reviews"]).exits(1);
    run.complains(
        "--target is for nginx, caddy and apache; leave it out for netlify, also in site.toml",
    );
}
