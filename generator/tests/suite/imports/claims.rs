//! What a file claims beside stars, day and words: dates that contradict each other, scales, rewards, deleted rows, rows
//! of the owner. What is stored is what a careful reader would take from it.

use serde_json::{Value, json};

use super::Project;

/// Imports a table with one more column of these values, as many reviews as values, and gives what is stored.
pub(super) fn with_column(column: &str, values: &[&str]) -> Vec<Value> {
    let rows: String = (1..)
        .zip(values)
        .map(|(day, value)| format!("Ann {day},4,2026-01-{day:02},Words {day},{value}\n"))
        .collect();
    let project = Project::new();
    project.write("a.csv", format!("author,rating,date,text,{column}\n{rows}"));
    project.candor(["import", "a.csv", "--source", "yelp"]).exits(0);
    project.stored()
}

pub(super) fn authors(stored: &[Value]) -> Vec<&str> {
    stored.iter().map(|review| review["author"].as_str().unwrap()).collect()
}

#[test]
fn deleted_rows_are_left_out_however_their_column_says_so() {
    for (column, deleted, kept) in [
        ("deleted", "2026-02-01 10:00:00", ""),
        ("deleted", "true", "false"),
        ("deleted_by", "moderator", ""),
        ("gelöscht am", "01.02.2026", ""),
        ("removed", "yes", "no"),
        ("is_removed", "1", "0"),
        ("supprimé", "oui", "non"),
        ("is_junk", "true", "false"),
        ("is_draft", "true", "false"),
        ("status", "Removed", "published"),
        ("status", "withdrawn", "published"),
        ("review_status", "retracted by author", "published"),
    ] {
        let stored = with_column(column, &[kept, deleted, kept]);
        assert_eq!(authors(&stored), ["Ann 1", "Ann 3"], "{column}={deleted}");
    }
}

#[test]
fn a_reward_or_a_bond_is_disclosed() {
    for (column, kind) in [
        ("isIncentivized", "incentivized"),
        ("incentivized", "incentivized"),
        ("received_free_product", "incentivized"),
        ("is_employee", "insider"),
    ] {
        let stored = with_column(column, &["true", "false", ""]);
        let found: Vec<_> =
            stored.iter().map(|review| review["disclosure"]["kind"].clone()).collect();
        assert_eq!(found, [json!(kind), Value::Null, Value::Null], "{column}");
    }
}

#[test]
fn what_programs_write_for_nothing_is_nothing() {
    let project = Project::new();
    let rows = "null,5,2026-01-01,N/A,-\nNan,4,2026-01-02,NaN,NULL\nNull,3,2026-01-03,None,n/a\n";
    project.write("a.csv", format!("author,rating,date,text,reply\n{rows}"));
    project.candor(["import", "a.csv", "--source", "yelp"]).exits(0);
    let stored = project.stored();
    assert_eq!(authors(&stored), ["Anonymous", "Nan", "Null"]);
    for review in &stored {
        assert!(review["text"].is_null() && review["owner_reply"].is_null(), "{review}");
    }
}

#[test]
fn addresses_and_numbers_in_names_are_not_published() {
    let project = Project::new();
    let rows = "Ann <ann@example.com>,5,2026-01-01,A\nbob@example.com (Bob),4,2026-01-02,B\n+1 319 555 0142,3,2026-01-03,C\nc@example.com,2,2026-01-04,D\nAgent 007,1,2026-01-05,E\n";
    project.write("a.csv", format!("author,rating,date,text\n{rows}"));
    let run = project.candor(["import", "a.csv", "--source", "yelp"]).exits(0);
    run.says("an e-mail address or a telephone number in the name of an author was left out");
    assert_eq!(authors(&project.stored()), ["Ann", "Bob", "Anonymous", "Anonymous", "Agent 007"]);
}

#[test]
fn the_day_of_a_review_is_not_that_of_the_export() {
    for (header, first, second) in [
        (
            "review_date,created_at",
            "2023-02-03,2026-01-02T10:00:00Z",
            "2024-05-06,2026-01-02T10:00:07Z",
        ),
        (
            "review_date,created_at",
            "2023-02-03,2025-11-01T10:00:00Z",
            "2024-05-06,2026-01-02T10:00:07Z",
        ),
        ("date,published", "2026-01-02,2023-02-03", "2026-01-02,2024-05-06"),
    ] {
        let project = Project::new();
        let rows = format!("Ann,5,{first},A\nBo,4,{second},B\nCy,3,{second},C\n");
        project.write("a.csv", format!("author,rating,{header},text\n{rows}"));
        project.candor(["import", "a.csv", "--source", "yelp"]).exits(0);
        let stored = project.stored();
        let days: Vec<_> = stored.iter().map(|review| review["date"].as_str().unwrap()).collect();
        assert_eq!(days, ["2023-02-03", "2024-05-06", "2024-05-06"], "{header}");
    }
    // The time of a day is more exact than the day.
    let project = Project::new();
    let header = "author,rating,date,created_at,text";
    project.write("a.csv", format!("{header}\nAnn,5,2026-01-02,2026-01-02T10:00:00Z,A\n"));
    project.candor(["import", "a.csv", "--source", "yelp"]).exits(0).says("date=created_at");
}

#[test]
fn a_distance_that_is_not_one_number_of_one_unit_is_no_date() {
    for date in [
        "two years ago",
        "several years ago",
        "1.5 years ago",
        "1½ years ago",
        "twenty days ago",
        "2 years 3 months ago",
        "one and a half years ago",
    ] {
        let project = Project::new();
        project.write("a.csv", format!("author,rating,date,text\nAnn,5,{date},A\n"));
        project
            .candor(["import", "a.csv", "--source", "yelp", "--relative-to", "2026-11-01"])
            .exits(1)
            .complains("is not a date");
    }
}

#[test]
fn a_day_before_all_websites_is_a_placeholder() {
    for (date, day) in
        [("1970-01-01", "1970-01-01"), ("0001-01-01", "0001-01-01"), ("1899-12-30", "1899-12-30")]
    {
        let project = Project::new();
        project.write("a.csv", format!("author,rating,date,text\nAnn,5,{date},A\n"));
        let run = project.candor(["import", "a.csv", "--source", "yelp"]).exits(1);
        run.complains(&format!("\"{date}\" is {day}, and there were no reviews before 1990"));
    }
    let project = Project::new();
    project.write("a.csv", "author,rating,date,text\nAnn,5,3000 years ago,A\n");
    let run =
        project.candor(["import", "a.csv", "--source", "yelp", "--relative-to", "2026-11-01"]);
    run.exits(1).complains("and there were no reviews before 1990");
}

#[test]
fn a_scale_beside_the_ratings_counts_and_two_scales_are_refused() {
    for column in
        ["out_of", "rating_scale", "scale_max", "maximum", "Skala", "Höchstnote", "note_max"]
    {
        let project = Project::new();
        let table = |second: u8| {
            format!(
                "author,rating,{column},date,text\nAnn,4,10,2026-01-01,A\nBo,10,{second},2026-01-02,B\n"
            )
        };
        project.write("a.csv", table(10));
        project.candor(["import", "a.csv", "--source", "yelp"]).exits(0);
        let stars: Vec<_> =
            project.stored().iter().map(|review| review["rating"].clone()).collect();
        assert_eq!(stars, [json!(2), json!(5)], "{column}");
        let other = Project::new();
        other.write("a.csv", table(20));
        let run = other.candor(["import", "a.csv", "--source", "yelp"]).exits(1);
        run.complains(&format!("the column {column} states different best ratings: 10, 20"))
            .complains("import the rows of each scale from a file of their own, with --best");
    }
}

#[test]
fn other_numbers_beside_the_ratings_are_no_scales() {
    let stored = with_column("max", &["2", "8", "31"]);
    assert!(stored.iter().all(|review| review["rating"] == 4));
}

#[test]
fn two_columns_of_one_name_are_refused_where_they_count() {
    let project = Project::new();
    project.write("a.csv", "author,rating,rating,date,text\nAnn,5,1,2026-01-01,A\n");
    let run = project.candor(["import", "a.csv", "--source", "yelp"]).exits(1);
    run.complains("the table has two columns rating").complains("rename or remove one of them");
}

#[test]
fn rows_of_the_owner_are_no_reviews() {
    for (column, owner, customer) in [
        ("type", "reply", "review"),
        ("role", "owner", "customer"),
        ("author_role", "staff", "customer"),
        ("is_owner", "true", "false"),
    ] {
        let project = Project::new();
        let rows = format!(
            "10000001,Ann,2,2026-01-05,The tap drips,,{customer}\n10000002,Shop,5,2026-01-06,Sorry Ann,10000001,{owner}\n10000003,Bo,4,2026-01-07,Fine,,{customer}\n10000004,Shop,5,2026-01-08,We are great,,{owner}\n"
        );
        project.write("a.csv", format!("id,author,rating,date,text,parent_id,{column}\n{rows}"));
        project.candor(["import", "a.csv", "--source", "google"]).exits(0);
        let stored = project.stored();
        assert_eq!(authors(&stored), ["Ann", "Bo"], "{column}");
        assert_eq!(stored[0]["owner_reply"]["text"], "Sorry Ann", "{column}");
    }
}

#[test]
fn a_review_of_the_kind_business_is_a_review() {
    let stored = with_column("type", &["business", "seller", "merchant"]);
    assert_eq!(stored.len(), 3);
}

#[test]
fn the_words_of_another_customer_are_no_answer_of_the_owner() {
    let project = Project::new();
    let rows = "Ann,2,2026-01-05,The tap still drips,,10000001\nBob Carr,,2026-01-06,Same here! I will never call them again,10000001,10000002\n";
    project.write("a.csv", format!("author,rating,date,text,parent_id,id\n{rows}"));
    project.candor(["import", "a.csv", "--source", "google"]).exits(0);
    let stored = project.stored();
    assert_eq!(authors(&stored), ["Ann"]);
    assert!(stored[0]["owner_reply"].is_null());
}

#[test]
fn an_internal_note_is_not_the_text() {
    let project = Project::new();
    let rows = "Ann,5,2026-01-01,Good,\nBob,1,2026-01-02,Bad,internal: difficult customer\n";
    project.write("a.csv", format!("author,rating,date,comment,note\n{rows}"));
    project.candor(["import", "a.csv", "--source", "direct"]).exits(0);
    let texts: Vec<_> = project.stored().iter().map(|review| review["text"].clone()).collect();
    assert_eq!(texts, ["Good", "Bad"]);
}

#[test]
fn placeholders_for_people_join_nobody() {
    for author in ["Anonym", "Guest", "Anonyme", "Customer", "Verified Buyer"] {
        let project = Project::new();
        let rows = format!(
            "{author},5,2026-01-01,Quick and clean work\n{author},5,2026-01-01,They fixed the leak\n"
        );
        project.write("a.csv", format!("author,rating,date,text\n{rows}"));
        project.candor(["import", "a.csv", "--source", "direct"]).exits(0);
        assert_eq!(project.stored().len(), 2, "{author}");
    }
    let project = Project::new();
    for (file, author, text) in
        [("a.csv", "Ann", "The drain runs again"), ("b.csv", "Eve", "Late and rude")]
    {
        project.write(
            file,
            format!("author,rating,date,text,customer_id\n{author},4,2026-01-01,{text},guest\n"),
        );
        project.candor(["import", file, "--source", "direct"]).exits(0);
    }
    assert_eq!(project.stored().len(), 2);
}

#[test]
fn an_account_has_one_review_only_where_the_platform_has_it_so() {
    let row = |stars: u8, year: u16, text: &str| {
        format!("author,author_id,rating,date,text\nAnn Bo,4711,{stars},{year}-05-05,{text}\n")
    };
    let first = row(1, 2024, "They broke the tap and left");
    let second = row(5, 2025, "A new boiler in a day");
    // Google's account replaces its review, a shop's customer reviews another purchase.
    for (source, stars) in [("google", vec![5]), ("trustpilot", vec![1, 5]), ("shop", vec![1, 5])] {
        let project = Project::new();
        project.write("a.csv", &first);
        project.write("b.csv", &second);
        for file in ["a.csv", "b.csv"] {
            project.candor(["import", file, "--source", source, "--allow-shrink"]).exits(0);
        }
        let stored = project.stored();
        let found: Vec<_> = stored.iter().filter_map(|review| review["rating"].as_u64()).collect();
        assert_eq!(found, stars, "{source}");
    }
}

#[test]
fn reviews_of_employees_and_critics_are_not_those_of_customers() {
    let project = Project::new();
    let review = |kind: &str, author: &str| {
        json!({"@type": kind, "author": author, "datePublished": "2026-01-05", "reviewBody": format!("By {author}."),
               "reviewRating": {"ratingValue": 4}})
    };
    let reviews = [
        review("Review", "Ann"),
        review("EmployerReview", "Bo"),
        review("https://schema.org/UserReview", "Cy"),
        review("CriticReview", "Di"),
    ];
    let page = json!({"@context": "https://schema.org", "@type": "Plumber", "name": "Acme", "review": reviews});
    project.write("page.html", format!("<script type=\"application/ld+json\">{page}</script>"));
    project.candor(["import", "page.html", "--source", "own-site"]).exits(0);
    assert_eq!(authors(&project.stored()), ["Ann", "Cy"]);
}

#[test]
fn a_rating_above_all_others_is_named_with_its_row() {
    let project = Project::new();
    for (stars, best) in [("6", "6"), ("22", "50"), ("55", "100")] {
        let rows: String = ["5", stars, "4", "5"]
            .iter()
            .zip(2..)
            .map(|(stars, day)| format!("Ann {day},{stars},2026-01-0{day}\n"))
            .collect();
        project.write("a.csv", format!("author,rating,date\n{rows}"));
        project.candor(["import", "a.csv", "--source", "direct"]).exits(1).complains(&format!(
            "the rating {stars} in a.csv:3 is above all others, and the best one is unknown; correct a.csv:3 if it is a typing mistake, or name the best one that there can be, such as --best {best}\n"
        ));
    }
    project.write("a.csv", "author,rating,date\nAnn,9,2026-01-02\nBen,8,2026-01-03\n");
    let run = project.candor(["import", "a.csv", "--source", "direct"]).exits(1);
    run.complains("its ratings go up to 9, and the best one is unknown; name the best one that there can be, such as --best 10\n");
}
