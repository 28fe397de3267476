//! The files that each host needs beside the documents to serve a publication with the header fields of
//! docs/hosting.md, "Web servers": pure functions from a [`Manifest`] to files.
//!
//! A host that compares `If-None-Match` with a tag of its own always answers 200 when Candor's is set as a mere header.
//! So each module either makes its host compare Candor's tag, or leaves the host's own tag as it is and states that in
//! [`HostFiles::losses`].

mod apache;
mod caddy;
mod cloudflare;
mod escape;
mod github_pages;
mod headers_file;
mod htaccess;
mod netlify;
mod nginx;
mod platform;
mod previous;
mod s3;
mod served;
mod sidecar;
mod site;
mod templates;
mod types;
mod vercel;

use std::path::PathBuf;

use clap::ValueEnum;
use minijinja::context;

pub use self::sidecar::Sidecar;
use self::templates::Templates;
pub(crate) use self::{previous::PreviousOrigin, served::Served, site::HostSite, types::Types};
use contract::{manifest::Manifest, text::shell_word};

/// A web server or platform that can serve the public directory.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Host {
    /// nginx 1.22 or newer
    Nginx,
    /// Caddy 2.8 or newer; 2.6 with --compat
    Caddy,
    /// Apache httpd 2.4
    Apache,
    /// Cloudflare Workers or Pages
    Cloudflare,
    /// Netlify
    Netlify,
    /// Vercel
    Vercel,
    /// Amazon S3 behind CloudFront
    S3,
    /// GitHub Pages, for a site without a sidecar
    GithubPages,
    /// Shared hosting with Apache and .htaccess, for a site without a sidecar
    Htaccess,
}

impl Host {
    /// Returns the name on the command line.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Nginx => "nginx",
            Self::Caddy => "caddy",
            Self::Apache => "apache",
            Self::Cloudflare => "cloudflare",
            Self::Netlify => "netlify",
            Self::Vercel => "vercel",
            Self::S3 => "s3",
            Self::GithubPages => "github-pages",
            Self::Htaccess => "htaccess",
        }
    }

    /// Whether it is a program on a machine of the owner's, which can reach a sidecar beside it.
    #[must_use]
    pub(crate) fn is_server(self) -> bool {
        match self {
            Self::Nginx | Self::Caddy | Self::Apache => true,
            Self::Cloudflare
            | Self::Netlify
            | Self::Vercel
            | Self::S3
            | Self::GithubPages
            | Self::Htaccess => false,
        }
    }

    /// Whether it can pass requests on to a sidecar.
    #[must_use]
    pub(crate) fn passes_on(self) -> bool {
        !matches!(self, Self::GithubPages | Self::Htaccess)
    }
}

/// An older version to write for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Compat {
    /// Caddy 2.6, which Debian 12 has
    #[value(name = "2.6")]
    Caddy26,
}

/// The owner's settings of the host.
#[derive(Clone, Debug, Default)]
pub struct HostOptions {
    /// The address at which the host reaches the sidecar; without it, that of the manifest.
    pub sidecar: Option<Sidecar>,
    /// The older version to write for; Caddy only.
    pub compat: Option<Compat>,
    /// The public directory as an absolute path; it is in examples of a server's configuration.
    pub public: PathBuf,
    /// The folder to which the configuration is written, as an absolute path.
    pub out: PathBuf,
    /// The server and the site's folder on it, if this machine only builds.
    pub target: Option<(String, String)>,
    /// The folder of releases as an absolute path, if the public directory is the current one of them.
    pub releases: Option<PathBuf>,
}

/// A file to be written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HostFile {
    /// The path, relative to its folder, with `/` between parts.
    pub path: String,
    /// The bytes.
    pub bytes: Vec<u8>,
}

impl HostFile {
    /// Makes a file of this text.
    pub fn new(path: impl Into<String>, bytes: impl Into<Vec<u8>>) -> Self {
        Self { path: path.into(), bytes: bytes.into() }
    }
}

/// The files and the notes of one host.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct HostFiles {
    /// Configuration, for a folder of its own that is not deployed. Every build replaces it.
    pub config: Vec<HostFile>,
    /// Configuration that people change, for the same folder. It is written only if there is none.
    pub editable: Vec<HostFile>,
    /// The files to publish among the documents. Paths depend on nothing but the list of documents: the manifest lists
    /// them, and the manifest's own tag may be in one of them.
    pub public: Vec<HostFile>,
    /// The parts of the contract that this host cannot keep, each a whole sentence without its full stop.
    pub losses: Vec<String>,
    /// The steps that remain for the owner, in order; each a sentence or a command.
    pub next: Vec<String>,
}

/// The reason why no files can be written for a host.
#[derive(Debug, thiserror::Error)]
pub enum HostError {
    /// An older version was requested, and the host has none.
    #[error("--compat is for caddy only; leave it out for {0}")]
    Compat(&'static str),
    /// A server was named, and the host is a platform.
    #[error("--target is for nginx, caddy and apache; leave it out for {0}, also in site.toml")]
    Target(&'static str),
    /// The manifest was changed by hand.
    #[error(
        "the manifest entry of {0:?} contains characters that a header field cannot contain; run `candor build` to write it anew"
    )]
    Unwritable(String),
    /// The path of an address needs escapes in a server's configuration.
    #[error(
        "{0} has a path that servers cannot be told of: only letters, digits, hyphens, underscores and dots are written into their configuration; serve it at the root of a name of its own"
    )]
    Path(String),
    /// A file of the owner's has the path of one that the host needs.
    #[error(
        "content/static/{0} is where the host's own {0} is written; remove it, or give it another name"
    )]
    Taken(String),
    /// A sidecar was named, but the site has none.
    #[error(
        "the site was published without a sidecar; leave --sidecar out, or set [sidecar] enabled = true in site.toml and build again"
    )]
    NoSidecar,
    /// A sidecar was named, but the host does not pass requests on.
    #[error("{0} passes nothing on to a sidecar; leave --sidecar out")]
    NoProxy(&'static str),
    /// The address of the sidecar is not given.
    #[error(
        "{0} must be told where the sidecar is: add --sidecar https://…, or set [sidecar] url in site.toml and build again"
    )]
    SidecarUnknown(&'static str),
    /// The host is another machine, and the sidecar's address is one of this machine.
    #[error(
        "{host} cannot reach {sidecar}: that is this machine to it; name a public address with --sidecar https://…"
    )]
    SidecarLocal {
        /// The host.
        host: &'static str,
        /// The address of the sidecar.
        sidecar: String,
    },
    /// A built-in template has an error.
    #[error("a built-in template fails: {0:#}; please report it, with the version")]
    Template(#[from] minijinja::Error),
}

/// Renders the files that `host` needs to serve the publication of `manifest`. The same manifest and
/// options give the same files.
///
/// # Errors
/// When the options do not fit the host or the site.
pub fn render(
    host: Host,
    manifest: &Manifest,
    options: &HostOptions,
) -> Result<HostFiles, HostError> {
    if options.compat.is_some() && host != Host::Caddy {
        return Err(HostError::Compat(host.name()));
    }
    if options.target.is_some() && !host.is_server() {
        return Err(HostError::Target(host.name()));
    }
    if let Some(document) = site::unwritable(manifest) {
        return Err(HostError::Unwritable(document.to_owned()));
    }
    let mut addresses = std::iter::once(&manifest.base_url).chain(&manifest.previous_base_urls);
    if let Some(address) = addresses.find(|address| !site::has_plain_path(address)) {
        return Err(HostError::Path(address.clone()));
    }
    let sidecar = sidecar::resolve(host, manifest, options)?;
    let documents = Served::all(manifest);
    let site = HostSite::new(host, manifest, &documents, sidecar, options);
    let templates = Templates::new(&site)?;
    let files = match host {
        Host::Nginx => nginx::files(&site, &templates),
        Host::Caddy => caddy::files(&site, &templates),
        Host::Apache => apache::files(&site, &templates),
        Host::Cloudflare => cloudflare::files(&site, &templates),
        Host::Netlify => netlify::files(&site, &templates),
        Host::Vercel => vercel::files(&site, &templates),
        Host::S3 => s3::files(&site, &templates),
        Host::GithubPages => Ok(github_pages::files(&site)),
        Host::Htaccess => htaccess::files(&site, &templates),
    };
    let mut files = files?;
    if let Some((server, folder)) = &options.target {
        let editable = files.editable.first().map(|file| &file.path);
        let releases = options.releases.as_deref();
        let from = releases.unwrap_or(&options.public).to_string_lossy();
        let (conf, has_releases) = (options.out.to_string_lossy(), releases.is_some());
        let more =
            context! { name => host.name(), server, folder, editable, from, conf, has_releases };
        files.config.push(HostFile::new("upload.sh", templates.render_with("upload.sh", more)?));
        let script = shell_word(options.out.join("upload.sh").display());
        let once = files.next.join("; ");
        files.next = vec![
            format!("once, on {server} after the first upload: {once}"),
            format!("sh {script}"),
        ];
    }
    Ok(files)
}

#[cfg(test)]
mod tests {
    use clap::ValueEnum as _;

    use super::{Compat, Host};

    #[test]
    fn content_knows_the_names_of_all_hosts() {
        assert_eq!(
            Host::value_variants().iter().map(|host| host.name()).collect::<Vec<_>>(),
            content::HOSTS
        );
        let versions =
            Compat::value_variants().iter().filter_map(|version| version.to_possible_value());
        assert_eq!(
            versions.map(|value| value.get_name().to_owned()).collect::<Vec<_>>(),
            content::COMPAT
        );
    }
}
