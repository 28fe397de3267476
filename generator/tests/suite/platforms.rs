//! What `candor host` writes for platforms, what it says they cannot do, and their limits.

mod cloudflare;

use std::collections::BTreeSet;

use contract::{
    etag::ETag,
    manifest::{FileEntry, Manifest},
};
use generator::host::{Host, HostFiles, HostOptions, render};
use serde_json::{Value, json};

use super::{
    project::{Project, SITE},
    review::mixed,
};

const SIDECAR: [&str; 2] = ["--sidecar", "https://sidecar.example"];
const PLATFORMS: [&str; 4] = ["cloudflare", "netlify", "vercel", "s3"];

fn site(settings: &str) -> Project {
    let project =
        Project::new().reviews(mixed(3)).file("content/site.toml", format!("{settings}{SITE}"));
    project.build();
    project
}

fn host(project: &Project, name: &str) {
    project.candor(["host", name].into_iter().chain(SIDECAR)).exits(0);
}

/// Everything written for a platform, wherever it is, as one text.
fn written(project: &Project, name: &str) -> String {
    host(project, name);
    let config =
        if project.path("hosts").is_dir() { project.tree("hosts") } else { Default::default() };
    let among: Vec<_> = project
        .manifest()
        .host_files
        .iter()
        .map(|path| project.text(&format!("public/{path}")))
        .collect();
    config.into_values().map(|bytes| String::from_utf8(bytes).unwrap()).collect::<String>()
        + &among.concat()
}

/// The site of `project` with this many more pages of reviews.
fn grown(project: &Project, pages: u64) -> Manifest {
    let mut manifest = project.manifest();
    let modified = manifest.published_at;
    manifest.files.extend((0..pages).map(|page| FileEntry {
        path: format!("reviews/01J0000000000000000{page:07}/index.html"),
        media_type: "text/html; charset=utf-8".to_owned(),
        length: 4_000,
        etag: ETag::of(&page.to_le_bytes()),
        encodings: Default::default(),
        modified,
        links: Vec::new(),
    }));
    manifest.files.sort_by(|a, b| a.path.cmp(&b.path));
    manifest
}

fn rendered(host: Host, manifest: &Manifest) -> HostFiles {
    let options = HostOptions {
        sidecar: Some("https://sidecar.example".parse().unwrap())
            .filter(|_| host != Host::GithubPages),
        public: "/site/public".into(),
        out: "/site/hosts/x".into(),
        ..HostOptions::default()
    };
    render(host, manifest, &options).unwrap()
}

fn text(files: &HostFiles, path: &str) -> String {
    let mut all = files.config.iter().chain(&files.public);
    let file = all.find(|file| file.path == path).unwrap_or_else(|| panic!("no {path}"));
    String::from_utf8(file.bytes.clone()).unwrap()
}

#[test]
fn every_platform_repeats_itself_to_the_byte() {
    let project = site("");
    for name in PLATFORMS {
        host(&project, name);
        let first = (project.tree("hosts"), project.tree("public"));
        host(&project, name);
        assert_eq!((project.tree("hosts"), project.tree("public")), first, "{name}");
        project.assert_whole();
    }
}

#[test]
fn no_platform_is_given_a_tag_to_send_as_a_header() {
    let project = site("");
    for (name, field) in [("netlify", "ETag:"), ("vercel", "\"key\": \"ETag\""), ("s3", "etag:")] {
        let text = written(&project, name);
        assert!(text.contains("max-age=0"), "{name}");
        assert!(!text.contains(field) && !text.contains("b3-"), "{name}");
    }
    host(&project, "cloudflare");
    let headers = project.text("public/_headers");
    assert!(!headers.contains("ETag:") && !headers.contains("b3-"), "{headers}");
}

#[test]
fn assets_are_kept_for_a_year() {
    let project = site("");
    let style = project.asset("style.css").replacen("public", "", 1);
    let caching = "public, max-age=31536000, immutable";
    host(&project, "netlify");
    let headers = project.text("public/_headers");
    assert!(headers.contains(&format!("\n{style}\n  Cache-Control: {caching}\n")), "{headers}");
    host(&project, "cloudflare");
    let headers = project.text("public/_headers");
    let rule = format!("\n{style}\n  ! Cache-Control\n  Cache-Control: {caching}\n");
    assert!(headers.contains(&rule), "{headers}");
    assert!(project.text("hosts/cloudflare/site.mjs").contains(caching));
    host(&project, "vercel");
    let rules = &project.json("public/vercel.json")["headers"];
    let rule = rules
        .as_array()
        .unwrap()
        .iter()
        .find(|rule| rule["source"].as_str().unwrap().replace('\\', "") == style);
    assert_eq!(rule.unwrap()["headers"][0]["value"], caching);
    let upload = written(&project, "s3");
    let (file, one) = (style.trim_start_matches('/'), "text/css; charset=utf-8");
    assert!(upload.contains(&format!("one '{file}' '{one}' '{caching}'\n")), "{upload}");
    assert!(upload.contains(&format!("--include '*.css' --exclude '{file}'\n")), "{upload}");
}

#[test]
fn readers_are_protected_and_embeds_stand_in_frames() {
    let project = site("security.hsts_days = 365\n");
    let policy = project.manifest().security.policy_field(false);
    let framed = project.manifest().security.policy_field(true);
    host(&project, "netlify");
    let headers = project.text("public/_headers");
    let rule = format!("\n/embed/\n  Content-Security-Policy: {framed}\n");
    assert!(headers.contains(&rule), "{headers}");
    assert!(headers.contains("\n  Strict-Transport-Security: max-age=31536000\n"), "{headers}");
    host(&project, "cloudflare");
    let rule =
        format!("\n/embed/\n  ! Content-Security-Policy\n  Content-Security-Policy: {framed}\n");
    assert!(project.text("public/_headers").contains(&rule));
    assert!(project.text("hosts/cloudflare/site.mjs").contains(&policy));
    host(&project, "vercel");
    let settings = project.json("public/vercel.json");
    let all = settings["headers"][0]["headers"].as_array().unwrap();
    let set = |name: &str, value: &str| all.contains(&json!({ "key": name, "value": value }));
    assert!(
        set("Content-Security-Policy", &policy)
            && set("Strict-Transport-Security", "max-age=31536000")
    );
    let stack = written(&project, "s3");
    for words in ["\"AccessControlMaxAgeSec\": 31536000", "\"Header\": \"Permissions-Policy\""] {
        assert!(stack.contains(words), "{stack}");
    }
    assert!(stack.contains("content-security-policy") && stack.contains("frame-ancestors *"));
}

#[test]
fn a_path_that_a_line_cannot_hold_is_named_and_left_out() {
    let mut manifest = site("").manifest();
    for path in ["z/:place.odd", "z/a b.odd", "z/ü.odd", "z/*.odd"] {
        let mut file = manifest.files[0].clone();
        file.path = path.to_owned();
        manifest.files.push(file);
    }
    for host in [Host::Cloudflare, Host::Netlify] {
        let files = rendered(host, &manifest);
        let headers = text(&files, "_headers");
        for path in ["/z/:place.odd", "/z/a b.odd", "/z/ü.odd", "/z/*.odd"] {
            assert!(!headers.contains(path), "{path}");
            let says =
                format!("say type or links of {path}: its line in _headers cannot be written");
            assert!(files.losses.contains(&says), "{says}");
        }
    }
}

#[test]
fn netlify_passes_routes_on_before_it_looks_at_files() {
    let project = site("previous_base_urls = [\"https://old.example/shop\"]\n");
    host(&project, "netlify");
    let lines: Vec<String> =
        project.text("public/_redirects").lines().skip(1).map(str::to_owned).collect();
    assert_eq!(
        lines,
        [
            "https://old.example/shop/mcp  https://sidecar.example/mcp  200!",
            "https://old.example/shop/mcp/  https://sidecar.example/mcp/  200!",
            "https://old.example/shop/api/websub/hub  https://sidecar.example/api/websub/hub  200!",
            "https://old.example/shop/*  https://reviews.example/:splat  301!",
            "/api/reviews/search  https://sidecar.example/api/reviews/search  200!",
            "/api/reviews/since/*  https://sidecar.example/api/reviews/since/:splat  200!",
            "/mcp  https://sidecar.example/mcp  200!",
            "/mcp/  https://sidecar.example/mcp/  200!",
            "/api/websub/hub  https://sidecar.example/api/websub/hub  200!",
        ]
    );
    let headers = project.text("public/_headers");
    assert!(headers.contains("\n/*\n  Access-Control-Allow-Origin: *\n"));
    assert!(
        headers.contains("\n/feed.xml\n  Content-Type: application/atom+xml\n  Link: <https://")
    );
    let settings: toml::Table = project.text("hosts/netlify/netlify.toml").parse().unwrap();
    assert_eq!(settings["build"]["publish"].as_str(), Some("public"));
}

#[test]
fn vercel_redirects_documents_of_an_old_address_and_rewrites_what_is_posted() {
    let project = site("previous_base_urls = [\"https://old.example\"]\n");
    host(&project, "vercel");
    let settings = project.json("public/vercel.json");
    let moved = &settings["redirects"][0];
    assert_eq!(moved["source"], "/:path((?!mcp$|mcp/$|api/websub/hub$).*)");
    assert_eq!(moved["destination"], "https://reviews.example/:path");
    assert_eq!(moved["has"][0]["value"], "old.example");
    assert_eq!(moved["permanent"], true);
    let rewrites = settings["rewrites"].as_array().unwrap();
    assert_eq!(rewrites.len(), 3 + 5);
    assert_eq!(rewrites[0]["has"][0]["value"], "old.example");
    assert_eq!(rewrites[4]["source"], "/api/reviews/since/:rest*");
    assert_eq!(rewrites[4]["destination"], "https://sidecar.example/api/reviews/since/:rest*");
    let headers = settings["headers"].as_array().unwrap();
    let feed = headers.iter().find(|rule| rule["source"] == r"/feed\.xml").unwrap();
    assert_eq!(feed["headers"][0]["value"], "application/atom+xml");
    assert!(project.text("public/.vercelignore").contains("*.br\n"));
}

#[test]
fn the_stack_of_s3_sends_the_routes_to_the_sidecar_uncached() {
    let project = site("previous_base_urls = [\"https://old.example/shop\"]\n");
    host(&project, "s3");
    let stack = project.json("hosts/s3/cloudformation.json");
    let config = &stack["Resources"]["Distribution"]["Properties"]["DistributionConfig"];
    assert_eq!(config["Aliases"], serde_json::json!(["old.example", "reviews.example"]));
    let behaviours = config["CacheBehaviors"].as_array().unwrap();
    let patterns: BTreeSet<_> =
        behaviours.iter().map(|behaviour| behaviour["PathPattern"].as_str().unwrap()).collect();
    for route in
        ["/api/reviews/search", "/api/reviews/since/*", "/mcp", "/api/websub/hub", "/shop/mcp"]
    {
        assert!(patterns.contains(route), "{route}");
    }
    for behaviour in behaviours {
        assert_eq!(behaviour["AllowedMethods"].as_array().unwrap().len(), 7);
        assert_eq!(behaviour["CachePolicyId"], "4135ea2d-6df8-44a3-9df3-4b5a84be39ad");
    }
    assert_eq!(config["Origins"][1]["DomainName"], "sidecar.example");
    assert_eq!(config["Origins"][1]["CustomOriginConfig"]["OriginProtocolPolicy"], "https-only");
    for name in ["Request", "Response"] {
        let code = stack["Resources"][name]["Properties"]["FunctionCode"].as_str().unwrap();
        assert!(code.len() < 10 * 1024, "{name}: {}", code.len());
    }
}

#[test]
fn s3_is_sent_every_document_with_its_type_and_the_manifest_last() {
    let project = site("");
    host(&project, "s3");
    let script = project.text("hosts/s3/upload.sh");
    let lines: Vec<_> = script.lines().collect();
    assert_eq!(*lines.last().unwrap(), "one 'candor-manifest.json' 'application/json'");
    assert!(lines.contains(&"one 'feed.xml' 'application/atom+xml'"), "{script}");
    assert!(
        lines
            .iter()
            .any(|line| line.starts_with("all 'text/html; charset=utf-8' --include '*.html'"))
    );
    let json = lines.iter().find(|line| line.contains("--include '*.json'")).unwrap();
    assert!(json.contains("--exclude 'candor-manifest.json'"), "{json}");
    assert!(!script.contains(".br'") && !script.contains(".gz'"));
    let syntax = project.shielded("sh").args(["-n", "hosts/s3/upload.sh"]).output().unwrap();
    assert!(syntax.status.success(), "{}", String::from_utf8_lossy(&syntax.stderr));
}

#[test]
fn github_pages_says_what_a_live_origin_lacks_there() {
    let project = site("");
    let run = project.candor(["host", "github-pages"]).exits(0);
    run.says("github-pages cannot pass anything on: search, since, /mcp and the hub, which the site names at its own address, are 404 or 405\n")
        .says("next: set [sidecar] enabled = false in site.toml and build again, or choose another host\n");
    assert_eq!(project.text("public/CNAME"), "reviews.example\n");
    assert_eq!(project.text("public/.nojekyll"), "");
    assert_eq!(
        project.candor(["host", "github-pages"].into_iter().chain(SIDECAR)).exits(1).err,
        "error: nothing was written for github-pages: github-pages passes nothing on to a sidecar; leave --sidecar out\n"
    );
}

#[test]
fn shared_hosting_has_one_file_and_says_what_is_missing() {
    let project = site("");
    let run = project.candor(["host", "htaccess"]).exits(0);
    run.says("htaccess cannot pass anything on: search, since, /mcp and the hub")
        .says(
            "htaccess cannot send Candor's ETags: it compares its own, which it answers with 304\n",
        )
        .says("hidden files too, into the site's folder of the host");
    let text = project.text("public/.htaccess");
    for line in [
        "ErrorDocument 404 \"/404.html\"\n",
        "<FilesMatch \"\\.html(?:\\.br|\\.gz)?$\">\nForceType \"text/html; charset=utf-8\"\n",
        "RewriteRule \"^(.*/)?index\\.html$\" \"/$1\" [R=308,L]\n",
    ] {
        assert!(text.contains(line), "{line} is not in {text}");
    }
    assert_eq!(project.manifest().host_files, [".htaccess"]);
    project.write("content/static/.htaccess", "");
    project.build();
    assert_eq!(project.text("public/.htaccess"), text, "every build writes it");
}

#[test]
fn a_static_site_is_whole_on_github_pages_and_needs_no_name_of_its_own_there() {
    let settings = SITE.replace("https://reviews.example\"", "https://acme.github.io/reviews\"");
    let project = Project::new()
        .reviews(mixed(3))
        .file("content/site.toml", format!("{settings}\n[sidecar]\nenabled = false\n"));
    project.build();
    let run = project.candor(["host", "github-pages"]).exits(0);
    assert!(!run.out.contains("pass anything on") && !run.out.contains("[sidecar]"), "{}", run.out);
    assert_eq!(project.manifest().host_files, [".nojekyll"]);
}

#[test]
fn a_site_without_a_sidecar_sends_nothing_anywhere() {
    let project =
        Project::new().file("content/site.toml", format!("{SITE}\n[sidecar]\nenabled = false\n"));
    project.build();
    for name in PLATFORMS {
        project.candor(["host", name]).exits(0);
    }
    assert!(project.text("hosts/cloudflare/site.mjs").contains("export const ROUTES = [];"));
    assert_eq!(project.json("hosts/cloudflare/wrangler.jsonc").get("vars"), None);
    let stack = project.json("hosts/s3/cloudformation.json");
    let config = &stack["Resources"]["Distribution"]["Properties"]["DistributionConfig"];
    assert_eq!(config["Origins"].as_array().unwrap().len(), 1);
    assert_eq!(config["CacheBehaviors"].as_array().unwrap().len(), 0);
}

#[test]
fn a_platform_must_know_a_sidecar_it_can_reach() {
    let project = site("");
    for name in PLATFORMS {
        let says = format!(
            "error: nothing was written for {name}: {name} must be told where the sidecar is: add --sidecar https://…, or set [sidecar] url in site.toml and build again\n"
        );
        assert_eq!(project.candor(["host", name]).exits(1).err, says);
        let says = format!(
            "error: nothing was written for {name}: {name} cannot reach http://localhost:8081: that is this machine to it; name a public address with --sidecar https://…\n"
        );
        let local = ["--sidecar", "http://localhost:8081"];
        assert_eq!(project.candor(["host", name].into_iter().chain(local)).exits(1).err, says);
    }
}

#[test]
fn the_sidecars_own_name_must_be_known_to_it() {
    let says = "next: the sidecar is asked as sidecar.example: set [sidecar] url = \"https://sidecar.example\" in site.toml, or start it with --mcp-hosts sidecar.example\n";
    for name in PLATFORMS {
        let run = site("").candor(["host", name].into_iter().chain(SIDECAR)).exits(0);
        run.says(says);
        let project = Project::new().file(
            "content/site.toml",
            format!("{SITE}\n[sidecar]\nurl = \"https://sidecar.example\"\n"),
        );
        project.build();
        let run = project.candor(["host", name]).exits(0);
        assert!(!run.out.contains("--mcp-hosts"), "{name}: {}", run.out);
    }
}
