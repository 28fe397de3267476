//! Files that were read as something that they do not say: what is stored is what the columns mean.

use serde_json::Value;

use super::Project;

/// Imports a table as direct, and gives what is stored, in the order of its days.
fn stored(project: &Project, table: &str) -> Vec<Value> {
    project.write("a.csv", table);
    project.candor(["import", "a.csv", "--source", "direct"]).exits(0);
    project.stored()
}

/// One field of each stored review.
fn field(table: &str, name: &str) -> Vec<String> {
    let texts = stored(&Project::new(), table);
    texts
        .iter()
        .map(|review| review[name].as_str().map_or_else(|| review[name].to_string(), str::to_owned))
        .collect()
}

#[test]
fn a_long_number_of_a_row_moves_nobodys_review() {
    let project = Project::new();
    let head = "id,Name,Stars,Date,Review,Reply\n";
    let anna = |id: u32| format!("{id},Anna,5,2024-03-01,Great,Thanks Anna\n");
    let before = stored(&project, &(head.to_owned() + &anna(1_000_001)));
    let table = format!("{head}1000001,Cy,5,2024-03-01,Super,Thanks Cy\n{}", anna(1_000_002));
    let after = stored(&project, &table);
    let same = after.iter().find(|review| review["id"] == before[0]["id"]).unwrap();
    assert_eq!((&same["author"], &same["text"]), (&before[0]["author"], &before[0]["text"]));
    assert_eq!(after.len(), 2);
}

#[test]
fn a_usual_sentence_of_somebody_else_is_another_review() {
    let project = Project::new();
    let words = "Very good service, fast and friendly, I would recommend it!";
    stored(&project, &format!("Name,Stars,Date,Review\nAnna,5,2024-03-01,\"{words}\"\n"));
    let both = stored(&project, &format!("Name,Stars,Date,Review\nCy,1,2025-03-06,\"{words}\"\n"));
    assert_eq!(both.len(), 2);
    assert_eq!((&both[0]["author"], &both[0]["rating"]), (&"Anna".into(), &5.into()));
}

#[test]
fn a_row_with_stars_is_a_review_and_not_an_answer() {
    let table = "id,name,stars,date,text,reply_to\n11,Anna,1,2024-03-01,They broke my sink,\n12,Bo,1,2024-03-03,Mine too,11\n";
    assert_eq!(field(table, "text"), ["They broke my sink", "Mine too"]);
}

#[test]
fn a_business_around_its_reviews_is_asked_about() {
    let place = |key: &str, name: &str| {
        format!(
            r#"{{"{key}":{{"name":"{name}"}},"reviews":[{{"author":"Ann {name}","rating":5,"date":"2024-03-01"}}]}}"#
        )
    };
    for key in ["business", "place", "company"] {
        let project = Project::new();
        project.write("a.json", format!("[{},{}]", place(key, "Hansen"), place(key, "Tillwater")));
        project
            .candor(["import", "a.json", "--source", "direct"])
            .exits(1)
            .complains("more than one business");
    }
}

#[test]
fn the_text_is_the_column_that_names_the_review() {
    for (text, comment) in [
        ("Bewertungstext", "Kommentar"),
        ("Avis", "Commentaire"),
        ("Feedback", "Comment"),
        ("Opinion", "Message"),
    ] {
        let table = format!(
            "Customer,Stars,Date,{text},{comment}\nAnna,5,2024-03-01,All went well,Thank you\n"
        );
        assert_eq!(field(&table, "text"), ["All went well"], "{text}");
    }
}

#[test]
fn columns_that_ask_tell_the_status() {
    for (column, yes, no) in [
        ("is_spam", "1", "0"),
        ("Spam?", "Ja", "Nein"),
        ("Deleted", "true", "false"),
        ("Approved?", "no", "yes"),
        ("Freigegeben", "nein", "ja"),
        ("isApproved", "false", "true"),
        ("Moderation", "Junk", "Published"),
        ("Moderationsstatus", "Entwurf", "Ver\u{f6}ffentlicht"),
    ] {
        let table = format!(
            "Name,Stars,Date,Review,{column}\nAnna,5,2024-03-01,Fast,{no}\nBo,5,2024-04-02,Buy watches,{yes}\n"
        );
        assert_eq!(field(&table, "author"), ["Anna"], "{column}");
    }
    let hidden = "Name,Stars,Date,Published?\nAnna,5,2024-03-01,yes\nBo,1,2024-04-02,no\n";
    assert_eq!(field(hidden, "author"), ["Anna", "Bo"]);
}

#[test]
fn a_scale_that_the_file_states_is_taken() {
    for column in ["Rating (out of 10)", "Note sur 10", "Note /10", "Rating (1-10)"] {
        let table = format!("Name,{column},Date,Review\nAnna,2,2024-03-01,x\nBo,4,2024-03-13,y\n");
        assert_eq!(field(&table, "rating"), ["1", "2"], "{column}");
    }
    let project = Project::new();
    project.write(
        "a.json",
        r#"[{"author":"Anna","rating":{"value":4,"max":10},"date":"2024-03-01","text":"Meh"}]"#,
    );
    project.candor(["import", "a.json", "--source", "direct"]).exits(0);
    assert_eq!(project.stored()[0]["rating"], 2);
    assert_eq!(field("Name,Rating 2,Date\nAnna,4,2024-03-01\n", "rating"), ["4"]);
}

#[test]
fn a_person_is_the_author_and_not_a_product() {
    for column in ["Nickname", "Buyer nickname", "Purchaser", "Acheteur"] {
        let table = format!(
            "Name,{column},Stars,Date,Review\nKitchen tap,Anna,5,2024-03-01,Great\nPump,Bo,4,2024-03-02,Good\n"
        );
        assert_eq!(field(&table, "author"), ["Anna", "Bo"], "{column}");
    }
}

#[test]
fn the_words_of_the_author_are_the_text_and_not_their_translation() {
    let table = "reviewer,rating,date,text,original_text\nAnna,5,2024-03-01,Very fast.,Sehr schnell.\nBo,4,2024-03-02,Good work.,\n";
    let stored = stored(&Project::new(), table);
    assert_eq!(
        (&stored[0]["text"], &stored[0]["translation"]["text"]),
        (&"Sehr schnell.".into(), &"Very fast.".into())
    );
    assert_eq!(stored[1]["text"], "Good work.");
}

#[test]
fn only_the_sources_that_were_asked_for_come_in() {
    let project = Project::new();
    project.write("a.csv", "Name,Stars,Date,Review\nAnna,5,2024-03-01,Great\n");
    project
        .candor(["import", "a.csv", "--source", "direct", "--only-source", "google"])
        .exits(1).complains("error: --only-source google: no row comes from there; rows that name no platform have the one of --source\n");
    project.write("b.csv", "Name,Stars,Date,Portal\nAnna,5,2024-03-01,ProvenExpert\n");
    project
        .candor(["import", "b.csv", "--source", "direct"])
        .exits(1)
        .complains("provenexpert 1; --source is for rows");
}

#[test]
fn the_line_that_tells_excel_the_separator_is_skipped() {
    assert_eq!(field("sep=;\nName;Stars;Date;Review\nAnna;5;2024-03-01;x, y\n", "text"), ["x, y"]);
}
