//! The detector: its training gives the same table on every machine, and it finds mentions that no
//! pattern matches.

use std::{fs, path::Path};

use insights::{Judge, Language, Sentiment};
use insights_tools::{
    corrections::Corrections,
    detector::{correct, train},
    marked, scores,
};

/// BLAKE3 of the tables that are trained on `training/en/plain.tsv` alone.
const TABLES_OF_PLAIN: [&str; 2] = [
    "446da9d0fffc324e5fce1b983dc655391bc5c9551eef7a12965d051f8966ed2c",
    "2eb70bfb7823a05a3ff49ddf089b32422f724c0cb11136590f8093a1b8828d1c",
];

fn reviews(file: &str) -> Vec<scores::Judged> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("training/en").join(file);
    marked::parse(&fs::read_to_string(path).unwrap()).unwrap()
}

#[test]
fn training_gives_the_same_bits_on_every_machine() {
    let reviews = reviews("plain.tsv");
    let tables =
        train(Language::english(), &reviews.iter().collect::<Vec<_>>(), &Corrections::default());
    let tables = tables.each_ref().map(String::as_str);
    assert_eq!(tables.map(|table| blake3::hash(table.as_bytes()).to_string()), TABLES_OF_PLAIN);
    let mut judge = Judge::with_detectors(Language::english(), tables).unwrap();
    assert!(!judge.read("The boiler has run perfectly since.", 5).opinions.is_empty());
}

#[test]
fn a_correction_may_have_words_that_no_training_review_has() {
    let reviews = reviews("plain.tsv");
    let corrections = Corrections::parse("w:zzyzx\ta20").unwrap();
    let [table, _] = train(Language::english(), &reviews.iter().collect::<Vec<_>>(), &corrections);
    assert!(table.lines().any(|line| line.starts_with("w:zzyzx\ta")));
}

#[test]
fn a_word_is_corrected_if_eight_sentences_of_two_businesses_have_it() {
    let invented = reviews("plain.tsv");
    let invented: Vec<&scores::Judged> = invented.iter().collect();
    // One real review, and sentences that were written after it.
    let business = |sentences: usize| {
        let sentence = |number: usize| {
            let rewritten = number > 0;
            format!(
                r#"{{"id":"{number}","rating":1,"text":"They were zzyzx again.","aspects":[{{"id":"punctuality","sentiment":"negative","quote":"zzyzx"}}],"rewritten":{rewritten}}}"#
            )
        };
        scores::parse(&(0..sentences).map(sentence).collect::<Vec<_>>().join("\n")).unwrap()
    };
    for (businesses, is_corrected) in [(&[8][..], false), (&[4, 3], false), (&[4, 4], true)] {
        let files: Vec<_> = businesses.iter().map(|sentences| business(*sentences)).collect();
        let corrections = correct(Language::english(), &invented, &files).to_string();
        assert_eq!(corrections.contains("zzyzx"), is_corrected, "{businesses:?}");
    }
}

#[test]
fn every_training_review_can_be_read() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("training");
    let of = |tag: &str| insights_tools::files(&folder.join(tag), "tsv").unwrap();
    let judge = Judge::builtin();
    let known: Vec<String> = (0..10).map(|aspect| judge.id(aspect).to_owned()).collect();
    for path in [of("en"), of("de")].concat() {
        let name = path.display();
        for review in marked::parse(&fs::read_to_string(&path).unwrap()).unwrap() {
            for gold in &review.aspects {
                let place = format!("{name}, line {}: {}", review.id, gold.id);
                assert!(known.contains(&gold.id), "{place} is not an aspect");
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

#[test]
fn marks_say_what_speaks_of_an_aspect() {
    let line = "0\tNo. [speed+ pricing- Quick, but dear], [quality~ mostly fine].\n2\tAvoid.";
    let reviews = marked::parse(line).unwrap();
    assert_eq!(
        (reviews[0].text.as_str(), reviews[0].rating),
        ("No. Quick, but dear, mostly fine.", 3)
    );
    let said: Vec<_> = reviews[0]
        .aspects
        .iter()
        .map(|gold| (gold.id.as_str(), gold.sentiment, gold.quote.as_str()))
        .collect();
    assert_eq!(
        said,
        [
            ("speed", Sentiment::Positive, "Quick, but dear"),
            ("pricing", Sentiment::Negative, "Quick, but dear"),
            ("quality", Sentiment::Mixed, "mostly fine"),
        ]
    );
    assert_eq!((reviews[1].rating, reviews[1].aspects.len()), (2, 0));
    for wrong in ["no stars", "6\tSix.", "3\t[quality+ open", "3\t[no mark]"] {
        assert_eq!(marked::parse(&format!("1\tGood.\n{wrong}")).err(), Some(2), "{wrong}");
    }
}
