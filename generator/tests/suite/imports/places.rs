//! Exports with the reviews of several businesses are never imported as those of one.

use serde_json::json;

use super::Project;

const TABLE: &str = "author,rating,date,text,place_id,place_name\n\
    Ann,5,2026-01-02,Good,ChIJ1,Tillwater\nAnn,5,2026-01-02,Good,ChIJ2,Millford\nBen,4,2026-01-03,Fine,ChIJ2,Millford\n";

const NEXT: &str = "next: candor import a.csv --source direct --location ID\n";
pub(super) const REFUSED: &str = "error: the input holds reviews of more than one business, and this site is about one; choose with --location ID:\n";

#[test]
fn a_table_with_two_place_ids_is_refused_with_names_and_counts() {
    let project = Project::new();
    project.write("a.csv", TABLE);
    let run = project.candor(["import", "a.csv", "--source", "direct"]).exits(1);
    assert_eq!(
        run.err,
        format!("{REFUSED}  ChIJ1  Tillwater  1 reviews\n  ChIJ2  Millford  2 reviews\n{NEXT}")
    );
    assert!(!project.path("content/reviews").exists());
    project.candor(["import", "a.csv", "--source", "direct", "--location", "ChIJ2"]).exits(0);
    assert_eq!(project.stored().len(), 2);
    project.candor(["import", "a.csv", "--source", "direct", "--location", "tillwater"]).exits(0);
}

#[test]
fn every_spelling_of_an_id_of_places_is_known() {
    for name in
        ["place_id", "placeId", "Place ID", "google_id", "gmap_id", "Location-Id", "Store Code"]
    {
        let project = Project::new();
        project.write("a.csv", TABLE.replace("place_id", name));
        project
            .candor(["import", "a.csv", "--source", "direct"])
            .exits(1)
            .complains("ChIJ2  Millford  2 reviews");
    }
}

#[test]
fn a_map_without_the_place_does_not_merge_places() {
    let project = Project::new();
    project.write("a.csv", TABLE);
    let map = "author=author,rating=rating,date=date,text=text";
    project
        .candor(["import", "a.csv", "--source", "direct", "--map", map])
        .exits(1)
        .complains(REFUSED);
}

#[test]
fn one_place_id_in_every_row_is_no_question() {
    let project = named("Tillwater Plumbing");
    project.write("a.csv", TABLE.replace("ChIJ2", "ChIJ1"));
    project.candor(["import", "a.csv", "--source", "direct"]).exits(0).says("new 2");
}

#[test]
fn a_column_of_locations_is_asked_about_and_may_be_something_else() {
    let project = Project::new();
    project.write("a.csv", "author,rating,date,text,Location\nAnn,5,2026-01-02,Good,Tillwater\nBen,4,2026-01-03,Fine,Millford\n");
    let run = project.candor(["import", "a.csv", "--source", "direct"]).exits(1);
    let map = "author=author,rating=rating,date=date,text=text,location=none";
    assert_eq!(
        run.err,
        format!(
            "{REFUSED}  Tillwater  1 reviews\n  Millford  1 reviews\n\
             if Location does not name the business, import all of them with --map {map}\n{NEXT}"
        )
    );
    project.candor(["import", "a.csv", "--source", "direct", "--map", map]).exits(0).says("new 2");
}

#[test]
fn a_long_list_of_locations_is_cut_short() {
    let project = Project::new();
    let rows: String = (0..30).map(|n| format!("Ann {n},5,2026-01-02,Good,Town {n}\n")).collect();
    project.write("a.csv", format!("author,rating,date,text,Location\n{rows}"));
    let run = project.candor(["import", "a.csv", "--source", "direct"]).exits(1);
    run.complains("  Town 19  1 reviews\n  and 10 more\nif Location");
}

#[test]
fn places_with_their_reviews_inside_are_told_apart() {
    let project = Project::new();
    let place = |id: &str, name: &str| {
        format!(
            r#"{{"{id}":"{name}","reviews":[{{"author":"Ann","rating":5,"date":"2026-01-02"}}]}}"#
        )
    };
    project.write("a.json", format!("[{},{}]", place("gmapId", "0x1"), place("gmapId", "0x2")));
    let command = ["import", "a.json", "--source", "direct"];
    project.candor(command).exits(1).complains("  0x2  (no name)  1 reviews");
    project
        .write("a.json", format!("[{},{}]", place("name", "Tillwater"), place("name", "Millford")));
    project.candor(command).exits(1).complains("  Millford  1 reviews");
    project.write("a.json", place("place_id", "ChIJ1"));
    project.write("b.json", place("place_id", "ChIJ2"));
    project
        .candor(["import", "a.json", "b.json", "--source", "direct"])
        .exits(1)
        .complains("  ChIJ2  (no name)  1 reviews");
}

/// A project of a business of this name.
pub(super) fn named(name: &str) -> Project {
    let business = crate::project::BUSINESS.replace("Acme Plumbing", name);
    Project::new().file("content/business.toml", business)
}

#[test]
fn a_first_import_about_a_business_of_another_name_is_asked_about() {
    let table = |name: &str| format!("author,rating,date,company\nBen,4,2026-01-03,\"{name}\"\n");
    let import = ["import", "a.csv", "--source", "trustpilot"];
    let project = named("Müller Sanitär GmbH");
    project.write("a.csv", table("Millford Heating"));
    for flag in ["--keep-going", "--dry-run"] {
        project.candor([&import[..], &[flag]].concat()).exits(1).complains(
            "error: a.csv: its reviews are about Millford Heating from trustpilot, and those of this site about Müller Sanitär GmbH from business.toml; a site is about one business: import the file in the site of its own, or say that both are the same with --location 'Millford Heating', which places.toml keeps\n",
        );
    }
    assert!(!project.path("content/places.toml").exists());
    project.candor([&import[..], &["--location", "Millford Heating"]].concat()).exits(0);
    project.candor(import).exits(0).says("unchanged 1");
    for (own, alike) in [
        ("Müller Sanitär GmbH", "MULLER"),
        // A placeholder says nothing of the business.
        ("Your business", "Müller Sanitär GmbH"),
        ("My business", "Millford Heating"),
        ("Müller Sanitär GmbH", "müllersanitär gmbh & co"),
        ("Müller Sanitär GmbH", "mueller-sanitaer.de"),
        ("Acme Plumbing Ltd", "acmeplumbing.com"),
        ("Acme Plumbing & Heating", "Acme Plumbing and Heating, Denver"),
        ("Acme Plumbing", "A.P."),
        ("Hôtel Adler", "Adler"),
        ("The Plumbing Company", "Plumbing Company"),
        ("Berlin Dental Clinic", "Dental Clinic Berlin"),
    ] {
        let project = named(own);
        project.write("a.csv", table(alike));
        project.candor(import).exits(0).says("new 1");
    }
}

#[test]
fn words_that_many_names_have_make_no_two_businesses_one() {
    for (own, other) in [
        ("Acme Plumbing", "Bolt Plumbing"),
        ("Müller GmbH", "Schmidt GmbH"),
        ("Hotel Adler", "Hotel Krone"),
        ("The Red Lion", "The White Horse"),
        ("Dr. Anna Weber", "Dr. Karl Huber"),
        ("Pizzeria da Mario", "Pizzeria da Luigi"),
        ("Smith & Sons", "Brown & Sons"),
        ("Acme Denver", "Bolt Denver"),
        ("Acme Chicagoland", "Bolt Chicagoland"),
        ("A1 Locksmith", "A1 Towing"),
        ("Acme Plumbing", "https://www.bolt-plumbing.com"),
    ] {
        let project = named(own);
        let business = project.text("content/business.toml");
        let address = "[address]\ncity = \"Chicagoland\"\ncountry = \"US\"\n";
        let business = if business.contains("[address]") { business } else { business + address };
        project.write("content/business.toml", business);
        project.write("a.csv", format!("author,rating,date,company\nBen,4,2026-01-03,{other}\n"));
        project
            .candor(["import", "a.csv", "--source", "trustpilot"])
            .exits(1)
            .complains(&format!("and those of this site about {own} from business.toml"));
    }
}

#[test]
fn another_id_of_one_kind_is_another_place_whatever_its_name_is() {
    let place = |id: &str| {
        json!([{ "placeId": id, "title": "Acme", "reviewId": format!("ChZD{id}"), "name": "Ann", "stars": 5,
            "publishedAtDate": "2026-01-02T10:00:00Z", "text": format!("Good work in {id}.") }]).to_string()
    };
    let project = named("Acme").file("a.json", place("ChIJone")).file("b.json", place("ChIJtwo"));
    project.candor(["import", "a.json"]).exits(0);
    project.candor(["import", "b.json"]).exits(1).complains(
        "about Acme (ChIJtwo) from google, and those of this site about Acme (ChIJone) from google",
    );
    // Ids of another kind are not compared, and an owner of two branches says so.
    let table = |id: &str| {
        format!("author,rating,date,text,business,place_id\nBen,4,2026-01-03,Fine {id},Acme,{id}\n")
    };
    project.write("c.csv", table("0x12:0x34"));
    project.candor(["import", "c.csv", "--source", "google"]).exits(0).says("new 1");
    project.candor(["import", "b.json", "--location", "ChIJtwo"]).exits(0).says("new 1");
    project.candor(["import", "b.json"]).exits(0).says("unchanged 1");
    project.write("c.csv", table("0x56:0x78"));
    project.candor(["import", "c.csv", "--source", "google"]).exits(1);
}

#[test]
fn a_business_that_is_named_around_the_reviews_is_compared() {
    let review = |n: u8| json!({ "author": format!("Ann {n}"), "rating": n, "date": "2026-01-02" });
    let about = |key: &str| json!({ key: { "name": "Bolt Electric" }, "reviews": [review(5)] });
    for document in [
        about("business"),
        about("biz"),
        about("company"),
        json!({ "place": { "name": "Bolt Electric" }, "data": { "reviews": [review(5)] } }),
        json!([{ "biz": { "name": "Bolt Electric" }, "of": { "list": [review(5)] } }]),
        json!([{ "location": "Bolt Electric", "author": "Ann", "rating": 5, "date": "2026-01-02" }]),
    ] {
        let project = named("Acme")
            .file("content/places.toml", "[[place]]\nsource = \"yelp\"\nnames = [\"Acme\"]\n");
        project.write("a.json", document.to_string());
        project
            .candor(["import", "a.json", "--source", "yelp"])
            .exits(1)
            .complains("a.json: its reviews are about Bolt Electric");
    }
    let both = ["Acme Co", "Bolt Co"]
        .map(|name| json!({ "biz": { "name": name }, "reviews": [review(5)] }));
    let project = named("Acme").file("a.json", json!({ "results": both }).to_string());
    project
        .candor(["import", "a.json", "--source", "yelp"])
        .exits(1)
        .complains("  Bolt Co  1 reviews");
    // The owner's own name is that of the business at each source.
    let project = named("Acme").file(
        "content/places.toml",
        "[[place]]\nsource = \"yelp\"\nnames = [\"ACME of Denver\"]\n",
    );
    let document = json!({ "business": { "name": "Acme" }, "reviews": [review(5)] });
    project.write("a.json", document.to_string());
    project.candor(["import", "a.json", "--source", "yelp"]).exits(0);
}

#[test]
fn columns_with_names_of_a_business_are_known() {
    for (column, a, b) in [
        ("listing_title", "Acme", "Bolt"),
        ("website", "https://acme.example", "https://bolt.example/"),
        ("site_url", "https://acme.example", "https://bolt.example/"),
        ("itemReviewed", "acme", "bolt"),
        ("tour operator", "Acme Tours", "Bolt Tours"),
        ("course provider", "Acme", "Bolt"),
        ("Where", "Hilton", "Marriott"),
    ] {
        let project = named("Acme");
        let rows: String = [a, b]
            .iter()
            .flat_map(|name| {
                (1..4).map(move |n| format!("Ann {name} {n},4,2026-01-0{n},Good,{name}\n"))
            })
            .collect::<String>()
            .replace("Ann https://", "Ann ");
        project.write("a.csv", format!("author,rating,date,text,{column}\n{rows}"));
        project.candor(["import", "a.csv", "--source", "direct"]).exits(1).complains(REFUSED);
    }
}

#[test]
fn the_address_of_a_review_names_the_business() {
    let table = |address: &str| {
        format!("author,rating,date,text,link\nAnn,5,2026-01-02,Good {address},{address}\n")
    };
    for (source, a, b) in [
        (
            "yelp",
            "https://www.yelp.com/biz/acme-plumbing?hrid=1",
            "https://m.yelp.com/biz/bolt-electric",
        ),
        (
            "trustpilot",
            "https://www.trustpilot.com/review/acme.com",
            "https://www.trustpilot.com/review/bolt.com?page=2",
        ),
        (
            "tripadvisor",
            "https://www.tripadvisor.com/Hotel_Review-g60-d12-Reviews-Acme.html",
            "https://www.tripadvisor.com/Hotel_Review-g60-d13-Reviews-Bolt.html",
        ),
        (
            "google",
            "https://www.google.com/maps/place/?q=place_id:ChIJone",
            "https://search.google.com/local/reviews?placeid=ChIJtwo",
        ),
    ] {
        let import = ["import", "a.csv", "--source", source];
        let project = named("Acme");
        project.write("a.csv", table(a) + &format!("Ben,4,2026-01-03,Fine,{b}\n"));
        project.candor(import).exits(1).complains(REFUSED);
        project.write("a.csv", table(a));
        project.candor(import).exits(0).says("new 1");
        project.candor(import).exits(0).says("unchanged 1");
        project.write("a.csv", table(b));
        project.candor(import).exits(1).complains("and those of this site about");
    }
}

#[test]
fn a_site_is_about_the_business_of_its_first_import() {
    let place = |id: &str, title: &str| {
        json!([{ "placeId": id, "title": title, "reviewId": format!("ChZD{id}"), "name": "Ann", "stars": 5,
            "publishedAtDate": "2026-01-02T10:00:00Z", "text": format!("Good work by {title}.") }]).to_string()
    };
    let project = named("Tillwater Plumbing")
        .file("a.json", place("ChIJone", "Tillwater"))
        .file("b.json", place("ChIJtwo", "Millford"));
    project.candor(["import", "a.json"]).exits(0);
    let known = std::fs::read_to_string(project.path("content/places.toml")).unwrap();
    assert!(
        known.ends_with(
            "\n[[place]]\nsource = \"google\"\nids = [\"ChIJone\"]\nnames = [\"Tillwater\"]\n"
        ),
        "{known}"
    );
    project.candor(["import", "a.json"]).exits(0).says("unchanged 1");
    project.candor(["check"]).exits(0);
    for flag in ["--keep-going", "--format=apify"] {
        project.candor(["import", "b.json", flag]).exits(1).complains(
            "error: b.json: its reviews are about Millford (ChIJtwo) from google, and those of this site about Tillwater (ChIJone) from google; a site is about one business: import the file in the site of its own, or say that both are the same with --location ChIJtwo, which places.toml keeps\n",
        );
    }
    assert_eq!(std::fs::read_to_string(project.path("content/places.toml")).unwrap(), known);
    // Another source writes the name in another way: asked once.
    let table = |name: &str| format!("author,rating,date,company\nBen,4,2026-01-03,{name}\n");
    let project = project.file("c.csv", table("TILLWATER")).file("d.csv", table("Tillwater Ltd."));
    project.candor(["import", "c.csv", "--source", "trustpilot"]).exits(0);
    project
        .candor(["import", "d.csv", "--source", "facebook"])
        .exits(1)
        .complains("about Tillwater Ltd. from facebook");
    project
        .candor(["import", "d.csv", "--source", "facebook", "--location", "Tillwater Ltd."])
        .exits(0);
    project.candor(["import", "d.csv", "--source", "facebook"]).exits(0).says("unchanged 1");
    project.write("content/places.toml", "[[place]]\nids = 5\n");
    project.candor(["check"]).exits(1);
}
