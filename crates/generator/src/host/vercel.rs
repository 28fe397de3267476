//! Vercel: `vercel.json` among the documents. It is not documented that a `304` follows from an ETag of Candor, so the
//! platform's own tag is left as it is.

use minijinja::{Error, Value, context, value::Serde};

use super::{HostFile, HostFiles, HostSite, platform, templates::Templates};
use contract::text::shell_word;

/// The files that are not uploaded: the platform compresses by itself and does not use siblings.
const IGNORED: &str = include_str!("templates/vercel/vercelignore");

/// Maximum number of rules of a deployment, all kinds together.
const RULES: usize = 1_024;

pub(super) fn files(site: &HostSite<'_>, templates: &Templates) -> Result<HostFiles, Error> {
    let mut rules: Vec<_> = site.documents.iter().filter(|one| one.needs_rule()).collect();
    let mut losses = vec![
        "send the published ETags, or one for each coding: it compares its own, which it answers with 304"
            .to_owned(),
        "say Last-Modified, or Allow and JSON with a document's 405".to_owned(),
        "answer the preflight of a script that sends If-None-Match to a document".to_owned(),
    ];
    let count = rules.len() + site.common_rules();
    if count > RULES {
        rules.truncate(RULES - site.common_rules());
        losses.push(format!(
            "say type or links of {} documents: it takes {RULES} rules",
            count - RULES
        ));
    }
    let more = context! { rules => Value::from(Serde(rules)) };
    let settings = templates.render_with("vercel/vercel.json", more)?;
    let public = shell_word(site.options.public.display());
    let mut next = vec![format!("npx vercel deploy --prod {public}")];
    if !site.previous.is_empty() {
        next.push("add the earlier names as domains of the project".to_owned());
    }
    next.extend(platform::name_of_sidecar(site));
    Ok(HostFiles {
        public: vec![
            HostFile::new(".vercelignore", IGNORED),
            HostFile::new("vercel.json", settings),
        ],
        losses,
        next,
        ..HostFiles::default()
    })
}
