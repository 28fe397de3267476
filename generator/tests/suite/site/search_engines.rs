//! Which pages search engines list, and what each says of itself.

use std::collections::BTreeMap;

use serde_json::Value;

use super::{Project, copy_sample, mixed, pages, review};
use crate::project::{BUSINESS, SITE};

fn part<'p>(page: &'p str, start: &str, end: &str) -> &'p str {
    page.split_once(start).map_or("", |(_, rest)| rest.split_once(end).map_or("", |it| it.0))
}

#[test]
fn a_page_is_in_the_sitemap_or_says_that_it_is_not_to_be_listed() {
    let project = Project::new();
    copy_sample(&project);
    project.build();
    let sitemap = project.text("public/sitemap.xml");
    let mut titles = BTreeMap::new();
    for (path, page) in pages(&project) {
        let is_page = !["fragments/", "embed/"].iter().any(|folder| path.starts_with(folder));
        if !is_page || path == "404.html" {
            continue;
        }
        let address = path.trim_end_matches("index.html");
        let listed =
            sitemap.contains(&format!("https://reviews.tillwater.example/{address}</loc>"));
        let robots = page.contains("<meta name=\"robots\" content=\"noindex,follow\">");
        assert_ne!(listed, robots, "{path}");
        let other = ["/page/", "rating/", "developers/", "badges/", "search/", "review-us/"];
        assert!(!listed || !other.iter().any(|part| address.contains(part)), "{path}");
        let title = part(&page, "<title>", "</title>").to_owned();
        assert!(title.contains("Tillwater"), "{path}: {title}");
        assert!(title.chars().count() <= 70, "with its references: {path}: {title}");
        if listed {
            assert_eq!(titles.insert(title.clone(), path.clone()), None, "{path}: {title}");
        }
    }
    assert!(titles.len() > 30, "{titles:?}");
    let is_aspect = |title: &String| {
        title.starts_with("Price and billing: ") && title.contains(" reviews · Tillwater")
    };
    assert!(titles.keys().any(is_aspect), "{titles:?}");
}

#[test]
fn the_description_has_the_number_what_is_praised_and_the_newest_month() {
    let project = Project::new();
    copy_sample(&project);
    project.build();
    let home = project.text("public/index.html");
    let said = part(&home, "name=\"description\" content=\"", "\"");
    let start =
        "4.35 of 5 from 248 of 254 reviews, newest November 2026. Often praised: Workmanship, ";
    assert!(said.starts_with(start) && said.ends_with("since 1998."), "{said}");
}

#[test]
fn programs_are_told_the_way_to_a_page_the_picture_and_the_logo() {
    let services = "[[service]]\nid = \"drains\"\nlabel = \"Drains\"\n";
    let project = Project::new()
        .file("content/services.toml", services)
        .file("content/site.toml", format!("{SITE}[theme]\nlogo = \"logo.svg\"\n"))
        .file("content/logo.svg", "<svg xmlns=\"http://www.w3.org/2000/svg\"/>")
        .file("content/business.toml", BUSINESS)
        .reviews([review(1).with("text", "They cleaned our drains, great work.")]);
    project.build();
    let json = |path: &str| -> Value {
        let page = project.text(&format!("public/{path}index.html"));
        serde_json::from_str(part(&page, "<script type=\"application/ld+json\">", "</script>"))
            .unwrap()
    };
    let trail = json("services/drains/");
    let items = trail["itemListElement"].as_array().unwrap();
    let way: Vec<_> = items.iter().map(|it| (it["name"].as_str(), it["item"].as_str())).collect();
    let site = |path: &str| format!("https://reviews.example/{path}");
    let wanted = [
        ("Acme Plumbing", site("")),
        ("Services", site("services/")),
        ("Drains", site("services/drains/")),
    ];
    let wanted: Vec<_> =
        wanted.iter().map(|(name, item)| (Some(*name), Some(item.as_str()))).collect();
    assert_eq!(way, wanted);
    let business = json("");
    assert_eq!(business["image"], "https://reviews.example/share.png");
    let logo = project.asset("logo.svg").replacen("public", "https://reviews.example", 1);
    assert_eq!(business["logo"], logo);
}

#[test]
fn the_first_page_of_a_small_site_is_its_list() {
    for (count, listed) in [(13, false), (20, true)] {
        let project = Project::new().reviews(mixed(count));
        project.build();
        let sitemap = project.text("public/sitemap.xml");
        for path in ["reviews", "summary", "faq"] {
            assert_eq!(sitemap.contains(&format!("/{path}/</loc>")), listed, "{count}: {path}");
        }
        for path in ["summary", "about-these-reviews", "review-policy"] {
            let page = project.text(&format!("public/{path}/index.html"));
            assert!(page.contains("\"@type\":\"BreadcrumbList\""), "{path}");
        }
        let menu = project.text("public/about-these-reviews/index.html");
        assert_eq!(part(&menu, "<nav", "</nav>").contains("href=\"/reviews/\""), listed, "{count}");
    }
}

#[test]
fn an_owners_words_are_on_the_pages_of_services_and_areas() {
    let text = "text = \"We come **within a day**.\"\n";
    let project = Project::new()
        .file(
            "content/services.toml",
            format!("[[service]]\nid = \"drains\"\nlabel = \"Drains\"\n{text}"),
        )
        .file(
            "content/service_areas.toml",
            format!(
                "[[service_area]]\nid = \"drains\"\nname = \"Bluff\"\n{}",
                text.replace("We", "To Bluff we")
            ),
        )
        .reviews([review(1).with("text", "They cleaned our drains in Bluff.")]);
    project.candor(["check", "--strict"]).exits(0);
    project.build();
    let service = project.text("public/services/drains/index.html");
    assert!(service.contains("<p>We come <strong>within a day</strong>.</p>"), "{service}");
    let area = project.text("public/areas/drains/index.html");
    assert!(area.contains("<p>To Bluff we come <strong>within a day</strong>.</p>"), "{area}");
}
