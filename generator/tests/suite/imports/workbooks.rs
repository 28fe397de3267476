//! Excel workbooks, and archives that are none or not what was meant.

use std::io::Write;

use super::{Project, google};
use serde_json::json;

/// A zip archive of these files.
fn zip_of(files: &[(&str, String)]) -> Vec<u8> {
    let parts = files.iter().map(|(name, text)| ((*name).to_owned(), text.clone().into_bytes()));
    zip_of_parts(&parts.collect::<Vec<_>>())
}

/// The same of any bytes.
pub(crate) fn zip_of_parts(files: &[(String, Vec<u8>)]) -> Vec<u8> {
    let mut archive = zip::ZipWriter::new(std::io::Cursor::new(Vec::new()));
    for (name, bytes) in files {
        archive.start_file(&**name, zip::write::SimpleFileOptions::default()).unwrap();
        archive.write_all(bytes).unwrap();
    }
    archive.finish().unwrap().into_inner()
}

const HEAD: &str = r#"<?xml version="1.0" encoding="UTF-8" standalone="yes"?>"#;
const PACKAGE: &str = "http://schemas.openxmlformats.org/package/2006/relationships";
const OFFICE: &str = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";
const MAIN: &str = r#"xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main""#;

/// A workbook with these sheets: name, rows as XML.
pub(super) fn workbook(sheets: &[(&str, &str)], texts: &str) -> Vec<u8> {
    zip_of_parts(&parts_of_workbook(sheets, texts))
}

/// The files of such a workbook.
pub(crate) fn parts_of_workbook(sheets: &[(&str, &str)], texts: &str) -> Vec<(String, Vec<u8>)> {
    let related = format!(r#"xmlns:r="{OFFICE}""#);
    let (mut list, mut relations) = (String::new(), String::new());
    let mut files = Vec::new();
    let paths: Vec<String> =
        (1..=sheets.len()).map(|n| format!("xl/worksheets/sheet{n}.xml")).collect();
    for (number, ((name, rows), path)) in (1..).zip(sheets.iter().zip(&paths)) {
        list += &format!(r#"<sheet name="{name}" sheetId="{number}" r:id="rId{number}"/>"#);
        relations += &format!(
            r#"<Relationship Id="rId{number}" Type="{OFFICE}/worksheet" Target="worksheets/sheet{number}.xml"/>"#
        );
        files.push((
            path.as_str(),
            format!("{HEAD}<worksheet {MAIN}><sheetData>{rows}</sheetData></worksheet>"),
        ));
    }
    // Number format 14 is a date, 22 a date with a time.
    let styles =
        r#"<cellXfs count="3"><xf numFmtId="0"/><xf numFmtId="14"/><xf numFmtId="22"/></cellXfs>"#;
    files.extend([
        (
            "_rels/.rels",
            format!(
                r#"{HEAD}<Relationships xmlns="{PACKAGE}"><Relationship Id="rId1" Type="{OFFICE}/officeDocument" Target="xl/workbook.xml"/></Relationships>"#
            ),
        ),
        ("xl/workbook.xml", format!("{HEAD}<workbook {MAIN} {related}><sheets>{list}</sheets></workbook>")),
        (
            "xl/_rels/workbook.xml.rels",
            format!(
                r#"{HEAD}<Relationships xmlns="{PACKAGE}">{relations}</Relationships>"#
            ),
        ),
        ("xl/styles.xml", format!("{HEAD}<styleSheet {MAIN}>{styles}</styleSheet>")),
        ("xl/sharedStrings.xml", format!("{HEAD}<sst {MAIN} {texts}</sst>")),
    ]);
    files.into_iter().map(|(name, text)| (name.to_owned(), text.into_bytes())).collect()
}

/// A cell with a text.
pub(crate) fn text(at: &str, text: &str) -> String {
    format!(r#"<c r="{at}" t="inlineStr"><is><t>{text}</t></is></c>"#)
}

/// Names of columns in row 3, below a title, then rows with dates as numbers of days.
pub(crate) fn reviews() -> String {
    let columns = ["B", "C", "D", "E"].iter().zip(["author", "rating", "date", "text"]);
    let header: String = columns.map(|(column, name)| text(&format!("{column}3"), name)).collect();
    format!(
        r#"<row r="1">{}</row><row r="3">{header}</row>
        <row r="4">{}<c r="C4"><v>5</v></c><c r="D4" s="1"><v>45943</v></c><c r="E4" t="s"><v>0</v></c></row>
        <row r="7">{}<c r="C7"><v>-1</v></c><c r="D7" s="2"><v>45944.5</v></c></row>"#,
        text("A1", "Reviews of 2025"),
        text("B4", "Ann"),
        text("B7", "Bob"),
    )
}

pub(crate) const TEXTS: &str = "uniqueCount=\"1\"><si><t>Two lines,\nand a \"quote\".</t></si>";

#[test]
fn a_workbook_is_read_by_its_content() {
    let project = Project::new();
    project.write("reviews.txt", workbook(&[("Notes", ""), ("Reviews", &reviews())], TEXTS));
    let run = project.candor(["import", "reviews.txt", "--source", "direct", "--keep-going"]);
    run.exits(0)
        .says("reviews.txt: csv (by the names of its columns")
        // The row has the number that the workbook shows.
        .complains("reviews.txt:7: error[invalid-rating]: rating:");
    let stored = project.stored();
    assert_eq!(stored.len(), 1);
    assert_eq!(stored[0]["author"], "Ann");
    assert_eq!(stored[0]["date"], "2025-10-13");
    assert_eq!(stored[0]["text"], "Two lines,\nand a \"quote\".");
}

#[test]
fn every_sheet_with_reviews_is_read() {
    let project = Project::new();
    let other = reviews().replace("Ann", "Cy").replace("<v>-1</v>", "<v>3</v>");
    let first = reviews().replace("<v>-1</v>", "<v>4</v>");
    let prices = format!(r#"<row r="1">{}{}</row>"#, text("A1", "Item"), text("B1", "Price"));
    let sheets = [("2024", &*first), ("2025", &*other), ("Prices", &*prices)];
    project.write("a.xlsx", workbook(&sheets, TEXTS));
    let run = project.candor(["import", "a.xlsx", "--source", "direct"]).exits(0);
    run.says("a.xlsx/2024 and 1 more files").says("new 4").says("1 file was skipped");
}

/// A sheet with two good reviews of this author and of Bob.
fn sheet_of(author: &str) -> String {
    reviews()
        .replace("Ann", author)
        .replace("Bob", &format!("Bob {author}"))
        .replace("<v>-1</v>", "<v>4</v>")
}

#[test]
fn sheets_of_several_businesses_or_platforms_are_not_one() {
    let (a, b) = (&*sheet_of("Ann"), &*sheet_of("Cy"));
    let import = ["import", "a.xlsx", "--source", "google"];
    let project = Project::new();
    project.write("a.xlsx", workbook(&[("Acme Plumbing", a), ("Bolt Electric", b)], TEXTS));
    project
        .candor(import)
        .exits(1)
        .complains("  Acme Plumbing  2 reviews\n  Bolt Electric  2 reviews\n");
    let chosen = [&import[..], &["--location", "Acme Plumbing"]].concat();
    project.candor(chosen).exits(0).says("new 2");
    let project = Project::new();
    project.write("a.xlsx", workbook(&[("Google", a), ("Trustpilot", b)], TEXTS));
    project.candor(import).exits(1).complains(
        "error: a.xlsx/Trustpilot has the name of trustpilot, and its reviews would be google's",
    );
}

#[test]
fn hidden_sheets_and_those_of_examples_are_named_and_not_imported() {
    let (a, b) = (&*sheet_of("Ann"), &*sheet_of("Cy"));
    let project = Project::new();
    let sheets = [("Reviews", a), ("Demo", b), ("Deleted", b), ("Old\" state=\"hidden", b)];
    project.write("a.xlsx", workbook(&sheets, TEXTS));
    let hidden = "a.xlsx/Old: the workbook hides it, so it was not imported";
    let of = |name| format!("a.xlsx/{name}: its name is that of examples or deleted reviews, so");
    project
        .candor(["import", "a.xlsx", "--source", "google"])
        .exits(0)
        .says("new 2")
        .complains(hidden)
        .complains(&of("Demo"))
        .complains(&of("Deleted"));
}

#[test]
fn a_workbook_that_cannot_be_read_says_so() {
    let project = Project::new();
    let whole = workbook(&[("Reviews", &reviews())], TEXTS);
    let damaged = "it is damaged or was cut off; download it again";
    let far = |name: &str, to: &str| {
        let sheet = reviews().replace(name, to);
        assert_ne!(sheet, reviews());
        workbook(&[("Reviews", &sheet)], TEXTS)
    };
    let lying = workbook(&[("Reviews", &reviews())], &TEXTS.replace("\"1\"", "\"99999999999999\""));
    for (bytes, said) in [
        (&whole[..whole.len() / 2], damaged),
        (
            &zip_of(&[("xl/workbook.xml", String::new())]),
            "the workbook is damaged or has a password; save it again without a password, or as CSV",
        ),
        (&lying, "it states more texts than it has"),
        (&far("r=\"A1\"", "r=\"A99999999999999\""), damaged),
        (&far("r=\"A1\"", "r=\"AAAAAAAAAA1\""), damaged),
        (&far("r=\"A1\"", "s='\"' r='A0'"), damaged),
        (
            &zip_of(&[("mimetype", String::new()), ("content.xml", String::new())]),
            "it is an OpenDocument file; save it as .xlsx or CSV",
        ),
    ] {
        project.write("a.xlsx", bytes);
        let run = project.candor(["import", "a.xlsx", "--source", "direct"]).exits(1);
        assert_eq!(run.err, format!("error: a.xlsx cannot be read: {said}\n"));
    }
    project.write("a.xlsx", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1\0\0\0\0");
    let run = project.candor(["import", "a.xlsx", "--source", "direct"]).exits(1);
    assert_eq!(
        run.err,
        "error: a.xlsx cannot be imported: it is an Excel workbook of the old format (.xls), or one with a password; save it as .xlsx without a password, or as CSV\n"
    );
}

#[test]
fn a_workbook_whose_cells_repeat_a_long_text_is_refused() {
    let project = Project::new();
    let long = format!("uniqueCount=\"1\"><si><t>{}</t></si>", "x".repeat(900 << 10));
    let row = |n: u32| {
        format!(
            r#"<row r="{n}"><c r="B{n}" t="s"><v>0</v></c><c r="C{n}" t="s"><v>0</v></c></row>"#
        )
    };
    let rows: String = (1..200).map(row).collect();
    project.write("a.xlsx", workbook(&[("Reviews", &rows)], &long));
    let run = project.candor(["import", "a.xlsx", "--source", "direct"]).exits(1);
    run.complains("a.xlsx cannot be read: unpacked, it is larger than 256 MiB");
}

#[test]
fn a_workbook_with_too_many_texts_is_refused() {
    let project = Project::new();
    let texts = format!("uniqueCount=\"1\"><si><t>{}</t></si>", "x".repeat(65 << 20));
    project.write("a.xlsx", workbook(&[("Reviews", &reviews())], &texts));
    let run = project.candor(["import", "a.xlsx", "--source", "direct"]).exits(1);
    assert_eq!(
        run.err,
        "error: a.xlsx cannot be read: its texts are larger than 64 MiB; save it as CSV\n"
    );
}

#[test]
fn an_archive_that_was_cut_off_says_so() {
    let project = Project::new();
    let export = json!({ "reviews": [google(1)] }).to_string();
    let whole = zip_of(&[("Takeout/location-7/reviews.json", export.clone())]);
    project.write("a.zip", &whole[..whole.len() - 30]);
    let mut gzip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::best());
    gzip.write_all(export.as_bytes()).unwrap();
    let gzip = gzip.finish().unwrap();
    project.write("a.gz", &gzip[..gzip.len() / 2]);
    for file in ["a.zip", "a.gz"] {
        let run = project.candor(["import", file]).exits(1);
        let said = "cannot be read: it is damaged or was cut off; download it again";
        assert_eq!(run.err, format!("error: {file} {said}\n"));
    }
}

#[test]
fn a_takeout_of_another_product_says_so() {
    let project = Project::new();
    let files = [
        ("Takeout/archive_browser.html", "<html></html>".to_owned()),
        ("Takeout/Fit/Daily.csv", "Date,Steps\n2026-01-01,9\n".to_owned()),
        ("Takeout/Keep/note.json", json!({ "title": "Milk", "isPinned": false }).to_string()),
    ];
    project.write("takeout.zip", zip_of(&files));
    let run = project.candor(["import", "takeout.zip"]).exits(1);
    assert_eq!(
        run.err,
        "error: takeout.zip cannot be imported: it is a Takeout archive without reviews of a business; it holds Fit, Keep; export \"Google Business Profile\" from Takeout, with the account that owns the business\n"
    );
}

#[test]
fn two_shops_of_a_takeout_have_their_names() {
    let project = Project::new();
    let mut files = Vec::new();
    for (n, title) in [(7, "Tillwater Heating"), (8, "Tillwater Air")] {
        let mut review = google(n);
        review["name"] = json!(format!("accounts/1/locations/{n}/reviews/AbFvOqTill{n:04}"));
        let folder = format!("Takeout/Google Business Profile/account-1/location-{n}");
        files.push((format!("{folder}/reviews.json"), json!({ "reviews": [review] }).to_string()));
        files.push((format!("{folder}/data.json"), json!({ "title": title }).to_string()));
    }
    let files: Vec<(&str, String)> =
        files.iter().map(|(name, text)| (name.as_str(), text.clone())).collect();
    project.write("takeout.zip", zip_of(&files));
    project
        .candor(["import", "takeout.zip"])
        .exits(1)
        .complains("7  Tillwater Heating  1 reviews")
        .complains("8  Tillwater Air  1 reviews");
}
