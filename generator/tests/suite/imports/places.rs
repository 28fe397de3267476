//! Exports with the reviews of several businesses are never imported as those of one.

use serde_json::json;

use super::Project;

const TABLE: &str = "author,rating,date,text,place_id,place_name\n\
    Ann,5,2026-01-02,Good,ChIJ1,Tillwater\nAnn,5,2026-01-02,Good,ChIJ2,Millford\nBen,4,2026-01-03,Fine,ChIJ2,Millford\n";

const NEXT: &str = "next: candor import a.csv --source direct --location ID\n";
const REFUSED: &str = "error: the input holds reviews of more than one business, and this site is about one; choose with --location ID:\n";

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
fn named(name: &str) -> Project {
    let business = crate::project::BUSINESS.replace("Acme Plumbing", name);
    Project::new().file("content/business.toml", business)
}

#[test]
fn a_first_import_about_a_business_of_another_name_is_asked_about() {
    let table = |name: &str| format!("author,rating,date,company\nBen,4,2026-01-03,{name}\n");
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
    for alike in ["MULLER", "Sanitär-Notdienst Nord", "müllersanitär gmbh & co"] {
        let project = named("Müller Sanitär GmbH");
        project.write("a.csv", table(alike));
        project.candor(import).exits(0).says("new 1");
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
