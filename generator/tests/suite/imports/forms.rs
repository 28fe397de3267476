//! Answers of forms, whose columns have questions as names, and documents that hold tables.

use serde_json::{Value, json};

use super::{Project, identity::WORDS};

#[test]
fn a_form_is_read_by_its_questions() {
    for (head, day) in [
        ("Zeitstempel,Wie zufrieden waren Sie?,Ihr Name,Ihr Kommentar", "02.03.2026 10:00:00"),
        (
            "Horodateur,Êtes-vous satisfait de notre service ?,Votre nom,Votre commentaire",
            "2026-03-02",
        ),
        ("Tijdstempel,Hoe tevreden bent u?,Uw naam,Uw opmerking", "2026-03-02"),
        ("Marca temporal,¿Qué tan satisfecho quedó?,Su nombre,Su comentario", "2026-03-02"),
        (
            "Informazioni cronologiche,Quanto è soddisfatto?,Il suo nome,Il suo commento",
            "2026-03-02",
        ),
        ("Feedback Date,Service Rating,Customer Name,Service Review", "2026-03-02"),
        ("Eingereicht am,Bewertung,Kunde,Kommentar", "2026-03-02"),
        ("Datum,Gesamteindruck,Name,Kommentar", "2026-03-02"),
        ("Date,CSAT (1-5),Requester,Comment", "2026-03-02"),
        ("Date,Stars,Created by,Text", "2026-03-02"),
        ("Date,Stars,Contact,Text", "2026-03-02"),
        ("Date,Stars,Traveler,Text", "2026-03-02"),
    ] {
        let project = Project::new();
        let format = if day.contains('.') { &["--date-format", "DD.MM.YYYY"][..] } else { &[] };
        project.write(
            "a.csv",
            format!("{head}\n{day},5,Ann Bell,{}\n{day},1,Joe Day,{}\n", WORDS[0], WORDS[1]),
        );
        project.candor([&["import", "a.csv", "--source", "shop"][..], format].concat()).exits(0);
        let stored = project.stored();
        let ann = stored.iter().find(|it| it["author"] == "Ann Bell").expect(head);
        assert_eq!((&ann["rating"], &ann["text"]), (&5.into(), &WORDS[0].into()), "{head}");
        assert_eq!(ann["date"], "2026-03-02", "{head}");
    }
}

#[test]
fn a_question_that_only_its_answers_make_a_text_is_asked_about() {
    for (head, date) in [
        (
            "Timestamp,How satisfied were you with our service?,Your name,What could we do better?",
            "Timestamp",
        ),
        (
            "Submit Date (UTC),How would you rate us?,What is your name?,Anything else you would like to share?",
            "Submit Date (UTC)",
        ),
        ("End Date,How would you rate our service?,Your name,What did you like?", "End Date"),
        // Without stars the proposed map has the text.
        ("Timestamp,Mood,Your name,What could we do better?", "Timestamp"),
    ] {
        let project = Project::new();
        project.write(
            "a.csv",
            format!(
                "{head}\n2026-03-02,5,Ann Bell,{}\n2026-03-04,1,Joe Day,{}\n",
                WORDS[0], WORDS[1]
            ),
        );
        let names: Vec<&str> = head.split(',').collect();
        let rating = if names[1] == "Mood" { "COLUMN" } else { names[1] };
        let map = format!("author={},rating={rating},date={date},text={}", names[2], names[3]);
        let run = project.candor(["import", "a.csv", "--source", "shop"]).exits(1);
        run.complains(&format!("next: candor import a.csv --source shop --map \"{map}\"\n"));
        let map = map.replace("COLUMN", "Mood");
        project
            .candor(["import", "a.csv", "--source", "shop", "--map", &map])
            .exits(0)
            .says("new 2 ·");
    }
}

#[test]
fn an_opinion_of_an_employee_has_no_name() {
    let project = Project::new();
    project.write("a.csv", format!("Datum,Gesamtbewertung,Titel,Was ist gut,Was ist schlecht,Position\n2026-03-02,5,Gern hier,{},,Angestellter\n2026-03-04,1,Nie wieder,,{},Ex-Angestellter\n", WORDS[0], WORDS[1]));
    project.candor(["import", "a.csv", "--source", "kununu"]).exits(0);
    let stored = project.stored();
    assert!(stored.iter().all(|review| review["author"] == "Anonymous"), "{stored:?}");
    assert_eq!(stored[0]["text"], format!("Gern hier\n{}", WORDS[0]));
}

#[test]
fn a_table_in_a_document_is_read() {
    let head = ["name", "stars", "date", "text"];
    let rows = || {
        [
            json!(["Ann Bell", 5, "2026-03-02", WORDS[0]]),
            json!(["Joe Day", 1, "2026-03-04", WORDS[1]]),
        ]
    };
    let [ann, joe] = rows();
    let object = |row: &Value| -> Value {
        head.iter()
            .zip(row.as_array().into_iter().flatten())
            .map(|(name, cell)| ((*name).to_owned(), cell.clone()))
            .collect::<serde_json::Map<_, _>>()
            .into()
    };
    let node = |row: &Value| json!({ "cursor": "x", "node": object(row) });
    for document in [
        json!([head, ann, joe]),
        json!({ "values": [head, ann, joe] }),
        json!({ "columns": head, "index": [0, 1], "data": [ann, joe] }),
        json!({ "data": { "shop": { "reviews": { "edges": [node(&ann), node(&joe)], "pageInfo": { "hasNextPage": false } } } } }),
        json!([node(&ann), node(&joe)]),
    ] {
        let project = Project::new();
        project.write("a.json", document.to_string());
        project.candor(["import", "a.json", "--source", "shop"]).exits(0).says("new 2 ·");
        let review = &project.stored()[0];
        assert_eq!(
            (&review["author"], &review["rating"]),
            (&"Ann Bell".into(), &5.into()),
            "{document}"
        );
    }
}

#[test]
fn a_map_with_a_column_that_a_document_has_not_is_an_error() {
    let row = json!({ "name": "Ann Bell", "stars": 5, "date": "2026-03-02", "text": WORDS[0], "reply": null });
    for (file, text, format) in [
        ("a.json", json!([row]).to_string(), "json"),
        ("a.ndjson", format!("{row}\n{row}\n"), "ndjson"),
    ] {
        let project = Project::new();
        project.write(file, text);
        let import = ["import", file, "--source", "shop", "--map"];
        let map = "author=name,rating=stars,date=date,text=words";
        project.candor([&import[..], &[map]].concat()).exits(1).complains(&format!("{file} cannot be imported: read as {format}, it has no column \"words\"; its columns are date, name, reply, stars, text\n"));
        let map = "author=name,rating=stars,date=date,text=text,reply=reply";
        project.candor([&import[..], &[map]].concat()).exits(0);
    }
}
