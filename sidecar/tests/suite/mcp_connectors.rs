//! The tools of connectors, reviews by their ids, and the address as connectors write it (docs/mcp.md,
//! "Tools").

use serde_json::json;

use crate::{
    get,
    listing::{as_tools_do, id},
    mcp_tools::{each, review},
};

#[test]
fn search_and_fetch_have_the_shape_of_connectors() {
    each(|_, agent| {
        let result = |n: usize| {
            let review = review(n);
            let by = (review["author"].as_str().unwrap(), review["date"].as_str().unwrap());
            let title = format!("{} of 5 stars by {}, {}", review["rating"], by.0, by.1);
            json!({ "id": review["id"], "title": title, "url": review["url"] })
        };
        let clean = agent.data("search", json!({ "query": "clean" }));
        // Not the sixth, which has "CLEANED": the words are whole ones, as `words` of search_reviews has them.
        assert_eq!(clean, json!({ "results": [result(3), result(1)] }));
        // No review has all of these words: the longest that any has decides.
        let asked = agent.data("search", json!({ "query": "is there cleaning or strasse" }));
        assert_eq!(asked, json!({ "results": [result(2)] }));
        let whole = "does anybody here know whether they would come to us on a Sunday evening, if the strasse in front of it is closed";
        assert_eq!(agent.data("search", json!({ "query": whole })), asked);
        assert_eq!(agent.data("search", json!({ "query": "boat" })), json!({ "results": [] }));
        assert_eq!(
            agent.data("fetch", json!({ "id": id(3) })),
            json!({
                "id": id(3), "title": "1 of 5 stars by Ann 3, 2025-01-01",
                "text": "Not clean; came late.", "url": review(3)["url"],
                "metadata": {
                    "author": "Ann 3", "rating": 1, "date": "2025-01-01", "source": "google",
                    "mentions": { "technicians": ["Maria López"] },
                },
            })
        );
        let wordless = agent.data("fetch", json!({ "id": id(5) }));
        assert_eq!(wordless["text"], "A rating without words.");
        let mistake = agent.mistake("fetch", json!({ "id": "x" }));
        assert!(mistake.starts_with("There is no review \"x\". "), "{mistake}");
        // A client that reads one text reads all of it.
        let whole = agent.call("search", json!({ "query": "clean" }));
        assert_eq!(whole["content"].as_array().unwrap().len(), 1);
    });
}

#[test]
fn reviews_by_their_ids() {
    each(|running, agent| {
        let ids = format!("{}, {},{}", id(5), id(99), id(2).to_lowercase());
        let path = format!("/api/reviews/search?id={}", contract::query::encoded(&ids));
        let rest = get(running.address, &path).json();
        assert_eq!(
            (&rest["matched"], &rest["reviews"]),
            (&json!(2), &json!([review(5), review(2)]))
        );
        assert_eq!(agent.data("search_reviews", json!({ "id": ids })), as_tools_do(rest));
        let both = json!({ "id": ids, "rating": 5 });
        assert_eq!(agent.data("search_reviews", both)["matched"], 1);
        let none = agent.data("search_reviews", json!({ "id": id(99) }));
        assert_eq!(none["matched"], 0);
        let many = (1..=101).map(id).collect::<Vec<_>>().join(",");
        for wrong in ["x", "1,2", &many] {
            let mistake = agent.mistake("search_reviews", json!({ "id": wrong }));
            let rule =
                "- id must be at most 100 ids of reviews, with commas between them; received ";
            assert!(mistake.contains(rule), "{mistake}");
        }
    });
}

#[test]
fn a_slash_behind_the_address_changes_nothing() {
    each(|running, agent| {
        let request = agent.request("tools/call", json!({ "name": "get_summary" }));
        let with_slash = request.clone().to("/mcp/").send(running.address);
        assert_eq!(with_slash.json(), request.send(running.address).json());
        let read = crate::Request::get("/mcp/").host("localhost").send(running.address);
        assert_eq!((read.status, read.field("allow")), (405, Some("POST, OPTIONS")));
    });
}
