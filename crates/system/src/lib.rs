//! What the programs of a review site ask the operating system for.
//!
//! - [`root`] opens files that somebody else may have written, and [`git`] gets facts about a checkout.
//! - [`folder_lock`] keeps two commands from changing one folder, and [`journal`] lets the next command complete
//!   a change that was cut short.
//! - [`download`] requests what an address has, within limits.
//! - [`progress`] says how far a long command has come.

pub mod download;
pub mod folder_lock;
pub mod git;
pub mod journal;
pub mod progress;
pub mod root;
