//! What a visitor who may become a customer is shown.

use super::{
    project::{BUSINESS, Project, SITE},
    review::mixed,
};

/// The part of a page between two marks.
#[track_caller]
fn part<'p>(page: &'p str, start: &str, end: &str) -> &'p str {
    let rest = page.split_once(start).unwrap_or_else(|| panic!("no {start:?} in {page}")).1;
    rest.split_once(end).unwrap().0
}

#[test]
fn the_telephone_and_the_mail_of_the_business_are_on_every_page() {
    let business = format!("phone = \"+1 555 0100\"\nemail = \"office@acme.example\"\n{BUSINESS}");
    let project = Project::new().file("content/business.toml", business).reviews(mixed(3));
    project.build();
    for page in ["index", "404", "reviews/index", "search/index", "about-these-reviews/index"] {
        let page = project.text(&format!("public/{page}.html"));
        let bar = part(&page, "<nav class=\"actions\"", "</nav>");
        assert!(
            bar.contains("href=\"tel:+15550100\" data-shown=\"+1 555 0100\">Call us<"),
            "{bar}"
        );
        assert!(bar.contains("href=\"mailto:office@acme.example\""), "{bar}");
    }
    let style = project.text("public/assets/style.css");
    let print = style.split_once("@media print").unwrap().1;
    assert!(print.contains("background: none; color: inherit;"), "white on white on paper");
}

#[test]
fn without_a_way_to_reach_the_business_there_is_no_bar() {
    let project = Project::new().reviews(mixed(3));
    project.build();
    assert!(!project.text("public/index.html").contains("class=\"actions\""));
}

#[test]
fn the_owners_actions_stand_in_for_the_telephone() {
    let actions = "[[action]]\nkind = \"book\"\nurl = \"https://book.example/acme\"\n\
                   [[action]]\nkind = \"call\"\nurl = \"tel:+15550199\"\nlabel = \"Notdienst\"\n";
    let site = format!("{}{actions}", SITE.replace("\"en\"", "\"de\""));
    let project = Project::new()
        .file("content/site.toml", site)
        .file("content/business.toml", format!("phone = \"+1 555 0100\"\n{BUSINESS}"))
        .reviews(mixed(3));
    project.build();
    let page = project.text("public/reviews/index.html");
    let bar = part(&page, "<nav class=\"actions\"", "</nav>");
    assert!(bar.contains("href=\"https://book.example/acme\""), "{bar}");
    assert!(bar.contains(">Termin buchen<") && bar.contains(">Notdienst<"), "{bar}");
    assert!(bar.contains("data-shown=\"book.example/acme\"") && !bar.contains("0100"), "{bar}");
}

#[test]
fn a_customer_finds_where_to_write_a_review_and_the_counter_has_a_code() {
    let sources = "[[source]]\nid = \"google\"\nprofile_url = \"https://maps.example/acme\"\n\
                   review_url = \"https://maps.example/acme/write\"\n\
                   [[source]]\nid = \"yelp\"\nprofile_url = \"https://yelp.example/acme\"\n";
    let project = Project::new()
        .file("content/business.toml", format!("{BUSINESS}{sources}"))
        .reviews(mixed(3));
    project.build();
    let page = project.text("public/review-us/index.html");
    assert!(page.contains("href=\"https://maps.example/acme/write\" rel=\"noopener\">Google<"));
    assert!(
        page.contains("href=\"https://yelp.example/acme\"")
            && !page.contains("maps.example/acme\"")
    );
    assert!(page.contains("src=\"/assets/review-us.svg\""), "{page}");
    assert!(project.text("public/assets/review-us.svg").contains("<svg"));
    for page in ["index", "reviews/index"] {
        let page = project.text(&format!("public/{page}.html"));
        assert!(page.contains("href=\"/review-us/\">Write a review</a></p>"), "{page}");
    }
    let reviews = project.text("public/reviews.json");
    assert!(!reviews.contains("/acme/write"), "the contract has no such key");
}

#[test]
fn without_a_profile_there_is_no_page_to_write_a_review() {
    let project = Project::new().reviews(mixed(3));
    project.build();
    assert!(!project.path("public/review-us/index.html").exists());
    assert!(!project.path("public/assets/review-us.svg").exists());
    assert!(!project.text("public/index.html").contains("review-us"));
}
