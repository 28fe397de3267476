//! The hub, seen from outside: by subscribers, by the publisher and by its operator.
//!
//! `Subscriber` is a server over TLS that records what it is asked; `HubSetup` is a site with a hub,
//! names that resolve as the test says, and a clock that goes when the test says. Where
//! `CANDOR_TEST_POSTGRES` names a server, every setup's store is a database of its own there.

mod abuse;
mod changes;
mod crashes;
mod deliveries;
mod operator;
mod postgres;
mod requests;
pub(crate) mod setup;
pub(crate) mod subscriber;
mod verification;
