use clap::{Args, CommandFactory};
use clap_complete::Shell;

use super::{Cli, Exit};

#[derive(Debug, Args)]
pub(super) struct Completions {
    /// The shell to complete in
    shell: Shell,
}

impl Completions {
    pub(super) fn run(self) -> anyhow::Result<Exit> {
        clap_complete::generate(self.shell, &mut Cli::command(), "candor", &mut std::io::stdout());
        Ok(Exit::Done)
    }
}
