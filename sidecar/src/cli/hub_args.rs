//! The hub's options on the command line, and the commands for its store.

use std::{cmp::Reverse, collections::BTreeMap, net::IpAddr, path::PathBuf};

use actix_web::rt;
use clap::{Args, Subcommand, ValueEnum};
use contract::text::{printable, printable_json};
use ipnet::IpNet;
use jiff::Timestamp;
use serde_json::json;
use sidecar::{HubConfig, RetryDelays, StoreAdmin, SubscriptionInfo};

use crate::cli::print::say;

/// Where the store is.
#[derive(Args, Clone, Debug)]
pub(crate) struct StoreArgs {
    /// The hub's store: sqlite:PATH, or postgres://… [default: hub.db in --state]
    #[arg(long, env = "CANDOR_STORE", value_name = "ADDRESS", hide_env_values = true)]
    store: Option<String>,

    /// The file with the key to the secrets in the store [default: hub.key in --state]
    #[arg(long, env = "CANDOR_HUB_KEY", value_name = "FILE")]
    hub_key: Option<PathBuf>,
}

/// How the hub works.
#[derive(Args, Debug)]
#[command(next_help_heading = "Hub")]
pub(crate) struct HubArgs {
    #[command(flatten)]
    store: StoreArgs,

    /// The waits before the second and the third attempt of a delivery; units ms, s, m, h
    #[arg(
        long,
        env = "CANDOR_HUB_RETRY_DELAYS",
        default_value = "1m,6h",
        value_name = "TIME,TIME"
    )]
    hub_retry_delays: RetryDelays,

    /// Addresses that may be called although they are not public, as CIDR ranges
    #[arg(
        long,
        env = "CANDOR_HUB_ALLOW_CIDR",
        value_name = "CIDR",
        value_delimiter = ',',
        value_parser = range
    )]
    hub_allow_cidr: Vec<IpNet>,

    /// Ports of callbacks that may be called beside 443 and those from 1024
    #[arg(long, env = "CANDOR_HUB_ALLOW_PORT", value_name = "PORT", value_delimiter = ',')]
    hub_allow_port: Vec<u16>,

    /// Certificates (PEM) of authorities to trust beside the public ones when calling subscribers
    #[arg(long, env = "CANDOR_HUB_EXTRA_CA", value_name = "FILE", value_delimiter = ',')]
    hub_extra_ca: Vec<PathBuf>,

    /// Proxies in front of the sidecar, as CIDR ranges: their X-Forwarded-For says who the client
    /// is
    #[arg(
        long,
        env = "CANDOR_TRUSTED_PROXIES",
        value_name = "CIDR",
        value_delimiter = ',',
        value_parser = range
    )]
    trusted_proxies: Vec<IpNet>,
}

impl StoreArgs {
    fn config(&self) -> HubConfig {
        let mut hub = HubConfig::default();
        hub.store.clone_from(&self.store);
        hub.key.clone_from(&self.hub_key);
        hub
    }
}

impl HubArgs {
    pub(crate) fn config(&self) -> HubConfig {
        let mut hub = self.store.config();
        hub.retry_delays = self.hub_retry_delays;
        hub.allow_cidrs.clone_from(&self.hub_allow_cidr);
        hub.allow_ports.clone_from(&self.hub_allow_port);
        hub.extra_ca.clone_from(&self.hub_extra_ca);
        hub.trusted_proxies.clone_from(&self.trusted_proxies);
        hub
    }
}

/// Parses a range, or one address.
fn range(text: &str) -> Result<IpNet, String> {
    let one = || text.parse::<IpAddr>().map(IpNet::from).ok();
    let range = text.parse().ok().or_else(one);
    range.ok_or_else(|| "it is not a range such as 10.0.0.0/8 or fd00::/8".to_owned())
}

/// The subscriptions: who is told of changes.
#[derive(Args, Debug)]
pub(crate) struct SubscriptionsArgs {
    #[command(subcommand)]
    command: Option<SubscriptionsCommand>,

    #[command(flatten)]
    place: PlaceArgs,

    /// Only those of this site, by its host name, where the sidecar serves many
    #[arg(long, global = true, value_name = "NAME")]
    site: Option<String>,

    /// Count them by callback host, by registrable domain, by the network of the client that asked, or
    /// by site
    #[arg(long, value_name = "WHAT")]
    by: Option<Grouping>,

    /// Print JSON, an object a line
    #[arg(long)]
    json: bool,
}

/// What subscriptions are counted by.
#[derive(Clone, Copy, Debug, ValueEnum)]
enum Grouping {
    Host,
    Domain,
    Client,
    Site,
}

/// What to do with subscriptions.
#[derive(Debug, Subcommand)]
enum SubscriptionsCommand {
    /// End the subscriptions of a callback
    Remove {
        /// The callback's URL
        callback: String,
        /// Only the subscription to this topic: its file or URL
        #[arg(long)]
        topic: Option<String>,
    },
    /// Remove everything of a site that is no longer served: subscriptions, requests, deliveries
    RemoveSite {
        /// The site's host name
        name: String,
    },
    /// End the subscriptions of a host and of the names below it, and refuse their requests
    Block {
        /// The host of callbacks, such as hooks.example.com
        host: String,
    },
    /// Take requests of a blocked host again
    Unblock {
        /// The host, as it was blocked
        host: String,
    },
    /// List the blocked hosts
    Blocked,
}

/// What must survive: the hub's store and the keys.
#[derive(Args, Debug)]
pub(crate) struct StateArgs {
    #[command(subcommand)]
    command: StateCommand,

    #[command(flatten)]
    place: PlaceArgs,
}

/// What is done about the state.
#[derive(Debug, Subcommand)]
enum StateCommand {
    /// Make an empty store in place of one that is lost; the sidecar may be running
    AcceptLoss,
}

#[derive(Args, Debug)]
struct PlaceArgs {
    /// The sidecar's state directory
    #[arg(
        long,
        global = true,
        env = "CANDOR_STATE",
        default_value = "./state",
        value_name = "DIR"
    )]
    state: PathBuf,

    /// The hub's store: sqlite:PATH, or postgres://… [default: hub.db in --state]
    #[arg(
        long,
        global = true,
        env = "CANDOR_STORE",
        value_name = "ADDRESS",
        hide_env_values = true
    )]
    store: Option<String>,

    /// The file with the key to the secrets in the store [default: hub.key in --state]
    #[arg(long, global = true, env = "CANDOR_HUB_KEY", value_name = "FILE")]
    hub_key: Option<PathBuf>,
}

impl PlaceArgs {
    fn admin(&self) -> anyhow::Result<StoreAdmin> {
        let store = StoreArgs { store: self.store.clone(), hub_key: self.hub_key.clone() };
        Ok(StoreAdmin::new(&self.state, &store.config())?)
    }
}

/// Runs `candor-sidecar subscriptions`.
pub(crate) fn subscriptions(args: &SubscriptionsArgs) -> anyhow::Result<()> {
    let admin = args.place.admin()?;
    let site = args.site.as_deref();
    rt::System::new().block_on(async {
        match &args.command {
            None => {
                let subscriptions = admin.subscriptions(site).await?;
                match args.by {
                    Some(by) => print_counts(&subscriptions, by, args.json)?,
                    None => print(&subscriptions, args.json)?,
                }
            }
            Some(SubscriptionsCommand::Remove { callback, topic }) => {
                let number = admin.remove(callback, topic.as_deref(), site).await?;
                anyhow::ensure!(number > 0, "{callback} is not subscribed: nothing was removed");
                say(&format!("removed {number}"))?;
            }
            Some(_) if site.is_some() => {
                anyhow::bail!("--site is for the list and for remove");
            }
            Some(SubscriptionsCommand::RemoveSite { name }) => {
                let number = admin.remove_site(name).await?;
                say(&printable(&format!("removed {number} subscriptions of {name}")))?;
            }
            Some(SubscriptionsCommand::Block { host }) => {
                let number = admin.block(host).await?;
                say(&printable(&format!("blocked {host}; removed {number}")))?;
            }
            Some(SubscriptionsCommand::Unblock { host }) => {
                anyhow::ensure!(admin.unblock(host).await?, "{host} is not blocked");
                say(&printable(&format!("unblocked {host}")))?;
            }
            Some(SubscriptionsCommand::Blocked) => {
                for host in admin.blocked().await? {
                    say(&printable(&host))?;
                }
            }
        }
        Ok(())
    })
}

/// Runs `candor-sidecar state`.
pub(crate) fn state(args: &StateArgs) -> anyhow::Result<()> {
    let admin = args.place.admin()?;
    rt::System::new().block_on(async {
        match &args.command {
            StateCommand::AcceptLoss => {
                admin.accept_loss().await?;
                say("made an empty store: the hub begins without subscriptions")?;
            }
        }
        Ok(())
    })
}

fn print(subscriptions: &[SubscriptionInfo], json: bool) -> anyhow::Result<()> {
    if json {
        for listed in subscriptions {
            say(&printable_json(&serde_json::to_string(listed)?))?;
        }
        return Ok(());
    }
    // A column of its own where there are sites with names, as wide as the longest.
    let sites = subscriptions.iter().map(|listed| listed.site.chars().count());
    let width = sites.max().filter(|width| *width > 0).map(|width| width.max(4));
    let in_column = |site: &str| match width {
        Some(width) => format!("{:<width$} ", if site.is_empty() { "-" } else { site }),
        None => String::new(),
    };
    let head = ["TOPIC", "STATE", "LEASE END", "FAILS"];
    let head = format!("{:<14} {:<12} {:<17} {:<5} CALLBACK", head[0], head[1], head[2], head[3]);
    say(&format!("{}{head}", in_column("SITE")))?;
    for listed in subscriptions {
        let lease_end = listed.lease_end.and_then(|at| Timestamp::from_millisecond(at).ok());
        let lease_end = lease_end.map(|at| at.strftime("%Y-%m-%d %H:%MZ").to_string());
        let lease_end = lease_end.as_deref().unwrap_or("-");
        let SubscriptionInfo { topic, state, failures, callback, .. } = listed;
        let site = in_column(&listed.site);
        let line =
            format!("{site}{topic:<14} {state:<12} {lease_end:<17} {failures:<5} {callback}");
        say(&printable(&line))?;
        if let Some(error) = &listed.last_error {
            say(&printable(&format!("{:<14} last error: {error}", "")))?;
        }
    }
    Ok(())
}

/// Prints the numbers of subscriptions, of those that wait for their verification, and of those whose last delivery
/// failed, for each host, domain, network or site; the most first.
fn print_counts(
    subscriptions: &[SubscriptionInfo],
    by: Grouping,
    json: bool,
) -> anyhow::Result<()> {
    let mut counts = BTreeMap::<String, [u64; 3]>::new();
    for listed in subscriptions {
        let name = match by {
            Grouping::Host => listed.host.clone(),
            Grouping::Domain => listed.domain().to_owned(),
            Grouping::Client => listed.network.clone(),
            Grouping::Site => listed.site.clone(),
        };
        let [all, pending, failing] = counts.entry(name).or_default();
        *all += 1;
        *pending += u64::from(listed.state == "pending");
        *failing += u64::from(listed.failures > 0);
    }
    let mut counts: Vec<_> = counts.into_iter().collect();
    counts.sort_by_key(|(_, [all, ..])| Reverse(*all));
    if !json {
        say("SUBSCRIPTIONS PENDING FAILING NAME")?;
    }
    for (name, [all, pending, failing]) in counts {
        let line = if json {
            json!({
                "name": name, "subscriptions": all, "pending": pending, "failing": failing,
            })
            .to_string()
        } else {
            let name = if name.is_empty() { "-" } else { &name };
            format!("{all:<13} {pending:<7} {failing:<7} {name}")
        };
        say(&if json { printable_json(&line) } else { printable(&line) })?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_range_may_be_one_address() {
        assert_eq!(range("10.0.0.0/8").unwrap().to_string(), "10.0.0.0/8");
        assert_eq!(range("::1").unwrap().to_string(), "::1/128");
        let reason = "it is not a range such as 10.0.0.0/8 or fd00::/8";
        assert_eq!(range("example.org").unwrap_err(), reason);
    }
}
