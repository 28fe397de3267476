//! How far a build has come, by its work: a page takes a millisecond, a large document compressed at
//! the slowest level seconds.

use std::sync::{Mutex, PoisonError};

use contract::compress::{self, Effort};
use contract::manifest::Coding;

use system::progress::Progress;

/// Nanoseconds to render a byte of a page with its templates.
const RENDER_BYTE: u64 = 40;
/// Nanoseconds to write and hash a document of whatever size.
const DOCUMENT: u64 = 100_000;
/// Nanoseconds a document takes before the first one is done.
const FIRST_GUESS: u64 = 2_000_000;

/// The work of a build in nanoseconds of one core; an estimate, since sizes are known only once the
/// documents are rendered.
pub(super) struct Work<'p> {
    progress: &'p dyn Progress,
    state: Mutex<WorkState>,
}

#[derive(Default)]
struct WorkState {
    done: u64,
    /// Codings of documents that are rendered.
    waiting: u64,
    rendered: u64,
    documents: u64,
}

/// The work of rendering a document.
pub(super) fn of_rendering(length: u64) -> u64 {
    DOCUMENT + length * RENDER_BYTE
}

/// The work of compressing a document.
pub(super) fn of_coding(effort: Effort, coding: Coding, length: u64) -> u64 {
    length * compress::nanoseconds_per_byte(effort, coding, length)
}

impl<'p> Work<'p> {
    pub(super) fn new(documents: usize, progress: &'p dyn Progress) -> Self {
        let state = WorkState { documents: documents as u64, ..WorkState::default() };
        Self { progress, state: Mutex::new(state) }
    }

    /// A document is rendered; `waiting` is the work of its codings that are still to be made.
    pub(super) fn rendered(&self, done: u64, waiting: u64) {
        self.update(|state| {
            state.rendered += 1;
            state.done += done;
            state.waiting += waiting;
        });
    }

    /// A coding that was waiting is made.
    pub(super) fn coded(&self, work: u64) {
        self.update(|state| {
            state.done += work;
            state.waiting = state.waiting.saturating_sub(work);
        });
    }

    fn update(&self, change: impl FnOnce(&mut WorkState)) {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        change(&mut state);
        let total = state.done + state.waiting + state.unrendered();
        let steps = |work: u64| usize::try_from(work).unwrap_or(usize::MAX);
        self.progress.step(steps(state.done), steps(total));
    }
}

impl WorkState {
    /// The documents to come, as large as those so far. Data comes first, so that these are pages.
    fn unrendered(&self) -> u64 {
        let mean = self.done.checked_div(self.rendered).unwrap_or(FIRST_GUESS);
        (self.documents - self.rendered) * mean
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Default)]
    struct Shares(Mutex<Vec<f64>>);

    impl Progress for Shares {
        fn step(&self, done: usize, total: usize) {
            self.0.lock().unwrap().push(done as f64 / total as f64);
        }
    }

    #[test]
    fn the_bar_counts_work_and_not_files() {
        let shares = Shares::default();
        let work = Work::new(1_001, &shares);
        // One document whose codings take as long as all pages together.
        work.rendered(1_000, 10_000_000);
        (0..1_000).for_each(|_| work.rendered(10_000, 0));
        let at_half = *shares.0.lock().unwrap().last().unwrap();
        assert!((0.49..0.51).contains(&at_half), "all but three of 1,004 files: {at_half}");
        (0..2).for_each(|_| work.coded(5_000_000));
        let shares = shares.0.into_inner().unwrap();
        assert_eq!(shares.last(), Some(&1.0));
        assert!(shares.is_sorted_by(|a, b| *a <= *b + 0.001), "the bar does not go back");
    }

    #[test]
    fn the_slowest_levels_weigh_most() {
        let of = |effort, coding| of_coding(effort, coding, 50_000);
        assert!(of(Effort::Best, Coding::Brotli) > 5 * of(Effort::Quick, Coding::Brotli));
        assert_eq!(of(Effort::None, Coding::Brotli), 0);
    }
}
