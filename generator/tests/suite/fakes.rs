//! `candor check --fakes`: signs that reviews may be fakes.

mod planted;

use std::collections::BTreeSet;

use super::{
    project::Project,
    review::{Review, id, review},
};
use planted::{FAKES, REVIEWS, planted};

/// What the business of the planted reviews offers.
const SERVICES: &str = include_str!("../../../content/services.toml");
const PEOPLE: &str = r#"[[technician]]
id = "dwight"
name = "Dwight"

[[technician]]
id = "samantha"
name = "Samantha"
"#;

fn site(reviews: impl AsRef<[Review]>) -> Project {
    Project::new()
        .file("content/services.toml", SERVICES)
        .file("content/technicians.toml", PEOPLE)
        .reviews(reviews)
}

/// The lines of signs.
fn signs(project: &Project) -> Vec<String> {
    let run = project.candor(["check", "--fakes"]).exits(0);
    run.err.lines().filter(|line| line.contains("possible-fake")).map(str::to_owned).collect()
}

/// The ids that the remedies of signs withhold.
fn suspects(signs: &[String]) -> BTreeSet<String> {
    let commands = signs.iter().flat_map(|sign| sign.split("candor hide ").skip(1));
    commands.map(|rest| rest.split(' ').next().unwrap().to_owned()).collect()
}

#[test]
fn most_planted_fakes_are_found_and_few_others() {
    let given = std::env::var("CANDOR_FAKES_SEED").ok().map(|seed| seed.parse().unwrap());
    for seed in given.map_or(vec![1, 2, 3, 20_261_129], |seed: u64| vec![seed]) {
        let (reviews, planted) = planted(seed);
        assert_eq!((reviews.len(), planted.len()), (REVIEWS, FAKES));
        let signs = signs(&site(reviews));
        let suspects = suspects(&signs);
        let found = suspects.intersection(&planted).count();
        let wrong = suspects.len() - found;
        println!("seed {seed}: {found} of {FAKES} found, {wrong} false");
        assert!(
            found >= 24 && wrong <= 10,
            "seed {seed}: {found} found, {wrong} false: {signs:#?}"
        );
    }
}

/// The signs of a site.
fn said(reviews: &[Review]) -> String {
    signs(&site(reviews)).into_iter().map(|sign| sign + "\n").collect()
}

/// Reviews of days in a row, by different authors.
fn usual() -> Vec<Review> {
    (1..=40).map(review).collect()
}

/// With one more review.
fn with(number: usize, author: &str, date: &str, text: &str) -> Vec<Review> {
    let added = review(number).with("author", author).with("date", date).with("text", text);
    [usual(), vec![added]].concat()
}

const LONG: &str = "They came at night in the rain and repaired within the hour what three others had given up on.";

#[test]
fn a_text_of_several_authors_is_a_sign() {
    let mut reviews = with(91, "Bo Berg", "2026-06-02", LONG);
    assert_eq!(said(&reviews), "");
    reviews
        .push(review(92).with("author", "Cy Dale").with("date", "2026-06-20").with("text", LONG));
    let (one, two) = (id(91), id(92));
    assert_eq!(
        said(&reviews),
        format!(
            "content/reviews: warning[possible-fake]: 2 authors wrote the same text: {one} (Bo Berg, 2026-06-02), {two} (Cy Dale, 2026-06-20); 100 % of their words are the same, three in a row, and of any other two texts 0 % at most; read it, and if you have evidence: candor hide {two} --reason fake_suspected\n"
        )
    );
    let near = LONG.replace("three others", "my brother");
    reviews
        .push(review(93).with("author", "Di Ford").with("date", "2026-07-09").with("text", near));
    let found = said(&reviews);
    assert!(found.contains("3 authors wrote nearly the same text"), "{found}");
    assert_eq!(suspects(&[found]).len(), 3, "of three none is believed");
    let short = ["Quick response and very professional. Highly recommended, thank you!"; 2];
    let reviews = (91..).zip(short).map(|(n, text)| review(n).with("text", text));
    assert_eq!(said(&[usual(), reviews.collect()].concat()), "", "many write a short text");
}

#[test]
fn many_vague_reviews_on_the_same_days_are_a_sign() {
    let on = |stars: u64, text: &'static str| {
        let of = (91..103).map(|n| review(n).with("date", "2026-09-05").with("text", text));
        let all: Vec<Review> = of.map(|it| it.with("rating", stars)).collect();
        [usual(), all].concat()
    };
    let found = said(&on(5, "Superb!"));
    let start = "content/reviews: warning[possible-fake]: 12 reviews of five stars within 2 days name nothing that is listed: ";
    assert!(found.starts_with(start) && found.contains("; usual here are 0.3; read it"), "{found}");
    assert_eq!(suspects(&[found]).len(), 12);
    assert!(said(&on(1, "Awful!")).contains("12 reviews of one star"));
    assert_eq!(said(&on(3, "So so.")), "", "nobody buys those");
    assert_eq!(said(&on(5, "Dwight fixed the drain.")), "", "they name work and people");
}

#[test]
fn a_burst_is_whole_whatever_was_written_the_day_before() {
    let on = |numbers: std::ops::Range<usize>, day: &'static str| {
        numbers.map(move |n| review(n).with("date", day).with("text", "Superb!").with("rating", 5))
    };
    let before = on(90..91, "2026-09-04");
    let burst = on(91..96, "2026-09-05").chain(on(96..99, "2026-09-06"));
    let found = said(&usual().into_iter().chain(before).chain(burst).collect::<Vec<_>>());
    assert!(found.contains(": 8 reviews of five stars within 2 days name nothing"), "{found}");
    assert_eq!(suspects(&[found]), (91..99).map(id).collect());
}

#[test]
fn an_author_who_writes_twice_within_days_is_a_sign() {
    let twice = |author: &str, date: &str| {
        let again = review(92).with("author", author.to_lowercase()).with("date", date);
        said(&[with(91, author, "2026-06-02", "Good work."), vec![again]].concat())
    };
    let (one, two) = (id(91), id(92));
    assert_eq!(
        twice("Bo Berg", "2026-06-09"),
        format!(
            "content/reviews: warning[possible-fake]: one author wrote twice within 7 days: {one} (Bo Berg, 2026-06-02), {two} (bo berg, 2026-06-09); so did 1 of 1 authors here; read it, and if you have evidence: candor hide {two} --reason duplicate\n"
        )
    );
    assert_eq!(twice("Bo Berg", "2026-06-10"), "", "later");
    assert_eq!(twice("Bo B.", "2026-06-03"), "", "an initial is that of several people");
    let many = (91..95).map(|n| review(n).with("author", "Google User").with("date", "2026-06-02"));
    let many: Vec<Review> = many.map(|it| it.with("text", "Dwight.")).collect();
    assert_eq!(said(&many), "", "a name of many");
}

#[test]
fn praise_of_something_else_is_a_sign_where_the_usual_words_are_known() {
    let usual = |count: usize| -> Vec<Review> {
        let text = |n: usize| {
            format!("Number {n} came on time and the repair of my pipes still holds today.")
        };
        (1..=count).map(|n| review(n).with("text", text(n)).with("author", "Ann")).collect()
    };
    let with = |count: usize, text: &str, stars: u64| {
        let odd = review(400).with("text", text).with("rating", stars).with("date", "2026-06-20");
        let project = site([usual(count), vec![odd]].concat());
        signs(&project)
            .into_iter()
            .filter(|sign| sign.contains(" fits no service"))
            .collect::<String>()
    };
    let haircut = "My haircut turned out exactly as I wanted and the colour is gorgeous.";
    let odd = id(400);
    assert_eq!(
        with(120, haircut, 5),
        format!(
            "content/reviews: warning[possible-fake]: praise fits no service: {odd} (Ann 400, 2026-06-20); 6 of its 6 longer words are in no other review, and 1 % in an average one; read it, and if you have evidence: candor hide {odd} --reason fake_suspected"
        )
    );
    let named = with(120, "The waiter at Luigi's Trattoria came on time and still holds today.", 5);
    assert!(named.contains("praise fits no service and names \"Luigi's Trattoria\": "), "{named}");
    assert_eq!(with(120, haircut, 2), "", "criticism is told in many words");
    let strange = "Westside Auto Repair ruined my brakes, and the dashboard lamp still flickers.";
    assert!(
        with(120, strange, 1)
            .contains("criticism fits no service and names \"Westside Auto Repair\": "),
        "{}",
        with(120, strange, 1)
    );
    assert_eq!(
        with(120, &haircut.replace("wanted", "wanted, Dwight"), 5),
        "",
        "it names a technician"
    );
    assert_eq!(with(80, haircut, 5), "", "too few texts to know what is usual");
}

#[test]
fn signs_are_for_the_owner_alone() {
    let project = site(with(91, "Ann 1", "2026-06-02", LONG));
    project.build();
    let before = project.tree("public");
    project.candor(["check", "--fakes"]).exits(0);
    assert_eq!(project.candor(["check"]).exits(0).err, "");
    project.build();
    assert_eq!(project.tree("public"), before);
    assert!(before.values().all(|bytes| !String::from_utf8_lossy(bytes).contains("possible-fake")));
}
