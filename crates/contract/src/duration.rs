//! Durations as people write them.

use std::time::Duration;

use jiff::{Span, SpanRelativeTo};

/// Parses a duration such as `500ms`, `90s`, `5m`, `36h` or `14d` (jiff's friendly format). A day
/// has 24 hours. `None` for any other text, for months and years, whose length varies, and for
/// durations below zero.
#[must_use]
pub fn parse(text: &str) -> Option<Duration> {
    let span: Span = text.parse().ok()?;
    let duration = span.to_duration(SpanRelativeTo::days_are_24_hours()).ok()?;
    Duration::try_from(duration).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

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
}
