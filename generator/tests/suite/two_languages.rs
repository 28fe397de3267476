//! A site whose reviews are in two languages that are analysed.

use serde_json::json;

use super::{
    project::Project,
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
