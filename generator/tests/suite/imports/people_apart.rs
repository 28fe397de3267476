//! Different people never become one review, whatever their rows have in common.

use serde_json::Value;

use super::{Project, identity::WORDS};

const HEAD: &str = "id,Name,Stars,Date,Text,Reply\n";

impl Project {
    fn table(&self, name: &str, rows: &[&str]) {
        self.write(name, format!("Name,Stars,Date,Text\n{}\n", rows.join("\n")));
    }

    fn import_all(&self, what: &str) -> super::super::project::Run {
        self.candor(["import", what, "--source", "google"])
    }

    /// Author, stars, text and answer of each stored review.
    fn imported(&self) -> Vec<[Value; 4]> {
        let of = |review: &Value| {
            [&review["author"], &review["rating"], &review["text"], &review["owner_reply"]["text"]]
                .map(Value::clone)
        };
        self.stored().iter().map(of).collect()
    }
}

/// Ids of several kinds, of which each file begins with the first.
const IDS: [[&str; 2]; 4] = [
    ["1", "2"],
    ["rv-0001", "rv-0002"],
    ["10000001", "10000002"],
    ["ChZDSUhNMG9nS0VJQ0FnSUR1", "ChZDSUhNMG9nS0VJQ0FnSUR2"],
];

#[test]
fn ids_that_begin_again_in_the_second_file_join_nobody() {
    let [first, second, third, ..] = WORDS;
    for [one, two] in IDS {
        let project = Project::new();
        let january = format!(
            "{HEAD}{one},Ann Bell,5,2026-01-02,{first},Thanks Ann\n{two},Joe Day,1,2026-01-04,{second},\n"
        );
        let february = format!(
            "{HEAD}{one},Kim Oak,1,2026-02-05,{third},\n{two},Lou Fox,4,2026-02-06,Nobody came and the phone was off for the whole of that day.,Thanks Lou\n"
        );
        project.write("x/2026-01.csv", january);
        project.write("x/2026-02.csv", february);
        let run = project.import_all("x").exits(0);
        run.says("new 4 ·").complains(
            "x/2026-02.csv: column id is not an id: in 2 of 2 rows that have the id of another review author and words are others; the reviews are matched by account, text, author and day",
        );
        let reviews = project.imported();
        for (author, stars, reply) in [
            ("Ann Bell", 5, Value::from("Thanks Ann")),
            ("Joe Day", 1, Value::Null),
            ("Kim Oak", 1, Value::Null),
            ("Lou Fox", 4, Value::from("Thanks Lou")),
        ] {
            let of = reviews.iter().find(|review| review[0] == author);
            assert!(of.is_some_and(|it| it[1] == stars && it[3] == reply), "{one}: {reviews:?}");
        }
        let before = project.tree("content/reviews");
        project.import_all("x").exits(0).says("new 0 · updated 0 · unchanged 4");
        assert_eq!(project.tree("content/reviews"), before);
    }
}

#[test]
fn ids_that_two_files_have_the_other_way_round_leave_both_reviews() {
    for [one, two] in IDS {
        let project = Project::new();
        let file = |ann: &str, joe: &str| {
            format!(
                "{HEAD}{ann},Ann Bell,5,2026-01-02,{},\n{joe},Joe Day,1,2026-01-04,{},\n",
                WORDS[0], WORDS[1]
            )
        };
        project.write("x/a.csv", file(one, two));
        project.write("x/b.csv", file(two, one));
        project.import_all("x").exits(0).says("new 2 ·");
        let authors: Vec<Value> =
            project.imported().into_iter().map(|[author, ..]| author).collect();
        assert_eq!(authors, ["Ann Bell", "Joe Day"], "{one}");
    }
}

#[test]
fn one_id_in_two_files_is_one_review_whose_author_has_other_words_or_another_name() {
    let project = Project::new();
    let file = |author: &str, text: &str| {
        format!(
            "{HEAD}{},{author},5,2026-01-02,{text},\n{},Joe Day,1,2026-01-04,Bad,\n",
            IDS[3][0], IDS[3][1]
        )
    };
    project.write("x/a.csv", file("Ann Bell", WORDS[0]));
    project.write("x/b.csv", file("Ann Bell", WORDS[2]));
    project.write("x/c.csv", file("Ann B.", WORDS[2]));
    project.import_all("x").exits(0).says("new 2 ·");
}

#[test]
fn one_text_under_another_name_with_other_stars_is_another_review() {
    let project = Project::new();
    project.table("a.csv", &[&format!("Ann Bell,5,2026-03-02,{}", WORDS[0])]);
    project.import_all("a.csv").exits(0);
    let id = project.stored()[0]["id"].as_str().unwrap_or_default().to_owned();
    project.candor(["hide", &id, "--reason", "personal_data"]).exits(0);
    for other in ["Kim Oak,1", "Kim Oak,5", "Ann Bo,1"] {
        project.table("b.csv", &[&format!("{other},2026-03-02,{}", WORDS[0])]);
        let run = project.candor(["import", "b.csv", "--source", "google", "--dry-run"]).exits(0);
        run.says("new 1 · updated 0");
    }
    // The same stars and the first letter of the name are those of a shortened name.
    project.table("b.csv", &[&format!("Ann B.,5,2026-03-02,{}", WORDS[0])]);
    project.import_all("b.csv").exits(0).says("new 0 · updated 1");
}

#[test]
fn one_text_of_two_new_names_is_of_neither() {
    let text = WORDS[0];
    let row = |name: &str| format!("{name},5,2026-03-02,{text}");
    let project = Project::new();
    project.table("a.csv", &[&row("Ann Bell"), &row("Joe Day")]);
    project.import_all("a.csv").exits(0);
    let id = |name: &str| {
        let stored = project.stored();
        stored.iter().find(|review| review["author"] == name).map(|review| review["id"].clone())
    };
    let ann = id("Ann Bell");
    project.table("b.csv", &[&row("Joe Day"), &row("Abe Oak"), &row("Ada Fox")]);
    project.import_all("b.csv").exits(0).says("new 2 · updated 0 · unchanged 1");
    assert_eq!(id("Ann Bell"), ann);
    assert!(ann.is_some());
}

#[test]
fn a_second_complaint_of_one_name_leaves_the_first() {
    let project = Project::new();
    project.table("a.csv", &["Maria,1,2026-03-02,Terrible"]);
    project.import_all("a.csv").exits(0);
    project.table("b.csv", &["Maria,1,2026-03-04,Never again"]);
    project.import_all("b.csv").exits(0).says("new 1 · updated 0");
    project.table("c.csv", &["Maria,1,2026-03-05,Never again in my life"]);
    project.import_all("c.csv").exits(0).says("new 0 · updated 1");
}

#[test]
fn of_two_rows_of_one_review_the_fewer_stars_count_and_it_is_said() {
    for (one, other) in [(1, 5), (5, 1)] {
        let project = Project::new();
        let row = |stars: u8| format!("Joe Day,{stars},2026-03-04,{}", WORDS[1]);
        project.table("x/a.csv", &[&row(one)]);
        project.table("x/b.csv", &[&row(other)]);
        project.import_all("x").exits(0).complains(
            "x/a.csv:2 and x/b.csv:2 are one review with other stars, and none is known to be newer; the fewest count: correct the row that is wrong",
        );
        assert_eq!(project.stored()[0]["rating"], 1);
    }
    // The later day is newer.
    let project = Project::new();
    project.table("x/a.csv", &[&format!("Joe Day,1,2026-03-04,{}", WORDS[1])]);
    project.table("x/b.csv", &[&format!("Joe Day,5,2026-03-06,{}", WORDS[1])]);
    let run = project.import_all("x").exits(0);
    assert!(!run.err.contains("other stars"), "{run:?}");
    assert_eq!(project.stored()[0]["rating"], 5);
}

#[test]
fn a_text_that_was_cut_off_replaces_no_whole_one() {
    for dots in ["…", "..."] {
        let whole = format!("Ann Bell,5,2026-03-02,{}", WORDS[0]);
        let cut = format!("Ann Bell,5,2026-03-02,{}{dots}", &WORDS[0][..30]);
        let project = Project::new();
        project.table("a.csv", &[&whole]);
        project.import_all("a.csv").exits(0);
        project.table("b.csv", &[&cut]);
        project.import_all("b.csv").exits(0).says("new 0 · updated 0 · unchanged 1");
        assert_eq!(project.stored()[0]["text"], WORDS[0]);
        project.table("c.csv", &[&format!("{cut} and then some")]);
        project.import_all("c.csv").exits(0).says("updated 1");
        // In one import, in either order; and the whole one replaces the one that was cut off.
        let project = Project::new();
        project.table("b.csv", &[&cut]);
        project.import_all("b.csv").exits(0);
        project.table("x/a.csv", &[&cut]);
        project.table("x/b.csv", &[&whole]);
        project.import_all("x").exits(0).says("updated 1");
        assert_eq!(project.stored()[0]["text"], WORDS[0]);
    }
}
