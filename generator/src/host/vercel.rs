//! Vercel: `vercel.json` among the documents. That a `304` follows from a tag of ours is documented
//! nowhere, so the platform's own tag is left alone.

use serde_json::{Value, json};

use super::{
    HostFile, HostFiles, Options, PreviousOrigin, ROUTES, Route, Site,
    platform::{self, must_say_type},
};
use contract::{fields, manifest::Manifest};

/// What is not uploaded: the platform compresses by itself and knows no siblings.
const IGNORED: &str = "*.br\n*.gz\n*.zst\n*.etag\n.candor-*\n";

/// Rules of a deployment, all kinds together.
const RULES: usize = 1_024;

pub(super) fn files(site: &Site<'_>, manifest: &Manifest, options: &Options) -> HostFiles {
    let headers = headers(site);
    let mut losses = vec![
        "send our tags, or a tag for each coding: it compares its own, which it answers with 304"
            .to_owned(),
        "say Last-Modified, or Allow and JSON with a document's 405".to_owned(),
        "answer the preflight of a script that sends If-None-Match to a document".to_owned(),
    ];
    if headers.len() > RULES {
        losses.push(format!(
            "say type or links of {} documents: it takes {RULES} rules",
            headers.len() - RULES
        ));
    }
    let settings = json!({
        "$schema": "https://openapi.vercel.sh/vercel.json",
        "cleanUrls": false,
        "headers": headers.into_iter().take(RULES).collect::<Vec<_>>(),
        "redirects": redirects(site),
        "rewrites": rewrites(site),
    });
    let mut next = vec![format!("npx vercel deploy --prod {}", options.public.display())];
    if !site.previous.is_empty() {
        next.push("add the earlier names as domains of the project".to_owned());
    }
    next.extend(platform::name_of_sidecar(site, manifest));
    HostFiles {
        config: Vec::new(),
        public: vec![
            HostFile::new(".vercelignore", IGNORED),
            HostFile::new("vercel.json", platform::json_text(&settings)),
        ],
        losses,
        next,
    }
}

/// Never an `ETag`: it would be sent and not compared.
fn headers(site: &Site<'_>) -> Vec<Value> {
    let field = |key: &str, value: &str| json!({ "key": key, "value": value });
    let everywhere = json!({
        "source": "/(.*)",
        "headers": [
            field("Access-Control-Allow-Origin", fields::ALLOW_ORIGIN),
            field("Access-Control-Expose-Headers", fields::EXPOSE_HEADERS),
            field("Cache-Control", fields::REVALIDATE),
            field("X-Content-Type-Options", fields::NO_SNIFFING),
        ],
    });
    let own = site.documents.iter().filter_map(|document| {
        let mut own = Vec::new();
        if must_say_type(document.file, document.media_type) {
            own.push(field("Content-Type", document.media_type));
        }
        own.extend(document.link.as_deref().map(|link| field("Link", link)));
        let source = literal(&document.url);
        (!own.is_empty()).then(|| json!({ "source": source, "headers": own }))
    });
    std::iter::once(everywhere).chain(own).collect()
}

fn rewrites(site: &Site<'_>) -> Vec<Value> {
    let mut rules = Vec::new();
    if let Some(sidecar) = &site.sidecar {
        let sidecar = sidecar.to_string();
        for origin in &site.previous {
            for route in ROUTES.into_iter().filter(|route| route.post) {
                rules.push(on(origin, pass(&origin.prefix, route, &sidecar)));
            }
        }
        rules.extend(ROUTES.into_iter().map(|route| pass(&site.prefix, route, &sidecar)));
    }
    if !site.prefix.is_empty() {
        let source = format!("{}/:path*", literal(&site.prefix));
        rules.push(json!({ "source": source, "destination": "/:path*" }));
    }
    rules
}

fn pass(prefix: &str, route: Route, sidecar: &str) -> Value {
    let (at, path) = (literal(prefix), route.path);
    match path.ends_with('/') {
        true => json!({
            "source": format!("{at}{path}:rest*"), "destination": format!("{sidecar}{path}:rest*"),
        }),
        false => {
            json!({ "source": format!("{at}{path}"), "destination": format!("{sidecar}{path}") })
        }
    }
}

/// Redirects come before rewrites, so what is POSTed must be left out of them.
fn redirects(site: &Site<'_>) -> Vec<Value> {
    let posted: Vec<_> = ROUTES
        .iter()
        .filter(|route| route.post && site.sidecar.is_some())
        .map(|route| format!("{}$", route.path.trim_start_matches('/')))
        .collect();
    let except = match posted.as_slice() {
        [] => String::new(),
        posted => format!("(?!{})", posted.join("|")),
    };
    let rule = |origin: &PreviousOrigin| {
        let source = format!("{}/:path({except}.*)", literal(&origin.prefix));
        let destination = format!("{}/:path", site.base_url);
        on(origin, json!({ "source": source, "destination": destination, "permanent": true }))
    };
    site.previous.iter().map(rule).collect()
}

/// A rule for requests under this name alone.
fn on(origin: &PreviousOrigin, mut rule: Value) -> Value {
    rule["has"] = json!([{ "type": "host", "value": origin.host }]);
    rule
}

/// A path in the language of `source` that matches nothing else.
fn literal(path: &str) -> String {
    let mut literal = String::new();
    for char in path.chars() {
        if matches!(
            char,
            ':' | '('
                | ')'
                | '*'
                | '+'
                | '?'
                | '{'
                | '}'
                | '\\'
                | '.'
                | '['
                | ']'
                | '|'
                | '^'
                | '$'
        ) {
            literal.push('\\');
        }
        literal.push(char);
    }
    literal
}

#[cfg(test)]
mod tests {
    #[test]
    fn a_path_matches_itself_alone() {
        assert_eq!(super::literal("/a.b/c:d(e)*"), r"/a\.b/c\:d\(e\)\*");
    }
}
