//! Counted steps: work that grows faster than its input is found without a clock. A step is an edge of the
//! control flow of this workspace's crates, and of the generic code that they instantiate; `count.c` adds them
//! up over all processes of a test. `make test-growth` and `make test-fuzz` compile for it.

use std::fs;

/// The steps that all processes have taken so far. Zero where nothing is counted.
fn counted() -> u64 {
    let Some(path) = std::env::var_os("CANDOR_STEPS") else { return 0 };
    let bytes = fs::read(path).unwrap();
    u64::from_ne_bytes(bytes.try_into().unwrap())
}

/// A result, and the steps that were taken for it.
pub(crate) fn steps<T>(work: impl FnOnce() -> T) -> (T, u64) {
    let before = counted();
    let result = work();
    (result, counted() - before)
}

/// Steps that an input may take beside those for its bytes: what it is read into takes some too.
const START: u64 = 50_000_000;
/// Steps for each byte of an input. Work that grows with the square of 32 KiB takes more.
const EACH: u64 = 10_000;

/// Does the work of an input with so many bytes, and fails where it takes more steps than these allow.
pub(crate) fn bounded<T>(bytes: usize, work: impl FnOnce() -> T) -> T {
    let (result, taken) = steps(work);
    let allowed = START + EACH * bytes as u64;
    assert!(taken <= allowed, "{taken} steps for {bytes} bytes, where {allowed} are allowed");
    result
}

/// Does work of this size and of twice the size, and fails where twice the size takes more than 2.5 times the
/// steps: n log n stays below that, n² does not. What work of size 1 takes counts for none of them.
#[cfg(candor_steps)]
#[allow(dead_code, reason = "the suite of the sidecar has a rule of its own")]
pub(crate) fn grows_linearly(name: &str, size: usize, mut work: impl FnMut(usize)) {
    // The first run compiles tables that the process keeps.
    work(1);
    let mut steps_of = |size| steps(|| work(size)).1;
    let [constant, once, twice] = [1, size, 2 * size].map(&mut steps_of);
    let (once, twice) = (once.saturating_sub(constant), twice.saturating_sub(constant));
    assert!(constant > 0, "{name}: no steps were counted");
    let factor = twice as f64 / once.max(1) as f64;
    println!("{name}: {once} steps at {size}, {twice} at twice the size: {factor:.2} times");
    assert!(factor <= 2.5, "{name}: twice the size takes {factor:.2} times the steps");
}
