//! What insights take from texts in the words of customers: frequent words, phrases, quotes.

use serde_json::json;

use super::{project::Project, review::review};

#[test]
fn no_name_of_a_person_is_among_the_words_and_phrases() {
    let texts = [
        "Zebulina explained everything patiently.",
        "zebulina explained everything patiently, thanks zebulina",
        "ZEBULINA was patient and explained everything.",
        "Zebulina listened patiently. Ask for mike.",
        "dr quillfeather listened patiently, always ask for mike",
        "dr quillfeather listened patiently and mike explained everything.",
        "Mrs Quillfeather listened patiently and Mike explained everything.",
        "mike listened patiently and explained everything.",
    ];
    let project = Project::new().reviews(
        texts.iter().zip(0..).map(|(text, n)| review(n).with("text", *text)).collect::<Vec<_>>(),
    );
    project.build();
    let insights = project.json("public/insights.json");
    let words: Vec<&str> = insights["frequent_words"]
        .as_array()
        .unwrap()
        .iter()
        .filter_map(|it| it["word"].as_str())
        .collect();
    assert_eq!(words, ["patiently", "explained", "listened"]);
    let phrases =
        insights["aspects"].as_array().unwrap().iter().map(|it| it["top_phrases"].to_string());
    let phrases: String = phrases.collect();
    assert!(phrases.contains("listened patiently"), "{phrases}");
    for name in ["zebulina", "mike", "quillfeather"] {
        assert!(!phrases.contains(name), "{phrases}");
    }
}

#[test]
fn spellings_of_a_german_word_are_one_frequent_word() {
    let texts = [
        "Immer pünktlich.",
        "immer puenktlich",
        "Kaum zu glauben, so pünktlich!",
        "War puenktlich, kaum zu glauben.",
        "Pünktlich, kaum zu glauben.",
        "Kaum zu glauben.",
    ];
    let reviews =
        texts.iter().zip(0..).map(|(text, n)| review(n).with("text", *text).with("language", "de"));
    let project = Project::new().reviews(reviews.collect::<Vec<_>>());
    project.build();
    let insights = project.json("public/insights.json");
    assert_eq!(
        insights["frequent_words"],
        json!([{ "word": "pünktlich", "review_count": 5 }, { "word": "glauben", "review_count": 4 }])
    );
}

#[test]
fn a_phrase_speaks_of_its_aspect_by_itself() {
    let text = |n: usize| {
        ["Friendly staff and fair prices.", "Friendly staff, clean rooms and fair prices."][n % 2]
    };
    let project = Project::new()
        .reviews((0..12).map(|n| review(n).with("text", text(n))).collect::<Vec<_>>());
    project.build();
    let insights = project.json("public/insights.json");
    let phrases = |id: &str| {
        let aspects = insights["aspects"].as_array().unwrap();
        aspects.iter().find(|it| it["id"] == id).map(|it| it["top_phrases"].clone())
    };
    assert_eq!(phrases("friendliness"), Some(json!(["friendly staff"])));
    assert_eq!(phrases("pricing"), Some(json!(["fair prices"])));
    assert_eq!(phrases("cleanliness"), Some(json!(["clean rooms"])));
}

#[test]
fn no_german_phrase_is_a_piece_of_a_longer_one() {
    let text = "Der Chef hat alles in Ruhe erklärt und das Preis-Leistungs-Verhältnis stimmt, faire Preise.";
    let reviews = (0..6).map(|n| review(n).with("text", text).with("language", "de"));
    let project = Project::new().reviews(reviews.collect::<Vec<_>>());
    project.build();
    let insights = project.json("public/insights.json");
    let aspects = insights["aspects"].as_array().unwrap().iter();
    let phrases: String = aspects.map(|it| it["top_phrases"].to_string()).collect();
    assert!(phrases.contains("faire Preise"), "{phrases}");
    assert!(!phrases.contains("Ruhe") && !phrases.contains("Verhältnis stimmt"), "{phrases}");
}

#[test]
fn a_text_that_its_export_cut_has_neither_quote_nor_example() {
    let cut =
        "The rooms were dirty and the staff were rude. There was old food on the ta… Read more";
    let project = Project::new()
        .reviews((0..6).map(|n| review(n).with("text", cut).with("rating", 1)).collect::<Vec<_>>());
    project.build();
    let insights = project.json("public/insights.json");
    let aspects = insights["aspects"].as_array().unwrap();
    assert!(aspects.iter().any(|it| it["negative_count"] == 6), "{aspects:?}");
    assert!(aspects.iter().all(|it| it["examples"] == json!([])), "{aspects:?}");
    for of in insights["per_review"].as_object().unwrap().values() {
        assert!(of["aspects"].as_array().unwrap().iter().all(|it| it["quote"].is_null()), "{of}");
    }
}

#[test]
fn a_phrase_may_have_the_words_of_another_business() {
    let reviews = (0..8).map(|n| {
        let text = format!("Low nearby garage prices and friendly staff. It was number {n}.");
        review(n).with("author", format!("Person {n}")).with("text", text)
    });
    let project = Project::new().reviews(reviews.collect::<Vec<_>>());
    project.build();
    let aspects = project.json("public/insights.json")["aspects"].clone();
    let friendly = aspects.as_array().unwrap().iter().find(|it| it["id"] == "friendliness");
    assert_eq!(friendly.unwrap()["top_phrases"], json!(["friendly staff"]), "{aspects}");
}
