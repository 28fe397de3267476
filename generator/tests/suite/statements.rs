//! A statement in words needs the support that docs/insights.md states; without it pages and answers
//! are silent.

use serde_json::{Value, json};

use super::{
    project::Project,
    review::{Review, review},
};

/// Two aspects whose patterns contain the opinion, so that the test decides every vote.
const ASPECTS: &str = r#"builtin = false
[[aspect]]
id = "rugs"
label = "Rugs"
patterns = [
  { match = "rugs spared", polarity = "positive" },
  { match = "rugs ruined", polarity = "negative" },
  { match = "rugs seen", polarity = "neutral" },
]
[[aspect]]
id = "clocks"
label = "Clocks"
patterns = [
  { match = "clocks kept", polarity = "positive" },
  { match = "clocks ignored", polarity = "negative" },
]
"#;

/// A site of reviews: how many, stars, text.
fn site(parts: &[(usize, u8, &str)]) -> Project {
    let all = parts.iter().flat_map(|(count, stars, text)| vec![(*stars, *text); *count]);
    let reviews: Vec<Review> = all
        .enumerate()
        .map(|(n, (stars, text))| review(n).with("rating", stars).with("text", text))
        .collect();
    let project = Project::new().file("content/aspects.toml", ASPECTS).reviews(reviews);
    project.build();
    project
}

/// What the answer says; the summary says the same.
fn most(project: &Project) -> Option<String> {
    let insights = project.json("public/insights.json");
    let faq = insights["faq"].as_array().unwrap();
    let summary = insights["summary"].as_str().unwrap();
    let Some(entry) = faq.iter().find(|entry| entry["id"] == "praise-and-criticism") else {
        assert!(!summary.contains("more than the rest"), "{summary}");
        return None;
    };
    let answer = entry["answer"].as_str().unwrap().to_owned();
    assert!(summary.ends_with(&answer), "the summary says the same: {summary}");
    Some(answer)
}

#[test]
fn what_is_praised_most_and_criticised_most_is_said_together_or_not_at_all() {
    let of = |[spared, ruined, kept, ignored]: [usize; 4]| {
        most(&site(&[
            (spared, 5, "The rugs spared."),
            (ruined, 1, "The rugs ruined."),
            (kept, 5, "The clocks kept."),
            (ignored, 1, "The clocks ignored."),
        ]))
    };
    let said = |praised: &str, criticised: &str| {
        Some(format!(
            "Praised more than the rest: {praised} positive). Criticised more than the rest: {criticised} negative)."
        ))
    };
    assert_eq!(of([12, 0, 0, 12]), said("Rugs (12 of 12", "Clocks (12 of 12"));
    assert_eq!(
        of([30, 1, 9, 12]),
        said("Rugs (30 of 31", "Clocks (12 of 21"),
        "more praise than blame"
    );
    assert_eq!(of([12, 0, 0, 7]), None, "too little blame, so no praise either");
    assert_eq!(of([7, 0, 0, 12]), None, "too little praise");
    assert_eq!(of([40, 10, 40, 10]), None, "both like the whole");
    assert_eq!(of([40, 10, 38, 12]), None, "no distance beyond chance");
}

#[test]
fn an_example_is_whole_and_spelt_right_where_there_is_such_a_one() {
    let texts = [
        "The rugs spared, a good job and a fair price.",
        "The rugs spared, a good job and a fair pryce.",
        "The rugs spared, a good job and a fair price. And then they…",
        "The rugs ruined, a bad job and a hihg price.",
    ];
    let stars = [5, 5, 5, 1];
    let reviews: Vec<Review> =
        (0..4).map(|n| review(n).with("text", texts[n]).with("rating", stars[n])).collect();
    let project = Project::new().file("content/aspects.toml", ASPECTS).reviews(reviews);
    project.build();
    let insights = project.json("public/insights.json");
    let examples = insights["aspects"][0]["examples"].as_array().unwrap();
    let quotes: Vec<&str> = examples.iter().map(|it| it["quote"].as_str().unwrap()).collect();
    // The newest are misspelt or cut. The only criticism is shown although it is misspelt.
    assert_eq!(quotes, [texts[0], texts[3]]);
}

#[test]
fn opinions_are_said_as_counts_and_the_unclear_ones_count_both_ways() {
    let rugs = |project: &Project| -> Value {
        let insights = project.json("public/insights.json");
        let rugs = &insights["aspects"][0];
        json!([rugs["positive_pct"], rugs["positive_range"], rugs["unjudged_count"]])
    };
    let said = |project: &Project, said: &str| {
        for page in ["aspects/rugs/index.html", "aspects/index.html", "index.html"] {
            let page = project.text(&format!("public/{page}"));
            assert!(!page.contains("% positive"), "{said}: {page}");
            let stars = "<p class=\"figures\"><span class=\"stars";
            assert!(!page.contains(stars), "no stars beside an aspect: {page}");
        }
        for page in ["aspects/rugs/index.html", "aspects/index.html"] {
            let page = project.text(&format!("public/{page}"));
            assert!(page.contains(said) && !page.contains("<p class=\"big\">"), "{said}: {page}");
        }
        let llms = project.text("public/llms.txt");
        assert!(llms.contains(&format!("/aspects/rugs/): {said}\n")), "{llms}");
    };
    let all = site(&[(6, 5, "The rugs spared.")]);
    assert_eq!(rugs(&all), json!([100.0, { "low": 100.0, "high": 100.0 }, 0]));
    said(&all, "6 of 6 positive");

    let waiting = site(&[(6, 5, "The rugs spared."), (2, 3, "The rugs seen.")]);
    assert_eq!(rugs(&waiting), json!([null, { "low": 75.0, "high": 100.0 }, 2]));
    said(&waiting, "6 of 8 positive, 2 unclear");

    let few = site(&[(27, 5, "The rugs spared."), (1, 3, "The rugs seen.")]);
    assert_eq!(rugs(&few), json!([100.0, { "low": 96.4, "high": 100.0 }, 1]));
    said(&few, "27 of 28 positive, 1 unclear");

    let below = site(&[(4, 5, "The rugs spared."), (2, 4, "The rugs seen.")]);
    assert_eq!(rugs(&below), json!([null, null, 0]));
    said(&below, "4 of 6 positive, 2 unclear");
}

#[test]
fn a_technicians_share_waits_too() {
    let named =
        |n: usize, stars: u8, text: &str| review(n).with("rating", stars).with("text", text);
    let mut reviews: Vec<Review> = (0..6).map(|n| named(n, 5, "Maria came.")).collect();
    reviews.push(named(6, 3, "Maria came."));
    let project = Project::new()
        .file("content/technicians.toml", "[[technician]]\nid = \"maria\"\nname = \"Maria\"\n")
        .reviews(reviews);
    project.build();
    let technician = &project.json("public/insights.json")["entities"]["technicians"][0];
    assert_eq!(
        json!([
            technician["positive_pct"],
            technician["positive_range"],
            technician["unjudged_count"]
        ]),
        json!([null, { "low": 85.7, "high": 100.0 }, 1]),
        "{technician}"
    );
    let page = project.text("public/technicians/maria/index.html");
    assert!(page.contains("6 of 7 positive, 1 unclear."), "{page}");
}

#[test]
fn the_about_page_and_the_documentation_say_how_many_complaints_are_found() {
    let [english, german] = [["en"], ["de"]].map(|read| insights::complaints_found(&read).unwrap());
    let others = "the others count as unclear or not at all";
    let sentence = format!("the program finds about {english} of 100 complaints; {others}");
    let project = site(&[(6, 5, "The rugs spared.")]);
    let page = project.text("public/about-these-reviews/index.html");
    assert!(page.contains(&sentence), "{page}");
    assert!(page.contains("It judges texts in these languages, translations from the platform included: English, Deutsch."));
    let docs = include_str!("../../../docs/insights.md").replace('\n', " ");
    let sentence = format!("finds about {english} of 100 complaints (German: {german}); {others}");
    assert!(docs.contains(&sentence), "{sentence}");
}

#[test]
fn the_figure_of_found_complaints_is_that_of_the_language_that_was_read() {
    let german =
        (0..6).map(|n| review(n).with("language", "de").with("text", "Der Monteur kam pünktlich."));
    let project = Project::new().reviews(german.collect::<Vec<_>>());
    project.build();
    let page = project.text("public/about-these-reviews/index.html");
    assert!(page.contains("the program finds about 62 of 100 complaints"), "{page}");
}

#[test]
fn a_trend_without_a_direction_is_not_said() {
    let half = |from: usize, date: &'static str, stars: i32| {
        (from..from + 10).map(move |n| review(n).with("date", date).with("rating", stars))
    };
    for (earlier, said) in [(2, true), (5, false)] {
        let reviews: Vec<_> =
            half(0, "2026-01-15", earlier).chain(half(10, "2026-07-15", 5)).collect();
        let project = Project::new().reviews(reviews);
        project.build();
        let summary = project.text("public/summary/index.html");
        assert_eq!(summary.contains("over the last six months"), said, "{earlier} stars before");
    }
}

#[test]
fn named_services_are_listed_without_a_ranking() {
    let names = ["Ash", "Birch", "Cedar", "Elm", "Fir", "Gorse"];
    let services = names.map(|name| {
        format!("[[service]]\nid = \"{0}\"\nlabel = \"{name}\"\n", name.to_lowercase())
    });
    let reviews: Vec<Review> =
        (0..30).map(|n| review(n).with("text", format!("{} it was.", names[n % 6]))).collect();
    let project = Project::new().file("content/services.toml", services.concat()).reviews(reviews);
    project.build();
    let insights = project.json("public/insights.json");
    let faq = insights["faq"].as_array().unwrap();
    let entry = faq.iter().find(|entry| entry["id"] == "services-and-areas").unwrap();
    assert_eq!(
        entry["answer"],
        "Services that reviews name, with the number of reviews: Ash (5), Birch (5), Cedar (5), Elm (5), Fir (5) and others."
    );
}
