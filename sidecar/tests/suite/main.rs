//! A running sidecar, asked over TCP as a client would ask it.
//!
//! `Site` publishes a little site, `Running` serves it on a free port, `Request` is a request whose
//! every byte the test decides. Nothing sleeps to wait for something: `eventually` asks again until
//! a deadline.

#![expect(clippy::unwrap_used, reason = "a helper that cannot go on fails the test")]

mod client;
mod codings;
mod conditional;
mod dynamic_conditional;
mod files;
mod index;
mod listing;
mod overload;
mod process;
mod publishing;
mod ranges;
mod refusals;
mod reload;
mod running;
mod search;
mod since;
mod site;
mod state;
mod swaps;

use client::{Answer, Request, get};
use running::{Running, eventually};
use site::Site;
