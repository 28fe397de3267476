//! Measures the stages of a command: its `tracing` spans, added up by name over all threads.

use std::{
    cell::RefCell,
    collections::BTreeMap,
    sync::{Arc, Mutex, PoisonError},
    time::{Duration, Instant},
};

use serde::Serialize;
use tracing::{Subscriber, span};
use tracing_subscriber::{
    layer::{Context, Layer, SubscriberExt},
    registry::LookupSpan,
    util::SubscriberInitExt,
};

/// The duration of one stage.
#[derive(Clone, Copy, Debug, Default, Serialize)]
pub struct Stage {
    /// The number of pieces of work.
    pub count: u64,
    /// Seconds of one thread, without the stages inside it.
    pub seconds: f64,
}

/// The stages of a command, by name.
#[derive(Clone, Debug, Default)]
pub struct Timings(Arc<Mutex<BTreeMap<&'static str, Stage>>>);

/// A span that a thread has entered.
struct Entered {
    started: Instant,
    /// Time that belongs to spans inside it.
    inside: Duration,
}

thread_local! {
    static ENTERED: RefCell<Vec<Entered>> = const { RefCell::new(Vec::new()) };
}

impl Timings {
    /// Measures from now on, all threads of this process.
    #[must_use]
    pub fn start() -> Self {
        let timings = Self::default();
        // Another subscriber stays: then nothing is measured.
        let _ = tracing_subscriber::registry().with(timings.clone()).try_init();
        timings
    }

    /// The stages so far, the longest first.
    #[must_use]
    pub fn stages(&self) -> Vec<(&'static str, Stage)> {
        let stages = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let mut stages: Vec<_> = stages.iter().map(|(name, stage)| (*name, *stage)).collect();
        stages.sort_by(|(_, a), (_, b)| b.seconds.total_cmp(&a.seconds));
        stages
    }
}

impl<S: Subscriber + for<'s> LookupSpan<'s>> Layer<S> for Timings {
    fn on_enter(&self, _: &span::Id, _: Context<'_, S>) {
        let entered = Entered { started: Instant::now(), inside: Duration::ZERO };
        ENTERED.with_borrow_mut(|spans| spans.push(entered));
    }

    fn on_exit(&self, id: &span::Id, context: Context<'_, S>) {
        let Some(span) = context.span(id) else { return };
        let own = ENTERED.with_borrow_mut(|spans| {
            let left = spans.pop()?;
            let whole = left.started.elapsed();
            if let Some(around) = spans.last_mut() {
                around.inside += whole;
            }
            Some(whole.saturating_sub(left.inside))
        });
        let mut stages = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let stage = stages.entry(span.name()).or_default();
        stage.count += 1;
        stage.seconds += own.unwrap_or_default().as_secs_f64();
    }
}
