//! Timers of simulated time: it stands still until [`advance_to`], so that nothing depends on the machine.

use std::{
    cell::RefCell,
    collections::BTreeMap,
    future::poll_fn,
    ops::Add,
    pin::{Pin, pin},
    task::{Context, Poll, Waker},
    time::Duration,
};

thread_local! {
    static TIMERS: RefCell<Timers> = RefCell::default();
}

#[derive(Default)]
struct Timers {
    now: Duration,
    made: u64,
    due: BTreeMap<(Duration, u64), Waker>,
}

/// A moment of simulated time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Instant(Duration);

impl Instant {
    pub(crate) fn now() -> Self {
        Self(now())
    }
}

impl Add<Duration> for Instant {
    type Output = Self;

    fn add(self, wait: Duration) -> Self {
        Self(self.0 + wait)
    }
}

/// Ends the timers of an earlier history.
pub(super) fn begin() {
    TIMERS.take();
}

pub(super) fn now() -> Duration {
    TIMERS.with_borrow(|timers| timers.now)
}

/// Returns the time of the next timer.
pub(super) fn next_due() -> Option<Duration> {
    TIMERS.with_borrow(|timers| timers.due.keys().next().map(|(due, _)| *due))
}

/// Lets time pass until this moment, and wakes whoever waited for a moment until then.
pub(super) fn advance_to(moment: Duration) {
    let woken = TIMERS.with_borrow_mut(|timers| {
        timers.now = timers.now.max(moment);
        let later = timers.due.split_off(&(timers.now, u64::MAX));
        std::mem::replace(&mut timers.due, later)
    });
    woken.into_values().for_each(Waker::wake);
}

pub(crate) struct Sleep {
    until: Duration,
    key: Option<(Duration, u64)>,
}

impl Future for Sleep {
    type Output = ();

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<()> {
        let until = self.until;
        let key = self.key;
        let registered = TIMERS.with_borrow_mut(|timers| {
            if timers.now >= until {
                return None;
            }
            let key = key.unwrap_or_else(|| {
                timers.made += 1;
                (until, timers.made)
            });
            timers.due.insert(key, context.waker().clone());
            Some(key)
        });
        match registered {
            Some(_) => {
                self.key = registered;
                Poll::Pending
            }
            None => Poll::Ready(()),
        }
    }
}

impl Drop for Sleep {
    fn drop(&mut self) {
        if let Some(key) = self.key {
            TIMERS.with_borrow_mut(|timers| timers.due.remove(&key));
        }
    }
}

pub(crate) fn sleep_until(moment: Instant) -> Sleep {
    Sleep { until: moment.0, key: None }
}

pub(crate) async fn timeout<F: Future>(wait: Duration, future: F) -> Result<F::Output, ()> {
    let (mut future, mut end) = (pin!(future), pin!(sleep_until(Instant::now() + wait)));
    poll_fn(|context| {
        if let Poll::Ready(output) = future.as_mut().poll(context) {
            return Poll::Ready(Ok(output));
        }
        end.as_mut().poll(context).map(Err)
    })
    .await
}

/// Only [`MissedTickBehavior::Delay`] is simulated.
pub(crate) enum MissedTickBehavior {
    Delay,
}

pub(crate) struct Interval {
    next: Instant,
    period: Duration,
}

pub(crate) fn interval(period: Duration) -> Interval {
    Interval { next: Instant::now(), period }
}

impl Interval {
    pub(crate) async fn tick(&mut self) -> Instant {
        sleep_until(self.next).await;
        self.next = Instant::now() + self.period;
        self.next
    }

    pub(crate) fn set_missed_tick_behavior(&mut self, _: MissedTickBehavior) {}
}
