//! Work on many items in parts, one for each core. The number of parts does not affect the result.

/// The minimum number of items per thread.
const SHARE: usize = 500;

/// The number of threads: the number of cores, or fewer for few items.
pub(crate) fn threads(items: usize) -> usize {
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    cores.min(items.div_ceil(SHARE)).max(1)
}

/// Divides the items into as many parts as there are threads, and returns the results in order. `work`
/// gets the number of the first item of its part.
pub(crate) fn in_parts<'t, T: Sync, R: Send>(
    items: &'t [T],
    threads: usize,
    work: impl Fn(usize, &'t [T]) -> R + Sync,
) -> Vec<R> {
    let share = items.len().div_ceil(threads.max(1)).max(1);
    let work = &work;
    std::thread::scope(|scope| {
        let parts = items.chunks(share).enumerate();
        let workers: Vec<_> =
            parts.map(|(at, part)| scope.spawn(move || work(at * share, part))).collect();
        let join = |worker: std::thread::ScopedJoinHandle<'_, R>| {
            worker.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
        };
        workers.into_iter().map(join).collect()
    })
}
