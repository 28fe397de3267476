//! Shapes of exports that were read wrongly once: each file with what a careful person takes from it.

use serde_json::{Value, json};

use super::Project;

/// Imports a file, and returns these keys of the stored reviews, the oldest first.
fn stored(name: &str, content: &str, options: &[&str], keys: &[&str]) -> Vec<Vec<Value>> {
    let project = Project::new();
    project.write(name, content);
    project.candor([&["import", name][..], options].concat()).exits(0);
    let mut stored = project.stored();
    stored.sort_by_key(|review| review["date"].as_str().map(str::to_owned));
    let of = |review: &Value| {
        keys.iter().map(|key| review.pointer(key).cloned().unwrap_or_default()).collect()
    };
    stored.iter().map(of).collect()
}

/// What an import says that stores nothing.
fn refused(name: &str, content: &str, options: &[&str]) -> String {
    let project = Project::new();
    project.write(name, content);
    project.candor([&["import", name][..], options].concat()).exits(1).err
}

#[test]
fn the_date_of_a_review_is_in_its_envelope_and_not_beside_it() {
    let airtable = r#"{"records":[{"id":"recA1B2C3D4E5F6G7","createdTime":"2026-11-01T10:00:00.000Z",
        "fields":{"Name":"Ann Bell","Rating":5,"Date":"2026-03-02","Quote":"The boiler was fixed at once."}}]}"#;
    let row = r#"{"created_at":"2026-11-01T10:00:00Z","data":{"author":"Ann Bell","rating":5,"date":"2026-03-02","text":"The boiler was fixed at once."}}"#;
    let strapi = r#"[{"id":1,"attributes":{"author":"Ann Bell","rating":5,"createdAt":"2026-03-02T10:00:00Z","publishedAt":"2026-03-02T11:00:00Z","text":"The boiler was fixed at once."}}]"#;
    for (name, content) in [("a.json", airtable), ("b.ndjson", row), ("c.json", strapi)] {
        let found = stored(name, content, &["--source", "survey"], &["/author", "/date", "/text"]);
        assert_eq!(
            found,
            [[json!("Ann Bell"), json!("2026-03-02"), json!("The boiler was fixed at once.")]],
            "{name}"
        );
    }
}

#[test]
fn values_of_databases_have_no_types_around_them() {
    let firestore = r#"[{"name":"projects/x/documents/reviews/a1","fields":{"author":{"stringValue":"Ann Bell"},
        "stars":{"integerValue":"5"},"message":{"stringValue":"Fixed at once."},"date":{"timestampValue":"2026-03-02T10:00:00Z"}}}]"#;
    let dynamo = r#"[{"author":{"S":"Ann Bell"},"stars":{"N":"5"},"message":{"S":"Fixed at once."},"date":{"S":"2026-03-02"}}]"#;
    let mongo = r#"{"_id":{"$oid":"65a1"},"author":"Ann Bell","stars":{"$numberInt":"5"},"message":"Fixed at once.","date":{"$date":"2026-03-02T10:00:00Z"}}"#;
    for (name, content) in [("a.json", firestore), ("b.json", dynamo), ("c.ndjson", mongo)] {
        let found = stored(
            name,
            content,
            &["--source", "survey"],
            &["/author", "/rating", "/date", "/text"],
        );
        assert_eq!(
            found,
            [[json!("Ann Bell"), json!(5), json!("2026-03-02"), json!("Fixed at once.")]],
            "{name}"
        );
    }
}

#[test]
fn a_reply_that_is_not_public_is_left_out_and_counted() {
    let yotpo = "Review ID,Review Title,Review Content,Review Score,Date,Published,Product ID,Reviewer Display Name,Reviewer Email,Comment Content,Comment Public\n\
        9001,Good,Quick and clean work,5,2026-03-03,true,11,Ann B.,a@x.example,Thank you!,true\n\
        9002,Bad,We waited for a week,1,2026-03-04,true,11,Joe D.,j@x.example,Order 55: refunded him privately,false\n";
    let draft = r#"[{"author":"Ann Bell","rating":5,"date":"2026-03-02","reply":{"text":"Thank you!","status":"published"}},
        {"author":"Joe Day","rating":1,"date":"2026-03-04","reply":{"text":"Do not send","status":"draft"}}]"#;
    for (name, content, options) in
        [("a.csv", yotpo, &[][..]), ("b.json", draft, &["--source", "survey"])]
    {
        let found = stored(name, content, options, &["/owner_reply/text"]);
        assert_eq!(found, [[json!("Thank you!")], [Value::Null]], "{name}");
    }
    let project = Project::new();
    project.write("a.csv", yotpo);
    project
        .candor(["import", "a.csv"])
        .exits(0)
        .says("a reply that is not public was left out: 1 row");
}

#[test]
fn what_says_nothing_is_no_reply() {
    let table = "author,rating,date,reply\nAnn,5,2026-03-02,[]\nBen,5,2026-03-03,{}\nCy,4,2026-03-04,No reply\nDee,4,2026-03-05,Thanks\n";
    let found = stored("a.csv", table, &["--source", "survey"], &["/owner_reply/text"]);
    assert_eq!(found, [[Value::Null], [Value::Null], [Value::Null], [json!("Thanks")]]);
}

#[test]
fn the_author_is_who_wrote_and_not_what_was_done() {
    let keys = ["/author"];
    let table = "name,submitted_by,stars,date,text\nBoiler service,Ann Bell,5,2026-03-02,Fixed at once\nBoiler service,Joe Day,1,2026-03-03,Never came\n";
    let nested = r#"[{"name":"Boiler service","customer":{"full":"Ann Bell"},"stars":5,"date":"2026-03-02"},
        {"name":"Boiler service","customer":{"full":"Joe Day"},"stars":1,"date":"2026-03-03"}]"#;
    for (name, content) in [("a.csv", table), ("b.json", nested)] {
        let found = stored(name, content, &["--source", "survey"], &keys);
        assert_eq!(found, [[json!("Ann Bell")], [json!("Joe Day")]], "{name}");
    }
    let staff =
        "name,submitted_by,stars,date\nAnn Bell,Office,5,2026-03-02\nJoe Day,Office,1,2026-03-03\n";
    let found = stored("a.csv", staff, &["--source", "survey"], &keys);
    assert_eq!(found, [[json!("Ann Bell")], [json!("Joe Day")]]);
    let nameless =
        "name,author,stars,date\nBoiler,Anonymous,5,2026-03-02\nHeating,Anonymous,1,2026-03-03\n";
    let found = stored("a.csv", nameless, &["--source", "survey"], &keys);
    assert_eq!(found, [[json!("Anonymous")], [json!("Anonymous")]]);
    let head = "Review Id,Review Created (UTC),Review Consumer User Id,Review Title,Review Content,Review Stars,Consumer Name\n";
    let table = format!("{head}65a1,2026-03-02 09:14:22,5f9c,Good,Fixed at once,5,Ann Bell\n");
    assert_eq!(stored("a.csv", &table, &[], &keys), [[json!("Ann Bell")]]);
}

#[test]
fn both_halves_of_a_text_are_read() {
    let table =
        "author,rating,date,Pluspunten,Minpunten\nAnn,4,2026-03-02,Nette monteur,Het duurde lang\n";
    let found = stored("a.csv", table, &["--source", "survey"], &["/text"]);
    assert_eq!(found, [[json!("Nette monteur\nHet duurde lang")]]);
    let table = "author,rating,date,Fazit kurz,Fazit lang\nAnn,4,2026-03-02,Der Monteur war sehr nett,Leider hat es eine Woche gedauert\n";
    let error = refused("a.csv", table, &["--source", "survey"]);
    assert!(error.contains("text=Fazit kurz+Fazit lang"), "{error}");
}

#[test]
fn a_mark_of_google_says_nothing_about_a_purchase() {
    let table = "name,stars,date,text,verified\nAnn Bell,5,2026-03-02,Fixed at once,true\n";
    let marks = |source| stored("a.csv", table, &["--source", source], &["/verified_purchase"]);
    assert_eq!(marks("google"), [[Value::Null]]);
    assert_eq!(marks("shopware"), [[json!(true)]]);
}

#[test]
fn lists_beside_that_of_a_platform_are_asked_about() {
    let both = |other: &str| {
        let review = |name: &str| json!([{"author": name, "rating": 5, "date": "2026-03-02", "text": "Fixed at once."}]);
        json!({"google_reviews": review("Ann"), other: review("Ben")}).to_string()
    };
    for (other, said) in
        [("placeholder", "placeholder 1 (no platform)"), ("testimonials", "testimonials 1")]
    {
        let error = refused("a.json", &both(other), &["--source", "google"]);
        assert!(
            error.contains("says where its reviews come from: google 1") && error.contains(said),
            "{error}"
        );
    }
    for table in [
        "type,name,stars,date,text\ngoogle,Ann,5,2026-03-02,Fixed at once\nfacebook,Ben,4,2026-03-03,Nice\n",
        "Plattform,name,stars,date,text\nFiktiv (Platzhalter),Ann,5,2026-03-02,Fixed at once\n",
        "source,name,stars,date,text\nInternal test,Ann,5,2026-03-02,Fixed at once\n",
    ] {
        let error = refused("a.csv", table, &["--source", "google"]);
        assert!(error.contains("says where its reviews come from"), "{error}");
    }
}

#[test]
fn rows_that_name_no_platform_are_chosen_like_the_others() {
    let project = Project::new();
    project.write("a.csv", "Source,name,stars,date\n,Ann,5,2026-03-02\nYelp,Joe,4,2026-03-03\n");
    let given = ["import", "a.csv", "--source", "google"];
    let asked =
        "says where its reviews come from: google 1, yelp 1; choose with --only-source NAME";
    project.candor(given).exits(1).complains(asked);
    project.candor([&given[..], &["--only-source", "google"]].concat()).exits(0).says("new 1");
    let both = ["--only-source", "google", "--only-source", "yelp"];
    project.candor([&given[..], &both].concat()).exits(0).says("new 1");
}

#[test]
fn paragraphs_of_html_are_lines() {
    let row = r#"[{"date_created":"2026-03-02T10:00:00","reviewer":"Ann Bell","reviewer_email":"a@x.example","review":"<p>Fixed at once.</p>\n<p>Clean &amp; quick.</p>\n","rating":5}]"#;
    let found = stored("a.json", row, &[], &["/text", "/source"]);
    assert_eq!(found, [[json!("Fixed at once.\n\nClean & quick."), json!("woocommerce")]]);
}

#[test]
fn rows_that_are_not_approved_stay_out_whatever_the_spelling() {
    for (column, shown, pending) in [
        ("status", "approved", "pending_approval"),
        ("status", "Approved", "AwaitingModeration"),
        ("comment_status", "approve", "hold"),
        ("post_status", "publish", "draft"),
        ("validate", "1", "0"),
        ("Statut de modération", "Publiée", "En attente de validation"),
        ("Estado", "Publicada", "Pendiente de revisión"),
        ("Stato", "Pubblicata", "In attesa di approvazione"),
        ("Stan", "Opublikowana", "Oczekuje na moderację"),
        ("Status der Bewertung", "Freigeschaltet", "Nicht freigeschaltet"),
        ("review_status", "published", "Waiting for approval"),
    ] {
        let table = format!(
            "author,rating,date,{column}\nAnn,5,2026-03-02,{shown}\nBen,1,2026-03-03,{pending}\n"
        );
        let found = stored("a.csv", &table, &["--source", "survey"], &["/author"]);
        assert_eq!(found, [[json!("Ann")]], "{column}={pending}");
    }
}

#[test]
fn tables_in_other_languages_need_no_more_than_their_source() {
    for header in [
        "Imię,Ocena,Data,Opinia,Odpowiedź",
        "Jméno,Hodnocení,Datum,Recenze,Odpověď",
        "Namn,Betyg,Datum,Omdöme,Svar",
        "Navn,Stjerner,Dato,Anmeldelse,Svar",
        "Nimi,Arvosana,Päivämäärä,Arvostelu,Vastaus",
        "Név,Értékelés,Dátum,Vélemény,Válasz",
        "Nume,Notă,Dată,Recenzie,Răspuns",
        "Ad Soyad,Puan,Tarih,Yorum,Yanıt",
        "Όνομα,Βαθμολογία,Ημερομηνία,Κριτική,Απάντηση",
        "Имя,Оценка,Дата,Отзыв,Ответ",
        "Ім'я,Оцінка,Дата,Відгук,Відповідь",
        "投稿者,評価,投稿日,口コミ,返信",
        "姓名,评分,日期,评论,回复",
        "작성자,별점,작성일,후기,답글",
        "الاسم,التقييم,التاريخ,التعليق,الرد",
        "שם,דירוג,תאריך,ביקורת,תגובה",
    ] {
        let table = format!("{header}\nAnn Bell,4,2026-03-02,Fixed at once,Thank you\n");
        let keys = ["/author", "/rating", "/date", "/text", "/owner_reply/text"];
        let found = stored("a.csv", &table, &["--source", "survey"], &keys);
        let expected = ["Ann Bell", "4", "2026-03-02", "Fixed at once", "Thank you"];
        let found: Vec<String> = found[0]
            .iter()
            .map(|value| value.as_str().map_or(value.to_string(), str::to_owned))
            .collect();
        assert_eq!(found, expected, "{header}");
    }
}

#[test]
fn a_refusal_does_not_say_that_there_are_no_dates_where_there_are() {
    let table = "Gruß,Sterne,Tag,Erfasst\nAnn,4,2026-03-02,2026-03-03\n";
    let error = refused("a.csv", table, &["--source", "survey"]);
    assert!(error.contains("no column is known to say when its reviews were written: "), "{error}");
    let table = "author,Zahl,Menge,date\nAnn,4,3,2026-03-02\n";
    let error = refused("a.csv", table, &["--source", "survey"]);
    assert!(error.contains("no column is known to hold its stars: "), "{error}");
}

#[test]
fn keys_of_programs_are_no_businesses() {
    let ann = json!({ "author": "Ann Bell", "rating": 5, "date": "2026-03-02", "text": "The boiler was fixed at once." });
    let joe =
        json!({ "author": "Joe Day", "rating": 1, "date": "2026-03-04", "text": "Nobody came." });
    let hit = |review: &Value| json!({ "_id": "1", "_source": review });
    let row = |review: &Value| {
        let mut row = review.clone();
        row["rating"] = row["rating"].to_string().into();
        row
    };
    for document in [
        // Firebase
        json!({ "reviews": { "-OPq12abcDEF": ann, "-OPq12abcDEG": joe } }),
        json!({ "-OPq12abcDEF": ann, "-OPq12abcDEG": joe }),
        json!({ "page1": [ann], "page2": [joe] }),
        // Elasticsearch
        json!({ "took": 3, "hits": { "total": { "value": 2 }, "hits": [hit(&ann), hit(&joe)] } }),
        // phpMyAdmin
        json!([
            { "type": "header", "version": "5.2.1", "comment": "Export to JSON plugin" },
            { "type": "database", "name": "shop" },
            { "type": "table", "name": "reviews", "database": "shop", "data": [row(&ann), row(&joe)] },
        ]),
    ] {
        let found = stored("a.json", &document.to_string(), &["--source", "shop"], &["/author"]);
        assert_eq!(found, [[json!("Ann Bell")], [json!("Joe Day")]], "{document}");
    }
    let several = json!({ "Leeds": [ann], "York": [joe] }).to_string();
    let said = refused("a.json", &several, &["--source", "shop"]);
    assert!(said.contains("reviews of more than one business"), "{said}");
}
