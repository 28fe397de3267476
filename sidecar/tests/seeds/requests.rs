//! The requests of a history to subscribe and to unsubscribe, and their responses.

use std::time::Duration;

use tokio::sync::oneshot;

use super::{
    publications::{TOPICS, site_name},
    timer::now,
    world::World,
};
use crate::hub::{
    request::{SubscriptionMode, SubscriptionRequest},
    secrets::Secret,
    store::RequestOutcome,
    subscription::Effect,
    verify::Submission,
};

/// The time that a client waits for the response to a request.
const REQUEST_TIMEOUT: Duration = Duration::from_secs(8);

/// A request of a pair whose response is awaited.
pub(super) struct Request {
    pair: usize,
    process: u32,
    until: Duration,
    reply: oneshot::Receiver<RequestOutcome>,
}

impl World<'_> {
    /// Whoever waits for the response of this process never gets it.
    pub(super) fn lose_requests(&mut self, process: u32) {
        let (lost, kept) =
            std::mem::take(&mut self.requests).into_iter().partition(|it| it.process == process);
        self.requests = kept;
        let lost: Vec<Request> = lost;
        lost.iter().for_each(|request| self.answer(request.pair, None));
    }

    /// Sends the next request of a pair.
    pub(super) fn ask(
        &mut self,
        place: usize,
        pair: usize,
        mode: SubscriptionMode,
        lease: Option<u64>,
    ) {
        let Some(process) = &self.processes[place] else { return };
        if !process.shared.health.is_writable() || self.outside.borrow().pairs[pair].is_asking {
            return;
        }
        let outside = &mut *self.outside.borrow_mut();
        let asked = outside.pairs[pair].ask(mode, lease);
        let known = &outside.pairs[pair];
        let path = TOPICS[known.topic];
        let (reply, replied) = oneshot::channel();
        let submission = Submission {
            site: site_name(self.has_list, known.site),
            network: format!("192.0.{}.0/24", pair % 2),
            request: SubscriptionRequest {
                mode,
                path: path.to_owned(),
                topic_url: format!("https://site{}.example/{path}", known.site),
                callback: known.parsed_callback(),
                secret: asked.secret.map(Secret::new),
                lease: Duration::from_secs(asked.lease),
            },
            reply,
        };
        let process = process.number;
        outside.line(format_args!("pair {pair} asks hub {process} to {}", mode.as_str()));
        let until = now() + REQUEST_TIMEOUT;
        self.requests.push(Request { pair, process, until, reply: replied });
        if let Some(process) = &self.processes[place] {
            // Fails once it has stopped: then there is no response.
            let _ = process.submissions.try_send(submission);
        }
    }

    fn answer(&self, pair: usize, outcome: Option<RequestOutcome>) {
        let outside = &mut *self.outside.borrow_mut();
        let effect = match outcome {
            Some(RequestOutcome::Recorded(effect)) => Some(effect),
            // Nothing changed.
            Some(_) => Some(Effect::Nothing),
            None => None,
        };
        let newest = self.newest[outside.pairs[pair].site];
        outside.pairs[pair].answered(effect, newest);
        outside.count(if outcome.is_some() { "requests" } else { "requests without a response" });
        let expected = outside.pairs[pair].expected;
        outside.line(format_args!("pair {pair} is answered {outcome:?}: {expected:?}"));
    }

    pub(super) fn receive_answers(&mut self) {
        let mut requests = std::mem::take(&mut self.requests);
        requests.retain_mut(|request| {
            let outcome = match request.reply.try_recv() {
                Ok(outcome) => Some(outcome),
                Err(oneshot::error::TryRecvError::Empty) if now() < request.until => return true,
                Err(_) => None,
            };
            self.answer(request.pair, outcome);
            false
        });
        self.requests = requests;
    }
}
