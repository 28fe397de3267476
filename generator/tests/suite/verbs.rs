//! Commands that show and change single reviews, so that nobody edits files of lines by hand.

use jiff::{Timestamp, civil::Date, tz::TimeZone};
use serde_json::{Value, json};

use super::{
    project::{BUSINESS, Project},
    review::{id, mixed, review},
};

const OVERRIDES: &str = "content/overrides.toml";

/// Reviews that an import brought: their source has ids.
fn imported() -> Project {
    let review = |n: usize| review(n).with("source_ids", json!([format!("g{n}")]));
    Project::new().reviews([review(1), review(2)])
}

fn published(project: &Project) -> Value {
    project.build();
    project.json("public/reviews.json")
}

fn shown(project: &Project, n: usize) -> Value {
    shown_by(project, &id(n))
}

fn shown_by(project: &Project, id: &str) -> Value {
    let run = project.candor(["show", id, "--json"]).exits(0);
    serde_json::from_str(&run.out).unwrap()
}

#[test]
fn a_review_is_hidden_and_published_again() {
    let project = imported();
    project.build();
    let run = project.candor(["hide", &id(1), "--reason", "off_topic", "--note", "a mail"]);
    let done =
        format!("hid {} in content/overrides.toml; publish the change with: candor build\n", id(1));
    assert_eq!((run.code, run.out), (0, done));
    let site = published(&project);
    assert_eq!(site["moderation"]["by_reason"], json!({ "off_topic": 1 }));
    assert_eq!(site["reviews"].as_array().unwrap().len(), 1);
    let view = shown(&project, 1);
    assert_eq!((&view["withheld"], &view["note"]), (&json!("off_topic"), &json!("a mail")));
    let before = project.text(OVERRIDES);
    let run = project.candor(["hide", &id(1), "--reason", "off_topic"]).exits(0);
    assert_eq!(run.out, format!("nothing was changed: {} is like that already\n", id(1)));
    assert_eq!(project.text(OVERRIDES), before, "not even the date");

    project.candor(["hide", &id(1), "--undo"]).exits(0).says("unhid");
    assert_eq!(published(&project)["reviews"].as_array().unwrap().len(), 2);
    // Readers that were told of the withdrawal learn of the return by its date.
    let changes = project.json("public/changes.json");
    let changed = &changes["changes"].as_array().unwrap()[0];
    assert_eq!(changed["id"], json!(id(1)), "{changes}");
}

#[test]
fn a_reason_is_one_of_the_closed_list() {
    let run = imported().candor(["hide", &id(1), "--reason", "one_star"]).exits(64);
    run.complains("must be one of personal_data, defamatory, off_topic");
    imported().candor(["hide", &id(1)]).exits(64).complains("--reason");
}

#[test]
fn a_reply_replaces_the_earlier_one_and_imports_keep_it() {
    let reply = json!({ "text": "Old.", "date": "2026-01-09" });
    let project = Project::new().reviews([
        review(1).with("owner_reply", reply).with("source_ids", json!(["g1"])),
        review(2),
    ]);
    project
        .candor(["reply", &id(1), " Thank you, \u{201c}Ann\u{201d}.\r\n "])
        .exits(0)
        .says("replied to");
    let site = published(&project);
    let reply = |site: &Value, n: usize| {
        let reviews = site["reviews"].as_array().unwrap().iter();
        reviews.clone().find(|review| review["id"] == id(n)).unwrap()["owner_reply"].clone()
    };
    assert_eq!(reply(&site, 1)["text"], "Thank you, \u{201c}Ann\u{201d}.");
    assert!(project.text("content/reviews/2026.ndjson").contains("Old."), "the import's own");
    let run = project.candor(["reply", &id(1), "Thank you, \u{201c}Ann\u{201d}."]).exits(0);
    assert!(run.out.contains("is like that already"), "{run:?}");
    project.candor(["reply", &id(1), "--remove"]).exits(0).says("removed the reply to");
    assert_eq!(reply(&published(&project), 1), Value::Null);
    project.candor(["reply", &id(2), "Thanks."]).exits(0);
    assert_eq!(reply(&published(&project), 2)["text"], "Thanks.");
    project.candor(["reply", &id(2), "--remove"]).exits(0);
    assert_eq!(reply(&published(&project), 2), Value::Null);
    project.candor(["reply", &id(2), " \n"]).exits(1).complains("the reply has no words");
    project.candor(["reply", &id(2)]).exits(64);
    project.candor(["check", "--strict"]).exits(0);
}

#[test]
fn corrections_go_to_the_overrides_with_comments_and_order_kept() {
    let project = imported();
    let text =
        format!("# ours\n[{}]\ndate = 2026-03-01\nnote = \"see mail\" # of March\n# end\n", id(2));
    project.write(OVERRIDES, &text);
    let edit = ["edit", &id(1), "--set", "author=Maria L.", "--set", "verified=true"];
    project.candor(edit.into_iter().chain(["--set", "disclosure=insider"])).exits(0);
    let changed = project.text(OVERRIDES);
    assert!(changed.starts_with(&text), "{changed}");
    assert!(
        changed.contains(
            "author = \"Maria L.\"\nverified = true\ndisclosure = { kind = \"insider\" }"
        ),
        "{changed}"
    );
    project.candor(["check", "--strict"]).exits(0);
    let view = shown(&project, 1);
    assert_eq!(view["author"], "Maria L.");
    assert_eq!(view["overrides"], json!(["author", "verified", "disclosure"]));
    project.candor(["edit", &id(1), "--set", "author="]).exits(0);
    assert_eq!(shown(&project, 1)["author"], "Ann 1");
}

#[test]
fn what_an_author_wrote_is_not_edited_in_an_imported_review() {
    let project = imported();
    let before = project.tree("content");
    for set in ["rating=5", "text=Better.", "date=2026-01-01", "source=yelp"] {
        let run = project.candor(["edit", &id(1), "--set", "author=Bo", "--set", set]).exits(1);
        let (field, _) = set.split_once('=').unwrap();
        assert_eq!(
            run.err,
            format!(
                "error: the {field} of an imported review is its author's: when it changes on google, the next import brings the change; candor hide {} --reason REASON withholds the review\n",
                id(1)
            )
        );
    }
    assert_eq!(project.tree("content"), before, "all or nothing");
}

#[test]
fn a_mention_is_of_somebody_who_is_listed() {
    let project = imported();
    project.write("content/services.toml", "[[service]]\nid = \"drains\"\nlabel = \"Drains\"\n");
    let before = project.tree("content");
    for (set, message) in [
        ("mentions.services=drain", "there is no service \"drain\"; did you mean \"drains\"?"),
        ("mentions.technicians=bo", "there is no technician \"bo\"; none is listed"),
    ] {
        let run = project.candor(["edit", &id(1), "--set", set]).exits(1);
        assert_eq!(run.err, format!("error: {message}\n"));
    }
    assert_eq!(project.tree("content"), before);
    project.candor(["edit", &id(1), "--set", "mentions.services=drains"]).exits(0);
    project.candor(["check", "--strict"]).exits(0);
}

/// An import that rejects a row because two stored reviews have its ids says what to do. This does it.
#[test]
fn two_stored_reviews_become_one_for_imports() {
    let stored = |n: usize, id: &str| review(n).with("source_ids", json!([id]));
    let project = Project::new().reviews([stored(1, "google:AbFvOq1"), stored(2, "ChZDSU1")]);
    let row = json!({
        "name": "accounts/1/locations/2/reviews/AbFvOq1", "reviewId": "ChZDSU1",
        "reviewer": { "displayName": "Ann 1" }, "starRating": "FIVE", "comment": "Changed.",
        "createTime": "2026-01-05T03:04:05Z", "updateTime": "2026-09-05T03:04:05Z",
    });
    project.write("a.json", json!({ "reviews": [row] }).to_string());
    project.candor(["import", "a.json"]).exits(1).complains("error[ambiguous]");
    project.candor(["edit", &id(1), "--set", "source_ids=AbFvOq1,ChZDSU1"]).exits(0);
    project.candor(["edit", &id(2), "--set", "source_ids="]).exits(0);
    project.candor(["hide", &id(2), "--reason", "duplicate"]).exits(0);
    project.candor(["import", "a.json"]).exits(0).says("updated 1");
    assert_eq!(shown(&project, 1)["text"], "Changed.");
    assert_eq!(shown(&project, 2)["withheld"], "duplicate");
}

#[test]
fn ids_at_the_source_say_nothing_to_readers() {
    let project = imported();
    let before = published(&project);
    project.candor(["edit", &id(1), "--set", "source_ids=g1, g9"]).exits(0);
    assert_eq!(shown(&project, 1)["source_ids"], json!(["g1", "g9"]));
    assert_eq!(published(&project), before);
}

#[test]
fn a_review_added_by_hand_is_edited_where_it_is_stored() {
    let project = Project::new().reviews(mixed(3));
    let other = project.text("content/reviews/2026.ndjson").lines().next().unwrap().to_owned();
    project
        .candor(["edit", &id(1), "--set", "rating=4", "--set", "text=Words, corrected."])
        .exits(0);
    let view = shown(&project, 1);
    assert_eq!((&view["rating"], &view["text"]), (&json!(4), &json!("Words, corrected.")));
    let run = project.candor(["edit", &id(1), "--set", "date=2024-02-03"]).exits(0);
    run.says("content/reviews/2024.ndjson");
    assert!(
        shown(&project, 1)["stored"].as_str().unwrap().starts_with("content/reviews/2024.ndjson")
    );
    let rest = project.text("content/reviews/2026.ndjson");
    assert_eq!((rest.lines().count(), rest.lines().next()), (2, Some(&*other)));
    project.candor(["edit", &id(1), "--set", "rating=6"]).exits(1).complains("rating");
    project.candor(["edit", &id(1), "--set", "date=2026-02-30"]).exits(1).complains("date");
    project.candor(["check", "--strict"]).exits(0).says("3 reviews");
}

#[test]
fn a_review_in_an_array_is_edited_too() {
    let project = Project::new();
    let array = format!("[\n{},\n{}\n]\n", review(1).line(), review(2).line());
    project.write("content/reviews.json", array);
    project.candor(["edit", &id(1), "--set", "rating=2"]).exits(0);
    assert_eq!(project.json("content/reviews.json").as_array().unwrap().len(), 1);
    assert_eq!(shown(&project, 1)["stored"], "content/reviews/2026.ndjson:1");
    project.candor(["check"]).exits(0).says("2 reviews");
}

#[test]
fn a_field_that_is_none_gets_a_suggestion() {
    let project = imported();
    let complains = |set: &str, words: &str| {
        project.candor(["edit", &id(1), "--set", set]).exits(64).complains(words);
    };
    complains("athor=Bo", "did you mean \"author\"?");
    complains("hidden=unlawful", "use candor hide, and candor hide ID --undo");
    complains("owner_reply=Hi", "use candor reply");
    complains("author", "write field=value");
    complains("verified=yes", "write true or false");
    let before = project.tree("content");
    project.candor(["edit", &id(1), "--set", "language=?"]).exits(1).complains("invalid-language");
    assert_eq!(project.tree("content"), before);
}

#[test]
fn an_id_is_any_beginning_that_no_other_has() {
    let project =
        Project::new().reviews([review(1), review(2).with("id", "01K00000000000000000000002")]);
    let run = project.candor(["show", "01k"]).exits(0);
    assert!(run.out.starts_with("id         01K00000000000000000000002\n"), "{run:?}");
    let run = project.candor(["hide", "01", "--reason", "unlawful"]).exits(1);
    assert_eq!(
        run.err,
        format!(
            "error: the ids of 2 reviews begin with 01: {}, 01K00000000000000000000002; write more of the id\n",
            id(1)
        )
    );
    let run = project.candor(["reply", "01M", "Hi."]).exits(1);
    assert_eq!(run.err, "error: there is no review 01M; candor list shows the ids\n");
    project.candor(["show", "nobody"]).exits(64).complains("candor list shows the ids");
}

#[test]
fn a_date_is_shown_as_exactly_as_it_is_known() {
    let project = Project::new().reviews([review(1).with("date_precision", "week")]);
    project.candor(["list"]).exits(0).says(&format!("{}  2026-01     5  google", id(1)));
    project.candor(["show", &id(1)]).exits(0).says("date       2026-01\n");
    assert_eq!(shown(&project, 1)["date_precision"], "month");
}

#[test]
fn reviews_are_listed_newest_first_and_filtered() {
    let project = Project::new().reviews([
        review(1).with("rating", 1).with("text", "The boiler\nis loud."),
        review(2).with("owner_reply", json!({ "text": "Thanks!", "date": null })),
        review(3).with("source", "nowhere"),
    ]);
    let listed = |arguments: &[&str]| {
        let arguments = ["list", "--json"].into_iter().chain(arguments.iter().copied());
        let run = project.candor(arguments).exits(0);
        let views: Vec<Value> = serde_json::from_str(&run.out).unwrap();
        views.iter().map(|view| view["id"].as_str().unwrap().to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(listed(&[]), [id(3), id(2), id(1)]);
    assert_eq!(listed(&["--rating", "1,2"]), [id(1)]);
    assert_eq!(listed(&["--since", "2026-01-03"]), [id(3), id(2)]);
    assert_eq!(listed(&["--unanswered"]), [id(3), id(1)]);
    assert_eq!(listed(&["--search", "BOILER"]), [id(1)]);
    assert_eq!(listed(&["--search", "thanks"]), [id(2)]);
    assert_eq!(listed(&["--search", "nothing"]), [] as [String; 0]);
    let run = project.candor(["list"]).exits(0);
    assert_eq!(
        run.out,
        format!(
            "{}  2026-01-04  5  nowhere  Ann 3: Words of review 3.  [withheld: unverified]\n\
             {}  2026-01-03  5  google  Ann 2: Words of review 2.  [answered]\n\
             {}  2026-01-02  1  google  Ann 1: The boiler is loud.\n3 of 3 reviews\n",
            id(3),
            id(2),
            id(1)
        )
    );
}

#[test]
fn a_list_without_a_broken_line_says_so_and_fails() {
    let project = Project::new().reviews([review(1), review(2).with("rating", 6)]);
    let run = project.candor(["list"]).exits(1).complains("error[invalid-value]");
    assert!(run.out.ends_with("1 of 1 review\n"), "{run:?}");
}

#[test]
fn broken_overrides_are_reported_and_stay() {
    let project = imported();
    project.write(OVERRIDES, "[01J\n");
    let run = project.candor(["hide", &id(1), "--reason", "unlawful"]).exits(1);
    run.complains("error[toml-syntax]").complains("nothing was changed; correct what is above");
    assert_eq!(project.text(OVERRIDES), "[01J\n");
}

#[cfg(unix)]
#[test]
fn every_verb_that_changes_content_takes_the_lock() {
    let project = Project::new().reviews([review(1)]);
    let folder = std::fs::File::open(project.path("content")).unwrap();
    folder.lock().unwrap();
    let one = id(1);
    for verb in [
        &["edit", &one, "--set", "author=Bo"][..],
        &["reply", &one, "Hi."],
        &["hide", &one, "--reason", "unlawful"],
        &["hide", &one, "--undo"],
        &["forget", &one],
        &["new", "review", "--author", "Bo", "--rating", "5"],
    ] {
        let run = project.candor(verb.iter().copied()).exits(1);
        let held = "error: another command is changing content; wait for it to end\n";
        assert_eq!(run.err, held, "{verb:?}");
    }
    for verb in [&["list"][..], &["show", &one]] {
        project.candor(verb.iter().copied()).exits(0);
    }
}

#[test]
fn every_change_prints_the_review_as_json() {
    let project = Project::new().reviews([review(1)]);
    let one = id(1);
    for (verb, key, value) in [
        (&["edit", &one, "--set", "author=Bo"][..], "author", json!("Bo")),
        (&["reply", &one, "--remove"], "owner_reply", Value::Null),
        (&["hide", &one, "--reason", "unlawful"], "withheld", json!("unlawful")),
        (&["hide", &one, "--undo"], "withheld", Value::Null),
        (&["edit", &one, "--set", "source_ids=g7"], "source_ids", json!(["g7"])),
    ] {
        let run = project.candor(verb.iter().copied().chain(["--json"])).exits(0);
        let view: Value = serde_json::from_str(&run.out).unwrap();
        assert_eq!((&view["id"], &view[key]), (&json!(one), &value), "{verb:?}");
    }
    let new = ["new", "review", "--author", "Bo", "--rating", "5", "--json"];
    let view: Value = serde_json::from_str(&project.candor(new).exits(0).out).unwrap();
    assert_eq!(shown_by(&project, view["id"].as_str().unwrap()), view);
}

#[test]
fn today_is_the_day_of_the_business() {
    let now = Timestamp::now();
    // A zone in which it is another day than in UTC, and not about midnight.
    let is_late = now.to_zoned(TimeZone::UTC).hour() >= 11;
    let name = if is_late { "Pacific/Kiritimati" } else { "Etc/GMT+12" };
    let today = now.to_zoned(TimeZone::get(name).unwrap()).date();
    assert_ne!(today, now.to_zoned(TimeZone::UTC).date());
    let project = Project::new();
    project.write("content/business.toml", BUSINESS.replace("America/Chicago", name));
    let new = ["new", "review", "--author", "Bo", "--rating", "5", "--json"];
    let run = project.candor(new).exits(0);
    let id = serde_json::from_str::<Value>(&run.out).unwrap()["id"].as_str().unwrap().to_owned();
    project.candor(["reply", &id, "Thank you."]).exits(0);
    let view = shown_by(&project, &id);
    assert_eq!(view["date"], json!(today.to_string()));
    assert_eq!(view["owner_reply"]["date"], json!(today.to_string()));
    let dated = |day: Date| {
        let day = day.to_string();
        project.candor(["new", "review", "--author", "Cy", "--rating", "4", "--date", &day])
    };
    let tomorrow = today.tomorrow().unwrap();
    let said = format!(
        "error: nothing was added: --date {tomorrow} is in the future: today is {today} in {name}, the time_zone of business.toml; correct it\n"
    );
    assert_eq!(dated(tomorrow).exits(1).err, said);
    dated(today).exits(0);
    dated(today.yesterday().unwrap()).exits(0);
    project.candor(["check"]).exits(0);
}
