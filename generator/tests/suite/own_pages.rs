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
