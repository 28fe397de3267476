//! The figures on labelled reviews.

use std::path::Path;

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
    assert_eq!(line(&required, "complaints at one to three"), "100.0 of 1 [21-100]");
    assert_eq!(line(&required, "counted as not judged"), "0.0 of 1 [0-79]");
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
    assert_eq!(line(&fact, "complaints at one to three"), "0.0 of 1 [0-79]", "{fact}");
    assert_eq!(line(&fact, "counted as not judged"), "100.0 of 1 [21-100]");
}

#[test]
fn every_line_of_labels_has_a_hash_stars_and_labels() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("labels");
    let of = |tag: &str| insights_tools::files(&folder.join(tag), "tsv").unwrap();
    let is_label = |label: &str| {
        let (digits, signs) = label.split_at(label.find(char::is_alphabetic).unwrap_or(0));
        digits.parse().is_ok_and(|sentence: u32| sentence > 0)
            && matches!(signs.as_bytes(), [b'a'..=b'j', b'+' | b'-' | b'=' | b'~', rest @ ..] if matches!(rest, b"" | b"?"))
    };
    let mut lines = 0;
    for path in [of("en"), of("de")].concat() {
        for line in std::fs::read_to_string(&path).unwrap().lines() {
            let cells: Vec<&str> = line.split('\t').collect();
            let [hash, stars, labels] = cells[..] else { panic!("{}: {line}", path.display()) };
            assert!(hash.len() == 16 && u64::from_str_radix(hash, 16).is_ok(), "{line}");
            assert!((1..=5).contains(&stars.parse().unwrap_or(0)), "{line}");
            assert!(labels.split(' ').all(|label| label.is_empty() || is_label(label)), "{line}");
            lines += 1;
        }
    }
    assert!(lines > 500, "{lines}");
}
