//! The time, and whether it can be trusted.

use std::{
    fmt,
    sync::{Mutex, PoisonError},
    time::{Duration, Instant, SystemTime, UNIX_EPOCH},
};

/// The jump of the clock above which it is a fault, not an adjustment. An expired subscription is kept for as long, so
/// that a fault removes no subscription.
pub(crate) const GRACE: Duration = Duration::from_secs(7 * 24 * 3600);

/// The source of the hub's time. Leases and retries use [`Clock::now`].
pub trait Clock: fmt::Debug + Send + Sync {
    /// Returns milliseconds since the Unix epoch. Jumps when the clock is set.
    fn now(&self) -> i64;

    /// Returns the time since some fixed moment. Never jumps.
    fn steady(&self) -> Duration;
}

/// The database's clock, continued by the steady clock since it was last read; before the first
/// reading the clock of this machine.
#[derive(Debug)]
pub(crate) struct DatabaseClock {
    started: Instant,
    /// The time that was read from the database, and the steady time of the reading.
    read: Mutex<Option<(i64, Duration)>>,
}

impl DatabaseClock {
    pub(crate) fn new() -> Self {
        Self { started: Instant::now(), read: Mutex::new(None) }
    }

    /// Continues from this time of a database.
    pub(crate) fn resume_from(&self, now: i64) {
        let read = Some((now, self.steady()));
        *self.read.lock().unwrap_or_else(PoisonError::into_inner) = read;
    }
}

impl Clock for DatabaseClock {
    fn now(&self) -> i64 {
        match *self.read.lock().unwrap_or_else(PoisonError::into_inner) {
            Some((now, at)) => now + millis(self.steady().saturating_sub(at)),
            None => SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, millis),
        }
    }

    fn steady(&self) -> Duration {
        self.started.elapsed()
    }
}

/// Returns a duration in whole milliseconds.
pub(crate) fn millis(duration: Duration) -> i64 {
    i64::try_from(duration.as_millis()).unwrap_or(i64::MAX)
}

/// Compares the clock with its earlier readings. While it is not trusted, nothing is deleted for its age.
#[derive(Debug)]
pub(crate) struct ClockGuard {
    /// The last time that was trusted, and its steady time.
    trusted: (i64, Duration),
    in_doubt_since: Option<Duration>,
}

/// The result of an observation of the clock.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Observation {
    /// The clock is as trusted as before.
    Steady,
    /// The clock differs from the expected time by this many milliseconds.
    Jumped(i64),
    /// The clock is trusted again.
    Settled,
}

impl ClockGuard {
    /// Starts from the last recorded time, perhaps of an earlier process.
    pub(crate) fn new(seen: i64, clock: &dyn Clock) -> Self {
        Self { trusted: (seen, clock.steady()), in_doubt_since: None }
    }

    /// Whether expired subscriptions may be removed.
    pub(crate) fn is_trusted(&self) -> bool {
        self.in_doubt_since.is_none()
    }

    /// Reads the clock. After a jump by more than [`GRACE`] it is not trusted, until it is back or has run from the new
    /// time for as long.
    pub(crate) fn observe(&mut self, clock: &dyn Clock) -> Observation {
        let (now, steady) = (clock.now(), clock.steady());
        let expected = self.trusted.0 + millis(steady.saturating_sub(self.trusted.1));
        let off = now - expected;
        let near = off.abs() <= millis(GRACE);
        match self.in_doubt_since {
            None if near => {
                self.trusted = (now, steady);
                Observation::Steady
            }
            None => {
                self.in_doubt_since = Some(steady);
                Observation::Jumped(off)
            }
            Some(since) if near || steady.saturating_sub(since) >= GRACE => {
                self.trusted = (now, steady);
                self.in_doubt_since = None;
                Observation::Settled
            }
            Some(_) => Observation::Steady,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const DAY: i64 = 24 * 3_600_000;

    #[derive(Debug)]
    struct Fixed(i64, Duration);

    impl Clock for Fixed {
        fn now(&self) -> i64 {
            self.0
        }
        fn steady(&self) -> Duration {
            self.1
        }
    }

    fn at(now_days: i64, steady_days: u64) -> Fixed {
        Fixed(now_days * DAY, Duration::from_secs(steady_days * 24 * 3600))
    }

    #[test]
    fn a_jump_by_more_than_a_week_either_way_puts_the_clock_in_doubt() {
        for (to, off) in [(1008, 8), (992, -8)] {
            let mut clock_guard = ClockGuard::new(1000 * DAY, &at(1000, 0));
            assert_eq!(clock_guard.observe(&at(to, 0)), Observation::Jumped(off * DAY));
            assert!(!clock_guard.is_trusted());
            assert_eq!(clock_guard.observe(&at(to + 1, 1)), Observation::Steady);
            assert!(!clock_guard.is_trusted());
            assert_eq!(clock_guard.observe(&at(1001, 1)), Observation::Settled, "it came back");
            assert!(clock_guard.is_trusted());
        }
    }

    #[test]
    fn a_smaller_jump_is_an_adjustment() {
        for to in [993, 1007] {
            let mut clock_guard = ClockGuard::new(1000 * DAY, &at(1000, 0));
            assert_eq!(clock_guard.observe(&at(to, 0)), Observation::Steady);
        }
    }

    #[test]
    fn a_new_course_that_lasts_a_week_is_believed() {
        let mut clock_guard = ClockGuard::new(1000 * DAY, &at(1000, 0));
        clock_guard.observe(&at(2000, 0));
        assert_eq!(clock_guard.observe(&at(2006, 6)), Observation::Steady);
        assert_eq!(clock_guard.observe(&at(2007, 7)), Observation::Settled);
        assert_eq!(clock_guard.observe(&at(2008, 8)), Observation::Steady);
    }

    #[test]
    fn a_databases_time_is_carried_on_by_the_steady_clock() {
        let clock = DatabaseClock::new();
        clock.resume_from(42_000);
        assert!((42_000..52_000).contains(&clock.now()));
    }
}
