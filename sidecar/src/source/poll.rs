//! The time of the next check of the source.

use std::time::Duration;

/// Maximum freshness lifetime of a manifest that is respected: the dynamic routes follow a publication within a minute.
const MAX_FRESH: Duration = Duration::from_secs(50);

/// Maximum `Retry-After` that is respected.
const MAX_RETRY_AFTER: Duration = Duration::from_secs(3600);

/// The result of a check for the time of the next one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum NextPoll {
    /// The check succeeded. The manifest has this freshness lifetime.
    Settled(Duration),
    /// The check failed and is repeated soon, but not before this `Retry-After`.
    Refused(Duration),
}

/// The waits between checks.
#[derive(Debug)]
pub(crate) struct PollSchedule {
    poll: Duration,
    first_retry: Duration,
    longest_retry: Duration,
    /// The fraction by which waits vary, so that many sidecars do not poll at the same time.
    spread: f64,
    retry: Duration,
}

impl PollSchedule {
    pub(crate) fn new(
        poll: Duration,
        first_retry: Duration,
        longest_retry: Duration,
        spread: f64,
    ) -> Self {
        Self { poll, first_retry, longest_retry, spread, retry: first_retry }
    }

    /// Makes the next failure count as the first.
    pub(crate) fn reset(&mut self) {
        self.retry = self.first_retry;
    }

    /// Returns the wait until the next check; `chance` is from 0 to 1.
    pub(crate) fn after(&mut self, next: NextPoll, chance: f64) -> Duration {
        let share = 1.0 + self.spread * (2.0 * chance.clamp(0.0, 1.0) - 1.0);
        match next {
            NextPoll::Settled(fresh_for) => {
                self.reset();
                self.poll.max(fresh_for.min(MAX_FRESH)).mul_f64(share)
            }
            NextPoll::Refused(retry_after) => {
                let wait = self.retry.min(self.longest_retry);
                self.retry = self.retry.saturating_mul(2);
                wait.mul_f64(share).max(hold_off(retry_after))
            }
        }
    }
}

/// Returns the time for which a `Retry-After` is respected.
pub(crate) fn hold_off(retry_after: Duration) -> Duration {
    retry_after.min(MAX_RETRY_AFTER)
}

impl NextPoll {
    /// Returns the time for which no check starts, not even after a ping.
    pub(crate) fn hold_off(self) -> Duration {
        match self {
            Self::Settled(_) => Duration::ZERO,
            Self::Refused(retry_after) => hold_off(retry_after),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOW: NextPoll = NextPoll::Refused(Duration::ZERO);

    fn seconds(seconds: u64) -> Duration {
        Duration::from_secs(seconds)
    }

    fn remote() -> PollSchedule {
        PollSchedule::new(seconds(30), seconds(1), seconds(60), 0.2)
    }

    #[test]
    fn refusals_are_tried_again_soon_and_then_less_often() {
        let mut polls = PollSchedule::new(seconds(5), Duration::from_millis(250), seconds(5), 0.0);
        let waits: Vec<_> = (0..7).map(|_| polls.after(NOW, 0.5).as_millis()).collect();
        assert_eq!(waits, [250, 500, 1000, 2000, 4000, 5000, 5000]);
        assert_eq!(polls.after(NextPoll::Settled(Duration::ZERO), 0.9), seconds(5));
        assert_eq!(polls.after(NOW, 0.5).as_millis(), 250);
    }

    #[test]
    fn waits_spread_by_a_fifth_both_ways() {
        let settled = NextPoll::Settled(Duration::ZERO);
        let waits = [0.0, 0.5, 1.0].map(|chance| remote().after(settled, chance));
        assert_eq!(waits, [24, 30, 36].map(seconds));
    }

    #[test]
    fn freshness_puts_a_poll_off_by_less_than_a_minute() {
        for (fresh_for, wait) in [(0, 30), (40, 40), (600, 50), (u64::MAX, 50)] {
            assert_eq!(remote().after(NextPoll::Settled(seconds(fresh_for)), 0.5), seconds(wait));
        }
        assert!(remote().after(NextPoll::Settled(seconds(600)), 1.0) <= seconds(60));
    }

    #[test]
    fn retry_after_is_respected_within_an_hour_and_never_hurries() {
        for (retry_after, wait) in [(0, 1), (20, 20), (u64::MAX, 3600)] {
            assert_eq!(remote().after(NextPoll::Refused(seconds(retry_after)), 0.5), seconds(wait));
        }
        assert_eq!(NextPoll::Refused(seconds(7200)).hold_off(), seconds(3600));
        assert_eq!(NextPoll::Settled(seconds(7200)).hold_off(), Duration::ZERO);
    }
}
