//! The command `explain`: says what the code of a problem means.

use clap::Args;

use super::{Context, Exit};
use crate::explain;
use contract::problem::unknown_help;

#[derive(Debug, Args)]
pub(super) struct Explain {
    /// The code in the brackets of a message, such as unknown-key; without one, all codes are listed
    #[arg(value_name = "CODE")]
    code: Option<String>,
}

impl Explain {
    pub(super) fn run(self, context: &Context) -> anyhow::Result<Exit> {
        let Some(code) = self.code else {
            let width = explain::all().map(|it| it.code.len()).max().unwrap_or_default();
            for it in explain::all() {
                context.out.say(&format!("{:width$}  {}", it.code, it.summary()));
            }
            return Ok(Exit::Done);
        };
        let Some(found) = explain::find(&code) else {
            let help = unknown_help(&code, explain::all().map(|it| it.code));
            anyhow::bail!("no problem has the code {code:?}; {help}");
        };
        context.out.say(&format!("{}\n\n{}", found.code, found.text));
        Ok(Exit::Done)
    }
}
