//! One mistake, one message: a site that uses every file, with one deliberate mistake at a time. Each
//! has exactly one message, where the mistake was made; nothing that depends on it is judged.

use contract::etag::ETag;
use serde_json::{Value, json};

use super::{
    project::{Project, SITE},
    review::{id, review},
};

const BUSINESS: &str = r#"name = "Jörgs Klempnerei"
time_zone = "Europe/Berlin"
same_as = ["https://one.example", "https://two.example"]

[address]
country = "DE"

[geo]
latitude = 52.5
longitude = 13.4

[verification]
method = "Posted by an account on the review platform"
sources = ["google", "yelp"]

[[hours]]
days = ["Monday", "Tuesday"]
opens = "08:00"
closes = "17:00"

[[source]]
id = "google"
claimed_total = 8
"#;

const TECHNICIANS: &str = r#"[[technician]]
id = "joerg"
name = "Jörg"
aliases = ["George"]
active_from = 2020-01-01

[[technician]]
id = "mia"
name = "Mia"
"#;

const FAQ: &str = r#"[[faq]]
id = "fee"
question = "Fee?"
when = "aggregate.review_count > 5"
answer = """
Ask [us](https://acme.example).
{{ aggregate.review_count }} did, {{ technicians.joerg.name }} says. {{ "Words of review 1" | quote("01J00000000000000000000001") }}
"""
review_ids = ["01J00000000000000000000001", "01J00000000000000000000002"]
"#;

const OVERRIDES: &str = r#"[01J00000000000000000000003]
date = 2026-02-01
mentions = { technicians = ["joerg", "mia"], services = ["drains"], service_areas = ["mitte"] }

[01J00000000000000000000004]
date = 2026-02-01
hidden = "duplicate"
"#;

const ASPECTS: &str = r#"[[aspect]]
id = "care"
label = "Care"
keywords = ["gloves", "overshoes"]
"#;

const STRINGS: &str = "reviews = \"Meinungen\"\n";

const SUMMARY: &str = "+++\nauthor = \"Jörg\"\n+++\nRated {{ aggregate.average | stars }}, \
    {{ aspects.care.label }} matters.\n";

const HOME: &str = "<h1>{{ site.name }}</h1>\n{% if view.rating.average %}\n\
    <p>{{ view.rating.average }} {{ page.title }}</p>\n{% endif %}\n";

/// A site that uses every file and has no problem.
fn site() -> Project {
    let entity =
        |kind: &str, id: &str, key: &str| format!("[[{kind}]]\nid = \"{id}\"\n{key} = \"{id}\"\n");
    let reviews: Vec<_> = (1..=8).map(|n| review(n).with("text", text(n))).collect();
    let judged = json!({
        "review_id": id(5), "text_hash": insights::text_hash(Some(&text(5))), "source": "me",
        "aspects": [{"id": "care", "sentiment": "positive"}], "technicians": ["mia"],
    });
    let forgotten = json!({
        "id": id(99), "at": "2026-03-01T00:00:00Z", "reason": "missing", "hashes": [],
    });
    Project::new()
        .reviews(reviews)
        .file("content/site.toml", SITE)
        .file("content/business.toml", BUSINESS)
        .file("content/technicians.toml", TECHNICIANS)
        .file("content/services.toml", entity("service", "drains", "label"))
        .file("content/service_areas.toml", entity("service_area", "mitte", "name"))
        .file("content/problems.toml", entity("problem", "leak", "label"))
        .file("content/topics.toml", entity("topic", "parking", "label"))
        .file("content/aspects.toml", ASPECTS)
        .file("content/faq.toml", FAQ)
        .file("content/overrides.toml", OVERRIDES)
        .file("content/strings.toml", STRINGS)
        .file("content/summary.md", SUMMARY)
        .file("content/import.toml", "[import]\navatars = false\n")
        .file("content/templates/home.html", HOME)
        .file("content/annotations/a.jsonl", format!("{judged}\n"))
        .file("content/tombstones.ndjson", format!("{forgotten}\n"))
}

fn text(n: usize) -> String {
    format!("Words of review {n}, Jörg wore gloves.")
}

/// Every message of a check: its code, and its place without the content folder.
fn messages(project: &Project) -> Vec<(String, String, String)> {
    let found = project.candor(["check", "--json"]);
    let problems: Vec<Value> = serde_json::from_str(&found.out).unwrap();
    let message = |problem: &Value| {
        let place = &problem["place"];
        let path = place["path"].as_str().unwrap().trim_start_matches("content/");
        let numbers = [&place["line"], &place["column"]].map(|n| n.as_u64());
        let numbers: String = numbers.into_iter().flatten().map(|n| format!(":{n}")).collect();
        let text = |key: &str| problem[key].as_str().unwrap();
        let said = format!("{}; {}", text("message"), text("help"));
        (problem["code"].as_str().unwrap().to_owned(), format!("{path}{numbers}"), said)
    };
    problems.iter().map(message).collect()
}

/// What is replaced in which file by what; the code, the place and some words of the one message.
type Mistake = (&'static str, &'static str, &'static str, [&'static str; 3]);

#[rustfmt::skip]
const MISTAKES: &[Mistake] = &[
    // The four of finding S3, and their like.
    ("business.toml", "[verification]", "[verification", ["toml-syntax", "business.toml:12:14", "write [verification]"]),
    ("business.toml", "method = ", "method ", ["toml-syntax", "business.toml:13:8", "write method = "]),
    ("reviews/2026.ndjson", r#""rating":5"#, r#""rating":6"#, ["invalid-value", "reviews/2026.ndjson:1:82", "from 1 to 5, found 6"]),
    ("reviews/2026.ndjson", r#","date""#, r#" "date""#, ["json-syntax", "reviews/2026.ndjson:1:", "a , or a }"]),
    ("reviews/2026.ndjson", r#""rating":5"#, r#""rating":5.0"#, ["invalid-value", "reviews/2026.ndjson:1:", "rating"]),
    ("reviews/2026.ndjson", r#""id":"01J00000000000000000000001","#, "", ["missing-id", "reviews/2026.ndjson:1:1", "candor new review"]),
    ("reviews/2026.ndjson", r#""source":"google""#, r#""source":"google","owner_reply":"Thanks""#, ["invalid-value", "reviews/2026.ndjson:1:", "must be an object {…}, found \"Thanks\""]),
    ("reviews/2026.ndjson", r#""source":"google""#, r#""source":"google","source_url":"google.com/1""#, ["invalid-value", "reviews/2026.ndjson:1:", "does not begin with https://"]),
    // TOML: what to type.
    ("business.toml", "\"Europe/Berlin\"", "Europe/Berlin", ["toml-syntax", "business.toml:2:13", "write time_zone = \"Europe/Berlin\""]),
    ("business.toml", "country = \"DE\"", "country = \"DE", ["toml-syntax", "business.toml:6:14", "no closing quote"]),
    ("business.toml", "country = \"DE\"", "country = “DE”", ["toml-syntax", "business.toml:6:11", "straight quotes"]),
    ("business.toml", "[\"google\", \"yelp\"]", "[\"google\" \"yelp\"]", ["toml-syntax", "business.toml:14:21", "a comma"]),
    ("business.toml", "[\"google\", \"yelp\"]", "[\"google\", \"yelp\"", ["toml-syntax", "business.toml:16:1", "closing ]"]),
    ("business.toml", "52.5", "52,5", ["toml-syntax", "business.toml:9:14", "41.5"]),
    ("business.toml", "[geo]", "[address]", ["toml-syntax", "business.toml:8:2", "address occurs twice"]),
    ("technicians.toml", "[[technician]]", "[[technician]", ["toml-syntax", "technicians.toml:1:14", "two brackets"]),
    ("technicians.toml", "2020-01-01", "01.02.2020", ["toml-syntax", "technicians.toml:5:15", "a day as 2026-03-01"]),
    ("technicians.toml", "2020-01-01", "2020-02-30", ["toml-syntax", "technicians.toml:5:15", "not a day of the calendar"]),
    ("services.toml", "= \"drains\"", "= drains", ["toml-syntax", "services.toml:2:6", "write id = \"drains\""]),
    ("service_areas.toml", "id = ", "id: ", ["toml-syntax", "service_areas.toml:2:5", "write id = "]),
    ("aspects.toml", "\"overshoes\"]", "overshoes]", ["toml-syntax", "aspects.toml:4:23", "quotes"]),
    ("overrides.toml", "\"mia\"]", "\"mia\"", ["toml-syntax", "overrides.toml:3:", "]"]),
    ("faq.toml", "\"Fee?\"", "", ["toml-syntax", "faq.toml:3:12", "there is nothing after the ="]),
    ("site.toml", "format = 1", "format 1", ["toml-syntax", "site.toml:1:8", "write format = "]),
    ("strings.toml", "\"Meinungen\"", "\"Meinungen", ["toml-syntax", "strings.toml:1:21", "no closing quote"]),
    ("summary.md", "author = ", "author ", ["toml-syntax", "summary.md:2:8", "write author = "]),
    // Values: the place of the item, and the form to write.
    ("business.toml", "\"Tuesday\"", "\"Tusday\"", ["invalid-value", "business.toml:17:19", "did you mean \"Tuesday\"?"]),
    ("business.toml", "\"https://two.example\"", "\"two.example\"", ["invalid-url", "business.toml:3:35", "does not begin with https://"]),
    ("business.toml", "\"yelp\"", "5", ["wrong-type", "business.toml:14:22", "sources[1] must be a text in quotes, found 5; put it in \"quotes\""]),
    ("business.toml", "= 8", "= \"8\"", ["wrong-type", "business.toml:23:17", "write claimed_total = 8, without quotes"]),
    ("business.toml", "\"DE\"", "\"UK\"", ["invalid-value", "business.toml:6:11", "the United Kingdom is GB"]),
    ("business.toml", "\"DE\"", "\"XX\"", ["invalid-value", "business.toml:6:11", "not an ISO 3166 code"]),
    ("business.toml", "= 8\n", "= 8\nphone = \"+44 113 496 0018\"\n", ["unknown-key", "business.toml:24:1", "phone is a key of the whole file: move it up"]),
    ("business.toml", "\"DE\"", "\"Germany\"", ["invalid-value", "business.toml:6:11", "two capital letters"]),
    ("technicians.toml", "name = \"Jörg\"\n", "", ["missing-key", "technicians.toml:1:1", "add name"]),
    ("technicians.toml", "\"joerg\"", "\"Jörg\"", ["invalid-id", "technicians.toml:2:6", "small letters"]),
    ("technicians.toml", "[\"George\"]", "\"George\"", ["wrong-type", "technicians.toml:4:11", "write aliases = ["]),
    ("technicians.toml", "[\"George\"]", "[\"George\", \"\"]", ["invalid-value", "technicians.toml:4:22", "aliases[1] is empty; remove it, or write a text"]),
    ("services.toml", "label", "aliases = [\" \"]\nlabel", ["invalid-value", "services.toml:3:12", "aliases[0] is empty; remove it"]),
    ("service_areas.toml", "name", "aliases = [\"\"]\nname", ["invalid-value", "service_areas.toml:3:12", "aliases[0] is empty; remove it"]),
    ("service_areas.toml", "name", "zip = [\"\"]\nname", ["invalid-value", "service_areas.toml:3:8", "zip[0] is empty; remove it"]),
    ("service_areas.toml", "name", "zip = [\"1\", \"1\"]\nname", ["invalid-value", "service_areas.toml:3:13", "zip: \"1\" is in the list twice; remove one of the two"]),
    ("technicians.toml", "aliases", "alias", ["unknown-key", "technicians.toml:4:1", "did you mean \"aliases\"?"]),
    ("site.toml", "base_url", "base_urll", ["unknown-key", "site.toml:2:1", "did you mean \"base_url\"?"]),
    ("services.toml", "label", "name", ["unknown-key", "services.toml:3:1", "label is missing: write it in place of name"]),
    ("services.toml", "= \"drains\"\n", "= \"C:\\Users\"\n", ["toml-syntax", "services.toml:2:", "a backslash begins an escape"]),
    ("services.toml", "[[service]]", "[service]", ["wrong-type", "services.toml:1:1", "write [[service]]"]),
    ("aspects.toml", "\"overshoes\"", "\"..\"", ["invalid-pattern", "aspects.toml:4:24", "no word"]),
    ("overrides.toml", "\"mia\"", "\"mara\"", ["unknown-id", "overrides.toml:3:38", "did you mean \"mia\"?"]),
    ("overrides.toml", "[01J00000000000000000000004]", "[01J00000000000000000000044]", ["unknown-id", "overrides.toml:5:2", "there is no review"]),
    ("overrides.toml", "date = 2026-02-01\nmentions", "mentions", ["missing-key", "overrides.toml:1:2", "needs a date"]),
    ("faq.toml", "\"01J00000000000000000000002\"", "\"01J00000000000000000000022\"", ["unknown-id", "faq.toml:9:45", "there is no review"]),
    ("faq.toml", "\"01J00000000000000000000002\"", "\"2\"", ["invalid-id", "faq.toml:9:45", "candor list shows the ids"]),
    ("faq.toml", "https://acme.example", "javascript:alert(1)", ["invalid-url", "faq.toml:6:10", "is not published"]),
    ("strings.toml", "reviews = \"Meinungen\"", "n_reviews = { one = \"eine\", other = \"viele\" }", ["unknown-value", "strings.toml:1:13", "the number {n} is missing"]),
    ("strings.toml", "reviews", "reveiws", ["unknown-key", "strings.toml:1:1", "did you mean \"reviews\"?"]),
    ("annotations/a.jsonl", "\"care\"", "\"car\"", ["unknown-id", "annotations/a.jsonl:1", "there is no aspect"]),
    ("annotations/a.jsonl", "\"aspects\":[", "\"aspects\":", ["invalid-annotation", "annotations/a.jsonl:1:", "must be a list"]),
    ("tombstones.ndjson", "\"hashes\":[]", "\"hashes\":5", ["invalid-line", "tombstones.ndjson:1:", "must be a list"]),
    ("import.toml", "false", "no", ["toml-syntax", "import.toml:2:11", "true or false"]),
    // Texts and templates: the name, the file and the line.
    ("faq.toml", "technicians.joerg", "technicians.jorg", ["template", "faq.toml:7:38", "`technicians.jorg` is undefined; did you mean \"technicians.joerg\"?"]),
    ("faq.toml", "aggregate.review_count >", "agregate.review_count >", ["template", "faq.toml:4:9", "`agregate` is undefined; did you mean \"aggregate\"?"]),
    ("faq.toml", "aggregate.review_count > 5", "aggregate.review_count >", ["template", "faq.toml:4:", "; complete the expression, or write {% endif %}"]),
    ("faq.toml", "{{ aggregate.review_count }}", "{% if %}", ["template", "faq.toml:7:", "; complete the expression, or write {% endif %}"]),
    ("faq.toml", "Words of review 1", "Word of review 1", ["template", "faq.toml:7:", "does not say"]),
    ("faq.toml", "{{ aggregate.review_count }}", "8 reviews", ["literal-number", "faq.toml:7:1", "was true when it was written"]),
    ("summary.md", "aggregate.average", "aggregate.averge", ["template", "summary.md:4:10", "`aggregate.averge` is undefined; did you mean \"aggregate.average\"?"]),
    ("summary.md", "| stars", "| star", ["template", "summary.md:4:", "filter star is unknown"]),
    ("templates/home.html", "site.name", "bussiness.name", ["template-value", "templates/home.html:1:8", "`bussiness` is undefined"]),
    ("templates/home.html", "page.title", "page.titel", ["template-value", "templates/home.html:3:33", "`page.titel` is undefined"]),
    ("templates/home.html", "{% endif %}", "", ["template-syntax", "templates/home.html:", "end of block"]),
];

#[test]
fn the_site_without_a_mistake_has_no_message() {
    assert_eq!(messages(&site()), []);
}

#[test]
fn every_mistake_has_one_message() {
    let project = site();
    let mut wrong = Vec::new();
    for (file, from, to, [code, place, words]) in MISTAKES {
        let path = format!("content/{file}");
        let sound = project.text(&path);
        assert!(sound.contains(from), "{file} has no {from}");
        project.write(&path, sound.replacen(from, to, 1));
        let found = messages(&project);
        let expected = match found.as_slice() {
            [(c, p, said)] => {
                let at = if place.ends_with(':') { p.starts_with(place) } else { p == place };
                c == code && at && said.contains(words)
            }
            _ => false,
        };
        if !expected {
            wrong.push(format!(
                "{file}: {from} → {to}\n  wanted {code} {place} {words}\n  found {found:#?}"
            ));
        }
        project.write(&path, sound);
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn a_file_in_another_encoding_is_one_mistake() {
    let project = site();
    let latin1 = |text: &str| text.chars().map(|c| u8::try_from(c).unwrap()).collect::<Vec<u8>>();
    let utf16 = |text: &str| {
        let units = std::iter::once(0xfeff).chain(text.encode_utf16());
        units.flat_map(u16::to_le_bytes).collect::<Vec<u8>>()
    };
    for file in [
        "business.toml",
        "technicians.toml",
        "services.toml",
        "aspects.toml",
        "faq.toml",
        "overrides.toml",
        "strings.toml",
        "summary.md",
        "site.toml",
        "templates/home.html",
        "annotations/a.jsonl",
        "tombstones.ndjson",
        "reviews/2026.ndjson",
    ] {
        let path = format!("content/{file}");
        let sound = project.text(&path);
        for (encoding, bytes) in [("UTF-16", utf16(&sound)), ("Windows-1252", latin1(&sound))] {
            if bytes.is_ascii() {
                continue;
            }
            project.write(&path, &bytes);
            let found = messages(&project);
            let [(code, place, said)] = found.as_slice() else { panic!("{file}: {found:#?}") };
            assert!(code == "not-utf8" && place.starts_with(file), "{found:#?}");
            assert!(said.contains(&format!("iconv -f {encoding} ")), "{found:#?}");
        }
        project.write(&path, sound);
    }
}

#[test]
fn a_file_of_another_format_is_one_mistake() {
    let project = site();
    let pretty = serde_json::to_string_pretty(&json!([{ "id": id(1), "rating": 5 }])).unwrap();
    project.write("content/reviews/2026.ndjson", pretty);
    let found = messages(&project);
    let [(code, place, said)] = found.as_slice() else { panic!("{found:#?}") };
    assert_eq!((code.as_str(), place.as_str()), ("json-syntax", "reviews/2026.ndjson:1:1"));
    assert!(said.contains("so are 5 more lines of this file"), "{said}");
}

/// A build says of a broken template what a check says.
#[test]
fn a_build_names_the_value_the_template_and_the_line() {
    let project = site();
    project.write("content/templates/home.html", "<p>\n{{ bussiness.name }}</p>\n");
    project.candor(["build"]).exits(1).complains("home.html:2: `bussiness` is undefined");
    assert!(!project.path("public").join("index.html").exists());
}

/// A check reads and renders, and writes nothing.
#[test]
fn a_check_of_templates_writes_nothing() {
    let project = site();
    let before: Vec<_> = project.tree(".").into_values().map(|bytes| ETag::of(&bytes)).collect();
    assert_eq!(messages(&project), []);
    let after: Vec<_> = project.tree(".").into_values().map(|bytes| ETag::of(&bytes)).collect();
    assert_eq!(before, after);
}

#[test]
fn reviews_beside_their_folder_have_their_place_named() {
    let project = Project::new().file("content/reviews.ndjson", review(1).line());
    project.candor(["check"]).complains(
        "content/reviews.ndjson: warning[unknown-file]: nothing reads this file; move it to reviews/2026.ndjson\n",
    );
}
