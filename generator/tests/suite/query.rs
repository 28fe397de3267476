//! Reading what a client asks, from a URL and from JSON, by one table.

use std::borrow::Cow;

use contract::{
    query::{Code, Filter, Given, Issue, Kind, MAX_LIMIT, SEARCH, Search, encoded, pairs},
    text::casefold,
};
use proptest::prelude::*;
use serde_json::{Value, json};

fn from_json(arguments: &Value) -> Result<Search, Vec<Issue>> {
    let members = arguments.as_object().unwrap();
    Search::parse(members.iter().map(|(name, value)| (Cow::from(name), Given::Json(value))))
}

fn codes(refused: Result<Search, Vec<Issue>>) -> Vec<(String, Code)> {
    let issues = refused.unwrap_err();
    issues.into_iter().map(|issue| (issue.path[0].clone(), issue.code)).collect()
}

#[test]
fn json_and_a_url_say_the_same() {
    for (arguments, query) in [
        (json!({}), ""),
        (json!({ "rating": 5, "limit": 7 }), "rating=5&limit=7"),
        (json!({ "rating": 5.0, "min_rating": 3 }), "rating=5&min_rating=3"),
        (json!({ "min_rating": 3.5, "since": "2025-01-01" }), "min_rating=3.5&since=2025-01-01"),
        (
            json!({ "query": "On Time ", "mentions_service": "X" }),
            "query=On+Time+&mentions_service=X",
        ),
        (json!({ "has_reply": true, "sort": "lowest" }), "has_reply=true&sort=lowest"),
        (json!({ "q": "a \"b  C\" -d" }), "q=a+%22b++C%22+-d"),
        (json!({ "aspect": "X", "sentiment": "mixed" }), "aspect=X&sentiment=mixed"),
        (json!({ "year": 2025, "author": "Ann B." }), "year=2025&author=ann+b"),
        (json!({ "facets": "year, rating" }), "facets=rating,year,rating"),
        (json!({ "source": "G", "language": "EN" }), "source=G&language=EN"),
        (json!({ "query": "", "rating": null, "cursor": "" }), "query=&rating=&cursor="),
        (json!({ "other": [1] }), "other=1"),
    ] {
        assert_eq!(from_json(&arguments), Search::parse(pairs(query)), "{arguments}");
    }
}

#[test]
fn json_of_another_type_is_malformed_and_received_as_it_is() {
    for (name, value) in [
        ("rating", json!("5")),
        ("rating", json!(4.5)),
        ("rating", json!(true)),
        ("min_rating", json!([4])),
        ("since", json!(20250101)),
        ("query", json!(5)),
        ("has_reply", json!("true")),
        ("has_reply", json!(1)),
        ("sort", json!(["newest"])),
        ("limit", json!("20")),
        ("cursor", json!({})),
    ] {
        let issues = from_json(&json!({ name: value })).unwrap_err();
        assert_eq!((issues.len(), issues[0].code), (1, Code::Malformed), "{name} {value}");
        assert_eq!(issues[0].received, value);
    }
    assert_eq!(
        codes(from_json(&json!({ "rating": 1e300 }))),
        [("rating".into(), Code::OutOfRange)]
    );
}

#[test]
fn defaults_and_bounds() {
    let search = Search::parse(pairs("")).unwrap();
    assert_eq!((search.limit, &search.filter, search.after), (20, &Filter::default(), None));
    assert_eq!(Search::parse(pairs("limit=100")).unwrap().limit, MAX_LIMIT);
}

#[test]
fn every_example_of_the_table_is_right_and_every_kind_has_a_schema() {
    for parameter in SEARCH {
        let schema = parameter.kind.schema();
        assert!(schema["type"].is_string(), "{}", parameter.name);
        let text =
            Search::parse(pairs(&format!("{}={}", parameter.name, encoded(parameter.example))));
        let json = from_json(&json!({ parameter.name: parameter.example_value() }));
        match parameter.kind {
            // Another filter's cursor, but of the right form.
            Kind::Cursor => assert_eq!(parameter.example.len(), contract::query::CURSOR_LENGTH),
            _ => assert_eq!(text.unwrap(), json.unwrap(), "{}", parameter.name),
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 512, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn no_query_makes_the_reader_panic(query in "[a-z_=&%+0-9.é-]{0,80}|(.{0,10}(rating|limit|query|since|cursor)=.{0,12}&){0,4}") {
        match Search::parse(pairs(&query)) {
            Ok(search) => prop_assert!((1..=MAX_LIMIT).contains(&search.limit)),
            Err(issues) => {
                prop_assert!(!issues.is_empty());
                for issue in issues {
                    prop_assert!(SEARCH.iter().any(|parameter| issue.path == [parameter.name]));
                }
            }
        }
    }

    #[test]
    fn a_text_arrives_whole_however_it_is_encoded(text in ".{1,60}", plus in any::<bool>()) {
        let mut value = encoded(&text);
        if plus {
            value = value.replace("%20", "+");
        }
        let search = Search::parse(pairs(&format!("query={value}&mentions_service={value}"))).unwrap();
        prop_assert_eq!(search.filter.needle.as_deref(), Some(&*casefold(&text)));
        prop_assert_eq!(search.filter.service.as_deref(), Some(&*text));
    }

    #[test]
    fn least_stars_are_the_next_whole_star(number in 1.0..=5.0_f64) {
        let search = Search::parse(pairs(&format!("min_rating={number}"))).unwrap();
        let stars = f64::from(search.filter.min_rating.unwrap().stars());
        prop_assert!(stars >= number && stars < number + 1.0);
    }

    #[test]
    fn the_order_of_parameters_does_not_matter(seed in any::<u64>(), rating in 0..8_u8, limit in 0..120_u32) {
        let mut pieces = [format!("rating={rating}"), format!("limit={limit}"), "query=a".into(), "until=x".into()];
        let forward = Search::parse(pairs(&pieces.join("&")));
        pieces.rotate_left((seed % 4) as usize);
        if seed % 2 == 0 { pieces.reverse(); }
        prop_assert_eq!(Search::parse(pairs(&pieces.join("&"))), forward);
    }
}
