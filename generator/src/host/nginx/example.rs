//! A whole server that works as it is, to start from.

use std::fmt::Write;

use super::{HEAD, MAPS, SERVER, proxy, quote};
use crate::host::{Options, PreviousOrigin, ROUTES, Site, pattern};

/// Bytes of a hash bucket: a few paths of the usual length.
const BUCKET: usize = 512;
/// nginx's own size of a hash table.
const TABLE: usize = 2048;

pub(super) fn text(site: &Site<'_>, options: &Options, v: &str) -> String {
    let here = |name: &str| quote::literal(&options.out.join(name).to_string_lossy());
    let longest = site.documents.iter().map(|document| document.url.len()).max().unwrap_or(0);
    let bucket = (longest + 64).next_power_of_two().max(BUCKET);
    let size = (site.documents.len() * 4).next_power_of_two().max(TABLE);
    let (host, port) = host_and_port(&site.authority);
    let root = quote::literal(&options.public.to_string_lossy());
    let mut text = format!(
        "{HEAD}# Once for all sites of this nginx: the largest of each.
variables_hash_bucket_size 128;
variables_hash_max_size 2048;
map_hash_bucket_size {bucket};
map_hash_max_size {size};

include {maps};

server {{
    listen {port};
    # For https: listen 443 ssl; ssl_certificate …; ssl_certificate_key …;
    server_name {host};
    root {root};
    # Where nginx has the module (Debian: libnginx-mod-http-brotli-static):
    # brotli_static on;
    include {server};
}}
",
        maps = here(MAPS),
        server = here(SERVER),
    );
    for previous in &site.previous {
        text.push_str(&moved(previous, site, v));
    }
    text
}

/// The address the site had before: documents move, what is POSTed is answered as ever.
fn moved(previous: &PreviousOrigin, site: &Site<'_>, v: &str) -> String {
    let prefix = &previous.prefix;
    let port = listen(&previous.scheme, previous.port);
    let mut text = format!("\nserver {{\n    listen {port};\n    server_name {};\n", previous.host);
    // The sidecar answers to the site's present name only.
    let name = quote::literal(&site.authority);
    for route in ROUTES.iter().filter(|route| route.post) {
        if let Some(sidecar) = &site.sidecar {
            text.push_str(&proxy::location(*route, prefix, sidecar, &name, v));
        }
    }
    let place = quote::literal(&format!("{prefix}/"));
    let pattern = pattern(prefix);
    let to = quote::value(site.base_url, &format!("{v}dollar"));
    let to = to.trim_matches('"');
    let _ = write!(
        text,
        "location {place} {{
    if ($request_uri ~ \"^{pattern}(?<{v}rest>/.*)$\") {{ return 308 \"{to}${v}rest\"; }}
    return 404;
}}
}}
"
    );
    text
}

/// Plain HTTP, whatever the address says: the certificate is the owner's to add.
fn listen(scheme: &str, port: Option<u16>) -> u16 {
    port.filter(|_| scheme == "http").unwrap_or(80)
}

fn host_and_port(authority: &str) -> (&str, u16) {
    match authority.rsplit_once(':') {
        Some((host, port)) if !port.contains(']') => (host, port.parse().unwrap_or(80)),
        _ => (authority, 80),
    }
}
