//! Names resolve the same way in the search, the tools and the completions (docs/api.md,
//! "GET /api/reviews/search"; docs/mcp.md, "Tools").

use serde_json::{Value, json};

use crate::{
    Running, Site,
    agent::Agent,
    get,
    listing::{as_tools_do, document, id, mentioning, review},
    shop,
};

/// Technicians and services with aliases, one of them retired and one mentioned only.
fn site() -> Site {
    let business = json!({
        "technicians": [
            { "id": "marcus", "name": "Marcus Ode", "aliases": ["Big Marc", "Sam"], "active_until": null },
            { "id": "sofia", "name": "Sofía Ode", "aliases": [], "active_until": "2024-12-31" },
            { "id": "samuel", "name": "Samuel Lee", "aliases": ["Sam"], "active_until": null },
        ],
        "services": [
            { "id": "drains", "label": "Drain cleaning", "aliases": ["drain", "heat pump"] },
            { "id": "heating", "label": "Boilers", "aliases": ["boiler", "heat pump"] },
        ],
    });
    let made = |n: u32, who: &[&str], what: &[&str]| {
        mentioning(review(n, "2025-01-01", 5, Some("Fine.")), who, what)
    };
    let reviews = [
        made(1, &["Marcus Ode"], &["drains"]),
        made(2, &["Sofía Ode"], &["heating"]),
        made(3, &["Samuel Lee"], &[]),
        made(4, &["Gone Person"], &[]),
    ];
    let mut insights = shop::insights();
    let entity = |id: &str, name: &str, until: Value| {
        json!({ "id": id, "name": name, "mention_count": 1, "active_until": until,
                "positive_pct": null, "example_review_ids": [] })
    };
    insights["entities"]["technicians"] = json!([
        entity("marcus", "Marcus Ode", Value::Null),
        entity("sofia", "Sofía Ode", json!("2024-12-31")),
        entity("samuel", "Samuel Lee", Value::Null),
    ]);
    let mut site = Site::unpublished();
    site.set("reviews.json", document(&business, &reviews));
    site.set("insights.json", insights.to_string());
    site.publish();
    site
}

fn search(running: &Running, query: &str) -> Value {
    get(running.address, &format!("/api/reviews/search?{query}")).json()
}

#[test]
fn an_unambiguous_id_name_alias_or_first_name_resolves_without_case_and_accents() {
    let site = site();
    let running = Running::start(&site);
    let agent = Agent::new(&running);
    for (parameter, value, found) in [
        ("mentions_technician", "Marcus", 1),
        ("mentions_technician", "MARCUS ODE", 1),
        ("mentions_technician", "big marc", 1),
        ("mentions_technician", "sofia", 2),
        ("mentions_technician", "Sofía", 2),
        ("mentions_technician", "SOFIA ODE", 2),
        ("mentions_technician", "gone", 4),
        ("mentions_technician", "Gone Person", 4),
        ("mentions_service", "drain", 1),
        ("mentions_service", "Drain Cleaning", 1),
        ("mentions_service", "BOILER", 2),
    ] {
        let query = format!("{parameter}={}", contract::query::encoded(value));
        let answer = search(&running, &query);
        assert_eq!(answer["reviews"].as_array().unwrap().len(), 1, "{value}");
        assert_eq!(answer["reviews"][0]["id"], id(found), "{value}");
        assert_eq!(answer.get("unresolved"), None, "{value}");
        assert_eq!(agent.data("search_reviews", json!({ parameter: value })), as_tools_do(answer));
    }
}

#[test]
fn an_unknown_or_ambiguous_value_matches_nothing_and_is_unresolved() {
    let site = site();
    let running = Running::start(&site);
    for (query, unresolved) in [
        ("mentions_technician=sam", json!([["mentions_technician", "sam", ["marcus", "samuel"]]])),
        ("mentions_technician=Ode", json!([["mentions_technician", "Ode", ["marcus", "sofia"]]])),
        ("mentions_technician=Markus", json!([["mentions_technician", "Markus", ["marcus"]]])),
        ("mentions_technician=Bob", json!([["mentions_technician", "Bob", []]])),
        (
            "mentions_service=heat+pump",
            json!([["mentions_service", "heat pump", ["drains", "heating"]]]),
        ),
        (
            "mentions_service=roofs&mentions_technician=Bob&rating=5",
            json!([["mentions_technician", "Bob", []], ["mentions_service", "roofs", []]]),
        ),
    ] {
        let answer = search(&running, query);
        assert_eq!((&answer["matched"], &answer["reviews"]), (&json!(0), &json!([])), "{query}");
        let found = answer["unresolved"].as_array().unwrap().iter();
        let found: Vec<_> =
            found.map(|one| json!([one["parameter"], one["value"], one["did_you_mean"]])).collect();
        assert_eq!(Value::from(found), unresolved, "{query}");
    }
}

#[test]
fn a_retired_technician_is_known_by_every_name_and_has_the_last_day() {
    let site = site();
    let running = Running::start(&site);
    let agent = Agent::new(&running);
    for name in ["sofia", "Sofia Ode", "SOFÍA"] {
        let sofia = agent.data("get_technician", json!({ "technician": name }));
        assert_eq!((&sofia["id"], &sofia["active_until"]), (&json!("sofia"), &json!("2024-12-31")));
    }
    let listed = agent.data("get_business", json!({}));
    assert_eq!(listed["business"]["technicians"][1]["active_until"], "2024-12-31");
}

#[test]
fn completions_begin_with_any_name() {
    let site = site();
    let running = Running::start(&site);
    let agent = Agent::new(&running);
    let complete = |prompt: &str, argument: &str, begun: &str| {
        let params = json!({
            "ref": { "type": "ref/prompt", "name": prompt },
            "argument": { "name": argument, "value": begun },
        });
        agent.ask("completion/complete", params)["completion"]["values"].take()
    };
    for (begun, ids) in [
        ("SA", json!(["marcus", "samuel"])),
        ("sof", json!(["sofia"])),
        ("ode", json!([])),
        ("", json!(["marcus", "sofia", "samuel", "Gone Person"])),
    ] {
        assert_eq!(complete("technician_feedback", "technician", begun), ids, "{begun}");
    }
    assert_eq!(complete("should_i_hire", "service", "Boi"), json!(["heating"]));
    assert_eq!(complete("should_i_hire", "aspect", "pun"), json!(["punctuality"]));
}
