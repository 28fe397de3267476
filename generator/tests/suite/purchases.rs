//! The key `verification` of a review: how far it was checked (docs/documents.md, "Published documents").

use serde_json::{Value, json};

use super::{
    project::{Project, SITE},
    review::{id, review},
};

/// A platform that is not checked, a source with a method, and one whose reviews are withheld.
const BUSINESS: &str = "name = \"Acme\"\n[verification]\nplatforms = [\"google\", \"loox\"]\n\
                        method = \"Called back\"\nsources = [\"yelp\"]\n\
                        [verification.direct]\nmethod = \"Matched to an invoice\"\n";

/// Source, mark of the source, and how far the review was checked; `None`: it is withheld.
const REVIEWS: [(&str, bool, Option<&str>); 7] = [
    ("loox", false, Some("platform")),
    ("loox", true, Some("purchase")),
    ("google", false, Some("platform")),
    ("yelp", false, Some("business")),
    ("yelp", true, Some("purchase")),
    ("direct", false, Some("business")),
    ("other", true, None),
];

fn project() -> Project {
    let reviews = REVIEWS.iter().enumerate().map(|(n, (source, is_marked, _))| {
        let review = review(n).with("source", *source);
        if *is_marked { review.with("verified_purchase", true) } else { review }
    });
    Project::new().file("content/business.toml", BUSINESS).reviews(reviews.collect::<Vec<_>>())
}

/// The number of each review that is published, and how far it was checked.
fn expected() -> Vec<(usize, &'static str)> {
    let all = REVIEWS.iter().enumerate();
    all.filter_map(|(n, (.., checked))| Some((n, (*checked)?))).collect()
}

fn of_id(list: &Value, n: usize) -> Value {
    let all = list.as_array().unwrap();
    all.iter().find(|it| it["id"].as_str().unwrap().ends_with(&id(n))).unwrap().clone()
}

#[test]
fn the_mark_of_the_source_counts_before_the_method_of_the_business() {
    let project = project();
    project.build().exits(0);
    let document = project.json("public/reviews.json");
    assert_eq!(document["reviews"].as_array().unwrap().len(), expected().len());
    for (n, checked) in expected() {
        let review = of_id(&document["reviews"], n);
        assert_eq!((&review["verification"], &review["verified"]), (&json!(checked), &json!(true)));
    }
    assert_eq!(
        document["moderation"]["by_reason"],
        json!({ "unverified": 1 }),
        "a mark replaces no method"
    );
}

#[test]
fn every_document_with_reviews_has_the_key() {
    let project = project();
    project.build().exits(0);
    let reviews = project.json("public/reviews.json")["reviews"].clone();
    let lines = project.text("public/reviews.ndjson");
    let lines: Vec<Value> = lines.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(Value::from(lines), reviews);
    let feed = project.json("public/api/feed.json");
    let bytes = project.bytes("public/reviews.csv");
    let mut table = csv::Reader::from_reader(&bytes[..]);
    let header = table.headers().unwrap().clone();
    let rows: Vec<_> = table.records().map(Result::unwrap).collect();
    let at = |name: &str| header.iter().position(|column| column == name).unwrap();
    for (n, checked) in expected() {
        assert_eq!(of_id(&feed["items"], n)["_review"]["verification"], checked);
        let row = rows.iter().find(|row| row[at("id")] == id(n)).unwrap();
        assert_eq!(&row[at("verification")], checked);
    }
    let schema = project.json("public/schemas/review.json");
    let words = json!(["purchase", "business", "platform"]);
    assert_eq!(schema["properties"]["verification"]["enum"], words);
    assert!(schema["required"].as_array().unwrap().contains(&json!("verification")));
    for path in ["openapi.json", "schemas/feed.json", "schemas/reviews.json"] {
        let text = project.text(&format!("public/{path}")).replace([' ', '\n'], "");
        assert!(text.contains(&words.to_string()), "{path}");
    }
}

#[test]
fn pages_say_it_in_words_of_their_language() {
    for (language, purchase, business, platform, about) in [
        (
            "en",
            "Verified purchase",
            "Checked by the business: Called back",
            "Posted on Google; we did not check the purchase.",
            "“Verified purchase” means that the source itself",
        ),
        (
            "de",
            "Verifizierter Kauf",
            "Vom Unternehmen geprüft: Called back",
            "Auf Google veröffentlicht; den Kauf haben wir nicht geprüft.",
            "„Verifizierter Kauf“ heißt, dass die Quelle selbst",
        ),
        (
            "es",
            "Compra verificada",
            "Comprobada por el negocio: Called back",
            "Publicada en Google; no hemos comprobado la compra.",
            "«Compra verificada» significa que la propia fuente",
        ),
        (
            "fr",
            "Achat vérifié",
            "Vérifié par l’entreprise\u{202f}: Called back",
            "Publié sur Google\u{202f}; nous n’avons pas vérifié l’achat.",
            "«\u{202f}Achat vérifié\u{202f}» signifie que la source",
        ),
        (
            "nl",
            "Geverifieerde aankoop",
            "Gecontroleerd door het bedrijf: Called back",
            "Geplaatst op Google; de aankoop hebben wij niet gecontroleerd.",
            "“Geverifieerde aankoop” betekent dat de bron zelf",
        ),
    ] {
        let site = SITE.replace("\"en\"", &format!("\"{language}\""));
        let project = project().file("content/site.toml", site);
        project.build().exits(0);
        let page = |path: &str| project.text(&format!("public/{path}"));
        for (n, words) in [(2, platform), (1, purchase), (3, business), (4, purchase)] {
            let page = page(&format!("reviews/{}/index.html", id(n)));
            assert!(page.contains(&format!("<dd>{words} <a")), "{language} {n}: {page}");
            let is_checked = page.contains("class=\"mark ok\"");
            assert_eq!(is_checked, words != platform, "{language} {n}: {page}");
        }
        for path in ["reviews/index.html", "search/index.html"] {
            let page = page(path);
            let (_, legend) = page.split_once("<ul class=\"marks\" id=\"checked\">").unwrap();
            let legend = legend.split("</ul>").next().unwrap();
            assert!(legend.contains(business) && legend.contains(purchase), "{language}: {legend}");
            assert_eq!(legend.matches("<li>").count(), 1, "all platforms in one line: {legend}");
        }
        let fragment = page("fragments/latest.html");
        assert!([purchase, business, platform].iter().all(|words| fragment.contains(words)));
        assert!(page("review-policy/index.html").contains(about), "{language}");
    }
}

#[test]
fn pages_of_a_site_without_marks_do_not_explain_them() {
    let project = Project::new().reviews([review(1)]);
    project.build().exits(0);
    for path in ["review-policy/index.html", "search/index.html"] {
        assert!(!project.text(&format!("public/{path}")).contains("Verified purchase"), "{path}");
    }
}

#[test]
fn another_method_changes_the_key_and_not_the_reviews_time() {
    let project = project();
    project.build().exits(0);
    let updated = of_id(&project.json("public/reviews.json")["reviews"], 2)["updated"].clone();
    let business = BUSINESS.replace("[\"google\", \"loox\"]", "[\"loox\"]");
    project
        .write("content/business.toml", business.replace("[\"yelp\"]", "[\"yelp\", \"google\"]"));
    project.build().exits(0);
    let review = of_id(&project.json("public/reviews.json")["reviews"], 2);
    assert_eq!((&review["verification"], &review["updated"]), (&json!("business"), &updated));
}
