//! What a build keeps from the last publication.

use std::io::{Read, Write};

use contract::manifest::MANIFEST_PATH;

use super::{
    project::{Project, Run, SITE},
    review::mixed,
};

#[test]
fn a_site_that_moves_says_so_or_is_refused() {
    let site = SITE.replace("reviews.example", "reviews.acme-pipes.org");
    let project = Project::new().reviews(mixed(3)).file("content/site.toml", &site);
    project.build();
    let before = project.tree("public");
    let moved = site.replace("https://reviews.acme-pipes.org", "https://new.example");
    project.write("content/site.toml", &moved);
    let refusal = "base_url was https://reviews.acme-pipes.org at the last publication and is https://new.example now; add the old one to site.toml: previous_base_urls = [\"https://reviews.acme-pipes.org\"], or publish to an empty folder\n";
    let excerpt =
        "  2 | base_url = \"https://new.example\"\n    |            ^^^^^^^^^^^^^^^^^^^^^\n";
    for (verb, start, end) in [
        ("build", "error: nothing was published to public: ", ""),
        ("check", "content/site.toml:2:12: error[moved-site]: ", excerpt),
        ("build --dry-run", "error: ", ""),
    ] {
        assert_eq!(project.candor(verb.split(' ')).exits(1).err, format!("{start}{refusal}{end}"));
    }
    project.candor(["check"]).says("1 error, no warnings\n");
    assert_eq!(project.tree("public"), before);
    project.write(
        "content/site.toml",
        format!("{moved}previous_base_urls = [\"https://reviews.acme-pipes.org/\"]\n"),
    );
    project.candor(["check", "--strict"]).exits(0);
    project.build();
    assert_eq!(project.manifest().previous_base_urls, ["https://reviews.acme-pipes.org"]);
    assert!(project.text("public/reviews.json").contains("https://new.example/reviews/01"));
    assert!(
        project.text("public/feed.xml").contains("tag:reviews.acme-pipes.org,2026-01-01:reviews/")
    );
}

/// The address of the documentation, or of this machine, was nobody's: the site gets its own without a question.
#[test]
fn a_placeholder_is_no_address_that_a_site_moves_from() {
    for placeholder in [
        "https://reviews.your-domain.com",
        "https://reviews.example.com",
        "https://your-name.github.io/shop",
        "https://acme.example",
        "http://localhost:8080",
        "http://127.0.0.1:8080",
        "http://192.168.1.5:8080",
        "http://vm",
        "https://your-site.netlify.app",
        "https://bewertungen.ihre-domain.de",
    ] {
        let project = Project::new();
        let given = ["init", "shop", "--no-input", "--name", "Acme", "--base-url", placeholder];
        project.candor(given).exits(0);
        let path = "shop/content/site.toml";
        let build = || Run::of(project.command(["build"]).current_dir(project.path("shop")));
        build().exits(0);
        let host = url::Url::parse(placeholder).unwrap().host_str().unwrap().to_owned();
        let text = project.text(path);
        assert!(text.contains(&format!("id_base = \"tag:{host},2")), "{text}");
        project.write(path, text.replacen(placeholder, "https://reviews.acme-pipes.org", 1));
        build()
            .exits(0)
            .says("content/site.toml has id_base = \"tag:reviews.acme-pipes.org,2")
            .says(&format!(
                " now: {host} was a placeholder; keep it, whatever the address will be\n"
            ));
        let feed = || project.text("shop/public/feed.xml");
        assert!(feed().contains("<id>tag:reviews.acme-pipes.org,2"), "{}", feed());
        // Both are the site's now.
        let text = project.text(path);
        project.write(path, text.replacen("\"https://reviews.acme", "\"https://stars.acme", 1));
        build().exits(1).complains("base_url was https://reviews.acme-pipes.org");
        let known = "format = 1\nprevious_base_urls = [\"https://reviews.acme-pipes.org\"]\n";
        let moved = project.text(path).replacen("format = 1\n", known, 1);
        project.write(path, &moved);
        build().exits(0);
        assert_eq!(project.text(path), moved);
        assert!(feed().contains("<id>tag:reviews.acme-pipes.org,2"), "{}", feed());
    }
}

/// Readers know the ids of a site that was published for them, whatever is in the ids.
#[test]
fn ids_that_readers_know_stay() {
    let site = SITE.replacen("https://reviews.example", "https://acme-pipes.org", 1);
    let project = Project::new().reviews(mixed(3)).file("content/site.toml", &site);
    project.build().says("id_base = \"tag:acme-pipes.org,2026-01-01:reviews\" now");
    project.write("content/site.toml", &site);
    let mut manifest = project.manifest();
    manifest.id_base = "tag:reviews.example,2026-01-01:reviews".to_owned();
    project.write("before.json", manifest.to_json());
    std::fs::remove_dir_all(project.path("public")).unwrap();
    project.candor(["build", "--previous", "before.json"]).exits(0);
    assert_eq!(project.text("content/site.toml"), site);
    // A preview is nobody's publication.
    let site = SITE.to_owned();
    project.write("content/site.toml", &site);
    project.candor(["build", "--base-url", "https://acme-pipes.org", "--public", "other"]).exits(0);
    assert_eq!(project.text("content/site.toml"), site);
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
    other.says("(35 changed, 0 removed)");
    let new = project.manifest();
    assert!(new.published_at > old.published_at);
    for file in &new.files {
        // The new review's page is new.
        let Some(before) = old.file(&file.path) else { continue };
        if file.etag == before.etag {
            assert_eq!(file.modified, before.modified, "{}", file.path)
        } else {
            assert!(file.modified > before.modified, "{}", file.path)
        }
    }
}

#[test]
fn a_move_is_noticed_from_the_manifest_it_is_given() {
    let site = SITE.replace("reviews.example", "reviews.acme-pipes.org");
    let project = Project::new().file("content/site.toml", &site);
    project.build();
    std::fs::rename(project.path("public"), project.path("kept")).unwrap();
    project.write("content/site.toml", site.replace("https://reviews", "https://new"));
    let previous = format!("kept/{MANIFEST_PATH}");
    for verb in ["check", "build", "build --dry-run"] {
        let command = verb.split(' ').chain(["--previous", &previous]);
        project.candor(command).exits(1).complains("base_url was ");
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
    let run = project.candor(["build", "--list"]).exits(1);
    run.complains("there is no public/candor-manifest.json: nothing was published there");
    project.candor(["build", "--host", "caddy"]).exits(0);
    let listed = |arguments: &[&str]| -> Vec<String> {
        let run = project.candor(arguments.iter().copied()).exits(0);
        run.out.lines().map(str::to_owned).collect()
    };
    let files = listed(&["build", "--list"]);
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
    let gone = listed(&["build", "--list", "--gone-since", "before.json"]);
    let now = listed(&["build", "--list"]);
    let expected: Vec<&String> = files.iter().filter(|path| !now.contains(path)).collect();
    assert!(!gone.is_empty());
    assert_eq!(gone.iter().collect::<Vec<_>>(), expected);
    assert!(listed(&["build", "--list", "--gone-since", "none.json"]).is_empty());
    project.write("other.json", "[]");
    let run = project.candor(["build", "--list", "--gone-since", "other.json"]).exits(1);
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

/// The first line of a request, which is read to the end of its head.
fn head_of(stream: &mut std::net::TcpStream) -> String {
    let mut head = Vec::new();
    while !head.ends_with(b"\r\n\r\n") {
        let mut byte = [0];
        stream.read_exact(&mut byte).unwrap();
        head.extend(byte);
    }
    String::from_utf8(head).unwrap().lines().next().unwrap().to_owned()
}

/// Answers requests with the heads of responses, one after the other, also through the tunnels of an HTTP proxy.
/// The first lines of the requests.
fn answering(heads: Vec<String>) -> (String, std::thread::JoinHandle<Vec<String>>) {
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let address = format!("http://{}", listener.local_addr().unwrap());
    let server = std::thread::spawn(move || {
        let mut lines = Vec::new();
        for head in heads {
            let (mut stream, _) = listener.accept().unwrap();
            let mut line = head_of(&mut stream);
            if line.starts_with("CONNECT ") {
                stream.write_all(b"HTTP/1.1 200 OK\r\n\r\n").unwrap();
                line += &format!(", {}", head_of(&mut stream));
            }
            lines.push(line);
            let answer =
                format!("HTTP/1.1 {head}\r\nContent-Length: 0\r\nConnection: close\r\n\r\n");
            stream.write_all(answer.as_bytes()).unwrap();
        }
        lines
    });
    (address, server)
}

#[test]
fn a_redirect_of_the_last_publication_is_named_and_leads_to_no_other_kind_of_address() {
    let project = Project::new();
    let (target, there) = answering(vec!["404 Not Found".to_owned()]);
    let (address, server) =
        answering(vec![format!("307 Temporary Redirect\r\nLocation: {target}/m.json")]);
    let run = project.candor(["build", "--previous", &address, "--first"]).exits(0);
    let host = target.trim_start_matches("http://");
    assert_eq!(run.err, format!("{address}/ redirects to {host}\n"));
    assert_eq!(there.join().unwrap(), ["GET /m.json HTTP/1.1"]);
    server.join().unwrap();

    for verb in ["build", "check", "build --dry-run"] {
        let location = "http://169.254.169.254/latest/meta-data/";
        let (address, server) = answering(vec![format!("302 Found\r\nLocation: {location}")]);
        let run = project.candor(verb.split(' ').chain(["--previous", &address])).exits(1);
        let said = "169.254.169.254 leads to 169.254.169.254, which is not a public address; name it yourself if you trust it\n";
        assert!(run.err.ends_with(&format!("{address}/: {said}")), "{run:?}");
        server.join().unwrap();
    }
}

#[test]
fn a_proxy_of_the_environment_resolves_the_names_of_redirects_too() {
    let project = Project::new();
    let through = |proxy: &str| {
        let mut command = project.command(["build", "--previous", "http://reviews.example/m.json"]);
        for name in
            ["HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "http_proxy", "https_proxy", "all_proxy"]
        {
            command.env(name, proxy);
        }
        Run::of(command.env("NO_PROXY", "localhost,10.0.0.1").env_remove("no_proxy"))
    };
    let redirect = |to: &str| format!("302 Found\r\nLocation: {to}");
    let (proxy, server) =
        answering(vec![redirect("http://other.example/"), "404 Not Found".to_owned()]);
    let run = through(&proxy).exits(1);
    let run = run.complains("http://reviews.example/m.json redirects to other.example\n");
    run.complains("there is no publication at http://reviews.example/m.json");
    let asked = [
        "CONNECT reviews.example:80 HTTP/1.1, GET /m.json HTTP/1.1",
        "CONNECT other.example:80 HTTP/1.1, GET / HTTP/1.1",
    ];
    assert_eq!(server.join().unwrap(), asked);
    for host in ["localhost", "10.0.0.1"] {
        let (proxy, server) = answering(vec![redirect(&format!("http://{host}:1/"))]);
        through(&proxy).exits(1).complains(&format!("{host} leads to "));
        server.join().unwrap();
    }
}
