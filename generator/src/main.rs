//! The `candor` command: parse, run, say what went wrong, exit.

use std::process::ExitCode;

use clap::Parser;
use reviews::cli::{self, Cli, Exit};

fn main() -> ExitCode {
    let cli = match Cli::try_parse() {
        Ok(cli) => cli,
        Err(error) => {
            // Help and the version are errors to clap, and none to anybody else.
            let exit = if error.use_stderr() { Exit::Usage } else { Exit::Done };
            let _ = error.print();
            return exit.into();
        }
    };
    match cli.run() {
        Ok(exit) => exit.into(),
        Err(error) => {
            cli::print_error(&error);
            Exit::Failed.into()
        }
    }
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    #[test]
    fn the_command_line_is_consistent() {
        super::Cli::command().debug_assert();
    }
}
