//! `content/pages/*.md`: pages of the owner's own words.

use super::{
    project::{Project, SITE},
    review::mixed,
};

const IMPRINT: &str = "+++\ntitle = \"Imprint & more\"\nmenu = \"footer\"\nlanguage = \"de\"\n+++\n\n\
                       # Who\n\nAcme **GmbH** <b>x</b>\n";

fn links(page: &str, from: &str, to: &str) -> Vec<String> {
    let (_, rest) = page.split_once(from).unwrap();
    let (part, _) = rest.split_once(to).unwrap();
    part.split("<a href=\"").skip(1).map(|link| link.split('"').next().unwrap().into()).collect()
}

#[test]
fn a_page_is_published_linked_and_listed_until_its_file_is_gone() {
    let project = Project::new().reviews(mixed(3)).file("content/pages/imprint.md", IMPRINT);
    project.write("content/pages/prices.md", "+++\ntitle = \"Prices\"\nmenu = \"header\"\n+++\n");
    project.write("content/pages/quiet.md", "+++\ntitle = \"Quiet\"\n+++\nWords.\n");
    project.candor(["check", "--strict"]).exits(0);
    project.build();
    let page = project.text("public/imprint/index.html");
    assert!(page.contains("<article class=\"narrow prose\" lang=\"de\" dir=\"auto\">"), "{page}");
    assert!(page.contains("<h1>Imprint &amp; more</h1>\n<h2>Who</h2>\n"), "{page}");
    assert!(page.contains("<strong>GmbH</strong> &lt;b&gt;x&lt;/b&gt;"), "{page}");
    assert!(page.contains("<title>Imprint &amp; more · Acme Plumbing</title>"), "{page}");
    let home = project.text("public/index.html");
    let (menu, footer) =
        (links(&home, "<nav", "</nav>"), links(&home, "<footer class=\"bottom\"", "</footer>"));
    assert!(menu.contains(&"/prices/".into()) && !menu.contains(&"/imprint/".into()), "{menu:?}");
    assert!(footer.contains(&"/imprint/".into()), "{footer:?}");
    assert!(!home.contains("/quiet/"));
    let sitemap = project.text("public/sitemap.xml");
    for name in ["imprint", "prices", "quiet"] {
        assert!(sitemap.contains(&format!("https://reviews.example/{name}/")), "{sitemap}");
    }
    project.remove("content/pages/imprint.md");
    project.build();
    assert!(!project.path("public/imprint").exists());
    assert!(!project.text("public/index.html").contains("/imprint/"));
}

#[test]
fn links_stand_in_the_owners_order() {
    let project = Project::new();
    for (name, order) in
        [("a", "order = 3\n"), ("b", "order = 1\n"), ("c", ""), ("d", "order = 2\n")]
    {
        let text = format!("+++\ntitle = \"{name}\"\nmenu = \"footer\"\n{order}+++\n");
        project.write(&format!("content/pages/{name}.md"), text);
    }
    project.build();
    let footer = links(&project.text("public/index.html"), "<footer", "</footer>");
    let own: Vec<_> = footer.iter().filter(|link| link.len() == 3).collect();
    assert_eq!(own, ["/b/", "/d/", "/a/", "/c/"]);
}

#[test]
fn below_reviews_they_are_below_reviews_too() {
    let project = Project::new().file("content/pages/imprint.md", IMPRINT);
    project.write("content/site.toml", format!("{SITE}[site]\npages = \"/reviews/\"\n"));
    project.build();
    let page = project.text("public/reviews/imprint/index.html");
    assert!(
        page.contains("<a href=\"/reviews/imprint/\" aria-current=\"page\">Imprint &amp; more</a>")
    );
}

fn page(title: &str, text: &str) -> String {
    format!("+++\ntitle = \"{title}\"\n+++\n\n{text}\n")
}

#[test]
fn pictures_of_the_site_are_shown_with_their_size() {
    let project = Project::new();
    project.write("content/static/van.png", picture(40, 30));
    project.write("content/static/plan.svg", "<svg xmlns=\"http://www.w3.org/2000/svg\"/>");
    project.write("content/pages/van.md", page("Van", "![our *van*](/van.png) ![](../plan.svg)"));
    project.candor(["check", "--strict"]).exits(0);
    project.build();
    let html = project.text("public/van/index.html");
    let van =
        "<p><img src=\"/van.png\" width=\"40\" height=\"30\" loading=\"lazy\" alt=\"our van\"> ";
    let plan = "<img src=\"../plan.svg\" loading=\"lazy\" alt=\"\"></p>";
    assert!(html.contains(&format!("{van}{plan}")), "{html}");
}

/// A PNG of this size.
fn picture(width: u32, height: u32) -> Vec<u8> {
    super::photos::encoded(&image::RgbImage::new(width, height), image::ImageFormat::Png)
}

#[test]
fn what_leads_to_no_document_is_named_with_the_one_that_is_meant() {
    let project = Project::new().file("content/pages/privacy.md", page("Privacy", "Words."));
    let error = "error[dead-link]: the link to";
    let warning = "warning[dead-link]: the link to";
    let no_page = "leads to no page of the site";
    for (text, expected) in [
        ("[a](/privacy/) [b](/privacy) [c](../about-these-reviews/) [d](#e) [f](/reviews.json) [g](?h)", String::new()),
        ("[a](https://elsewhere.example/b) [c](mailto:d@e.example) [f](https://reviews.example/privacy/)", String::new()),
        ("[a](/privacy-policy/)", format!("{warning} \"/privacy-policy/\" {no_page}; did you mean /privacy/?")),
        ("[a](/privcy/)", format!("{warning} \"/privcy/\" {no_page}; did you mean /privacy/?")),
        ("[a](privacy.md)", format!("{error} \"privacy.md\" {no_page}; did you mean /privacy/?")),
        ("[a](about-these-reviews.html)", format!("{error} \"about-these-reviews.html\" {no_page}; did you mean /about-these-reviews/?")),
        ("[a](https://reviews.example/x/)", format!("{error} \"https://reviews.example/x/\" {no_page}; link to")),
        ("![a](van.jpg)", "error[dead-link]: the picture \"van.jpg\" is not on the site; put it into content/static/ and write ![words](/name.jpg)".to_owned()),
        ("![a](https://e.example/van.jpg)", "error[dead-link]: the picture \"https://e.example/van.jpg\" is not on the site".to_owned()),
        ("![a](/reviews.json)", "error[dead-link]: the picture \"/reviews.json\" is not on the site".to_owned()),
    ] {
        project.write("content/pages/imprint.md", page("Imprint", text));
        let run = project.candor(["check"]);
        let found = run.err.matches("[dead-link]").count();
        assert_eq!(found, usize::from(!expected.is_empty()), "{text}: {}", run.err);
        if found > 0 {
            assert!(run.err.starts_with("content/pages/imprint.md:5:") && run.err.contains(&expected), "{text}: {}", run.err);
        }
    }
}

#[test]
fn a_picture_where_no_picture_is_shown_is_named() {
    let project = Project::new();
    project.write("content/static/van.png", picture(4, 3));
    project.write("content/pages/roof.png", picture(4, 3));
    project.write(
        "content/faq.toml",
        "[[faq]]\nid = \"a\"\nquestion = \"Who?\"\nanswer = \"We: ![us](/van.png)\"\n",
    );
    project.write("content/summary.md", "Good.\n\n![x](gone.png)\n");
    let run = project.candor(["check"]).exits(1);
    for line in [
        "content/faq.toml:4:21: error[dead-link]: the picture \"/van.png\" is not shown: this text has words alone; remove it, or show it on a page of your own: content/pages/NAME.md\n",
        "content/summary.md:3:6: error[dead-link]: the picture \"gone.png\" is not shown: this text has words alone; remove it, or show it on a page of your own: content/pages/NAME.md\n",
        "content/pages/roof.png: warning[unknown-file]: no page shows this picture; put it into content/static/, and show it on a page: ![words](/roof.png)\n",
    ] {
        assert!(run.err.contains(line), "{line}{}", run.err);
    }
    project.remove("content/faq.toml");
    project.remove("content/summary.md");
    // A page that shows it is told where it belongs, which is enough.
    project.write("content/pages/a.md", page("A", "![x](roof.png)"));
    let run = project.candor(["check"]).exits(1);
    assert!(run.err.contains("a.md:5:") && !run.err.contains("no page shows"), "{}", run.err);
}

#[test]
fn a_link_without_the_folder_of_the_site_is_named() {
    let project = Project::new().file("content/pages/privacy.md", page("Privacy", "Words."));
    let inside = SITE.replace("https://reviews.example\"", "https://owner.example/reviews-site\"");
    project.write("content/site.toml", inside);
    project.write("content/pages/imprint.md", page("Imprint", "[a](/privacy/) [b](/shop/)"));
    let run = project.candor(["check"]);
    assert_eq!(run.err.matches("[dead-link]").count(), 1, "{}", run.err);
    run.complains("did you mean /reviews-site/privacy/?");
}

#[test]
fn a_head_in_yaml_is_named() {
    let project = Project::new().file("content/pages/a.md", "---\ntitle: A\n---\nWords.\n");
    project.candor(["check"]).exits(1).complains(
        "content/pages/a.md:1: error[missing-key]: the head is in YAML, between lines ---; a page's head is TOML; begin the file with a line +++, a line title = \"…\" and a line +++",
    );
}

#[test]
fn no_name_of_a_built_in_page_is_free() {
    let content = concat!(env!("CARGO_MANIFEST_DIR"), "/../content");
    let project = Project::new();
    project.candor(["build", "--content", content]).exits(0);
    let mut taken: Vec<String> = std::fs::read_dir(project.path("public"))
        .unwrap()
        .map(|entry| entry.unwrap())
        .filter(|entry| entry.file_type().unwrap().is_dir())
        .map(|entry| entry.file_name().to_string_lossy().into_owned())
        .filter(|name| name != "privacy" && !name.starts_with('.'))
        .collect();
    taken.extend(["all", "mcp"].map(str::to_owned));
    for name in &taken {
        project.write(&format!("content/pages/{name}.md"), "+++\ntitle = \"x\"\n+++\n");
    }
    let run = project.candor(["check"]).exits(1);
    for name in &taken {
        let line = format!(
            "content/pages/{name}.md: error[reserved-page]: the site has a page or folder {name} of its own; give the file another name\n"
        );
        assert!(run.err.contains(&line), "{name}: {}", run.err);
    }
}

#[test]
fn links_and_pictures_of_every_text_are_checked() {
    let text =
        "[a](/nope/) [b](nope) ![c](/c.png) [d](javascript:1) [e](/about-these-reviews/) [f](#f)";
    let project = Project::new().reviews(mixed(3));
    let with_text = |key: &str, name: &str| {
        format!("[[{key}]]\nid = \"x\"\n{name} = \"X\"\ntext = \"{text}\"\n")
    };
    project.write("content/services.toml", with_text("service", "label"));
    project.write("content/service_areas.toml", with_text("service_area", "name"));
    let answer = format!("{text} [g](/services/{{{{business.name}}}}/)");
    project.write(
        "content/faq.toml",
        format!("[[faq]]\nid = \"a\"\nquestion = \"Who?\"\nanswer = \"{answer}\"\n"),
    );
    project.write("content/summary.md", format!("{text}\n"));
    let run = project.candor(["check"]).exits(1);
    for file in ["services.toml:4:", "service_areas.toml:4:", "faq.toml:4:", "summary.md:1:"] {
        let start = format!("content/{file}");
        let said: Vec<&str> = run.err.lines().filter(|line| line.starts_with(&start)).collect();
        for (words, count) in [
            ("warning[dead-link]: the link to \"/nope/\" leads to no page of the site; ", 1),
            ("error[dead-link]: the link to \"nope\" leads to no page of the site; ", 1),
            (
                "error[dead-link]: the picture \"/c.png\" is not shown: this text has words alone; ",
                1,
            ),
            ("error[invalid-url]: the link to \"javascript:1\" is not published; ", 1),
            ("", 4),
        ] {
            let found = said.iter().filter(|line| line.contains(words)).count();
            assert_eq!(found, count, "{file} {words}: {}", run.err);
        }
    }
}

#[test]
fn a_folder_of_pages_is_named_as_one() {
    let project = Project::new().file("content/pages/sub/a.md", page("A", "Words."));
    project.candor(["check"]).exits(0).complains(
        "content/pages/sub: warning[unknown-file]: nothing reads this folder; pages have no folders: move its files into pages/\n",
    );
}
