//! A sidecar whose site is on a web server.

mod failures;
mod following;
mod listed;
mod operator;
mod origin;
mod pings;
mod serving;

use std::time::Duration;

use serde_json::Value;
use sidecar::{Config, Publications, SiteUrl};

use crate::{Running, Site, get, hub::subscriber::Authority, running};
use origin::{Origin, Reply};

/// A sidecar that asks quickly for the site's files, and keeps its state beside them.
fn config(site: &Site, origin: &Origin) -> Config {
    let mut config = running::config(site);
    follow(&mut config, origin);
    config.serve_public = false;
    config
}

/// Fetches the site from an origin.
fn follow(config: &mut Config, origin: &Origin) {
    let url: SiteUrl = origin.url("").parse().unwrap();
    config.publications = Publications::One(url.into());
    config.remote.extra_ca = vec![Authority::get().file()];
    config.remote.first_retry = Duration::from_millis(20);
    config.remote.longest_retry = Duration::from_millis(100);
}

fn readyz(running: &Running) -> Value {
    get(running.admin, "/readyz").json()
}

fn serves(running: &Running, site: &Site) -> bool {
    readyz(running)["build_id"] == site.manifest().build_id.as_str()
}

/// What the reviews that are answered from say.
fn says(running: &Running, text: &str) -> bool {
    get(running.address, "/api/reviews/since/2000-01-01").text().contains(text)
}
