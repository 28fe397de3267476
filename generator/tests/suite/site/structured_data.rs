//! What search engines read in pages.

use super::*;

fn json_ld(project: &Project, path: &str) -> Value {
    let html = project.text(path);
    let (_, rest) = html.split_once("<script type=\"application/ld+json\">").unwrap();
    serde_json::from_str(rest.split_once("</script>").unwrap().0).unwrap()
}

/// A business whose reviews on Google are not all here.
fn with_an_incomplete_source(markup: &str) -> Project {
    let source = "[[source]]\nid = \"google\"\ncomplete = false\nclaimed_total = 90\n";
    let mut reviews = mixed(4);
    reviews.push(review(9).with("source", "yelp").with("rating", 2));
    let project = Project::new().reviews(reviews);
    project.write("content/business.toml", format!("{}{source}", crate::project::BUSINESS));
    project.write("content/site.toml", format!("{}[site]\n{markup}\n", crate::project::SITE));
    project.build().exits(0);
    project
}

#[test]
fn one_average_is_said_everywhere_and_no_source_is_left_out() {
    let project = with_an_incomplete_source("review_markup = true");
    let all = project.json("public/reviews.json")["aggregate_rating"].clone();
    let (average, count) =
        (all["average"].as_f64().unwrap(), all["review_count"].as_u64().unwrap());
    assert_eq!(count, 5);
    let message = format!("{average:.2}/5 ({count} of 91)");
    assert_eq!(project.json("public/badge.json")["message"], message);
    let rating = &json_ld(&project, "public/index.html")["aggregateRating"];
    assert_eq!(rating["ratingValue"], average);
    assert_eq!(rating["reviewCount"], count);
    for path in ["badge.svg", "badge-dark.svg", "index.html", "embed/index.html", "llms.txt"] {
        let text = project.text(&format!("public/{path}"));
        assert!(text.contains(&format!("{average:.2}")), "{path}: {text}");
    }
    assert!(project.text("public/badge.svg").contains("5 of 91 reviews"));
    for path in ["index.html", "embed/index.html"] {
        assert!(project.text(&format!("public/{path}")).contains("5 reviews"), "{path}");
    }
    for path in ["index.html", "embed/index.html", "badges/index.html"] {
        let page = project.text(&format!("public/{path}"));
        assert!(page.contains("Google: 4 of about 90 reviews are here"), "{path}");
    }
}

#[test]
fn reviews_of_other_platforms_are_in_structured_data_only_if_the_owner_asks() {
    let page = format!("public/reviews/{}/index.html", id(9));
    let has = |project: &Project| {
        let home = json_ld(project, "public/index.html");
        assert_eq!(home.get("aggregateRating").is_some(), home.get("review").is_some());
        let on_page = project.text(&page).contains("application/ld+json");
        assert_eq!(home.get("review").is_some(), on_page);
        on_page
    };
    assert!(!has(&with_an_incomplete_source("")));
    assert!(!has(&with_an_incomplete_source("review_markup = false")));
    let asked = with_an_incomplete_source("review_markup = true");
    assert!(has(&asked));
    let platform = json!({ "@type": "Organization", "name": "Yelp" });
    assert_eq!(json_ld(&asked, &page)["publisher"], platform);

    let own = Project::new().reviews([review(9).with("source", "direct")]);
    let method = "[verification.direct]\nmethod = \"We matched each to an invoice.\"\n";
    own.write("content/business.toml", format!("{}{method}", crate::project::BUSINESS));
    own.build().exits(0);
    assert!(has(&own));
    assert_eq!(json_ld(&own, &page).get("publisher"), None);
}

#[test]
fn what_other_sites_copy_has_no_figures() {
    let page = with_an_incomplete_source("").text("public/badges/index.html");
    for name in ["alt", "title"] {
        let attribute = format!(" {name}=\"");
        let mut values = page.split(&attribute).skip(1);
        assert!(values.clone().count() >= 2, "{page}");
        assert!(values.all(|rest| !rest.split('"').next().unwrap().contains(char::is_numeric)));
    }
}

#[test]
fn answers_in_structured_data_are_html() {
    let faq =
        "[[faq]]\nid = \"a\"\nquestion = \"Open?\"\nanswer = \"**Always**, see [here](/x/).\"\n";
    let project = Project::new().file("content/faq.toml", faq);
    project.build().exits(0);
    let both = json_ld(&project, "public/faq/index.html");
    let (trail, faq) = (&both[0], &both[1]);
    assert_eq!(trail["itemListElement"][1]["name"], "Questions and answers");
    let answer = &faq["mainEntity"][0]["acceptedAnswer"];
    assert_eq!(answer["text"], "<p><strong>Always</strong>, see <a href=\"/x/\">here</a>.</p>");
}

#[test]
fn postal_codes_of_an_area_are_on_its_page_and_in_structured_data() {
    let areas = "[[service_area]]\nid = \"bluff\"\nname = \"Bluff\"\nzip = [\"52901\", \"52902\"]\n\n\
                 [[service_area]]\nid = \"mill\"\nname = \"Mill\"\n";
    let project = Project::new()
        .file("content/service_areas.toml", areas)
        .reviews([review(1).with("text", "They came out to Bluff.")]);
    project.build().exits(0);
    let page = project.text("public/areas/bluff/index.html");
    assert!(page.contains("<p class=\"soft\">52901, 52902</p>"), "{page}");
    let address = |code| json!({ "@type": "PostalAddress", "postalCode": code });
    let bluff = json!({
        "@type": "Place", "name": "Bluff", "address": [address("52901"), address("52902")],
    });
    let served = &json_ld(&project, "public/index.html")["areaServed"];
    assert_eq!(*served, json!([bluff, "Mill"]));
}
