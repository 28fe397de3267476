//! The figures on labelled reviews.

use insights::Judge;
use insights_tools::{real::Figures, scores};

fn figures(reviews: &str) -> String {
    let mut figures = Figures::default();
    let mut judge = Judge::builtin();
    scores::parse(reviews).unwrap().iter().for_each(|review| figures.add(review, &mut judge));
    figures.to_string()
}

/// The numbers after a line's name.
fn line<'f>(figures: &'f str, name: &str) -> &'f str {
    let line = figures.lines().find(|line| line.trim_start().starts_with(name));
    line.and_then(|line| line.rsplit("  ").next()).unwrap().trim()
}

#[test]
fn labels_of_sentences_count_once_for_each_aspect() {
    let text = "They never called back. Nobody answered the phone. He explained everything well.";
    let label = |sentiment: &str, quote: &str, optional: bool| {
        format!(
            r#"{{"id":"communication","sentiment":"{sentiment}","quote":"{quote}","optional":{optional}}}"#
        )
    };
    let blame = label("negative", "never called back", false);
    let silence = label("negative", "Nobody answered", false);
    let maybe = label("positive", "explained everything well", true);
    let of = |labels: &[&String]| {
        let labels: Vec<&str> = labels.iter().map(|label| label.as_str()).collect();
        let labels = labels.join(",");
        figures(&format!(r#"{{"id":"1","rating":1,"text":"{text}","aspects":[{labels}]}}"#))
    };
    let required = of(&[&blame, &silence, &maybe]);
    assert_eq!(required.lines().next(), Some("1 reviews, 1 labels"));
    assert_eq!(line(&required, "complaints at one to three"), "100.0 of 1");
    assert_eq!(line(&required, "counted as not judged"), "0.0 of 1");
    let optional = of(&[&maybe]);
    assert_eq!(optional.lines().next(), Some("1 reviews, 0 labels"));
}

#[test]
fn a_complaint_that_is_heard_as_a_fact_is_counted_as_not_judged() {
    let of = |text: &str| {
        figures(&format!(
            r#"{{"id":"1","rating":3,"text":"{text}","aspects":[{{"id":"pricing","sentiment":"negative","quote":"{text}"}}]}}"#
        ))
    };
    let fact = of("Their price was 60.");
    assert_eq!(line(&fact, "complaints at one to three"), "0.0 of 1", "{fact}");
    assert_eq!(line(&fact, "counted as not judged"), "100.0 of 1");
}
