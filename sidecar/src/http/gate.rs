//! The limit on concurrent responses. A request beyond it is refused immediately, because queueing
//! would slow all clients down.

use std::sync::Arc;

use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use super::problem::RequestProblem;
use crate::limits::LARGE_RESPONSE;

/// Permits for responses, and among them for large ones.
#[derive(Debug)]
pub(crate) struct Gate {
    responses: Arc<Semaphore>,
    large: Arc<Semaphore>,
}

/// Held until the last byte of the response is passed to the connection, or the connection is
/// closed.
#[derive(Debug)]
pub(crate) struct Permit {
    _response: OwnedSemaphorePermit,
    large: Option<OwnedSemaphorePermit>,
}

impl Gate {
    /// A gate for this many responses, and for this many large ones among them.
    pub(crate) fn new(responses: usize, large: usize) -> Self {
        Self {
            responses: Arc::new(Semaphore::new(responses)),
            large: Arc::new(Semaphore::new(large)),
        }
    }

    /// A permit for one response.
    pub(crate) fn enter(&self) -> Result<Permit, RequestProblem> {
        let response =
            self.responses.clone().try_acquire_owned().map_err(|_| RequestProblem::Busy)?;
        Ok(Permit { _response: response, large: None })
    }

    /// Extends the permit to a large response if this length is one.
    pub(crate) fn admit(&self, permit: &mut Permit, length: u64) -> Result<(), RequestProblem> {
        if length > LARGE_RESPONSE && permit.large.is_none() {
            let large = self.large.clone().try_acquire_owned().map_err(|_| RequestProblem::Busy)?;
            permit.large = Some(large);
        }
        Ok(())
    }
}
