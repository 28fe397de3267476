//! The use of the operating system by the programs of a review site.
//!
//! - [`access`] says what to do where a file operation is not permitted.
//! - [`root`] opens files that somebody else may have written, and [`git`] gets facts about a checkout.
//! - [`folder_lock`] keeps two commands from changing one folder, and [`journal`] lets the next command complete
//!   a change that was cut short.
//! - [`download`] requests what an address has, within limits.
//! - [`progress`] receives the progress of a long command.

pub mod access;
pub mod download;
pub mod folder_lock;
pub mod git;
pub mod journal;
pub mod progress;
pub mod root;
