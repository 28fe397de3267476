//! A site whose reviews are in two languages that are analysed.

use serde_json::{Value, json};

use super::{
    project::{Project, SITE},
    review::{id, review},
};

#[test]
fn a_site_in_two_languages_counts_both_under_one_set_of_aspects() {
    let german = "Der Monteur kam pünktlich und war sehr freundlich.";
    let project = Project::new()
        .file(
            "content/aspects.toml",
            "[[aspect]]\nid = \"parking\"\nlabel = \"Parking\"\nkeywords = [\"parkplätze\", \"parking\"]\n",
        )
        .reviews([
            review(1).with("text", german),
            review(2).with("text", "The fitter arrived on time and was very friendly."),
            review(3).with("text", "Es gibt genug Parkplätze vor dem Haus, sehr angenehm."),
            review(4).with("text", "Llegaron a tiempo y arreglaron la caldera en una hora.").with(
                "translation",
                json!({ "text": german, "language": "de" }),
            ),
        ]);
    project.build();
    let insights = project.json("public/insights.json");
    let aspect = |id: &str| {
        let aspects = insights["aspects"].as_array().unwrap();
        aspects.iter().find(|it| it["id"] == id).unwrap().clone()
    };
    assert_eq!(aspect("punctuality")["positive_count"], 3);
    assert_eq!(aspect("friendliness")["positive_count"], 3);
    assert_eq!(aspect("parking")["mention_count"], 1);
    let quotes = |n: usize| {
        let judged = insights["per_review"][id(n)]["aspects"].as_array().unwrap();
        judged.iter().filter(|aspect| aspect["quote"] == german).count()
    };
    assert_eq!((quotes(1), quotes(4)), (2, 0), "{insights}");
    let coverage = json!({ "text": 4, "rating_only": 0, "other_language": 0, "annotated": 0 });
    assert_eq!(insights["model"]["coverage"], coverage);
    let description = insights["model"]["description"].as_str().unwrap();
    assert!(description.contains("what reviews in these languages say of each aspect: en, de;"));
    let english = Project::new().reviews([review(2)]);
    english.build();
    let english = english.json("public/insights.json");
    assert!(english["model"]["description"].as_str().unwrap().contains("English reviews"));
    assert_ne!(english["model"]["hash"], insights["model"]["hash"]);
}

#[test]
fn short_texts_of_a_second_language_are_read_if_there_are_several() {
    let german = "Der Monteur kam pünktlich und war sehr freundlich.";
    let short = [
        "Very friendly staff.",
        "Way too expensive.",
        "They were on time.",
        "Very clean and quick.",
    ];
    let tags = |short: &[&str]| -> Vec<Value> {
        let project =
            Project::new().file("content/site.toml", SITE.replace("\"en\"", "\"de\"")).reviews(
                (0..8)
                    .map(|n| review(n).with("text", short.get(n).copied().unwrap_or(german)))
                    .collect::<Vec<_>>(),
            );
        project.build();
        let reviews = project.json("public/reviews.json");
        let of = |n: usize| {
            let all = reviews["reviews"].as_array().unwrap().iter();
            all.filter(|it| it["id"] == id(n)).map(|it| it["language"].clone()).collect::<Value>()
        };
        (0..4).map(of).collect()
    };
    assert_eq!(tags(&short), vec![json!(["en"]); 4]);
    let foreign = ["Çok iyi hizmet.", "Zeer goede prijs.", short[0], short[1]];
    assert_eq!(tags(&foreign), vec![json!([null]); 4], "two are not several");
}

#[test]
fn examples_in_the_language_of_the_site_are_first() {
    let english = "The fitter was very friendly and arrived right on time for us.";
    let german = "Der Monteur kam pünktlich und war sehr freundlich.";
    let project =
        Project::new().file("content/site.toml", SITE.replace("\"en\"", "\"de\"")).reviews(
            (0..9)
                .map(|n| review(n).with("text", if n < 4 { german } else { english }))
                .collect::<Vec<_>>(),
        );
    project.build();
    let insights = project.json("public/insights.json");
    let aspects = insights["aspects"].as_array().unwrap();
    assert!(!aspects.is_empty());
    for aspect in aspects {
        assert_eq!(aspect["examples"][0]["quote"], german, "{aspect}");
    }
}
