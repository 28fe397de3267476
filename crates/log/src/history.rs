//! The entries replayed: what the log says of each review.

mod transition;

use std::collections::BTreeMap;

use contract::model::{ReviewId, WithheldReason};
use jiff::Timestamp;

use crate::{
    entry::{Entry, Event},
    set::Set,
    standing::Standing,
};

/// The state of a review in the log.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Logged {
    /// The state after the last entry.
    pub standing: Standing,
    /// The index of its first leaf.
    pub first: u64,
    /// The time of its first leaf.
    pub since: Timestamp,
    /// The time of its first leaf with a hash of its content: `published`, or `restored` if it was
    /// withheld before. `None` if there is no such leaf.
    pub published: Option<Timestamp>,
    /// The index of its last leaf.
    pub last: u64,
    /// The time of its last leaf.
    pub changed: Timestamp,
}

/// A leaf cannot follow the leaves before it.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("entry {leaf} of the log {reason}")]
pub struct HistoryError {
    /// The index of the leaf.
    pub leaf: u64,
    /// Whether the leaf is an entry, which contradicts earlier ones.
    pub is_entry: bool,
    reason: String,
}

/// The entries replayed in their order.
#[derive(Clone, Debug, Default)]
pub struct History {
    reviews: BTreeMap<ReviewId, Logged>,
    set: Option<Set>,
    /// The leaf of the set, and its time.
    set_at: Option<(u64, Timestamp)>,
    size: u64,
    since: Option<Timestamp>,
    last_at: Option<Timestamp>,
    events: BTreeMap<&'static str, u64>,
    published: u64,
    withheld: BTreeMap<WithheldReason, u64>,
}

impl History {
    /// Replays leaves.
    ///
    /// # Errors
    ///
    /// At the first leaf that cannot be read or contradicts those before it.
    pub fn from_leaves<L: AsRef<[u8]>>(
        leaves: impl IntoIterator<Item = L>,
    ) -> Result<Self, HistoryError> {
        let mut history = Self::default();
        for leaf in leaves {
            history.add_leaf(leaf.as_ref())?;
        }
        Ok(history)
    }

    /// Adds a leaf, and returns its entry. An error leaves the history as it was.
    ///
    /// # Errors
    ///
    /// If it cannot be read or contradicts the leaves before it.
    pub fn add_leaf(&mut self, leaf: &[u8]) -> Result<Entry, HistoryError> {
        let entry = Entry::from_leaf(leaf).map_err(|error| HistoryError {
            leaf: self.size,
            is_entry: false,
            reason: error.to_string(),
        })?;
        self.add(&entry)?;
        Ok(entry)
    }

    /// Adds an entry. An error leaves the history as it was.
    ///
    /// # Errors
    ///
    /// If the entry contradicts those before it.
    pub fn add(&mut self, entry: &Entry) -> Result<(), HistoryError> {
        if let Some(before) = self.last_at.filter(|before| entry.at < *before) {
            return Err(self.contradiction(format!(
                "has the time {}, which is earlier than {before} of the entry before it",
                entry.at
            )));
        }
        match &entry.event {
            Event::Set(set) => {
                self.check_counts(set)?;
                self.set = Some(set.clone());
                self.set_at = Some((self.size, entry.at));
            }
            event => self.add_event(event, entry.at)?,
        }
        *self.events.entry(entry.event.word()).or_default() += 1;
        self.size += 1;
        self.since.get_or_insert(entry.at);
        self.last_at = Some(entry.at);
        Ok(())
    }

    fn contradiction(&self, reason: String) -> HistoryError {
        HistoryError { leaf: self.size, is_entry: true, reason }
    }

    fn add_event(&mut self, event: &Event, at: Timestamp) -> Result<(), HistoryError> {
        let Some(review) = event.review() else { return Ok(()) };
        let before = self.reviews.get(&review).copied();
        let standing = before.map(|logged| logged.standing);
        let next = transition::next(event, standing).ok_or_else(|| {
            self.contradiction(transition::contradiction(review, event, standing))
        })?;
        self.count(standing, next);
        let (first, since) = before.map_or((self.size, at), |logged| (logged.first, logged.since));
        let is_public = matches!(next, Standing::Published { .. });
        let published = before.and_then(|logged| logged.published);
        let published = published.or(is_public.then_some(at));
        let last = self.size;
        let logged = Logged { standing: next, first, since, published, last, changed: at };
        self.reviews.insert(review, logged);
        Ok(())
    }

    fn count(&mut self, before: Option<Standing>, next: Standing) {
        match before {
            Some(Standing::Published { .. }) => self.published -= 1,
            Some(Standing::Withheld { reason, .. }) => {
                let count = self.withheld.entry(reason).or_default();
                *count = count.saturating_sub(1);
                self.withheld.retain(|_, count| *count > 0);
            }
            _ => {}
        }
        match next {
            Standing::Published { .. } => self.published += 1,
            Standing::Withheld { reason, .. } => *self.withheld.entry(reason).or_default() += 1,
            _ => {}
        }
    }

    fn check_counts(&self, set: &Set) -> Result<(), HistoryError> {
        let check = |what: &str, said: u64, counted: u64| {
            (said == counted).then_some(()).ok_or_else(|| {
                self.contradiction(format!(
                    "counts {said} for {what}; the entries before it give {counted}"
                ))
            })
        };
        check("published reviews", set.reviews, self.published)?;
        let by_stars = set.by_rating.iter().fold(0, |sum: u64, count| sum.saturating_add(*count));
        check("published reviews by their stars", by_stars, self.published)?;
        for reason in set.withheld.keys().chain(self.withheld.keys()) {
            let count = |counts: &BTreeMap<_, u64>| counts.get(reason).copied().unwrap_or(0);
            let what = format!("reviews withheld as {reason}");
            check(&what, count(&set.withheld), count(&self.withheld))?;
        }
        Ok(())
    }

    /// The state of a review in the log; `None` if the log does not mention it.
    #[must_use]
    pub fn review(&self, id: ReviewId) -> Option<&Logged> {
        self.reviews.get(&id)
    }

    /// Every review that the log mentions, sorted by id.
    pub fn reviews(&self) -> impl Iterator<Item = (&ReviewId, &Logged)> {
        self.reviews.iter()
    }

    /// The last set that was logged.
    #[must_use]
    pub fn last_set(&self) -> Option<&Set> {
        self.set.as_ref()
    }

    /// The index and the time of the leaf of the last set.
    #[must_use]
    pub fn last_set_at(&self) -> Option<(u64, Timestamp)> {
        self.set_at
    }

    /// The number of entries.
    #[must_use]
    pub fn size(&self) -> u64 {
        self.size
    }

    /// The time of the first entry.
    #[must_use]
    pub fn since(&self) -> Option<Timestamp> {
        self.since
    }

    /// The time of the last entry.
    #[must_use]
    pub fn last_at(&self) -> Option<Timestamp> {
        self.last_at
    }

    /// The number of entries by the word of their event; events that do not occur are left out.
    #[must_use]
    pub fn events(&self) -> &BTreeMap<&'static str, u64> {
        &self.events
    }

    /// The number of withheld reviews by reason; reasons that do not occur are left out.
    #[must_use]
    pub fn withheld(&self) -> &BTreeMap<WithheldReason, u64> {
        &self.withheld
    }

    /// The set of the standings now. `by_rating` counts the published reviews by stars.
    #[must_use]
    pub fn current_set(&self, by_rating: [u64; 5]) -> Set {
        Set::of(self.reviews.iter().map(|(id, logged)| (id, &logged.standing)), by_rating)
    }
}
