//! Quotes of CSV files: none swallows the rows after it.

use super::Project;

#[test]
fn twenty_rows_with_one_unclosed_quote_are_never_three_reviews() {
    let row = |n: u32| match n {
        3 => "Ann 3,5,2026-01-03,\"great work,ann3@example.com\n".to_owned(),
        n => format!("Ann {n},5,2026-01-{n:02},Fine.,ann{n}@example.com\n"),
    };
    let rows: String = (1..=20).map(row).collect();
    for (end, place) in [("\n", "a.csv:4"), ("\r\n", "a.csv:4")] {
        let project = Project::new();
        let table = format!("author,rating,date,text,email\n{rows}").replace('\n', end);
        project.write("a.csv", table);
        let run = project.candor(["import", "a.csv", "--source", "yelp"]).exits(1);
        assert_eq!(
            run.err,
            format!(
                "{place}: error[no-review]: the quote that opens a cell in line 4 is never closed, and all of the file to line 21 is a part of the cell; a quote within a quoted cell is written twice; correct the row or remove it\nnext: candor import a.csv --source yelp --keep-going\n"
            )
        );
        assert!(!project.path("content/reviews").exists());
        project.candor(["import", "a.csv", "--source", "yelp", "--keep-going"]).exits(0);
        let stored = project.stored();
        assert_eq!(stored.len(), 2);
        assert!(!stored.iter().any(|review| review.to_string().contains("ann4@example.com")));
    }
}

#[test]
fn lines_are_counted_alike_whatever_ends_them() {
    let table = "author,rating,date\nAnn,5,2026-01-02\n\"B\nen\",4,2026-01-03\nCy,0,2026-01-04\n\n\nDee,0,2026-01-05\n";
    for (table, lines) in [
        (table.to_owned(), [5, 8]),
        (table.replace('\n', "\r\n"), [5, 8]),
        // A header alone that ends in LF, as scripts that add a header write it.
        (table.replace('\n', "\r\n").replacen("\r\n", "\n", 1), [5, 8]),
        (table.replace("\n\n\n", "\r\n\r\n\r\n"), [5, 8]),
        (format!("\n\n{table}"), [7, 10]),
        (format!("\u{feff}{}", table.replace('\n', "\r\n")), [5, 8]),
    ] {
        let project = Project::new();
        project.write("a.csv", &table);
        let run = project.candor(["import", "a.csv", "--source", "yelp"]).exits(1);
        let place = |line: u32| format!("a.csv:{line}: error[invalid-rating]");
        run.complains(&place(lines[0])).complains(&place(lines[1]));
    }
}

#[test]
fn a_cell_of_more_than_64_kib_is_rejected() {
    let project = Project::new();
    let table = |length: usize| {
        format!("author,rating,date,text\nAnn,5,2026-01-02,{}\n", "x".repeat(length))
    };
    project.write("a.csv", table(65_536));
    project.candor(["import", "a.csv", "--source", "yelp"]).exits(0).says("new 1");
    project.write("a.csv", table(65_537));
    let run = project.candor(["import", "a.csv", "--source", "yelp"]).exits(1);
    assert_eq!(
        run.err,
        "a.csv:2: error[no-review]: the cell \"text\" has 65537 bytes, and 65536 are allowed; a quote may be missing; correct the row or remove it\n"
    );
}

#[test]
fn a_quote_that_is_closed_in_a_later_row_is_an_error_of_its_row() {
    for table in [
        "rating,text,date,author\n5,\"Great,2026-01-01,Ann\n4,Good,2026-01-02,Bob\n3,\"ok\",2026-01-03,Cy\n",
        "rating,date,author,text\n5,2026-01-01,Ann,\"Great\n4,2026-01-02,Bob,\"Good\"\n",
    ] {
        let project = Project::new();
        project.write("a.csv", table);
        let run = project.candor(["import", "a.csv", "--source", "yelp"]).exits(1);
        run.complains(
            "a.csv:2: error[no-review]: the quote that opens a cell in line 2 is closed in line ",
        )
        .complains("with text behind it, so one of them is missing or too many");
        assert!(!project.path("content/reviews").exists());
    }
}

#[test]
fn no_row_ends_a_file_before_its_end() {
    let project = Project::new();
    // Beyond the first MiB, where a file is recognised.
    let row = |n: u32| format!("Ann {n},5,2026-01-02,{}\n", "x".repeat(60_000));
    let rows = (0..20).map(row).chain(["\0end of file\0\n".to_owned()]).chain((20..25).map(row));
    project.write("a.csv", format!("author,rating,date,text\n{}", rows.collect::<String>()));
    let run = project.candor(["import", "a.csv", "--source", "yelp", "--keep-going"]).exits(0);
    run.says("new 25").complains("a.csv:22: error[no-review]: the row has 1 cells");
}
