//! The command `log revoke`.

use std::path::PathBuf;

use clap::Args;
use jiff::{Timestamp, civil::Date, tz::TimeZone};
use review_log::Revocation;

use super::{Context, Exit, key_source, said};
use generator::log;

#[derive(Debug, Args)]
pub(in crate::cli) struct Revoke {
    /// The verifier key that was lost or stolen, or the eight digits of its id
    key: String,
    /// First day on which its signatures do not count, in UTC; without it, today
    #[arg(long, value_name = "DAY")]
    from: Option<Date>,
    /// File with the newest other private key of the log, in place of the variable CANDOR_LOG_KEY
    #[arg(long, value_name = "FILE")]
    key_file: Option<PathBuf>,
}

impl Revoke {
    pub(super) fn run(self, context: &Context) -> anyhow::Result<Exit> {
        let from = self.from.unwrap_or_else(|| Timestamp::now().to_zoned(TimeZone::UTC).date());
        let source = key_source(self.key_file);
        let revoked = log::revoke(&context.global.content, &self.key, from, source.as_ref());
        let Revocation { key, from } = revoked.map_err(|error| said(context, error))?;
        context.out.say(&format!(
            "revoked {key}: what it signs from {from} on does not count; publish it with: candor build"
        ));
        Ok(Exit::Done)
    }
}
