//! The calls of one stage: those that wait in its queues, and those in progress.

use std::time::Duration;

use actix_web::rt::time::timeout;
use tokio::task::JoinSet;

use super::{
    client::CallOutcome,
    host_queues::{HostCall, HostQueues},
};

/// Calls `J` with results `T`.
pub(super) struct Calls<J, T> {
    queues: HostQueues<J>,
    in_progress: JoinSet<(J, CallOutcome<T>)>,
}

impl<J: HostCall + 'static, T: 'static> Calls<J, T> {
    pub(super) fn new(in_all: usize, by_host: usize) -> Self {
        Self { queues: HostQueues::new(in_all, by_host), in_progress: JoinSet::new() }
    }

    /// What waits and what may begin.
    pub(super) fn queues(&mut self) -> &mut HostQueues<J> {
        &mut self.queues
    }

    /// Begins a call that the queues handed out.
    pub(super) fn begin(
        &mut self,
        call: J,
        outcome: impl Future<Output = CallOutcome<T>> + 'static,
    ) {
        self.in_progress.spawn_local(async move { (call, outcome.await) });
    }

    /// Ends a call that the queues handed out and that is not made.
    pub(super) fn skip(&mut self, call: &J) {
        self.queues.done(call.host(), call.callback(), true);
    }

    /// The next call that ends; never ready while none is in progress. Cancel safe.
    pub(super) async fn ended(&mut self) -> (J, CallOutcome<T>) {
        loop {
            match self.in_progress.join_next().await {
                Some(Ok((call, outcome))) => {
                    self.queues.done(call.host(), call.callback(), outcome.had_response);
                    return (call, outcome);
                }
                Some(Err(error)) => tracing::error!(%error, "a call of the hub was aborted"),
                None => std::future::pending().await,
            }
        }
    }

    /// Waits this long for calls in progress. The calls that ended, and those that did not begin.
    pub(super) async fn stop(&mut self, wait: Duration) -> (Vec<(J, CallOutcome<T>)>, Vec<J>) {
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
