//! Nothing that a command does and reports as done leaves content that `check` refuses.

use proptest::prelude::*;

use super::Project;

/// A command, with the number of the stored review that it is about.
#[derive(Clone, Debug)]
enum Step {
    Import(String, Vec<&'static str>),
    New(Vec<String>),
    Edit(usize, String),
    Reply(usize, &'static str),
    Hide(usize, &'static str),
    Undo,
}

const DATES: [&str; 8] = [
    "2026-01-02",
    "12/11/2026",
    "13/04/2025",
    "Feb 2026",
    "2099-01-01",
    "2023",
    "1970-01-01",
    "soon",
];
const AUTHORS: [&str; 6] =
    ["Ann", "ann@example.com", "A\u{202e}nn", "", "Zo\u{eb} Day", "Anonymous"];
const TEXTS: [&str; 5] = [
    "",
    "Good",
    "G\u{200b}ood &amp; <br> tidy",
    "The men came on time and left the kitchen as clean as it had been.",
    "\u{fffd}\u{7}",
];

fn import() -> impl Strategy<Value = Step> {
    let pick = prop::sample::select::<&str>;
    let row = (
        pick(AUTHORS.to_vec()),
        pick(vec!["5", "1", "4", "0", "4.5", "6", "five"]),
        pick(DATES.to_vec()),
        pick(TEXTS.to_vec()),
        pick(vec!["", "1", "2", "abcdefgh1234567"]),
        pick(vec!["published", "spam", "pending", "odd"]),
        pick(vec!["", "Thanks", "  "]),
    );
    let row = row.prop_map(|(author, rating, date, text, id, status, reply)| {
        format!("{author},{rating},{date},\"{text}\",{id},{status},{reply}\n")
    });
    let flags = prop::sample::subsequence(
        vec!["--keep-going", "--html-entities", "--best=6", "--remove-replies"],
        0..3,
    );
    (prop::collection::vec(row, 1..6), flags).prop_map(|(rows, flags)| {
        Step::Import("author,rating,date,text,id,status,reply\n".to_owned() + &rows.concat(), flags)
    })
}

fn step() -> impl Strategy<Value = Step> {
    let pick = prop::sample::select::<&str>;
    let new = (pick(AUTHORS.to_vec()), 0..7_u8, pick(DATES.to_vec()), pick(TEXTS.to_vec()))
        .prop_map(|(author, rating, date, text)| {
            let (rating, options) =
                (rating.to_string(), ["--author", "--rating", "--date", "--text"]);
            let values = [author, rating.as_str(), date, text];
            Step::New(
                options
                    .iter()
                    .zip(values)
                    .flat_map(|(option, value)| [(*option).to_owned(), value.to_owned()])
                    .collect(),
            )
        });
    let set = (
        pick(vec![
            "text",
            "author",
            "date",
            "rating",
            "source_ids",
            "language",
            "disclosure",
            "verified",
        ]),
        pick([&DATES[..], &AUTHORS, &TEXTS, &["5", "true", "employee"]].concat()),
    )
        .prop_map(|(field, value)| format!("{field}={value}"));
    prop_oneof![
        3 => import(),
        2 => new,
        2 => (0..9_usize, set).prop_map(|(at, set)| Step::Edit(at, set)),
        1 => (0..9_usize, pick(TEXTS.to_vec())).prop_map(|(at, text)| Step::Reply(at, text)),
        1 => (0..9_usize, pick(vec!["duplicate", "spam", "personal_data", "odd"])).prop_map(|(at, reason)| Step::Hide(at, reason)),
        1 => Just(Step::Undo),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn check_accepts_what_every_command_leaves(steps in prop::collection::vec(step(), 1..8)) {
        let project = Project::new();
        for step in steps {
            let id = |at: usize| -> Option<String> {
                let stored = if project.path("content/reviews").exists() { project.stored() } else { Vec::new() };
                Some(stored.get(at % stored.len().max(1))?["id"].as_str()?.to_owned())
            };
            let command: Vec<String> = match &step {
                Step::Import(table, flags) => {
                    project.write("a.csv", table);
                    ["import", "a.csv", "--source", "direct"].iter().chain(flags).map(|part| (*part).to_owned()).collect()
                }
                Step::New(options) => ["new", "review"].map(str::to_owned).into_iter().chain(options.clone()).collect(),
                Step::Edit(at, set) => match id(*at) {
                    Some(id) => vec!["edit".to_owned(), id, "--set".to_owned(), set.clone()],
                    None => continue,
                },
                Step::Reply(at, text) => match id(*at) {
                    Some(id) => vec!["reply".to_owned(), id, (*text).to_owned()],
                    None => continue,
                },
                Step::Hide(at, reason) => match id(*at) {
                    Some(id) => vec!["hide".to_owned(), id, "--reason".to_owned(), (*reason).to_owned()],
                    None => continue,
                },
                Step::Undo => vec!["import".to_owned(), "--undo".to_owned()],
            };
            let run = project.candor(command.iter().map(String::as_str));
            prop_assert!(matches!(run.code, 0 | 1 | 64), "{:?} {:?}", command, run);
            if run.code == 0 {
                let check = project.candor(["check"]);
                prop_assert!(check.code == 0, "after {:?} {:?}:\n{}", command, step, check.err);
            }
        }
    }
}
