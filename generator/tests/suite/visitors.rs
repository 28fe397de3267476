//! What a visitor who may become a customer is shown.

use serde_json::{Value, json};

use super::{
    project::{BUSINESS, Project, SITE},
    review::{Review, mixed, review},
};

/// The part of a page between two marks.
#[track_caller]
fn part<'p>(page: &'p str, start: &str, end: &str) -> &'p str {
    let rest = page.split_once(start).unwrap_or_else(|| panic!("no {start:?} in {page}")).1;
    rest.split_once(end).unwrap().0
}

#[test]
fn the_number_itself_and_the_mail_of_the_business_are_on_every_page() {
    let business = format!("phone = \"+1 555 0100\"\nemail = \"office@acme.example\"\n{BUSINESS}");
    let project = Project::new().file("content/business.toml", business).reviews(mixed(3));
    project.build();
    for page in ["index", "404", "reviews/index", "search/index", "about-these-reviews/index"] {
        let page = project.text(&format!("public/{page}.html"));
        let bar = part(&page, "<div class=\"act\">", "</div>");
        assert!(bar.contains("href=\"tel:+15550100\"><bdi>+1 555 0100</bdi>"), "{bar}");
        let foot = part(&page, "<footer class=\"bottom\"", "</footer>");
        assert!(foot.contains("href=\"mailto:office@acme.example\""), "{foot}");
    }
    let british = format!("phone = \"+44 (0)20 7946 0958\"\n{BUSINESS}");
    project.write("content/business.toml", british);
    project.build();
    let page = project.text("public/index.html");
    assert!(page.contains("href=\"tel:+442079460958\""), "the zero is not dialled from abroad");
    let style = project.text(&project.asset("style.css"));
    let print = style.split_once("@media print").unwrap().1;
    assert!(print.contains("background: none; color: inherit;"), "white on white on paper");
}

#[test]
fn without_a_way_to_reach_the_business_there_is_no_bar() {
    let project = Project::new().reviews(mixed(3));
    project.build();
    assert!(!project.text("public/index.html").contains("class=\"act\""));
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
    let bar = part(&page, "<div class=\"act\">", "</div>");
    assert!(bar.contains("href=\"https://book.example/acme\""), "{bar}");
    assert!(bar.contains(">Termin buchen<") && bar.contains(">Notdienst +15550199<"), "{bar}");
    assert!(bar.contains("data-shown=\": book.example/acme\"") && !bar.contains("0100"), "{bar}");
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
    let code = project.asset("review-us.svg");
    assert!(page.contains(&format!("src=\"{}\"", code.trim_start_matches("public"))), "{page}");
    assert!(project.text(&code).contains("<svg"));
    for page in ["index", "reviews/index"] {
        let page = project.text(&format!("public/{page}.html"));
        assert!(page.contains("href=\"/review-us/\">Write a review</a></p>"), "{page}");
    }
    let home = project.text("public/index.html");
    let before = home.split("<article class=\"review\"").next().unwrap();
    assert!(before.contains("href=\"/review-us/\""), "only below everything: {home}");
    let reviews = project.text("public/reviews.json");
    assert!(!reviews.contains("/acme/write"), "the contract has no such key");
}

#[test]
fn without_a_profile_there_is_no_page_to_write_a_review() {
    let project = Project::new().reviews(mixed(3));
    project.build();
    assert!(!project.path("public/review-us/index.html").exists());
    let assets = project.tree("public/assets").into_keys();
    assert!(!assets.into_iter().any(|path| path.contains("review-us")));
    assert!(!project.text("public/index.html").contains("review-us"));
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
        soon.contains("5 of 10 reviews have a reply. Half of the replies came within 2 days."),
        "{soon}"
    );
    let few = hero(answered(10, &[0, 9, 2, 1]));
    assert!(few.contains("4 of 10 reviews have a reply.") && !few.contains("Half of"), "{few}");
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
        part(&project.text("public/index.html"), "class=\"score", "</section>").to_owned()
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
    let page = project.text("public/aspects/punctuality/index.html");
    assert!(page.matches("<figcaption>").count() > 0, "{page}");
    assert!(part(&page, "<figcaption>", "</figcaption>").contains("2026"), "{page}");
}

#[test]
fn a_page_about_an_aspect_quotes_sentences_that_say_something() {
    let reviews = (0..8).map(|n| {
        let long = format!("The technician arrived on time for visit number {n} of the year.");
        review(n).with("text", if n < 5 { long } else { format!("On time, day {n}.") })
    });
    let project = Project::new().reviews(reviews.collect::<Vec<_>>());
    project.build();
    let page = project.text("public/aspects/punctuality/index.html");
    let quotes = page.split("<blockquote>").skip(1).map(|it| part(it, ">", "</p>"));
    let quotes: Vec<_> = quotes.collect();
    assert!(quotes.len() > 1 && quotes.iter().all(|it| it.chars().count() >= 40), "{quotes:?}");
}

#[test]
fn an_address_is_in_the_order_of_its_country() {
    for (country, town) in
        [("DE", "23552 Lübeck"), ("GB", "Lübeck, 23552"), ("US", "Lübeck, 23552")]
    {
        let address =
            "[address]\nstreet = \"Markt 1\"\ncity = \"Lübeck\"\npostal_code = \"23552\"\n";
        let business = format!("{BUSINESS}{address}country = \"{country}\"\n");
        let project = Project::new().file("content/business.toml", business);
        project.build();
        let page = project.text("public/index.html");
        assert!(page.contains(&format!("<bdi>{town}</bdi><br>")), "{country}: {page}");
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
fn bars_of_praise_and_blame_have_a_legend_and_their_numbers_in_words() {
    let services = "[[service]]\nid = \"drains\"\nlabel = \"Drains\"\n";
    let words = |n| review(n).with("text", "They cleaned our drains, great work.");
    let project =
        Project::new().file("content/services.toml", services).reviews([words(1), words(2)]);
    project.build();
    let page = project.text("public/services/index.html");
    let legend = part(&page, "<ul class=\"legend\">", "</ul>");
    assert!(legend.contains("<li class=\"dot\">mixed or unclear</li>"), "{legend}");
    let row = part(&page, "<ul class=\"meters\">", "</ul>");
    let praise = "href=\"/search/?mentions_service=drains&sentiment=positive\" aria-label=\"2 positive\">2</a>";
    assert!(row.contains("2 of 2 positive"), "{row}");
    assert!(row.contains(praise) || row.contains(&praise.replace('&', "&amp;")), "{row}");
    assert!(row.contains("<b aria-hidden=\"true\">0</b>"), "{row}");
    let page = project.text("public/services/drains/index.html");
    let legend = part(&page, "<ul class=\"legend\">", "</ul>");
    let praise = "href=\"/search/?mentions_service=drains&amp;sentiment=positive\">2 positive</a>";
    assert!(legend.contains(praise), "{legend}");
}

#[test]
fn an_empty_list_says_why_and_there_is_no_other_empty_page() {
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
    let list = main("reviews/");
    assert!(list.contains("<p>No reviews have been published yet.</p>"), "{list}");
    assert!(list.contains("href=\"/review-us/\"") && !list.contains("chips"), "{list}");
    assert!(!list.contains("0 reviews"), "{list}");
    let whole = project.text("public/index.html");
    assert!(!whole.contains("No review is left out"), "it promises nothing: {whole}");
    assert!(!whole.contains("<h2><bdi>"), "no column without an address: {whole}");
    let home = main("");
    assert!(
        home.contains("href=\"/review-us/\"") && home.matches("<section").count() == 1,
        "{home}"
    );
    assert!(!main("services/").contains("legend"));
    let frame = project.text("public/embed/list/index.html");
    assert!(frame.contains("No reviews have been") && !frame.contains("Read all"), "{frame}");

    // No page without a review: of other stars, or of a service that is not mentioned.
    project.write_reviews([review(1)]);
    project.build();
    for absent in ["rating/3", "services/drains"] {
        assert!(!project.path(&format!("public/{absent}")).exists(), "{absent}");
    }
    let services = project.text("public/services/index.html");
    assert!(services.contains("<h2>Drains</h2>"), "named, without a link: {services}");
    assert!(services.contains("Not mentioned in any review so far."), "{services}");
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
        .file("content/photos/a.jpg", super::photos::jpeg(40, 40))
        .reviews([review(1).with("text", "Sam was great.")]);
    project.build();
    let photo = project.asset("photo-sam.jpg").replacen("public", "", 1);
    for page in ["technicians/index", "technicians/sam/index"] {
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
    let (_, shown) = page.split_once("</template>").unwrap();
    assert!(part(shown, "<div class=\"reply\">", "</div>").contains(&format!("src=\"{logo}\"")));
}
