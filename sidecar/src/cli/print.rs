//! Standard output of commands that do not serve.

use anyhow::Context;

/// The reason for a command that failed because its result was not printed.
const UNWRITABLE: &str = "standard output cannot be written";

/// What to type in place of words that people try.
const TIPS: &str = include_str!("tips.txt");

/// Prints a result.
pub(crate) fn say(text: &str) -> anyhow::Result<()> {
    terminal::print(text).context(UNWRITABLE)
}

/// Prints help, the version, or the fault of the command line.
pub(crate) fn usage(error: clap::Error) -> anyhow::Result<()> {
    terminal::print_usage(error, TIPS).context(UNWRITABLE)
}
