//! Which rows of a file are about the business of the site: by lists in a document, columns of branches, and ids of places.

use serde_json::json;

use super::places::{REFUSED, named};

#[test]
fn a_map_does_not_skip_the_stored_place() {
    let project = named("Acme");
    let file = |id: &str| {
        project.write(
            "a.csv",
            format!("place_id,title,author,rating,date,text\n{id},Acme,Ann {id},5,2026-03-02,Good work\n"),
        );
    };
    let import = ["import", "a.csv", "--source", "google"];
    file("ChIJaaa");
    project.candor(import).exits(0).says("new 1 ·");
    assert_eq!(project.stored()[0]["text"], "Good work");
    let known = project.text("content/places.toml");
    let place = "[[place]]\nsource = \"google\"\nids = [\"ChIJaaa\"]\nnames = [\"Acme\"]\n";
    assert!(known.ends_with(place), "{known}");
    file("ChIJbbb");
    let map = ["--map", "author=author,rating=rating,date=date,text=text"];
    for more in [&[][..], &map, &["--keep-going"]] {
        project.candor([&import[..], more].concat()).exits(1).complains(
            "about Acme (ChIJbbb) from google, and those of this site about Acme (ChIJaaa) from google",
        );
    }
    // What earlier versions kept as a name.
    project.write("content/places.toml", "[[place]]\nsource = \"google\"\nnames = [\"ChIJaaa\"]\n");
    project.candor([&import[..], &map].concat()).exits(1).complains("Acme (ChIJbbb)");
}

#[test]
fn a_document_with_a_list_for_each_business_is_asked_about() {
    let one =
        |author: &str| json!({ "author": author, "stars": 5, "date": "2026-03-02", "text": "x" });
    let of = |author: &str| json!({ "reviews": [one(author)] });
    let rated = |author: &str| json!({ "rating": 4.5, "reviews": [one(author)] });
    for (document, a, b) in [
        (json!({ "ChIJaaa": of("Ann"), "ChIJbbb": of("Joe") }), "ChIJaaa", "ChIJbbb"),
        (
            json!({ "Acme Leeds": [one("Ann")], "Acme York": [one("Joe")] }),
            "Acme Leeds",
            "Acme York",
        ),
        (json!({ "leeds": rated("Ann"), "york": rated("Joe") }), "leeds", "york"),
        (json!({ "data": { "leeds": of("Ann"), "york": of("Joe") } }), "leeds", "york"),
    ] {
        let project = named("Acme").file("a.json", document.to_string());
        let import = ["import", "a.json", "--source", "google"];
        let run = project.candor(import).exits(1);
        run.complains(&format!("  {a}  ")).complains(&format!("  {b}  "));
        project.candor([&import[..], &["--location", b]].concat()).exits(0).says("new 1 ·");
        assert_eq!(project.stored()[0]["author"], "Joe");
    }
    // One list under an id: its place is stored, and another one is refused.
    let project = named("Acme").file("a.json", json!({ "ChIJaaa": of("Ann") }).to_string());
    let import = ["import", "a.json", "--source", "google"];
    project.candor(import).exits(0);
    project.write("a.json", json!({ "ChIJbbb": of("Joe") }).to_string());
    project.candor(import).exits(1).complains("about ChIJbbb from google");
}

#[test]
fn reviews_of_a_competitor_in_a_file_are_left_out() {
    let one =
        |author: &str| json!({ "author": author, "rating": 2, "date": "2026-03-02", "text": "x" });
    let import = ["import", "a.json", "--source", "x1"];
    for (document, key) in [
        (
            json!({ "reviews": [one("Ann")], "competitor": { "reviews": [one("Max")] } }),
            "competitor",
        ),
        (json!({ "reviews": [one("Ann")], "zeta": { "reviews": [one("Max")] } }), "zeta"),
        (
            json!({ "reviews": [one("Ann")], "competitors": [{ "name": "Zeta", "reviews": [one("Max")] }] }),
            "competitors",
        ),
        (
            json!({ "place": { "reviews": [one("Ann")], "nearby_reviews": [one("Max")] } }),
            "nearby_reviews",
        ),
    ] {
        let project = named("Acme").file("a.json", document.to_string());
        project.candor(import).exits(0).says("new 1 ·").complains(&format!(
            "the reviews under {key} may be about another business than those of the list beside it, and were left out; if they are about this one, import them from a file of their own"
        ));
        assert_eq!(project.stored()[0]["author"], "Ann");
    }
    let document = json!({ "reviews": [one("Ann")], "moreReviews": [one("Max")] });
    let project = named("Acme").file("a.json", document.to_string());
    project.candor(import).exits(0).says("new 2 ·");
    // A chosen business has no reviews that name none.
    let document =
        json!({ "reviews": [one("Ann")], "places": [{ "name": "Zeta", "reviews": [one("Max")] }] });
    let project = named("Acme").file("a.json", document.to_string());
    project.candor(import).exits(1).complains("about Zeta from x1");
    project.candor([&import[..], &["--location", "Zeta"]].concat()).exits(0).says("new 1 ·");
    assert_eq!(project.stored()[0]["author"], "Max");
}

#[test]
fn columns_of_branches_name_businesses() {
    for (column, a, b) in [
        ("address", "1 Mill Road", "9 High Street"),
        ("Branch Code", "L01", "Y02"),
        ("store number", "17", "18"),
        ("adresse du magasin", "1 rue A Lyon", "9 rue B Nice"),
        ("nom de l'agence", "lyon", "nice"),
        ("\u{5e97}\u{8217}", "\u{65b0}\u{5bbf}\u{5e97}", "\u{6e0b}\u{8c37}\u{5e97}"),
    ] {
        let project = named("Acme");
        let row = |n: usize| format!("Ann {n},4,2026-01-0{n},Good {n},{}\n", [a, b][n % 2]);
        let rows: String = (1..7).map(row).collect();
        project.write("a.csv", format!("author,rating,date,text,{column}\n{rows}"));
        project.candor(["import", "a.csv", "--source", "direct"]).exits(1).complains(REFUSED);
    }
    // Addresses of customers are all different.
    let project = named("Acme");
    let rows: String =
        (1..7).map(|n| format!("Ann {n},4,2026-01-0{n},Good {n},{n} High Street\n")).collect();
    project.write("a.csv", format!("author,rating,date,text,address\n{rows}"));
    project.candor(["import", "a.csv", "--source", "direct"]).exits(0).says("new 6 ·");
}
