//! The page that verifies a review in a browser, and the links to it. `tests/site` runs its scripts.

use serde_json::Value;

use super::{KEY, add, built, lines, logged, with_log};
use crate::{
    project::{Project, SITE},
    review::{id, mixed},
};

const PAGE: &str = "public/proof/index.html";

fn review_page(project: &Project, at: usize) -> String {
    project.text(&format!("public/reviews/{}/index.html", id(at)))
}

/// The names of the published scripts, without their hashes.
fn scripts(project: &Project) -> Vec<String> {
    let files = project.manifest().files.into_iter();
    let scripts = files.filter(|file| file.path.ends_with(".js"));
    scripts.map(|file| file.path.split('.').next().unwrap().to_owned()).collect()
}

#[test]
fn only_a_site_with_a_log_has_it() {
    let project = Project::new().reviews(mixed(3));
    project.build();
    assert!(!project.path(PAGE).exists());
    let pages = ["index", "open", "result", "scan", "search", "variants"]
        .map(|name| format!("assets/{name}"));
    assert_eq!(scripts(&project), pages);
    for (path, bytes) in project.tree("public") {
        let text = String::from_utf8_lossy(&bytes);
        assert!(!text.contains("/proof/") && !text.contains("Logged since"), "{path}");
    }
    let before = project.tree("public");

    project.candor(["log", "init", "--key-file", KEY]).exits(0);
    add(&project).exits(0);
    project.build();
    let names = ["index", "log", "open", "proof", "result", "scan", "search", "variants"];
    assert_eq!(scripts(&project), names.map(|name| format!("assets/{name}")));
    let page = project.text(PAGE);
    for part in ["/assets/log.", "/assets/proof.", "data-root=\"/\"", "candor verify --log https:"]
    {
        assert!(page.contains(part), "{part}: {page}");
    }
    // Pages that have nothing to do with the log are as they were.
    let after = project.tree("public");
    let changed = before.iter().filter(|(path, bytes)| after.get(*path) != Some(bytes));
    let changed: Vec<&str> = changed.map(|(path, _)| path.as_str()).collect();
    let expected = |path: &&&str| {
        let is_review = path.starts_with("reviews/") && path.len() > "reviews/index.html.br".len();
        is_review
            || path.starts_with("about-these-reviews/")
            || path.starts_with("sitemap.xml")
            || path.starts_with("openapi.json")
            || path.starts_with("developers/mcp/tools/")
            || path.starts_with("schemas/tools.json")
            || **path == "candor-manifest.json"
    };
    assert_eq!(changed.iter().filter(|path| !expected(path)).collect::<Vec<_>>(), [] as [&&str; 0]);
}

#[test]
fn each_review_leads_to_its_proof_and_says_since_when_it_is_logged() {
    let project = built(3);
    let entries = lines(&project);
    let entries = entries.iter().map(|line| serde_json::from_str::<Value>(line).unwrap());
    let at = entries.map(|entry| entry["at"].as_str().unwrap().to_owned()).next().unwrap();
    let (date, _) = at.split_once('T').unwrap();
    let date: jiff::civil::Date = date.parse().unwrap();
    let date = date.strftime("%B %-d, %Y");
    for review in 0..3 {
        let page = review_page(&project, review);
        let href = format!("/proof/#{}", id(review));
        let line = format!("Logged since {date} · <a href=\"{href}\">Verify</a>");
        assert!(page.contains(&line), "{line} is not in {page}");
    }
    let about = project.text("public/about-these-reviews/index.html");
    assert!(about.contains("<a href=\"/proof/\">Verify a review</a>"), "{about}");
    let list = project.text("public/reviews/index.html");
    assert!(!list.contains("Logged since"), "{list}");
}

#[test]
fn a_review_that_is_not_logged_yet_has_no_date() {
    let project = with_log(2);
    let shown = project.candor(["templates", "values", "review.html"]).exits(0).out;
    let logged = shown.lines().find(|line| line.contains("view.logged"));
    assert_eq!(
        logged.map(|line| line.split_whitespace().collect()),
        Some(vec!["view.logged", "none"])
    );
    add(&project).exits(0);
    let shown = project.candor(["templates", "values", "review.html"]).exits(0).out;
    assert!(shown.contains("view.logged.date") && shown.contains("view.logged.href"), "{shown}");
}

#[test]
fn it_is_there_in_every_language() {
    for (language, line, heading, command) in [
        ("en", "Logged since", "Verify a review", "the program candor"),
        ("de", "Protokolliert seit", "Eine Bewertung prüfen", "das Programm candor"),
        ("es", "En el registro desde el", "Comprobar una reseña", "el programa candor"),
        ("fr", "Dans le registre depuis le", "Vérifier un avis", "le programme candor"),
        ("nl", "In het logboek sinds", "Een beoordeling controleren", "het programma candor"),
    ] {
        let project = logged(2);
        let site = SITE.replace("language = \"en\"", &format!("language = \"{language}\""));
        project.write("content/site.toml", site);
        project.build();
        assert!(review_page(&project, 0).contains(line), "{language}");
        let page = project.text(PAGE);
        for part in [heading, command, "data-key=\"author_request\""] {
            assert!(page.contains(part), "{language}: {part} is not in {page}");
        }
    }
}

#[test]
fn it_is_where_the_other_pages_are() {
    for (base, settings, path, root, href) in [
        ("https://a.example/shop", "", "proof", "/shop/", "/shop/proof/"),
        ("https://a.example", "pages = \"/reviews/\"\n", "reviews/proof", "/", "/reviews/proof/"),
        (
            "https://a.example/shop",
            "pages = \"/reviews/\"\n",
            "reviews/proof",
            "/shop/",
            "/shop/reviews/proof/",
        ),
    ] {
        let project = logged(2);
        let site = SITE.replace("https://reviews.example", base);
        project.write("content/site.toml", format!("{site}[site]\n{settings}"));
        project.build();
        let page = project.text(&format!("public/{path}/index.html"));
        assert!(page.contains(&format!("data-root=\"{root}\"")), "{base} {settings}: {page}");
        let review = review_page(&project, 1);
        assert!(review.contains(&format!("<a href=\"{href}#{}\">", id(1))), "{review}");
        // Search engines list it like the page about these reviews.
        let sitemap = project.text("public/sitemap.xml");
        let address = format!("https://a.example{href}</loc>");
        assert!(sitemap.contains(&address) && !page.contains("noindex"), "{sitemap}");
    }
}

#[test]
fn a_page_of_the_owner_has_its_name_only_without_a_log() {
    let own = "+++\ntitle = \"Proof\"\n+++\nOurs.\n";
    let project = Project::new().reviews(mixed(1)).file("content/pages/proof.md", own);
    project.build();
    assert!(project.text(PAGE).contains("Ours."));
    project.candor(["log", "init", "--key-file", KEY]);
    project.candor(["check"]).exits(1).complains(
        "content/pages/proof.md: error[reserved-page]: the site has a page or folder proof of its own",
    );
}
