//! What `candor host` writes for each server, and everything it says.

use contract::manifest::MANIFEST_PATH;
use serde_json::{Value, json};

use super::{
    project::{Project, SITE},
    review::mixed,
};

/// Each server, with what it is told beside its name, and the file that holds its rules.
const SERVERS: [(&str, &[&str], &str); 4] = [
    ("nginx", &[], "candor-server.conf"),
    ("caddy", &[], "candor.caddyfile"),
    ("caddy", &["--compat", "2.6"], "candor.caddyfile"),
    ("apache", &[], "candor.conf"),
];

fn host(project: &Project, name: &str, more: &[&str]) {
    project.candor(["host", name].into_iter().chain(more.iter().copied())).exits(0);
}

/// Everything written for a server, as one text.
fn written(project: &Project, name: &str, more: &[&str]) -> String {
    host(project, name, more);
    let tree = project.tree(&format!("hosts/{name}"));
    tree.into_values().map(|bytes| String::from_utf8(bytes).unwrap()).collect()
}

/// A site whose manifest is as `change` leaves it.
fn with_manifest(change: impl FnOnce(&mut Value)) -> Project {
    let project = Project::new().reviews(mixed(1));
    project.build();
    let path = format!("public/{MANIFEST_PATH}");
    let mut manifest = project.json(&path);
    change(&mut manifest);
    project.write(&path, manifest.to_string());
    project
}

#[test]
fn every_server_repeats_itself_to_the_byte() {
    for (name, more, _) in SERVERS {
        let project = Project::new().reviews(mixed(3));
        project.build();
        host(&project, name, more);
        let first = (project.tree("hosts"), project.tree("public"));
        host(&project, name, more);
        assert_eq!((project.tree("hosts"), project.tree("public")), first, "{name}");
    }
}

#[test]
fn what_people_change_stays_as_they_left_it() {
    for (name, file) in [("nginx", "site.conf"), ("apache", "site.conf"), ("caddy", "Caddyfile")] {
        let project = Project::new().reviews(mixed(1));
        project.candor(["build", "--host", name]).exits(0);
        let path = format!("hosts/{name}/{file}");
        let written = project.text(&path);
        assert!(written.starts_with("# Yours to change: `candor host "), "{written}");
        let mine = format!("{written}# mine\n");
        project.write(&path, &mine);
        let run = project.candor(["build", "--host", name]).exits(0);
        let said = project.path(&path).display().to_string();
        run.says(&format!("{said} is as you left it; {said}.new is what would be written now\n"));
        assert_eq!(project.text(&path), mine);
        assert_eq!(project.text(&format!("{path}.new")), written);
        let run = project.candor(["build", "--host", name]).exits(0);
        assert!(!run.out.contains("as you left it"), "said again: {run:?}");
        // Every other file is a build's.
        for (other, bytes) in project.tree(&format!("hosts/{name}")) {
            let text = String::from_utf8(bytes).unwrap();
            let replaced = text.starts_with("# Written by `candor host ");
            assert_eq!(replaced, !other.starts_with(file), "{name}: {other}");
        }
    }
}

#[test]
fn a_build_writes_the_configuration_too() {
    for (name, more, _) in SERVERS {
        let project = Project::new().reviews(mixed(3));
        let arguments = ["build", "--host", name].into_iter().chain(more.iter().copied());
        project.candor(arguments).exits(0);
        let built = project.tree("hosts");
        host(&project, name, more);
        assert_eq!(project.tree("hosts"), built, "{name}");
        project.candor(["build", "--host", name, "--host-out", "elsewhere"]).exits(0);
        assert!(project.path("elsewhere").is_dir());
    }
}

#[test]
fn every_document_is_known_by_its_tag_where_the_configuration_holds_tags() {
    let project = Project::new().reviews(mixed(3));
    project.build();
    let manifest = project.manifest();
    for (name, more) in [("nginx", &[][..]), ("caddy", &["--compat", "2.6"]), ("apache", &[])] {
        let text = written(&project, name, more);
        for file in manifest.files.iter().filter(|file| file.path != "404.html") {
            let line = text.lines().find(|line| line.contains(file.etag.hex()));
            let line = line.unwrap_or_else(|| panic!("{name}: {}", file.path));
            assert!(line.contains(&file.url_path()), "{name}: {line}");
        }
        let own = contract::etag::ETag::of(&project.bytes(&format!("public/{MANIFEST_PATH}")));
        assert!(text.contains(own.hex()), "{name}: the manifest's own tag");
        assert!(!text.contains("404.html.br"), "{name}");
    }
}

#[test]
fn assets_are_kept_for_a_year() {
    let project = Project::new();
    project.build();
    for (name, more, rules) in SERVERS {
        let text = written(&project, name, more);
        for words in ["public, max-age=31536000, immutable", r"/assets/[^/]+\.[0-9a-f]{16}\."] {
            assert!(text.contains(words), "{name} {rules}: {words}");
        }
    }
}

#[test]
fn every_server_protects_readers() {
    let project = Project::new();
    project.build();
    let everywhere = [
        "frame-ancestors 'none'",
        "frame-ancestors *",
        "strict-origin-when-cross-origin",
        "camera=(), geolocation=()",
        "/(?:embed|fragments)/",
    ];
    for (name, more, _) in SERVERS {
        let text = written(&project, name, more);
        for words in everywhere {
            assert!(text.contains(words), "{name}: {words}");
        }
        assert!(!text.contains("Strict-Transport-Security"), "{name}");
    }
    let own = "[security]\nhsts_days = 365\ncontent_security_policy = \"default-src 'self' https://x.example\"\n";
    project.write("content/site.toml", format!("{SITE}{own}"));
    project.build();
    for (name, more, _) in SERVERS {
        let text = written(&project, name, more);
        for words in
            ["max-age=31536000", "default-src 'self' https://x.example; frame-ancestors 'none'"]
        {
            assert!(text.contains(words), "{name}: {words}");
        }
    }
    let home = project.text("public/index.html");
    let meta = "http-equiv=\"Content-Security-Policy\" content=\"default-src &#39;self&#39; https://x.example\"";
    assert!(home.contains(meta), "{home}");
}

#[test]
fn the_four_routes_go_to_the_sidecar() {
    for (name, more, rules) in SERVERS {
        let project = Project::new();
        project.build();
        let local = written(&project, name, more);
        assert!(local.contains("127.0.0.1:8081"), "{name} by default");
        let told = [more, &["--sidecar", "http://10.1.2.3:9000"]].concat();
        let text = written(&project, name, &told);
        for route in ["/api/reviews/search", "/api/reviews/since", "/mcp", "/api/websub/hub"] {
            assert!(text.contains(route), "{name}: {route}");
        }
        assert!(text.contains("10.1.2.3:9000"), "{name}");
        let far = [more, &["--sidecar", "https://sidecar.example"]].concat();
        let far = written(&project, name, &far);
        assert!(far.contains("sidecar.example"), "{name}: {rules}");
        let preserved = ["ProxyPreserveHost On", "proxy_set_header Host $host;"];
        assert!(!preserved.iter().any(|line| far.contains(line)), "{name}: its own name");
    }
}

#[test]
fn a_site_without_a_sidecar_sends_nothing_anywhere() {
    let project =
        Project::new().file("content/site.toml", format!("{SITE}\n[sidecar]\nenabled = false\n"));
    project.build();
    for (name, more, _) in SERVERS {
        let text = written(&project, name, more);
        for word in ["proxy_pass", "reverse_proxy", "ProxyPass", "8081"] {
            assert!(!text.contains(word), "{name}: {word}");
        }
    }
    let run = project.candor(["host", "nginx", "--sidecar", "http://10.0.0.1:1"]).exits(1);
    assert_eq!(
        run.err,
        "error: nothing was written for nginx: the site was published without a sidecar; leave --sidecar out, or set [sidecar] enabled = true in site.toml and build again\n"
    );
}

#[test]
fn an_old_address_redirects_documents_and_passes_posts_on() {
    let previous = "previous_base_urls = [\"https://old.example/shop\"]\n";
    let project = Project::new().file("content/site.toml", format!("{previous}{SITE}"));
    project.build();
    for (name, more, _) in SERVERS {
        let text = written(&project, name, more);
        assert!(text.contains("old.example"), "{name}");
        for route in ["/shop/mcp", "/shop/api/websub/hub"] {
            assert!(text.contains(route), "{name}: {route}");
        }
        assert!(!text.contains("/shop/api/reviews/search"), "{name}: a redirect will do");
        assert!(text.contains("308"), "{name}");
    }
}

#[test]
fn a_site_below_a_path_is_served_there() {
    let site = SITE.replace("https://reviews.example", "https://x.example/shop");
    let project = Project::new().file("content/site.toml", site);
    project.build();
    for (name, more, _) in SERVERS {
        let text = written(&project, name, more);
        for route in ["/shop/api/reviews/search", "/shop/mcp"] {
            assert!(text.contains(route), "{name}: {route}");
        }
    }
    let nginx = written(&project, "nginx", &[]);
    assert!(nginx.contains("    \"/shop/feed.xml\" '\"b3-"));
    assert!(nginx.contains("/mcp;\n"), "the sidecar knows no prefix");
    let caddy = written(&project, "caddy", &[]);
    assert!(caddy.contains("handle /shop/* {") && caddy.contains("uri strip_prefix /shop"));
    assert!(caddy.contains("https://x.example {"), "an address of Caddy's has no path");
    assert!(written(&project, "apache", &[]).contains("\n/shop/feed.xml b3-"));
}

#[test]
fn a_path_that_is_not_plain_is_refused() {
    let site = SITE.replace("https://reviews.example", "https://x.example/caf\u{e9}");
    let project = Project::new().file("content/site.toml", site);
    project.build();
    let run = project.candor(["host", "apache"]).exits(1);
    assert_eq!(
        run.err,
        "error: nothing was written for apache: https://x.example/caf%C3%A9 has a path that servers cannot be told of: only letters, digits, hyphens, underscores and dots are written into their configuration; serve it at the root of a name of its own\n"
    );
}

#[test]
fn hostile_names_and_values_stay_text() {
    let project = with_manifest(|manifest| {
        let file = &mut manifest["files"][0];
        file["path"] = json!("a \"b\"$c;{d}`e.json");
        file["media_type"] = json!("text/x; a=\"$HOME{e}`%\"");
        file["links"] = json!([{"href": "https://x.example/$a%20{b}`\"", "rel": "x"}]);
    });
    let lines = |name: &str, more: &[&str]| -> Vec<String> {
        written(&project, name, more).lines().map(|line| line.trim().to_owned()).collect()
    };
    let nginx = lines("nginx", &[]);
    let has = |lines: &[String], start: &str| {
        assert!(lines.iter().any(|line| line.starts_with(start)), "{start}\n{}", lines.join("\n"));
    };
    has(&nginx, r#""/a \"b\"$c;{d}`e.json" '"b3-"#);
    has(&nginx, r#"location ~ "^(?:/a\x20\x22b\x22\x24c\x3b\x7bd\x7d\x60e\x2ejson)$" {"#);
    has(&nginx, r#"default_type "text/x; a=\"$HOME{e}`%\"";"#);
    let dollar = nginx.iter().find_map(|line| line.strip_prefix("geo $")).unwrap();
    let dollar = dollar.split(' ').next().unwrap();
    let link = r#""/a \"b\"$c;{d}`e.json" "<https://x.example/${DOLLAR}a%20{b}`\">; rel=\"x\"";"#;
    has(&nginx, &link.replace("DOLLAR", dollar));
    for more in [&[][..], &["--compat", "2.6"]] {
        let caddy = lines("caddy", more);
        let path = r"/a\x20\x22b\x22\x24c\x3b\x7bd\x7d\x60e\x2ejson";
        has(&caddy, &format!("@link0 path_regexp `^{path}$`"));
        has(&caddy, r#"header @link0 Link "<https://x.example/$a%20%7Bb%7D`\">; rel=\"x\"""#);
        has(&caddy, &format!(r#"`~^{path}$` "text/x; a=\"$$HOME%7Be%7D`%\"""#));
    }
    let apache = lines("apache", &[]);
    has(&apache, "/a%20%22b%22$c;%7bd%7d%60e.json b3-");
    has(&apache, r#"ForceType "text/x; a=\"$HOME%7Be%7D`%\"""#);
    has(&apache, r#"Header set Link "<https://x.example/$a%%20%%7Bb%%7D`\">; rel=\"x\"" env=C_ID"#);
}

#[test]
fn control_characters_are_refused() {
    let project =
        with_manifest(|manifest| manifest["files"][0]["media_type"] = json!("text/x\r\nX: y"));
    let path = project.json(&format!("public/{MANIFEST_PATH}"))["files"][0]["path"].clone();
    let run = project.candor(["host", "nginx"]).exits(1);
    assert_eq!(
        run.err,
        format!(
            "error: nothing was written for nginx: the manifest entry of {path} contains characters that a header field cannot contain; run `candor build` to write it anew\n"
        )
    );
    let project = with_manifest(|manifest| manifest["files"][0]["path"] = json!("a\nb.json"));
    let run = project.candor(["host", "nginx"]).exits(1);
    run.complains("\"a\\nb.json\"");
}

#[test]
fn paths_that_differ_in_case_alone_are_told_apart_by_nginx() {
    let project = with_manifest(|manifest| {
        manifest["files"][0]["path"] = json!("a/Feed.json");
        manifest["files"][1]["path"] = json!("a/feed.json");
    });
    let text = written(&project, "nginx", &[]);
    assert!(text.contains(r#""~^/a/Feed\x2ejson$" '"#), "{text}");
    assert!(text.contains(r#""~^/a/feed\x2ejson$" '"#), "{text}");
}

#[test]
fn what_makes_no_sense_is_said() {
    let project = Project::new();
    let unpublished = "error: nothing was written for nginx: there is no public/candor-manifest.json: nothing was published there; run `candor build` first, or name the folder with --public or --releases\n";
    assert_eq!(project.candor(["host", "nginx"]).exits(1).err, unpublished);
    assert!(!project.path("public").exists() && !project.path("hosts").exists());
    project.build();
    for name in ["nginx", "apache"] {
        let run = project.candor(["host", name, "--compat", "2.6"]).exits(1);
        let says = format!(
            "error: nothing was written for {name}: --compat is for caddy only; leave it out for {name}\n"
        );
        assert_eq!(run.err, says);
    }
    for flag in [["--sidecar", "http://10.0.0.1:1"], ["--compat", "2.6"], ["--host-out", "x"]] {
        let run = project.candor(["build"].into_iter().chain(flag)).exits(1);
        let says = "error: --sidecar, --compat and --host-out are about a host; name it with --host NAME\n";
        assert_eq!(run.err, says, "{flag:?}");
    }
}

#[test]
fn an_address_that_is_no_sidecars_is_refused() {
    let project = Project::new();
    project.build();
    for (url, why) in [
        ("10.0.0.1:1", "relative URL without a base"),
        ("ftp://x.example", "only http and https reach a sidecar"),
        ("http://x.example/mcp", "the sidecar's address is a scheme, a host and a port, no more"),
        ("http://me@x.example", "the sidecar's address is a scheme, a host and a port, no more"),
    ] {
        let run = project.candor(["host", "nginx", "--sidecar", url]).exits(64);
        run.complains(&format!(
            "{why}; write it as https://sidecar.example or http://127.0.0.1:8081"
        ));
    }
}

#[test]
fn a_manifest_of_a_newer_program_is_refused() {
    let project = with_manifest(|manifest| manifest["format"] = json!(9));
    let run = project.candor(["host", "caddy"]).exits(1);
    assert_eq!(
        run.err,
        "error: nothing was written for caddy: public/candor-manifest.json: its format is 9, this program reads up to 1: update candor; move it away to publish the site anew\n"
    );
}
