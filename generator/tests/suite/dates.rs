//! Dates that are known to their month or year only: `date_precision` (docs/documents.md, "Published documents").

use std::collections::BTreeMap;

use serde_json::{Value, json};

use super::{
    project::{Project, SITE},
    review::{Review, id, review},
};

/// The day that no reader is told, as data and as pages in English, German, Spanish and French write
/// it.
const UNKNOWN_DAY: [&str; 6] = [
    "2024-04-12",
    "April 12, 2024",
    "12. April 2024",
    "12 de abril de 2024",
    "12 avril 2024",
    "12 april 2024",
];

/// A review whose date was counted back from the day of an export.
fn counted(n: usize, precision: &str) -> Review {
    let updated = "2026-03-01T09:00:00Z";
    review(n).with("date", "2024-04-12").with("date_precision", precision).with("updated", updated)
}

fn coarse(precision: &str) -> Project {
    let faq = "[[faq]]\nid = \"who\"\nquestion = \"Q?\"\nanswer = \"On {{ as_of | date }}.\"\nreview_ids = [\"ID\"]\n";
    Project::new()
        .file("content/faq.toml", faq.replace("ID", &id(1)))
        .reviews((1..8).map(|n| counted(n, precision)).collect::<Vec<_>>())
}

#[test]
fn every_review_says_how_exactly_its_date_is_known() {
    let words = ["day", "week", "month", "year"];
    let stored = words.iter().zip(1..).map(|(word, n)| counted(n, word)).chain([review(5)]);
    let project = Project::new().reviews(stored.collect::<Vec<_>>());
    project.build().exits(0);
    let published = |n: usize, review: &Value| (review["id"] == id(n)).then(|| review.clone());
    let reviews = &project.json("public/reviews.json")["reviews"];
    let expected = ["day", "month", "month", "year", "day"];
    for (precision, n) in expected.into_iter().zip(1..) {
        let of_id = reviews.as_array().unwrap().iter().find_map(|it| published(n, it)).unwrap();
        assert_eq!(of_id["date_precision"], precision, "{n}");
        assert!(of_id["date"].as_str().unwrap().len() == 10, "a whole date, for sorting");
    }
    let schema = project.json("public/schemas/review.json");
    let key = &schema["properties"]["date_precision"];
    assert_eq!(key["enum"], json!(["day", "month", "year"]), "{schema}");
    assert!(schema["required"].as_array().unwrap().contains(&json!("date_precision")));
    let bytes = project.bytes("public/reviews.csv");
    let mut table = csv::Reader::from_reader(&bytes[..]);
    let column = table.headers().unwrap().iter().position(|name| name == "date_precision").unwrap();
    let cells: Vec<String> = table.records().map(|row| row.unwrap()[column].to_owned()).collect();
    assert_eq!(cells, ["day", "year", "month", "month", "day"], "newest first, then by id");
}

#[test]
fn no_page_feed_or_text_shows_a_day_that_is_not_known() {
    for (language, month, rated) in [
        ("en", "April 2024", "5 of 5 from Ann 7"),
        ("de", "April 2024", "Ann 7: 5 von 5"),
        ("es", "abril de 2024", "Ann 7: 5 de 5"),
        ("fr", "avril 2024", "Ann 7\u{a0}: 5 sur 5"),
        ("nl", "april 2024", "Ann 7: 5 van 5"),
    ] {
        for (precision, words, iso) in [("month", month, "2024-04"), ("year", "2024", "2024")] {
            let project = coarse(precision);
            let site = SITE.replace("\"en\"", &format!("{language:?}"));
            project.write("content/site.toml", format!("{site}[site]\nreview_markup = true\n"));
            project.build().exits(0);
            let mut read = project.tree("public");
            // These have `date` beside `date_precision`; the developers' pages quote them.
            let data = ["reviews.json", "insights.json", "openapi.json"];
            read.retain(|path, _| {
                let is_text =
                    [".html", ".txt", ".json", ".xml"].iter().any(|end| path.ends_with(end));
                is_text && !data.contains(&path.as_str()) && !path.starts_with("developers/")
            });
            let read: BTreeMap<String, String> = read
                .into_iter()
                .map(|(path, bytes)| (path, String::from_utf8(bytes).unwrap()))
                .collect();
            assert!(read.contains_key("api/feed.json") && read.contains_key("llms.txt"));
            for (path, text) in &read {
                for day in UNKNOWN_DAY {
                    assert!(!text.contains(day), "{language}, {precision}: {day} is in {path}");
                }
            }
            let page = &read[&format!("reviews/{}/index.html", id(1))];
            let time = format!("<time datetime=\"{iso}\">{words}</time>");
            assert!(page.contains(&time), "{time} is not in {page}");
            assert!(page.contains(&format!("\"datePublished\":\"{iso}\"")), "{page}");
            let faq = &read["faq/index.html"];
            assert!(faq.contains(&format!("On {words}.")), "{faq}");
            assert_eq!(feed_title(&project), format!("{rated}, {words}"));
        }
    }
}

/// The title of the newest entry, the same in both feeds; without a known day neither has a day.
fn feed_title(project: &Project) -> String {
    let item = project.json("public/api/feed.json")["items"][0].clone();
    assert!(item.get("date_published").is_none());
    assert_ne!(item["_review"]["date_precision"], "day");
    let atom = atom_syndication::Feed::read_from(&project.bytes("public/feed.xml")[..]).unwrap();
    assert_eq!(atom.entries[0].published, None);
    assert_eq!(atom.entries[0].title.value, item["title"].as_str().unwrap());
    atom.entries[0].title.value.clone()
}

#[test]
fn a_list_of_coarse_dates_names_no_month_that_is_not_known() {
    let project = Project::new();
    project.write_reviews((1..200).map(|n| counted(n, "year")).collect::<Vec<_>>());
    project.build().exits(0);
    let page = project.text("public/reviews/page/1/index.html");
    assert!(page.contains("2024") && !page.contains("April 2024"), "{page}");
}

#[test]
fn coarse_dates_are_in_no_month_and_no_trend() {
    let half = |from: usize, date: &'static str, stars: i32, precision: &'static str| {
        (from..from + 10).map(move |n| {
            let review = review(n).with("date", date).with("rating", stars);
            review.with("date_precision", precision)
        })
    };
    let temporal = |precision| {
        let reviews = half(0, "2026-01-15", 2, precision).chain(half(10, "2026-07-15", 5, "day"));
        let project = Project::new().reviews(reviews.collect::<Vec<_>>());
        project.build().exits(0);
        project.json("public/insights.json")["temporal"].clone()
    };
    let exact = temporal("day");
    assert_eq!(
        (&exact["trend"], exact["monthly"].as_array().unwrap().len()),
        (&json!("improving"), 7)
    );
    for precision in ["week", "month", "year"] {
        let coarse = temporal(precision);
        assert_eq!(coarse["trend"], "insufficient", "{precision}");
        let months = coarse["monthly"].as_array().unwrap();
        assert_eq!(months.len(), 1, "{coarse}");
        assert_eq!(
            (&months[0]["month"], &months[0]["review_count"]),
            (&json!("2026-07"), &json!(10))
        );
    }
}

#[test]
fn relative_dates_of_an_export_keep_their_precision() {
    let project = Project::new();
    let table = |dates: [&str; 4]| {
        let rows =
            dates.into_iter().zip(1..).map(|(date, n)| format!("Ann {n},5,{date},Words {n}.\n"));
        format!("author,rating,date,text\n{}", rows.collect::<String>())
    };
    project
        .write("a.csv", table(["vor 2 Jahren", "vor 3 Monaten", "vor einer Woche", "vor 2 Tagen"]));
    let import = ["import", "a.csv", "--source", "google", "--relative-to", "2026-03-31"];
    project.candor(import).exits(0);
    let published = || {
        project.build().exits(0);
        let reviews = project.json("public/reviews.json")["reviews"].clone();
        reviews
            .as_array()
            .unwrap()
            .iter()
            .map(|review| {
                let key = |key: &str| review[key].as_str().unwrap().to_owned();
                (key("date"), key("date_precision"))
            })
            .collect::<Vec<_>>()
    };
    let known =
        |pairs: [(&str, &str); 4]| pairs.map(|(date, word)| (date.to_owned(), word.to_owned()));
    assert_eq!(
        published(),
        known([
            ("2026-03-29", "day"),
            ("2026-03-24", "month"),
            ("2025-12-31", "month"),
            ("2024-03-31", "year")
        ])
    );
    // The same day, now exactly known: the published record changes.
    project.write("a.csv", table(["2024-03-31", "2025-12-31", "2026-03-24", "2026-03-29"]));
    project.candor(["import", "a.csv", "--source", "google"]).exits(0).says("new 0 · updated 4");
    assert!(published().iter().all(|(_, precision)| precision == "day"));
}

#[test]
fn a_bare_day_is_published_at_noon_in_utc_and_never_after_its_last_change() {
    // A business in Auckland has the day 13 hours before Greenwich.
    let early = review(1).with("date", "2026-03-02").with("updated", "2026-03-01T20:15:00Z");
    let late = review(2).with("date", "2026-03-01").with("updated", "2026-03-04T00:00:00Z");
    let project = Project::new().reviews([early, late]);
    project.build().exits(0);
    let items = project.json("public/api/feed.json")["items"].clone();
    assert_eq!(items[0]["date_published"], "2026-03-01T20:15:00Z");
    assert_eq!(items[0]["date_modified"], items[0]["date_published"]);
    assert_eq!(items[1]["date_published"], "2026-03-01T12:00:00Z");
    let atom = atom_syndication::Feed::read_from(&project.bytes("public/feed.xml")[..]).unwrap();
    let published = |at: usize| atom.entries[at].published.unwrap().to_rfc3339();
    assert_eq!(published(0), atom.entries[0].updated.to_rfc3339());
    assert_eq!(published(1), "2026-03-01T12:00:00+00:00");
}
