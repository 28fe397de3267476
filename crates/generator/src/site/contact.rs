//! The address, the map and the hours of the business: at the end of every page, and its hours at the top.

use contract::model::{Address, Business, Hours};
use serde::Serialize;
use serde_json::json;

use super::{actions::dial, view::Viewer};

/// The days, as `hours` names them.
const DAYS: [&str; 7] =
    ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"];
/// Countries where people who write English write `6 pm` (`timeData` of CLDR).
const TWELVE_HOURS: [&str; 8] = ["AU", "BD", "CA", "IN", "NZ", "PH", "PK", "US"];
/// Countries where the postal code is after the town, as in the postal formats of the Universal Postal Union.
const CODE_AFTER: [&str; 17] = [
    "AU", "BD", "CA", "CO", "EG", "GB", "ID", "IE", "IN", "JO", "NZ", "PH", "PK", "SA", "TH", "TW",
    "US",
];
/// Consecutive days from which a range is shorter than a list.
const MIN_RANGE: usize = 3;

/// The address, the map and the hours of the business.
#[derive(Debug, Serialize)]
pub(super) struct ContactView {
    /// The address, line by line.
    address: Vec<String>,
    /// The address of the place on a map of another site.
    map: Option<String>,
    phone: Option<String>,
    /// The number as the `tel:` address has it.
    dial: Option<String>,
    email: Option<String>,
    hours: Option<HoursView>,
}

/// The hours of the business.
#[derive(Debug, Serialize)]
struct HoursView {
    /// Days and their times, and the days on which the business is closed.
    lines: Vec<(String, String)>,
    /// The first line, for the header without a script.
    short: String,
    /// The time zone that the owner stated.
    zone: Option<String>,
    /// Each opening, for the script: day from Monday on, minutes of the day, both as written.
    week: String,
}

pub(super) fn contact(viewer: &Viewer<'_>) -> ContactView {
    let business = &viewer.data.business;
    ContactView {
        address: business.address.as_ref().map(lines).unwrap_or_default(),
        map: business.geo.map(|geo| {
            let (north, east) = (geo.latitude, geo.longitude);
            format!("https://www.openstreetmap.org/?mlat={north}&mlon={east}#map=17/{north}/{east}")
        }),
        dial: business.phone.as_deref().map(dial),
        phone: business.phone.clone(),
        email: business.email.clone(),
        hours: (!business.hours.is_empty()).then(|| hours(viewer, business)),
    }
}

/// Returns the street, the town, and the other known parts, in the order of the country.
fn lines(address: &Address) -> Vec<String> {
    let is_after = |country: &str| CODE_AFTER.contains(&country);
    if !address.country.as_deref().is_none_or(is_after) {
        let town = [&address.postal_code, &address.city].into_iter().flatten().cloned();
        let town = town.collect::<Vec<_>>().join(" ");
        let lines = [address.street.clone(), Some(town), address.region.clone()];
        return lines.into_iter().flatten().filter(|line| !line.is_empty()).collect();
    }
    let town = match (&address.region, &address.postal_code) {
        (Some(region), Some(code)) => Some(format!("{region} {code}")),
        (region, code) => region.clone().or(code.clone()),
    };
    let town = [address.city.clone(), town].into_iter().flatten().collect::<Vec<_>>().join(", ");
    address.street.iter().cloned().chain(Some(town)).filter(|line| !line.is_empty()).collect()
}

fn hours(viewer: &Viewer<'_>, business: &Business) -> HoursView {
    let names = |key: &str| -> Vec<String> {
        viewer.words.word(key).split('|').map(str::to_owned).collect()
    };
    let (long, short) = (names("day_names"), names("day_names_short"));
    let time = |text: &str| clock(viewer, text);
    let span = |hours: &Hours| format!("{} – {}", time(&hours.opens), time(&hours.closes));
    // Times of the same days, such as before and after a break, are one line.
    let mut groups: Vec<(Vec<usize>, String)> = Vec::new();
    for hours in &business.hours {
        let days = numbers(hours);
        match groups.iter_mut().find(|(known, _)| *known == days) {
            Some((_, times)) => *times = format!("{times}, {}", span(hours)),
            None => groups.push((days, span(hours))),
        }
    }
    let short = groups.first().map(|(days, times)| format!("{} {times}", named(days, &short)));
    let closed: Vec<usize> =
        (0..DAYS.len()).filter(|day| groups.iter().all(|(days, _)| !days.contains(day))).collect();
    if !closed.is_empty() {
        groups.push((closed, viewer.words.word("closed")));
    }
    let week: Vec<_> = business
        .hours
        .iter()
        .flat_map(|hours| {
            let [opens, closes] = [&hours.opens, &hours.closes];
            let entry =
                move |day| json!([day, minutes(opens), minutes(closes), time(opens), time(closes)]);
            numbers(hours).into_iter().map(entry)
        })
        .collect();
    HoursView {
        lines: groups.into_iter().map(|(days, times)| (named(&days, &long), times)).collect(),
        short: short.unwrap_or_default(),
        // What stands for a time zone that is not stated.
        zone: Some(business.time_zone.clone()).filter(|zone| zone != "UTC"),
        week: json!(week).to_string(),
    }
}

/// Returns the days by number, Monday first.
fn numbers(hours: &Hours) -> Vec<usize> {
    let mut days: Vec<usize> =
        hours.days.iter().filter_map(|day| DAYS.iter().position(|known| known == day)).collect();
    days.sort_unstable();
    days.dedup();
    days
}

/// Returns `Monday – Wednesday, Friday`: days that are not neighbours are never a range.
fn named(days: &[usize], names: &[String]) -> String {
    let name = |day: &usize| names.get(*day).map_or("", String::as_str);
    let runs = days.chunk_by(|day, next| day + 1 == *next);
    let parts: Vec<String> = runs
        .flat_map(|run| match run {
            [first, .., last] if run.len() >= MIN_RANGE => {
                vec![format!("{} – {}", name(first), name(last))]
            }
            _ => run.iter().map(|day| name(day).to_owned()).collect(),
        })
        .collect();
    let text = parts.join(", ");
    // Some languages write the names of days without a capital.
    let mut letters = text.chars();
    letters.next().map_or(String::new(), |first| first.to_uppercase().chain(letters).collect())
}

fn minutes(time: &str) -> u32 {
    let (hour, minute) = time.split_once(':').unwrap_or((time, "0"));
    hour.parse::<u32>().unwrap_or(0) * 60 + minute.parse::<u32>().unwrap_or(0)
}

/// Returns `6 pm` in countries that write so, else `18:00`.
fn clock(viewer: &Viewer<'_>, time: &str) -> String {
    let address = viewer.data.business.address.as_ref();
    let country = address.and_then(|address| address.country.as_deref()).unwrap_or_default();
    if !viewer.words.is_english() || !TWELVE_HOURS.contains(&country) {
        return time.to_owned();
    }
    let (hour, minute) = (minutes(time) / 60, minutes(time) % 60);
    let half = if hour % 24 < 12 { "am" } else { "pm" };
    let hour = (hour + 11) % 12 + 1;
    if minute == 0 { format!("{hour} {half}") } else { format!("{hour}:{minute:02} {half}") }
}
