//! The command `log init`.

use std::path::{Path, PathBuf};

use clap::Args;
use contract::text::printable;

use super::{Context, Exit, key_source, said};
use generator::log::{self, KEY_VARIABLE, KeyPlace, NewKey};

#[derive(Debug, Args)]
pub(in crate::cli) struct Init {
    /// Add a key to the log that exists; it signs from then on
    #[arg(long)]
    rotate: bool,
    /// Write the private key to this new file; without it, it is printed
    #[arg(long, value_name = "FILE")]
    key_file: Option<PathBuf>,
}

impl Init {
    pub(super) fn run(self, context: &Context) -> anyhow::Result<Exit> {
        let global = &context.global;
        let (content, published) = (&global.content, global.published());
        let releases = global.releases.as_deref().unwrap_or(&published);
        let file = self.key_file.as_deref();
        let place = KeyPlace { file, exposed: &[content, &published, releases] };
        let made = if self.rotate {
            log::rotate(content, key_source(None).as_ref(), place)
        } else {
            log::init(content, global.base_url.as_deref(), place)
        };
        let made = made.map_err(|error| said(context, error))?;
        self.say(context, &made);
        Ok(Exit::Done)
    }

    fn say(&self, context: &Context, made: &NewKey) {
        let out = &context.out;
        let NewKey { origin, verifier_key, private_key, is_linked } = made;
        if self.rotate {
            out.say(&format!("the log {origin} has another key, which signs from now on"))
        } else {
            out.say(&format!(
                "made the log {origin} in {}",
                printable(&context.global.content.join("log").display().to_string())
            ))
        }
        out.say(&format!(
            "verifier key, for readers; the site publishes it, and it is good to publish it elsewhere too:\n  {verifier_key}"
        ));
        say_private_key(context, self.key_file.as_deref(), private_key.as_deref());
        match (self.rotate, is_linked) {
            (true, true) => out.say(&format!(
                "the last checkpoint is signed with the old key too; while readers still know that one alone, keep both keys in {KEY_VARIABLE} or in one file, each on a line"
            )),
            (true, false) => out.say(
                "no old private key was at hand, so readers who know the old verifier key alone cannot check the log from now on; tell them the new one",
            ),
            (false, _) => {}
        }
        out.say(&format!(
            "in CI, make it the secret {KEY_VARIABLE}; then run candor log add after each import and before each build"
        ));
    }
}

/// Prints the path of a new private key, or the key itself if it was not written to a file.
fn say_private_key(context: &Context, file: Option<&Path>, key: Option<&str>) {
    let out = &context.out;
    match (file, key) {
        (Some(path), _) => out.say(&format!(
            "the private key is in {}; keep a copy where nobody else reads it, and never in a repository",
            printable(&path.display().to_string())
        )),
        (None, Some(key)) => {
            out.say("private key; it is shown this once, so keep it where nobody else reads it, and never in a repository:");
            // Also with --quiet: it is nowhere else.
            out.raw(key);
        }
        (None, None) => {}
    }
}
