//! The command `completions`: prints completions for a shell.

use clap::{Args, CommandFactory};
use clap_complete::Shell;

use super::{Cli, Context, Exit};

#[derive(Debug, Args)]
pub(super) struct Completions {
    /// The shell to complete in
    shell: Shell,
}

impl Completions {
    pub(super) fn run(self, context: &Context) -> anyhow::Result<Exit> {
        let mut script = Vec::new();
        clap_complete::generate(self.shell, &mut Cli::command(), "candor", &mut script);
        context.out.raw(String::from_utf8(script)?.trim_end());
        Ok(Exit::Done)
    }
}
