//! The sites of a list, for `/readyz`, `/sites` and `/metrics`. Metrics have a bounded number of lines.

use std::{
    cmp::Reverse,
    sync::{Arc, atomic::Ordering::Relaxed},
};

use metrics::{counter, describe_counter, describe_gauge, gauge};
use serde_json::{Value, json};

use crate::sites::{LoadedCounts, Sites, site::Site};

/// Number of sites with lines of their own in metrics: those with the most requests.
const NAMED: usize = 20;

/// Maximum number of faults that `/readyz` names.
const FAULTS: usize = 20;

const LISTED: &str = "candor_sites";
const LOADED: &str = "candor_sites_loaded";
const REFUSED: &str = "candor_sites_refused";
const BYTES: &str = "candor_sites_memory_bytes";
const LOADS: &str = "candor_site_loads_total";
const UNLOADS: &str = "candor_site_unloads_total";
const REQUESTS: &str = "candor_site_requests_total";
const LIST_USABLE: &str = "candor_sites_list_usable";

/// Describes the sites for `/readyz`.
pub(crate) fn describe(sites: &Sites) -> Value {
    let (all, counts) = (sites.all(), sites.counts());
    let faults = all.iter().filter_map(|site| {
        let refusal = site.published.refusal()?;
        Some(json!({ "site": site.name(), "reason": refusal.reason }))
    });
    let faults: Vec<_> = faults.collect();
    json!({
        "sites": all.len(),
        "loaded": counts.sites,
        "memory_bytes": counts.bytes,
        "list_fault": sites.list_fault(),
        "refused": faults.len(),
        "faults": faults[..faults.len().min(FAULTS)],
    })
}

/// Lists every site, by name.
pub(crate) fn list(sites: &Sites) -> Value {
    sites.all().iter().map(|site| entry(sites, site)).collect()
}

fn entry(sites: &Sites, site: &Arc<Site>) -> Value {
    let loaded = site.published.current().map(|snapshot| {
        json!({
            "build_id": snapshot.manifest.build_id.as_str(),
            "published_at": snapshot.manifest.published_at.to_string(),
            "loaded_at": snapshot.loaded_at.to_string(),
            "reviews": snapshot.collection.arena.len(),
            "memory_bytes": sites.bytes_of(site),
        })
    });
    json!({
        "site": site.name(),
        "aliases": site.hosts.get(1..).unwrap_or_default(),
        "public": site.public.to_string(),
        "requests": site.requests.load(Relaxed),
        "followed": site.is_followed(),
        "loaded": loaded,
        "refused": site.published.refusal().map(|refusal| refusal.reason.clone()),
    })
}

/// Sets the gauges for `/metrics`.
pub(crate) fn record(sites: &Sites) {
    let mut all = sites.all();
    // Cached, because requests change the key meanwhile.
    all.sort_by_cached_key(|site| Reverse(site.requests.load(Relaxed)));
    let refused = all.iter().filter(|site| site.published.refusal().is_some()).count();
    let LoadedCounts { sites: loaded, bytes, loads, unloads } = sites.counts();
    for (name, help, value) in [
        (LISTED, "Sites of the list", all.len() as f64),
        (LOADED, "Sites in memory", loaded as f64),
        (REFUSED, "Sites whose newest publication is refused or out of reach", refused as f64),
        (BYTES, "Memory of the loaded sites, by an estimate", bytes as f64),
        (
            LIST_USABLE,
            "1 if the list of sites could be read last, 0 otherwise",
            f64::from(u8::from(sites.list_fault().is_none())),
        ),
    ] {
        describe_gauge!(name, help);
        gauge!(name).set(value);
    }
    describe_counter!(LOADS, "Publications of sites that were loaded");
    counter!(LOADS).absolute(loads);
    describe_counter!(UNLOADS, "Sites that were unloaded");
    counter!(UNLOADS).absolute(unloads);
    describe_counter!(REQUESTS, "Requests, by site; the sites with few of them are one");
    let (named, others) = all.split_at(all.len().min(NAMED));
    for site in named {
        let requests = site.requests.load(Relaxed);
        counter!(REQUESTS, "site" => site.name().to_owned()).absolute(requests);
    }
    let others = others.iter().map(|site| site.requests.load(Relaxed)).sum();
    counter!(REQUESTS, "site" => "other").absolute(others);
}
