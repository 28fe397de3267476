//! An id joins a row with a stored review only where something else agrees.

use std::collections::BTreeMap;

use proptest::prelude::*;
use serde_json::Value;

use super::Project;

/// Reviews of a file that somebody keeps by hand: two of one author, two without a name.
const REVIEWS: [(&str, u8, &str, &str); 7] = [
    ("Ann Bell", 5, "2026-01-31", "The fitters were quick and tidy and explained every step."),
    ("Joe Day", 1, "2026-01-20", "They forgot the part, so that we waited for four more days."),
    ("Kim Oak", 3, "2026-01-10", "Good work"),
    ("Ann Bell", 4, "2025-12-24", "The second visit was as tidy as the first one was."),
    ("Anonymous", 5, "2025-12-01", "Great service!"),
    ("Anonymous", 2, "2025-11-30", ""),
    ("Lee Fox", 5, "2025-11-30", ""),
];

/// A file that numbers its rows.
fn numbered(reviews: &[usize]) -> String {
    let mut file = "id,author,rating,date,text\n".to_owned();
    for (number, &review) in (1..).zip(reviews) {
        let (author, rating, date, text) = REVIEWS[review];
        file += &format!("{number},{author},{rating},{date},\"{text}\"\n");
    }
    file
}

impl Project {
    fn import_numbered(&self, reviews: &[usize]) -> super::super::project::Run {
        self.write("kept.csv", numbered(reviews));
        self.candor(["import", "kept.csv", "--source", "direct"]).exits(0)
    }

    /// Author and words of each stored review.
    fn people(&self) -> BTreeMap<String, (Value, Value)> {
        let person = |review: &Value| (review["author"].clone(), review["text"].clone());
        let id = |review: &Value| review["id"].as_str().unwrap().to_owned();
        self.stored().iter().map(|review| (id(review), person(review))).collect()
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn numbers_of_rows_move_no_review_to_another_person(
        files in prop::collection::vec(
            (Just((0..REVIEWS.len()).collect::<Vec<_>>()).prop_shuffle(), 1..=REVIEWS.len()), 2..5
        )
    ) {
        let project = Project::new();
        let mut before = BTreeMap::new();
        for (order, count) in files {
            project.import_numbered(&order[..count]);
            let people = project.people();
            for (id, person) in &before {
                prop_assert_eq!(people.get(id), Some(person));
            }
            before = people;
        }
        let mut people: Vec<String> = before.values().map(|person| format!("{person:?}")).collect();
        let all = people.len();
        people.sort();
        people.dedup();
        prop_assert_eq!(people.len(), all, "nobody is there twice");
    }
}

#[test]
fn a_row_on_top_is_one_new_review_and_the_file_is_said_to_have_no_ids() {
    let project = Project::new();
    project.import_numbered(&[1, 2, 3]);
    let before = project.people();
    let run = project.import_numbered(&[0, 1, 2, 3]);
    run.says("new 1 · updated 0 · unchanged 3").complains(
        "kept.csv: column id is not an id: in 3 of 3 rows that have the id of another review author and words are others; the reviews are matched by account, text, author and day",
    );
    let people = project.people();
    assert!(before.iter().all(|(id, person)| people.get(id) == Some(person)), "{people:?}");
}

#[test]
fn a_number_that_a_new_row_has_is_no_id_of_the_review_that_had_it() {
    let project = Project::new();
    project.import_numbered(&[0, 1, 2]);
    let run = project.import_numbered(&[0, 6, 2]);
    run.says("new 1 · updated 0 · unchanged 2").complains(
        "kept.csv: column id is not an id: in 1 of 3 rows that have the id of another review author and words are others; the reviews are matched by account, text, author and day",
    );
    assert_eq!(project.stored().len(), 4);
}

#[test]
fn what_was_forgotten_under_a_number_does_not_forget_another_person() {
    let project = Project::new();
    project.import_numbered(&[1, 2, 3]);
    let people = project.people();
    let (id, _) = people.iter().find(|(_, person)| person.0 == "Joe Day").unwrap();
    project.candor(["forget", id]).exits(0);
    project.import_numbered(&[0, 1, 2, 3]).says("new 1").says("forgotten 1");
    assert!(project.people().values().any(|person| person.0 == "Ann Bell"));
    assert!(project.people().values().all(|person| person.0 != "Joe Day"));
}

#[test]
fn one_id_for_different_authors_is_no_id() {
    let project = Project::new();
    project.write(
        "same.csv",
        "Review ID,Rating,Review Text,Date,Reviewer\n\
         same-same,FIVE,The fitters were quick and tidy.,2026-01-31T20:59:57Z,Ann Bell\n\
         same-same,FOUR,Good work though a little late.,2026-01-20T20:59:57Z,Joe Day\n\
         same-same,TWO,They forgot the part.,2026-01-10T20:59:57Z,Kim Oak\n",
    );
    let run = project.candor(["import", "same.csv", "--source", "google"]).exits(0);
    run.says("new 3").complains("\"same-same\" is in rows of different reviews");
    let people = project.people();
    let authors: Vec<&Value> = people.values().map(|person| &person.0).collect();
    assert_eq!(authors.len(), 3, "{authors:?}");
}

#[test]
fn an_id_that_a_platform_made_keeps_a_review_whose_author_has_another_name_or_other_words() {
    let project = Project::new();
    let file = |author: &str, text: &str| {
        format!(
            "id,author,rating,date,text\n\
             ChZDSUhNMG9nS0VJQ0FnSURpbGx3YXRlcl8x,{author},5,2026-01-31,{text}\n\
             ChZDSUhNMG9nS0VJQ0FnSURpbGx3YXRlcl8y,Joe Day,4,2026-01-30,Good work\n"
        )
    };
    project.write("a.csv", file("Ann Bell", "Quick and tidy"));
    project.candor(["import", "a.csv", "--source", "google"]).exits(0);
    for (author, text) in
        [("Ann B.", "Quick and tidy"), ("Ann B.", "Quick and tidy and they called before")]
    {
        project.write("a.csv", file(author, text));
        let run = project.candor(["import", "a.csv", "--source", "google"]).exits(0);
        run.says("new 0 · updated 1 · unchanged 1");
    }
    // Unless both are others, whatever day and stars are.
    project.write("a.csv", file("Kim Oak", "Lovely"));
    let run = project.candor(["import", "a.csv", "--source", "google"]).exits(0);
    run.says("new 1 · updated 0 · unchanged 1").complains(
        "a.csv: 1 of 2 rows have the id of a review of another author with other words; they are new reviews without an id",
    );
}

#[test]
fn a_day_in_the_future_is_refused_with_the_other_way_to_read_it() {
    let project = Project::new();
    let table = |date: &str| format!("author,rating,date,text\nAnn,5,{date},Good work\n");
    project.write("a.csv", table("12/11/2098") + "Joe,4,25/06/2025,Fine\n");
    let run = project.candor(["import", "a.csv", "--source", "direct"]).exits(1);
    run.complains(
        "a.csv:2: error[invalid-date]: date: \"12/11/2098\" is 2098-11-12, which is in the future; say how the dates of the file are written with --date-format, or correct the row",
    );
    let (today, month) = (jiff::Zoned::now().date(), jiff::ToSpan::months(2));
    // The month after the next, read with the day first, and with the month first a day that was.
    let later = today.checked_add(month).unwrap().with().day(1).build().unwrap();
    let both = format!("01/{:02}/{}", later.month(), later.year());
    project.write("a.csv", table(&both) + "Joe,4,25/06/2025,Fine\n");
    let other = jiff::civil::date(later.year(), 1, later.month());
    if other < today {
        let run = project.candor(["import", "a.csv", "--source", "direct"]).exits(1);
        run.complains(&format!(
            "is {later}, which is in the future; the other way round it is {other}"
        ));
    }
    assert!(!project.path("content/reviews").join("2098.ndjson").exists());
    let run =
        project.candor(["import", "a.csv", "--source", "direct", "--relative-to", "2098-01-01"]);
    run.exits(1).complains(
        "--relative-to 2098-01-01 is in the future; name the day on which the export was made",
    );
}

#[test]
fn a_review_by_hand_is_none_of_a_platform_and_none_of_the_future() {
    let project = Project::new();
    let new = |author: &str, more: &[&str]| {
        let mut arguments = vec!["new", "review", "--author", author, "--rating", "5"];
        arguments.extend(more);
        project.candor(arguments)
    };
    project.write(
        "content/business.toml",
        "name = \"Acme\"\n[verification]\nplatforms = [\"google\"]\n",
    );
    new("Ann", &["--source", "google"]).exits(1).complains(
        "google is listed in platforms of [verification], so its reviews are those posted there: bring them in with candor import; a review that you received yourself is --source direct",
    );
    new("Ann", &["--date", "2099-01-01"])
        .exits(1)
        .complains("nothing was added: --date 2099-01-01 is in the future: today is ");
    assert!(!project.path("content/reviews").exists());
    new("ann@example.com", &["--text", "Good work"])
        .exits(0)
        .says("the author is an e-mail address or a telephone number, which was left out: the review is anonymous");
    assert_eq!(project.stored()[0]["author"], "Anonymous");
    let id = project.stored()[0]["id"].as_str().unwrap().to_owned();
    project
        .candor(["edit", &id, "--set", "date=2099-01-01"])
        .exits(1)
        .complains("nothing was changed: the date 2099-01-01 is in the future; correct it");
    project.candor(["check"]).exits(0);
}

#[test]
fn the_number_of_a_customer_is_not_the_id_of_a_review() {
    let project = Project::new();
    let row =
        |stars: u8, month: u8, text: &str| format!("4711,Ann Bo,{stars},2026-0{month}-05,{text}\n");
    let both =
        [row(5, 1, "Lovely work in our bathroom"), row(1, 3, "The second time they came late")];
    for rows in [both.concat(), both.iter().rev().cloned().collect()] {
        project.write("a.csv", format!("id,author,rating,date,text\n{rows}"));
        project.candor(["import", "a.csv", "--source", "direct"]).exits(0);
        let stored = project.stored();
        assert_eq!(stored.iter().map(|review| &review["rating"]).collect::<Vec<_>>(), [5, 1]);
    }
    // A platform's own id is that of one review, which was edited: the newer one counts.
    for order in [[0, 1], [1, 0]] {
        let project = Project::new();
        let rows: String = order
            .iter()
            .map(|&n: &usize| both[n].replace("4711", "ChZDSUhNMG9nS0VJQ0FnSURAAAA"))
            .collect();
        project.write("a.csv", format!("id,author,rating,date,text\n{rows}"));
        project.candor(["import", "a.csv", "--source", "google"]).exits(0).says("new 1");
        assert_eq!(project.stored()[0]["rating"], 1);
    }
}

pub(super) const WORDS: [&str; 6] = [
    "The boiler was fixed on the same day and the kitchen left clean.",
    "We waited for a whole week until somebody called us back at all.",
    "Polite technician and a clear price so we would call them again.",
    "Good",
    "Bad",
    "",
];
const AUTHORS: [&str; 5] = ["Ann Bell", "Joe Day", "Kim Oak", "Anonymous", "Lou Fox"];
const DAYS: [&str; 3] = ["2026-03-02", "2026-03-03", "2026-05-01"];

/// Author, words, stars and day of a review, by their numbers.
type Written = (usize, usize, bool, usize);

fn row(id: &str, (author, words, is_good, day): Written, reply: &str) -> String {
    let stars = if is_good { 5 } else { 1 };
    format!("{id},{},{stars},{},{},{reply}\n", AUTHORS[author], DAYS[day], WORDS[words])
}

/// An id of a kind: a number of a row, one that a program counts on, Google's, a UUID.
fn id_of(kind: usize, number: usize) -> String {
    match kind {
        0 => (number + 1).to_string(),
        1 => (9_912_345_671 + number).to_string(),
        2 => format!("ChZDSUhNMG9nS0VJQ0FnSUR{}", ["u", "v", "w", "x", "y", "z"][number]),
        _ => format!("6b1d3c4e-1111-4a4a-9b9b-aaaaaaaaaa{number:02}"),
    }
}

/// Author, words and answer of each stored review.
fn stored_people(project: &Project) -> BTreeMap<String, [Value; 3]> {
    let person = |review: &Value| {
        [&review["author"], &review["text"], &review["owner_reply"]["text"]].map(Value::clone)
    };
    let id = |review: &Value| review["id"].to_string();
    project.stored().iter().map(|review| (id(review), person(review))).collect()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn ids_of_every_kind_in_another_order_move_no_review_to_another_person(
        written in prop::collection::vec((0..5_usize, 0..6_usize, any::<bool>(), 0..3_usize), 2..5),
        kind in 0..4_usize,
        order in Just((0..5).collect::<Vec<usize>>()).prop_shuffle(),
        above in prop::option::of((any::<bool>(), 0..2_usize)),
        split in 0..5_usize,
        restarts: bool,
    ) {
        let mut written = written;
        let mut known = std::collections::BTreeSet::new();
        // Where ids begin again, a second review of an author is the first one in other words.
        // One with the same words is the same review without its name, or under another.
        let mut texts = std::collections::BTreeSet::new();
        let is_of_author = restarts && split > 0;
        written.retain(|(author, words, ..)| !is_of_author || *author != 3 && texts.insert(*words));
        written.retain(|(author, words, ..)| known.insert((*author, if is_of_author { 0 } else { *words })));
        let count = written.len();
        let header = "review_id,name,stars,date,text,reply\n";
        let project = Project::new();
        // The rows are in one file, or divided over two.
        let import = |rows: &[String]| {
            let (first, second) = rows.split_at(if split == 0 { rows.len() } else { split.min(rows.len()) });
            project.write("x/a.csv", header.to_owned() + &first.concat());
            project.write("x/b.csv", header.to_owned() + &second.concat());
            let files = if second.is_empty() { "x/a.csv" } else { "x" };
            project.candor(["import", files, "--source", "google"])
        };
        let numbered = (0..).zip(&written);
        let number = |n: usize| if restarts && split > 0 && n >= split { n - split } else { n };
        let first = numbered.map(|(n, it)| row(&id_of(kind, number(n)), *it, &format!("Thanks {n}")));
        if import(&first.collect::<Vec<_>>()).code != 0 {
            return Ok(());
        }
        let before = stored_people(&project);
        prop_assert_eq!(before.len(), count);
        for (n, (author, words, ..)) in (0..).zip(&written) {
            let is_there = |[name, text, answer]: &[Value; 3]| {
                *name == AUTHORS[*author]
                    && text.as_str().unwrap_or("") == WORDS[*words]
                    && *answer == format!("Thanks {n}")
            };
            prop_assert!(before.values().any(is_there), "{:?} {:?}", written[n], before);
        }
        let order: Vec<usize> = order.into_iter().filter(|n| *n < count).collect();
        let rows: Vec<String> = (0..count)
            .map(|n| {
                let id = if above.is_some() { n + 1 } else { order[n] };
                row(&id_of(kind, id), written[n], &format!("Thanks {n}"))
            })
            .collect();
        let new = above.map(|(is_good, day)| {
            let id = id_of(kind, 0);
            row(&id, (0, 5, is_good, day), "").replace("Ann Bell", "Zed New").replace(",,\n", ",Words of nobody else in here.,\n")
        });
        let all: Vec<String> = new.into_iter().chain(rows).collect();
        let run = import(&all);
        let after = stored_people(&project);
        for (id, person) in &before {
            prop_assert_eq!(after.get(id), Some(person), "{:?}", run);
        }
        if run.code == 0 {
            // In a file of its own an id that nothing else has is believed: its review may be there twice.
            let may_be_twice = match (split, restarts) {
                (0, _) => 0,
                (_, true) => count,
                _ => usize::from(above.is_some()),
            };
            prop_assert!((all.len()..=all.len() + may_be_twice).contains(&after.len()), "{:?}", run);
            // And once more nothing changes.
            let tree = project.tree("content/reviews");
            import(&all).exits(0);
            prop_assert_eq!(project.tree("content/reviews"), tree);
        }
    }
}

#[test]
fn a_review_whose_id_a_new_one_took_is_found_without_it() {
    let project = Project::new();
    let lou = "Lou Fox,1,2026-03-02,,Thanks\n";
    let import = |rows: String| {
        project.write("a.csv", format!("review_id,name,stars,date,text,reply\n{rows}"));
        project.candor(["import", "a.csv", "--source", "google"]).exits(0)
    };
    import(format!("{},{lou}", id_of(2, 0))).says("new 1 ·");
    let above = format!("{},Zed New,1,2026-05-01,{},\n", id_of(2, 0), WORDS[1]);
    import(format!("{above}{},{lou}", id_of(2, 1)))
        .says("new 1 · updated 0 · unchanged 1 ·")
        .complains("a.csv: column review_id is not an id: in 1 of 1 rows that have the id of another review");
}

#[test]
fn what_is_hidden_stays_hidden_when_two_people_change_their_ids() {
    let project = Project::new();
    let ids = [id_of(2, 0), id_of(2, 1)];
    let file = |[ann, joe]: [&String; 2]| {
        format!(
            "review_id,name,stars,date,text\n{ann},Ann Bell,1,2026-03-02,{}\n{joe},Joe Day,1,2026-03-02,Bad\n",
            WORDS[0]
        )
    };
    project.write("a.csv", file([&ids[0], &ids[1]]));
    project.candor(["import", "a.csv", "--source", "google"]).exits(0);
    let before = project.tree("content/reviews");
    project.write("a.csv", file([&ids[1], &ids[0]]));
    project.candor(["import", "a.csv", "--source", "google"]).exits(0).says("unchanged 2").complains(
        "a.csv: column review_id is not an id: in 2 of 2 rows that have the id of another review author and words are others",
    );
    assert_eq!(project.tree("content/reviews"), before);
}
