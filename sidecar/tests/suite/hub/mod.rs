//! The hub as subscribers, the publisher and the operator see it.
//!
//! `Subscriber` is a server over TLS that records requests; `HubSetup` is a site with a hub, names
//! that resolve as the test says, and a clock that the test moves. Where
//! `CANDOR_TEST_POSTGRES` names a server, every setup's store is a database of its own there.

mod abuse;
mod changes;
mod crashes;
mod degraded;
mod deliveries;
mod many_sites;
mod operator;
mod postgres;
mod replicas;
mod requests;
pub(crate) mod setup;
mod sites;
pub(crate) mod subscriber;
mod verification;
