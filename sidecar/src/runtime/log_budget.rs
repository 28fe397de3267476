//! A limit on log lines that clients cause. Lines that are left out are counted in the next one, and the metrics count
//! all.

use std::{
    num::NonZeroU32,
    sync::atomic::{AtomicU64, Ordering::Relaxed},
};

use governor::{DefaultDirectRateLimiter, Quota, RateLimiter};

/// Maximum number of lines a minute, as many at once.
const LINES_BY_MINUTE: NonZeroU32 = NonZeroU32::new(120).unwrap();

/// The budget of lines of one kind.
#[derive(Debug)]
pub(crate) struct LogBudget {
    lines: DefaultDirectRateLimiter,
    left_out: AtomicU64,
}

/// The permission to write a line.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct LogLine {
    /// The number of lines that were left out since the last one, if any.
    pub(crate) left_out: Option<u64>,
}

impl Default for LogBudget {
    fn default() -> Self {
        let lines = RateLimiter::direct(Quota::per_minute(LINES_BY_MINUTE));
        Self { lines, left_out: AtomicU64::new(0) }
    }
}

impl LogBudget {
    /// Returns the permission for the next line, or `None` if it is to be left out.
    pub(crate) fn line(&self) -> Option<LogLine> {
        if self.lines.check().is_err() {
            self.left_out.fetch_add(1, Relaxed);
            return None;
        }
        let left_out = self.left_out.swap(0, Relaxed);
        Some(LogLine { left_out: (left_out > 0).then_some(left_out) })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_minute_has_so_many_lines_and_the_next_says_how_many_were_left_out() {
        let budget = LogBudget::default();
        let written = (0..1000).filter_map(|_| budget.line()).count();
        let limit = LINES_BY_MINUTE.get() as usize;
        assert!((limit..limit + 20).contains(&written), "{written}");
        assert_eq!(budget.left_out.load(Relaxed), 1000 - written as u64);
    }
}
