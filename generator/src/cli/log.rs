//! The command `log`: makes the transparency log and appends to it.

mod add;
mod cosign;
mod init;
mod revoke;

use std::path::PathBuf;

use clap::{Args, Subcommand};

use super::{Context, Exit};
use generator::log::{KEY_VARIABLE, KeySource, LogError};

#[derive(Debug, Args)]
pub(super) struct Log {
    #[command(subcommand)]
    what: What,
}

#[derive(Debug, Subcommand)]
enum What {
    /// Make the log and its key, or another key with --rotate
    Init(init::Init),
    /// Log what happened to the reviews since the last time
    Add(add::Add),
    /// Revoke a key of the log that was lost or stolen
    Revoke(revoke::Revoke),
    /// Verify the log of a live site as a witness, and sign what it has
    Cosign(cosign::Cosign),
}

impl Log {
    pub(super) fn run(self, context: &Context) -> anyhow::Result<Exit> {
        match self.what {
            What::Init(init) => init.run(context),
            What::Add(add) => add.run(context),
            What::Revoke(revoke) => revoke.run(context),
            What::Cosign(cosign) => cosign.run(context),
        }
    }
}

/// The private keys in a file, else those in the variable. It is not an option with a variable: the help
/// would print its value.
fn key_source(file: Option<PathBuf>) -> Option<KeySource> {
    KeySource::choose(file, KEY_VARIABLE)
}

/// Prints the problems of the content, so that the error that is left has one line.
fn said(context: &Context, error: LogError) -> anyhow::Error {
    if let LogError::Content(problems) = &error {
        context.out.problems(problems);
    }
    error.into()
}
