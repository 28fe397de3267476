//! A format of a platform is known by keys that only its program writes. What a file says of its platform and its
//! business is read in each format.

use serde_json::{Value, json};

use super::{Project, identity::WORDS, places::named};

/// The import of a file with these arguments, and the reviews stored by it.
fn import(name: &str, text: &str, more: &[&str]) -> (String, Vec<Value>) {
    let project = Project::new();
    project.write(name, text);
    let run = project.candor([&["import", name][..], more].concat());
    let stored = if run.code == 0 { project.stored() } else { Vec::new() };
    (run.out + &run.err, stored)
}

/// One review of Apify's with keys more.
fn apify(author: &str, more: &Value) -> Value {
    let mut row = json!({ "name": author, "stars": 5, "text": format!("{} {author}", WORDS[0]),
        "publishedAtDate": "2026-02-01T10:00:00Z" });
    if let (Some(row), Some(more)) = (row.as_object_mut(), more.as_object()) {
        row.extend(more.clone());
    }
    row
}

#[test]
fn stars_dates_and_texts_of_any_table_are_no_platforms() {
    for (name, text) in [
        (
            "a.csv",
            "customer_name,review_rating,review_text,review_timestamp\nJoe Day,1,Late.,2026-02-13 10:00:00\n",
        ),
        (
            "a.json",
            r#"[{"name":"Joe Day","rating":1,"text":"Late.","date":"2026-02-13","publishAt":"x"}]"#,
        ),
        (
            "b.json",
            r#"[{"rating":1,"snippet":"Late.","iso_date":"2026-02-13","user":{"name":"Joe Day"}}]"#,
        ),
        (
            "b.csv",
            "review_id,user_id,business_id,stars,date,text,user_name\nr1,u1,b1,1,2026-02-13,Late.,Joe Day\n",
        ),
        ("c.csv", "name,starRating,createTime,comment\nJoe Day,1,2026-02-13T10:00:00Z,Late.\n"),
        // A mark of Apify's, and an author of another one.
        ("d.csv", "customer,rating,text,publishedAtDate\nJoe Day,1,Late.,2026-02-13T10:00:00Z\n"),
    ] {
        let (said, stored) = import(name, text, &[]);
        assert!(said.contains("does not say which platform its reviews come from"), "{said}");
        assert!(stored.is_empty(), "{text}");
        let (said, stored) = import(name, text, &["--source", "direct"]);
        assert!(said.contains("1 review from direct"), "{said}");
        assert_eq!(
            (&stored[0]["author"], &stored[0]["text"]),
            (&"Joe Day".into(), &"Late.".into())
        );
    }
}

#[test]
fn a_known_format_is_read_as_a_table_of_the_named_source_only_if_asked() {
    let file = json!([apify("Ann Bell", &json!({}))]).to_string();
    let (said, _) = import("a.json", &file, &["--source", "direct"]);
    assert!(
        said.contains("error: a.json is apify, whose reviews are google's; leave --source direct away, or add --format json if they are direct's\n"),
        "{said}"
    );
    let (_, stored) = import("a.json", &file, &["--source", "direct", "--format", "json"]);
    assert_eq!(
        (&stored[0]["source"], &stored[0]["author"]),
        (&"direct".into(), &"Ann Bell".into())
    );
}

#[test]
fn a_table_of_outscraper_with_titles_is_not_googles() {
    let table = |columns: &str, cells: &str| {
        format!(
            "query,total_reviews,review_rating,review_title,review_text,review_likes,review_timestamp,review_id,author_title,owner_answer{columns}\nacme.example,2,5,Tidy,{},0,1771000000,r1,Ann Bell,Thanks{cells}\n",
            WORDS[0]
        )
    };
    let unnamed = table(",review_date", ",2026-02-13");
    let (said, _) = import("a.csv", &unnamed, &[]);
    assert!(said.contains("does not say which platform"), "{said}");
    let of_trustpilot = table(
        ",review_datetime_utc,author_id,author_reviews_number_same_domain",
        ",02/13/2026 16:26:40,a1,1",
    );
    for (text, source) in [(&unnamed, &["--source", "trustpilot"][..]), (&of_trustpilot, &[])] {
        let (said, stored) = import("a.csv", text, source);
        assert!(said.contains("1 review from trustpilot\n"), "{said}");
        assert_eq!(stored[0]["author"], "Ann Bell");
        assert_eq!(stored[0]["date"], "2026-02-13");
        assert_eq!(stored[0]["text"], format!("Tidy\n{}", WORDS[0]));
        assert_eq!(stored[0]["owner_reply"]["text"], "Thanks");
    }
}

#[test]
fn the_address_of_a_review_of_serpapi_names_its_platform() {
    for user in [
        json!({ "name": "Joe Day", "link": "https://www.tripadvisor.com/Profile/joed" }),
        json!({ "name": "Joe Day", "thumbnail": "https://media.example/joed.png" }),
    ] {
        let file = json!({ "reviews": [{
            "title": "Bad", "snippet": "Late.", "rating": 1, "date": "2026-02-13", "user": user,
            "link": "https://www.tripadvisor.com/ShowUserReviews-g1-d2-r9.html",
        }] });
        let (said, stored) = import("a.json", &file.to_string(), &[]);
        assert!(said.contains("1 review from tripadvisor\n"), "{said}");
        assert_eq!(stored[0]["source"], "tripadvisor");
        assert_eq!(stored[0]["text"], "Bad\nLate.");
    }
}

#[test]
fn what_is_no_platform_is_refused_in_each_format() {
    let demo = json!([apify("Ann Bell", &json!({ "reviewOrigin": "demo" }))]).to_string();
    let table = "author_title,review_rating,review_datetime_utc,review_text,source\nAnn,5,02/01/2026 10:00:00,Tidy,demo\n";
    for (name, text, column) in [("a.json", &*demo, "reviewOrigin"), ("a.csv", table, "source")] {
        let (said, stored) = import(name, text, &[]);
        let counts = format!(
            "{name}: its column {column} says where its reviews come from: demo 1 (no platform)"
        );
        assert!(said.contains(&format!("{counts}; choose with --only-source NAME")), "{said}");
        assert!(stored.is_empty());
    }
}

#[test]
fn the_reviews_of_a_file_are_counted_by_platform() {
    let file = json!([
        apify("Ann Bell", &json!({ "reviewOrigin": "Google" })),
        apify("Joe Day", &json!({ "reviewOrigin": "Tripadvisor" })),
        apify("Kim Oak", &json!({ "reviewOrigin": "Tripadvisor" })),
    ]);
    let project = Project::new();
    project.write("a.json", file.to_string());
    let run = project.candor(["import", "a.json"]).exits(0);
    run.says("3 reviews from google 1, tripadvisor 2\n").says("apify collects what google shows");
    let log = project.text("content/imports.log.ndjson");
    let sources: Value = serde_json::from_str(log.lines().next().unwrap_or_default()).unwrap();
    let source = |at: usize| sources["sources"][at]["source"].clone();
    assert_eq!(
        [source(0), source(1), source(2)],
        [json!("google"), json!("tripadvisor"), Value::Null]
    );
    let table = "author,rating,date,text,source\nAnn,5,2026-02-01,Tidy,Google\nJoe,1,2026-02-02,Late,Booking.com\nKim,2,2026-02-02,Slow,Booking.com\n";
    let (said, _) =
        import("a.csv", table, &["--only-source", "booking", "--only-source", "google"]);
    assert!(said.contains("3 reviews from booking 2, google 1\n"), "{said}");
}

#[test]
fn how_a_review_was_invited_is_no_platform() {
    let review = |id: &str, author: &str, stars: u8, source: &str| {
        json!({ "id": id, "consumer": { "displayName": author }, "stars": stars, "title": "Work",
            "text": format!("{} {author}", WORDS[0]), "createdAt": "2026-02-01T10:00:00Z", "source": source })
    };
    for way in [
        "InvitationLinkApi",
        "EmailInvitation",
        "AFSv1",
        "BasicLink",
        "ReviewCollector",
        "ManualInput",
    ] {
        let file = json!({ "reviews": [
            review("65bb7f0e5d4b1c0012ab34cd", "Ann Bell", 5, "Organic"),
            review("65bb7f0e5d4b1c0012ab34ce", "Joe Day", 1, way),
        ] });
        let (said, _) = import("a.json", &file.to_string(), &["--source", "trustpilot"]);
        assert!(said.contains("2 reviews from trustpilot\n"), "{way}: {said}");
    }
}

#[test]
fn a_business_without_an_id_is_known_by_its_name() {
    let places = json!([{ "displayName": { "text": "Bella Napoli" }, "reviews": [{
        "rating": 5, "relativePublishTimeDescription": "a week ago", "authorAttribution": { "displayName": "Ann" },
        "publishTime": "2026-02-01T10:00:00Z", "text": { "text": "Good pizza." },
    }] }]);
    let row = "Bella Napoli,Joe,1,2026-02-13T10:00:00Z,Bad pizza.\n";
    let head = "title,name,stars,publishedAtDate,text\n";
    for (name, text) in [
        ("a.csv", format!("{head}{row}")),
        (
            "b.csv",
            "name,author_title,review_rating,review_datetime_utc,review_text\nBella Napoli,Joe,1,02/13/2026 10:00:00,Bad pizza.\n"
                .to_owned(),
        ),
        ("a.json", places.to_string()),
    ] {
        let project = named("Hartwell Plumbing");
        project.write(name, text);
        let run = project.candor(["import", name]).exits(1);
        run.complains("its reviews are about Bella Napoli from google, and those of this site about Hartwell Plumbing from business.toml");
    }
    let own = format!("{head}Hartwell Plumbing,Ann,5,2026-02-01T10:00:00Z,Good pipes.\n");
    let project = named("Hartwell Plumbing").file("a.csv", format!("{own}{row}"));
    project.candor(["import", "a.csv"]).exits(1).complains("more than one business");
    project.write("a.csv", own);
    project.candor(["import", "a.csv"]).exits(0);
    let known = std::fs::read_to_string(project.path("content/places.toml")).unwrap();
    assert!(known.contains("names = [\"Hartwell Plumbing\"]"), "{known}");
}

#[test]
fn an_empty_column_does_not_hide_the_one_that_names_the_business() {
    let table = |names: &str, ann: &str, joe: &str| {
        format!(
            "Review ID,Review Created (UTC),Review Consumer User ID,Review Title,Review Content,Review Stars,{names},Location Name,Location ID\n\
             r1,2026-02-13 10:00:00,u1,Great,Tidy.,5,{ann},,\nr2,2026-02-14 10:00:00,u2,Bad,Cold.,1,{joe},,\n"
        )
    };
    for (names, ann, joe, listed) in [
        (
            "Domain URL,Webshop Name,Business Unit ID",
            "a.example,Acme Pipes,5aa57765",
            "b.example,Bella Napoli,7bb00000",
            "  7bb00000  Bella Napoli  1 reviews",
        ),
        ("Webshop Name", "Acme Pipes", "Bella Napoli", "  Bella Napoli  1 reviews"),
    ] {
        let (said, stored) = import("a.csv", &table(names, ann, joe), &[]);
        assert!(said.contains(listed), "{said}");
        assert!(stored.is_empty());
    }
}

#[test]
fn the_title_of_a_review_is_not_the_name_beside_the_id_of_its_business() {
    let file = |unit: Value| {
        json!({ "reviews": [{ "id": "65bb7f0e5d4b1c0012ab34cd", "consumer": { "displayName": "Ann Bell" },
            "businessUnit": unit, "stars": 5, "title": "Great", "text": "Tidy.", "createdAt": "2026-02-01T10:00:00Z" }] })
    };
    for (unit, names) in [
        (json!({ "id": "46d6a890000064000500e0c3", "displayName": "Acme" }), "names = [\"Acme\"]"),
        (json!({ "id": "46d6a890000064000500e0c3" }), "names = []"),
    ] {
        let project = Project::new();
        project.write("a.json", file(unit).to_string());
        project.candor(["import", "a.json", "--source", "trustpilot"]).exits(0);
        assert_eq!(project.stored()[0]["text"], "Great\nTidy.");
        let known = std::fs::read_to_string(project.path("content/places.toml")).unwrap();
        assert!(known.contains(names), "{known}");
    }
}

#[test]
fn the_name_of_a_user_is_better_than_the_account() {
    let file = json!([{ "id": 1, "rating": 5, "text": "Tidy.", "publishedDate": "2026-02-01",
        "user": { "userId": "a", "username": "annb", "name": "Ann B" } }]);
    let (_, stored) = import("a.json", &file.to_string(), &["--source", "tripadvisor"]);
    assert_eq!(stored[0]["author"], "Ann B");
}
