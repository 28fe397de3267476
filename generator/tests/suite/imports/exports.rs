//! Small exports that each show one thing which real exports do, and what is right for each.

use serde_json::{Value, json};

use super::Project;

/// Imports a file of the fixtures, and says what is stored of it: each review as `stars date author: text`.
fn import(
    project: &Project,
    name: &str,
    flags: &[&str],
) -> (super::super::project::Run, Vec<String>) {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/fixtures/exports/").to_owned() + name;
    let run = project.candor([&["import", &*path], flags].concat());
    let text = |value: &Value| value.as_str().unwrap_or_default().replace('\n', "/");
    let stored =
        if project.path("content/reviews").exists() { project.stored() } else { Vec::new() };
    let stored = stored.iter().map(|review| {
        let (date, author) = (text(&review["date"]), text(&review["author"]));
        format!("{} {date} {author}: {}", review["rating"], text(&review["text"]))
    });
    (run, stored.collect())
}

const GOOGLE: [&str; 2] = ["--source", "google"];

#[test]
fn same_id_in_every_row_is_no_id() {
    let (run, stored) = import(&Project::new(), "01-same-id.csv", &GOOGLE);
    run.exits(0).complains("column Review ID is not an id").complains("rows of different reviews");
    assert_eq!(stored.len(), 3);
}

#[test]
fn white_space_is_not_words() {
    for order in [["1", "2"], ["2", "1"]] {
        let project = Project::new();
        import(&project, &format!("03-whitespace-{}.json", order[0]), &GOOGLE).0.exits(0);
        let (run, stored) = import(&project, &format!("03-whitespace-{}.json", order[1]), &GOOGLE);
        run.exits(0).says("new 0");
        assert_eq!(stored.len(), 1);
        assert!(stored[0].starts_with("5 2024-06-01 "), "the earlier date: {stored:?}");
    }
}

#[test]
fn a_translation_is_not_the_customers_words() {
    let project = Project::new();
    import(&project, "04-translated.json", &GOOGLE).0.exits(0);
    let stored = project.stored();
    assert_eq!(stored[0]["text"], "Très bon service, merci à toute l'équipe.");
    assert_eq!(
        (&stored[1]["text"], &stored[1]["translation"]["text"]),
        (&json!("Gute Arbeit"), &json!("Good work"))
    );
}

#[test]
fn a_source_column_is_believed_and_not_the_flag() {
    let project = Project::new();
    let (run, stored) = import(&project, "05-source-column.json", &GOOGLE);
    run.exits(1).complains("its column source says where its reviews come from: fictive 1 (no platform), google 1; choose with --only-source NAME");
    assert!(stored.is_empty());
    let (run, stored) = import(&project, "05-source-column.json", &["--only-source", "google"]);
    run.exits(0).says("of another source 1");
    assert_eq!(stored.len(), 1);
    let (run, _) = import(&project, "05-source-column.json", &["--only-source", "yelp"]);
    run.exits(1).complains("none is of --only-source yelp");
    project.write("a.csv", "author,rating,date,platform\nAnn,5,2026-01-02,Trustpilot\n");
    project
        .candor(["import", "a.csv", "--source", "google"])
        .exits(1)
        .complains("says where its reviews come from: trustpilot 1; --source is for rows that name no platform, so leave --source google away");
    project.candor(["import", "a.csv"]).exits(0).says("1 review from trustpilot");
    project
        .write("b.csv", "author,rating,date,platform\nAnn,5,2026-01-02,Yelp\nBen,5,2026-01-03,\n");
    project
        .candor(["import", "b.csv"])
        .exits(1)
        .complains("error[no-source]: source: the row does not say which platform it comes from; name the platform of such rows with --source");
    project.candor(["import", "b.csv", "--source", "direct"]).exits(1).complains(
        "says where its reviews come from: direct 1, yelp 1; choose with --only-source NAME",
    );
    project.write("content/import.toml", "[import]\nonly_sources = [\"yelp\", \"direct\"]\n");
    project.candor(["import", "b.csv", "--source", "direct"]).exits(0).says("new 2");
    project.write("c.csv", "author,rating,date,source\nCy,4,2026-01-02,email\n");
    project.candor(["import", "c.csv", "--source", "yelp"]).exits(0).says("1 review from yelp");
}

#[test]
fn a_scale_of_six_makes_no_whole_stars() {
    let project = Project::new();
    let name = "06-scale6.json";
    let (run, _) = import(&project, name, &["--source", "holidaycheck", "--keep-going"]);
    run.exits(1).complains("06-scale6.json#/reviews/0 is above all others, and the best one is unknown; correct ").complains("06-scale6.json#/reviews/0 if it is a typing mistake, or name the best one that there can be, such as --best 6");
    let (run, stored) = import(&project, name, &["--best", "6", "--keep-going"]);
    run.exits(1).complains("2 of its 3 ratings make no whole stars of five: 5 of 6 (1), 4 of 6 (1); Candor never rounds");
    assert!(stored.is_empty());
}

#[test]
fn a_rating_above_the_best_one_given_names_both() {
    let project = Project::new();
    project.write("a.csv", "author,rating,date\nAnn,5,2026-01-02\nBen,3,2026-01-03\n");
    let import = ["import", "a.csv", "--source", "direct", "--best"];
    let run = project.candor(import.into_iter().chain(["3"])).exits(1);
    let said = "error: a.csv cannot be imported: its ratings go up to 5, and --best 3 was given; name the best one that there can be, such as --best 5\nnext: candor import a.csv --source direct --best N\n";
    assert_eq!(run.err, said);
    project.candor(import.into_iter().chain(["5"])).exits(0).says("new 2");
}

#[test]
fn half_stars_refuse_the_whole_column() {
    let project = Project::new();
    project.write("a.csv", "author,rating,date\nAnn,5,2026-01-02\nBen,\"4,5\",2026-01-03\n");
    project
        .candor(["import", "a.csv", "--source", "direct", "--keep-going"])
        .exits(1)
        .complains("1 of its 2 ratings make no whole stars of five: 4.5 (1)");
}

#[test]
fn bubbles_of_fifty_are_stars() {
    let project = Project::new();
    let name = "06c-bubbles50.csv";
    import(&project, name, &["--source", "tripadvisor"]).0.exits(1).complains("such as --best 50");
    let (_, stored) = import(&project, name, &["--source", "tripadvisor", "--best", "50"]);
    assert_eq!(
        stored.iter().map(|review| &review[..12]).collect::<Vec<_>>(),
        ["5 2026-03-04", "1 2026-03-05"]
    );
    project.write("content/import.toml", "[[map]]\nname = \"of ten\"\nsource = \"a\"\nbest = 10\ncolumns = { author = \"a\", rating = \"r\", date = \"d\" }\n");
    project.write("b.csv", "a,r,d\nAnn,8,2026-01-02\n");
    project.candor(["import", "b.csv"]).exits(0).says("new 1");
    project.write("content/import.toml", "[[map]]\nname = \"of ten\"\nbest = 1\ncolumns = { author = \"a\", rating = \"r\", date = \"d\" }\n");
    project.candor(["check"]).exits(1).complains(
        "best must be the best rating of the column, from 2 to 1000; write it, such as 10",
    );
}

#[test]
fn a_source_with_rejected_rows_is_incomplete() {
    let project = Project::new();
    project.write("a.csv", "author,rating,date\nAnn,5,2026-01-02\nBen,bad,2026-01-03\n");
    project
        .candor(["import", "a.csv", "--source", "direct", "--keep-going"])
        .exits(0)
        .says("of 2 reviews from direct in this export 1 are imported");
    let source = &project.import_log()[0]["sources"][0];
    assert_eq!(
        source,
        &json!({ "source": "direct", "reviews": 1, "claimed_total": 2, "complete": false })
    );
}

#[test]
fn a_row_that_is_none_makes_even_a_whole_export_incomplete() {
    let project = Project::new();
    let review = json!({ "name": "accounts/1/locations/7/reviews/AbFvOqTill0001", "starRating": "FIVE",
        "reviewer": { "displayName": "Ann" }, "createTime": "2026-01-02T00:00:00Z" });
    project.write(
        "Takeout/Google Business Profile/account-1/location-7/reviews.json",
        json!({ "reviews": [review, "x"] }).to_string(),
    );
    project.candor(["import", "Takeout", "--keep-going"]).exits(0).says("new 1");
    let source = &project.import_log()[0]["sources"][0];
    assert_eq!((&source["claimed_total"], &source["complete"]), (&json!(2), &json!(false)));
}

#[test]
fn of_two_dates_the_instant_wins() {
    let (run, stored) = import(&Project::new(), "07-two-dates.json", &GOOGLE);
    run.exits(0).says("date=createTime");
    assert!(stored[0].starts_with("5 2026-02-0"), "{stored:?}");
}

#[test]
fn spam_of_judgeme_never_comes_in() {
    let (run, stored) = import(&Project::new(), "08-judgeme-spam.csv", &[]);
    run.exits(0)
        .says("2 reviews from judgeme")
        .says("curated: ok 2, spam 1")
        .says("spam 1; 3 rows read");
    assert_eq!(stored.len(), 2);
}

#[test]
fn woocommerce_has_answers_spam_and_unapproved_rows() {
    let project = Project::new();
    let (run, stored) = import(&project, "08-woocommerce.csv", &[]);
    run.exits(0)
        .says("not yet approved at their source, and left out: 1 star 1; until that is decided the source is incomplete")
        .says("spam 1 · not yet approved 1 · answers 1; 4 rows read");
    assert_eq!(stored, ["5 2026-02-01 Ann Bell: Great service, kettle & tap fixed"]);
    assert_eq!(
        project.stored()[0]["owner_reply"],
        json!({ "text": "Thank you Ann", "date": "2026-02-02" })
    );
    let source = &project.import_log()[0]["sources"][0];
    assert_eq!((&source["claimed_total"], &source["complete"]), (&json!(2), &json!(false)));
    let (run, _) = import(&project, "08-woocommerce.csv", &[]);
    run.exits(0).says("unchanged 1");
}

#[test]
fn an_answer_of_another_customer_is_no_answer() {
    let project = Project::new();
    let rows = "comment_ID,comment_author,comment_date,comment_content,comment_approved,comment_parent,user_id,rating\n\
        1,Ann,2026-02-01,Great,1,0,7,5\n2,Ben,2026-02-02,Fine,1,0,8,4\n3,Ben,2026-02-03,So was mine,1,1,8,\n4,Guest,2026-02-03,Mine too,1,1,0,\n5,Shop,2026-02-04,Thank you,1,2,1,\n";
    project.write("a.csv", rows);
    project.candor(["import", "a.csv"]).exits(0).says("answers 3; 5 rows read");
    let replies: Vec<Value> =
        project.stored().iter().map(|review| review["owner_reply"]["text"].clone()).collect();
    assert_eq!(replies, [Value::Null, json!("Thank you")]);
}

#[test]
fn hidden_reviews_of_loox_come_in() {
    let (run, stored) = import(&Project::new(), "08-loox-hidden.csv", &[]);
    run.exits(0).says("3 reviews from loox").says("status: Active 2, Hidden 1");
    assert!(stored.iter().any(|review| review.starts_with("1 2026-02-06 ")), "{stored:?}");
}

#[test]
fn a_status_that_is_unknown_is_said() {
    let project = Project::new();
    project
        .write("a.csv", "author,rating,date,status\nAnn,5,2026-01-02,live\nBen,4,2026-01-03,odd\n");
    let run = project.candor(["import", "a.csv", "--source", "direct"]);
    run.exits(0).says("a.csv: status: live 1, odd 1 (unknown)").says("new 2");
}

#[test]
fn a_stray_byte_is_one_cell() {
    let (run, stored) = import(&Project::new(), "10-mixed-encoding.csv", &GOOGLE);
    run.exits(0).complains(
        "10-mixed-encoding.csv:3: the cell text is not UTF-8 and was read as Windows-1252",
    );
    assert_eq!(stored[1], "4 2026-01-03 Joe Day: Good \u{2018}service recovery\u{2019} they said");
}

#[test]
fn trustpilot_business_names_no_authors() {
    let (run, stored) = import(&Project::new(), "13-trustpilot-business.csv", &[]);
    run.exits(0).says("2 reviews from trustpilot").complains("no row names its author");
    assert_eq!(stored[0], "2 2026-03-02 Anonymous: Not impressed/They came two hours late.");
}

#[test]
fn dataforseo_is_googles() {
    let project = Project::new();
    let (run, stored) = import(&project, "14-dataforseo.json", &[]);
    run.exits(0).says("2 reviews from google");
    assert_eq!(stored.len(), 2);
    assert_eq!(project.stored()[1]["owner_reply"]["text"], "Thanks Ann");
}

#[test]
fn cells_may_be_separated_by_bars() {
    let (_, stored) = import(&Project::new(), "16-pipe.csv", &GOOGLE);
    assert_eq!(stored, ["5 2026-01-02 Ann Bell: Kind and quick in every way"]);
}

#[test]
fn a_format_of_google_may_hold_reviews_of_other_platforms() {
    let project = Project::new();
    let review = |source: &str, id: &str| {
        json!({ "rating": 5, "iso_date": "2026-03-01T10:00:00Z", "source": source, "review_id": id,
            "user": { "name": "Ann" }, "snippet": "Quick and tidy work in the kitchen, thank you." })
    };
    let reviews =
        [review("Google", "ChZDSUhNMG9nS0VJQ0FnSUR1"), review("Tripadvisor", "ta7654321")];
    project.write("a.json", json!({ "reviews": reviews }).to_string());
    project.candor(["import", "a.json"]).exits(0).says("serpapi").says("new 2");
    let mut sources: Vec<Value> =
        project.stored().iter().map(|review| review["source"].clone()).collect();
    sources.sort_by_key(Value::to_string);
    assert_eq!(sources, ["google", "tripadvisor"]);
}

#[test]
fn a_forced_format_keeps_authors() {
    let (_, stored) = import(&Project::new(), "17-authorname.json", &["--format", "places"]);
    assert!(stored[1].starts_with("5 2026-03-14 Ann Bell: "), "{stored:?}");
    let project = Project::new();
    project.write(
        "a.json",
        r#"[{"writer":"Ann","author":"Ann","rating":5,"time":1773483402,"text":"Good"}]"#,
    );
    project.candor(["import", "a.json", "--format", "places"]).exits(1).complains(
        "read as places, no row has its author, and the column author has it; leave --format away",
    );
}

#[test]
fn microdata_is_read_and_xml_is_not() {
    let (_, stored) = import(&Project::new(), "18-microdata.html", &[]);
    assert_eq!(stored, ["5 2026-03-01 Ann: Tidy and quick"]);
    import(&Project::new(), "18-heureka.xml", &[])
        .0
        .exits(1)
        .complains("it is XML, which is not read; export it as CSV or JSON");
}

#[test]
fn a_file_without_dates_is_refused_in_one_sentence() {
    let (run, _) = import(&Project::new(), "20-undated.json", &GOOGLE);
    run.exits(1).complains("no column holds dates, and every review needs one: name, rating, text");
    let project = Project::new();
    project.write("a.csv", "author,date,published,text\nAnn,2026-01-02,true,Good\n");
    project
        .candor(["import", "a.csv", "--source", "direct"])
        .exits(1)
        .complains("no column holds stars, and every review needs them");
}

#[test]
fn an_owner_response_is_the_answer() {
    let project = Project::new();
    import(&project, "21-owner-response.json", &["--source", "tripadvisor"]).0.exits(0);
    assert_eq!(project.stored()[0]["owner_reply"]["text"], "Thank you Ann");
}

#[test]
fn two_columns_can_be_the_text() {
    let (run, _) = import(&Project::new(), "22-two-texts.json", &["--source", "booking"]);
    run.exits(1).complains("such as --best 10");
    let project = Project::new();
    project.write("a.csv", "author,rating,date,pros,cons\nAnn,5,2026-01-02,Kind staff,Slow lift\n");
    project.candor(["import", "a.csv", "--source", "booking"]).exits(0).says("text=pros+cons");
    assert_eq!(project.stored()[0]["text"], "Kind staff\nSlow lift");
    project.write("b.csv", "author,rating,date,good,bad\nAnn,4,2026-01-03,Kind,Slow\n");
    let map = "author=author,rating=rating,date=date,text=good+bad";
    project.candor(["import", "b.csv", "--source", "booking", "--map", map]).exits(0).says("new 1");
    assert_eq!(project.stored()[1]["text"], "Kind\nSlow");
}

#[test]
fn a_column_of_hotels_names_businesses() {
    let (run, stored) = import(&Project::new(), "24-two-hotels.csv", &GOOGLE);
    run.exits(1)
        .complains("  Acme Inn  1 reviews\n  Beta Inn  1 reviews\n")
        .complains("if hotel does not name the business");
    assert!(stored.is_empty());
    for name in [
        "restaurant",
        "Property Name",
        "listing",
        "company",
        "clinic",
        "dealer",
        "account_id",
        "businessUnit",
    ] {
        let project = Project::new();
        project.write(
            "a.csv",
            format!("author,rating,date,{name}\nAnn,5,2026-01-02,A\nBen,4,2026-01-03,B\n"),
        );
        project
            .candor(["import", "a.csv", "--source", "direct", "--keep-going"])
            .exits(1)
            .complains("more than one business");
    }
}

#[test]
fn no_format_skips_the_question_of_two_places() {
    for flags in [&["--format", "places"][..], &GOOGLE] {
        let (run, _) = import(&Project::new(), "25-two-places.json", flags);
        run.exits(1)
            .complains("  Acme Motors  1 reviews\n")
            .complains("  Acme Garage  1 reviews\n");
    }
}

#[test]
fn months_and_years_keep_their_precision() {
    let project = Project::new();
    import(&project, "26-months.json", &GOOGLE).0.exits(0);
    let dates: Vec<String> = project
        .stored()
        .iter()
        .map(|review| {
            format!(
                "{} {}",
                review["date"].as_str().unwrap(),
                review["date_precision"].as_str().unwrap()
            )
        })
        .collect();
    assert_eq!(
        dates,
        ["2023-01-01 year", "2025-04-01 month", "2026-02-01 month", "2026-03-01 month"]
    );
}
