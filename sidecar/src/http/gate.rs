//! The limit on concurrent responses, in total, for each client network, and for each of several
//! sites. A request beyond it is refused immediately, because queueing would slow all clients down.

use std::sync::Arc;

use actix_web::HttpRequest;
use ipnet::IpNet;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use super::{client::client, problem::RequestProblem};
use crate::{
    hub::HubHandle,
    runtime::limits::LARGE_RESPONSE,
    sites::site::Site,
    transport::shares::{Share, Shares},
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
    networks: Arc<Shares<IpNet>>,
    sites: Arc<Shares<u64>>,
}

/// The permission to send a response, until its last byte is passed to the connection, or the connection is closed.
#[derive(Debug)]
pub(crate) struct Permit {
    _response: Place,
    large: Option<Place>,
    holder: Holder,
}

/// The client and the site that a response counts for.
#[derive(Clone, Copy, Debug)]
struct Holder {
    /// The network of the client, unless its limits are off.
    network: Option<IpNet>,
    /// The site, if there are several.
    site: Option<u64>,
}

/// One of the places for responses, or for large ones, and one of the holder's share.
#[derive(Debug)]
pub(crate) struct Place {
    _permit: OwnedSemaphorePermit,
    _network: Option<Share<IpNet>>,
    _site: Option<Share<u64>>,
}

impl Places {
    fn new(count: usize) -> Self {
        let all = Arc::new(Semaphore::new(count));
        Self { all, networks: Shares::of(count), sites: Shares::of(count) }
    }

    fn take(&self, holder: Holder) -> Result<Place, RequestProblem> {
        let permit = self.all.clone().try_acquire_owned().map_err(|_| RequestProblem::Busy)?;
        let network = match holder.network {
            None => None,
            Some(network) => {
                Some(self.networks.take(network).ok_or(RequestProblem::TooManyOfClient)?)
            }
        };
        let site = match holder.site {
            None => None,
            Some(site) => Some(self.sites.take(site).ok_or(RequestProblem::TooManyOfSite)?),
        };
        Ok(Place { _permit: permit, _network: network, _site: site })
    }
}

impl Gate {
    /// Makes a gate for this many responses, and for this many large ones among them.
    pub(crate) fn new(responses: usize, large: usize, hub: HubHandle) -> Self {
        Self { responses: Places::new(responses), large: Places::new(large), hub }
    }

    fn holder(&self, request: &HttpRequest, site: &Site) -> Holder {
        let network = client(request, &self.hub).share();
        Holder { network, site: (!site.is_only()).then_some(site.id) }
    }

    /// Returns a permit for one response of this site.
    pub(crate) fn enter(
        &self,
        request: &HttpRequest,
        site: &Site,
    ) -> Result<Permit, RequestProblem> {
        let holder = self.holder(request, site);
        Ok(Permit { _response: self.responses.take(holder)?, large: None, holder })
    }

    /// Returns a place for a long message, as for a large response.
    pub(crate) fn large(
        &self,
        request: &HttpRequest,
        site: &Site,
    ) -> Result<Place, RequestProblem> {
        self.large.take(self.holder(request, site))
    }

    /// Extends the permit to a large response if this length is one.
    pub(crate) fn admit(&self, permit: &mut Permit, length: u64) -> Result<(), RequestProblem> {
        if length > LARGE_RESPONSE && permit.large.is_none() {
            permit.large = Some(self.large.take(permit.holder)?);
        }
        Ok(())
    }
}

impl Permit {
    /// Adds the place of the long message that is answered.
    pub(crate) fn with_large(self, place: Option<Place>) -> Self {
        Self { large: place, ..self }
    }
}
