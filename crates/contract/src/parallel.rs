//! Runs independent work on every core.

use std::{
    convert::Infallible,
    sync::{
        Mutex,
        atomic::{AtomicUsize, Ordering},
    },
};

/// Many small items are taken in so many shares: a thread that has done its own takes another.
const SHARES: usize = 64;

/// Runs `work` for `0..count` on every core and gives the results in order, or the first error.
pub fn parallel<T: Send, E: Send>(
    count: usize,
    work: impl Fn(usize) -> Result<T, E> + Sync,
) -> Result<Vec<T>, E> {
    let next = AtomicUsize::new(0);
    let results = Mutex::new(Vec::with_capacity(count));
    let threads = std::thread::available_parallelism().map_or(1, usize::from).min(count.max(1));
    std::thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                loop {
                    let at = next.fetch_add(1, Ordering::Relaxed);
                    if at >= count {
                        return;
                    }
                    let result = work(at);
                    if result.is_err() {
                        next.store(count, Ordering::Relaxed);
                    }
                    results
                        .lock()
                        .unwrap_or_else(std::sync::PoisonError::into_inner)
                        .push((at, result));
                }
            });
        }
    });
    let mut results = results.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner);
    results.sort_by_key(|(at, _)| *at);
    results.into_iter().map(|(_, result)| result).collect()
}

/// Applies `work` to every item on every core and gives the results in order.
pub fn map<T: Sync, R: Send>(items: &[T], work: impl Fn(&T) -> R + Sync) -> Vec<R> {
    let shares: Vec<&[T]> = items.chunks(items.len().div_ceil(SHARES).max(1)).collect();
    let share = |at: usize| Ok::<_, Infallible>(shares[at].iter().map(&work).collect::<Vec<_>>());
    let Ok(results) = parallel(shares.len(), share);
    results.into_iter().flatten().collect()
}

/// Does two things at once where they are long enough for a thread, one after the other elsewhere.
pub fn both_if<A, B: Send>(
    is_long: bool,
    first: impl FnOnce() -> A,
    second: impl FnOnce() -> B + Send,
) -> (A, B) {
    if is_long { both(first, second) } else { (first(), second()) }
}

/// Does two things at once.
pub fn both<A, B: Send>(first: impl FnOnce() -> A, second: impl FnOnce() -> B + Send) -> (A, B) {
    std::thread::scope(|scope| {
        let second = scope.spawn(second);
        let first = first();
        (first, second.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)))
    })
}
