//! Files, sheets and columns that name several businesses, in words of their own.

use super::{
    Project,
    identity::WORDS,
    places::{REFUSED, named},
    workbooks::{text, workbook},
};

const ALL: &str = "if the names of the files do not name businesses, import all of them with";

fn table(people: [&str; 2], words: [&str; 2]) -> String {
    format!(
        "Name,Stars,Date,Text\n{},5,2026-03-02,{}\n{},1,2026-03-04,{}\n",
        people[0], words[0], people[1], words[1]
    )
}

fn ours() -> String {
    table(["Ann Bell", "Joe Day"], [WORDS[0], WORDS[1]])
}

fn others() -> String {
    table(["Kim Oak", "Lou Fox"], [WORDS[2], "Nobody came and the phone was off the whole day."])
}

/// The rows of a sheet with this table.
fn sheet(table: &str) -> String {
    let row = |(number, line): (usize, &str)| {
        let cells = ["A", "B", "C", "D"].iter().zip(line.split(','));
        let cells: String = cells.map(|(at, cell)| text(&format!("{at}{number}"), cell)).collect();
        format!("<row r=\"{number}\">{cells}</row>")
    };
    (1..).zip(table.lines()).map(row).collect()
}

#[test]
fn files_named_after_places_are_about_several_businesses() {
    for (one, other, a, b) in [
        ("leeds/reviews.csv", "york/reviews.csv", "leeds", "york"),
        ("leeds-2025.csv", "york-2025.csv", "leeds-2025", "york-2025"),
        ("2025/Reviews Leeds.csv", "2026/Reviews York.csv", "Reviews Leeds", "Reviews York"),
        ("reviews.csv", "competitor-zeta.csv", "reviews", "competitor-zeta"),
    ] {
        let project = Project::new();
        project.write(&format!("x/{one}"), ours());
        project.write(&format!("x/{other}"), others());
        let import = ["import", "x", "--source", "shop"];
        let run = project.candor(import).exits(1);
        run.complains(REFUSED)
            .complains(&format!("  {a}  2 reviews\n"))
            .complains(&format!("  {b}  2 reviews\n"))
            .complains(ALL);
        project.candor([&import[..], &["--location", a]].concat()).exits(0).says("new 2 ·");
        assert!(project.stored().iter().all(|review| review["author"] != "Kim Oak"));
        let project = Project::new();
        project.write(&format!("x/{one}"), ours());
        project.write(&format!("x/{other}"), others());
        let both = ["--location", a, "--location", b];
        project.candor([&import[..], &both].concat()).exits(0).says("new 4 ·");
    }
}

#[test]
fn sheets_named_after_places_are_about_several_businesses() {
    let import = ["import", "a.xlsx", "--source", "shop"];
    let (ours, others) = (sheet(&ours()), sheet(&others()));
    for (a, b) in [("Leeds", "York"), ("Our reviews", "Competitors"), ("Dr. Bell", "Dr. Oak")] {
        let project = Project::new();
        project.write("a.xlsx", workbook(&[(a, &*ours), (b, &*others)], "uniqueCount=\"0\">"));
        let run = project.candor(import).exits(1);
        run.complains(&format!("  {a}  2 reviews\n")).complains(&format!("  {b}  2 reviews\n"));
    }
    for (a, b) in [
        ("January", "February"),
        ("Q1 2026", "Q2 2026"),
        ("Positive", "Negative"),
        ("Archive", "Current"),
        ("Tabelle1", "Tabelle2"),
        ("Google", "Trustpilot"),
        ("Published", "Hidden"),
    ] {
        let project = Project::new();
        project.write("a.xlsx", workbook(&[(a, &*ours), (b, &*others)], "uniqueCount=\"0\">"));
        let source: &[&str] = if a == "Google" { &[] } else { &import[2..] };
        project.candor([&import[..2], source].concat()).exits(0).says("new 4 ·");
    }
}

#[test]
fn two_rows_of_two_offices_are_about_two_businesses() {
    for column in ["Site name", "Brand", "Office", "Studio", "Client"] {
        let project = Project::new();
        let rows = ours().replace("Text\n", &format!("Text,{column}\n"));
        let rows = rows.replace("clean.\n", "clean.,Leeds\n").replace("all.\n", "all.,York\n");
        project.write("a.csv", rows);
        let run = project.candor(["import", "a.csv", "--source", "shop"]).exits(1);
        run.complains("  Leeds  1 reviews\n  York  1 reviews\n");
    }
}

#[test]
fn a_client_of_all_rows_is_the_business() {
    let rows = |client: &str| {
        let rows = ours().replace("Name", "Client");
        rows.replace("Ann Bell", client).replace("Joe Day", client)
    };
    let import = ["import", "a.csv", "--source", "shop"];
    let project = named("Acme");
    project.write("a.csv", rows("Acme"));
    project.candor(import).exits(0);
    assert!(project.stored().iter().all(|review| review["author"] == "Anonymous"));
    let project = named("Acme");
    project.write("a.csv", rows("Zeta"));
    project.candor(import).exits(1).complains("its reviews are about Zeta from shop");
    let project = named("Acme");
    project.write("a.csv", ours().replace("Name", "Client"));
    project.candor(import).exits(0);
    assert_eq!(project.stored()[0]["author"], "Ann Bell");
}
