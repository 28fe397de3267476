//! The command `log keep`.

use std::path::PathBuf;

use anyhow::Context as _;
use clap::Args;
use review_log::Cosigned;

use super::{Context, Exit, said};
use crate::cli::output::plural;
use generator::log;

#[derive(Debug, Args)]
pub(in crate::cli) struct Keep {
    /// The checkpoint that a witness has signed with candor log cosign
    file: PathBuf,
    /// Verifier key of a witness that the log does not have yet
    #[arg(long, value_name = "KEY")]
    witness: Option<String>,
    /// End with exit code 2 when there was nothing to keep
    #[arg(long)]
    exit_code: bool,
}

impl Keep {
    pub(super) fn run(self, context: &Context) -> anyhow::Result<Exit> {
        let note = std::fs::read(&self.file)
            .with_context(|| format!("{} cannot be read", self.file.display()))?;
        let kept = log::keep(&context.global.content, &note, self.witness.as_deref())
            .map_err(|error| said(context, error))?;
        let Some(Cosigned { checkpoint, witness, .. }) = kept else {
            context.out.say("nothing to keep: the log has this signature or a newer one");
            return Ok(if self.exit_code { Exit::Unchanged } else { Exit::Done });
        };
        let size = usize::try_from(checkpoint.size).unwrap_or(usize::MAX);
        context.out.say(&format!(
            "kept: {witness} has signed the log of {}; publish it with: candor build",
            plural(size, "entry", "entries")
        ));
        Ok(Exit::Done)
    }
}
