//! What an owner decides about the pages.

use super::{
    languages::all_phrases,
    project::{Project, SITE},
    review::{id, mixed},
};

fn with(settings: &str) -> Project {
    Project::new().reviews(mixed(30)).file("content/site.toml", format!("{SITE}{settings}"))
}

#[test]
fn below_reviews_the_pages_leave_the_root_to_a_larger_site() {
    let project = with("[site]\npages = \"/reviews/\"\n");
    project.build();
    for path in ["index.html", "404.html", "robots.txt", "search/index.html", "assets"] {
        assert!(!project.path(&format!("public/{path}")).exists(), "{path}");
    }
    for path in [
        "reviews/index.html",
        "reviews/all/index.html",
        "reviews/search/index.html",
        "reviews/assets",
        "reviews.json",
        "badge.svg",
        "sitemap.xml",
        &format!("reviews/{}/index.html", id(3)),
    ] {
        assert!(project.path(&format!("public/{path}")).exists(), "{path}");
    }
    let home = project.text("public/reviews/index.html");
    assert!(home.contains("<link rel=\"canonical\" href=\"https://reviews.example/reviews/\">"));
    assert!(home.contains("href=\"/reviews/all/\""));
    let feed = project.json("public/api/feed.json");
    assert_eq!(feed["home_page_url"], "https://reviews.example/reviews/");
}

#[test]
fn without_pages_there_are_documents_and_fragments() {
    let project = with("[site]\npages = false\n");
    project.build();
    let tree = project.tree("public");
    let html: Vec<&String> = tree.keys().filter(|path| path.ends_with(".html")).collect();
    assert_eq!(html, ["fragments/json-ld.html", "fragments/latest.html", "fragments/summary.html"]);
    assert!(!tree.contains_key("sitemap.xml"));
    assert!(tree.contains_key("reviews.json") && tree.contains_key("badge.svg"));
    let url = &project.json("public/reviews.json")["reviews"][0]["url"];
    assert_eq!(*url, format!("https://reviews.example/reviews/#{}", id(29)));
}

#[test]
fn without_review_pages_an_address_is_a_place_in_the_list() {
    let project = with("[site]\nreview_pages = false\n");
    project.build();
    assert!(!project.path(&format!("public/reviews/{}", id(29))).exists());
    let feed = project.json("public/api/feed.json");
    let page = project.text("public/reviews/index.html");
    for item in feed["items"].as_array().unwrap() {
        let url = item["url"].as_str().unwrap();
        let place = url.strip_prefix("https://reviews.example/reviews/#").unwrap();
        assert!(page.contains(&format!("id=\"{place}\"")), "{url}");
    }
}

#[test]
fn what_an_owner_calls_things_is_what_pages_call_them() {
    let project = with("[labels]\ntechnicians = \"Our stylists\"\n")
        .file("content/technicians.toml", "[[technician]]\nid = \"ann\"\nname = \"Ann\"\n")
        .file("content/strings.toml", "footer_by = \"Made by us\"\n");
    project.build();
    let home = project.text("public/index.html");
    assert!(home.contains("Our stylists") && home.contains("Made by us"), "{home}");
}

#[test]
fn a_template_of_the_owners_stands_in_for_ours() {
    let project = with("").file(
        "content/templates/404.html",
        "{% extends \"base.html\" %}{% block body %}<h1>Gone: {{ site.name }}</h1>{% endblock %}",
    );
    project.build();
    assert!(project.text("public/404.html").contains("<h1>Gone: Acme Plumbing</h1>"));
}

#[test]
fn a_fragment_of_the_owners_stands_in_for_ours() {
    let project = with("").file(
        "content/templates/fragment_latest.html",
        "{% for review in view.reviews %}{% include \"_line.html\" %}{% endfor %}",
    );
    project.write("content/templates/_line.html", "<li>{{ review.text }}</li>\n");
    project.build();
    let fragment = project.text("public/fragments/latest.html");
    assert_eq!(fragment.matches("<li>").count(), 5, "{fragment}");
}

#[test]
fn the_owners_rules_follow_the_built_in_ones() {
    let project = with("").file("content/templates/custom.css", ":root { --radius: 0; }\n");
    project.build();
    let style = project.text(&project.asset("style.css"));
    assert!(style.starts_with("/* Candor."), "{style}");
    assert!(style.ends_with("\n:root { --radius: 0; }\n"), "{style}");
}

#[test]
fn the_documented_properties_are_those_of_the_style_sheet() {
    let root = concat!(env!("CARGO_MANIFEST_DIR"), "/..");
    let read = |path: &str| std::fs::read_to_string(format!("{root}/{path}")).unwrap();
    let style = read("crates/content/src/theme/assets/style.css");
    let (_, rest) = style.split_once(":root {").unwrap();
    let (block, _) = rest.split_once("\n}").unwrap();
    let declared: Vec<_> = block
        .lines()
        .filter_map(|line| line.trim().strip_suffix(';')?.split_once(": "))
        .filter(|(name, _)| name.starts_with("--"))
        .map(|(name, value)| format!("| `{name}` | `{value}` |"))
        .collect();
    let page = read("docs/site.md");
    let documented: Vec<_> = page
        .lines()
        .filter(|line| line.starts_with("| `--"))
        .map(|line| line.splitn(4, '|').take(3).collect::<Vec<_>>().join("|") + "|")
        .collect();
    assert_eq!(documented, declared);
}

#[test]
fn a_template_that_asks_for_what_is_not_there_fails_the_build() {
    let project = with("").file("content/templates/404.html", "{{ view.nothing }}");
    let run = project.candor(["build"]).exits(1);
    run.complains("public/404.html").complains("404.html:1: `view.nothing` is undefined");
    assert!(!project.path("public/reviews.json").exists());
}

#[test]
fn the_colour_and_the_logo_are_the_owners() {
    let project = with("[theme]\naccent = \"#aa0000\"\nlogo = \"logo.svg\"\n")
        .file("content/logo.svg", "<svg xmlns=\"http://www.w3.org/2000/svg\"/>");
    project.build();
    assert!(project.text(&project.asset("style.css")).contains("--accent: light-dark(#aa0000, "));
    let logo = project.asset("logo.svg").replacen("public", "", 1);
    let home = project.text("public/index.html");
    assert!(home.contains(&format!("<img src=\"{logo}\" alt=\"\"")), "{home}");
}

#[test]
fn pages_speak_the_sites_language() {
    for (tag, words) in [
        ("de", ["Alle Bewertungen", "28. Januar 2026", "<html lang=\"de\" dir=\"ltr\""]),
        ("es-MX", ["Todas las reseñas", "28 de enero de 2026", "<html lang=\"es-MX\" dir=\"ltr\""]),
        ("fr", ["Tous les avis", "28 janvier 2026", "<html lang=\"fr\" dir=\"ltr\""]),
        ("nl", ["Alle beoordelingen", "28 januari 2026", "<html lang=\"nl\" dir=\"ltr\""]),
    ] {
        let project = with("");
        project.write("content/site.toml", SITE.replace("\"en\"", &format!("\"{tag}\"")));
        project.build();
        let page = project.text("public/reviews/index.html");
        for words in words {
            assert!(page.contains(words), "{tag}: {words}");
        }
    }
}

#[test]
fn an_owners_words_make_a_page_of_any_direction() {
    let own = "reviews = \"المراجعات\"\n";
    let project = with("").file("content/strings.toml", all_phrases(own));
    project.write("content/site.toml", SITE.replace("\"en\"", "\"ar\""));
    project.candor(["check", "--strict"]).exits(0);
    project.build();
    assert!(project.text("public/index.html").contains("<html lang=\"ar\" dir=\"rtl\""));
    assert!(project.text("public/feed.xml").contains("xml:lang=\"ar\""));
    // While most phrases are missing, pages say that they are in English; check counts.
    let count = all_phrases("").lines().filter(|line| line.contains(" = ")).count();
    let but_one = all_phrases(own).replacen("month_year = ", "# month_year = ", 1);
    project.write("content/strings.toml", but_one);
    project.candor(["check"]).exits(0).complains(
        "warning[no-words]: pages have English words: of the phrases in \"ar\" 1 are missing",
    );
    project.build();
    assert!(project.text("public/index.html").contains("<html lang=\"ar\" dir=\"rtl\""));
    for (words, missing) in [("", count), (own, count - 1)] {
        project.write("content/strings.toml", words);
        project.candor(["check"]).exits(0).complains(&format!(
            "warning[no-words]: pages are marked as English: of the phrases in \"ar\" {missing} are missing; write them in content/strings.toml"
        ));
        project.build();
        let home = project.text("public/index.html");
        assert!(home.contains("<html lang=\"en\" dir=\"ltr\""), "{home}");
        assert!(project.text("public/feed.xml").contains("xml:lang=\"en\""));
        assert_eq!(project.json("public/api/feed.json")["language"], "en");
    }
}

#[test]
fn an_address_that_readers_cannot_reach_is_named() {
    for (host, is_local) in [
        ("localhost:8080", true),
        ("127.0.0.1", true),
        ("10.1.2.3/reviews", true),
        ("[::1]:8080", true),
        ("[fd00::1]", true),
        ("riverbend", true),
        ("macbook.local:8080", true),
        ("reviews.localhost", true),
        ("8.8.8.8", false),
        ("[2606:4700::1111]", false),
        ("riverbend.example", false),
        ("local.example", false),
    ] {
        let site = SITE.replace("https://reviews.example", &format!("http://{host}"));
        let run = Project::new().file("content/site.toml", site).candor(["check"]).exits(0);
        assert_eq!(run.err.contains("warning[local-address]"), is_local, "{host}: {}", run.err);
    }
}
