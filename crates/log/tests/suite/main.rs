//! The log from the outside: the vectors of its specifications, and every way to tamper with it.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on says where")]

mod checkpoints;
mod commitments;
mod entries;
mod histories;
mod policies;
mod proofs;
mod revocations;
mod rfc6962;
mod site;
mod tampered_log;
mod tampered_site;
mod tiles;
mod witnesses;
