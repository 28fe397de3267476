//! Corrections by hand, privacy of authors, verification.

use serde_json::{Value, json};

use super::{
    project::{Project, SITE},
    review::{Review, id, review},
};

/// A review that has everything a person could want removed.
fn rich() -> Review {
    review(1)
        .with("author", "Maria Lopez Garcia")
        .with("author_avatar_url", "https://maps.example/a/1.png")
        .with("source_url", "https://maps.example/r/1")
}

fn published(project: &Project) -> Value {
    project.build();
    project.json("public/reviews.json")["reviews"][0].clone()
}

fn with_authors(word: &str) -> Project {
    let project = Project::new().reviews([rich()]);
    project.write("content/site.toml", format!("{SITE}[privacy]\nauthors = \"{word}\"\n"));
    project
}

/// Every uncompressed byte that is published.
fn everything(project: &Project) -> String {
    let tree = project.tree("public");
    tree.into_values().map(|bytes| String::from_utf8_lossy(&bytes).into_owned()).collect()
}

#[test]
fn full_names_are_as_on_the_platform() {
    let review = published(&with_authors("full"));
    assert_eq!(review["author"], "Maria Lopez Garcia");
    assert_eq!(review["author_avatar_url"], "https://maps.example/a/1.png");
}

#[test]
fn short_names_reach_every_document() {
    let project = with_authors("short");
    let review = published(&project);
    assert_eq!(review["author"], "Maria G.");
    assert_eq!(review["author_avatar_url"], Value::Null);
    assert_eq!(review["source_url"], "https://maps.example/r/1");
    let everything = everything(&project);
    for trace in ["Lopez", "Garcia", "/a/1.png"] {
        assert!(!everything.contains(trace), "{trace}");
    }
}

#[test]
fn anonymous_means_no_name_no_picture_and_no_way_back() {
    let project = with_authors("anonymous");
    let review = published(&project);
    assert_eq!(review["author"], "Anonymous");
    assert_eq!(review["author_avatar_url"], Value::Null);
    assert_eq!(review["source_url"], Value::Null);
    let everything = everything(&project);
    for trace in ["Maria", "Lopez", "Garcia", "/a/1.png", "/r/1"] {
        assert!(!everything.contains(trace), "{trace}");
    }
}

#[test]
fn every_correction_is_applied_and_moves_updated() {
    let project = Project::new()
        .reviews([rich().with("text", "Jo did it."), review(2).with("verified", false)]);
    project.write("content/technicians.toml", "[[technician]]\nid = \"jo\"\nname = \"Jo\"\n\n[[technician]]\nid = \"al\"\nname = \"Al\"\n");
    project.write("content/services.toml", "[[service]]\nid = \"drains\"\nlabel = \"Drains\"\n");
    project.write(
        "content/service_areas.toml",
        "[[service_area]]\nid = \"north\"\nname = \"North\"\n",
    );
    project.write(
        "content/overrides.toml",
        format!(
            "[{}]\ndate = 2026-03-01\nauthor = \"Maria L.\"\ndisclosure = {{ kind = \"insider\", note = \"A cousin.\" }}\nsource_url = \"https://maps.example/r/new\"\nlanguage = \"es\"\nmentions = {{ technicians = [\"al\"], services = [\"drains\"], service_areas = [\"north\"] }}\nnote = \"for us alone\"\n\n[{}]\ndate = \"2026-03-02T10:00:00Z\"\nverified = true\n",
            id(1),
            id(2)
        ),
    );
    project.build();
    let document = project.json("public/reviews.json");
    let reviews = document["reviews"].as_array().unwrap();
    let of = |n: usize| reviews.iter().find(|review| review["id"] == id(n)).unwrap();
    let corrected = of(1);
    assert_eq!(corrected["author"], "Maria L.");
    assert_eq!(corrected["disclosure"], json!({ "kind": "insider", "note": "A cousin." }));
    assert_eq!(corrected["source_url"], "https://maps.example/r/new");
    assert_eq!(corrected["language"], "es");
    assert_eq!(
        corrected["mentions"],
        json!({ "technicians": ["Al"], "services": ["drains"], "service_areas": ["north"] })
    );
    assert_eq!(corrected["updated"], "2026-03-01T00:00:00Z");
    assert_eq!(corrected["rating"], 5);
    assert_eq!(corrected["text"], "Jo did it.");
    assert_eq!(of(2)["updated"], "2026-03-02T10:00:00Z", "covered by hand");
    assert!(!everything(&project).contains("for us alone"), "notes stay at home");
}

#[test]
fn a_correction_older_than_the_record_does_not_move_it_back() {
    let project = Project::new().reviews([review(1).with("updated", "2026-05-01T00:00:00Z")]);
    project.write(
        "content/overrides.toml",
        format!("[{}]\ndate = 2026-03-01\nlanguage = \"en\"\n", id(1)),
    );
    assert_eq!(published(&project)["updated"], "2026-05-01T00:00:00Z");
}

#[test]
fn an_empty_list_of_mentions_is_a_correction_and_an_absent_one_is_none() {
    let project = Project::new().reviews([review(1).with("text", "Jo did the drains.")]);
    project.write("content/technicians.toml", "[[technician]]\nid = \"jo\"\nname = \"Jo\"\n");
    project.write("content/services.toml", "[[service]]\nid = \"drains\"\nlabel = \"Drains\"\n");
    project.write(
        "content/overrides.toml",
        format!("[{}]\ndate = 2026-03-01\nmentions = {{ technicians = [] }}\n", id(1)),
    );
    assert_eq!(
        published(&project)["mentions"],
        json!({ "technicians": [], "services": ["drains"], "service_areas": [] })
    );
}

#[test]
fn every_reason_withholds_and_is_counted_by_reason_and_by_star() {
    let reasons = [
        "personal_data",
        "defamatory",
        "off_topic",
        "fake_suspected",
        "duplicate",
        "unlawful",
        "author_request",
        "unverified",
    ];
    let reviews: Vec<Review> = (0..8).map(|n| review(n).with("rating", 1 + n % 5)).collect();
    let project = Project::new().reviews(reviews);
    let overrides: String = reasons
        .iter()
        .enumerate()
        .map(|(n, reason)| format!("[{}]\ndate = 2026-03-01\nhidden = \"{reason}\"\n", id(n)))
        .collect();
    project.write("content/overrides.toml", overrides);
    project.build();
    let document = project.json("public/reviews.json");
    assert_eq!(document["reviews"], json!([]));
    let expected: serde_json::Map<String, Value> =
        reasons.iter().map(|r| ((*r).to_owned(), json!(1))).collect();
    assert_eq!(
        document["moderation"],
        json!({ "withheld_count": 8, "by_reason": expected, "by_rating": { "1": 2, "2": 2, "3": 2, "4": 1, "5": 1 } })
    );
    let changes = project.json("public/changes.json");
    assert_eq!(changes["changes"].as_array().unwrap().len(), 8);
}

#[test]
fn a_review_found_to_be_unverified_by_hand_is_announced_as_removed() {
    let project = Project::new().reviews([review(1), review(2)]);
    project.build();
    project.write(
        "content/overrides.toml",
        format!("[{}]\ndate = 2026-03-01\nverified = false\n", id(1)),
    );
    project.build();
    let document = project.json("public/reviews.json");
    assert_eq!(document["reviews"].as_array().unwrap().len(), 1);
    assert_eq!(document["moderation"]["by_reason"], json!({ "unverified": 1 }));
    // Clients that keep copies learn of a withdrawal from here and nowhere else (contract 2.6).
    assert_eq!(
        project.json("public/changes.json")["changes"][0],
        json!({ "id": id(1), "change": "removed", "at": "2026-03-01T00:00:00Z" })
    );
}

#[test]
fn what_the_record_itself_calls_unverified_is_withheld() {
    let project = Project::new().reviews([review(1).with("verified", false)]);
    project.build().complains("withheld as unverified: 1 of 1 reviews");
}

#[test]
fn an_answer_cites_published_reviews_only() {
    let project = Project::new().reviews([review(1), review(2)]);
    project.write("content/faq.toml", format!("[[faq]]\nid = \"fee\"\nquestion = \"Fee?\"\nanswer = \"No.\"\nreview_ids = [\"{}\", \"{}\"]\n", id(1), id(2)));
    project.write(
        "content/overrides.toml",
        format!("[{}]\ndate = 2026-03-01\nhidden = \"unlawful\"\n", id(1)),
    );
    project.build();
    assert_eq!(project.json("public/insights.json")["faq"][0]["review_ids"], json!([id(2)]));
}

#[test]
fn short_names_have_no_surname_and_no_address() {
    let names = [
        ("Ann (verified) (x)", "Ann X."),
        ("Bo", "Bo"),
        ("田中 太郎", "田中 太."),
        // Parts without letters are not a surname.
        ("Maria Lopez 😀", "Maria L."),
        ("Maria Lopez ⭐⭐ ❤", "Maria L."),
        ("👩\u{200d}🔧 Maria Lopez 2", "Maria L."),
        ("Maria 😀", "Maria"),
        ("+1 312 555 0142", "Anonymous"),
        ("😀", "Anonymous"),
        // Names without a blank.
        ("Maria.Lopez", "Maria L."),
        ("Maria/Lopez", "Maria L."),
        ("maria_lopez", "maria L."),
        ("Dr.", "Dr."),
        ("Anna-Maria", "Anna-Maria"),
        ("李小龙", "李小龙"),
        ("김철수", "김철수"),
        // E-mail addresses and names of accounts.
        ("jdoe@example.com", "Anonymous"),
        ("jane.doe@example.com", "Anonymous"),
        ("jdoe  @ example.com", "Anonymous"),
        ("jdoe＠example.com", "Anonymous"),
        ("@jdoe", "Anonymous"),
        ("Jane Doe <jdoe@example.com>", "Jane D."),
        // The surname first.
        ("Lopez, Maria", "Maria L."),
        ("Lopez,Maria Elena", "Maria L."),
        ("Lopez, Maria 😀", "Maria L."),
        ("Lee,", "Lee"),
        ("Ann Lee, Chicago", "Ann C."),
    ];
    let reviews = names.iter().enumerate();
    let reviews = reviews.map(|(n, (name, _))| review(n + 1).with("author", *name));
    let project = Project::new().reviews(reviews.collect::<Vec<_>>());
    project.write("content/site.toml", format!("{SITE}[privacy]\nauthors = \"short\"\n"));
    project.build();
    let site = project.json("public/reviews.json");
    let published = site["reviews"].as_array().unwrap();
    for (n, (name, short)) in names.iter().enumerate() {
        let review = published.iter().find(|review| review["id"] == id(n + 1)).unwrap();
        assert_eq!(review["author"], *short, "{name}");
    }
    let everything = everything(&project);
    for trace in ["Lopez", "lopez", "doe@", "jdoe", "Doe"] {
        assert!(!everything.contains(trace), "{trace}");
    }
}
