//! The command `completions`: prints completions for a shell.

use clap::Args;
use terminal::Shell;

use super::{Context, Exit, command};

#[derive(Debug, Args)]
pub(super) struct Completions {
    /// The shell to complete in
    shell: Shell,
}

impl Completions {
    pub(super) fn run(self, context: &Context) -> anyhow::Result<Exit> {
        context.out.raw(&terminal::completions(self.shell, command()));
        Ok(Exit::Done)
    }
}
