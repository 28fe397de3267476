//! The command line as clap parses it.

use clap::{Parser, Subcommand, ValueEnum};

use crate::cli::{
    healthcheck::HealthcheckArgs,
    hub_args::{StateArgs, SubscriptionsArgs},
    list_sites::SitesArgs,
    mcp::McpArgs,
    serve::ServeArgs,
    values::filter,
};

/// Serves a published review site and answers what no file can.
#[derive(Debug, Parser)]
#[command(name = "candor-sidecar", version, args_conflicts_with_subcommands = true)]
#[command(
    max_term_width = 100,
    after_help = "\
Examples:
  candor-sidecar --public public --serve-public --listen 127.0.0.1:8080
  candor-sidecar --public https://reviews.example.com --state /var/lib/candor
  candor-sidecar --sites /srv/sites --state /var/lib/candor --admin 127.0.0.1:9090
  candor-sidecar mcp https://reviews.example.com
  candor-sidecar subscriptions --json
  candor-sidecar man | man -l -"
)]
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
        help_heading = "Options of every command",
        value_name = "FORMAT"
    )]
    pub(crate) log_format: LogFormat,

    /// What is logged: a level, or filters such as `info,sidecar=debug`
    #[arg(
        long,
        global = true,
        env = "CANDOR_LOG",
        default_value = "info,actix_server=warn",
        help_heading = "Options of every command",
        value_name = "FILTER",
        value_parser = filter
    )]
    pub(crate) log: String,
}

/// What to do.
#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Serve until stopped (the default)
    Serve(Box<ServeArgs>),
    /// Answer agents over standard input and output, from any published site
    Mcp(McpArgs),
    /// List the sites that a running sidecar with --sites has loaded
    Sites(SitesArgs),
    /// List or end subscriptions
    Subscriptions(SubscriptionsArgs),
    /// Say what is to be done about a store of the hub that is lost
    State(StateArgs),
    /// Check the health of the local sidecar. Exits 0 when it is ready, 1 otherwise
    Healthcheck(HealthcheckArgs),
    /// Print a shell's completions
    Completions {
        /// The shell to complete in
        shell: terminal::Shell,
    },
    /// Print the manual page
    Man,
}

/// The form of a log line.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub(crate) enum LogFormat {
    /// For people
    Text,
    /// For programs: an object a line
    Json,
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
