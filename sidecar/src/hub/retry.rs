//! The time at which a failed delivery is tried again.

use std::{fmt, str::FromStr, time::Duration};

use contract::duration;

use super::clock::millis;

/// Number of deliveries in a row without a 2xx that ends a subscription.
pub(crate) const MAX_FAILURES: u32 = 3;

/// The maximum by which a subscriber's `Retry-After` delays a retry.
pub(crate) const MAX_RETRY_AFTER: Duration = Duration::from_secs(3600);

/// The maximum share of its delay by which a retry is delayed further, so that many do not begin at once.
const JITTER: f64 = 0.1;

/// The wait before the second and before the third attempt.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RetryDelays([Duration; 2]);

impl Default for RetryDelays {
    /// Returns one minute, then six hours.
    fn default() -> Self {
        Self([Duration::from_secs(60), Duration::from_secs(6 * 3600)])
    }
}

/// The reason why the delays cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BadDelays {
    /// The number of delays is not two.
    #[error("there must be two delays, before the second and the third attempt, such as 1m,6h")]
    Count,
    /// A delay is not a duration.
    #[error("{0:?} is not a time such as 500ms, 30s, 1m or 6h")]
    Time(String),
}

impl FromStr for RetryDelays {
    type Err = BadDelays;

    fn from_str(text: &str) -> Result<Self, BadDelays> {
        match text.split(',').collect::<Vec<_>>()[..] {
            [second, third] => Ok(Self([delay(second.trim())?, delay(third.trim())?])),
            _ => Err(BadDelays::Count),
        }
    }
}

impl fmt::Display for RetryDelays {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?},{:?}", self.0[0], self.0[1])
    }
}

/// Maximum delay. The arithmetic of times fails for much longer ones.
const MAX_DELAY: Duration = Duration::from_hours(366 * 24);

fn delay(text: &str) -> Result<Duration, BadDelays> {
    let delay = duration::parse(text).filter(|delay| *delay <= MAX_DELAY);
    delay.ok_or_else(|| BadDelays::Time(text.to_owned()))
}

impl RetryDelays {
    /// Returns the maximum milliseconds until the next attempt.
    pub(crate) fn longest(&self) -> i64 {
        let longest = self.0[0].max(self.0[1]);
        millis(longest.mul_f64(1.0 + JITTER) + MAX_RETRY_AFTER)
    }

    /// Returns the milliseconds until the next attempt after this many failures in a row, at least 1. `chance` from 0
    /// to 1 spreads the attempts.
    pub(crate) fn after(&self, failures: u32, asked: Option<Duration>, chance: f64) -> i64 {
        let planned = self.0[(failures.max(1) as usize - 1).min(1)];
        let spread = planned.mul_f64(JITTER * chance.clamp(0.0, 1.0));
        let asked = asked.unwrap_or_default().min(planned + MAX_RETRY_AFTER);
        millis((planned + spread).max(asked))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_second_attempt_comes_after_a_minute_and_the_third_after_six_hours_and_little_later() {
        let delays = RetryDelays::default();
        for (failures, planned) in [(1, 60_000), (2, 6 * 3_600_000)] {
            assert_eq!(delays.after(failures, None, 0.0), planned);
            assert_eq!(delays.after(failures, None, 1.0), planned + planned / 10);
        }
    }

    #[test]
    fn retry_after_is_respected_within_an_hour_and_never_hurries() {
        let delays = RetryDelays::default();
        let after = |seconds| delays.after(1, Some(Duration::from_secs(seconds)), 0.0);
        assert_eq!(after(10), 60_000);
        assert_eq!(after(300), 300_000);
        assert_eq!(after(u64::MAX), 3_660_000);
    }

    #[test]
    fn delays_are_two_times_with_units() {
        let parse = |text: &str| text.parse::<RetryDelays>().map_err(|error| error.to_string());
        assert_eq!(parse("1m,6h"), Ok(RetryDelays::default()));
        assert_eq!(parse("20ms, 3s").unwrap().to_string(), "20ms,3s");
        let count =
            "there must be two delays, before the second and the third attempt, such as 1m,6h";
        for text in ["", "1m", "1m,6h,1d"] {
            assert_eq!(parse(text), Err(count.to_owned()), "{text}");
        }
        for time in ["", "1", "m", "-1m", "1mo", "367d", "99999999999h"] {
            let reason = format!("{time:?} is not a time such as 500ms, 30s, 1m or 6h");
            assert_eq!(parse(&format!("{time},6h")), Err(reason));
        }
    }
}
