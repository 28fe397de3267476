//! A running sidecar, asked over TCP as a client would ask it.
//!
//! `Site` publishes a little site, `Running` serves it on a free port, `Request` is a request whose
//! every byte the test decides, `Agent` a client of the Model Context Protocol on top of it.
//! Nothing sleeps to wait for something: `eventually` asks again until a deadline.

#![expect(clippy::unwrap_used, reason = "a helper that cannot go on fails the test")]

mod agent;
mod client;
mod codings;
mod conditional;
mod examples;
#[cfg(target_os = "linux")]
mod fairness;
mod files;
mod fuzz;
#[cfg(candor_steps)]
mod growth;
mod healthcheck;
mod hub;
mod index;
mod limits;
mod lines;
mod listing;
mod log;
mod mcp_apps;
mod mcp_catalog;
mod mcp_connectors;
mod mcp_hostile;
mod mcp_hosts;
mod mcp_refusals;
mod mcp_sessions;
mod mcp_size;
mod mcp_tools;
mod named;
mod output;
mod overload;
mod pipelining;
mod process;
mod proof_faults;
mod proofs;
mod publishing;
mod questions;
mod ranges;
mod refusals;
mod relay;
mod reload;
mod remote;
mod running;
mod search;
mod selecting;
mod several;
mod shop;
mod since;
mod site;
mod sites;
mod slow;
mod state;
#[path = "../../../tests/steps/steps.rs"]
mod steps;
mod swaps;
mod verify;

use client::{Answer, Request, get};
use running::{Running, eventually};
use site::Site;
