//! `candor-sidecar`: parses the command line, runs the command, prints its error.

mod cli;

use std::{
    io::{self, Write},
    process::ExitCode,
};

use clap::{CommandFactory, Parser};

use cli::{
    args::{Cli, Command},
    healthcheck, hub_args, list_sites, log, mcp,
    print::{self, say},
    serve,
};

/// The exit code of a command line that cannot be understood (`EX_USAGE` of sysexits).
const EXIT_USAGE: u8 = 64;

fn main() -> ExitCode {
    let cli = match Cli::try_parse() {
        Ok(cli) => cli,
        Err(error) => {
            let is_error = error.use_stderr();
            let printed = print::usage(error);
            // Where standard error is gone there is nowhere to report it.
            return if is_error { EXIT_USAGE.into() } else { ended(printed) };
        }
    };
    log::start(cli.log_format, &cli.log);
    let done = match cli.command {
        Some(Command::Serve(args)) => serve::run(&args),
        Some(Command::Mcp(args)) => mcp::run(&args),
        Some(Command::Subscriptions(args)) => hub_args::subscriptions(&args),
        Some(Command::Sites(args)) => list_sites::run(&args),
        Some(Command::State(args)) => hub_args::state(&args),
        Some(Command::Healthcheck(args)) => healthcheck::run(&args),
        Some(Command::Completions { shell }) => say(&terminal::completions(shell, Cli::command())),
        Some(Command::Man) => {
            terminal::manual(Cli::command()).map_err(Into::into).and_then(|page| say(&page))
        }
        None => serve::run(&cli.serve),
    };
    ended(done)
}

fn ended(done: anyhow::Result<()>) -> ExitCode {
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            // As above.
            let error = format!("error: {}", said_once(&error));
            let _ = writeln!(io::stderr(), "{}", terminal::printable_error(&error));
            ExitCode::FAILURE
        }
    }
}

/// Formats an error and its causes, without those that the text before them ends with.
fn said_once(error: &anyhow::Error) -> String {
    let mut text = String::new();
    for cause in error.chain().map(ToString::to_string) {
        if text.is_empty() {
            text = cause;
        } else if !text.ends_with(&cause) {
            text = format!("{text}: {cause}");
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use anyhow::Context;

    use super::*;

    #[test]
    fn a_cause_is_said_once() {
        let inner = || io::Error::other("the disk is full");
        let repeated = Err::<(), _>(inner()).context("cannot write: the disk is full");
        assert_eq!(said_once(&repeated.unwrap_err()), "cannot write: the disk is full");
        let plain = Err::<(), _>(inner()).context("cannot write");
        assert_eq!(said_once(&plain.unwrap_err()), "cannot write: the disk is full");
    }
}
