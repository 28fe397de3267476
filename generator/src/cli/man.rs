use clap::CommandFactory;

use super::{Cli, Exit};

pub(super) fn run() -> anyhow::Result<Exit> {
    clap_mangen::Man::new(Cli::command()).render(&mut std::io::stdout())?;
    Ok(Exit::Done)
}
