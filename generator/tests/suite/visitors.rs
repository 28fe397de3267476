//! What a visitor who may become a customer is shown.

use serde_json::{Value, json};

use super::{
    project::{BUSINESS, Project, SITE},
    review::{Review, id, mixed, review},
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
    let style = project.text(&project.asset("style.css"));
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

/// Twelve reviews; of the first `praise`, each praises punctuality, and the next `blame` criticise it.
fn of_punctuality(praise: usize, blame: usize) -> Vec<Review> {
    let text = |n: usize| match n {
        n if n < praise => "The technician arrived on time.",
        n if n < praise + blame => "The technician arrived two hours late and never called.",
        _ => "The technician came and repaired the boiler.",
    };
    let stars = |n: usize| if (praise..praise + blame).contains(&n) { 1 } else { 5 };
    (0..12).map(|n| review(n).with("text", text(n)).with("rating", stars(n))).collect()
}

#[test]
fn the_hero_says_what_is_praised_and_criticised_more_than_the_rest() {
    let polite = |n: usize| review(20 + n).with("text", "The man was friendly and polite.");
    for (praise, blame, said) in [(0, 12, true), (12, 0, false), (7, 5, false)] {
        let project = Project::new()
            .reviews([of_punctuality(praise, blame), (0..12).map(polite).collect()].concat());
        project.build();
        let page = project.text("public/index.html");
        let hero = part(&page, "class=\"hero\"", "</section>");
        let says = |word: &str, aspect: &str| {
            hero.contains(&format!("<dt>{word}</dt>\n<dd><a href=\"/aspects/{aspect}/\">"))
        };
        let found = says("Praised more than the rest", "friendliness")
            && says("Criticised more than the rest", "punctuality");
        assert_eq!(found, said, "{praise} {blame}: {hero}");
    }
}

#[test]
fn the_hero_says_each_number_once() {
    let project = Project::new()
        .file("content/summary.md", "Rated {{ aggregate.average }} by customers.\n")
        .reviews(mixed(10));
    project.build();
    let page = project.text("public/index.html");
    let hero = part(&page, "class=\"hero\"", "</section>");
    assert_eq!(hero.matches("3.00").count(), 2, "shown, and in words for its stars: {hero}");
    assert!(hero.contains("All reviews") && !hero.contains("Read all"), "{hero}");
    assert!(page.contains("by customers."), "the summary follows");
}

#[test]
fn the_newest_reviews_with_words_come_before_those_without() {
    let mut reviews = mixed(10);
    for at in [6, 8, 9] {
        reviews[at] = reviews[at].clone().with("text", Value::Null);
    }
    let project = Project::new().reviews(reviews);
    project.build();
    let page = project.text("public/index.html");
    let shown: Vec<&str> = page.split("id=\"01J").skip(1).map(|rest| &rest[..23]).collect();
    let wanted: Vec<String> = [7, 5, 4, 3, 2, 1].map(|n| id(n)[3..].to_owned()).into();
    assert_eq!(shown, wanted);
}

/// The first of `count` reviews have replies this many days after them.
fn answered(count: usize, days: &[i64]) -> Vec<Review> {
    let reply = |n: usize| {
        let written: jiff::civil::Date = format!("2026-01-{:02}", n + 1).parse().unwrap();
        let day = written + jiff::Span::new().days(*days.get(n)?);
        Some(json!({ "text": "Thank you.", "date": day.to_string() }))
    };
    (0..count).map(|n| review(n).with("owner_reply", reply(n).unwrap_or(Value::Null))).collect()
}

#[test]
fn the_home_page_says_how_many_reviews_are_answered_and_how_soon() {
    let hero = |reviews: Vec<Review>| {
        let project = Project::new().reviews(reviews);
        project.build();
        part(&project.text("public/index.html"), "class=\"hero\"", "</section>").to_owned()
    };
    let soon = hero(answered(10, &[0, 9, 2, 1, 3]));
    assert!(
        soon.contains("50%") && soon.contains("Half of the replies came within 2 days."),
        "{soon}"
    );
    let few = hero(answered(10, &[0, 9, 2, 1]));
    assert!(few.contains("40%") && !few.contains("Half of"), "{few}");
    let mut vague = answered(10, &[0, 9, 2, 1, 3]);
    vague[0] = vague[0].clone().with("date_precision", "month");
    assert!(!hero(vague).contains("Half of"), "a day that is not known counts for nothing");
    let same = hero(answered(10, &[0, 0, 0, 5, 5]));
    assert!(same.contains("Half of the replies came on the day of the review."), "{same}");
    for too_few in [answered(4, &[0, 0, 0, 0]), answered(10, &[])] {
        assert!(!hero(too_few).contains("have a reply"));
    }
}

#[test]
fn an_incomplete_source_is_said_at_the_number() {
    let with = |source: &str| {
        let source = format!("{BUSINESS}[[source]]\nid = \"google\"\n{source}");
        let project = Project::new().file("content/business.toml", source).reviews(mixed(3));
        project.build();
        part(&project.text("public/index.html"), "class=\"score", "</div>").to_owned()
    };
    let part = with("complete = false\nclaimed_total = 1760\n");
    assert!(part.contains("Google: 3 of about 1,760 reviews are here"), "{part}");
    assert!(with("complete = false\n").contains("Google: 3 reviews are here, not all of them"));
    assert!(!with("complete = true\nclaimed_total = 3\n").contains("Google"));
}

#[test]
fn quotes_of_the_last_two_years_come_first() {
    let days = ["2019-03-01", "2019-04-01", "2026-01-04", "2019-05-01", "2019-06-01"];
    let reviews = (0..).zip(days).map(|(n, day)| {
        let text = format!("The technician arrived on time for visit number {n} of the year.");
        review(n).with("text", text).with("date", day)
    });
    let project = Project::new().reviews(reviews.collect::<Vec<_>>());
    project.build();
    for path in ["index.html", "aspects/punctuality/index.html"] {
        let page = project.text(&format!("public/{path}"));
        assert!(page.matches("<figcaption>").count() > 0, "{page}");
        assert!(part(&page, "<figcaption>", "</figcaption>").contains("2026"), "{path}: {page}");
    }
}

#[test]
fn lists_link_to_the_newest_review_of_each_earlier_year_and_full_pages_stay() {
    let of_years = |newest: usize| -> Vec<Review> {
        let day = |n: usize| format!("{}-01-{:02}", 2022 + n / 28, n % 28 + 1);
        (0..newest).map(|n| review(n).with("date", day(n))).collect()
    };
    let project = Project::new().reviews(of_years(100));
    project.build();
    let front = project.text("public/reviews/index.html");
    let years = part(&front, "class=\"years\"", "</ul>");
    assert_eq!(years.matches("<li>").count(), 2, "{years}");
    assert!(years.contains("href=\"/reviews/page/2/\">2022<"), "{years}");
    assert!(years.contains("href=\"/reviews/page/3/\">2023<"), "{years}");
    let numbers = |page: &str| {
        let list = part(page, "class=\"numbers\"", "</ul>").to_owned();
        list.split('>')
            .filter_map(|it| it.split('<').next()?.trim().parse().ok())
            .collect::<Vec<u8>>()
    };
    assert_eq!(numbers(&front), [4, 3, 2, 1]);
    assert_eq!(numbers(&project.text("public/reviews/page/2/index.html")), [2, 1]);
    let pages = [1, 2, 3].map(|n| format!("public/reviews/page/{n}/index.html"));
    let before = pages.clone().map(|page| project.text(&page));
    project.write_reviews(of_years(103));
    project.build();
    assert_eq!(pages.map(|page| project.text(&page)), before);
}

#[test]
fn a_chart_has_a_legend_and_its_numbers_in_a_table() {
    let month = |n: usize| review(n).with("date", format!("2026-{:02}-10", 1 + n % 4));
    let project = Project::new().reviews((0..8).map(month).collect::<Vec<_>>());
    project.build();
    let page = project.text("public/index.html");
    let plot = part(&page, "<div class=\"card plot\">", "</section>");
    for words in ["average of three months", "average of one month", "number of reviews"] {
        assert!(part(plot, "<ul class=\"legend\">", "</ul>").contains(words), "{plot}");
    }
    let months = part(plot, "<summary>By month</summary>", "</table>");
    let row = "<th scope=\"row\">April 2026</th><td>2</td><td>5.00</td>";
    assert!(months.contains(row) && months.matches("scope=\"row\"").count() == 4, "{months}");
}

#[test]
fn bars_of_praise_and_blame_have_a_legend_and_a_table() {
    let services = "[[service]]\nid = \"drains\"\nlabel = \"Drains\"\n\
                    [[service]]\nid = \"boilers\"\nlabel = \"Boilers\"\n";
    let words = |n| review(n).with("text", "They cleaned our drains, great work.");
    let project =
        Project::new().file("content/services.toml", services).reviews([words(1), words(2)]);
    project.build();
    let page = project.text("public/services/index.html");
    let legend = part(&page, "<ul class=\"legend\">", "</ul>");
    assert!(legend.contains("<li class=\"mixed\"><span class=\"tag\">mixed</span>"), "{legend}");
    let row = "<th scope=\"row\">Drains</th><td>2</td><td>2</td><td>0</td><td>0</td><td>0</td>";
    assert!(part(&page, "<details class=\"plot\">", "</details>").contains(row), "{page}");
    let page = project.text("public/services/drains/index.html");
    let legend = part(&page, "<ul class=\"legend\">", "</ul>");
    assert!(legend.contains("<span class=\"tag\">2 positive</span>"), "{legend}");
}

#[test]
fn an_empty_list_says_why_and_where_to_go_on() {
    let services = "[[service]]\nid = \"drains\"\nlabel = \"Drains\"\n";
    let sources = "[[source]]\nid = \"google\"\nprofile_url = \"https://maps.example/acme\"\n";
    let project = Project::new()
        .file("content/services.toml", services)
        .file("content/business.toml", format!("{BUSINESS}{sources}"));
    project.build();
    let main = |path: &str| {
        let page = project.text(&format!("public/{path}index.html"));
        part(&page, "<main", "</main>").to_owned()
    };
    for path in ["reviews/", "rating/3/"] {
        let list = main(path);
        assert!(list.contains("<p>No reviews have been published yet.</p>"), "{list}");
        assert!(list.contains("href=\"/review-us/\"") && !list.contains("chips"), "{list}");
        assert!(!list.contains("0 reviews"), "{list}");
    }
    assert!(part(&main(""), "score card", "class=\"more\"").contains("href=\"/review-us/\""));
    assert!(!main("services/").contains("legend"));
    let frame = project.text("public/embed/list/index.html");
    assert!(frame.contains("No reviews have been") && !frame.contains("Read all"), "{frame}");

    project.write_reviews([review(1)]);
    project.build();
    let main = |path: &str| {
        let page = project.text(&format!("public/{path}index.html"));
        part(&page, "<main", "</main>").to_owned()
    };
    let list = main("rating/3/");
    assert!(list.contains("<p>No review has this number of stars.</p>"), "{list}");
    assert!(list.contains("href=\"/reviews/\">All reviews</a>"), "{list}");
    let service = main("services/drains/");
    assert!(service.contains("<p>Not mentioned in any review so far.</p>"), "{service}");
    assert!(service.contains("href=\"/reviews/\">All reviews</a>"), "{service}");
}

#[test]
fn a_technicians_picture_is_a_file_of_the_content_and_shown_with_the_page_alone() {
    let who = |id: &str, more: &str| {
        format!("[[technician]]\nid = \"{id}\"\nname = \"{id}\"\nphoto = \"photos/a.jpg\"\n{more}")
    };
    let technicians =
        [who("sam", ""), who("eve", "public = false\n"), who("ron", "score = false\n")];
    let project = Project::new()
        .file("content/technicians.toml", technicians.concat())
        .file("content/photos/a.jpg", b"\xff\xd8\xff picture")
        .reviews([review(1).with("text", "Sam was great.")]);
    project.build();
    let photo = project.asset("photo-sam.jpg").replacen("public", "", 1);
    for page in ["index", "technicians/index", "technicians/sam/index"] {
        let page = project.text(&format!("public/{page}.html"));
        assert!(page.contains(&format!("src=\"{photo}\" alt=\"\"")), "{page}");
    }
    let photos = project.tree("public/assets").into_keys();
    assert_eq!(photos.filter(|path| path.contains("photo-")).count(), 1, "nobody else's");
}

#[test]
fn a_reply_has_the_logo_of_the_business() {
    let reply = json!({ "text": "Thank you." });
    let project = Project::new()
        .file("content/site.toml", format!("{SITE}[theme]\nlogo = \"logo.svg\"\n"))
        .file("content/logo.svg", "<svg xmlns=\"http://www.w3.org/2000/svg\"/>")
        .reviews([review(1).with("owner_reply", reply)]);
    project.build();
    let page = project.text("public/reviews/index.html");
    let logo = project.asset("logo.svg").replacen("public", "", 1);
    assert!(part(&page, "<div class=\"reply\">", "</div>").contains(&format!("src=\"{logo}\"")));
}
