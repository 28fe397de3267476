//! What exporters do to texts, dates and files, and what of it is undone.

use serde_json::{Value, json};

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

fn dates(project: &Project) -> Vec<String> {
    let mut dates: Vec<String> =
        project.stored().iter().map(|review| review["date"].as_str().unwrap().to_owned()).collect();
    dates.sort();
    dates
}

/// A table with these dates, one a row.
fn table_of(dates: &[&str]) -> String {
    let row = |(number, date): (usize, &&str)| format!("Ann {number};5;{date};Fine work.\n");
    let rows: String = dates.iter().enumerate().map(row).collect();
    format!("author;rating;date;text\n{rows}")
}

const DIRECT: [&str; 2] = ["--source", "direct"];

#[test]
fn line_breaks_and_entities_of_scrapers_become_lines_and_characters() {
    let html = "Great.<br><br/>It&#39;s &quot;tidy&quot;, R&amp;D &amp;lt;3";
    let clean = "Great.\n\nIt's \"tidy\", R&D &lt;3";
    for review in [
        json!([{ "stars": 5, "name": "Cy", "publishedAtDate": "2026-02-01T00:00:00Z", "text": html }]),
        json!([{ "review_rating": 5, "author_title": "Cy", "review_timestamp": 1_770_000_000, "review_text": html }]),
        json!({ "reviews": [{ "rating": 5, "user": { "name": "Cy", "contributor_id": "1" }, "iso_date": "2026-02-01T00:00:00Z", "snippet": html }] }),
        json!({ "@type": "Review", "reviewRating": { "ratingValue": 5 }, "author": "Cy", "datePublished": "2026-02-01", "reviewBody": html }),
    ] {
        let project = Project::new();
        project.write("a.json", review.to_string());
        let run = project.candor(["import", "a.json"]).exits(0);
        assert!(!run.out.contains("--html-entities"), "{run:?}");
        assert_eq!(texts(&project), [clean], "{review}");
    }
}

#[test]
fn elsewhere_html_is_counted_and_a_flag_decodes_it() {
    let project = Project::new();
    let row =
        |text: &str| json!({ "author": text, "rating": 5, "date": "2026-01-02", "text": text });
    project
        .write("a.json", json!([row("A&amp;B<br>C"), row("A < B & C"), row("Plain")]).to_string());
    let run = import(&project, "a.json", &DIRECT).exits(0).says("new 3");
    run.says(
        "HTML such as &amp; or <br> was kept as it is written; --html-entities decodes it: 1 row",
    );
    assert_eq!(texts(&project), ["A < B & C", "A&amp;B<br>C", "Plain"]);

    let project = Project::new();
    project.write("a.json", json!([row("A&amp;B<br>C"), row("A < B & C")]).to_string());
    import(&project, "a.json", &[&DIRECT[..], &["--html-entities"]].concat()).exits(0);
    assert_eq!(texts(&project), ["A < B & C", "A&B\nC"]);
    assert!(project.stored().iter().any(|review| review["author"] == "A&B C"));
}

/// One review without an id, as a table and as a scraper has it.
fn without_id(text: &str) -> (String, String) {
    let (author, date) = ("Cy &amp; Di", "2026-02-01T00:00:00Z");
    (
        json!([{ "author": author, "rating": 5, "date": date, "text": text }]).to_string(),
        json!([{ "stars": 5, "name": author, "publishedAtDate": date, "text": text }]).to_string(),
    )
}

const GOOGLE: [&str; 2] = ["--source", "google"];
const LONG: &str = "They were &quot;on time&quot;.<br>The kitchen was clean when they left, too.";

#[test]
fn a_review_that_is_stored_undecoded_is_updated_once() {
    for text in [LONG, "Great.<br>Thanks", "R&amp;D"] {
        let project = Project::new();
        let (table, scrape) = without_id(text);
        project.write("before.json", table);
        project.write("after.json", scrape);
        import(&project, "before.json", &GOOGLE).exits(0).says("new 1");
        let id = project.stored()[0]["id"].clone();
        import(&project, "after.json", &[]).exits(0).says("new 0 · updated 1 · unchanged 0");
        import(&project, "after.json", &[]).exits(0).says("new 0 · updated 0 · unchanged 1");
        let stored = project.stored();
        assert_eq!((stored.len(), &stored[0]["id"]), (1, &id), "{text}");
        assert_eq!(stored[0]["author"], "Cy & Di");
        assert!(!texts(&project)[0].contains(['&', '<']) || text == "R&amp;D", "{stored:?}");
        // Without the decoding it is still the same review.
        import(&project, "before.json", &GOOGLE).exits(0).says("new 0 · updated 1 · unchanged 0");
        assert_eq!(project.stored().len(), 1);
    }
}

#[test]
fn a_review_of_a_page_whose_entities_alone_were_decoded_is_updated_once() {
    let project = Project::new();
    let review =
        |text: &str| json!({ "author": "Cy", "rating": 5, "date": "2026-02-01", "text": text });
    project.write("before.json", json!([review("R&D<br>Thanks")]).to_string());
    import(&project, "before.json", &["--source", "website"]).exits(0).says("new 1");
    let page = json!({
        "@type": "Review", "reviewRating": { "ratingValue": 5 }, "author": "Cy",
        "datePublished": "2026-02-01", "reviewBody": "R&amp;D<br>Thanks",
    });
    project.write("page.json", page.to_string());
    import(&project, "page.json", &[]).exits(0).says("new 0 · updated 1 · unchanged 0");
    assert_eq!(texts(&project), ["R&D\nThanks"]);
}

#[test]
fn a_forgotten_review_stays_forgotten_in_every_decoding() {
    for text in [LONG, "Great.<br>Thanks"] {
        let (table, scrape) = without_id(text);
        for (before, after) in [("table.json", "scrape.json"), ("scrape.json", "table.json")] {
            let project = Project::new();
            project.write("table.json", &table);
            project.write("scrape.json", &scrape);
            import(&project, before, &GOOGLE).exits(0).says("new 1");
            project.candor(["forget", project.stored()[0]["id"].as_str().unwrap()]).exits(0);
            import(&project, after, &GOOGLE).exits(0).says("new 0").says("forgotten 1");
            import(&project, before, &GOOGLE).exits(0).says("new 0").says("forgotten 1");
        }
    }
    // With an id that the tombstone does not have, by the text alone.
    let project = Project::new();
    let (table, _) = without_id(LONG);
    project.write("table.json", table);
    import(&project, "table.json", &GOOGLE).exits(0);
    project.candor(["forget", project.stored()[0]["id"].as_str().unwrap()]).exits(0);
    let mut review = super::apify(1);
    review["text"] = json!(LONG);
    project.write("a.json", json!([review]).to_string());
    import(&project, "a.json", &[]).exits(0).says("new 0").says("forgotten 1");
}

#[test]
fn a_review_whose_update_changes_its_decoding_stays_forgotten() {
    let project = Project::new();
    let (table, scrape) = without_id("Great.<br>Thanks");
    project.write("table.json", table);
    project.write("scrape.json", scrape);
    import(&project, "table.json", &GOOGLE).exits(0).says("new 1");
    // The id is of the text before the decoding.
    import(&project, "scrape.json", &[]).exits(0).says("updated 1");
    project.candor(["forget", project.stored()[0]["id"].as_str().unwrap()]).exits(0);
    import(&project, "scrape.json", &[]).exits(0).says("new 0").says("forgotten 1");
}

#[test]
fn a_repaired_review_without_an_id_is_the_same_review() {
    let project = Project::new();
    let review = json!([{
        "author": "J\u{c3}\u{b6}rg", "rating": 5, "date": "2026-02-01",
        "text": "P\u{c3}\u{a5}litligt &amp; snabbt",
    }]);
    project.write("a.json", review.to_string());
    let with = |more: &[&str]| import(&project, "a.json", &[&DIRECT[..], more].concat()).exits(0);
    with(&[]).says("new 1");
    with(&["--repair-encoding"]).says("new 0 · updated 1");
    with(&["--repair-encoding", "--html-entities"]).says("new 0 · updated 1");
    assert_eq!(texts(&project), ["P\u{e5}litligt & snabbt"]);
    with(&["--html-entities"]).says("new 0 · updated 1");
    assert_eq!(project.stored().len(), 1);
}

#[test]
fn text_that_was_encoded_twice_is_counted_and_a_flag_repairs_it() {
    let review = |id: &str, text: &str| {
        json!({
            "name": format!("accounts/1/locations/7/reviews/{id}"), "starRating": "FIVE",
            "reviewer": { "displayName": id }, "comment": text,
            "createTime": "2026-01-02T10:00:00Z",
        })
    };
    let export = [
        review("a", "Snabbt och p\u{c3}\u{a5}litligt \u{f0}\u{178}\u{2dc}\u{20ac}"),
        review("b", "P\u{c3}\u{a5}litligt \u{1f600}"),
        review("c", "P\u{e5}litligt"),
    ];
    let project = Project::new();
    project.write_export("a.json", &export);
    import(&project, "a.json", &[]).exits(0).says(
        "a text looks encoded twice, such as \"\u{c3}\u{a5}\" for \"\u{e5}\"; --repair-encoding repairs it: 2 rows",
    );
    assert!(texts(&project).contains(&"P\u{c3}\u{a5}litligt \u{1f600}".to_owned()));
    import(&project, "a.json", &["--repair-encoding"])
        .exits(0)
        .says("updated 1")
        .says("a text that was encoded twice was repaired: 1 row")
        .says("only a part of a text looks encoded twice, so the text was kept as it is: 1 row");
    let mut texts = texts(&project);
    texts.sort();
    assert_eq!(
        texts,
        ["P\u{c3}\u{a5}litligt \u{1f600}", "P\u{e5}litligt", "Snabbt och p\u{e5}litligt \u{1f600}"]
    );
}

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
        "error: a.csv cannot be read: it has bytes that are not text in UTF-16LE; save it as UTF-8 and import it again\n"
    );
}

#[test]
fn a_cell_that_is_not_utf_8_is_read_as_windows_1252() {
    let project = Project::new();
    let table = b"author,rating,date,text\r\nJ\xc3\xb6rg,5,2025-01-02,Gut.\r\nJ\xf6rg,5,2025-01-03,Gut.\r\n";
    project.write("a.csv", table);
    import(&project, "a.csv", &DIRECT).exits(0).complains(
        "warning: a.csv:3: the cell author is not UTF-8 and was read as Windows-1252; look whether its letters are right",
    );
    assert!(project.stored().iter().all(|review| review["author"] == "J\u{f6}rg"));
}

#[test]
fn the_rest_of_a_column_decides_what_a_date_is() {
    for (column, days, said) in [
        (&["03/04/2025", "13/04/2025"][..], ["2025-04-03", "2025-04-13"], "day first"),
        (&["03/04/2025", "7/27/2011"], ["2011-07-27", "2025-03-04"], "month first"),
        (&["03.04.2025", "27.07.2011 10:30"], ["2011-07-27", "2025-04-03"], "day first"),
    ] {
        let project = Project::new();
        project.write("a.csv", table_of(column));
        import(&project, "a.csv", &DIRECT).exits(0).says(&format!(
            "a date that can be two days was read with the {said}, as other dates of the file are written: 1 row"
        ));
        assert_eq!(dates(&project), days);
    }
    let project = Project::new();
    project.write("a.csv", table_of(&["Jun 26, 2023", "26 June 2022", "7/27/2011"]));
    import(&project, "a.csv", &DIRECT).exits(0);
    assert_eq!(dates(&project), ["2011-07-27", "2022-06-26", "2023-06-26"]);
}

#[test]
fn a_column_in_both_orders_is_refused_with_both_readings() {
    let project = Project::new();
    project.write("a.csv", table_of(&["03/04/2025", "13/04/2025", "7/27/2011"]));
    let run = import(&project, "a.csv", &DIRECT).exits(1);
    assert_eq!(
        run.err,
        "a.csv:2: error[invalid-date]: date: \"03/04/2025\" can be 2025-03-04 or 2025-04-03, and other dates of the file are written both ways; say which with --date-format M/D/YYYY or --date-format D/M/YYYY\nnext: candor import a.csv --source direct --date-format FORMAT\n"
    );
    project.write("a.csv", table_of(&["03/04/2025", "3/5/2025 9:05 PM"]));
    import(&project, "a.csv", &[&DIRECT[..], &["--date-format", "M/D/YYYY"]].concat()).exits(0);
    assert_eq!(dates(&project), ["2025-03-04", "2025-03-05"]);
}

#[test]
fn rows_that_wait_for_a_date_keep_their_order_and_their_business() {
    let project = Project::new();
    let review = |author: &str, date: &str| json!({ "author": author, "rating": 5, "date": date, "text": "Fine work.", "reply": "Thanks." });
    let rows =
        [review("Ann", "03/04/2025"), review("Bob", "2025-01-01"), review("Cid", "13/04/2025")];
    project.write("a.json", json!(rows).to_string());
    let run = import(&project, "a.json", &DIRECT).exits(0).says("new 3");
    assert_eq!(run.err, "");
    let before = project.tree("content");
    import(&project, "a.json", &[&DIRECT[..], &["--exit-code"]].concat()).exits(2);
    assert_eq!(project.tree("content"), before);
}

#[test]
fn a_table_of_reviews_from_google_has_the_original_apart_from_its_translation() {
    let table = |text: &str| format!("author,rating,date,text\nAnn,5,2026-03-04,\"{text}\"\n");
    let both = "(Translated by Google) Good work.\n\n(Original)\nGute Arbeit.";
    let project = Project::new().file("new.csv", table(both));
    let google = ["--source", "google"];
    import(&project, "new.csv", &google).exits(0).says("new 1");
    let stored = &project.stored()[0];
    let parts = (&stored["text"], &stored["translation"]["text"]);
    assert_eq!(parts, (&json!("Gute Arbeit."), &json!("Good work.")));
    import(&project, "new.csv", &google).exits(0).says("unchanged 1");
    // Elsewhere the words are the author's own.
    let elsewhere = Project::new().file("new.csv", table(both));
    import(&elsewhere, "new.csv", &DIRECT).exits(0);
    assert_eq!(texts(&elsewhere), [both]);
}

#[test]
fn a_review_stored_with_its_translation_in_the_text_is_divided_by_the_next_import() {
    let both = "(Translated by Google) Good work.\n\n(Original)\nGute Arbeit.";
    let table = format!("author,rating,date,text\nAnn,5,2026-03-04,\"{both}\"\n");
    let project = Project::new().file("new.csv", &table);
    import(&project, "new.csv", &["--source", "google"]).exits(0);
    let path = project.path("content/reviews/2026.ndjson");
    let mut stored = project.stored()[0].clone();
    let id = stored["id"].clone();
    stored["text"] = json!(both);
    stored["translation"] = Value::Null;
    std::fs::write(&path, format!("{stored}\n")).unwrap();
    import(&project, "new.csv", &["--source", "google"]).exits(0).says("new 0 · updated 1");
    let stored = &project.stored()[0];
    assert_eq!((&stored["id"], &stored["text"]), (&id, &json!("Gute Arbeit.")));
}

#[test]
fn a_half_of_a_character_is_that_text_alone() {
    let rows = r#"{"author":"Ann","rating":5,"date":"2026-03-02","text":"a \ud83d nice"}"#;
    let other = r#"{"author":"Joe","rating":4,"date":"2026-03-03","text":"fine \ud83d\ude00"}"#;
    for (document, at) in
        [(format!("[{rows},{other}]"), "#/0"), (format!("{rows}\n{other}\n"), ":1")]
    {
        let project = Project::new();
        project.write("a.json", document);
        project.candor(["import", "a.json", "--source", "direct"]).exits(0).says("new 2 ·").complains(
            &format!("a.json{at}: the cell text has a character that could not be read (\u{fffd}); look whether its text is right"),
        );
        let stored = project.stored();
        assert_eq!(stored[0]["text"], "a \u{fffd} nice");
        assert_eq!(stored[1]["text"], "fine \u{1f600}");
    }
}

#[test]
fn cells_of_windows_1252_leave_the_others_as_they_are() {
    let project = Project::new();
    let rows = b"author,rating,date,text\nAnn M\xc3\xbcller,5,2026-03-02,Good work\nJoe,4,2026-03-03,Caf\xe9 tr\xe8s bon\n";
    std::fs::write(project.path("a.csv"), rows).unwrap();
    project
        .candor(["import", "a.csv", "--source", "direct"])
        .exits(0)
        .complains("a.csv:3: the cell text is not UTF-8 and was read as Windows-1252");
    let stored = project.stored();
    assert_eq!(
        (&stored[0]["author"], &stored[1]["text"]),
        (&"Ann M\u{fc}ller".into(), &"Caf\u{e9} tr\u{e8}s bon".into())
    );
}
