//! The mark of a verified purchase: which columns and words have it, and what becomes of it (docs/import.md, "How a
//! row becomes a review").

use serde_json::{Value, json};

use super::Project;

/// Imports a table of one review and one more column, or none. Whether the review is stored with the mark.
fn is_marked(project: &Project, column: &str, value: &str, source: &str) -> bool {
    let header = if column.is_empty() { String::new() } else { format!(",{column}") };
    let cell = if column.is_empty() { String::new() } else { format!(",{value}") };
    let table = format!("author,rating,date,text{header}\nAnn,5,2026-01-02,Good work.{cell}\n");
    project.write("a.csv", table);
    project.candor(["import", "a.csv", "--source", source]).exits(0);
    let stored = project.stored();
    assert_eq!(stored.len(), 1, "{column}={value}: {stored:?}");
    match &stored[0]["verified_purchase"] {
        Value::Null => false,
        mark => {
            assert_eq!(*mark, true, "{column}={value}");
            true
        }
    }
}

#[test]
fn the_columns_of_review_systems_mark_a_purchase() {
    for (column, value, expected) in [
        ("verified_purchase", "true", true),
        ("verified_purchase", "false", false),
        ("verified_purchase", "", false),
        ("verified_purchase", "Y", true),
        ("Verified Purchase", "Verified Purchase", true),
        ("isVerifiedPurchase", "TRUE", true),
        ("verified_buyer", "1", true),
        ("is_verified_buyer", "yes", true),
        ("is_verified_buyer", "no", false),
        ("Verified Buyer", "Yes", true),
        ("verified", "true", true),
        ("verified", "1", true),
        ("verified", "0", false),
        ("verified", "Verified Buyer", true),
        ("verified", "buyer", true),
        ("verified", "confirmed-buyer", true),
        ("verified", "verified-purchase", true),
        ("verified", "semi-verified-purchase", true),
        ("verified", "admin", true),
        ("verified", "unconfirmed-buyer", false),
        ("verified", "not-yet", false),
        ("verified", "nothing", false),
        ("verification_status", "buyer", true),
        ("verification_status", "verified-purchase", true),
        ("verification_status", "unverified", false),
        ("Reviewer Type", "Verified Buyer", true),
        ("Reviewer Type", "Verified Reviewer", false),
        ("reviewer.isVerified", "TRUE", true),
        ("reviewVerifiedType", "2", true),
        ("reviewVerifiedType", "1", false),
        ("Verifizierter Kauf", "ja", true),
        ("Achat vérifié", "Oui", true),
        ("comment_approved", "1", false),
        ("author_verified", "true", false),
    ] {
        let found = is_marked(&Project::new(), column, value, "shopware");
        assert_eq!(found, expected, "{column}={value}");
    }
}

#[test]
fn a_column_of_statuses_still_says_what_is_shown() {
    let rows = "Ann,5,2026-01-02,A,verified\nBo,4,2026-01-03,B,unverified\nCy,3,2026-01-04,C,pending\nDi,2,2026-01-05,D,verified buyer\n";
    let project = Project::new();
    for (column, shown) in [("status", 3), ("verification_status", 3)] {
        let project = if column == "status" { &project } else { &Project::new() };
        project.write("a.csv", format!("author,rating,date,text,{column}\n{rows}"));
        let run = project.candor(["import", "a.csv", "--source", "shopware"]).exits(0);
        run.says(&format!("{column}: pending 1, unverified 1, verified 1, verified buyer 1"));
        let stored = project.stored();
        let marked = stored.iter().filter(|review| review["verified_purchase"] == true);
        let marked: Vec<_> = marked.map(|review| &review["author"]).collect();
        assert_eq!((stored.len(), marked), (shown, vec![&json!("Di")]), "{column}");
    }
}

#[test]
fn trustpilots_mark_is_of_an_invitation_and_no_purchase() {
    for column in ["isVerified", "verified"] {
        assert!(!is_marked(&Project::new(), column, "true", "trustpilot"), "{column}");
        assert!(is_marked(&Project::new(), column, "true", "website"), "{column}");
    }
}

#[test]
fn a_map_names_the_column() {
    let project = Project::new();
    project.write("a.csv", "author,rating,date,text,Gekauft\nAnn,5,2026-01-02,Good.,ja\n");
    let map = "author=author,rating=rating,date=date,text=text,purchase=Gekauft";
    project.candor(["import", "a.csv", "--source", "shopware", "--map", map]).exits(0);
    assert_eq!(project.stored()[0]["verified_purchase"], true);
}

#[test]
fn one_of_several_rows_of_a_review_is_enough() {
    let project = Project::new();
    let rows = "1,Ann,5,2026-01-02,Good.,true\n1,Ann,5,2026-01-02,Good.,false\n";
    project.write("a.csv", format!("id,author,rating,date,text,verified\n{rows}"));
    project.candor(["import", "a.csv", "--source", "shopware"]).exits(0);
    assert_eq!(
        (project.stored().len(), &project.stored()[0]["verified_purchase"]),
        (1, &json!(true))
    );
}

#[test]
fn the_mark_is_added_once_and_stays() {
    let project = Project::new();
    assert!(!is_marked(&project, "", "", "shopware"));
    let first = project.stored()[0].clone();
    assert!(is_marked(&project, "verified", "true", "shopware"), "a later import has it");
    let marked = project.stored()[0].clone();
    // What is published changed, and nothing that the author wrote.
    assert_eq!(marked["changed"], marked["updated"]);
    let mut expected = first;
    for key in ["updated", "changed", "verified_purchase"] {
        expected[key] = marked[key].clone();
    }
    assert_eq!(marked, expected);
    project.candor(["import", "a.csv", "--source", "shopware"]).exits(0).says("unchanged 1");
    let stored = project.text("content/reviews/2026.ndjson");
    assert!(
        is_marked(&project, "", "", "shopware"),
        "an export without the column removes nothing"
    );
    assert!(is_marked(&project, "verified", "false", "shopware"), "and a false one neither");
    assert_eq!(project.text("content/reviews/2026.ndjson"), stored);
}

#[test]
fn an_export_that_has_no_mark_is_stored_without_the_key() {
    let project = Project::new();
    is_marked(&project, "verified", "false", "shopware");
    assert!(!project.text("content/reviews/2026.ndjson").contains("purchase"));
}
