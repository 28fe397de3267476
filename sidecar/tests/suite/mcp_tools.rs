//! Every tool answers what was published, and says what is wrong with a call (docs/mcp.md, "Tools").

use serde_json::{Value, json};

use crate::{
    Running,
    agent::{Agent, Era},
    get,
    listing::{as_tools_do, id, in_lists},
    shop,
};

/// The same of an agent of each era.
pub(crate) fn each(test: impl Fn(&Running, &Agent)) {
    let site = shop::published();
    let running = Running::start(&site);
    for era in [Era::Session, Era::Stateless] {
        test(&running, &Agent::of(running.address, era));
    }
}

pub(crate) fn review(n: usize) -> Value {
    shop::reviews()[n - 1].clone()
}

#[test]
fn search_reviews_answers_as_rest_does() {
    each(|running, agent| {
        for (arguments, query) in [
            (json!({}), ""),
            (json!({ "rating": 5 }), "rating=5"),
            (json!({ "rating": 5.0, "limit": 1 }), "rating=5&limit=1"),
            (
                json!({ "min_rating": 2.5, "until": "2025-01-01" }),
                "min_rating=2.5&until=2025-01-01",
            ),
            (json!({ "query": "CLEAN", "limit": 2 }), "query=CLEAN&limit=2"),
            (json!({ "query": "" , "rating": null }), "query="),
            (json!({ "mentions_technician": "SAM-2" }), "mentions_technician=SAM-2"),
            (json!({ "mentions_service": "drain cleaning" }), "mentions_service=drain+cleaning"),
            (
                json!({ "since": "2025-02-01", "until": "2025-01-01" }),
                "since=2025-02-01&until=2025-01-01",
            ),
        ] {
            let rest = get(running.address, &format!("/api/reviews/search?{query}")).json();
            assert_eq!(agent.data("search_reviews", arguments), as_tools_do(rest), "{query}");
        }
    });
}

#[test]
fn search_reviews_pages_with_the_cursors_of_rest() {
    each(|running, agent| {
        let mut arguments = json!({ "limit": 4 });
        let mut ids = Vec::new();
        loop {
            let page = agent.data("search_reviews", arguments.clone());
            assert_eq!(page["matched"], 6);
            ids.extend(page["reviews"].as_array().unwrap().iter().map(|r| r["id"].clone()));
            let Some(cursor) = page["next_cursor"].as_str() else { break };
            let rest = get(running.address, &format!("/api/reviews/search?cursor={cursor}"));
            assert_eq!(rest.status, 200);
            assert_eq!(agent.hint("search_reviews", arguments.clone()), None);
            arguments["cursor"] = cursor.into();
        }
        assert_eq!(ids, [6, 5, 4, 3, 2, 1].map(id));
        let other = json!({ "cursor": arguments["cursor"], "rating": 5 });
        let mistake = agent.mistake("search_reviews", other);
        let expected = format!(
            "The arguments of search_reviews cannot be used:\n- cursor belongs to other filters \
             or another order: send those it came with, or leave it out; received {}",
            arguments["cursor"]
        );
        assert_eq!(mistake, expected);
    });
}

#[test]
fn words_orders_and_selections_are_those_of_rest() {
    each(|running, agent| {
        for (arguments, query) in [
            (json!({ "q": "clean -late", "sort": "lowest" }), "q=clean+-late&sort=lowest"),
            (json!({ "q": "cafe", "has_reply": false }), "q=cafe&has_reply=false"),
            (json!({ "source": "google", "sort": "highest" }), "source=google&sort=highest"),
            (json!({ "aspect": "punctuality" }), "aspect=punctuality"),
            (json!({ "year": 2025, "has_text": true }), "year=2025&has_text=true"),
            (json!({ "facets": "rating,aspect", "rating": 5 }), "facets=rating,aspect&rating=5"),
            (
                json!({ "sentiment": "negative", "has_reply": true }),
                "sentiment=negative&has_reply=true",
            ),
        ] {
            let answer = get(running.address, &format!("/api/reviews/search?{query}")).json();
            assert_eq!(agent.data("search_reviews", arguments), as_tools_do(answer), "{query}");
        }
    });
}

#[test]
fn a_name_that_is_unknown_or_can_be_several_is_an_error_with_the_candidates() {
    each(|_, agent| {
        let mistake = |arguments| agent.mistake("search_reviews", arguments);
        assert_eq!(
            mistake(json!({ "mentions_technician": "Mario", "mentions_service": "roofs" })),
            "mentions_technician: The technician \"Mario\" is not known here. Did you mean maria \
             (Maria López)? Known: maria (Maria López), jo (Jo Straßer), sam-1 (Sam Lee), sam-2 \
             (Sam Lee), Gone Person.\nmentions_service: The service \"roofs\" is not known here. \
             Known: drains (Drain Cleaning), heaters (Water Heaters), retired. search_reviews with \
             query finds any word in the texts."
        );
        assert_eq!(
            mistake(json!({ "mentions_technician": "sam lee" })),
            "mentions_technician: The technician \"sam lee\" is one of several: sam-1 (Sam Lee), \
             sam-2 (Sam Lee). Ask by id."
        );
        for (known, count) in [("gone person", 1), ("gone", 1), ("MARIA", 2), ("jo", 1)] {
            let data = agent.data("search_reviews", json!({ "mentions_technician": known }));
            assert_eq!(data["matched"], count, "{known}");
        }
    });
}

#[test]
fn get_reviews_since_has_the_same_envelope() {
    each(|running, agent| {
        let rest = get(running.address, "/api/reviews/search?since=2025-01-02&limit=2").json();
        let arguments = json!({ "date": "2025-01-02", "limit": 2 });
        let first = agent.data("get_reviews_since", arguments);
        assert_eq!(first, as_tools_do(rest));
        let arguments = json!({ "date": "2025-01-02", "cursor": first["next_cursor"] });
        let second = agent.data("get_reviews_since", arguments);
        assert_eq!(second["reviews"], json!([in_lists(review(4))]));
        assert_eq!(
            agent.mistake("get_reviews_since", json!({ "limit": 0 })),
            "The arguments of get_reviews_since cannot be used:\n- date is required; it must be a \
             day of the calendar, written YYYY-MM-DD\n- limit must be a whole number from 1 to \
             100; received 0"
        );
    });
}

#[test]
fn get_review_by_id_in_any_case() {
    each(|_, agent| {
        assert_eq!(agent.data("get_review", json!({ "id": id(3) })), review(3));
        let small = format!(" {}", id(3).to_lowercase());
        assert_eq!(agent.data("get_review", json!({ "id": small })), review(3));
        for unknown in ["x", &id(99), "\u{202e}"] {
            let mistake = agent.mistake("get_review", json!({ "id": unknown }));
            let sent = if unknown == "\u{202e}" { "\\u202e" } else { unknown };
            let expected = format!(
                "There is no review \"{sent}\". Every review search_reviews or get_reviews_since \
                 returns has its id; get_changes lists removed ones."
            );
            assert_eq!(mistake, expected);
        }
    });
}

#[test]
fn get_changes_is_the_published_list_in_pages() {
    each(|_, agent| {
        let all = shop::changes()["changes"].as_array().unwrap().clone();
        let whole = agent.data("get_changes", json!({}));
        assert_eq!(
            whole,
            json!({ "matched": 7, "returned": 7, "next_cursor": null, "changes": all })
        );
        let mut seen = Vec::new();
        let mut arguments = json!({ "since": "2025-01-01T10:00:00+01:00", "limit": 3 });
        loop {
            let page = agent.data("get_changes", arguments.clone());
            assert_eq!(page["matched"], 7);
            seen.extend(page["changes"].as_array().unwrap().clone());
            match page["next_cursor"].as_str() {
                Some(next) => arguments["cursor"] = next.into(),
                None => break,
            }
        }
        assert_eq!(seen, all);
        let later = agent.data("get_changes", json!({ "since": "2025-02-01T00:00:00.6Z" }));
        assert_eq!((&later["matched"], &later["changes"][2]), (&json!(3), &all[2]));
        let day = agent.data("get_changes", json!({ "since": "2025-02-01" }));
        assert_eq!(day["matched"], 4);
        let none = agent.data("get_changes", json!({ "since": "2030-01-01T00:00:00Z" }));
        assert_eq!(none["changes"], json!([]));
        assert_eq!(
            agent.mistake("get_changes", json!({ "since": "yesterday" })),
            "The arguments of get_changes cannot be used:\n- since must be a day, written \
             YYYY-MM-DD, or an instant with its offset, written YYYY-MM-DDTHH:MM:SSZ; received \
             \"yesterday\""
        );
    });
}

#[test]
fn get_business_is_the_head_of_reviews_json() {
    each(|running, agent| {
        let mut published = get(running.address, "/reviews.json").json();
        let published = published.as_object_mut().unwrap();
        published.remove("reviews");
        published.remove("version");
        assert_eq!(agent.data("get_business", json!({})), json!(published));
    });
}

#[test]
fn aspects_technicians_and_services_by_id_or_name() {
    each(|_, agent| {
        let insights = shop::insights();
        for aspect in ["punctuality", "PUNCTUALITY & Waiting", " punctuality "] {
            let found = agent.data("get_aspect_sentiment", json!({ "aspect": aspect }));
            assert_eq!(found, insights["aspects"][0]);
        }
        let mut maria = insights["entities"]["technicians"][0].clone();
        maria["example_reviews"] = json!([in_lists(review(1)), in_lists(review(3))]);
        maria["review_url"] = "https://shop.example/reviews/#{id}".into();
        for technician in ["maria", "MARIA LÓPEZ", "Maria Lopez"] {
            let found = agent.data("get_technician", json!({ "technician": technician }));
            assert_eq!(found, maria);
        }
        let jo = agent.data("get_technician", json!({ "technician": "jo STRASSER" }));
        assert_eq!((&jo["id"], &jo["example_reviews"]), (&json!("jo"), &json!([])));
        let mut drains = insights["entities"]["services"][0].clone();
        drains["example_reviews"] = json!([in_lists(review(4)), in_lists(review(1))]);
        drains["review_url"] = "https://shop.example/reviews/#{id}".into();
        assert_eq!(agent.data("get_service", json!({ "service": "Drains" })), drains);
    });
}

#[test]
fn list_aspects_has_each_with_its_definition_and_counts() {
    each(|_, agent| {
        let mut aspect = shop::insights()["aspects"][0].clone();
        let keys = ["average_rating", "score", "top_phrases", "example_review_ids"];
        for key in keys {
            aspect.as_object_mut().unwrap().remove(key);
        }
        assert_eq!(agent.data("list_aspects", json!({})), json!({ "aspects": [aspect] }));
    });
}

#[test]
fn a_miss_lists_the_known_ones() {
    each(|_, agent| {
        for (tool, argument, known) in [
            ("get_aspect_sentiment", "aspect", "punctuality (Punctuality & waiting)"),
            (
                "get_technician",
                "technician",
                "maria (Maria López), jo (Jo Straßer), sam-1 (Sam Lee), sam-2 (Sam Lee), Gone Person",
            ),
            ("get_service", "service", "drains (Drain Cleaning), heaters (Water Heaters), retired"),
        ] {
            let expected = format!(
                "The {argument} \"x\" is not known here. Known: {known}. search_reviews with query \
                 finds any word in the texts."
            );
            assert_eq!(agent.mistake(tool, json!({ argument: "x" })), expected);
        }
        assert_eq!(
            agent.mistake("get_aspect_sentiment", json!({ "aspect": "waiting" })),
            "The aspect \"waiting\" is not known here. Did you mean punctuality (Punctuality & \
             waiting)? Known: punctuality (Punctuality & waiting)."
        );
        assert_eq!(
            agent.mistake("get_technician", json!({ "technician": "sam lee" })),
            "The technician \"sam lee\" is one of several: sam-1 (Sam Lee), sam-2 (Sam Lee). Ask \
             by id."
        );
        assert_eq!(
            agent.mistake("get_technician", json!({ "technician": "Gone Person" })),
            "The technician \"Gone Person\" is known, but insights.json has no entry about it. \
             search_reviews finds the reviews that mention it."
        );
    });
}

#[test]
fn topics_questions_and_the_summary() {
    each(|_, agent| {
        let insights = shop::insights();
        assert_eq!(agent.data("list_topics", json!({})), json!({ "topics": [] }));
        let hint = "The owner listed no topics. search_reviews finds any word in the texts.";
        assert_eq!(agent.hint("list_topics", json!({})).as_deref(), Some(hint));
        assert_eq!(agent.data("get_faq", json!({})), json!({ "faq": insights["faq"] }));
        let nights = agent.data("get_faq", json!({ "query": "WEEKENDS night" }));
        assert_eq!(nights, json!({ "faq": [insights["faq"][1]] }));
        let none = json!({ "query": "warranty" });
        assert_eq!(agent.data("get_faq", none.clone()), json!({ "faq": [] }));
        let hint = "No entry has all these words. Without query all of them come: fee, nights.";
        assert_eq!(agent.hint("get_faq", none).as_deref(), Some(hint));
        assert_eq!(
            agent.data("get_summary", json!({})),
            json!({
                "summary": "People like it.", "pull_quote": null,
                "overall_sentiment": insights["overall_sentiment"], "trend": "stable",
                "review_count": 6, "date_range": insights["date_range"], "model": insights["model"],
            })
        );
    });
}

#[test]
fn a_site_that_publishes_less_answers_gracefully() {
    let mut site = shop::site();
    site.set("insights.json", "{\"aspects\": 3}\n");
    site.unset("changes.json");
    site.publish();
    let running = Running::start(&site);
    let agent = Agent::new(&running);
    assert_eq!(
        agent.mistake("get_aspect_sentiment", json!({ "aspect": "price" })),
        "The aspect \"price\" is not known here. Known: none known yet. search_reviews with query \
         finds any word in the texts."
    );
    assert_eq!(
        agent.mistake("get_changes", json!({})),
        "This site publishes no list of changes. get_reviews_since finds new reviews."
    );
    assert_eq!(agent.data("list_topics", json!({})), json!({ "topics": [] }));
    let hint = agent.hint("get_faq", json!({}));
    assert_eq!(hint.as_deref(), Some("The owner answers no questions yet."));
    assert_eq!(agent.data("get_summary", json!({}))["summary"], Value::Null);
}

#[test]
fn wrong_types_unknown_arguments_and_ranges_name_the_field_and_the_remedy() {
    each(|_, agent| {
        let all = json!({
            "rating": "five", "min_rating": true, "since": 20250101, "until": "2025-02-30",
            "query": ["a"], "mentions_technician": {}, "mentions_service": "s".repeat(201),
            "q": 1, "has_reply": "true", "sentiment": "bad", "sort": "best", "limit": 101,
            "cursor": 7, "colour": "red",
        });
        let day = "must be a day of the calendar, written YYYY-MM-DD";
        let expected = format!(
            "The arguments of search_reviews cannot be used:\n\
             - rating must be a whole number from 1 to 5; received \"five\"\n\
             - min_rating must be a number from 1 to 5; received true\n\
             - since {day}; received 20250101\n\
             - until {day}; received \"2025-02-30\"\n\
             - query must be text of at most 1000 characters; received [\"a\"]\n\
             - q must be text of at most 1000 characters and 16 words; received 1\n\
             - mentions_technician must be text of at most 200 characters; received {{}}\n\
             - mentions_service must be text of at most 200 characters; received \"{}…\"\n\
             - has_reply must be true or false; received \"true\"\n\
             - sentiment must be one of positive, neutral, negative, mixed; received \"bad\"\n\
             - sort must be one of newest, oldest, highest, lowest; received \"best\"\n\
             - limit must be a whole number from 1 to 100; received 101\n\
             - cursor must be the next_cursor of an answer, unchanged; received 7\n\
             - \"colour\" is not an argument of search_reviews; its arguments are rating, min_rating, \
             since, until, year, query, q, words, mentions_technician, mentions_service, mentions_area, author, \
             source, language, has_reply, has_text, aspect, topic, sentiment, id, facets, sort, limit, cursor",
            "s".repeat(200)
        );
        assert_eq!(agent.mistake("search_reviews", all), expected);
        assert_eq!(
            agent.mistake("get_summary", json!({ "x": 1 })),
            "The arguments of get_summary cannot be used:\n- \"x\" is not an argument of get_summary; \
             it takes none"
        );
        for (tool, argument) in [
            ("get_review", "id"),
            ("get_technician", "technician"),
            ("get_service", "service"),
            ("get_aspect_sentiment", "aspect"),
        ] {
            for missing in [json!({}), json!({ argument: null }), json!({ argument: "" })] {
                let expected = format!(
                    "The arguments of {tool} cannot be used:\n- {argument} is required; it must be \
                     text of at most 200 characters"
                );
                assert_eq!(agent.mistake(tool, missing), expected);
            }
            let mistake = agent.mistake(tool, json!({ argument: 3 }));
            assert!(mistake.ends_with("of at most 200 characters; received 3"), "{mistake}");
        }
    });
}
