//! `candor-sidecar`: parses the command line, runs the command, prints its error.

mod address;
mod args;
mod healthcheck;
mod hub_args;
mod log;
mod serve;

use std::{
    io::{self, Write},
    process::ExitCode,
};

use clap::Parser;

use args::{Cli, Command};

/// The exit code of a command line that cannot be understood (`EX_USAGE` of sysexits).
const EXIT_USAGE: u8 = 64;

fn main() -> ExitCode {
    let cli = match Cli::try_parse() {
        Ok(cli) => cli,
        Err(error) => {
            // Fails when the terminal is closed.
            let _ = error.print();
            return if error.use_stderr() { EXIT_USAGE.into() } else { ExitCode::SUCCESS };
        }
    };
    log::start(cli.log_format, &cli.log);
    let done = match cli.command {
        Some(Command::Serve(args)) => serve::run(&args),
        Some(Command::Subscriptions(args)) => hub_args::subscriptions(&args),
        Some(Command::State(args)) => hub_args::state(&args),
        Some(Command::Healthcheck(args)) => healthcheck::run(&args),
        None => serve::run(&cli.serve),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            // As above.
            let _ = writeln!(io::stderr(), "error: {error:#}");
            ExitCode::FAILURE
        }
    }
}
