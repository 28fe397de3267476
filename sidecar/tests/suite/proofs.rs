//! `get_proof`, and what `get_review` says of the transparency log (docs/mcp.md, "Proofs").

use base64::prelude::{BASE64_STANDARD, Engine};
use review_log::{Event, Facts, Receipt, Salt, tlog_proof};
use serde_json::{Value, json};

use crate::{
    Running,
    agent::{Agent, Era},
    get,
    listing::{as_tools_do, id, review},
    log::{Log, hash, review_id},
    shop,
};

/// The same of an agent of each era, on the shop with its log.
fn each(test: impl Fn(&Running, &Agent, &Log)) {
    let log = Log::of_the_shop();
    let site = log.site();
    site.publish();
    let running = Running::start(&site);
    for era in [Era::Session, Era::Stateless] {
        test(&running, &Agent::of(running.address, era), &log);
    }
}

fn strings(list: &Value) -> Vec<String> {
    list.as_array().unwrap().iter().map(|text| text.as_str().unwrap().to_owned()).collect()
}

/// Checks a result as a verifier does who has nothing else. Returns the indexes of its entries.
fn verified(proof: &Value) -> Vec<u64> {
    let keys = strings(&proof["verifier_keys"]);
    let entries = proof["entries"].as_array().unwrap().iter().map(|entry| {
        let text = entry["proof"].as_str().unwrap();
        let receipt = Receipt::open(text.as_bytes(), &keys).unwrap();
        assert_eq!(entry["index"], receipt.index);
        let (leaf, _) = extra(entry);
        assert_eq!((&leaf["at"], &leaf["event"]), (&entry["time"], &entry["event"]));
        assert_eq!(leaf["review"], proof["id"]);
        receipt.index
    });
    entries.collect()
}

/// The entry and the salt in the extra data of a proof.
fn extra(entry: &Value) -> (Value, Option<String>) {
    let line = entry["proof"].as_str().unwrap().lines().nth(1).unwrap();
    let data = BASE64_STANDARD.decode(line.strip_prefix("extra ").unwrap()).unwrap();
    let data = String::from_utf8(data).unwrap();
    let (leaf, salt) =
        data.split_once('\n').map_or((&*data, None), |(leaf, salt)| (leaf, Some(salt)));
    (serde_json::from_str(leaf).unwrap(), salt.map(str::to_owned))
}

#[test]
fn the_proof_of_every_entry_of_a_site_verifies() {
    let mut log = Log::of_the_shop();
    for n in 10..=300 {
        log.publish(&review(n, "2025-03-03", 5, None));
    }
    for n in 1..=250 {
        let (review, record) = (review_id(n % 5 + 10), hash(n as u8));
        log.add(Event::Changed { review, record, reply: None });
    }
    let site = log.site();
    site.publish();
    let running = Running::start(&site);
    let agent = Agent::new(&running);
    let proofs = (1..=300).map(|n| agent.data("get_proof", json!({ "id": id(n) })));
    let mut seen: Vec<u64> = proofs.flat_map(|proof| verified(&proof)).collect();
    seen.sort_unstable();
    let size = log.tree.size();
    assert_eq!((size, seen.len() as u64), (552, size));
    assert_eq!(seen, (0..size).collect::<Vec<_>>());
}

#[test]
fn a_proof_has_what_a_verifier_needs() {
    each(|_, agent, log| {
        let proof = agent.data("get_proof", json!({ "id": format!(" {}", id(2).to_lowercase()) }));
        assert_eq!(verified(&proof), [1]);
        let note = String::from_utf8(log.checkpoint()).unwrap();
        let salt = Some(Salt::from_bytes([1; 32]));
        let text = tlog_proof(log.tree.hashes(), (1, &log.tree.leaves()[1]), salt, &note).unwrap();
        let expected = json!({
            "id": id(2), "status": "published",
            "url": format!("https://shop.example/proof/#{}", id(2)),
            "proves": contract::mcp::PROVES, "does_not_prove": contract::mcp::DOES_NOT_PROVE,
            "verifier_keys": [log.key.verifier_key()],
            "entries": [{
                "index": 1, "time": "2026-05-01T08:00:01Z", "event": "published",
                "proof": text,
            }],
        });
        assert_eq!(proof, expected);
        assert_eq!(agent.hint("get_proof", json!({ "id": id(2) })), None);
    });
}

#[test]
fn the_salt_leads_from_the_published_review_to_the_logged_hash() {
    each(|_, agent, _| {
        let proof = agent.data("get_proof", json!({ "id": id(3) }));
        let mut review = agent.data("get_review", json!({ "id": id(3) }));
        let (leaf, salt) = extra(&proof["entries"][0]);
        let salt: Salt = serde_json::from_value(json!(salt)).unwrap();
        let record = |review: &Value| {
            let facts: Facts = serde_json::from_value(review.clone()).unwrap();
            salt.record(&facts).to_string()
        };
        assert_eq!(leaf["record"], record(&review));
        review["rating"] = 5.into();
        assert_ne!(leaf["record"], record(&review));
    });
}

#[test]
fn what_is_withheld_removed_or_forgotten_has_entries_and_no_salt() {
    each(|_, agent, _| {
        for (n, status, events) in [
            (7, "withheld", &["withheld"][..]),
            (8, "removed", &["published", "removed"]),
            (9, "forgotten", &["published", "forgotten"]),
        ] {
            let proof = agent.data("get_proof", json!({ "id": id(n) }));
            assert_eq!(proof["status"], status);
            assert!(proof["entries"].as_array().unwrap().iter().all(|it| extra(it).1.is_none()));
            let found = proof["entries"].as_array().unwrap().iter().map(|entry| &entry["event"]);
            assert!(found.eq(events), "{proof}");
            assert_eq!(verified(&proof).len(), events.len());
            assert_eq!(agent.call("get_review", json!({ "id": id(n) }))["isError"], true);
        }
    });
}

#[test]
fn get_review_says_when_it_was_logged_and_rest_does_not() {
    each(|running, agent, _| {
        let mut expected = shop::reviews()[3].clone();
        expected["log"] =
            json!([{ "index": 3, "time": "2026-05-01T08:00:03Z", "event": "published" }]);
        assert_eq!(agent.data("get_review", json!({ "id": id(4) })), expected);
        let found = agent.data("search_reviews", json!({ "mentions_technician": "sam-2" }));
        let rest = get(running.address, "/api/reviews/search?mentions_technician=sam-2").json();
        assert_eq!(rest["reviews"], json!([shop::reviews()[3]]));
        assert_eq!(found, as_tools_do(rest));
    });
}

#[test]
fn an_unknown_id_names_the_field_and_where_ids_are() {
    each(|_, agent, _| {
        for unknown in ["x", &id(99)] {
            let expected = format!(
                "id: the log has no entry about a review \"{unknown}\"; it has entries about 9 \
                 reviews. Every review search_reviews or get_reviews_since returns has its id; \
                 get_changes lists removed ones."
            );
            assert_eq!(agent.mistake("get_proof", json!({ "id": unknown })), expected);
        }
        let expected = "The arguments of get_proof cannot be used:\n- id is required; it must be text \
                        of at most 200 characters";
        assert_eq!(agent.mistake("get_proof", json!({})), expected);
    });
}

#[test]
fn a_published_review_without_an_entry_is_said_to_be_unproved() {
    let mut log = Log::new();
    log.publish(&shop::reviews()[0]);
    let site = log.site();
    site.publish();
    let running = Running::start(&site);
    let agent = Agent::new(&running);
    let expected = format!(
        "id: the review \"{}\" is published, but the log of 1 entries has none about it, so nothing \
         is proved of it. get_review has it.",
        id(2)
    );
    assert_eq!(agent.mistake("get_proof", json!({ "id": id(2) })), expected);
    assert_eq!(agent.data("get_review", json!({ "id": id(2) }))["log"], json!([]));
    let proof = agent.data("get_proof", json!({ "id": id(1) }));
    assert_eq!(verified(&proof), [0]);
}

#[test]
fn of_very_many_entries_the_newest_that_fit_are_given() {
    let mut log = Log::of_the_shop();
    for n in 0..200 {
        let (review, record) = (review_id(1), hash(n));
        log.add(Event::Changed { review, record, reply: Some(hash(1)) });
    }
    let site = log.site();
    site.publish();
    let running = Running::start(&site);
    let agent = Agent::new(&running);
    let arguments = json!({ "id": id(1) });
    let proof = agent.data("get_proof", arguments.clone());
    assert_eq!(proof["truncated"], true);
    let length = proof.to_string().len();
    assert!((60_000..64 * 1024).contains(&length), "{length}");
    let kept = verified(&proof);
    let first = 211 - kept.len() as u64;
    assert_eq!(kept, (first..211).collect::<Vec<_>>());
    let expected = format!(
        "The log has 201 entries about this review; these are the newest {}. The entry bundles below \
         https://shop.example/log/ have all of them.",
        kept.len()
    );
    assert_eq!(agent.hint("get_proof", arguments.clone()).unwrap(), expected);
    let listed = agent.data("get_review", arguments)["log"].take();
    let listed: Vec<_> = listed.as_array().unwrap().iter().map(|it| it["index"].clone()).collect();
    assert_eq!(listed, (111..211).map(Value::from).collect::<Vec<_>>());
}

#[test]
fn a_site_without_a_log_offers_no_proof() {
    let site = shop::published();
    let running = Running::start(&site);
    for era in [Era::Session, Era::Stateless] {
        let agent = Agent::of(running.address, era);
        let tools = agent.ask("tools/list", json!({}))["tools"].take();
        assert!(!tools.to_string().contains("get_proof"));
        let call = json!({ "name": "get_proof", "arguments": { "id": id(1) } });
        let error = agent.fail("tools/call", call);
        let message = error["message"].as_str().unwrap();
        let known = message.strip_prefix("There is no tool \"get_proof\". There are ").unwrap();
        assert!(error["code"] == -32602 && known.ends_with("search, fetch."), "{message}");
        assert_eq!(agent.data("get_review", json!({ "id": id(1) })), shop::reviews()[0]);
    }
}

#[test]
fn a_site_with_a_log_lists_the_tool_and_describes_both_results() {
    each(|_, agent, _| {
        let tools = agent.ask("tools/list", json!({}))["tools"].take();
        let tools = tools.as_array().unwrap();
        // All but the one that compares several sites.
        assert_eq!(tools.len(), contract::mcp::TOOLS.len() - 1);
        let proof = tools.iter().find(|tool| tool["name"] == "get_proof").unwrap();
        assert_eq!(proof["inputSchema"]["properties"]["id"]["examples"], json!([id(6)]));
        let schemas = contract::mcp::result_schemas(true)["$defs"].take();
        let described = schemas["get_proof"]["properties"].as_object().unwrap();
        let proof = agent.data("get_proof", json!({ "id": id(1) }));
        for member in proof.as_object().unwrap().keys() {
            assert!(described.contains_key(member), "{member}");
        }
        assert_eq!(schemas["get_review"]["properties"]["log"]["type"], "array");
    });
    let log = Log::of_the_shop();
    let site = log.site();
    site.publish();
    let running = Running::start(&site);
    let discovered = Agent::of(running.address, Era::Stateless).ask("server/discover", json!({}));
    assert!(discovered["instructions"].as_str().unwrap().contains("get_proof"));
}

#[test]
fn a_site_without_the_page_gives_no_address_of_it() {
    for (page, url) in [
        (None, Value::Null),
        (
            Some("reviews/proof/index.html"),
            json!(format!("https://shop.example/reviews/proof/#{}", id(1))),
        ),
    ] {
        let mut site = Log::of_the_shop().site();
        site.unset("proof/index.html");
        if let Some(page) = page {
            site.set(page, "<h1>Proof</h1>\n");
        }
        site.publish();
        let running = Running::start(&site);
        let proof = Agent::new(&running).data("get_proof", json!({ "id": id(1) }));
        assert_eq!(proof["url"], url);
    }
}
