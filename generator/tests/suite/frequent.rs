//! What insights take from texts in the words of customers: frequent words, phrases, quotes.

use serde_json::json;

use super::{project::Project, review::review};

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
