//! Files that are made to fill the memory: each is refused, or read without its hostile part, in less than
//! 200 MB.
#![cfg(target_os = "linux")]

use std::{
    io::{Read, Write},
    process::{Child, Stdio},
};

use super::{
    super::project::{Project, Run},
    google,
    workbooks::{reviews, text, workbook},
};

const MIB: usize = 1 << 20;
/// Largest resident set of an import, in kB.
const MAX_MEMORY: u64 = 200_000;

/// A run of `candor import`, and the most memory it had.
struct Measured {
    run: Run,
    memory: u64,
}

/// Imports a file. On a busy machine the process may end before it is looked at; then it is run again.
fn measured(project: &Project, file: &str) -> Measured {
    measured_with(project, file, &[])
}

/// The same with further arguments.
fn measured_with(project: &Project, file: &str, more: &[&str]) -> Measured {
    let mut runs = (0..10).map(|_| look(project, file, more));
    runs.find(|measured| measured.memory > 1_000).expect("the memory was not read")
}

/// Imports a file and looks at the memory of the process until it ends. The peak is the kernel's own, so it
/// matters only that the process is looked at once after it.
fn look(project: &Project, file: &str, more: &[&str]) -> Measured {
    let out = project.path("out.txt");
    let err = project.path("err.txt");
    let mut command = project.command(["import", file, "--source", "direct", "--keep-going"]);
    command.args(more);
    command.stdout(std::fs::File::create(&out).unwrap());
    command.stderr(std::fs::File::create(&err).unwrap()).stdin(Stdio::null());
    let mut child = command.spawn().unwrap();
    let mut memory = 0;
    let status = loop {
        memory = memory.max(peak(&child));
        if let Some(status) = child.try_wait().unwrap() {
            break status;
        }
        std::thread::sleep(std::time::Duration::from_millis(2));
    };
    let run = Run {
        code: status.code().unwrap(),
        out: std::fs::read_to_string(out).unwrap(),
        err: std::fs::read_to_string(err).unwrap(),
    };
    Measured { run, memory }
}

/// `VmHWM` in kB; 0 for a process that has ended.
fn peak(child: &Child) -> u64 {
    let status = std::fs::read_to_string(format!("/proc/{}/status", child.id()));
    let status = status.unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    line.map_or(0, |line| line.trim().trim_end_matches(" kB").parse().unwrap())
}

/// A zip archive with one file, which is written piece by piece.
fn zip_file(project: &Project, name: &str, pieces: impl Iterator<Item = Vec<u8>>) {
    let file = std::fs::File::create(project.path("a.zip")).unwrap();
    let mut archive = zip::ZipWriter::new(file);
    archive.start_file(name, zip::write::SimpleFileOptions::default()).unwrap();
    pieces.for_each(|piece| archive.write_all(&piece).unwrap());
    archive.finish().unwrap();
}

/// Bytes that no archive makes smaller, so that the archive has the size of a hostile one.
fn ballast(project: &Project, bytes: usize) {
    let mut random = 1_u64;
    let bytes: Vec<u8> = std::iter::repeat_with(|| {
        random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        (random >> 56) as u8
    })
    .take(bytes)
    .collect();
    let file = std::fs::File::options().read(true).write(true).open(project.path("a.zip"));
    let mut archive = zip::ZipWriter::new_append(file.unwrap()).unwrap();
    archive.start_file("photo.jpg", zip::write::SimpleFileOptions::default()).unwrap();
    archive.write_all(&bytes).unwrap();
    archive.finish().unwrap();
}

/// A row of a JSON document.
fn row(n: usize, text: &str) -> String {
    format!("{{\"author\":\"A{n}\",\"rating\":5,\"date\":\"2026-01-02\",\"text\":\"{n} {text}\"}}")
}

/// A file of an archive: its beginning, what is repeated and how often, and what the import says.
type Hostile<'a> = (&'a str, String, &'a str, usize, &'a str);

fn assert_small(cases: &[Hostile<'_>]) {
    for (name, start, repeated, times, said) in cases {
        let project = Project::new();
        let start = std::iter::once(start.clone().into_bytes());
        let block = repeated.repeat(MIB / repeated.len());
        zip_file(&project, name, start.chain(std::iter::repeat_n(block.into_bytes(), *times)));
        let size = std::fs::metadata(project.path("a.zip")).unwrap().len();
        ballast(&project, 3_000_000_usize.saturating_sub(size as usize));
        let Measured { run, memory } = measured(&project, "a.zip");
        assert!(run.err.contains(said), "{said:?} is not in {run:?}");
        assert!(memory < MAX_MEMORY, "{said:?}: {memory} kB");
        assert!(!project.path("content/.candor-import").exists(), "{said:?}");
    }
}

const MEMORY: &str = "the file cannot be read on: an element of it takes more than 96 MiB of memory; remove it, or export every review as a row of its own, such as in a CSV file\n";

#[test]
fn hostile_json_of_3_mb_takes_less_than_200_mb() {
    let rows = format!("[{},", row(1, ""));
    let lines = format!("{}\n{}\n", row(1, ""), row(2, ""));
    assert_small(&[
        (
            "a.json",
            format!("{rows}{{\"author\":\""),
            "x",
            80,
            "a.zip/a.json:1: error[unreadable]: column 1048645: the file cannot be read on: a value in it is larger than 1 MiB; remove it, or export every review as a row of its own, such as in a CSV file\n",
        ),
        ("a.json", format!("{rows}["), "0,", 20, MEMORY),
        ("a.json", format!("{rows}["), "{\"\":{\"\":0}},", 80, MEMORY),
        ("a.json", format!("{{\"reviews\":{rows}0],\"x\":["), "{\"\":0},", 80, MEMORY),
        (
            "a.json",
            rows.clone(),
            "[",
            80,
            "the file cannot be read on: recursion limit exceeded; download the export again\n",
        ),
        (
            "a.ndjson",
            lines.clone(),
            "x",
            80,
            "a.zip/a.ndjson:3: error[no-review]: the line is larger than 32 MiB; correct the row or remove it\n",
        ),
        (
            "a.html",
            "<script type=\"application/ld+json\">{\"@type\":\"Review\"}</script><script>"
                .to_owned(),
            "x",
            80,
            "error: a.zip/a.html cannot be read: the page is larger than 16 MiB\n",
        ),
    ]);
}

#[test]
fn hostile_tables_of_3_mb_take_less_than_200_mb() {
    let table = || "author,rating,date,text\nAnn,5,2026-01-02,Good\n".to_owned();
    assert_small(&[
        (
            "a.csv",
            table() + "\"",
            "x",
            80,
            "a.zip/a.csv:3: error[no-review]: the quote that opens a cell in line 3 is never closed; ",
        ),
        ("a.csv", table() + "\"", "\"", 80, "a.zip/a.csv:3: error[no-review]: the "),
        ("a.csv", table(), "\"a\"b,", 80, "a.zip/a.csv:3: error[no-review]: the quote that opens "),
        (
            "a.csv",
            table(),
            "x,",
            80,
            "a.zip/a.csv:3: error[no-review]: the row is larger than 1 MiB; a quote may be missing; correct the row or remove it\n",
        ),
        (
            "a.csv",
            "author,rating,date,text".to_owned(),
            ",x",
            80,
            "a.zip/a.csv:1: error[no-review]: the row is larger than 1 MiB; a quote may be missing; correct the row or remove it\n",
        ),
    ]);
}

#[test]
fn an_archive_of_3_mb_holds_rows_for_less_than_200_mb() {
    let too_many = "error: a.zip cannot be read: it holds more rows than any export of its size does; unpack it yourself if you trust it\n";
    // Many small rows, and as many bytes in rows as there may be, and more.
    for (rows, length, said) in
        [(40_000, 1, too_many), (29_990, 2_100, ""), (1_200, 60_000, too_many)]
    {
        let project = Project::new();
        let text = "x".repeat(length);
        let rows = (1..rows).map(|n| (row(n, &text) + ",").into_bytes());
        let rows = std::iter::once(b"[".to_vec()).chain(rows);
        zip_file(&project, "a.json", rows.chain([b"null]".to_vec()]));
        let size = std::fs::metadata(project.path("a.zip")).unwrap().len();
        ballast(&project, 3_000_000_usize.saturating_sub(size as usize));
        let Measured { run, memory } = measured(&project, "a.zip");
        assert_eq!(run.err, said);
        assert!(memory < MAX_MEMORY, "{length}: {memory} kB");
    }
}

#[test]
fn an_import_at_its_limit_takes_less_than_two_and_a_half_times_the_limit_and_100_mb() {
    // Rows of which many are small, or few are long: just within the limit, and twice as many.
    let limit = (32 * MIB).to_string();
    let most = 100_000 + 32 * 1024 * 5 / 2;
    for (rows, length) in [(22_000, 1), (530, 60_000)] {
        for (rows, code) in [(rows, 0), (2 * rows, 1)] {
            let text = "x".repeat(length);
            let lines: String = (0..rows).map(|n| row(n, &text) + "\n").collect();
            let project = Project::new().file("a.ndjson", lines);
            let Measured { run, memory } =
                measured_with(&project, "a.ndjson", &["--dry-run", "--max-size", &limit]);
            assert_eq!(run.code, code, "{rows} rows of {length}: {run:?}");
            assert!(memory < most, "{rows} rows of {length}: {memory} kB");
        }
    }
}

#[test]
fn a_hostile_compressed_file_takes_less_than_200_mb() {
    let project = Project::new();
    let file = std::fs::File::create(project.path("a.json.gz")).unwrap();
    let mut gzip = flate2::write::GzEncoder::new(file, flate2::Compression::best());
    gzip.write_all(format!("[{},[", row(1, "")).as_bytes()).unwrap();
    let block = "{\"\":0},".repeat(MIB / 7);
    (0..100).for_each(|_| gzip.write_all(block.as_bytes()).unwrap());
    gzip.finish().unwrap();
    let Measured { run, memory } = measured(&project, "a.json.gz");
    assert!(run.err.ends_with(MEMORY), "{run:?}");
    assert!(memory < MAX_MEMORY, "{memory} kB");
}

#[test]
fn names_in_a_tar_archive_have_a_limit() {
    let project = Project::new();
    let file = std::fs::File::create(project.path("a.tgz")).unwrap();
    let gzip = flate2::write::GzEncoder::new(file, flate2::Compression::best());
    let mut archive = tar::Builder::new(gzip);
    let mut add = |kind: tar::EntryType, name: &str, size: u64, byte: u8| {
        let mut header = tar::Header::new_gnu();
        header.set_path(name).unwrap();
        header.set_entry_type(kind);
        header.set_size(size);
        header.set_cksum();
        archive.append(&header, std::io::repeat(byte).take(size)).unwrap();
    };
    add(tar::EntryType::Regular, "photo.jpg", 20 * MIB as u64, 0);
    add(tar::EntryType::GNULongName, "././@LongLink", 200 * MIB as u64, b'x');
    archive.into_inner().unwrap().finish().unwrap();
    let Measured { run, memory } = measured(&project, "a.tgz");
    assert_eq!(
        run.err,
        "error: a.tgz cannot be read: the name of a file in it is longer than 1 MiB\n"
    );
    assert!(memory < MAX_MEMORY, "{memory} kB");
}

#[test]
fn a_row_that_is_too_large_is_an_error_of_its_place() {
    let project = Project::new();
    let large = |n: usize, tail: &str| {
        let unused: Vec<String> =
            (0..20).map(|n| format!("\"u{n}\":\"{}\"", "x".repeat(60_000))).collect();
        format!(
            "{{\"author\":\"A{n}\",\"rating\":5,\"date\":\"2026-01-02\",{}}}{tail}",
            unused.join(",")
        )
    };
    let small = |n: usize, tail: &str| row(n, "") + tail;
    for (name, text, place) in [
        ("a.ndjson", small(1, "\n") + &large(2, "\n") + &small(3, "\n"), ":2"),
        ("a.json", format!("[{}{}{}", small(1, ","), large(2, ","), small(3, "]")), "#/1"),
        (
            "place.json",
            format!(
                "[{{\"placeId\":\"p\",\"reviews\":[{}}},{{\"placeId\":\"p\",\"reviews\":[{}{}}}]",
                small(1, "]"),
                large(2, ","),
                small(3, "]")
            ),
            "#/1/reviews/0",
        ),
        (
            "a.csv",
            format!(
                "author,rating,date,text\nAnn,5,2026-01-02,Good\n{}\nBob,4,2026-01-03,Bad\n",
                "x,".repeat(MIB)
            ),
            ":3",
        ),
    ] {
        project.write(name, text);
        let arguments = ["import", name, "--source", "direct", "--keep-going", "--dry-run"];
        let run = project.candor(arguments).exits(0).says("new 2 ");
        let quote = if name.ends_with("csv") { "; a quote may be missing" } else { "" };
        assert_eq!(
            run.err,
            format!(
                "{name}{place}: error[no-review]: the row is larger than 1 MiB{quote}; correct the row or remove it\n"
            )
        );
    }
}

#[test]
fn a_text_that_is_too_long_is_an_error_of_its_row() {
    let project = Project::new();
    let text = |length: usize| "x".repeat(length);
    let mut reviews = [google(1), google(2), google(3)];
    reviews[0]["comment"] = text(65_536).into();
    reviews[1]["comment"] = text(65_537).into();
    reviews[2]["reviewReply"] =
        serde_json::json!({ "comment": text(70_000), "updateTime": "2026-01-02T00:00:00Z" });
    project.write_export("a.json", &reviews);
    let run = project.candor(["import", "a.json", "--keep-going"]).exits(0).says("new 1 ");
    assert_eq!(
        run.err,
        "a.json#/reviews/1: error[text-too-long]: text: it has 65537 bytes, and 65536 are allowed; shorten it or remove the row\n\
         a.json#/reviews/2: error[text-too-long]: reply: it has 70000 bytes, and 65536 are allowed; shorten it or remove the row\n"
    );
}

#[test]
fn hostile_workbooks_take_less_than_200_mb() {
    let rows = |rows: &str| workbook(&[("Reviews", &(reviews() + rows))], "><si><t>Good</t></si>");
    let cells: String = (0..16_000).map(|_| r#"<c t="s"><v>0</v></c>"#).collect();
    let long = format!("><si><t>{}</t></si>", "x".repeat(32_000));
    let many = |text: &str| {
        workbook(&[("Reviews", &reviews())], &(">".to_owned() + &text.repeat(2_500_000)))
    };
    let large = "a.xlsx cannot be read: a row or text of it is larger than 1 MiB; save it as CSV\n";
    let damaged = "a.xlsx cannot be read: it is damaged or was cut off; download it again\n";
    let texts = "a.xlsx cannot be read: its texts are larger than 64 MiB; save it as CSV\n";
    let pictures =
        "a.xlsx cannot be read: its pictures and formats are larger than 16 MiB; save it as CSV\n";
    let mut picture = rows("");
    let mut archive = zip::ZipWriter::new_append(std::io::Cursor::new(&mut picture)).unwrap();
    archive.start_file("xl/a.bin", zip::write::SimpleFileOptions::default()).unwrap();
    archive.write_all(&vec![0; 17 * MIB]).unwrap();
    archive.finish().unwrap();
    for (bytes, said) in [
        (rows(&format!("<row r=\"9\">{}</row>", text("B9", &"x".repeat(100 * MIB)))), large),
        (rows(&format!("<row r=\"9\"><!-- {} --></row>", "</row>".repeat(10 * MIB))), damaged),
        (
            workbook(&[("Reviews", &format!("{}<row r=\"9\">{cells}</row>", reviews()))], &long),
            "a.xlsx:9: error[invalid-rating]: rating: ",
        ),
        (many("<si></si>"), texts),
        (many("<si/>"), large),
        (picture, pictures),
    ] {
        let project = Project::new();
        project.write("a.xlsx", bytes);
        let Measured { run, memory } = measured(&project, "a.xlsx");
        assert!(run.err.contains(said), "{said:?} is not in {run:?}");
        assert!(memory < MAX_MEMORY, "{said:?}: {memory} kB");
    }
}
