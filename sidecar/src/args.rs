//! The command line, as it is typed.

use std::{
    net::{SocketAddr, ToSocketAddrs},
    path::PathBuf,
};

use clap::{
    Args, Parser, Subcommand, ValueEnum,
    builder::{BoolishValueParser, OsStringValueParser, TypedValueParser},
};
use sidecar::Public;

use crate::{
    healthcheck::HealthcheckArgs,
    hub_args::{HubArgs, StateArgs, SubscriptionsArgs},
    preview::PreviewArgs,
};

/// Serves a published review site and answers what no file can.
#[derive(Debug, Parser)]
#[command(name = "candor-sidecar", version, args_conflicts_with_subcommands = true)]
pub(crate) struct Cli {
    #[command(subcommand)]
    pub(crate) command: Option<Command>,

    #[command(flatten)]
    pub(crate) serve: ServeArgs,

    /// How log lines are written
    #[arg(
        long,
        global = true,
        env = "CANDOR_LOG_FORMAT",
        default_value = "text",
        value_name = "FORMAT"
    )]
    pub(crate) log_format: LogFormat,

    /// What is logged: a level, or filters such as `info,sidecar=debug`
    #[arg(
        long,
        global = true,
        env = "CANDOR_LOG",
        default_value = "info,actix_server=warn,rmcp=warn",
        value_name = "FILTER"
    )]
    pub(crate) log: String,
}

/// What to do.
#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Serve until stopped (the default)
    Serve(Box<ServeArgs>),
    /// Build a content folder and serve it on this machine, again after every change
    Preview(PreviewArgs),
    /// List or end subscriptions
    Subscriptions(SubscriptionsArgs),
    /// Move the hub's store and the keys to another machine or database
    State(StateArgs),
    /// Ask the sidecar that runs here how it is: exit code 0 if it is well, 1 if not
    Healthcheck(HealthcheckArgs),
}

/// The form of a log line.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub(crate) enum LogFormat {
    /// For people
    Text,
    /// For programs: an object a line
    Json,
}

/// How to serve.
#[derive(Args, Debug)]
pub(crate) struct ServeArgs {
    /// Where the site is published: a folder, or the https:// address of a web server or CDN
    #[arg(
        long,
        env = "CANDOR_PUBLIC",
        default_value = "public",
        value_name = "DIR|URL",
        value_parser = OsStringValueParser::new().try_map(Public::read)
    )]
    pub(crate) public: Public,

    /// Certificates (PEM) of authorities to trust beside the public ones when --public is a URL
    #[arg(long, env = "CANDOR_PUBLIC_EXTRA_CA", value_name = "FILE", value_delimiter = ',')]
    pub(crate) public_extra_ca: Vec<PathBuf>,

    /// Where to listen; port 0 takes any free one
    #[arg(
        long,
        env = "CANDOR_LISTEN",
        default_value = "127.0.0.1:8081",
        value_name = "ADDRESS",
        value_parser = address
    )]
    pub(crate) listen: SocketAddr,

    /// Serve the published files too, not only the dynamic routes
    #[arg(long, env = "CANDOR_SERVE_PUBLIC", value_parser = BoolishValueParser::new())]
    pub(crate) serve_public: bool,

    /// Where to answer /healthz and /readyz
    #[arg(long, env = "CANDOR_ADMIN", value_name = "ADDRESS", value_parser = address)]
    pub(crate) admin: Option<SocketAddr>,

    /// Where to keep what must survive a restart
    #[arg(long, env = "CANDOR_STATE", default_value = "./state", value_name = "DIR")]
    pub(crate) state: PathBuf,

    /// File of the keys that sign MCP session ids, one a line; the same for all replicas. Without
    /// it a key is made and kept in --state
    #[arg(long, env = "CANDOR_MCP_SESSION_KEYS", value_name = "FILE")]
    pub(crate) mcp_session_keys: Option<PathBuf>,

    /// Host names /mcp answers to, beside the site's own and loopback
    #[arg(long, env = "CANDOR_MCP_HOSTS", value_name = "HOST", value_delimiter = ',')]
    pub(crate) mcp_hosts: Vec<String>,

    /// Origins whose pages may ask /mcp; all of them unless some are named
    #[arg(long, env = "CANDOR_MCP_ORIGINS", value_name = "ORIGIN", value_delimiter = ',')]
    pub(crate) mcp_origins: Vec<String>,

    #[command(flatten)]
    pub(crate) hub: HubArgs,
}

/// `host:port`, the host by name or number.
pub(crate) fn address(text: &str) -> Result<SocketAddr, String> {
    let found = text.to_socket_addrs().map_err(|error| format!("it is not HOST:PORT ({error})"))?;
    found.into_iter().next().ok_or_else(|| "the host has no address".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    #[test]
    fn the_command_line_is_consistent() {
        Cli::command().debug_assert();
    }

    #[test]
    fn serving_is_the_default() {
        let cli = Cli::try_parse_from(["candor-sidecar", "--listen", "localhost:0"]).unwrap();
        assert!(cli.command.is_none() && cli.serve.listen.port() == 0);
        let cli = Cli::try_parse_from(["candor-sidecar", "serve", "--serve-public"]).unwrap();
        assert!(matches!(cli.command, Some(Command::Serve(args)) if args.serve_public));
        assert!(Cli::try_parse_from(["candor-sidecar", "--listen", "8080"]).is_err());
    }
}
