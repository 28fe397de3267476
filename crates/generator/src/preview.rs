//! A site on this machine while its content is edited: built for the address it is served at, into a
//! folder of its own, with pages that reload themselves after each build.

use std::{
    io::ErrorKind,
    path::{Path, PathBuf},
};

use anyhow::Context as _;
use contract::{compress::Effort, manifest::Manifest};
use jiff::Timestamp;

use crate::{
    document::{Body, Document, HTML},
    publication,
    publish::{self, Options},
};
use content::{cache::Cache, dataset::Dataset};
use system::access::make_folder;

/// Polls the manifest ten times a second and reloads the page when it has another tag.
const SCRIPT: &str = r#"(()=>{let tag;const look=async()=>{try{const answer=await fetch("/candor-manifest.json",{cache:"no-store",headers:tag?{"If-None-Match":tag}:{}});if(answer.status!==200)return;const now=answer.headers.get("ETag");if(tag&&now!==tag)location.reload();tag=now}catch{}};look();setInterval(look,100)})()"#;

/// The script's hash, as the pages' Content-Security-Policy allows it.
const SCRIPT_HASH: &str = "'sha256-B777x1zZIKUvwunojpLtVK59HPCvDabaYgP58zoFy3g='";

/// The part of every page's policy that is about scripts.
const SCRIPT_POLICY: &str = "script-src 'self'";

/// The part as pages have it, escaped.
const SCRIPT_POLICY_IN_PAGE: &str = "script-src &#39;self&#39;";

/// Where the main part of a page begins.
const MAIN: &str = "<main id=\"content\">";

/// The folders of one preview.
#[derive(Debug)]
pub struct Preview {
    folder: PathBuf,
}

impl Preview {
    /// Uses a folder for each port, so that two previews share nothing. The files of an earlier preview there are
    /// removed. The folder excludes itself from git.
    ///
    /// # Errors
    /// When the folder cannot be made or emptied.
    pub fn new(folder: &Path, port: u16) -> anyhow::Result<Self> {
        let preview = Self { folder: folder.join(port.to_string()) };
        for stale in [preview.public(), preview.state()] {
            match std::fs::remove_dir_all(&stale) {
                Err(error) if error.kind() != ErrorKind::NotFound => {
                    return Err(error)
                        .with_context(|| format!("{} cannot be emptied", stale.display()));
                }
                _ => {}
            }
        }
        let make = || {
            make_folder(folder)?;
            std::fs::create_dir_all(&preview.folder)?;
            std::fs::write(folder.join(".gitignore"), "*\n")
        };
        make().with_context(|| format!("{} cannot be made", folder.display()))?;
        Ok(preview)
    }

    /// The folder the site is built into.
    #[must_use]
    pub fn public(&self) -> PathBuf {
        self.folder.join("public")
    }

    /// The folder for the sidecar's state.
    #[must_use]
    pub fn state(&self) -> PathBuf {
        self.folder.join("state")
    }

    /// The folder for the results that the next build need not compute again.
    #[must_use]
    pub fn cache(&self) -> PathBuf {
        self.folder.join("cache")
    }

    /// Builds the site.
    ///
    /// # Errors
    /// When a document cannot be rendered or written; the last build stays.
    pub fn build(&self, data: &Dataset, cache: &Cache) -> anyhow::Result<Manifest> {
        let note = all_withheld(data);
        let documents = publication::documents(data)?.into_iter();
        let documents: Vec<Document<'_>> =
            documents.map(|document| previewed(document, note.as_deref())).collect();
        let public = self.public();
        // The header field must allow the script too, not the page alone.
        let mut head = publish::head(data);
        let allowed = format!("{SCRIPT_POLICY} {SCRIPT_HASH}");
        let policy = head.security.policy().replacen(SCRIPT_POLICY, &allowed, 1);
        head.security.content_security_policy = Some(policy);
        let options = Options::new(Timestamp::now(), cache);
        let outcome = publish::publish(&head, &documents, &public, &options)?;
        Ok(outcome.manifest)
    }
}

/// Returns the document without compressed codings, which cost more than they save on one machine. A page gets the
/// script; a page that allows no scripts of the site's own, such as an embed, stays as it is.
fn previewed<'d>(document: Document<'d>, note: Option<&'d str>) -> Document<'d> {
    let document = document.with_effort(Effort::None);
    if document.media_type != HTML {
        return document;
    }
    let body = match document.body {
        Body::Page(render) => Body::Page(Box::new(move || Ok(with_script(render()?, note)))),
        body => body,
    };
    Document { body, ..document }
}

/// What the pages say where there are reviews and none is published: a visitor's page has no word of what to do.
fn all_withheld(data: &Dataset) -> Option<String> {
    let moderation = &data.moderation;
    let count = Some(moderation.withheld_count).filter(|count| *count > 0)?;
    let reasons = moderation.by_reason.iter().map(|(reason, count)| format!("{count} {reason}"));
    let reasons: Vec<String> = reasons.collect();
    data.reviews.is_empty().then(|| {
        format!(
            "<p role=\"status\"><strong>Preview: no review is published, {count} withheld ({}). Reviews of a source are published once [verification] of business.toml states how they are verified.</strong></p>",
            reasons.join(", ")
        )
    })
}

fn with_script(page: Vec<u8>, note: Option<&str>) -> Vec<u8> {
    let page = String::from_utf8_lossy(&page);
    let page = page.replacen(MAIN, &format!("{MAIN}{}", note.unwrap_or_default()), 1);
    match page.rsplit_once("</body>") {
        Some((body, rest)) if body.contains(SCRIPT_POLICY_IN_PAGE) => {
            let allowed = format!("{SCRIPT_POLICY_IN_PAGE} {SCRIPT_HASH}");
            let body = body.replacen(SCRIPT_POLICY_IN_PAGE, &allowed, 1);
            format!("{body}<script>{SCRIPT}</script></body>{rest}").into_bytes()
        }
        _ => page.into_bytes(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_gets_the_script_and_its_hash_and_an_embed_neither() {
        let policy = format!("{SCRIPT_POLICY_IN_PAGE}; img-src");
        let with_script = |page: &str| String::from_utf8(with_script(page.into(), None)).unwrap();
        let reloading = with_script(&format!("<meta content=\"{policy}\"><body>x</body></html>"));
        assert!(reloading.contains(&format!("{SCRIPT_POLICY_IN_PAGE} {SCRIPT_HASH}; img-src")));
        assert!(reloading.ends_with(&format!("x<script>{SCRIPT}</script></body></html>")));
        let embed = "<meta content=\"default-src 'none'\"><body>x</body>";
        assert_eq!(with_script(embed), embed);
    }

    #[test]
    fn the_script_polls_the_manifest() {
        let manifest = contract::manifest::MANIFEST_PATH;
        assert!(SCRIPT.contains(&format!("fetch(\"/{manifest}\"")));
    }
}
