//! What is bounded where exactness would take long: the rows are rejected, counted and named.

use serde_json::json;

use super::{
    Project,
    workbooks::{reviews, workbook},
};

const COLUMNS: &str = "id,author,rating,date,text";

/// Imports a table from the platform "direct".
fn import(project: &Project, rows: &str) {
    project.write("a.csv", format!("{COLUMNS}\n{rows}"));
    project.candor(["import", "a.csv", "--source", "direct"]).exits(0);
}

#[test]
fn a_message_names_ten_reviews_that_a_row_could_be() {
    let project = Project::new();
    let rows = |count: usize| -> String {
        (0..count).map(|n| format!(",Ann,5,2026-01-02,Great {n}\n")).collect()
    };
    import(&project, &rows(11));
    let ids: Vec<String> =
        (0..11).map(|n| project.stored()[n]["id"].as_str().unwrap().to_owned()).collect();
    project.write("b.csv", format!("{COLUMNS}\n,Ann,5,2026-01-02,Another\n"));
    project.candor(["import", "b.csv", "--source", "direct"]).exits(1).complains(&format!(
        "b.csv:2: error[ambiguous]: it is as much like one as the other of {} and others; say which review it is with candor edit ID --set source_ids=…",
        ids[..10].join(" and ")
    ));
}

#[test]
fn a_row_that_is_like_too_many_is_ambiguous() {
    let project = Project::new();
    import(&project, "x,Bob,4,2026-01-02,Fine\n");
    // One review with as many dates as nobody gives it.
    let day = |n: i64| jiff::civil::date(2001, 1, 1) + jiff::Span::new().days(n);
    let rows: String = (0..2_000).map(|n| format!("y,Ann,5,{},Good\n", day(n))).collect();
    project.write("b.csv", format!("{COLUMNS}\n{rows}"));
    let run = project.candor(["import", "b.csv", "--source", "direct", "--keep-going"]).exits(0);
    run.says("new 0 · updated 0 · unchanged 0 · missing 0 · rejected 2000").complains(
        "b.csv:2: error[ambiguous]: it is like too many reviews to be compared with each; say which",
    );
}

/// Each file has a row that is ambiguous only without the file before it.
#[test]
fn files_that_are_ambiguous_one_after_the_other_end_the_import() {
    let project = Project::new();
    let text = |k: usize| format!("The words of review {k}, which are long enough to be found.");
    let first = ",N0,5,2026-03-02,One more\n".to_owned();
    let stored = (0..25)
        .map(|k| format!(",N{},5,2026-03-02,\"{}\"\n,N{k},5,2026-03-02,Y {k}\n", k + 1, text(k)));
    import(&project, &(first + &stored.collect::<String>()));
    let before = project.tree("content");
    for k in 0..25 {
        project.write(
            &format!("export/{k:02}.csv"),
            format!(
                "{COLUMNS}\nr{k},,5,2026-01-02,\"{}\"\na{k},N{k},5,2026-03-02,A {k}\n",
                text(k)
            ),
        );
    }
    project.candor(["import", "export", "--source", "direct"]).exits(1).complains(
        "error: without the rows that are ambiguous others are, 20 times in a row; import the files one by one\n",
    );
    assert_eq!(project.tree("content"), before);
}

#[test]
fn the_names_around_a_row_have_a_length() {
    let project = Project::new();
    let rows = json!([{ "author": "Ann", "rating": 5, "date": "2026-01-02", "text": "Good" }]);
    for (length, code) in [(1_900, 0), (2_001, 1)] {
        project.write(
            "a.json",
            json!([{ "k".repeat(length): { "reviews": rows } }, rows[0]]).to_string(),
        );
        let run = project.candor(["import", "a.json", "--source", "direct"]).exits(code);
        if code == 1 {
            run.complains("a.json#/0: error[no-review]: the names around its list are too long; correct the row or remove it");
        }
    }
}

#[test]
fn a_workbook_has_at_most_a_thousand_sheets() {
    let project = Project::new();
    let rows = reviews();
    let names: Vec<String> = (0..1_001).map(|n| format!("S{n}")).collect();
    let sheets: Vec<(&str, &str)> =
        names.iter().map(|name| (&**name, if name == "S0" { &*rows } else { "" })).collect();
    let texts = "uniqueCount=\"1\"><si><t>Good</t></si>";
    project.write("a.xlsx", workbook(&sheets, texts));
    project.candor(["import", "a.xlsx", "--source", "direct"]).exits(1).complains(
        "error: a.xlsx cannot be read: it has more than 1,000 sheets; save the one with reviews as CSV\n",
    );
    project.write("a.xlsx", workbook(&sheets[..1_000], texts));
    project.candor(["import", "a.xlsx", "--source", "direct", "--keep-going"]).exits(0);
}

/// A remedy lists the first of many known words.
#[test]
fn a_remedy_has_an_end() {
    let maps: String = (0..60)
        .map(|n| format!("[[map]]\nname = \"map-number-{n}\"\ncolumns = {{ author = \"A\", rating = \"R\", date = \"D\" }}\n"))
        .collect();
    let project =
        Project::new().file("content/import.toml", maps).file("a.csv", "A,R,D\nAnn,5,2026-01-02\n");
    let run = project.candor(["import", "a.csv", "--map", "zzz", "--source", "direct"]).exits(1);
    run.complains("map-number-48, map-number-49 and 10 more; or write field=column,…");
}
