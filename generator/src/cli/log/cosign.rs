//! The command `log cosign`.

use std::path::PathBuf;

use anyhow::Context as _;
use clap::Args;
use contract::{files, text::printable};
use jiff::Timestamp;
use review_log::{Policy, monitoring_path};

use super::{Context, Exit};
use crate::cli::verify::LogCheck;
use generator::log::{KeySource, WITNESS_KEY_VARIABLE, witness_key};
use system::access::explained;

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
    /// Make the key of the witness first, in the new file of --key-file. Readers know the witness by the name, a URL without a scheme: witness.example.com/reviews
    #[arg(long, requires = "key_file")]
    name: Option<String>,
}

impl Cosign {
    pub(super) fn run(self, context: &Context) -> anyhow::Result<Exit> {
        let source = KeySource::choose(self.key_file, WITNESS_KEY_VARIABLE);
        let key = witness_key(source.as_ref(), self.name.as_deref())?;
        if let (Some(_), Some(source)) = (&self.name, &source) {
            context.out.say(&format!(
                "verifier key of the witness, for the owners of logs:\n  {}\n\
                 the private key is in {}; in CI, make it the secret {WITNESS_KEY_VARIABLE}, and keep it in no repository",
                key.verifier_key(),
                printable(&source.place())
            ));
        }
        // The witness signs whatever the others have signed.
        let policy = Some(Policy::default());
        let report = self.check.run(context, policy, Some(&self.since), None, false)?;
        if !report.passed {
            return Ok(Exit::Failed);
        }
        let signed = key.cosign(&report.checkpoint, Timestamp::now())?;
        files::replace(&self.since, &signed).map_err(explained(&self.since)).with_context(
            || format!("the signed checkpoint cannot be kept in {}", self.since.display()),
        )?;
        context.out.say(&format!(
            "signed as {}; {} has the signed checkpoint: publish it as {} below the address that the owner's policy has for the witness",
            key.name(),
            printable(&self.since.display().to_string()),
            monitoring_path(&report.origin.unwrap_or_default())
        ));
        Ok(Exit::Done)
    }
}
