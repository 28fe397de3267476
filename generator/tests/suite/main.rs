//! Candor from the outside: the `candor` command on little sites in temporary folders.
//!
//! README.md describes the language the tests are written in.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on says where")]

mod messages;
mod project;
mod review;
