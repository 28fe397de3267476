//! `candor verify --recompute`: pages, other files, their compressed copies, and all of it against the content.

use contract::manifest::MANIFEST_PATH;

use super::{
    faulty_site::FaultySite,
    recompute::{compared, compared_with, published, recompute},
};
use crate::{
    project::{BUSINESS, SITE},
    review::id,
};

#[test]
fn what_a_page_says_of_a_review_and_every_figure_is_compared() {
    let review = format!("reviews/{}/index.html", id(24));
    let table: [(&str, &str, &str); 15] = [
        (&review, ">January 25, 2026<", ">January 26, 2026<"),
        (&review, "5 of 5 stars", "4 of 5 stars"),
        (&review, "class=\"mark ok\"", "class=\"mark\""),
        (&review, "Posted by an account", "Checked by an account"),
        (&review, "on Google<", "on Yelp<"),
        (&review, "#checked", "#checkee"),
        (&review, "/services/drains/\">", "/services/drain/\">"),
        ("about-these-reviews/index.html", "25 of 25", "24 of 25"),
        ("rating/5/index.html", ">5 reviews<", ">6 reviews<"),
        ("review-policy/index.html", "3.00 of 5 from 25", "3.10 of 5 from 25"),
        ("faq/index.html", "25 reviews", "26 reviews"),
        ("summary/index.html", "3.00", "3.10"),
        ("services/drains/index.html", " of 25 positive", " of 26 positive"),
        ("services/index.html", " of 25 positive", " of 26 positive"),
        ("index.html", "datetime=\"2026-01-25\"", "datetime=\"2026-01-26\""),
    ];
    let project = published();
    // A review that nobody wrote, on a page that has all others.
    let invented = "</article><article class=\"review\"><bdi>Nobody</bdi></article>";
    let run = recompute(&project, vec![("reviews/index.html".to_owned(), "</article>", invented)]);
    let start = "FAIL  /reviews/index.html, class: published `review`, computed `nothing`\n";
    assert!(run.out.starts_with(start), "{}", run.out);
    for (path, from, to) in table {
        let run = recompute(&project, vec![(path.to_owned(), from, to)]);
        let found: Vec<&str> = run.out.lines().filter(|line| line.starts_with("FAIL")).collect();
        let start = format!("FAIL  /{path}, ");
        assert!(
            found.len() == 1 && found[0].starts_with(&start) && !found[0].contains("manifest"),
            "{path}, {from}: {run:?}"
        );
    }
}

#[test]
fn every_other_file_is_the_one_in_the_manifest() {
    let project = published();
    let css = project.asset("style.css").replace("public/", "");
    let rows = [
        ("changes.json", "\"added\"", "\"addee\"", "the manifest says"),
        (&*css, "{", "}", "the manifest says"),
        ("openapi.json", "\"3.1.0\"", "\"3.1.1\"", "computed `"),
        ("mcp-server-card.json", "Acme", "Acne", "computed `"),
        ("server.json", "Acme", "Acne", "computed `"),
        ("schemas/reviews.json", "type", "tyqe", "computed `"),
        ("llms.txt", "25 reviews", "26 reviews", "computed `"),
        ("sitemap.xml", "2026-01-25", "2026-01-26", "computed `"),
        ("robots.txt", "Allow", "Bllow", "computed `"),
    ];
    for (path, from, to, reason) in rows {
        let run = recompute(&project, vec![(path.to_owned(), from, to)]).exits(1);
        let start = format!("FAIL  /{path}, ");
        let line = run.out.lines().next().unwrap();
        assert!(line.starts_with(&start) && line.contains(reason), "{path}: {}", run.out);
        assert_eq!(run.out.lines().count(), 2, "{}", run.out);
    }
    let listed = (MANIFEST_PATH.to_owned(), "application/feed+json", "application/json");
    let text = project.text("public/candor-manifest.json");
    let listed = if text.contains(listed.1) {
        listed
    } else {
        (MANIFEST_PATH.to_owned(), "application/atom+xml", "application/xml")
    };
    let run = recompute(&project, vec![listed]).exits(1);
    assert!(run.out.starts_with("FAIL  /candor-manifest.json, build_id: published `"), "{run:?}");
}

#[test]
fn compressed_copies_are_those_of_their_file() {
    let project = published();
    for coding in ["br", "gzip"] {
        let other = project
            .bytes(&format!("public/api/feed.json.{}", if coding == "br" { "br" } else { "gz" }));
        let site = FaultySite::telling(&project, move |asked, told| {
            if asked.path == "/feed.xml" && asked.field("accept-encoding") == coding {
                told.body.clone_from(&other);
            }
        });
        let run = compared_with(&project, &site, &[]).exits(1);
        let start = format!("FAIL  /feed.xml, compressed as {coding}, line 1: published `");
        assert!(run.out.starts_with(&start), "{}", run.out);
        let site = FaultySite::telling(&project, move |asked, told| {
            if asked.path == "/feed.xml" && asked.field("accept-encoding") == coding {
                told.body = b"no such coding".to_vec();
            }
        });
        let run = compared_with(&project, &site, &[]).exits(1);
        assert!(run.out.starts_with(&format!("FAIL  /feed.xml, compressed as {coding}, ")));
    }
}

#[test]
fn with_the_content_every_byte_of_every_file_is_compared() {
    let project = published();
    let css = project.asset("style.css").replace("public/", "");
    let content = ["--content", "content"];
    let run = compared(&project, Vec::new(), &content).exits(0);
    assert_eq!(
        run.out,
        "http://site/: 0 of 95 files differ from what the content gives with candor 0.1.0\n"
    );
    let words = "how it is verified";
    for (path, from, to, reason) in [
        (&*css, "{", "}", "line 2: published `"),
        ("changes.json", "\"added\"", "\"addee\"", "line 5: published `"),
        ("index.html", "<h1><span>", "<h1><spam>", "line "),
        ("insights.json", "\"definition\"", "\"definitiom\"", "line "),
        ("review-policy/index.html", "unless it is withheld", words, "line "),
        (MANIFEST_PATH, "application/atom+xml", "application/atom+xmm", "files/"),
    ] {
        let run = compared(&project, vec![(path.to_owned(), from, to)], &content).exits(1);
        let found =
            run.out.lines().find(|line| line.starts_with(&format!("FAIL  /{path}, {reason}")));
        assert!(found.is_some(), "{path}: {}", run.out);
    }
    let site = FaultySite::telling(&project, |asked, told| {
        if asked.path == "/summary/" {
            told.status = 404;
        }
        if asked.path == "/badge.svg" {
            told.body = vec![0xff; told.body.len()];
        }
    });
    let run = compared_with(&project, &site, &content).exits(1);
    assert!(
        run.out.contains(
            "FAIL  /summary/index.html: the manifest lists it, and there is no such file\n"
        ) && run.out.contains("FAIL  /badge.svg, byte 1: published "),
        "{}",
        run.out
    );
    // Who changes files and leaves the manifest, and who changes both.
    project.write("content/services.toml", "[[service]]\nid = \"drains\"\nlabel = \"Pipes\"\n");
    let run = compared(&project, Vec::new(), &content).exits(1);
    assert!(run.out.contains("FAIL  /reviews.json, line 4: published "), "{}", run.out);
    project.write("content/services.toml", "[[service]]\nid = \"pipes\"\nlabel = \"Pipes\"\n");
    let run = compared(&project, Vec::new(), &content).exits(1);
    assert!(run.out.contains("FAIL  /candor-manifest.json, build_id: published `"), "{}", run.out);
    let lie = (MANIFEST_PATH.to_owned(), "\"candor 0.1.0\"", "\"candor 0.0.9\"");
    let run = compared(&project, vec![lie], &content).exits(1);
    assert_eq!(
        run.err,
        "error: nothing was compared: candor 0.0.9 made the site, and this is candor 0.1.0, which may make other bytes of the same reviews; verify it with candor 0.0.9\n"
    );
    let run = compared(&project, Vec::new(), &["--content", "nowhere"]).exits(1);
    run.complains("error: nothing was compared; fix the errors above\n");
}

#[test]
fn a_file_that_site_and_manifest_lack_is_found() {
    let project = published();
    let review = format!("reviews/{}/index.html", id(0));
    let paths = ["reviews.csv", "rating/1/index.html", &review];
    let mut manifest = project.json("public/candor-manifest.json");
    let files = manifest["files"].as_array_mut().unwrap();
    let count = files.len();
    files.retain(|file| !paths.contains(&file["path"].as_str().unwrap_or_default()));
    assert_eq!(files.len(), count - paths.len());
    project.write("public/candor-manifest.json", manifest.to_string());
    for options in [&[][..], &["--content", "content"]] {
        let run = compared(&project, Vec::new(), options).exits(1);
        for path in paths {
            let line = format!("FAIL  /{path}: the site has no such file\n");
            assert!(run.out.contains(&line), "{}", run.out);
        }
    }
}

#[test]
fn quotes_are_compared_where_opinions_follow_from_the_reviews() {
    let project = published();
    let paths: Vec<String> = project.tree("public/aspects").into_keys().collect();
    let path = paths.iter().map(|path| format!("aspects/{path}")).find(|path| {
        path.ends_with(".html") && project.text(&format!("public/{path}")).contains("<blockquote>")
    });
    let path = path.expect("an aspect has a quote");
    let lie = (path.clone(), "They fixed", "Terrible. They fixed");
    let run = recompute(&project, vec![lie]).exits(1);
    let line = format!("FAIL  /{path}, review: published `Terrible. ");
    assert!(run.out.starts_with(&line), "{}", run.out);
}

#[test]
fn what_an_honest_site_has_is_no_difference() {
    let labels =
        "[[aspect]]\nid = \"communication\"\nlabel = \"Communication\"\nkeywords = [\"visit\"]\n";
    let base = include_str!("../../../../crates/content/src/theme/templates/base.html");
    let base = base.replace("<footer", "<p>Since 1998, day and night: 24 hours</p>\n<footer");
    let page = "+++\ntitle = \"Prices\"\nmenu = \"header\"\n+++\n\n> From 99 a visit\n";
    let summary = "> 12 years, 4.9 of 5 at the fair\n\n~~Late~~ never, they say.\n";
    let text = "[[service]]\nid = \"drains\"\nlabel = \"Drains\"\ntext = \"\"\"\n> All 24 hours\n\nSince 1999.\n\"\"\"\n";
    let policy = "\n[policy]\ndate = 2026-01-02\ncollected = \"By mail, after 3 days.\"\nreport = \"mail+1@acme.example\"\n";
    let site = |more: &str| format!("{SITE}{more}");
    let german = SITE.replace("language = \"en\"", "language = \"de\"");
    assert_ne!(german, SITE);
    let table: [(&str, &[(&str, &str)]); 6] = [
        ("German", &[("site.toml", &german), ("aspects.toml", labels)]),
        (
            "below another site",
            &[(
                "site.toml",
                &site("[site]\npages = \"/reviews/\"\n[theme]\naccent = \"#0b6e4f\"\n"),
            )],
        ),
        ("without pages of reviews", &[("site.toml", &site("[site]\nreview_pages = false\n"))]),
        ("without pages", &[("site.toml", &site("[site]\npages = false\n"))]),
        (
            "own words",
            &[
                ("templates/base.html", &base),
                ("pages/prices.md", page),
                ("summary.md", summary),
                ("services.toml", text),
                ("aspects.toml", labels),
                ("business.toml", &format!("{BUSINESS}{policy}")),
            ],
        ),
        ("no reviews", &[]),
    ];
    for (name, files) in table {
        let project = published();
        for (path, text) in files {
            project.write(&format!("content/{path}"), text);
        }
        if files.is_empty() {
            project.write_reviews([]);
        }
        project.build();
        let run = recompute(&project, Vec::new());
        assert!(run.code == 0 && !run.out.contains("FAIL"), "{name}: {run:?}");
    }
    let project = published();
    for command in ["init", "add"] {
        project.candor(["log", command, "--key-file", "log.key"]).exits(0);
    }
    project.build();
    let run = recompute(&project, Vec::new());
    assert!(run.code == 0 && !run.out.contains("FAIL"), "a log: {run:?}");
}
