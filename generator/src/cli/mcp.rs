//! The command `mcp`: agents' tools for any published site, on standard input and output.

use std::{
    path::PathBuf,
    process::{Command, ExitStatus},
};

use clap::Args;

use super::{
    Context, Exit,
    serve::{cannot_start, sidecar_program},
};

#[derive(Debug, Args)]
pub(super) struct Mcp {
    /// Where each site is published: an https:// address, or http:// on this machine
    #[arg(required = true, value_name = "URL")]
    urls: Vec<String>,
    /// The candor-sidecar to start [default: the one in candor's folder, else the one on PATH]
    #[arg(long, env = "CANDOR_SIDECAR", value_name = "PROGRAM")]
    sidecar: Option<PathBuf>,
}

impl Mcp {
    pub(super) fn run(self, _: &Context) -> anyhow::Result<Exit> {
        let program = sidecar_program(self.sidecar.as_deref());
        let mut command = Command::new(&program);
        command.arg("mcp").arg("--").args(self.urls);
        let ended = replace_by(&mut command).map_err(|error| cannot_start(&program, error))?;
        Ok(if ended.success() { Exit::Done } else { Exit::Failed })
    }
}

/// The client talks to the other program from now on, signals included.
#[cfg(unix)]
fn replace_by(command: &mut Command) -> std::io::Result<ExitStatus> {
    Err(std::os::unix::process::CommandExt::exec(command))
}

/// The other program has the standard streams of this one, and ends when they are closed.
#[cfg(not(unix))]
fn replace_by(command: &mut Command) -> std::io::Result<ExitStatus> {
    command.status()
}
