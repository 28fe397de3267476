//! Columns by their names: how people spell them, what a guess would lose, and how it is confirmed.

use super::Project;

/// What an import of this table says, and the first review it stores.
fn import(table: &str) -> (Project, serde_json::Value) {
    let project = Project::new();
    project.write("a.csv", table);
    project.candor(["import", "a.csv", "--source", "birdeye"]).exits(0);
    let review = project.stored().remove(0);
    (project, review)
}

#[test]
fn review_text_with_a_space_is_the_text() {
    let (_, review) = import("Reviewer,Rating,Date,Review Text\nAnn,5,2026-01-02,Lovely\n");
    assert_eq!((&review["text"], &review["author"]), (&"Lovely".into(), &"Ann".into()));
}

#[test]
fn case_spaces_hyphens_and_underscores_make_no_difference() {
    for header in [
        "Reviewer Name,Star Rating,Review Date,Review Text",
        "REVIEWER-NAME;STAR-RATING;REVIEW-DATE;REVIEW-TEXT",
        "reviewerName,starRating,reviewDate,reviewText",
        "Reviewer_ Name\tStar__Rating\treview date\treview_Text",
    ] {
        let delimiter = if header.contains(';') { ";" } else { "," };
        let delimiter = if header.contains('\t') { "\t" } else { delimiter };
        let row = ["Ann", "4", "2026-01-02", "Lovely"].join(delimiter);
        let (_, review) = import(&format!("{header}\n{row}\n"));
        assert_eq!(review["text"], "Lovely", "{header}");
        assert_eq!((&review["author"], &review["rating"]), (&"Ann".into(), &4.into()), "{header}");
    }
}

#[test]
fn names_in_seven_languages() {
    for header in [
        "Customer,Score,Date of review,Comment,Owner Response",
        "Kunde,Sterne,Datum,Kommentar,Antwort des Inhabers",
        "Nom du client,Note,Date de l’avis,Avis,Réponse du propriétaire",
        "Cliente,Calificación,Fecha,Comentario,Respuesta",
        "Autore,Valutazione,Data recensione,Recensione,Risposta",
        "Naam,Sterren,Datum,Beoordeling,Antwoord",
        "Nome,Classificação,Data,Comentário,Resposta",
    ] {
        let (_, review) = import(&format!("{header}\nAnn,4,2026-01-02,Lovely,Thank you\n"));
        assert_eq!(review["text"], "Lovely", "{header}");
        assert_eq!(review["owner_reply"]["text"], "Thank you", "{header}");
    }
}

#[test]
fn a_name_for_ratings_and_texts_is_what_its_values_are() {
    let text = import("Kunde,Sterne,Datum,Bewertung\nAnn,4,2026-01-02,Sehr nett\n").1;
    assert_eq!((&text["rating"], &text["text"]), (&4.into(), &"Sehr nett".into()));
    let rating = import("Kunde,Bewertung,Datum,Kommentar\nAnn,4,2026-01-02,Sehr nett\n").1;
    assert_eq!((&rating["rating"], &rating["text"]), (&4.into(), &"Sehr nett".into()));
    let note = import("Client,Note,Date,Avis\nAnn,4,2026-01-02,Rien à dire\n").1;
    assert_eq!((&note["rating"], &note["text"]), (&4.into(), &"Rien à dire".into()));
    let english = import("Customer,Rating,Date,Note\nAnn,4,2026-01-02,Nothing to add\n").1;
    assert_eq!((&english["rating"], &english["text"]), (&4.into(), &"Nothing to add".into()));
}

#[test]
fn the_columns_of_a_map_are_compared_like_all_names() {
    let project = Project::new();
    project.write("a.csv", "Wer,Wie Viele,Wann,Was-Denn\nAnn,5,2026-01-02,Lovely\n");
    let map = "author=WER,rating=wie_viele,date=wann,text=was denn";
    project.candor(["import", "a.csv", "--source", "birdeye", "--map", map]).exits(0);
    assert_eq!(project.stored()[0]["text"], "Lovely");

    let columns = r#"{ author = "wer", rating = "wieviele", date = "WANN", text = "was_denn" }"#;
    let map = format!("[[map]]\nname = \"crm\"\nsource = \"crm\"\ncolumns = {columns}\n");
    let project = Project::new().file("content/import.toml", map);
    project.write("a.csv", "Wer,Wie Viele,Wann,Was-Denn\nAnn,5,2026-01-02,Lovely\n");
    project.candor(["import", "a.csv"]).exits(0).says("with the map \"crm\" of import.toml");
    assert_eq!(project.stored()[0]["text"], "Lovely");
}

#[test]
fn a_text_that_begins_after_many_stars_only_is_read() {
    let mut table = "author,rating,date,comment\n".to_owned();
    for day in 1..=28 {
        for month in 1..=3 {
            table += &format!("Ann {day}-{month},5,2025-{month:02}-{day:02},\n");
        }
    }
    let (project, _) = import(&(table + "Ben,5,2026-01-02,Lovely\n"));
    let stored = project.stored();
    assert!(stored.iter().any(|review| review["text"] == "Lovely"));
}

#[test]
fn keys_of_objects_within_a_review_are_columns() {
    let project = Project::new();
    let reviews = r#"[{"author":{"name":"Ann"},"rating":5,"date":"2026-01-02","text":"Lovely","reply":{"text":"Thanks"}}]"#;
    project.write("a.json", reviews);
    project.candor(["import", "a.json", "--source", "birdeye"]).exits(0).says("author=author.name");
    let stored = project.stored();
    assert_eq!((&stored[0]["author"], &stored[0]["text"]), (&"Ann".into(), &"Lovely".into()));
    assert_eq!(stored[0]["owner_reply"]["text"], "Thanks");
}

/// The argument of `--map` in a message, as a shell reads it.
fn suggested(message: &str, nth: usize) -> String {
    let after = message.split("--map ").nth(nth).expect(message);
    match after.strip_prefix('"') {
        Some(quoted) => quoted.split('"').next().unwrap().to_owned(),
        None => after.split([' ', ';', '\n']).next().unwrap().trim_end_matches(',').to_owned(),
    }
}

const UNKNOWN_TEXT: &str = "Reviewer,Rating,Date,What They Said\n\
    Ann,5,2026-01-02,They came on time and left the kitchen clean.\nBen,4,2026-01-03,\n";

#[test]
fn a_column_of_long_texts_is_not_left_out_unasked() {
    let project = Project::new();
    project.write("a.csv", UNKNOWN_TEXT);
    let run = project.candor(["import", "a.csv", "--source", "birdeye"]).exits(1);
    assert!(!project.path("content/reviews").exists());
    let map = suggested(&run.err, 1);
    assert_eq!(map, "author=Reviewer,rating=Rating,date=Date,text=What They Said");
    project.candor(["import", "a.csv", "--source", "birdeye", "--map", &map]).exits(0);
    assert!(project.stored().iter().any(|review| review["text"].is_string()));
}

#[test]
fn the_other_confirmation_leaves_the_texts_out() {
    let project = Project::new();
    project.write("a.csv", UNKNOWN_TEXT);
    let run = project.candor(["import", "a.csv", "--source", "birdeye"]).exits(1);
    let map = suggested(&run.err, 2);
    project.candor(["import", "a.csv", "--source", "birdeye", "--map", &map]).exits(0);
    assert!(project.stored().iter().all(|review| review["text"].is_null()));
}

#[test]
fn a_folder_does_not_pass_over_a_file_whose_texts_would_be_lost() {
    let project = Project::new();
    project.write("exports/a.csv", UNKNOWN_TEXT);
    project.write_export("exports/b.json", &[super::google(1)]);
    project
        .candor(["import", "exports", "--source", "google"])
        .exits(1)
        .complains("a.csv cannot be imported: by the names of its columns");
}

#[test]
fn long_texts_beside_the_text_are_asked_about_and_the_same_words_in_every_row_are_not() {
    let words = "and there are enough words in it for a text that somebody has written by hand";
    let table = |notes: [&str; 2]| {
        format!(
            "author,rating,date,text,remarks\nAnn,5,2026-01-02,Good,{} {words}\nBen,4,2026-01-03,Fine,{} {words}\n",
            notes[0], notes[1]
        )
    };
    let project = Project::new();
    project.write("a.csv", table(["One", "Two"]));
    let run = project.candor(["import", "a.csv", "--source", "birdeye"]).exits(1);
    assert_eq!(suggested(&run.err, 1), "author=author,rating=rating,date=date,text=text");
    import(&table(["One", "One"]));
    import(&table(["One", "Two"]).replace("remarks", "customer_email"));
}

#[test]
fn a_misspelled_column_of_a_map_is_reported() {
    let project = Project::new();
    project.write("a.json", r#"[{"a":"Ann","b":5,"c":"2026-01-02","d":"Lovely"}]"#);
    let map = "author=a,rating=b,date=c,text=dd";
    let command = ["import", "a.json", "--source", "birdeye", "--map", map];
    project
        .candor(command)
        .exits(1)
        .complains("it has no column \"dd\"; its columns are a, b, c, d\n");
    project.write("a.json", r#"[{"a":"Ann","b":5,"c":"2026-01-02","d":"Lovely","dd":null}]"#);
    let run = project.candor(command).exits(0);
    assert_eq!(run.err, "warning: a.json: no row has a value in the column \"dd\" of the map\n");
}
