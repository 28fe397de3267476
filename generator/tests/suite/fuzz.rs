//! Files from outside, changed at random: nothing panics, and what is refused is refused in words.
//! Each test runs for a second; `make test-fuzz` and `make fuzz` run them longer.

use std::sync::atomic::AtomicBool;

use bolero::check;
use content::cache::Cache;
use contract::{manifest::MANIFEST_PATH, problem::Severity};
use generator::{pipeline::Checked, publish};
use import::{ImportOptions, Input};
use serde_json::json;

use super::{
    imports::{workbooks, zip_of},
    log::logged,
    project::{BUSINESS, Project, SITE},
    review::{mixed, review},
    steps::bounded,
};

#[path = "../../../tests/fuzz/edits.rs"]
mod edits;

use edits::edited;

const NOW: &str = "2026-06-01T00:00:00Z";

/// What formats give a meaning to, and what they should not meet.
const WORDS: [&[u8]; 24] = [
    b"\"",
    b"\n",
    b"\r\n",
    b",",
    b";",
    b"{",
    b"}",
    b"[",
    b"]",
    b":",
    b"=",
    b"\\",
    b"\\u0000",
    b"\\ud800",
    b"\0",
    b"\xff",
    b"\xef\xbb\xbf",
    b"null",
    b"-1",
    b"1e999",
    b"99999999999999999999",
    b"0000-00-00",
    b"../..",
    b"{{ x }}",
];

/// Reads the content, and says that each problem has words.
fn read(project: &Project) -> Checked {
    let bytes = project.tree("content").values().map(Vec::len).sum();
    let checked = bounded(bytes, || {
        Checked::read(&project.path("content"), None, &Cache::none(), NOW.parse().unwrap())
    });
    assert!(checked.problems.iter().all(|problem| !problem.message.is_empty()));
    assert_eq!(checked.publishable().is_none(), checked.count(Severity::Error) > 0);
    checked
}

/// Imports a file of this name without writing anything.
fn import(project: &Project, name: &str, bytes: &[u8]) {
    project.write(name, bytes);
    let before = project.tree("content");
    let options = ImportOptions {
        inputs: vec![Input::Path(project.path(name))],
        source: Some("google".into()),
        dry_run: true,
        keep_going: true,
        ..ImportOptions::default()
    };
    let now = NOW.parse().unwrap();
    let interrupted = AtomicBool::new(false);
    let content = project.path("content");
    let outcome = bounded(bytes.len(), || import::run(&content, &options, now, &interrupted, &()));
    if let Err(error) = outcome {
        let error = error.to_string();
        assert!(!error.is_empty() && !error.starts_with("internal"), "{error}");
    }
    assert_eq!(project.tree("content"), before);
}

#[test]
fn ndjson() {
    let reviews: String = mixed(3).iter().map(|review| review.line() + "\n").collect();
    let project = Project::new();
    check!().for_each(|script: &[u8]| {
        project.write("content/reviews/2026.ndjson", edited(&[reviews.as_bytes()], &WORDS, script));
        read(&project);
    });
}

#[test]
fn toml() {
    let project = Project::new();
    check!().for_each(|script: &[u8]| {
        let (file, text) = if script.last().is_some_and(|byte| byte % 2 == 0) {
            ("content/site.toml", SITE)
        } else {
            ("content/business.toml", BUSINESS)
        };
        project.write(file, edited(&[text.as_bytes()], &WORDS, script));
        read(&project);
        project.write(file, text);
    });
}

#[test]
fn template() {
    const HOME: &[u8] = b"{% extends \"base.html\" %}{% block main %}{{ business.name }}\
        {% for review in reviews[:3] %}{{ review.text | upper }}{% endfor %}{% endblock %}";
    const WORDS: [&[u8]; 14] = [
        b"{{",
        b"}}",
        b"{%",
        b"%}",
        b"{#",
        b"|",
        b"[::",
        b" for x in range(9) ",
        b" if ",
        b" endif ",
        b"{% include \"",
        b" - 9223372036854775808",
        b"* 99999",
        b"\xff",
    ];
    let project = Project::new().reviews([review(0)]);
    check!().for_each(|script: &[u8]| {
        project.write("content/templates/home.html", edited(&[HOME], &WORDS, script));
        read(&project).check_templates(&project.path("content"));
    });
}

#[test]
fn csv() {
    const TABLE: &[u8] =
        b"id,author,rating,date,text,reply\nr1,Ann,5,2026-01-02,\"Good, and\nquick\",Thanks\n\
        r2,Ben,1,3 weeks ago,Bad,\n";
    let project = Project::new();
    check!().for_each(|script: &[u8]| import(&project, "a.csv", &edited(&[TABLE], &WORDS, script)));
}

#[test]
fn json() {
    let google = json!({ "reviews": [{
        "name": "accounts/1/locations/2/reviews/3", "reviewId": "3", "reviewer": { "displayName": "Ann" },
        "starRating": "FIVE", "comment": "Good", "createTime": "2026-01-02T03:04:05Z",
        "updateTime": "2026-01-02T03:04:05Z",
    }]});
    let list =
        json!([{ "author": "Ann", "rating": 5, "date": "2026-01-02", "text": "Good", "id": "x" }]);
    let inputs = [google.to_string(), list.to_string()];
    let inputs: Vec<_> = inputs.iter().map(String::as_bytes).collect();
    let project = Project::new();
    check!().for_each(|script: &[u8]| import(&project, "a.json", &edited(&inputs, &WORDS, script)));
}

#[test]
fn archive() {
    let project = Project::new();
    project.write("export/Takeout/a.csv", "author,rating,date,text\nAnn,5,2026-01-02,Good\n");
    zip_of(&project.path("export"), &project.path("a.zip"));
    let zip = project.bytes("a.zip");
    check!().for_each(|script: &[u8]| {
        import(
            &project,
            "a.zip",
            &edited(
                &[&zip],
                &[
                    b"PK\x03\x04",
                    b"PK\x01\x02",
                    b"PK\x05\x06",
                    b"../",
                    b"\0\0",
                    b"\xff\xff\xff\xff",
                ],
                script,
            ),
        );
    });
}

/// The zip is built around a part that is changed, so that the changes reach the reader of XML. An
/// OpenDocument sheet is refused by the name of its part.
#[test]
fn workbook() {
    const WORDS: [&[u8]; 20] = [
        b"<",
        b">",
        b"\"",
        b"</row>",
        b"<row r=\"1048576\">",
        b"r=\"XFD1048576\"",
        b"<c r=\"A1\" t=\"s\"><v>0</v></c>",
        b"t=\"str\"",
        b"s=\"2\"",
        b"<si><t>",
        b"</si>",
        b"uniqueCount=\"4294967295\"",
        b"<![CDATA[",
        b"<!--",
        b"<!DOCTYPE a [<!ENTITY b \"&a;\">]>",
        b"&b;",
        b"&#0;",
        b"-1e999",
        b"\0",
        b"../../x.xml",
    ];
    let rows = workbooks::reviews();
    let parts =
        workbooks::parts_of_workbook(&[("Notes", ""), ("Reviews", &rows)], workbooks::TEXTS);
    let project = Project::new();
    check!().for_each(|script: &[u8]| {
        let (which, script) = script.split_first().unwrap_or((&0, &[]));
        let mut parts = parts.clone();
        let count = parts.len();
        let (name, bytes) = &mut parts[usize::from(*which) % count];
        // Every tenth one under the name that a workbook of OpenDocument has.
        if which % 10 == 9 {
            *name = "content.xml".to_owned();
        }
        *bytes = edited(&[&bytes[..]], &WORDS, script);
        import(&project, "a.xlsx", &workbooks::zip_of_parts(&parts));
    });
}

#[test]
fn page() {
    const PAGE: &[u8] = br#"<!doctype html><html><head><title>Acme</title>
        <script type="application/ld+json">{"@context":"https://schema.org","@type":"Plumber","name":"Acme",
        "aggregateRating":{"reviewCount":2},"review":[{"@type":"Review","author":{"name":"Ann"},
        "datePublished":"2026-01-02","reviewRating":{"ratingValue":5},"reviewBody":"Good &amp; quick<br>Thanks"}]}</script>
        </head><body><p a='b'>x<!-- c --></p><script>var a = "</p>";</script>
        <script type=application/ld+json>[{"@graph":[{"@type":["Review"],"author":"Ben","ratingValue":1}]}]</script>"#;
    const WORDS: [&[u8]; 18] = [
        b"<script type=\"application/ld+json\">",
        b"</script>",
        b"<script>",
        b"<!--",
        b"-->",
        b"<!--<script>",
        b"<![CDATA[",
        b"<p ",
        b"='",
        b"&amp;",
        b"&#x110000;",
        b"\"@graph\":[",
        b"{\"@type\":\"Review\",",
        b"[[[[[[[[",
        b"}]",
        b"\\ud800",
        b"\0",
        b"\xff",
    ];
    let project = Project::new();
    check!().for_each(|script: &[u8]| import(&project, "a.html", &edited(&[PAGE], &WORDS, script)));
}

#[test]
fn journal() {
    let project = Project::new().reviews([review(0)]);
    let changes = json!({ "renames": [["reviews-0", "reviews/2026.ndjson"]], "removals": ["reviews/2025.ndjson"] });
    let stage = "content/.candor-import";
    project.write_journal(stage, &changes);
    let journal = project.bytes(&format!("{stage}/journal.json"));
    let outside = project.path("outside");
    project.write("outside", "kept");
    check!().for_each(|script: &[u8]| {
        project.write(&format!("{stage}/reviews-0"), review(1).line() + "\n");
        project.write(&format!("{stage}/journal.json"), edited(&[&journal], &WORDS, script));
        let _ = content::change::complete(&project.path("content"));
        assert_eq!(std::fs::read_to_string(&outside).unwrap(), "kept");
        for file in ["content/site.toml", "content/business.toml"] {
            assert!(project.path(file).is_file());
        }
        if !project.path(stage).is_dir() {
            std::fs::create_dir(project.path(stage)).unwrap();
        }
    });
}

#[test]
fn manifest() {
    let project = Project::new().reviews([review(0)]);
    project.build().exits(0);
    let path = format!("public/{MANIFEST_PATH}");
    let manifest = project.bytes(&path);
    check!().for_each(|script: &[u8]| {
        project.write(&path, edited(&[&manifest], &WORDS, script));
        if let Err(error) = publish::manifest_in(&project.path("public")) {
            assert!(!error.to_string().is_empty());
        }
    });
}

#[test]
fn log() {
    let project = logged(3);
    let files: Vec<(String, Vec<u8>)> = project.tree("content/log").into_iter().collect();
    check!().for_each(|script: &[u8]| {
        let (which, script) = script.split_first().unwrap_or((&0, &[]));
        let (name, bytes) = &files[usize::from(*which) % files.len()];
        let path = format!("content/log/{name}");
        project.write(&path, edited(&[bytes], &WORDS, script));
        read(&project);
        project.write(&path, bytes);
    });
}

#[test]
fn cache() {
    let project = Project::new().reviews(mixed(3));
    let folder = project.path(".candor-cache");
    let read = |cache: &Cache| {
        Checked::read(&project.path("content"), None, cache, NOW.parse().unwrap()).dataset.unwrap()
    };
    let kept = Cache::open(&folder, false);
    let opinions = read(&kept).insights.per_review;
    kept.save().unwrap();
    let bytes = project.bytes(".candor-cache/build");
    assert!(bytes.len() > 100, "{} bytes", bytes.len());
    check!().for_each(|script: &[u8]| {
        let damaged = edited(&[&bytes], &WORDS, script);
        project.write(".candor-cache/build", &damaged);
        let read = bounded(damaged.len(), || read(&Cache::open(&folder, false)));
        assert_eq!(read.insights.per_review, opinions, "a damaged cache is as good as none");
    });
}
