//! Receives the progress of a long command.

/// A receiver of the progress of a command.
pub trait Progress: Sync {
    /// `done` of `total` units of work. The total is an estimate and may change.
    fn step(&self, done: usize, total: usize);
}

/// Reports nothing.
impl Progress for () {
    fn step(&self, _: usize, _: usize) {}
}
