//! The command `man`: prints the manual page.

use clap::CommandFactory;

use super::{Cli, Context, Exit};

pub(super) fn run(context: &Context) -> anyhow::Result<Exit> {
    let mut page = Vec::new();
    clap_mangen::Man::new(Cli::command()).render(&mut page)?;
    context.out.raw(String::from_utf8(page)?.trim_end());
    Ok(Exit::Done)
}
