//! Durations as people and servers write them.

use std::time::{Duration, SystemTime};

use jiff::{SignedDuration, Span, SpanRelativeTo};

/// Parses a duration such as `500ms`, `90s`, `5m`, `36h` or `14d` (jiff's friendly format). A day
/// has 24 hours. `None` for any other text, for months and years, whose length varies, and for
/// durations below zero.
#[must_use]
pub fn parse(text: &str) -> Option<Duration> {
    let span: Span = text.parse().ok()?;
    let duration = span.to_duration(SpanRelativeTo::days_are_24_hours()).ok()?;
    Duration::try_from(duration).ok()
}

/// An age in one unit: `14 d`, `3 h`, `5 min`.
#[must_use]
pub fn shown(time: SignedDuration) -> String {
    match (time.as_hours() / 24, time.as_hours(), time.as_mins()) {
        (days @ 1.., hours, _) if hours % 24 == 0 || days > 2 => format!("{days} d"),
        (_, hours @ 1.., _) => format!("{hours} h"),
        (.., minutes) => format!("{minutes} min"),
    }
}

/// Parses a `Retry-After` field: seconds, or a date (RFC 9110, section 10.2.3).
#[must_use]
pub fn retry_after(field: &[u8], now: SystemTime) -> Option<Duration> {
    let field = std::str::from_utf8(field).ok()?.trim();
    if let Ok(seconds) = field.parse() {
        return Some(Duration::from_secs(seconds));
    }
    let date = httpdate::parse_http_date(field).ok()?;
    Some(date.duration_since(now).unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn retry_after_is_seconds_or_a_date() {
        let of = |field: &str, now| {
            retry_after(field.as_bytes(), SystemTime::UNIX_EPOCH + Duration::from_secs(now))
        };
        assert_eq!(of(" 120 ", 0), Some(Duration::from_secs(120)));
        let date = "Sun, 06 Nov 1994 08:50:37 GMT";
        assert_eq!(of(date, 784_111_777), Some(Duration::from_secs(60)));
        assert_eq!(of(date, 784_111_897), Some(Duration::ZERO));
        assert_eq!(of("soon", 0), None);
    }

    #[test]
    fn a_duration_has_a_number_and_a_unit() {
        for (text, milliseconds) in [
            ("500ms", 500),
            ("0s", 0),
            ("90s", 90_000),
            ("1m", 60_000),
            ("1h 30m", 5_400_000),
            ("14d", 1_209_600_000),
        ] {
            assert_eq!(parse(text), Some(Duration::from_millis(milliseconds)), "{text}");
        }
        for text in ["", "1", "m", "-1m", "1mo", "1y", "soon", "99999999999h"] {
            assert_eq!(parse(text), None, "{text}");
        }
    }

    #[test]
    fn an_age_is_shown_in_one_unit() {
        let said = |hours: i64| shown(SignedDuration::from_hours(hours));
        assert_eq!(
            [said(336), said(24), said(30), said(0), said(75)],
            ["14 d", "1 d", "30 h", "0 min", "3 d"]
        );
    }
}
