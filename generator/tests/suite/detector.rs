//! The detector of aspects: its training gives the same table on every machine, and it hears what no
//! pattern has.

use std::{fs, path::Path};

use reviews::insights::{
    Judge, Sentiment,
    detection::{Judged, Said, train},
};

use super::scores;

/// BLAKE3 of the table that `training/plain.jsonl` alone gives, on any machine.
const TABLE_OF_PLAIN: &str = "fa8c157056943b3a166bcefec4d7e652ad3beb9c21fca99c3c19ed18658d0c79";

fn reviews(file: &str) -> Vec<scores::Judged> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("training").join(file);
    scores::parse(&fs::read_to_string(path).unwrap()).unwrap()
}

fn trained(reviews: &[scores::Judged]) -> String {
    let judged: Vec<_> = reviews
        .iter()
        .map(|review| {
            let said = review.aspects.iter().map(|gold| {
                let start = review.text.find(&gold.quote).unwrap();
                let span = (start, start + gold.quote.len());
                Said { aspect: &gold.id, sentiment: gold.sentiment, span }
            });
            (Judged { text: &review.text, stars: review.rating }, said.collect())
        })
        .collect();
    train(&judged)
}

#[test]
fn training_gives_the_same_bits_on_every_machine() {
    let table = trained(&reviews("plain.jsonl"));
    assert_eq!(blake3::hash(table.as_bytes()).to_hex().as_str(), TABLE_OF_PLAIN);
    let mut judge = Judge::with_detector(&table).unwrap();
    assert!(!judge.read("The boiler has run perfectly since.", 5).opinions.is_empty());
}

#[test]
fn every_training_review_can_be_read() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("training");
    let judge = Judge::builtin();
    let known: Vec<String> = (0..10).map(|aspect| judge.id(aspect).to_owned()).collect();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_none_or(|extension| extension != "jsonl") {
            continue;
        }
        for review in scores::parse(&fs::read_to_string(&path).unwrap()).unwrap() {
            assert!((1..=5).contains(&review.rating), "{}", review.id);
            for gold in &review.aspects {
                assert!(known.contains(&gold.id), "{}: {}", review.id, gold.id);
                assert!(review.text.contains(&gold.quote), "{}: {:?}", review.id, gold.quote);
            }
        }
    }
}

#[test]
fn what_no_pattern_has_is_heard_all_the_same() {
    let mut judge = Judge::builtin();
    for (text, stars, aspect, sentiment) in [
        ("There was dried gravy on my fork.", 1, "cleanliness", Sentiment::Negative),
        (
            "They were an hour and a half behind by the time I was called in.",
            2,
            "punctuality",
            Sentiment::Negative,
        ),
        ("Soup, main and pudding inside half an hour.", 5, "speed", Sentiment::Positive),
    ] {
        let reading = judge.read(text, stars);
        let found = reading.opinions.iter().find(|opinion| judge.id(opinion.aspect) == aspect);
        assert_eq!(found.map(|opinion| opinion.sentiment), Some(sentiment), "{text}");
    }
}

#[test]
fn a_sentence_about_nothing_of_it_is_left_alone() {
    let mut judge = Judge::builtin();
    for text in ["I have lived in this street since 1984.", "My daughter recommended them."] {
        assert_eq!(judge.read(text, 5).opinions, [], "{text}");
    }
}
