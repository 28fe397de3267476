//! Runs jobs on all cores.

use std::{
    num::NonZero,
    panic::resume_unwind,
    sync::{Mutex, PoisonError},
    thread,
};

/// Runs the jobs on as many threads as there are cores; the results come in the jobs' order.
pub(super) fn run<T: Send, F: FnOnce() -> T + Send>(jobs: Vec<F>) -> Vec<T> {
    let threads = threads().min(jobs.len());
    if threads < 2 {
        return jobs.into_iter().map(|job| job()).collect();
    }
    let queue = Mutex::new(jobs.into_iter().enumerate());
    let next = || queue.lock().unwrap_or_else(PoisonError::into_inner).next();
    let work = || {
        let mut done = Vec::new();
        while let Some((number, job)) = next() {
            done.push((number, job()));
        }
        done
    };
    let mut done = thread::scope(|scope| {
        let workers: Vec<_> = (0..threads).map(|_| scope.spawn(work)).collect();
        let joined = workers.into_iter().map(|worker| worker.join());
        joined
            .flat_map(|done| done.unwrap_or_else(|panic| resume_unwind(panic)))
            .collect::<Vec<_>>()
    });
    done.sort_unstable_by_key(|(number, _)| *number);
    done.into_iter().map(|(_, result)| result).collect()
}

/// How many jobs run at once.
pub(super) fn threads() -> usize {
    thread::available_parallelism().map_or(1, NonZero::get)
}
