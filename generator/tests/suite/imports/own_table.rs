//! Candor's own `reviews.csv`, `reviews.json` and `reviews.ndjson`, imported.

use serde_json::Value;

use super::{Project, google};

#[test]
fn candors_own_table_of_reviews_comes_back_as_it_was_published() {
    let own = Project::new();
    own.write(
        "a.csv",
        "author,rating,date,text,reply,reply_date,url\n\
         Ann,5,2026-01-02,Good,Thank you,2026-01-03,https://platform.example/1\n\
         Ben,1,2025-03,Bad,,,https://platform.example/2\n\
         Cy,4,2026-02-03,=1+1 is what they charge,-,2026-02-04,\n",
    );
    own.candor(["import", "a.csv", "--source", "google"]).exits(0);
    let id = |author: &str| {
        let stored = own.stored();
        let review = stored.iter().find(|review| review["author"] == author).unwrap();
        review["id"].as_str().unwrap().to_owned()
    };
    own.candor(["edit", &id("Cy"), "--set", "disclosure=incentivized"]).exits(0);
    own.build();
    let published = |project: &Project| -> Vec<Value> {
        let mut reviews = project.json("public/reviews.json")["reviews"].take();
        for review in reviews.as_array_mut().unwrap() {
            for key in ["id", "url", "updated"] {
                review.as_object_mut().unwrap().remove(key);
            }
        }
        reviews.as_array().unwrap().clone()
    };
    let copies = ["reviews.json", "reviews.ndjson", "reviews.csv"].map(|name| {
        let copy = Project::new();
        copy.write(name, own.text(&format!("public/{name}")));
        copy.candor(["import", name]).exits(0).says("3 reviews from google\n").says("new 3 ");
        copy.build();
        let reviews = published(&copy);
        assert_eq!(reviews, published(&own), "{name}");
        // Into the site itself it brings the languages that were recognised, and nothing else.
        own.write(name, own.text(&format!("public/{name}")));
        own.candor(["import", name]).exits(0).says("new 0 ");
        own.build();
        assert_eq!(published(&own), reviews, "{name}");
        copy
    });
    let [.., copy] = copies;
    let reviews = published(&copy);
    let of = |author: &str| reviews.iter().find(|review| review["author"] == author).unwrap();
    assert_eq!(of("Ben")["date_precision"], "month");
    assert_eq!(of("Cy")["disclosure"]["kind"], "incentivized");
    assert_eq!(of("Ann")["owner_reply"]["text"], "Thank you");
    copy.write("reviews.csv", own.text("public/reviews.csv").replace("incentivized", "paid"));
    copy.candor(["import", "reviews.csv"]).exits(1).complains(
        "error[invalid-value]: disclosure: must be one of incentivized, insider, found \"paid\"; correct the row or remove it\n",
    );
}

#[test]
fn the_content_is_not_imported_into_itself() {
    let project = Project::new();
    project.write_export("a.json", &[google(1)]);
    project.candor(["import", "a.json"]).exits(0);
    let content = project.tree("content");
    let why = "whose reviews are stored already; name an export elsewhere";
    for (path, relation) in
        [("content", "is"), ("content/reviews/2026.ndjson", "is inside"), (".", "contains")]
    {
        for more in [&[][..], &["a.json"], &["--source", "direct"], &["--explain"]] {
            let run = project.candor(["import", path].iter().chain(more).copied()).exits(1);
            let said = format!("error: {path}: this {relation} the content folder, {why}\n");
            assert_eq!((run.out, run.err), (String::new(), said));
        }
    }
    project.write("content/import.toml", "[[export]]\ninput = \"reviews\"\n");
    let run = project.candor(["import"]).exits(1);
    run.complains(&format!("content/reviews: this is inside the content folder, {why}"));
    project.remove("content/import.toml");
    assert_eq!(project.tree("content"), content);
}
