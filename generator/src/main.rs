//! The `candor` command: parse, run, say what went wrong, exit.

use std::process::ExitCode;

use candor_cli::cli::{self, Cli, Exit};

fn main() -> ExitCode {
    let done = match Cli::parse_typed() {
        Ok(cli) => cli.run(),
        Err(error) => cli::print_usage(error),
    };
    match done {
        Ok(exit) => exit.into(),
        Err(error) => {
            cli::print_error(&error);
            Exit::Failed.into()
        }
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_command_line_is_consistent() {
        super::cli::command().debug_assert();
    }
}
