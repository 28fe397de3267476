//! The limit on concurrent responses, in total and for each client network. A request beyond it is
//! refused immediately, because queueing would slow all clients down.

use std::sync::Arc;

use actix_web::HttpRequest;
use ipnet::IpNet;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use super::{client::client, problem::RequestProblem};
use crate::{
    hub::HubHandle,
    limits::LARGE_RESPONSE,
    shares::{Share, Shares},
};

/// Permits for responses, and among them for large ones.
pub(crate) struct Gate {
    responses: Places,
    large: Places,
    hub: HubHandle,
}

#[derive(Debug)]
struct Places {
    all: Arc<Semaphore>,
    shares: Arc<Shares>,
}

/// Held until the last byte of the response is passed to the connection, or the connection is
/// closed.
#[derive(Debug)]
pub(crate) struct Permit {
    _response: Place,
    large: Option<Place>,
    /// Of the client, unless its limits are off.
    network: Option<IpNet>,
}

/// One of the places for responses, or for large ones, and one of its client's share.
#[derive(Debug)]
pub(crate) struct Place {
    _permit: OwnedSemaphorePermit,
    _share: Option<Share>,
}

impl Places {
    fn new(count: usize) -> Self {
        Self { all: Arc::new(Semaphore::new(count)), shares: Shares::of(count) }
    }

    fn take(&self, network: Option<IpNet>) -> Result<Place, RequestProblem> {
        let permit = self.all.clone().try_acquire_owned().map_err(|_| RequestProblem::Busy)?;
        let share = network.map(|network| self.shares.take(network));
        match share {
            Some(None) => Err(RequestProblem::TooManyOfClient),
            share => Ok(Place { _permit: permit, _share: share.flatten() }),
        }
    }
}

impl Gate {
    /// A gate for this many responses, and for this many large ones among them.
    pub(crate) fn new(responses: usize, large: usize, hub: HubHandle) -> Self {
        Self { responses: Places::new(responses), large: Places::new(large), hub }
    }

    /// A permit for one response.
    pub(crate) fn enter(&self, request: &HttpRequest) -> Result<Permit, RequestProblem> {
        let network = client(request, &self.hub).share();
        Ok(Permit { _response: self.responses.take(network)?, large: None, network })
    }

    /// A place for a long message, as for a large response.
    pub(crate) fn large(&self, request: &HttpRequest) -> Result<Place, RequestProblem> {
        self.large.take(client(request, &self.hub).share())
    }

    /// Extends the permit to a large response if this length is one.
    pub(crate) fn admit(&self, permit: &mut Permit, length: u64) -> Result<(), RequestProblem> {
        if length > LARGE_RESPONSE && permit.large.is_none() {
            permit.large = Some(self.large.take(permit.network)?);
        }
        Ok(())
    }
}

impl Permit {
    /// With the place of the long message that is answered.
    pub(crate) fn with_large(self, place: Option<Place>) -> Self {
        Self { large: place, ..self }
    }
}
