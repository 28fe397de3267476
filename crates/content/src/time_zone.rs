//! Warns of a business without a time zone whose reviews have instants: their days may be wrong.

use jiff::{
    Timestamp,
    tz::{Offset, TimeZone},
};

use super::{business::BusinessContent, record::Record};
use contract::problem::Report;

/// The offsets of inhabited places, in whole hours.
const OFFSETS: std::ops::RangeInclusive<i8> = -11..=14;

/// The time zone of this machine (IANA name), unless that is UTC or unknown.
pub fn of_this_machine() -> Option<TimeZone> {
    let zone = TimeZone::try_system().ok()?;
    zone.iana_name().filter(|name| !matches!(*name, "UTC" | "Etc/UTC" | "Etc/Unknown"))?;
    Some(zone)
}

/// Reports how many days the missing time zone moves: in this machine's, or at most.
pub(super) fn check(file: &BusinessContent, reviews: &[Record], report: &Report) {
    let Some(place) = &file.without_time_zone else { return };
    let instants: Vec<Timestamp> = reviews.iter().filter_map(instant).collect();
    let moved = |zone: &TimeZone| {
        let day = |instant: &&Timestamp, zone| instant.to_zoned(zone).date();
        instants.iter().filter(|i| day(i, zone.clone()) != day(i, TimeZone::UTC)).count()
    };
    let (counted, count, example) = match of_this_machine() {
        Some(zone) => {
            let name = zone.iana_name().unwrap_or_default().to_owned();
            (format!("in {name}, the time zone of this machine,"), moved(&zone), name)
        }
        None => {
            let zones = OFFSETS.map(|hours| TimeZone::fixed(Offset::constant(hours)));
            let most = zones.map(|zone| moved(&zone)).max().unwrap_or(0);
            ("in other time zones up to".to_owned(), most, "America/Chicago".to_owned())
        }
    };
    if count == 0 {
        return;
    }
    let message = format!(
        "time_zone is missing, so review dates are days in UTC; {counted} {count} of {} imported reviews would be of another day",
        instants.len()
    );
    let help =
        format!("add time_zone = \"{example}\", or the one of the business, and import again");
    report.warning("missing-time-zone", place.clone(), message, help);
}

/// The time of an imported review, if its source gave more than the day: the id was made of it.
fn instant(review: &Record) -> Option<Timestamp> {
    let mut milliseconds = [0; 8];
    milliseconds[2..].copy_from_slice(&review.id.to_bytes()[..6]);
    let instant = Timestamp::from_millisecond(i64::from_be_bytes(milliseconds)).ok()?;
    let has_time = instant != review.date.midnight_utc();
    let is_of_day = instant.to_zoned(TimeZone::UTC).date() == review.date.date();
    (!review.source_ids.is_empty() && has_time && is_of_day).then_some(instant)
}
