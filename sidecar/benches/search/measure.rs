//! Timing one thing again and again.

use std::{
    hint::black_box,
    time::{Duration, Instant},
};

/// More samples than this say nothing new.
const MOST_SAMPLES: usize = 2_000;

/// Fewer samples than this have no 99th percentile worth its name.
pub(crate) const FEW_SAMPLES: usize = 30;

#[derive(Clone, Copy)]
pub(crate) struct Times {
    pub(crate) p50: Duration,
    pub(crate) p99: Duration,
    pub(crate) samples: usize,
}

impl Times {
    /// Runs once to warm up, which is all if it takes longer than `within`, then until that time is
    /// over. Gives what the first run came to.
    pub(crate) fn of<T>(within: Duration, mut run: impl FnMut() -> T) -> (T, Self) {
        let start = Instant::now();
        let result = black_box(run());
        let first = start.elapsed();
        let mut samples = Vec::new();
        while start.elapsed() < within && samples.len() < MOST_SAMPLES {
            let before = Instant::now();
            black_box(run());
            samples.push(before.elapsed());
        }
        if samples.is_empty() {
            samples.push(first);
        }
        samples.sort_unstable();
        let at = |percent: usize| samples[(samples.len() - 1) * percent / 100];
        let times = Self { p50: at(50), p99: at(99), samples: samples.len() };
        (result, times)
    }

    pub(crate) fn p50_micros(&self) -> f64 {
        self.p50.as_secs_f64() * 1e6
    }

    pub(crate) fn p99_micros(&self) -> f64 {
        self.p99.as_secs_f64() * 1e6
    }
}
