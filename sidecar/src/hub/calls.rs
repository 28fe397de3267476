//! The calls of one stage: those that wait in its queues, and those in progress.

use std::time::Duration;

use tokio::task::JoinSet;

use super::{
    client::CallOutcome,
    host_queues::{HostCall, HostQueues},
    timer::timeout,
};

/// Calls of type `J` with results `T`.
pub(super) struct Calls<J, T> {
    queues: HostQueues<J>,
    in_progress: JoinSet<(J, CallOutcome<T>)>,
}

impl<J: HostCall + 'static, T: 'static> Calls<J, T> {
    pub(super) fn new(in_all: usize, by_host: usize) -> Self {
        Self { queues: HostQueues::new(in_all, by_host), in_progress: JoinSet::new() }
    }

    /// Returns the calls that wait and may begin.
    pub(super) fn queues(&mut self) -> &mut HostQueues<J> {
        &mut self.queues
    }

    /// Begins a call that the queues returned.
    pub(super) fn begin(
        &mut self,
        call: J,
        outcome: impl Future<Output = CallOutcome<T>> + 'static,
    ) {
        self.in_progress.spawn_local(async move { (call, outcome.await) });
    }

    /// Ends a call that the queues returned and that is not made.
    pub(super) fn skip(&mut self, call: &J) {
        self.queues.done(call, true);
    }

    /// Returns the calls that have ended, at least one; never ready while none is in progress. They are returned
    /// together, because the stage claims more after every turn. Cancel safe.
    pub(super) async fn ended(&mut self) -> Vec<(J, CallOutcome<T>)> {
        let mut ended = Vec::new();
        while ended.is_empty() {
            let Some(first) = self.in_progress.join_next().await else {
                std::future::pending().await
            };
            let mut next = Some(first);
            while let Some(result) = next {
                match result {
                    Ok((call, outcome)) => {
                        self.queues.done(&call, outcome.had_response);
                        ended.push((call, outcome));
                    }
                    Err(error) => tracing::error!(%error, "a call of the hub was aborted"),
                }
                next = self.in_progress.try_join_next();
            }
        }
        ended
    }

    /// Waits this long for calls in progress. Returns the calls that ended, and those that did not begin.
    pub(super) async fn stop(&mut self, wait: Duration) -> (Vec<(J, CallOutcome<T>)>, Vec<J>) {
        let (waiting, mut ended) = (self.queues.drain(), Vec::new());
        let all = async {
            while !self.in_progress.is_empty() {
                ended.extend(self.ended().await);
            }
        };
        // The claims of calls that take longer expire.
        let _ = timeout(wait, all).await;
        (ended, waiting)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Call(&'static str);

    impl HostCall for Call {
        fn host(&self) -> &str {
            "host"
        }
        fn callback(&self) -> &str {
            self.0
        }
        fn site(&self) -> &str {
            ""
        }
    }

    /// A stage that took one call per turn would claim from the store after each of 10,000.
    #[actix_web::test]
    async fn calls_that_have_ended_are_taken_together() {
        let mut calls = Calls::new(8, 8);
        for callback in ["1", "2", "3"] {
            assert!(calls.queues().enqueue(Call(callback)).is_ok());
        }
        while let Some(call) = calls.queues().next() {
            let outcome = CallOutcome { result: (), error: None, had_response: true };
            calls.begin(call, async move { outcome });
        }
        // All of them end before this test has its next turn.
        actix_web::rt::task::yield_now().await;
        assert_eq!(calls.ended().await.len(), 3);
        assert!(calls.queues().is_idle());
    }
}
