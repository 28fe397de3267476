//! How many answers may be under way at once. What comes on top is told to come back, at once:
//! waiting would only make everybody slow.

use std::sync::Arc;

use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use super::problem::RequestProblem;
use crate::limits::LARGE_RESPONSE;

/// Places for answers, and among them for large ones.
#[derive(Debug)]
pub(crate) struct Gate {
    answers: Arc<Semaphore>,
    large: Arc<Semaphore>,
}

/// Held until the answer's last byte is handed to the connection, or the connection is gone.
#[derive(Debug)]
pub(crate) struct Permit {
    _answer: OwnedSemaphorePermit,
    large: Option<OwnedSemaphorePermit>,
}

impl Gate {
    /// With places for this many answers, and for this many large ones among them.
    pub(crate) fn new(answers: usize, large: usize) -> Self {
        Self { answers: Arc::new(Semaphore::new(answers)), large: Arc::new(Semaphore::new(large)) }
    }

    /// A place for one answer.
    pub(crate) fn enter(&self) -> Result<Permit, RequestProblem> {
        let response =
            self.answers.clone().try_acquire_owned().map_err(|_| RequestProblem::Busy)?;
        Ok(Permit { _answer: response, large: None })
    }

    /// Asks for a place among the large ones too where the answer is one.
    pub(crate) fn admit(&self, permit: &mut Permit, length: u64) -> Result<(), RequestProblem> {
        if length > LARGE_RESPONSE && permit.large.is_none() {
            let large = self.large.clone().try_acquire_owned().map_err(|_| RequestProblem::Busy)?;
            permit.large = Some(large);
        }
        Ok(())
    }
}
