//! The encodings of exports.

use serde_json::Value;

use super::Project;
use crate::project::Run;

fn import(project: &Project, file: &str, more: &[&str]) -> Run {
    let mut arguments = vec!["import", file];
    arguments.extend(more);
    project.candor(arguments)
}

fn texts(project: &Project) -> Vec<String> {
    let text = |review: &Value| review["text"].as_str().unwrap_or_default().to_owned();
    let mut texts: Vec<String> = project.stored().iter().map(text).collect();
    texts.sort();
    texts
}

const DIRECT: [&str; 2] = ["--source", "direct"];

#[test]
fn utf_16_and_windows_1252_are_read() {
    let table = "author;rating;date;text\nJ\u{f6}rg;5;2025-01-02;Sehr gut \u{2013} wirklich.\n";
    let utf16 = |bytes: fn(u16) -> [u8; 2]| -> Vec<u8> {
        format!("\u{feff}{table}").encode_utf16().flat_map(bytes).collect()
    };
    let windows = table.replace('\u{f6}', "\0").replace('\u{2013}', "\x01");
    let windows: Vec<u8> = windows
        .bytes()
        .map(|byte| match byte {
            0 => 0xf6,
            1 => 0x96,
            byte => byte,
        })
        .collect();
    let warning = "warning: a.csv: it is not UTF-8 and was read as windows-1252; look whether its letters are right\n";
    for (bytes, said) in
        [(utf16(u16::to_le_bytes), ""), (utf16(u16::to_be_bytes), ""), (windows, warning)]
    {
        let project = Project::new();
        project.write("a.csv", bytes);
        let run = import(&project, "a.csv", &DIRECT).exits(0);
        assert_eq!(run.err, said);
        assert_eq!(project.stored()[0]["author"], "J\u{f6}rg");
        assert_eq!(texts(&project), ["Sehr gut \u{2013} wirklich."]);
    }
}

#[test]
fn a_file_that_ends_within_a_character_is_refused() {
    let project = Project::new();
    let table = "author,rating,date,text\nAnn,5,2025-01-02,Good \u{1f600}";
    let bytes: Vec<u8> =
        format!("\u{feff}{table}").encode_utf16().flat_map(u16::to_le_bytes).collect();
    project.write("a.csv", &bytes[..bytes.len() - 2]);
    let run = import(&project, "a.csv", &DIRECT).exits(1);
    assert_eq!(
        run.err,
        "error: a.csv cannot be read: it has bytes that are no text in UTF-16LE; save it as UTF-8 and import it again\n"
    );
}

#[test]
fn a_damaged_utf_8_file_names_the_row() {
    let project = Project::new();
    let table = b"author,rating,date,text\r\nJ\xc3\xb6rg,5,2025-01-02,Gut.\r\nJ\xf6rg,5,2025-01-03,Gut.\r\n";
    project.write("a.csv", table);
    import(&project, "a.csv", &DIRECT).exits(1).complains(
        "a.csv:3: error[no-review]: the cell \"author\" is not UTF-8; save the file as UTF-8; correct the row or remove it",
    );
}
