//! What looks like a part of a review and is none: other days, employees, the business's own addresses.

use serde_json::{Value, json};

use super::{Project, identity::WORDS};

/// The reviews of a file, whose source is a shop.
fn stored(name: &str, text: &str) -> Vec<Value> {
    let project = Project::new();
    project.write(name, text);
    project.candor(["import", name, "--source", "shop"]).exits(0);
    project.stored()
}

#[test]
fn another_day_of_the_customer_is_not_that_of_the_review() {
    for column in ["Membership date", "Contract date", "Registered date", "Warranty end date"] {
        let file = format!(
            "Name,Stars,Review date,{column},Text\nAnn Bell,5,2026-03-20,2019-03-02,{}\nJoe Day,1,2026-03-20,2021-03-04,{}\n",
            WORDS[0], WORDS[1]
        );
        let days = stored("a.csv", &file);
        assert!(days.iter().all(|review| review["date"] == "2026-03-20"), "{column} {days:?}");
    }
}

#[test]
fn who_typed_a_review_is_its_author_where_nobody_else_is_named() {
    for (columns, author) in [
        ("Contact Name,Created By", "Ann Bell"),
        ("Guest's name,Requester", "Ann Bell"),
        ("Shift,Created by", "Staff One"),
    ] {
        let file = format!(
            "{columns},Stars,Date,Text\nAnn Bell,Staff One,5,2026-03-20,{}\nJoe Day,Staff Two,1,2026-03-21,{}\n",
            WORDS[0], WORDS[1]
        );
        let file = if author == "Ann Bell" {
            file
        } else {
            file.replace("Ann Bell", "1").replace("Joe Day", "2")
        };
        assert_eq!(stored("a.csv", &file)[0]["author"], author, "{columns}");
    }
}

#[test]
fn a_weekday_before_march_is_no_part_of_the_date() {
    for (date, day) in [
        ("Sun, Mar 1, 2026", "2026-03-01"),
        ("Sunday, Mar 1, 2026", "2026-03-01"),
        ("Sun Mar 01 2026", "2026-03-01"),
        ("Posted on Mar 1, 2026", "2026-03-01"),
        ("mar. 3 mars 2026", "2026-03-03"),
    ] {
        let file = format!("Name,Stars,Date,Text\nAnn Bell,5,\"{date}\",{}\n", WORDS[0]);
        assert_eq!(stored("a.csv", &file)[0]["date"], day, "{date}");
    }
}

#[test]
fn a_review_keeps_its_keys_and_a_row_its_cells() {
    let node = json!([
        { "name": "Ann Bell", "stars": 5, "date": "2026-03-02", "text": WORDS[0], "node": { "id": 7, "type": "page" } },
        { "name": "Joe Day", "stars": 1, "date": "2026-03-04", "text": WORDS[1], "node": { "id": 8, "type": "page" } },
    ]);
    assert_eq!(stored("a.json", &node.to_string())[0]["author"], "Ann Bell");
    let head = json!(["name", "stars", "date", "text"]);
    let rows = json!([head, ["Ann Bell", 5, "2026-03-02", WORDS[0]], ["Joe Day", 1, "2026-03-03"]]);
    let project = Project::new();
    project.write("a.json", rows.to_string());
    let run = project.candor(["import", "a.json", "--source", "shop"]).exits(1);
    run.complains("a row of 3 cells for 4 columns");
}

#[test]
fn an_address_of_the_business_is_no_platform_of_a_review() {
    for column in ["site", "website"] {
        let head = format!(
            "query,name,place_id,{column},author_title,author_id,review_text,review_rating,review_datetime_utc,review_link,review_id"
        );
        let row = |n: usize, name: &str| {
            format!(
                "q,Acme,P1,https://www.facebook.com/acme,{name},{n},{},5,03/0{n}/2026 10:00:00,https://www.google.com/maps/reviews/{n},R{n}\n",
                WORDS[n - 1]
            )
        };
        let project = Project::new();
        project.write("a.csv", format!("{head}\n{}{}", row(1, "Ann Bell"), row(2, "Joe Day")));
        project.candor(["import", "a.csv"]).exits(0);
        assert!(project.stored().iter().all(|review| review["source"] == "google"), "{column}");
    }
}

#[test]
fn files_that_are_listed_belong_together() {
    let project = Project::new();
    let file = |name: &str, text| format!("Name,Stars,Date,Text\n{name},5,2026-03-20,{text}\n");
    project.write("exports/crm.csv", file("Ann Bell", WORDS[0]));
    project.write("exports/newsletter.csv", file("Joe Day", WORDS[1]));
    project.write(
        "content/import.toml",
        "[[export]]\ninput = \"../exports/crm.csv\"\nsource = \"direct\"\n[[export]]\ninput = \"../exports/newsletter.csv\"\nsource = \"direct\"\n",
    );
    for _ in 0..2 {
        project.candor(["import"]).exits(0);
    }
    assert_eq!(project.stored().len(), 2);
    project.candor(["import", "exports", "--source", "direct"]).exits(1);
}
