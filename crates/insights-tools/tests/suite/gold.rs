//! The built-in aspects on the open halves of two sets of reviews. Two annotators judged each
//! review without sight of the other's labels. Patterns were written with the open telling half in
//! sight and thresholds chosen with both open halves, so these tests pin figures that were reached.
//! The sealed halves, which are the fair measure, are not in the repository.

use std::path::Path;

use insights::Judge;

use insights_tools::scores::{self, Scores};

/// The minimum figures of a half, in percent. A change of the tables that falls below them is a
/// regression.
struct Floor {
    file: &'static str,
    aspect_f1: f64,
    with_sentiment: f64,
    two_class: f64,
}

/// Customers who state facts and details.
const TELLING: Floor =
    Floor { file: "open.jsonl", aspect_f1: 79.5, with_sentiment: 66.5, two_class: 91.0 };
/// Reviews like those of any business.
const EVERYDAY: Floor =
    Floor { file: "everyday.jsonl", aspect_f1: 80.0, with_sentiment: 70.0, two_class: 96.5 };

fn score(floor: &Floor) -> Scores {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("gold").join(floor.file);
    let text = std::fs::read_to_string(path).unwrap();
    let mut judge = Judge::builtin();
    let mut scores = Scores::default();
    for judged in scores::parse(&text).unwrap() {
        for gold in &judged.aspects {
            assert!(judged.text.contains(&gold.quote), "{}: {:?}", judged.id, gold.quote);
        }
        scores.add(&judged, &mut judge);
    }
    scores
}

fn assert_reached(floor: &Floor, scores: &Scores) {
    let (aspects, two_class) = (scores.aspects(), scores.two_class.percent());
    let found = format!(
        "{}: aspects P {:.1} R {:.1} F1 {:.1}, two-class {two_class:.1}",
        floor.file,
        aspects.precision(),
        aspects.recall(),
        aspects.f1()
    );
    println!("{found}");
    assert!(aspects.f1() >= floor.aspect_f1, "{found}");
    assert!(two_class >= floor.two_class, "{found}");
}

fn assert_judged_as_people_do(floor: &Floor) {
    let scores = score(floor);
    assert!(scores.with_sentiment.f1() >= floor.with_sentiment);
    assert!(
        scores.two_class.percent() > scores.stars.percent() + 5.0,
        "better than the stars alone"
    );
    assert_reached(floor, &scores);
}

#[test]
fn telling_reviews_are_judged_as_people_do() {
    assert_judged_as_people_do(&TELLING);
}

#[test]
fn everyday_reviews_are_judged_as_people_do() {
    assert_judged_as_people_do(&EVERYDAY);
}
