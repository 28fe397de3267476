//! The first page: in which order a visitor meets what, and what is left out of small sites.

use serde_json::{Value, json};

use super::{
    project::{BUSINESS, Project, SITE},
    review::{Review, id, mixed, review},
    site::copy_sample,
};

/// The part of a page between two marks.
#[track_caller]
fn part<'p>(page: &'p str, start: &str, end: &str) -> &'p str {
    let rest = page.split_once(start).unwrap_or_else(|| panic!("no {start:?} in {page}")).1;
    rest.split_once(end).unwrap().0
}

fn home(project: &Project) -> String {
    project.build();
    project.text("public/index.html")
}

/// The ids of the reviews that are shown with their words, in order.
fn shown(page: &str) -> Vec<String> {
    let cards = page.split("<article class=\"review\" id=\"").skip(1);
    cards.map(|rest| rest[..26].to_owned()).collect()
}

#[test]
fn the_newest_reviews_come_before_anything_that_is_computed_of_them() {
    let project = Project::new();
    copy_sample(&project);
    let page = home(&project);
    let at = |text: &str| page.find(text).unwrap_or_else(|| panic!("no {text:?} in {page}"));
    let order = [
        "class=\"avg\"",
        "class=\"say\"",
        "<article class=\"review\"",
        "class=\"meters\"",
        "class=\"people\"",
        "class=\"faq\"",
        "Reviews by service",
        "class=\"bars years\"",
        "class=\"sources\"",
    ];
    let places = order.map(at);
    assert!(places.is_sorted(), "{places:?}");
    assert!(at("href=\"/review-us/\"") < places[2], "a customer need not scroll past everything");
    assert_eq!(shown(&page).len(), 6);
    let silent = part(&page, "class=\"bare\"", "</p>");
    assert!(silent.contains("Calvin Rhoades") && silent.contains("Marisol &amp; Ed Vance"));
    let said = part(&page, "<figure class=\"say\">", "</p>");
    let said = &said[said.rfind('>').unwrap() + 1..];
    assert_eq!(page.matches(said).count(), 1, "no sentence twice: {said}");
    assert!(!page.contains("%</"), "counts, no shares");
}

#[test]
fn the_newest_reviews_are_in_the_order_of_their_dates_whatever_their_stars() {
    let mut reviews = mixed(24);
    for at in [20, 22, 23] {
        reviews[at] = reviews[at].clone().with("text", Value::Null);
    }
    let page = home(&Project::new().reviews(reviews));
    assert_eq!(shown(&page), [21, 19, 18, 17, 16, 15].map(id));
    let silent = part(&page, "class=\"bare\"", "</p>");
    assert_eq!(silent.matches("class=\"when\"").count(), 3, "those of the same weeks: {silent}");
}

/// The lines of opening hours at the foot of a page, and the text of the header without a script.
fn hours(language: &str, address: &str, hours: &str) -> (String, String) {
    let project = Project::new()
        .file("content/site.toml", SITE.replace("\"en\"", &format!("{language:?}")))
        .file("content/business.toml", format!("{BUSINESS}{address}{hours}"));
    let page = home(&project);
    let lines = part(&page, "<dl class=\"hours\">", "</dl>").replace("</dd>\n", "\n");
    let plain = |html: &str| {
        let parts = html.split('<').map(|it| it.split_once('>').map_or("", |(_, text)| text));
        parts.collect::<String>().trim().to_owned()
    };
    (plain(&format!(">{lines}")), plain(&format!("<p{}", part(&page, "<p class=\"open\"", "</p>"))))
}

#[test]
fn days_that_are_not_neighbours_are_never_a_range_of_opening_hours() {
    let days = |days: &str, opens: &str| {
        format!("[[hours]]\ndays = [{days}]\nopens = \"{opens}\"\ncloses = \"18:00\"\n")
    };
    let apart = days(r#""Monday", "Wednesday", "Friday""#, "09:00");
    let (lines, short) = hours("en", "", &apart);
    assert_eq!(short, "Mon, Wed, Fri 09:00 – 18:00");
    assert!(lines.starts_with("Monday, Wednesday, Friday09:00 – 18:00"), "{lines}");
    assert!(lines.ends_with("Tuesday, Thursday, Saturday, Sundayclosed"), "{lines}");
    let partly = days(r#""Friday", "Monday", "Wednesday", "Tuesday""#, "07:30");
    let american = "[address]\ncountry = \"US\"\n";
    let (lines, short) = hours("en", american, &partly);
    assert!(lines.starts_with("Monday – Wednesday, Friday7:30 am – 6 pm"), "{lines}");
    assert_eq!(short, "Mon – Wed, Fri 7:30 am – 6 pm");
    let week = r#""Monday", "Tuesday", "Wednesday", "Thursday", "Friday""#;
    let (lines, _) =
        hours("de", american, &format!("{}{}", days(week, "08:00"), days(week, "13:00")));
    assert_eq!(lines.lines().next(), Some("Montag – Freitag08:00 – 18:00, 13:00 – 18:00"));
}

#[test]
fn the_header_has_what_a_script_needs_to_say_whether_it_is_open() {
    let hours = "[[hours]]\ndays = [\"Saturday\"]\nopens = \"20:00\"\ncloses = \"02:00\"\n";
    let project = Project::new().file("content/business.toml", format!("{BUSINESS}{hours}"));
    let page = home(&project);
    let line = part(&page, "<p class=\"open\"", ">");
    assert!(line.contains("data-zone=\"America/Chicago\""), "{line}");
    let week = html_escape::decode_html_entities(part(line, "data-week=\"", "\"")).into_owned();
    let week: Value = serde_json::from_str(&week).unwrap();
    assert_eq!(week, json!([[5, 1200, 120, "20:00", "02:00"]]));
    assert!(page.contains("<script src=\"/assets/open."), "{page}");
    // Where the time zone is not stated, nobody can know.
    let zoneless = BUSINESS.replace("time_zone = \"America/Chicago\"\n", "");
    project.write("content/business.toml", format!("{zoneless}{hours}"));
    let page = home(&project);
    assert!(page.contains("<p class=\"open\">Sat 20:00") && !page.contains("open."), "{page}");
}

#[test]
fn a_day_may_be_open_to_its_end() {
    let day = "[[hours]]\ndays = [\"Sunday\"]\nopens = \"00:00\"\ncloses = \"24:00\"\n";
    let (lines, _) = hours("en", "[address]\ncountry = \"US\"\n", day);
    assert!(lines.starts_with("Sunday12 am – 12 am"), "{lines}");
    let project = Project::new().file("content/business.toml", format!("{BUSINESS}{day}"));
    let page = home(&project);
    assert!(page.contains(r#""closes":"23:59""#), "{page}");
    assert!(page.contains("[6,0,1440,"), "{page}");
}

#[test]
fn a_review_says_how_far_it_was_checked_by_a_mark_and_the_page_once() {
    let project = Project::new().reviews(mixed(25)).file(
        "content/business.toml",
        BUSINESS.split("[verification]").next().unwrap().to_owned()
            + "[verification]\nplatforms = [\"google\", \"yelp\"]\n",
    );
    home(&project);
    for path in ["index.html", "reviews/index.html", "embed/carousel/index.html"] {
        let page = project.text(&format!("public/{path}"));
        // What the search fills in is not shown.
        let page = match page.split_once("<template").zip(page.split_once("</template>")) {
            Some(((before, _), (_, after))) => format!("{before}{after}"),
            None => page,
        };
        let said = "Posted on Google; the purchase was not checked";
        assert_eq!(page.matches(said).count(), 1, "{path}: {page}");
        let marks = page.matches("Purchase not checked</span></a>").count();
        assert_eq!(marks, shown(&page).len(), "{path}");
    }
}

#[test]
fn what_is_praised_and_what_is_criticised_is_chosen_by_share_and_never_both() {
    let late = "The technician arrived two hours late and nobody called us about it";
    let clean = "They left the whole kitchen clean and swept up after the work";
    let price = "The price was fair and the bill matched the quote they gave";
    let texts = [clean, price, late];
    let each = |n: usize| review(n).with("text", format!("{} on visit {n}.", texts[n % 3]));
    let rated = |n: usize| each(n).with("rating", if n % 3 == 2 { 1 } else { 5 });
    let page = home(&Project::new().reviews((0..48).map(rated).collect::<Vec<Review>>()));
    let good = part(&page, "<section class=\"voice good\">", "</section>");
    let bad = part(&page, "<section class=\"voice bad\">", "</section>");
    assert!(good.contains("Praised more than the rest") && !good.contains("punctuality"), "{good}");
    assert!(bad.contains("href=\"/aspects/punctuality/\""), "{bad}");
}

#[test]
fn the_sentences_of_praise_are_the_examples_spelt_right_and_without_a_stake() {
    let late = "The technician arrived two hours late and nobody called us about it";
    let clean = "They left the whole kitchen clean and swept up after the work";
    let each = |n: usize| match n % 3 {
        2 => review(n).with("rating", 1).with("text", late),
        _ => review(n).with("text", format!("{clean} on visit {n}.")),
    };
    let misspelt = review(60).with("text", "They left the whole kitchn claen after the work.");
    let paid = review(61)
        .with("text", "They left the whole bathroom clean and swept up after the work.")
        .with("disclosure", json!({ "kind": "incentivized", "note": "A voucher." }));
    let reviews: Vec<Review> = (0..48).map(each).chain([misspelt, paid]).collect();
    let page = home(&Project::new().reviews(reviews));
    let good = part(&page, "<section class=\"voice good\">", "</section>");
    assert!(good.contains("They left the whole kitchen clean"), "{good}");
    assert!(!good.contains("claen") && !good.contains("bathroom"), "{good}");
}

#[test]
fn a_small_site_shows_all_its_reviews_once_and_computes_nothing_of_a_handful() {
    let text =
        |n: usize| format!("They came on time and cleaned the drains of house {n} very well.");
    let all =
        |count: usize| (0..count).map(|n| review(n).with("text", text(n))).collect::<Vec<_>>();
    for (count, cards, says, bars) in
        [(1, 0, false, false), (4, 0, true, false), (5, 0, true, true), (13, 3, true, true)]
    {
        let mut reviews = all(count);
        if count == 13 {
            reviews[4] = review(4).with("text", Value::Null);
        }
        let page = home(&Project::new().reviews(reviews));
        let wanted: Vec<_> = (0..count).rev().filter(|n| count < 13 || *n != 4).map(id).collect();
        assert_eq!(shown(&page), wanted, "{count}");
        assert_eq!(page.contains("class=\"bare\""), count == 13, "{count}");
        assert_eq!(page.contains("class=\"say\""), says, "{count}");
        assert_eq!(page.contains("class=\"bars\""), bars, "{count}");
        let beside = page.split("<div class=\"rows\">").next().unwrap();
        assert_eq!(shown(beside).len(), cards, "{count}");
        // The computed summary would repeat the number.
        let absent = ["class=\"meters\"", "class=\"chips\"", "bars years", "Read all"];
        for absent in absent.into_iter().chain(["class=\"note\"", "Newest reviews"]) {
            assert!(!page.contains(absent), "{count}: {absent} in {page}");
        }
    }
}

#[test]
fn years_are_rows_with_number_and_average_that_lead_to_their_reviews() {
    let of_years = |n: usize| review(n).with("date", format!("{}-03-01", 2021 + n / 30 * 2));
    let page = home(&Project::new().reviews((0..90).map(of_years).collect::<Vec<_>>()));
    let years = part(&page, "<ul class=\"bars years\">", "</ul>");
    assert_eq!(years.matches("<li>").count(), 3, "no line through years without reviews: {years}");
    assert!(years.contains("<a href=\"/search/?year=2021\"><span>2021</span>"), "{years}");
    assert!(
        years.contains("<span class=\"n\">30</span><span class=\"n\">5.00 ★</span>"),
        "{years}"
    );
    assert!(page.contains("2025 until March 1, 2025."), "{page}");
}
