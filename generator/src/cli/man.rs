//! The command `man`: prints the manual page.

use super::{Context, Exit, command};

pub(super) fn run(context: &Context) -> anyhow::Result<Exit> {
    context.out.raw(&terminal::manual(command())?);
    Ok(Exit::Done)
}
