//! The words and stars of the author: which columns have them, and which have those of others or of a part.

use serde_json::{Value, json};

use super::{Project, identity::WORDS};

/// The reviews of a table with a column more.
fn stored(column: &str, ann: &str, joe: &str) -> Vec<Value> {
    let project = Project::new();
    project.write("a.csv", format!("Name,Stars,Date,Text,{column}\nAnn Bell,5,2026-03-02,{},{ann}\nJoe Day,1,2026-03-04,{},{joe}\n", WORDS[0], WORDS[1]));
    project.candor(["import", "a.csv", "--source", "shop"]).exits(0);
    project.stored()
}

#[test]
fn what_belongs_to_the_text_is_in_it() {
    for (column, ann, joe, text) in [
        ("Title", "Mr.", "CEO", WORDS[0].to_owned()),
        ("Titel", "Herr", "Frau", WORDS[0].to_owned()),
        ("Title", "Marketing Manager", "Owner", WORDS[0].to_owned()),
        ("Title", "Great work", "Never again", format!("Great work\n{}", WORDS[0])),
        (
            "Title",
            "Dr. Oak is the best",
            "The owner is kind",
            format!("Dr. Oak is the best\n{}", WORDS[0]),
        ),
        ("Title", "Señora", "Managing Director", WORDS[0].to_owned()),
        ("Text contact notes", "Angry man here", "Call him later", WORDS[0].to_owned()),
        ("heading", "Great work", "Never again", format!("Great work\n{}", WORDS[0])),
        ("details.headline", "Great work", "Never again", format!("Great work\n{}", WORDS[0])),
        ("Text 2", "And cheap.", "", format!("{}\nAnd cheap.", WORDS[0])),
        ("Text (continued)", "And cheap.", "", format!("{}\nAnd cheap.", WORDS[0])),
        ("Author title", "Local Guide", "Level 3", WORDS[0].to_owned()),
    ] {
        let stored = stored(column, ann, joe);
        assert_eq!(stored[0]["text"], text, "{column} {ann}");
        assert_eq!(stored[0]["author"], "Ann Bell", "{column}");
    }
    for column in ["Original", "Original review", "Text (original)"] {
        let stored = stored(column, "Alles sauber und am selben Tag.", "");
        assert_eq!(stored[0]["text"], "Alles sauber und am selben Tag.", "{column}");
        assert_eq!(stored[0]["translation"]["text"], WORDS[0], "{column}");
        assert_eq!(stored[1]["text"], WORDS[1], "{column}");
    }
    let project = Project::new();
    let reviews = json!({ "reviews": [
        { "id": 4511, "content": WORDS[0], "score": 5, "created_at": "2026-03-02T10:00:00Z", "user": { "display_name": "Ann Bell" }, "comment": { "content": "Thanks Ann", "created_at": "2026-03-03T10:00:00Z" } },
        { "id": 4512, "content": WORDS[1], "score": 1, "created_at": "2026-03-04T10:00:00Z", "user": { "display_name": "Joe Day" } },
    ] });
    project.write("a.json", reviews.to_string());
    project.candor(["import", "a.json", "--source", "yotpo"]).exits(0);
    assert_eq!(project.stored()[0]["owner_reply"]["text"], "Thanks Ann");
}

#[test]
fn a_name_has_no_telephone_number() {
    for (given, name) in [
        ("Ann Bell (0171 2345678)", "Ann Bell"),
        ("+49 171 2345678 Ann Bell", "Ann Bell"),
        ("Ann Bell tel. 555-123-4567", "Ann Bell"),
        ("0171 2345678", "Anonymous"),
        ("Ann Bell 2026", "Ann Bell 2026"),
        ("User 20240315", "User 20240315"),
        ("Anna & Bob 0171 2345678", "Anna & Bob"),
        ("Handy Andy +49 171 2345678", "Handy Andy"),
        ("ann12345678", "ann12345678"),
    ] {
        let project = Project::new();
        project
            .write("a.csv", format!("Name,Stars,Date,Text\n{given},5,2026-03-02,{}\n", WORDS[0]));
        project.candor(["import", "a.csv", "--source", "shop"]).exits(0);
        assert_eq!(project.stored()[0]["author"], name, "{given}");
    }
}

#[test]
fn a_worst_grade_is_not_five_stars() {
    for column in ["Note (1-6)", "Rating (1-6)", "Gesamtnote"] {
        let project = Project::new();
        project.write(
            "a.csv",
            format!(
                "Name,Date,{column},Text\nAnn Bell,2026-03-02,6,{}\nJoe Day,2026-03-04,6,{}\n",
                WORDS[0], WORDS[1]
            ),
        );
        let best = if column.contains('6') { 6 } else { 5 };
        project.candor(["import", "a.csv", "--source", "shop"]).exits(1).complains(&format!(
            "the column {column} may hold school grades, of which 1 is the best; grades cannot be published as stars; if {best} is the best, say so with --best {best}"
        ));
        project.candor(["import", "a.csv", "--source", "shop", "--best", "6"]).exits(0);
    }
}

#[test]
fn stars_of_parts_are_not_those_of_the_whole() {
    for head in [
        "Rating product,Rating delivery,Rating service",
        "Product rating,Service rating,Price rating",
        "Bewertung Essen,Bewertung Service,Bewertung Lage",
    ] {
        let project = Project::new();
        project.write("a.csv", format!("Name,Date,{head},Text\nAnn Bell,2026-03-02,5,1,3,{}\nJoe Day,2026-03-04,1,5,3,{}\n", WORDS[0], WORDS[1]));
        project.candor(["import", "a.csv", "--source", "shop"]).exits(1).complains("no column is known to hold its stars").complains("next: candor import a.csv --source shop --map author=Name,rating=COLUMN,date=Date,text=Text\n");
        let whole = head
            .replacen("Rating service", "Rating overall", 1)
            .replacen("Service rating", "Overall rating", 1)
            .replacen("Bewertung Lage", "Gesamtbewertung", 1);
        project.write(
            "a.csv",
            format!("Name,Date,{whole},Text\nAnn Bell,2026-03-02,5,1,3,{}\n", WORDS[0]),
        );
        project.candor(["import", "a.csv", "--source", "shop"]).exits(0);
        let stars = if whole.contains("Overall rating") { 1 } else { 3 };
        assert_eq!(project.stored()[0]["rating"], stars, "{whole}");
    }
}

#[test]
fn what_is_exactly_one_to_five_stars_is_taken() {
    let notations = [
        (json!(5), 5),
        (json!(5.0), 5),
        (json!("5"), 5),
        (json!("5,0"), 5),
        (json!(" 4.00 "), 4),
        (json!("FIVE"), 5),
        (json!("One"), 1),
        (json!("five stars"), 5),
        (json!("Two-star rating"), 2),
        (json!("80%"), 4),
        (json!("5 star rating"), 5),
        (json!("4.0 out of 5"), 4),
        (json!("3/5"), 3),
        (json!("4 Sterne"), 4),
        (json!("ui_bubble_rating bubble_40"), 4),
        (json!("8 out of 10"), 4),
        (json!("4,0 von 5 Sternen"), 4),
        (json!("Noté 4 sur 5"), 4),
        (json!("5 hvězdiček"), 5),
        (json!("★★★★★"), 5),
        (json!("★★☆☆☆"), 2),
    ];
    let row = |(number, (stars, _)): (usize, &(Value, u8))| json!({ "name": format!("Ann {number}"), "stars": stars, "date": "2026-03-02", "text": format!("Words {number}") });
    let rows: Vec<_> = (100..).zip(&notations).map(row).collect();
    let project = Project::new();
    project.write("a.json", Value::from(rows).to_string());
    project.candor(["import", "a.json", "--source", "shop"]).exits(0);
    let mut stored = project.stored();
    stored.sort_by_key(|review| review["author"].to_string());
    assert_eq!(stored.len(), notations.len());
    for (review, (written, stars)) in stored.iter().zip(notations) {
        assert_eq!(review["rating"], stars, "{written}");
    }
}
