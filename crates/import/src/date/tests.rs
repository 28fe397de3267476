use serde_json::json;

use super::*;

fn rules() -> DateRules {
    DateRules {
        zone: TimeZone::get("America/Chicago").unwrap(),
        utc: false,
        american: false,
        impossible: ImpossibleOrders::default(),
        format: None,
        relative_to: None,
        latest: "2030-01-01".parse().unwrap(),
    }
}

fn day(rules: &DateRules, value: Value) -> String {
    rules.read(&value).map_or_else(|refusal| refusal.reason, |when| when.day.to_string())
}

#[test]
fn every_spelling_of_an_instant_is_a_day_in_the_business_zone() {
    for text in [
        "2025-03-04T23:30:00-06:00",
        "2025-03-05T05:30:00Z",
        "2025-03-05T05:30:00.1Z",
        "2025-03-05T05:30:00.123Z",
        "2025-03-05T05:30:00.123456Z",
        "2025-03-05T05:30:00.123456789Z",
        "2025-03-05 05:30:00 +00:00",
        "2025-03-05 05:30:00 UTC",
        "2025-03-05T14:30:00+0900",
        "Tue, 4 Mar 2025 23:30:00 -0600",
        "1741152600",
        "1741152600000",
    ] {
        let when = rules().read(&json!(text)).unwrap();
        assert_eq!(when.day.to_string(), "2025-03-04", "{text}");
        assert_eq!(when.instant.unwrap().as_second(), 1_741_152_600, "{text}");
    }
    assert_eq!(day(&rules(), json!(1_741_152_600)), "2025-03-04");
    assert_eq!(day(&rules(), json!(1_741_152_600_000_i64)), "2025-03-04");
    assert_eq!(day(&rules(), json!(1_741_152_600.0)), "2025-03-04");
}

#[test]
fn without_a_zone_the_day_is_as_it_is_written() {
    for text in ["2025-03-05", "2025-03-05 05:30:00", "2025-03-05T05:30:00", "2025-03-05T05:30"] {
        let when = rules().read(&json!(text)).unwrap();
        assert_eq!((when.day.to_string().as_str(), when.instant), ("2025-03-05", None), "{text}");
    }
    let outscraper = DateRules { utc: true, american: true, ..rules() };
    assert_eq!(day(&outscraper, json!("03/05/2025 05:30:00")), "2025-03-04");
}

#[test]
fn relative_dates_are_dates_only_from_somewhere() {
    assert_eq!(
        day(&rules(), json!("vor 10 Monaten")),
        "\"vor 10 Monaten\" is not a date, only a distance from one"
    );
    let told = DateRules { relative_to: Some("2026-03-31".parse().unwrap()), ..rules() };
    let when = told.read(&json!("vor 10 Monaten")).unwrap();
    assert_eq!(when.day.to_string(), "2025-05-31");
    assert_eq!(when.precision, Some(DatePrecision::Month));
}
