use serde_json::json;

use super::*;

fn rules() -> DateRules {
    DateRules {
        zone: TimeZone::get("America/Chicago").unwrap(),
        utc: false,
        american: false,
        seen: SeenOrders::default(),
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
fn a_format_reads_the_dates_that_are_written_so() {
    for (format, text) in [
        ("DD/MM/YYYY", "04/03/2025"),
        ("D/M/YYYY", "4/3/2025"),
        ("M/D/YYYY", "3/4/2025"),
        ("M/D/YYYY", "3/4/2025 9:05 PM"),
        ("m/d/yyyy", "03/04/2025"),
        ("dd.mm.yyyy", "04.03.2025"),
        ("TT.MM.JJJJ", "04.03.2025"),
        ("JJ/MM/AAAA", "04/03/2025"),
        ("D MMM YYYY", "4 Mar 2025"),
        ("%m/%d/%Y", "03/04/2025"),
        ("DD.MM.YYYY HH:mm", "04.03.2025 23:59"),
        ("HH:mm dd.mm.yyyy", "23:59 04.03.2025"),
        ("MM/DD/YY", "03/04/25"),
        ("DD/MM/YYYY", "2025-03-04"),
    ] {
        let rules = DateRules { format: Some(format.parse().unwrap()), ..rules() };
        assert_eq!(day(&rules, json!(text)), "2025-03-04", "{format}");
    }
    for format in ["MM/YYYY", "yyyy", "", "%Q", "mm:ss"] {
        assert!(format.parse::<DateFormat>().is_err(), "{format}");
    }
}

#[test]
fn what_can_be_two_days_is_decided_by_the_other_dates() {
    let reads = |others: &[&str], text: &str| {
        let mut rules = rules();
        for other in others {
            rules.observe(&json!(other));
        }
        assert!(rules.needs_order(&json!(text)), "{text}");
        day(&rules, json!(text))
    };
    assert_eq!(reads(&["13/04/2025", "1/1/2025"], "03/04/2025"), "2025-04-03");
    assert_eq!(reads(&["7/27/2011"], "03/04/2025 10:00"), "2025-03-04");
    let two = "\"03/04/2025\" can be 2025-03-04 or 2025-04-03, and";
    assert_eq!(reads(&[], "03/04/2025"), format!("{two} no other date of the file decides"));
    assert_eq!(
        reads(&["13/04/2025", "7/27/2011"], "03/04/2025"),
        format!("{two} other dates of the file are written both ways")
    );
    for (text, read) in [
        ("7/27/2011", "2011-07-27"),
        ("27.07.2011", "2011-07-27"),
        ("2011/07/27", "2011-07-27"),
        ("Jul 27, 2011", "2011-07-27"),
    ] {
        assert!(!rules().needs_order(&json!(text)));
        assert_eq!(day(&rules(), json!(text)), read);
    }
    let american = DateRules { american: true, ..rules() };
    assert_eq!(day(&american, json!("03/04/2025")), "2025-03-04");
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

#[test]
fn anything_else_is_no_date() {
    for value in [
        json!("soon"),
        json!("20250304"),
        json!("1234"),
        json!("2025-02-30"),
        json!(true),
        json!(1.5),
        json!("-"),
        json!("é/1/2"),
    ] {
        assert!(rules().read(&value).is_err(), "{value}");
    }
}
