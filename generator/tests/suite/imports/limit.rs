//! The limit on all rows and texts of an import, whatever they come in, and on what is kept of a stream.

use std::{
    io::{Read, Write},
    net::TcpListener,
    process::{Command, Stdio},
};

use serde_json::json;

use super::{
    super::project::{Project, Run},
    google,
    workbooks::{text, workbook},
};

/// Twenty rows count 20 KiB and their fields, and in the archive each has a file, which counts 1 KiB as well.
const ROWS: usize = 20;
const TOO_SMALL: &str = "20000";
const LARGE_ENOUGH: &str = "80000";

fn said(file: &str) -> String {
    format!(
        "error: {file} cannot be read: with it, the rows and texts of this import are larger than {TOO_SMALL} bytes; import it in parts, or pass a larger --max-size if you trust it\n"
    )
}

/// Every container with some of the rows.
fn containers(rows: std::ops::Range<usize>) -> Vec<(&'static str, Vec<u8>)> {
    let reviews: Vec<_> = rows.clone().map(google).collect();
    let table = |n: usize| format!("Ann {n},{},2026-01-0{},Good work {n}\n", 1 + n % 5, 1 + n % 9);
    let csv = "author,rating,date,text\n".to_owned() + &rows.clone().map(table).collect::<String>();
    let generic: Vec<_> = rows
        .clone()
        .map(|n| json!({ "author": format!("Ann {n}"), "rating": 5, "date": "2026-01-02", "text": "" }))
        .collect();
    let lines: String = generic.iter().map(|row| format!("{row}\n")).collect();
    let linked: Vec<_> = rows
        .clone()
        .map(|n| {
            json!({ "@type": "Review", "author": format!("Ann {n}"), "datePublished": "2026-01-02",
                "reviewRating": { "ratingValue": 5 }, "reviewBody": format!("Good {n}") })
        })
        .collect();
    let page = format!(
        "<script type=\"application/ld+json\">{}</script>",
        json!({ "@context": "https://schema.org", "@graph": linked })
    );
    let head: String = ["author", "rating", "date", "text"]
        .iter()
        .zip('A'..)
        .map(|(name, column)| text(&format!("{column}1"), name))
        .collect();
    let sheet: String = rows
        .clone()
        .map(|n| {
            let cells =
                [format!("Ann {n}"), "5".to_owned(), "2026-01-02".to_owned(), format!("Good {n}")];
            let cells =
                cells.iter().zip('A'..).map(|(cell, column)| text(&format!("{column}{n}"), cell));
            format!("<row r=\"{n}\">{}</row>", cells.collect::<String>())
        })
        .collect();
    let mut gzip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    gzip.write_all(csv.as_bytes()).unwrap();
    let mut zip = zip::ZipWriter::new(std::io::Cursor::new(Vec::new()));
    for (n, review) in (0..).zip(&reviews) {
        let options = zip::write::SimpleFileOptions::default();
        zip.start_file(format!("{n}.json"), options).unwrap();
        zip.write_all(json!({ "reviews": [review] }).to_string().as_bytes()).unwrap();
    }
    vec![
        ("a.json", json!({ "reviews": reviews }).to_string().into_bytes()),
        ("a.csv", csv.into_bytes()),
        ("a.ndjson", lines.into_bytes()),
        ("a.html", page.into_bytes()),
        ("a.xlsx", workbook(&[("Reviews", &format!("<row r=\"1\">{head}</row>{sheet}"))], "/>")),
        ("a.csv.gz", gzip.finish().unwrap()),
        ("a.zip", zip.finish().unwrap().into_inner()),
    ]
}

fn import(project: &Project, inputs: &[&str], limit: &str) -> Run {
    let rest = ["--source", "google", "--max-size", limit];
    project.candor(["import"].iter().chain(inputs).chain(&rest).copied())
}

#[test]
fn no_container_holds_more_than_an_import_may() {
    for (name, bytes) in containers(2..2 + ROWS) {
        let project = Project::new().file(name, bytes);
        let before = project.tree("content");
        let run = import(&project, &[name], TOO_SMALL).exits(1);
        let file = if name == "a.zip" { "a.zip/" } else { name };
        assert!(run.err.starts_with(&format!("error: {file}")), "{run:?}");
        assert!(run.err.ends_with(said("").trim_start_matches("error: ")), "{run:?}");
        assert_eq!(project.tree("content"), before, "{name}");
        import(&project, &[name], LARGE_ENOUGH).exits(0).says(&format!("new {ROWS} "));
    }
}

#[test]
fn several_inputs_together_hold_no_more_than_one() {
    let project = Project::new();
    let mut names = Vec::new();
    for ((name, bytes), half) in containers(2..2 + ROWS / 2).into_iter().take(1).zip(["b"]) {
        project.write(name, bytes);
        names.extend([name.to_owned(), format!("{half}.json")]);
    }
    let (_, rest) = containers(2 + ROWS / 2..2 + ROWS).remove(0);
    project.write(&names[1], rest);
    let both = [&*names[0], &*names[1]];
    assert_eq!(import(&project, &both, TOO_SMALL).exits(1).err, said("b.json"));
    for name in both {
        import(&project, &[name], TOO_SMALL).exits(0).says(&format!("new {} ", ROWS / 2));
    }
}

#[test]
fn rejected_rows_count_as_well() {
    let rows: String = (0..ROWS).map(|n| format!("Ann {n},9,2026-01-02,Good\n")).collect();
    let project = Project::new().file("a.csv", "author,rating,date,text\n".to_owned() + &rows);
    assert_eq!(import(&project, &["a.csv"], TOO_SMALL).exits(1).err, said("a.csv"));
}

#[test]
fn columns_that_are_not_imported_do_not_count() {
    let wide = "x".repeat(2_000);
    let rows: String = (0..ROWS).map(|n| format!("Ann {n},5,2026-01-02,Good,{wide}\n")).collect();
    let project =
        Project::new().file("a.csv", "author,rating,date,text,other\n".to_owned() + &rows);
    import(&project, &["a.csv"], LARGE_ENOUGH).exits(0);
}

/// Rows without end.
fn endless(mut out: impl Write) {
    let _ = out.write_all(b"author,rating,date,text\n");
    let row = "Ann,5,2026-01-02,Good\n".repeat(1_000);
    while out.write_all(row.as_bytes()).is_ok() {}
}

#[test]
fn a_stream_without_end_is_cut_off() {
    let said = "it is larger than 80000 bytes, four times --max-size; import it from a file, or pass a larger --max-size if you trust it\n";
    let project = Project::new();
    let mut command: Command =
        project.command(["import", "-", "--source", "direct", "--max-size", TOO_SMALL]);
    let mut child = command.stdin(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    endless(child.stdin.take().unwrap());
    let output = child.wait_with_output().unwrap();
    let error = String::from_utf8(output.stderr).unwrap();
    assert_eq!(error, format!("error: standard input cannot be read: {said}"));

    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = format!("http://{}/a.csv", listener.local_addr().unwrap());
    let server = std::thread::spawn(move || {
        let (mut stream, _) = listener.accept().unwrap();
        let _ = stream.read(&mut [0; 4096]).unwrap();
        stream.write_all(b"HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n").unwrap();
        endless(stream);
    });
    let run = import(&project, &[&address], TOO_SMALL).exits(1);
    assert_eq!(run.err, format!("error: {address} cannot be read: {said}"));
    server.join().unwrap();
    assert!(!project.path("content/.candor-import").exists());
}
