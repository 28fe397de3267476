//! The platform of a review is what its row says, in a column or by its address; `--source` is for rows that say nothing.

use serde_json::{Value, json};

use super::{Project, identity::WORDS};

const NEXT: &str = "choose with --only-source NAME, which may be given several times";

impl Project {
    /// Imports a file and returns the platforms of the stored reviews, or what the import says.
    fn sources(&self, file: &str, more: &[&str]) -> Result<Vec<Value>, String> {
        let run = self.candor([&["import", file][..], more].concat());
        if run.code != 0 {
            return Err(run.out + &run.err);
        }
        Ok(self.stored().iter().map(|review| review["source"].clone()).collect())
    }
}

/// A table of two reviews with a column more.
fn table(column: &str, ann: &str, joe: &str) -> String {
    format!(
        "Name,Stars,Date,Text,{column}\nAnn Bell,5,2026-03-02,{},{ann}\nJoe Day,1,2026-03-04,{},{joe}\n",
        WORDS[0], WORDS[1]
    )
}

#[test]
fn rows_of_a_format_of_google_may_be_of_another_platform() {
    let yelp = "https://www.yelp.com/biz/acme?hrid=";
    for (column, ann, joe, sources) in [
        ("source", "Yelp", "Yelp", Ok("yelp")),
        (
            "platform",
            "Yelp",
            "Google",
            Err("column platform says where its reviews come from: google 1, yelp 1"),
        ),
        ("source", "Google", "Google", Ok("google")),
        ("source", "run 5", "run 5", Ok("google")),
        ("review_link", &format!("{yelp}1"), &format!("{yelp}2"), Ok("yelp")),
    ] {
        let project = Project::new();
        project.write(
            "a.csv",
            format!(
                "author_title,review_rating,review_datetime_utc,review_text,{column}\nAnn Bell,5,03/02/2026 10:00:00,{},{ann}\nJoe Day,1,03/04/2026 10:00:00,{},{joe}\n",
                WORDS[0], WORDS[1]
            ),
        );
        match (project.sources("a.csv", &[]), sources) {
            (Ok(found), Ok(source)) => assert_eq!(found, [source; 2], "{column} {ann}"),
            (Err(said), Err(counts)) => {
                assert!(said.contains(&format!("{counts}; {NEXT}\n")), "{said}")
            }
            (found, _) => panic!("{column} {ann}: {found:?}"),
        }
    }
}

#[test]
fn the_publisher_of_a_review_in_a_page_is_its_platform() {
    let document = |ann: &Value, joe: &Value| {
        let review = |name: &str, stars: u8, day: &str, publisher: &Value| {
            json!({
                "@type": "Review", "author": name, "datePublished": day, "reviewBody": WORDS[usize::from(stars) / 5],
                "reviewRating": { "ratingValue": stars }, "publisher": publisher,
            })
        };
        json!({
            "@context": "https://schema.org", "@type": "LocalBusiness", "name": "Acme",
            "review": [review("Ann Bell", 5, "2026-03-02", ann), review("Joe Day", 1, "2026-03-04", joe)],
        })
        .to_string()
    };
    let of = |name: &str| json!({ "@type": "Organization", "name": name });
    let project = Project::new();
    for (ann, joe, sources) in [
        (of("Google"), of("Google"), ["google"; 2]),
        (json!("Yelp"), json!("Yelp"), ["yelp"; 2]),
        (of("Acme"), Value::Null, ["website"; 2]),
    ] {
        let project = Project::new();
        project.write("a.json", document(&ann, &joe));
        assert_eq!(project.sources("a.json", &[]).unwrap(), sources, "{ann}");
    }
    project.write("a.json", document(&of("Google"), &of("Yelp")));
    let said = project.sources("a.json", &[]).unwrap_err();
    assert!(
        said.contains(&format!(
            "column publisher.name says where its reviews come from: google 1, yelp 1; {NEXT}\n"
        )),
        "{said}"
    );
    assert_eq!(project.sources("a.json", &["--only-source", "yelp"]).unwrap(), ["yelp"]);
}

#[test]
fn what_a_row_does_not_say_is_no_other_rows_platform() {
    let unsaid = "error[no-source]: source: the row does not say which platform it comes from; name the platform of such rows with --source";
    let map = "if the column means something else, say so with --map author=Name,rating=Stars,date=Date,text=Text";
    let yelp = "https://www.yelp.com/biz/acme";
    for (column, ann, joe, said) in [
        ("URL", yelp, "", unsaid),
        ("URL", yelp, "https://acme.example/r/2", unsaid),
        ("Publisher", "GOOGLEMYBUSINESS", "FIRSTPARTY", unsaid),
        (
            "URL",
            yelp,
            "https://www.google.com/maps/reviews/2",
            &format!("google 1, yelp 1; {NEXT}; {map},url=none"),
        ),
        (
            "Publisher",
            "GOOGLEMYBUSINESS",
            "YELP",
            &format!("google 1, yelp 1; {NEXT}; {map},source=none"),
        ),
    ] {
        let project = Project::new();
        project.write("a.csv", table(column, ann, joe));
        let found = project.sources("a.csv", &[]).unwrap_err();
        assert!(found.contains(said), "{column} {joe}: {found}");
        let found = project.sources("a.csv", &["--source", "shop"]).unwrap_err();
        assert!(found.contains(NEXT), "{column} {joe}: {found}");
    }
    let project = Project::new();
    project.write(
        "a.csv",
        table("URL", "http://play.google.com/console/1", "http://play.google.com/console/2"),
    );
    assert_eq!(project.sources("a.csv", &[]).unwrap(), ["google-play"; 2]);
    let project = Project::new();
    project.write(
        "a.csv",
        table("URL", "https://docs.google.com/forms/1", "https://docs.google.com/forms/1"),
    );
    assert_eq!(project.sources("a.csv", &["--source", "shop"]).unwrap(), ["shop"; 2]);
}

#[test]
fn each_of_several_files_may_have_the_name_of_its_platform() {
    let project = Project::new();
    project.write("x/google.csv", table("x", "", ""));
    project.write(
        "x/facebook.csv",
        table("x", "", "").replace("Ann Bell", "Kim Oak").replace("Joe Day", "Lou Fox"),
    );
    let said = project.sources("x", &["--source", "google"]).unwrap_err();
    assert!(said.contains(&format!("x/facebook.csv has the name of facebook, and its reviews would be google's; {NEXT}, or give it another name if its reviews are google's\n")), "{said}");
    assert!(said.contains("next: candor import x --source google --only-source NAME\n"), "{said}");
    let only = ["--source", "google", "--only-source", "facebook"];
    assert_eq!(project.sources("x", &only).unwrap(), ["facebook"; 2]);
    let project = Project::new();
    project.write("x/google.csv", table("x", "", ""));
    project.write(
        "x/facebook.csv",
        table("x", "", "").replace("Ann Bell", "Kim Oak").replace("Joe Day", "Lou Fox"),
    );
    let mut found = project.sources("x", &[]).unwrap();
    found.sort_by_key(ToString::to_string);
    assert_eq!(found, ["facebook", "facebook", "google", "google"]);
    let project = Project::new();
    project.write("yelp.csv", table("x", "", ""));
    let said = project.sources("yelp.csv", &[]).unwrap_err();
    assert!(said.ends_with("name it with --source, such as --source yelp\nnext: candor import yelp.csv --source yelp\n"), "{said}");
}

#[test]
fn ratings_of_platforms_that_are_not_wanted_decide_nothing() {
    let project = Project::new();
    let text = table("platform", "google", "booking").replace("Joe Day,1", "Joe Day,8");
    project.write("a.csv", text);
    let run = project.candor(["import", "a.csv", "--only-source", "google"]).exits(0);
    run.says("rejected 0 · of another source 1");
    assert_eq!(project.stored().len(), 1);
}
