//! The calls of one stage: those that wait in its queues, and those in progress.

use std::time::Duration;

use actix_web::rt::time::timeout;
use tokio::task::JoinSet;

use super::{
    client::Outcome,
    lanes::{Job, Lanes},
};

/// Calls `J` with results `T`.
pub(super) struct Calls<J, T> {
    queues: Lanes<J>,
    in_progress: JoinSet<(J, Outcome<T>)>,
}

impl<J: Job + 'static, T: 'static> Calls<J, T> {
    pub(super) fn new(in_all: usize, by_host: usize) -> Self {
        Self { queues: Lanes::new(in_all, by_host), in_progress: JoinSet::new() }
    }

    /// What waits and what may begin.
    pub(super) fn queues(&mut self) -> &mut Lanes<J> {
        &mut self.queues
    }

    /// Begins a call that the queues handed out.
    pub(super) fn begin(&mut self, job: J, call: impl Future<Output = Outcome<T>> + 'static) {
        self.in_progress.spawn_local(async move { (job, call.await) });
    }

    /// Ends a call that the queues handed out and that is not made.
    pub(super) fn skip(&mut self, job: &J) {
        self.queues.done(job.host(), job.callback(), true);
    }

    /// The next call that ends; never ready while none is in progress. Cancel safe.
    pub(super) async fn ended(&mut self) -> (J, Outcome<T>) {
        loop {
            match self.in_progress.join_next().await {
                Some(Ok((job, outcome))) => {
                    self.queues.done(job.host(), job.callback(), outcome.was_answered);
                    return (job, outcome);
                }
                Some(Err(error)) => tracing::error!(%error, "a call of the hub was aborted"),
                None => std::future::pending().await,
            }
        }
    }

    /// Waits this long for calls in progress. The calls that ended, and those that did not begin.
    pub(super) async fn stop(&mut self, wait: Duration) -> (Vec<(J, Outcome<T>)>, Vec<J>) {
        let (waiting, mut ended) = (self.queues.drain(), Vec::new());
        let all = async {
            while !self.in_progress.is_empty() {
                ended.push(self.ended().await);
            }
        };
        // The claims of calls that take longer expire.
        let _ = timeout(wait, all).await;
        (ended, waiting)
    }
}
