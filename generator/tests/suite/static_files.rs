//! `content/static/**`: files of the owner's that are published as they are.

use contract::etag::ETag;

use super::{project::Project, review::mixed};

const CONTACT: &[u8] = b"Contact: mailto:a@b.example\n";
const PROOF: &str = "google-site-verification: google1a2b.html";

#[test]
fn files_are_published_with_name_type_and_tag_until_they_are_gone() {
    let project = Project::new().reviews(mixed(3));
    let files: [(&str, &[u8], &str); 6] = [
        ("google1a2b.html", PROOF.as_bytes(), "text/html; charset=utf-8"),
        (".well-known/security.txt", &CONTACT.repeat(20), "text/plain; charset=utf-8"),
        (".well-known/apple-app-site-association", b"{}", "application/json"),
        ("fonts/Head.woff2", b"wOF2\xff", "font/woff2"),
        ("reviews/notes.pdf", b"%PDF\xff", "application/pdf"),
        ("images/van.png", b"\x89PNG", "image/png"),
    ];
    for (path, bytes, _) in files {
        project.write(&format!("content/static/{path}"), bytes);
    }
    project.write("content/static/.git/config", "not published");
    project.candor(["check", "--strict"]).exits(0);
    project.build();
    let manifest = project.manifest();
    for (path, bytes, media_type) in files {
        assert_eq!(project.bytes(&format!("public/{path}")), bytes, "{path}");
        let entry = manifest.files.iter().find(|entry| entry.path == path).unwrap();
        assert_eq!((&*entry.media_type, &entry.etag), (media_type, &ETag::of(bytes)), "{path}");
        assert_eq!(!entry.encodings.is_empty(), bytes.len() > 100, "{path}");
    }
    assert!(!project.path("public/.git").exists());
    project.write("content/static/.well-known/security.txt", "Contact: mailto:new@b.example\n");
    project.remove("content/static/google1a2b.html");
    project.build();
    assert!(project.text("public/.well-known/security.txt").contains("new@b.example"));
    assert!(!project.path("public/google1a2b.html").exists());
}

#[test]
fn a_file_that_the_style_sheet_names_and_the_site_lacks_is_an_error() {
    let style = "@font-face { font-family: Head; src: url(\"/fonts/head.woff2\"); }\n\
                 .hero { background: url(/images/none.png); mask: url(data:image/png;base64,AA==) }\n\
                 .top { background: url('../images/van.png') url(#clip) }\n\
                 /* .old { background: url(/old.png) } */\n\
                 .icon { mask: url(\"data:image/svg+xml,<path fill='url(%23g)'/>\") }\n";
    let project = Project::new()
        .reviews(mixed(3))
        .file("content/templates/custom.css", style)
        .file("content/static/images/van.png", b"\x89PNG");
    let mut run = project.candor(["check"]).exits(1);
    for (place, address) in [("1:43", "/fonts/head.woff2"), ("2:25", "/images/none.png")] {
        run = run.complains(&format!(
            "custom.css:{place}: error[dead-link]: the file {address:?} is not on the site; put it into content/static/ and write url(/NAME)"
        ));
    }
    project.write("content/static/fonts/head.woff2", b"wOF2");
    project.write("content/static/images/none.png", b"\x89PNG");
    project.candor(["check"]).exits(0);
}

#[test]
fn a_site_without_pages_publishes_them_too() {
    let project = Project::new().file("content/static/proof.txt", PROOF);
    project.write("content/site.toml", format!("{}[site]\npages = false\n", super::project::SITE));
    project.build();
    assert_eq!(project.text("public/proof.txt"), PROOF);
}

#[test]
fn what_another_document_excludes_is_an_error() {
    for (path, other) in [
        ("reviews.json", "reviews.json"),
        ("Reviews.JSON", "reviews.json"),
        ("feed.xml.gz", "feed.xml"),
        ("index.html", "index.html"),
        ("reviews/index.html", "reviews/index.html"),
        ("reviews", "reviews/"),
        ("feed.xml/more.txt", "feed.xml"),
        ("robots.txt", "robots.txt"),
        ("candor-manifest.json", "candor-manifest.json"),
    ] {
        let project = Project::new().file(&format!("content/static/{path}"), "x");
        for command in ["check", "build"] {
            let run = project.candor([command]).exits(1);
            let start = format!("content/static/{path}: error[taken-path]: the site has {other}");
            assert!(run.err.contains(&start), "{path}: {}", run.err);
        }
    }
    let project =
        Project::new().file("content/static/a.txt", "x").file("content/static/A.txt", "y");
    let run = project.candor(["check"]).exits(1);
    assert_eq!(run.err.matches("error[taken-path]").count(), 1, "{}", run.err);
    run.complains("content/static/a.txt: error[taken-path]: /A.txt and /a.txt are one path on some systems; give one another name\n");
}

#[test]
fn a_hidden_file_is_not_published_which_is_said() {
    let project = Project::new();
    project.write("content/static/.htaccess", "Redirect 301 /old /\n");
    project.write("content/static/.DS_Store", "");
    let run = project.candor(["check"]).exits(0);
    assert_eq!(run.err.matches("warning").count(), 1, "{}", run.err);
    run.complains("content/static/.htaccess: warning[unknown-file]: files whose name begins with a dot are not published; candor host writes the settings of web servers");
}

#[test]
fn a_name_that_is_no_address_and_an_svg_with_a_script_are_errors() {
    let project = Project::new()
        .file("content/static/our prices.pdf", "x")
        .file("content/static/Preise_ä.pdf", "x")
        .file(
            "content/static/x.svg",
            "<svg xmlns=\"http://www.w3.org/2000/svg\"><style>@import 'x'</style></svg>",
        )
        .file("content/static/large.zip", vec![0; 26 * 1024 * 1024]);
    project
        .candor(["check"])
        .exits(1)
        .complains(concat!(
            "content/static/Preise_ä.pdf: error[invalid-static-file]: \"Preise_ä.pdf\" cannot be part of an address; rename it with letters, digits, hyphens, dots and underscores\n",
            "content/static/large.zip: error[invalid-static-file]: the file has 26 MiB; at most 25 are published; make it smaller, or put it elsewhere and link to it\n",
            "content/static/our prices.pdf: error[invalid-static-file]: \"our prices.pdf\" cannot be part of an address; rename it with letters, digits, hyphens, dots and underscores\n",
            "content/static/x.svg: error[invalid-static-file]: the file contains @import; candor help invalid-logo says what a picture may contain\n",
        ));
}

#[test]
fn an_svg_has_no_script_under_another_name_either() {
    let svg = "<svg xmlns=\"http://www.w3.org/2000/svg\"><script>alert(1)</script><path d=\"M0 0\"/></svg>";
    let project = Project::new();
    for name in ["a.SVG", "b.svgz", "c.xml"] {
        project.write(&format!("content/static/{name}"), svg);
    }
    project.build();
    for name in ["a.SVG", "b.svgz", "c.xml"] {
        let published = project.text(&format!("public/{name}"));
        assert!(
            published.contains("<path") && !published.contains("script"),
            "{name}: {published}"
        );
    }
    project.write("content/static/b.svgz", b"\x1f\x8b\x08");
    project
        .candor(["check"])
        .exits(1)
        .complains("content/static/b.svgz: error[invalid-static-file]: ");
}

#[test]
fn a_file_where_the_search_service_answers_is_an_error() {
    for (path, route) in [
        ("mcp", "mcp"),
        ("mcp/index.html", "mcp"),
        ("api/reviews/search", "api/reviews/search"),
        ("api/reviews/since/x", "api/reviews/since"),
        ("api/websub/hub", "api/websub/hub"),
    ] {
        let project = Project::new().file(&format!("content/static/{path}"), "x");
        project.candor(["check"]).exits(1).complains(&format!(
            "content/static/{route}: error[invalid-static-file]: /{route} is where the search service answers; give it another name\n"
        ));
    }
    Project::new().file("content/static/api/reviews/other", "x").candor(["check"]).exits(0);
}

#[test]
fn a_password_in_an_address_is_not_published() {
    let business =
        "name = \"Acme\"\ntime_zone = \"UTC\"\nurl = \"https://ann:secret@shop.example/\"\n";
    let run = Project::new().file("content/business.toml", business).candor(["check"]).exits(1);
    run.complains(
        "the address at shop.example has a user name or a password, which are not published",
    );
    let business = "name = \"Acme\"\ntime_zone = \"UTC\"\nemail = \"mailto:ann@shop.example\"\n";
    let run = Project::new().file("content/business.toml", business).candor(["check"]).exits(1);
    run.complains("\"mailto:ann@shop.example\" is not an e-mail address");
}

#[test]
fn a_file_that_the_host_needs_is_not_replaced() {
    let project = Project::new().file("content/static/_headers", "/*\n  X: y\n");
    project
        .candor(["build", "--host", "netlify", "--sidecar", "https://s.example"])
        .exits(1)
        .complains("content/static/_headers is where the host's own _headers is written");
}
