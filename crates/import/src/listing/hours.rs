//! The opening hours of a business in an export.

use serde_json::{Map, Value};

use super::Described;
use contract::model::Hours;

const DAYS: [&str; 7] =
    ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"];
/// The end of a day, as schema.org writes it.
const END_OF_DAY: &str = "23:59";

/// A day with the times it opens and closes.
type Span = (usize, String, String);

/// The opening hours; `Some(None)` where there are some that cannot be read, `None` where there are none.
pub(super) fn read(object: &Described<'_>) -> Option<Option<Vec<Hours>>> {
    if let Some(periods) = object.all("periods").next().and_then(Value::as_array) {
        // Always open: the one period that never ends.
        if let [period] = &periods[..]
            && !has_end(period)
        {
            let whole_day = |day| (day, "00:00".to_owned(), END_OF_DAY.to_owned());
            return Some(Some(grouped((0..DAYS.len()).map(whole_day).collect())));
        }
        return Some(periods.iter().map(period).collect::<Option<Vec<Span>>>().map(grouped));
    }
    let by_day: Vec<(&str, &Value)> = match object.all("days").next()? {
        Value::Array(days) => days
            .iter()
            .filter_map(|day| Some((day.get("day")?.as_str()?, day.get("hours")?)))
            .collect(),
        Value::Object(days) => days.iter().map(|(day, hours)| (&**day, hours)).collect(),
        _ => return Some(None),
    };
    let spans: Option<Vec<Vec<Span>>> =
        by_day.into_iter().map(|(day, hours)| spans_of(day_number(day)?, hours)).collect();
    Some(spans.map(|spans| grouped(spans.concat())).filter(|hours| !hours.is_empty()))
}

/// Days with the same hours together, in the order of the week.
fn grouped(mut spans: Vec<Span>) -> Vec<Hours> {
    spans.sort();
    let mut hours: Vec<Hours> = Vec::new();
    for (day, opens, closes) in spans {
        let day = DAYS[day].to_owned();
        match hours.iter_mut().find(|known| known.opens == opens && known.closes == closes) {
            Some(known) => known.days.push(day),
            None => hours.push(Hours { days: vec![day], opens, closes }),
        }
    }
    hours
}

fn day_number(name: &str) -> Option<usize> {
    DAYS.iter().position(|day| day.eq_ignore_ascii_case(name))
}

/// Google's period, by the owner's and by the public API.
fn period(period: &Value) -> Option<Span> {
    let number = |side: &str| match period.get(format!("{side}Day")) {
        Some(day) => day_number(day.as_str()?),
        // Sunday is 0.
        None => Some((usize::try_from(period.get(side)?.get("day")?.as_u64()?).ok()? + 6) % 7),
    };
    let time = |side: &str| match period.get(format!("{side}Time")) {
        Some(Value::String(text)) => clock(text),
        Some(Value::Object(time)) => clock_of(time, "hours", "minutes"),
        Some(_) => None,
        None => match period.get(side)? {
            Value::Object(time) if time.contains_key("time") => {
                let text =
                    time.get("time")?.as_str().filter(|text| text.len() == 4 && text.is_ascii())?;
                clock(&format!("{}:{}", &text[..2], &text[2..]))
            }
            Value::Object(time) => clock_of(time, "hour", "minute"),
            _ => None,
        },
    };
    Some((number("open")?, time("open")?, time("close")?))
}

fn has_end(period: &Value) -> bool {
    period.get("close").is_some() || period.get("closeTime").is_some()
}

/// An absent number is 0.
fn clock_of(time: &Map<String, Value>, hours: &str, minutes: &str) -> Option<String> {
    let number = |key: &str| time.get(key).map_or(Some(0), Value::as_u64);
    clock(&format!("{:02}:{:02}", number(hours)?, number(minutes)?))
}

/// The spans of one day's texts: `8 AM to 5 PM`, `8AM-12PM,1-5PM`, `Open 24 hours`, `Closed`.
fn spans_of(day: usize, hours: &Value) -> Option<Vec<Span>> {
    let texts: Vec<&str> = match hours {
        Value::String(text) => text.split(',').collect(),
        Value::Array(texts) => texts.iter().map(Value::as_str).collect::<Option<_>>()?,
        _ => return None,
    };
    let mut spans = Vec::new();
    for text in texts {
        let text = text.trim().to_lowercase().replace(['\u{202f}', '\u{a0}'], " ");
        match text.as_str() {
            "closed" => {}
            "open 24 hours" | "24 hours" => {
                spans.push((day, "00:00".to_owned(), END_OF_DAY.to_owned()));
            }
            span => {
                let span = span.replace(['\u{2013}', '\u{2014}'], "-").replace(" to ", "-");
                let (opens, closes) = span.split_once('-')?;
                let half = ["am", "pm"].into_iter().find(|half| closes.trim().ends_with(half));
                let opens = match half.filter(|_| !opens.contains('m')) {
                    Some(half) => clock(&format!("{opens}{half}"))?,
                    None => clock(opens)?,
                };
                spans.push((day, opens, clock(closes)?));
            }
        }
    }
    Some(spans)
}

/// A time such as `8 am`, `8:30PM`, `17:00`, as `HH:MM`.
fn clock(text: &str) -> Option<String> {
    let text = text.trim().to_lowercase();
    let (time, half) = match (text.strip_suffix("am"), text.strip_suffix("pm")) {
        (Some(time), _) => (time.trim(), Some(0)),
        (_, Some(time)) => (time.trim(), Some(12)),
        _ => (&*text, None),
    };
    let (hour, minute) = match time.split_once(':') {
        Some((hour, minute)) => (hour.parse::<u8>().ok()?, minute.parse::<u8>().ok()?),
        // A bare number is an hour only with am or pm.
        None => (half.and(time.parse::<u8>().ok())?, 0),
    };
    let hour = match half {
        Some(_) if !(1..=12).contains(&hour) => return None,
        Some(half) => hour % 12 + half,
        None => hour,
    };
    match (hour, minute) {
        (24, 0) => Some(END_OF_DAY.to_owned()),
        (0..=23, 0..=59) => Some(format!("{hour:02}:{minute:02}")),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_read_as_platforms_write_them() {
        for (text, time) in [
            ("8 AM", Some("08:00")),
            ("8:30PM", Some("20:30")),
            ("12 am", Some("00:00")),
            ("12 PM", Some("12:00")),
            ("17:00", Some("17:00")),
            ("24:00", Some("23:59")),
            ("5", None),
            ("13 pm", None),
            ("8:75", None),
            ("soon", None),
        ] {
            assert_eq!(clock(text).as_deref(), time, "{text}");
        }
    }

    #[test]
    fn a_half_of_the_day_that_is_named_once_counts_for_both() {
        let spans = spans_of(0, &Value::from("8AM-12PM, 1–5:30 PM")).unwrap();
        assert_eq!(spans[1], (0, "13:00".to_owned(), "17:30".to_owned()));
        assert_eq!(spans_of(0, &Value::from("Closed")), Some(Vec::new()));
        assert_eq!(spans_of(0, &Value::from("by appointment")), None);
    }
}
