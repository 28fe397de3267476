//! The messages to the thread that keeps the snapshot current.

use std::sync::mpsc::Sender;

/// Starts a check by the reloading thread; without effect once the thread has ended.
#[derive(Clone, Debug)]
pub(crate) struct Waker(Sender<Signal>);

impl Waker {
    pub(crate) fn new(signals: Sender<Signal>) -> Self {
        Self(signals)
    }

    pub(crate) fn wake(&self) {
        // Fails only while stopping.
        let _ = self.0.send(Signal::Changed);
    }
}

/// What the reloading thread is sent.
#[derive(Debug)]
pub(crate) enum Signal {
    /// The source may have changed.
    Changed,
    /// The process ends.
    Stop,
}
