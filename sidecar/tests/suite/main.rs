//! A running sidecar, asked over TCP as a client would ask it.
//!
//! `Site` publishes a little site, `Running` serves it on a free port, `Request` is a request whose
//! every byte the test decides. Nothing sleeps to wait for something: `eventually` asks again until
//! a deadline.

#![expect(clippy::unwrap_used, reason = "a helper that cannot go on fails the test")]

mod client;
mod codings;
mod conditional;
mod files;
mod hub;
mod process;
mod publishing;
mod ranges;
mod reload;
mod running;
mod site;
mod state;

use client::{Answer, Request, get};
use running::{Running, eventually};
use site::Site;
