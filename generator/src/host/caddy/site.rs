//! A whole site that works as it is, to start from.

use std::fmt::Write;

use super::{HEAD, SNIPPET, quote, snippet};
use crate::host::{Options, PreviousOrigin, ROUTES, Site};

pub(super) fn text(site: &Site<'_>, name: &str, options: &Options) -> String {
    let here = quote::value(&options.out.join(SNIPPET).to_string_lossy());
    let root = quote::value(&options.public.to_string_lossy());
    // Caddy sees to certificates and https by itself where the name is public.
    let origin = site.base_url.strip_suffix(&site.prefix).unwrap_or(site.base_url);
    let mut text =
        format!("{HEAD}import {here}\n\n{origin} {{\n\troot * {root}\n\timport {name}\n}}\n");
    for previous in &site.previous {
        text.push_str(&moved(previous, site));
    }
    text
}

/// The address the site had before: documents move, what is POSTed is answered as ever.
fn moved(previous: &PreviousOrigin, site: &Site<'_>) -> String {
    let PreviousOrigin { scheme, host, port, prefix } = previous;
    let port = port.map(|port| format!(":{port}")).unwrap_or_default();
    let mut text = format!("\n{scheme}://{host}{port} {{\n");
    if let Some(sidecar) = &site.sidecar {
        // The sidecar answers to the site's present name only.
        for route in ROUTES.iter().filter(|route| route.post) {
            text.push_str(&snippet::proxy(*route, prefix, sidecar, Some(&site.authority)));
        }
    }
    let _ = match prefix.as_str() {
        "" => writeln!(text, "handle {{"),
        prefix => writeln!(
            text,
            "handle {{\nrespond 404\n}}\nhandle {prefix}/* {{\nuri strip_prefix {prefix}"
        ),
    };
    let _ = writeln!(text, "redir * {}{{uri}} 308\n}}\n}}", site.base_url);
    snippet::indent(&text)
}
