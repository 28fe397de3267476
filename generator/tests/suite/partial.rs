//! Sources of which not every review is here: it is said wherever the number is.

use super::{
    project::{BUSINESS, Project},
    review::{Review, review},
};

/// Reviews with five stars of Google, and of Yelp, with what the sources say of themselves.
fn project(google: usize, yelp: usize, sources: &str) -> Project {
    let from = |n: usize, source: &str| review(n).with("source", source.to_owned());
    let reviews: Vec<Review> = (0..google)
        .map(|n| from(n, "google"))
        .chain((google..google + yelp).map(|n| from(n, "yelp")))
        .collect();
    let project = Project::new().file("content/business.toml", format!("{BUSINESS}{sources}"));
    let markup = "[site]\nreview_markup = true\n";
    project.write("content/site.toml", format!("{}{markup}", super::project::SITE));
    project.write_reviews(reviews);
    project
}

const OF_184: &str = "[[source]]\nid = \"google\"\nclaimed_total = 184\n";

#[test]
fn thirty_two_of_184_reviews_are_thirty_two_of_184_wherever_the_number_is() {
    let complete = project(32, 0, "");
    complete.build();
    let project = project(32, 0, OF_184);
    project.build();
    let badge = project.json("public/badge.json");
    assert_eq!(
        (&badge["message"], &badge["color"]),
        (&"5.00/5 (32 of 184)".into(), &"green".into())
    );
    assert_eq!(complete.json("public/badge.json")["color"], "brightgreen");
    let rated = "5.00 of 5 from 32 of 184 reviews";
    let svg = project.text("public/badge.svg");
    assert!(svg.contains(">32 of 184</text>") && svg.contains(rated), "{svg}");
    assert_ne!(project.bytes("public/share.png"), complete.bytes("public/share.png"));
    let home = project.text("public/index.html");
    for start in ["<title>", "property=\"og:title\" content=\""] {
        assert!(home.contains(&format!("{start}Acme Plumbing: {rated}")), "{start}: {home}");
    }
    let line = "Google: 32 of about 184 reviews are here";
    for path in ["index.html", "embed/index.html", "embed/list/index.html"] {
        let page = project.text(&format!("public/{path}"));
        let near = page.split_once("5.00").unwrap().1;
        assert!(near.split("<article").next().unwrap().contains(line), "{path}: {page}");
    }
    assert!(project.text("public/fragments/json-ld.html").contains(line));
    assert!(project.text("public/fragments/summary.html").contains(rated));
    assert!(project.text("public/llms.txt").contains(rated));
    assert!(!complete.text("public/index.html").contains("32 of 184"));
}

#[test]
fn where_nobody_knows_of_how_many_the_number_is_not_all_of_them() {
    let project = project(32, 0, "[[source]]\nid = \"google\"\ncomplete = false\n");
    project.build();
    assert_eq!(project.json("public/badge.json")["message"], "5.00/5 (32+)");
    assert!(project.text("public/badge.svg").contains(">32+</text>"));
    let home = project.text("public/index.html");
    assert!(home.contains("<title>Acme Plumbing: 5.00 of 5 from 32 reviews, not all of them"));
}

#[test]
fn a_long_name_is_cut_and_never_the_number() {
    let project = project(32, 0, OF_184);
    let name = "Tillwater Plumbing, Heating, Air and Everything Else of Calder Bluff";
    let business = project.text("content/business.toml").replace("Acme Plumbing", name);
    project.write("content/business.toml", business);
    project.build();
    let home = project.text("public/index.html");
    let title = home.split_once("<title>").unwrap().1.split_once("</title>").unwrap().0;
    assert_eq!(title, "Tillwater Plumbing, Heating, Air…: 5.00 of 5 from 32 of 184 reviews");
}

#[test]
fn fewer_claimed_than_are_here_is_a_warning_and_nothing_on_pages() {
    let old = "[[source]]\nid = \"google\"\ncomplete = false\nclaimed_total = 12\n";
    let project = project(25, 0, old);
    project.candor(["check"]).exits(0).complains(
        "business.toml:10:17: warning[invalid-value]: source \"google\": claimed_total is 12, and 25 reviews are here; write the number that the platform shows now",
    );
    project.build();
    for (path, bytes) in
        project.tree("public").into_iter().filter(|(path, _)| path.ends_with(".html"))
    {
        let page = String::from_utf8_lossy(&bytes).into_owned();
        assert!(!page.contains("about 12") && !page.contains("not all of them"), "{path}");
    }
    assert_eq!(project.json("public/badge.json")["message"], "5.00/5 (25)");
}

#[test]
fn complete_and_more_than_are_here_exclude_each_other() {
    let source = "[[source]]\nid = \"google\"\ncomplete = true\nclaimed_total = 312\n";
    let project_of_two = project(2, 0, source);
    project_of_two.candor(["check"]).exits(0).complains(
        "business.toml:10:17: warning[invalid-value]: source \"google\": claimed_total is 312, and 2 reviews are here, so it is published as not complete; write complete = false, or the number that the platform shows now",
    );
    project_of_two.build();
    assert_eq!(project_of_two.json("public/badge.json")["message"], "5.00/5 (2 of 312)");
    for (id, message) in [
        (
            "Google",
            "id: \"Google\" cannot be part of an address; use small letters, digits and hyphens, such as water-heaters",
        ),
        ("google", "the id \"google\" is in this file twice; give each its own id"),
    ] {
        let source = format!("[[source]]\nid = \"google\"\n[[source]]\nid = \"{id}\"\n");
        project(2, 0, &source).candor(["check"]).exits(1).complains(message);
    }
}

#[test]
fn the_average_that_a_platform_shows_is_said_where_it_is_another() {
    let with = |google: usize, average: &str| {
        let project = project(google, 0, &format!("{OF_184}claimed_average = {average}\n"));
        project.build();
        project
    };
    let project = with(32, "4.7");
    let line = "Google: 32 of about 184 reviews are here; Google shows 4.7";
    for path in ["index.html", "embed/index.html", "fragments/json-ld.html"] {
        assert!(project.text(&format!("public/{path}")).contains(line), "{path}");
    }
    let of_sources = "5.00 of 5 from 32 of about 184: not all of them are here; Google shows 4.7";
    assert!(project.text("public/review-policy/index.html").contains(of_sources));
    // What is quoted most: the answer, the summary and the fragment.
    for path in ["faq/index.html", "summary/index.html", "fragments/summary.html"] {
        let page = project.text(&format!("public/{path}"));
        assert!(page.contains("5.00 of 5 from 32 of 184 reviews") && page.contains(line), "{page}");
        assert!(!page.contains("from 32 reviews, written"), "{page}");
    }
    let sources = &project.json("public/reviews.json")["sources"];
    assert_eq!(sources[0]["claimed_average"], 4.7);
    for same in ["5", "4.999"] {
        assert!(!with(32, same).text("public/index.html").contains("Google shows"), "{same}");
    }
    assert!(!with(0, "4.7").text("public/index.html").contains("Google shows"));
}

#[test]
fn an_export_that_states_the_average_claims_it() {
    let project = Project::new();
    let export = serde_json::json!({
        "averageRating": 4.6, "totalReviewCount": 9, "reviews": [{
            "reviewId": "AbFvOqk1", "reviewer": { "displayName": "Ann" }, "starRating": "FIVE",
            "createTime": "2026-01-02T10:00:00Z", "updateTime": "2026-01-02T10:00:00Z", "comment": "Good work"
        }]
    });
    project.write("a.json", export.to_string());
    project.candor(["import", "a.json"]).exits(0);
    project.build();
    let source = project.json("public/reviews.json")["sources"][0].clone();
    assert_eq!((&source["claimed_total"], &source["claimed_average"]), (&9.into(), &4.6.into()));
    assert!(
        project
            .text("public/index.html")
            .contains("1 of about 9 reviews is here; Google shows 4.6")
    );
}
