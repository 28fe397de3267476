//! Whose words and stars a row has: no second person's under the id of a first, no staff's as a customer's.

use serde_json::Value;

use super::{
    Project,
    claims::{authors, with_column},
};

fn import_both(source: &str, files: [&str; 2]) -> Vec<Value> {
    let project = Project::new();
    for (number, rows) in files.iter().enumerate() {
        let name = format!("{number}.csv");
        project.write(&name, rows);
        project.candor(["import", &name, "--source", source, "--allow-shrink"]).exits(0);
    }
    project.stored()
}

fn stars_of(stored: &[Value], author: &str) -> Vec<u64> {
    let of = stored.iter().filter(|review| review["author"] == author);
    of.filter_map(|review| review["rating"].as_u64()).collect()
}

#[test]
fn a_few_usual_words_are_no_second_witness_of_an_id() {
    let header = "id,author,rating,date,text\n";
    let first = format!("{header}1,Ann Bo,1,2026-01-05,ok\n2,Cid Do,5,2026-02-05,Great\n");
    let other = format!("{header}1,Zed Xu,5,2026-06-05,ok\n2,Yan Wu,1,2026-07-05,Great\n");
    let stored = import_both("google", [&first, &other]);
    assert_eq!(stored.len(), 4, "{stored:?}");
    assert_eq!((stars_of(&stored, "Ann Bo"), stars_of(&stored, "Zed Xu")), (vec![1], vec![5]));
    // Numbers that a program counts on, for the same people in another order.
    for text in ["Great", ""] {
        let rows = |ids: [&str; 3]| -> String {
            let people = ids.iter().zip(["Ann Bo", "Cid Do", "Eve Fo"]);
            let rows = people.map(|(id, who)| format!("{id},{who},5,2026-01-05,{text}\n"));
            rows.fold(header.to_owned(), |table, row| table + &row)
        };
        let before = import_both("google", [header, &rows(["1000001", "1000002", "1000003"])]);
        let after = import_both(
            "google",
            [&rows(["1000001", "1000002", "1000003"]), &rows(["1000002", "1000003", "1000001"])],
        );
        let who = |stored: &[Value]| -> Vec<(Value, Value)> {
            stored.iter().map(|it| (it["id"].clone(), it["author"].clone())).collect()
        };
        assert_eq!(who(&after), who(&before), "{text:?}");
    }
}

#[test]
fn a_usual_sentence_and_a_placeholder_of_the_shop_join_no_people() {
    let sentence = "I would highly recommend this company to anyone looking for help";
    let row = |author: &str, date: &str, text: &str, account: &str| {
        format!("author,rating,date,text,customer_id\n{author},1,{date},{text},{account}\n")
    };
    for texts in [[sentence, sentence], ["Awful", "Lovely"]] {
        let account = if texts[0] == texts[1] { "" } else { "noreply@shop.com" };
        let row = |author, date, text| row(author, date, text, account);
        let first = row("Ann Bo", "2024-01-05", texts[0]);
        let second = row("Zed Xu", "2026-02-05", texts[1]);
        let stored = import_both("google", [&first, &second]);
        assert_eq!(stored.len(), 2, "{texts:?}: {stored:?}");
    }
}

#[test]
fn owners_of_homes_are_customers_and_the_owner_is_one() {
    let project = Project::new();
    project.write(
        "a.csv",
        "author,rating,date,text,role\nAnn,1,2026-01-01,Late,owner\nBo,5,2026-01-02,Good,tenant\nCy,1,2026-01-03,Rude,owner\n",
    );
    let run = project.candor(["import", "a.csv", "--source", "google"]).exits(1);
    run.complains("role: the rows of \"Ann\" and \"Cy\" would be the owner's, who has one name and gives no stars; if they are customers' reviews, leave the column out")
        .complains("next: candor import a.csv --source google --map ");
    let map = "author=author,rating=rating,date=date,text=text,kind=none";
    project.candor(["import", "a.csv", "--source", "google", "--map", map]).exits(0);
    assert_eq!(authors(&project.stored()), ["Ann", "Bo", "Cy"]);
}

#[test]
fn what_the_staff_says_among_itself_is_published_nowhere() {
    for column in [
        "response time",
        "reply status",
        "internal response",
        "private reply",
        "suggested_reply",
        "ai reply",
        "Antwort intern",
        "staff comments",
        "Interner Kommentar",
        "private feedback",
    ] {
        let stored = with_column(column, &["2 hours", "Kundin nervt sehr", "refund her quietly"]);
        for review in &stored {
            assert!(review["owner_reply"].is_null(), "{column}: {review}");
            assert!(
                review["text"].as_str().is_some_and(|text| text.starts_with("Words")),
                "{column}"
            );
        }
        let project = Project::new();
        project.write("a.csv", format!("author,rating,date,{column}\nAnn Bo,1,2026-01-05,Difficult customer\nCid,2,2026-01-06,He was drunk\n"));
        project.candor(["import", "a.csv", "--source", "yelp"]).exits(0);
        let stored = project.stored();
        let is_silent =
            |review: &Value| review["text"].is_null() && review["owner_reply"].is_null();
        assert!(stored.iter().all(is_silent), "{column}: {stored:?}");
    }
    let stored = with_column("response", &["yes", "no", "yes"]);
    assert!(stored.iter().all(|review| review["owner_reply"].is_null()), "{stored:?}");
}

#[test]
fn a_technician_is_not_the_author() {
    for column in ["technician name", "Mitarbeitername", "staff name"] {
        let project = Project::new();
        project.write(
            "a.csv",
            format!(
                "{column},rating,date,text\nMario,5,2026-01-05,Good\nLuigi,4,2026-01-06,Fine\n"
            ),
        );
        let run = project.candor(["import", "a.csv", "--source", "google"]);
        assert!(
            run.code == 1 || authors(&project.stored()) == ["Anonymous", "Anonymous"],
            "{column}"
        );
    }
}

#[test]
fn a_customer_who_did_not_agree_is_not_published() {
    for (column, no, yes) in [
        ("consent_to_publish", "no", "yes"),
        ("do_not_publish", "true", "false"),
        ("is_public", "0", "1"),
        ("Permission to share", "No", "Yes"),
        ("private", "yes", "no"),
        ("darf veröffentlicht werden", "nein", "ja"),
        ("trashed", "1", "0"),
        ("is_test_data", "true", "false"),
    ] {
        let stored = with_column(column, &[yes, no, yes]);
        assert_eq!(authors(&stored), ["Ann 1", "Ann 3"], "{column}={no}");
    }
}

#[test]
fn an_e_mail_address_becomes_no_author_by_an_edit() {
    let project = Project::new();
    project.write("a.csv", "author,rating,date,text\nAnn,5,2026-01-05,Good\n");
    project.candor(["import", "a.csv", "--source", "yelp"]).exits(0);
    let id = project.stored()[0]["id"].as_str().unwrap().to_owned();
    let run = project.candor(["edit", &id, "--set", "author=ann@mail.example"]).exits(1);
    run.complains("author: an e-mail address is not published; write a name, or Anonymous");
    assert_eq!(authors(&project.stored()), ["Ann"]);
}

#[test]
fn a_distance_that_is_no_number_is_no_date() {
    for said in ["30+ days ago", "half a year ago", "vor einem halben Jahr"] {
        let project = Project::new();
        project.write("a.csv", format!("author,rating,date,text\nAnn,5,{said},Good\n"));
        let run =
            project.candor(["import", "a.csv", "--source", "yelp", "--relative-to", "2026-11-01"]);
        run.exits(1).complains(said);
    }
}

#[test]
fn googles_address_of_a_contributor_is_an_account_in_every_column() {
    for column in
        ["profile", "author_profile", "contributor_url", "reviewer.profileUrl", "user_profile_link"]
    {
        let address = "https://www.google.com/maps/contrib/110000000001/reviews";
        let stored = with_column(column, &[address]);
        assert_eq!(stored[0]["author_id"], "110000000001", "{column}");
    }
}
