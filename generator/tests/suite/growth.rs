//! Files that are built to take long: twice the size takes about twice the steps, to import them and to check
//! what was imported. Steps are counted (`make test-growth`). The formats are those of [`super::imports`].

use std::sync::atomic::AtomicBool;

use content::cache::Cache;
use generator::pipeline::Checked;
use import::{ImportOptions, Input};
use serde_json::{Value, json};

use super::{
    imports::workbooks::{parts_of_workbook, text as cell, zip_of_parts},
    project::Project,
};

use crate::steps::grows_linearly;

const NOW: &str = "2026-06-01T00:00:00Z";

/// Imports files of a growing size, one after the other, into a new project, and checks its content.
fn grows<T: AsRef<[u8]>>(name: &str, size: usize, files: impl Fn(usize) -> Vec<T>) {
    work_grows(name, size, |size| (Project::new(), files(size)));
}

/// The same into a project that has something already.
fn work_grows<T: AsRef<[u8]>>(
    name: &str,
    size: usize,
    prepared: impl Fn(usize) -> (Project, Vec<T>),
) {
    grows_linearly(name, size, |size| {
        let (project, files) = prepared(size);
        let content = project.path("content");
        let now = NOW.parse().unwrap();
        for file in files {
            project.write(name, file);
            let options = ImportOptions {
                inputs: vec![Input::Path(project.path(name))],
                source: Some("google".into()),
                relative_to: Some("2026-05-01".parse().unwrap()),
                keep_going: true,
                ..ImportOptions::default()
            };
            // A refusal takes steps too.
            let _ = import::run(&content, &options, now, &AtomicBool::new(false), &());
        }
        let _ = Checked::read(&content, None, &Cache::none(), now);
    });
}

/// A table of these rows.
fn table(columns: &str, size: usize, row: impl Fn(usize) -> String) -> String {
    let rows: String = (0..size).map(|n| row(n) + "\n").collect();
    format!("{columns}\n{rows}")
}

const COLUMNS: &str = "author,rating,date,text";

/// The nth of these things, and an ordinary review with a further key.
fn review(n: usize, more: &str) -> Value {
    let mut row = json!({ "author": format!("Ann {n}"), "rating": 5, "date": "2026-01-02", "text": format!("Fine {n}") });
    row[more] = json!(n);
    row
}

/// A review as Apify writes it, with an id and the id of its address.
fn apify(n: usize, (id, other): (usize, usize)) -> Value {
    let spelled = |id: usize| format!("ChZDSUhNMG9nS0VJQ0FnSUNU{id:08}");
    json!({
        "reviewId": spelled(id), "reviewUrl": format!("https://www.google.com/maps/reviews/data=!4m8!1s{}", spelled(other)),
        "stars": 5, "publishedAtDate": "2026-01-02T03:04:05Z", "name": format!("Ann {n}"), "text": format!("Fine {n}"),
    })
}

fn list(size: usize, item: impl Fn(usize) -> Value) -> String {
    Value::from((0..size).map(item).collect::<Vec<_>>()).to_string()
}

#[test]
fn rows_of_different_people() {
    grows("rows.csv", 500, |size| {
        vec![table(COLUMNS, size, |n| format!("Ann {n},5,2026-01-02,They mended tap {n} at once."))]
    });
}

#[test]
fn columns() {
    let header = |size| (0..size).map(|n| format!(",c{n}")).collect::<String>();
    grows("header.csv", 1_000, |size| {
        vec![format!("{COLUMNS}{}\nAnn,5,2026-01-02,Good{}\n", header(size), ",x".repeat(size))]
    });
    // The rating is the last column, and each cell could hold rows of the table.
    grows("wide.csv", 1_000, |size| {
        vec![format!(
            "author,date,text{},rating\nAnn,2026-01-02,Good{},5\n",
            header(size),
            ",a b".repeat(size)
        )]
    });
    grows("equal.csv", 1_000, |size| {
        vec![format!("{COLUMNS}{}\nAnn,5,2026-01-02,Good\n", ",text".repeat(size))]
    });
    grows("key.json", 1_000, |size| {
        let mut row = review(0, "x");
        (0..size).for_each(|n| {
            row[format!("k{n}")] =
                json!("some words that are a text, more than ten of them, in a column")
        });
        vec![json!([row]).to_string()]
    });
}

#[test]
fn marks_of_translations() {
    grows("marks.csv", 500, |size| {
        vec![table(COLUMNS, 1, |_| {
            format!("Ann,5,2026-01-02,{}", "(Translated by Google) a (Original) b ".repeat(size))
        })]
    });
}

#[test]
fn lines_that_could_be_rows_of_the_table() {
    grows("lines.csv", 500, |size| {
        vec![table(COLUMNS, 1, |_| format!("Ann,5,2026-01-02,\"{}\"", "a,5,b,c\n".repeat(size)))]
    });
}

#[test]
fn objects_with_another_unknown_key_each() {
    grows("unknown.json", 1_000, |size| vec![list(size, |n| review(n, &format!("k{n}")))]);
    grows("unknown.ndjson", 1_000, |size| {
        vec![(0..size).map(|n| review(n, &format!("k{n}")).to_string() + "\n").collect::<String>()]
    });
    let around = |size, inner: fn(usize) -> Value| -> Value {
        (0..size).map(|n| (format!("k{n}"), inner(n))).collect::<serde_json::Map<_, _>>().into()
    };
    grows("around.json", 1_000, |size| {
        vec![around(size, |n| json!({ "reviews": [review(n, "x")] })).to_string()]
    });
    // The object around the rows may describe their business.
    grows("place.json", 1_000, |size| {
        let mut place = around(size, |n| json!(n));
        place["reviews"] = (0..size).map(|n| review(n, "x")).collect();
        vec![json!([place]).to_string()]
    });
}

#[test]
fn objects_within_objects() {
    let nested = |size: usize, open: &str, close: &str| {
        format!("{}{}{}", open.repeat(size), review(0, "x"), close.repeat(size))
    };
    grows("nested.json", 60, |size| vec![nested(size, "{\"reviews\":[", "]}")]);
    grows("deep.json", 60, |size| vec![nested(size, "[", "]")]);
    grows("graph.json", 30, |size| vec![nested(size, "{\"@graph\":[", "]}")]);
    // The path to a row has the names of all objects around it.
    grows("path.json", 1_000, |size| {
        let rows: Vec<Value> = (0..size).map(|n| review(n, "x")).collect();
        vec![json!({ "k".repeat(size * 10): { "reviews": rows } }).to_string()]
    });
}

/// One author, one day and one rating, without ids: a second file has as many other texts.
#[test]
fn near_equal_rows() {
    let file = |from: usize, size: usize, author: &str| {
        table(COLUMNS, size, |n| format!("{author},5,2026-01-02,Great service {}!", from + n))
    };
    for author in ["Ann", "Anonymous"] {
        grows("near.csv", 500, |size| vec![file(0, size, author), file(size, size, author)]);
        // Half of the rows are stored already.
        grows("half.csv", 500, |size| vec![file(0, size, author), file(size / 2, size, author)]);
    }
    grows("days.csv", 500, |size| {
        let row = |n: usize| format!("Ann,5,{} months ago,Great service {n}!", n % 30);
        vec![table(COLUMNS, size, row), table(COLUMNS, size, |n| row(n + size))]
    });
}

#[test]
fn equal_rows() {
    let row = |n: usize| format!("Anonymous,5,2026-01-02,Great service!,https://x.example/{n}");
    let columns = &format!("{COLUMNS},url");
    grows("equal.csv", 500, |size| {
        vec![table(columns, size, row), table(columns, size, |n| row(n + size))]
    });
    // Nothing tells these apart: each has an id of its own all the same.
    grows("same.csv", 500, |size| {
        vec![table(COLUMNS, size, |_| "Anonymous,5,2026-01-02,Great service!".to_owned())]
    });
    let text = "They came on Monday and fixed the tap at once.";
    grows("texts.csv", 500, |size| {
        let file = |day: u8| table(COLUMNS, size, |n| format!("Ann {n},5,2026-01-0{day},{text}"));
        vec![file(2), file(9)]
    });
}

#[test]
fn ids_in_common() {
    grows("chain.json", 500, |size| vec![list(size, |n| apify(n, (n, n + 1)))]);
    grows("one.json", 500, |size| vec![list(size, |n| apify(n, (1, 1)))]);
    // Stored reviews of which every row has two ids.
    grows("two.json", 500, |size| {
        vec![list(size, |n| apify(n, (n, n))), list(size, |n| apify(n, (n, n + 1)))]
    });
    grows("account.json", 500, |size| {
        let account = |n: usize| {
            let mut row = apify(n, (n, n));
            row["reviewerId"] = json!("1");
            row
        };
        vec![list(size, account), list(size, |n| account(n + size))]
    });
}

#[test]
fn platforms_and_businesses() {
    grows("platforms.json", 500, |size| {
        vec![list(size, |n| {
            let mut row = apify(n, (n, n));
            row["reviewOrigin"] = json!(format!("p{n}"));
            row["stars"] = json!(5 + n % 2);
            row
        })]
    });
    grows("places.csv", 500, |size| {
        vec![table("author,rating,date,text,place_id", size, |n| {
            format!("Ann {n},5,2026-01-02,Good,{n}")
        })]
    });
}

#[test]
fn files_in_an_archive() {
    grows("files.zip", 200, |size| {
        let file = |n: usize| {
            let text = format!("author,rating,date,text,c{n}\nAnn {n},5,2026-01-02,Good,\n");
            (format!("a/{n}.csv"), text.into_bytes())
        };
        vec![zip_of_parts(&(0..size).map(file).collect::<Vec<_>>())]
    });
    // Every two files have a row in common, or one that is like a row of the other.
    grows("rounds.zip", 50, |size| {
        let file = |n: usize| {
            let row = |n: usize| format!("Ann,5,2026-01-02,Great service {n}!\n");
            (format!("a/{n}.csv"), format!("{COLUMNS}\n{}{}", row(n), row(n + 1)).into_bytes())
        };
        vec![zip_of_parts(&(0..size).map(file).collect::<Vec<_>>())]
    });
}

#[test]
fn sheets_and_texts_of_a_workbook() {
    let columns = ["author", "rating", "date", "text"];
    let row = |n: usize, cells: [&str; 4]| {
        let cells =
            "ABCD".chars().zip(cells).map(|(column, text)| cell(&format!("{column}{n}"), text));
        format!("<row r=\"{n}\">{}</row>", cells.collect::<String>())
    };
    let texts =
        |size: usize| format!("uniqueCount=\"{size}\">{}", "<si><t>Good</t></si>".repeat(size));
    let sheet =
        |n: usize| row(1, columns) + &row(2, [&format!("Ann {n}"), "5", "2026-01-02", "Good"]);
    grows("sheets.xlsx", 100, |size| {
        let sheets: Vec<String> = (0..size).map(sheet).collect();
        let names: Vec<String> = (0..size).map(|n| format!("S{n}")).collect();
        let sheets: Vec<(&str, &str)> =
            names.iter().zip(&sheets).map(|(name, rows)| (&**name, &**rows)).collect();
        vec![zip_of_parts(&parts_of_workbook(&sheets, &texts(1)))]
    });
    grows("rows.xlsx", 500, |size| {
        let rows = (2..size + 2).map(|n| row(n, [&format!("Ann {n}"), "5", "2026-01-02", "Good"]));
        let rows = row(1, columns) + &rows.collect::<String>();
        vec![zip_of_parts(&parts_of_workbook(&[("S", &rows)], &texts(size)))]
    });
}

#[test]
fn pages() {
    let script = |n: usize| {
        format!(
            "<script type=\"application/ld+json\">{}</script>",
            json!({ "@type": "Review", "author": format!("Ann {n}"), "datePublished": "2026-01-02",
                "reviewRating": { "ratingValue": 5 }, "reviewBody": "Good<br>".repeat(3) })
        )
    };
    grows("scripts.html", 300, |size| vec![(0..size).map(script).collect::<String>()]);
    grows("deep.html", 300, |size| vec![format!("{}{}", "<div a=b>".repeat(size), script(0))]);
    grows("attributes.html", 300, |size| {
        let attributes: String = (0..size).map(|n| format!(" a{n}=b")).collect();
        vec![format!("<p{attributes}>{}", script(0))]
    });
    grows("comments.html", 300, |size| {
        vec![format!("{}{}", script(0), "<!-- <script".repeat(size))]
    });
}

#[test]
fn texts() {
    let one = |text: String| vec![table(COLUMNS, 1, |_| format!("Ann,5,2026-01-02,{text}"))];
    for part in
        ["<br ", "&amp", "<br>", "\u{2066}", "\u{202b}a\u{2069}", "\u{200d}👩", "🏴\u{e0067}", "Ã¥"]
    {
        let texts = |size: usize| {
            vec![list(1, |_| {
                json!({ "@type": "Review", "author": "Ann",
            "datePublished": "2026-01-02", "reviewRating": 5, "reviewBody": part.repeat(size) })
            })]
        };
        grows("text.json", 1_000, texts);
    }
    grows("date.csv", 500, |size| {
        vec![table(COLUMNS, 1, |_| format!("Ann,5,{},Good", "1 ago ".repeat(size)))]
    });
    grows("quotes.csv", 500, |size| one("\"\"".repeat(size)));
    grows("relative.csv", 500, |size| {
        vec![table(COLUMNS, size, |n| format!("Ann {n},5,{} weeks ago,Good", n % 9))]
    });
    grows("rejected.csv", 500, |size| {
        vec![table(COLUMNS, size, |n| format!("Ann {n},9,soon,Good"))]
    });
}

/// What earlier imports left: reviews that were removed, and lines of the log.
#[test]
fn what_imports_left() {
    work_grows("forgotten.csv", 500, |size| {
        let line = |n: usize| {
            let hashes = [format!("{n:032x}")];
            json!({ "id": format!("01J{n:023}"), "at": NOW, "reason": "missing", "hashes": hashes })
                .to_string()
                + "\n"
        };
        let project = Project::new();
        project.write("content/tombstones.ndjson", (0..size).map(line).collect::<String>());
        (project, vec![table(COLUMNS, size, |n| format!("Ann {n},5,2026-01-02,Good"))])
    });
    grows("again.csv", 50, |size| {
        (0..size)
            .map(|n| table(COLUMNS, n % 2 + 1, |row| format!("Ann {row},5,2026-01-02,Good {n}")))
            .collect()
    });
}

/// Mistakes of stored reviews, and names that nobody has.
#[test]
fn mistakes_of_the_content() {
    let none = Vec::<String>::new;
    let stored = |n: usize, more: &str| {
        json!({ "id": format!("01J{n:023}"), "author": "Ann", "rating": 5, "date": "2026-01-02", "text": "Good",
            "source": "google", "updated": NOW, more: n })
    };
    work_grows("array.json", 1_000, |size| {
        let project = Project::new();
        project.write("content/reviews.json", list(size, |n| stored(n, &format!("k{n}"))));
        (project, none())
    });
    work_grows("keys.ndjson", 1_000, |size| {
        let mut review = stored(0, "x");
        (0..size).for_each(|n| review[format!("k{n}")] = json!(n));
        let project = Project::new();
        project.write("content/reviews/2026.ndjson", review.to_string());
        (project, none())
    });
    work_grows("tables.toml", 1_000, |size| {
        let project = Project::new();
        project.write(
            "content/services.toml",
            (0..size).map(|n| format!("[k{n}]\n")).collect::<String>(),
        );
        (project, none())
    });
}
