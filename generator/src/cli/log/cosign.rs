//! The command `log cosign`.

use std::path::PathBuf;

use anyhow::Context as _;
use clap::Args;
use contract::{files, text::printable};
use jiff::Timestamp;

use super::{Context, Exit};
use crate::cli::verify::LogCheck;
use generator::log::{KeySource, WITNESS_KEY_VARIABLE, read_witness_key};

#[derive(Debug, Args)]
pub(in crate::cli) struct Cosign {
    #[command(flatten)]
    check: LogCheck,
    /// Compare the log with the checkpoint kept in this file, then keep the new one there, signed by the witness
    #[arg(long, value_name = "FILE")]
    since: PathBuf,
    /// File with the private key of the witness, in place of the variable CANDOR_WITNESS_KEY
    #[arg(long, value_name = "FILE")]
    key_file: Option<PathBuf>,
}

impl Cosign {
    pub(super) fn run(self, context: &Context) -> anyhow::Result<Exit> {
        let source = KeySource::choose(self.key_file, WITNESS_KEY_VARIABLE);
        let key = read_witness_key(source.as_ref())?;
        let report = self.check.run(context, Some(&self.since), None, false)?;
        if !report.passed {
            return Ok(Exit::Failed);
        }
        let signed = key.cosign(&report.checkpoint, Timestamp::now())?;
        files::replace(&self.since, &signed).with_context(|| {
            format!("the signed checkpoint cannot be kept in {}", self.since.display())
        })?;
        context.out.say(&format!(
            "signed as {}; {} has the signed checkpoint: publish it, or send it to the owner of the log",
            key.name(),
            printable(&self.since.display().to_string())
        ));
        Ok(Exit::Done)
    }
}
