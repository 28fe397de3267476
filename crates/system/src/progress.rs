//! How far a long command has come.

/// Receives how far a command has come.
pub trait Progress: Sync {
    /// `done` of `total` units of work. The total is an estimate and may change.
    fn step(&self, done: usize, total: usize);
}

/// Nothing is reported.
impl Progress for () {
    fn step(&self, _: usize, _: usize) {}
}
