//! Asks an endpoint about many reviews, within limits, and stores each answer when it comes.

use std::{
    collections::VecDeque,
    sync::{
        Mutex, PoisonError,
        atomic::{AtomicBool, AtomicUsize, Ordering},
    },
    time::{Duration, Instant},
};

use contract::model::{Review, ReviewId};
use jiff::civil::Date;

use super::{
    answer::{self, Fault, Judgement},
    chat::Reply,
    endpoint::{Address, Endpoint, Refusal, lock},
    prompt::{Asked, Prompt},
    select::{asked, row},
    store::{Store, StoreError},
};

/// Requests in a row without an answer that end a run: the server is gone or answers nothing.
const MAX_FAILURES: usize = 5;

/// The price of a million tokens of questions and of answers, in any currency.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Price(pub f64, pub f64);

impl Price {
    /// Returns the price of these tokens.
    pub fn of(self, (asked, answered): (u64, u64)) -> f64 {
        (asked as f64 * self.0 + answered as f64 * self.1) / 1e6
    }
}

/// The limits of a run.
#[derive(Clone, Debug)]
pub struct Limits {
    /// Reviews of a request.
    pub batch: usize,
    /// Requests at the same time.
    pub concurrency: usize,
    /// The time of one request and its response.
    pub timeout: Duration,
    /// The time after which no request begins.
    pub max_time: Option<Duration>,
    /// The price of tokens and the budget of the run; no request begins when that is used up.
    pub budget: Option<(Price, f64)>,
}

/// The model that a run uses.
#[derive(Clone, Debug)]
pub struct Respondent<'a> {
    /// The endpoint.
    pub address: &'a Address,
    /// The bearer token.
    pub key: Option<String>,
    /// The name of the model at the endpoint.
    pub model: &'a str,
}

/// The counts of a run.
#[derive(Clone, Debug, Default)]
pub struct Tally {
    /// Reviews whose judgement was stored.
    pub judged: usize,
    /// Opinions that were stored.
    pub opinions: usize,
    /// Opinions of these with a quote that was not copied character by character.
    pub mended: usize,
    /// Opinions that were dropped.
    pub dropped: usize,
    /// Reviews that are left to the built-in reader, and why.
    pub left: Vec<(ReviewId, Fault)>,
    /// Tokens of questions and answers, as counted by the server or estimated.
    pub tokens: (u64, u64),
}

impl Tally {
    /// Counts a judgement that is stored.
    fn add(&mut self, judgement: &Judgement) {
        self.judged += 1;
        self.opinions += judgement.opinions.len();
        self.mended += judgement.mended;
        self.dropped += judgement.dropped;
    }
}

/// The reason why no further request began.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Stop {
    /// A limit of the owner was reached.
    Limit(String),
    /// The server failed, or the run was interrupted.
    Failure(String),
}

/// The result of a run.
#[derive(Debug, Default)]
pub struct Ended {
    /// The counts of judged reviews and of those left out.
    pub tally: Tally,
    /// The reason why the rest of the reviews was not judged.
    pub stopped: Option<Stop>,
    /// The error because of which a row could not be written.
    pub failed: Option<StoreError>,
}

struct Shared<'a> {
    prompt: &'a Prompt,
    model: &'a str,
    date: Date,
    endpoint: Endpoint<'a>,
    limits: &'a Limits,
    deadline: Option<Instant>,
    interrupted: &'a AtomicBool,
    store: Mutex<&'a mut Store>,
    ended: Mutex<Ended>,
    failures: AtomicUsize,
    step: &'a (dyn Fn() + Sync),
}

/// Asks about reviews. What fails is asked again once, each review alone. `step` is called when a review
/// is done.
pub fn run(
    (prompt, date): (&Prompt, Date),
    reviews: &[&Review],
    respondent: &Respondent<'_>,
    limits: &Limits,
    store: &mut Store,
    interrupted: &AtomicBool,
    step: &(dyn Fn() + Sync),
) -> Ended {
    let deadline = limits.max_time.map(|time| Instant::now() + time);
    let is_over =
        || interrupted.load(Ordering::Relaxed) || deadline.is_some_and(|end| Instant::now() >= end);
    let Respondent { address, key, model } = respondent;
    let endpoint = Endpoint::new((*address).clone(), key.clone(), limits.timeout, &is_over);
    let (store, ended) = (Mutex::new(store), Mutex::default());
    let failures = AtomicUsize::new(0);
    let shared = Shared {
        prompt,
        model,
        date,
        endpoint,
        limits,
        deadline,
        interrupted,
        store,
        ended,
        failures,
        step,
    };
    let first = reviews.chunks(limits.batch).map(<[&Review]>::to_vec);
    let failed = shared.ask_all(first.collect(), &|_, _| false);
    let alone = failed.into_iter().map(|review| vec![review]);
    shared.ask_all(alone.collect(), &|review, fault| shared.leave(review, fault));
    shared.ended.into_inner().unwrap_or_else(PoisonError::into_inner)
}

impl Shared<'_> {
    /// Sends all requests and returns the reviews without a judgement. `leave` takes one for good.
    fn ask_all<'r>(
        &self,
        requests: VecDeque<Vec<&'r Review>>,
        leave: &(dyn Fn(&Review, &Fault) -> bool + Sync),
    ) -> Vec<&'r Review> {
        let workers = self.limits.concurrency.min(requests.len());
        let (requests, failed) = (Mutex::new(requests), Mutex::new(Vec::new()));
        std::thread::scope(|scope| {
            for _ in 0..workers {
                scope.spawn(|| {
                    loop {
                        let Some(reviews) = lock(&requests).pop_front() else { return };
                        if !self.may_go_on() {
                            return;
                        }
                        let faults = self.ask(&reviews);
                        for (review, fault) in faults {
                            if !leave(review, &fault) {
                                lock(&failed).push(review);
                            }
                        }
                    }
                });
            }
        });
        failed.into_inner().unwrap_or_else(PoisonError::into_inner)
    }

    /// Asks about some reviews and stores the judgements. The reviews without one, and why.
    fn ask<'r>(&self, reviews: &[&'r Review]) -> Vec<(&'r Review, Fault)> {
        let questions: Vec<Asked<'_>> = reviews.iter().map(|review| asked(review)).collect();
        let body = |form| self.prompt.body(self.model, &questions, form);
        let all = |fault: Fault| reviews.iter().map(|review| (*review, fault.clone())).collect();
        let Reply { content, usage } = match self.endpoint.ask(&body) {
            Ok(reply) => reply,
            Err(Refusal::Request(fault)) => {
                match &fault {
                    Fault::NoAnswer(reason) => self.count_failure(reason),
                    _ => self.count_tokens(self.prompt.tokens(&questions)),
                }
                return all(fault);
            }
            Err(Refusal::Run(reason)) => {
                self.stop(Stop::Failure(reason));
                return Vec::new();
            }
            Err(Refusal::Stopped) => {
                // Notes why.
                self.may_go_on();
                return Vec::new();
            }
        };
        self.failures.store(0, Ordering::Relaxed);
        self.count_tokens(usage.unwrap_or_else(|| self.prompt.tokens(&questions)));
        let texts: Vec<&str> = questions.iter().map(|question| question.text).collect();
        let checked = answer::check(&content, &texts, &self.prompt.aspects);
        self.record(reviews, checked)
    }

    fn record<'r>(
        &self,
        reviews: &[&'r Review],
        checked: Vec<Result<Judgement, Fault>>,
    ) -> Vec<(&'r Review, Fault)> {
        let (mut rows, mut judged, mut faults) = (Vec::new(), Vec::new(), Vec::new());
        for (review, checked) in reviews.iter().zip(checked) {
            match checked {
                Ok(judgement) => {
                    rows.push(row(review, &judgement.opinions, self.model, self.date));
                    judged.push(judgement);
                }
                Err(fault) => faults.push((*review, fault)),
            }
        }
        match lock(&self.store).append(&rows) {
            Ok(()) => {
                let mut ended = lock(&self.ended);
                judged.iter().for_each(|judgement| ended.tally.add(judgement));
                drop(ended);
                rows.iter().for_each(|_| (self.step)());
            }
            Err(error) => lock(&self.ended).failed = Some(error),
        }
        faults
    }

    fn leave(&self, review: &Review, fault: &Fault) -> bool {
        lock(&self.ended).tally.left.push((review.id, fault.clone()));
        (self.step)();
        true
    }

    fn count_failure(&self, reason: &str) {
        if self.failures.fetch_add(1, Ordering::Relaxed) + 1 >= MAX_FAILURES {
            self.stop(Stop::Failure(format!(
                "{MAX_FAILURES} requests in a row had no answer, the last one because of: {reason}; look whether the server runs at that address, allow more time with --timeout, or ask less at a time with --batch 1"
            )));
        }
    }

    fn count_tokens(&self, (asked, answered): (u64, u64)) {
        let tokens = &mut lock(&self.ended).tally.tokens;
        *tokens = (tokens.0.saturating_add(asked), tokens.1.saturating_add(answered));
    }

    fn stop(&self, stop: Stop) {
        lock(&self.ended).stopped.get_or_insert(stop);
    }

    /// Whether another request may begin.
    fn may_go_on(&self) -> bool {
        let is_late = self.deadline.is_some_and(|end| Instant::now() >= end);
        let ended = lock(&self.ended);
        let is_spent = self
            .limits
            .budget
            .is_some_and(|(price, budget)| price.of(ended.tally.tokens) >= budget);
        let goes_on = ended.stopped.is_none() && ended.failed.is_none();
        drop(ended);
        let stop = match () {
            () if self.interrupted.load(Ordering::Relaxed) => {
                Stop::Failure("the command was interrupted".to_owned())
            }
            () if is_late => Stop::Limit("the time of --max-time is over".to_owned()),
            () if is_spent => Stop::Limit("the --budget is used up".to_owned()),
            () => return goes_on,
        };
        self.stop(stop);
        false
    }
}
