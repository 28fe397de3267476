//! What other sites show of this one: frames, badges, and the page on which to choose.

use super::{
    project::{BUSINESS, Project, SITE},
    review::{mixed, review},
};

fn german(project: Project) -> Project {
    project.file("content/site.toml", SITE.replace("\"en\"", "\"de\""))
}

#[test]
fn frames_are_in_the_language_of_the_site_and_run_no_script() {
    let project = german(Project::new().reviews(mixed(12)));
    project.build();
    for (path, reviews) in [("", 0), ("carousel/", 9), ("list/", 12)] {
        let page = project.text(&format!("public/embed/{path}index.html"));
        assert!(page.contains("<html lang=\"de\""), "{page}");
        assert!(page.contains("<a href=\"https://reviews.example/\">Alle Bewertungen lesen</a>"));
        assert!(page.contains("<base target=\"_blank\">") && !page.contains("<script"), "{page}");
        assert_eq!(page.matches("<article class=\"review").count(), reviews, "{path}");
    }
    let folder = std::fs::read_dir(project.path("public/embed")).unwrap();
    let mut folders: Vec<_> = folder.map(|entry| entry.unwrap().file_name()).collect();
    folders.retain(|name| !name.to_string_lossy().starts_with("index.html"));
    folders.sort();
    assert_eq!(folders, ["carousel", "list"]);
    let carousel = project.text("public/embed/carousel/index.html");
    assert!(
        carousel
            .contains("<ul class=\"reviews\" aria-label=\"Neueste Bewertungen\" tabindex=\"0\">")
    );
}

#[test]
fn a_frame_says_how_reviews_are_verified() {
    let business = "name = \"Acme\"\ntime_zone = \"America/Chicago\"\n\
                    [verification]\nplatforms = [\"google\"]\n\
                    [verification.direct]\nmethod = \"Matched to an invoice\"\n";
    let reviews = [review(1), review(2).with("source", "direct")];
    let project = german(Project::new().file("content/business.toml", business)).reviews(reviews);
    project.build();
    let page = project.text("public/embed/list/index.html");
    let words = "Auf Google veröffentlicht; der Kauf wurde nicht geprüft";
    assert_eq!(page.matches(words).count(), 1, "once for all reviews: {page}");
    assert!(page.contains("Matched to an invoice"), "{page}");
    assert!(page.contains("<a class=\"mark\" href=\"/review-policy/\">"), "{page}");
}

#[test]
fn every_choice_is_shown_with_a_snippet_that_stays_valid() {
    let project = Project::new()
        .file("content/business.toml", BUSINESS.replace("Acme Plumbing", "A & B \\\"Pipes\\\""))
        .reviews(mixed(3));
    project.build();
    let page = project.text("public/badges/index.html");
    let shown: Vec<&str> = page.split("<iframe src=\"/").skip(1).collect();
    assert_eq!(shown.len(), 3 * 3, "kinds, colours");
    for choice in shown {
        let address = choice.split('"').next().unwrap();
        let path = address.split('#').next().unwrap();
        assert!(project.path(&format!("public/{path}index.html")).exists(), "{path}");
        let snippet = choice.split_once("<code class=\"wrap\">").unwrap().1;
        let snippet = html_escape::decode_html_entities(snippet.split("</code>").next().unwrap());
        let start = format!("<iframe src=\"https://reviews.example/{address}\" title=\"");
        let title = snippet.strip_prefix(&start).unwrap_or_else(|| panic!("{snippet}"));
        let title = title.split('"').next().unwrap();
        assert!(title.contains("A &amp; B &quot;Pipes&quot;"), "{snippet}");
        assert!(!title.contains(char::is_numeric) && snippet.contains("style=\"border:0;"));
        assert!(!address.contains("assets/"), "no name that changes with the bytes");
    }
    let style = project.text(&project.asset("style.css"));
    for rule in [":root:has(#dark:target) { color-scheme: dark; }", "scroll-snap-type: x mandatory"]
    {
        assert!(style.contains(rule), "{rule}");
    }
}

#[test]
fn every_star_has_the_same_shape() {
    let project = Project::new().reviews(mixed(3));
    project.build();
    let badge = project.text("public/badge.svg");
    let star = badge.split(" d=\"").find(|part| part.starts_with("M5 0.6 ")).unwrap();
    let star = star.split('"').next().unwrap();
    assert!(project.text(&project.asset("icon.svg")).contains(star));
    let style = project.text(&project.asset("style.css"));
    assert_eq!(style.matches(&format!("path d='{star}'")).count(), 2);
}
