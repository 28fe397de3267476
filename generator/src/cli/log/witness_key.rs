//! The command `log witness-key`.

use std::path::PathBuf;

use clap::Args;

use super::{Context, Exit, init};
use generator::log::{self, KeyPlace, NewWitnessKey, WITNESS_KEY_VARIABLE};

#[derive(Debug, Args)]
pub(in crate::cli) struct WitnessKey {
    /// The name by which readers know the witness, a URL without a scheme: witness.example.com/reviews
    name: String,
    /// Write the private key to this new file; without it, it is printed
    #[arg(long, value_name = "FILE")]
    key_file: Option<PathBuf>,
}

impl WitnessKey {
    pub(super) fn run(self, context: &Context) -> anyhow::Result<Exit> {
        let out = &context.out;
        let place = KeyPlace { file: self.key_file.as_deref(), exposed: &[] };
        let NewWitnessKey { verifier_key, private_key } = log::witness_key(&self.name, place)?;
        out.say(&format!("verifier key of the witness, for the owners of logs:\n  {verifier_key}"));
        init::say_private_key(context, self.key_file.as_deref(), private_key.as_deref());
        out.say(&format!(
            "in CI, make it the secret {WITNESS_KEY_VARIABLE}; then run candor log cosign"
        ));
        Ok(Exit::Done)
    }
}
