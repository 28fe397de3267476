//! A whole virtual host that works as it is, to start from.

use std::fmt::Write;

use super::{HEAD, RULES, escape::argument, rules};
use crate::host::{Options, PreviousOrigin, ROUTES, Site};

pub(super) fn text(site: &Site<'_>, options: &Options) -> String {
    let root = argument(&options.public.to_string_lossy());
    let rules = argument(&options.out.join(RULES).to_string_lossy());
    let host = site.authority.rsplit_once(':').map_or(&*site.authority, |(host, _)| host);
    let mut text = format!(
        "{HEAD}<VirtualHost *:80>
ServerName {host}
DocumentRoot {root}
<Directory {root}>
Require all granted
AllowOverride None
Options None
</Directory>
Include {rules}
</VirtualHost>
"
    );
    for previous in &site.previous {
        text.push_str(&moved(previous, site));
    }
    text
}

/// The address the site had before: documents move, what is POSTed is answered as ever.
fn moved(previous: &PreviousOrigin, site: &Site<'_>) -> String {
    let PreviousOrigin { host, prefix, .. } = previous;
    let mut text = format!("\n<VirtualHost *:80>\nServerName {host}\n");
    if let Some(sidecar) = &site.sidecar {
        text.push_str(&rules::peer(sidecar));
        // The sidecar answers to the site's present name only.
        let _ = writeln!(text, "RequestHeader set Host {}", argument(&site.authority));
        for route in ROUTES.iter().filter(|route| route.post) {
            text.push_str(&rules::proxy(*route, prefix, sidecar));
        }
    }
    let (from, to) = (argument(&format!("{prefix}/")), argument(&format!("{}/", site.base_url)));
    let _ = writeln!(text, "Redirect 308 {from} {to}\n</VirtualHost>");
    text
}
