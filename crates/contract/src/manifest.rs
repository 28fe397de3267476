//! The manifest `candor-manifest.json`: the list of the published files. It is written last. The
//! sidecar, the next build and the configuration of hosts read it.

#[cfg(test)]
mod tests;

use std::{cmp::Ordering, collections::BTreeMap, fmt};

use jiff::Timestamp;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{etag::ETag, security::Security};

/// The manifest's name inside the public directory.
pub const MANIFEST_PATH: &str = "candor-manifest.json";

/// The manifest format that this program writes and reads. A newer format is refused.
pub const MANIFEST_FORMAT: u32 = 1;

/// Topics, and earlier addresses, that a manifest has at most.
pub const MAX_ADDRESSES: usize = 64;

/// Bytes of a topic's path at most.
pub const MAX_TOPIC: usize = 1024;

/// The published files, with what a server needs to serve each.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Manifest {
    /// [`MANIFEST_FORMAT`]
    pub format: u32,
    /// Tag over all paths, media types, tags and links: equal exactly when the same site was
    /// published.
    pub build_id: ETag,
    /// The program that made the documents, with its version. Other versions may make other bytes of the same content.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub generator: Option<String>,
    /// The time of the last publication with a change. A build that changes nothing keeps it.
    pub published_at: Timestamp,
    /// The origin everything is served from, without a trailing slash.
    pub base_url: String,
    /// The prefix of the ids in the feeds, which no other site has. Empty in a manifest that does not say.
    #[serde(default)]
    pub id_base: String,
    /// Origins the site had before.
    #[serde(default)]
    pub previous_base_urls: Vec<String>,
    /// The site shows an invented business.
    #[serde(default)]
    pub sample: bool,
    /// The address of the dynamic routes; `null` where the site has no sidecar.
    pub sidecar: Option<SidecarAddress>,
    /// The files whose changes a hub announces; none on a site without a sidecar.
    pub topics: Vec<Topic>,
    /// The owner's settings of the header fields that protect readers.
    #[serde(default, skip_serializing_if = "Security::is_default")]
    pub security: Security,
    /// Every published file, sorted by path.
    pub files: Vec<FileEntry>,
    /// Files among them that only the web server or platform reads, by name: written and removed
    /// with the publication, and no documents.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub host_files: Vec<String>,
}

/// The sidecar of the site, as the manifest names it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct SidecarAddress {
    /// The sidecar's own URL, where it has one beside the site's.
    pub url: Option<String>,
}

/// A document subscribers can ask to be told about.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Topic {
    /// The topic's canonical URL (`rel=self`).
    pub url: String,
    /// The file it names.
    pub path: String,
}

/// One published file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct FileEntry {
    /// Relative to the public directory, `/` between parts.
    pub path: String,
    /// The whole `Content-Type` value.
    pub media_type: String,
    /// In bytes.
    pub length: u64,
    /// Of the identity bytes.
    pub etag: ETag,
    /// Precompressed files, by coding.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub encodings: BTreeMap<Coding, Encoded>,
    /// The time when the identity bytes last changed, in whole seconds; strictly increasing per file.
    pub modified: Timestamp,
    /// The `Link` header's members.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub links: Vec<Link>,
}

/// A precompressed sibling: `path` + [`Coding::suffix`].
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Encoded {
    /// In bytes.
    pub length: u64,
    /// Of the encoded bytes.
    pub etag: ETag,
}

/// A web link (RFC 8288).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Link {
    /// Absolute target.
    pub href: String,
    /// Relation type.
    pub rel: String,
}

impl Link {
    /// One `Link` field with these links; `None` without any.
    #[must_use]
    pub fn field(links: &[Self]) -> Option<String> {
        let members: Vec<_> = links.iter().map(Self::to_string).collect();
        Some(members.join(", ")).filter(|field| !field.is_empty())
    }
}

impl fmt::Display for Link {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "<{}>; rel=\"{}\"", self.href, self.rel)
    }
}

/// The content codings files are precompressed with.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema,
)]
pub enum Coding {
    /// Brotli (RFC 7932)
    #[serde(rename = "br")]
    Brotli,
    /// gzip (RFC 1952)
    #[serde(rename = "gzip")]
    Gzip,
}

impl Coding {
    /// All codings, in the sidecar's order of preference at equal quality.
    pub const ALL: [Self; 2] = [Self::Brotli, Self::Gzip];

    /// The value of `Content-Encoding`.
    #[must_use]
    pub fn token(self) -> &'static str {
        match self {
            Self::Brotli => "br",
            Self::Gzip => "gzip",
        }
    }

    /// The suffix of a sibling's file name.
    #[must_use]
    pub fn suffix(self) -> &'static str {
        match self {
            Self::Brotli => ".br",
            Self::Gzip => ".gz",
        }
    }
}

/// The reason why a manifest cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum ManifestError {
    /// The bytes are not a manifest.
    #[error("it is not a Candor manifest: {0}")]
    Syntax(serde_json::Error),
    /// A newer program wrote the manifest.
    #[error("its format is {0}, this program reads up to {MANIFEST_FORMAT}: update candor")]
    Newer(u32),
    /// A path leaves the public directory, or no file can have it.
    #[error("it lists the path {0:?}, which is not inside the public directory")]
    Path(String),
    /// No URL has control characters, and stores of the hub refuse some of them.
    #[error("it lists the address {0:?}, which has a control character")]
    Address(String),
    /// Each topic has a name under each address of the site.
    #[error(
        "it has {0} topics and {1} earlier addresses; at most {MAX_ADDRESSES} of each are allowed"
    )]
    TooMany(usize, usize),
    /// Stores of the hub refuse longer keys.
    #[error("it offers a topic with a path of {0} bytes; at most {MAX_TOPIC} are allowed")]
    LongTopic(usize),
}

impl Manifest {
    /// Parses a manifest and checks its paths, topics and addresses.
    ///
    /// # Errors
    /// When the bytes are not a manifest, the format is newer, a path leaves the directory, or
    /// topics and addresses are more, longer or of other characters than a hub can use.
    pub fn from_json(bytes: &[u8]) -> Result<Self, ManifestError> {
        #[derive(Deserialize)]
        struct Format {
            format: u32,
        }
        let manifest: Result<Self, _> = serde_json::from_slice(bytes);
        let format = match &manifest {
            Ok(manifest) => Ok(manifest.format),
            // A newer one may have another shape.
            Err(_) => serde_json::from_slice(bytes).map(|Format { format }| format),
        };
        if let Some(newer) = format.ok().filter(|format| *format > MANIFEST_FORMAT) {
            return Err(ManifestError::Newer(newer));
        }
        let manifest = manifest.map_err(ManifestError::Syntax)?;
        let paths = manifest.files.iter().map(|file| &file.path);
        let topics = manifest.topics.iter().map(|topic| &topic.path);
        if let Some(path) =
            paths.chain(topics).chain(&manifest.host_files).find(|path| !is_safe_path(path))
        {
            return Err(ManifestError::Path(path.clone()));
        }
        let Self { topics, previous_base_urls: previous, base_url, id_base, .. } = &manifest;
        let urls = topics.iter().map(|topic| &topic.url).chain(previous).chain([base_url, id_base]);
        if let Some(url) = urls.into_iter().find(|url| url.contains(char::is_control)) {
            return Err(ManifestError::Address(url.clone()));
        }
        if topics.len().max(previous.len()) > MAX_ADDRESSES {
            return Err(ManifestError::TooMany(topics.len(), previous.len()));
        }
        match topics.iter().map(|topic| topic.path.len()).max() {
            Some(longest) if longest > MAX_TOPIC => Err(ManifestError::LongTopic(longest)),
            _ => Ok(manifest),
        }
    }

    /// The bytes of the manifest as written to the public directory.
    #[must_use]
    pub fn to_json(&self) -> Vec<u8> {
        let mut bytes = serde_json::to_vec_pretty(self)
            .expect("a manifest has string keys only and serializes");
        bytes.push(b'\n');
        bytes
    }

    /// The entry of the file with this path.
    #[must_use]
    pub fn file(&self, path: &str) -> Option<&FileEntry> {
        let at = self.files.binary_search_by(|file| file.path.as_str().cmp(path)).ok()?;
        self.files.get(at)
    }

    /// The entries of two manifests side by side, in the order of their paths.
    pub fn beside<'m>(
        &'m self,
        other: &'m Self,
    ) -> impl Iterator<Item = (Option<&'m FileEntry>, Option<&'m FileEntry>)> {
        let mut ours = self.files.iter().peekable();
        let mut theirs = other.files.iter().peekable();
        std::iter::from_fn(move || {
            let (our, their) = (ours.peek(), theirs.peek());
            let order = our.zip(their).map(|(our, their)| our.path.cmp(&their.path));
            match order {
                Some(Ordering::Less) => Some((ours.next(), None)),
                Some(Ordering::Greater) => Some((None, theirs.next())),
                _ if our.is_none() && their.is_none() => None,
                _ => Some((ours.next(), theirs.next())),
            }
        })
    }

    /// Whether this is the name of a document, a sibling or a host file.
    #[must_use]
    pub fn has(&self, name: &str) -> bool {
        let is_sibling = |coding: &Coding| {
            let file = name.strip_suffix(coding.suffix()).and_then(|path| self.file(path));
            file.is_some_and(|file| file.encodings.contains_key(coding))
        };
        self.file(name).is_some()
            || Coding::ALL.iter().any(is_sibling)
            || self.host_files.iter().any(|file| file == name)
    }

    /// Every file name of the site on disk, with siblings and host files, without the manifest.
    pub fn disk_paths(&self) -> impl Iterator<Item = String> + '_ {
        self.files.iter().flat_map(FileEntry::disk_paths).chain(self.host_files.iter().cloned())
    }
}

impl FileEntry {
    /// The file name of the sibling in this coding. The sibling need not exist.
    #[must_use]
    pub fn sibling(&self, coding: Coding) -> String {
        format!("{}{}", self.path, coding.suffix())
    }

    /// The names of the file and its siblings.
    pub fn disk_paths(&self) -> impl Iterator<Item = String> + '_ {
        let siblings = self.encodings.keys().map(|coding| self.sibling(*coding));
        std::iter::once(self.path.clone()).chain(siblings)
    }

    /// Whether the file has an address. The 404 page has none, and no hidden file except those in
    /// `.well-known` (RFC 8615).
    #[must_use]
    pub fn has_address(&self) -> bool {
        let is_hidden = |part: &str| part.starts_with('.') && part != ".well-known";
        self.path != NOT_FOUND_PAGE && !self.path.split('/').any(is_hidden)
    }

    /// The URL path of the file: `/` for `index.html`, `/a/` for `a/index.html`.
    #[must_use]
    pub fn url_path(&self) -> String {
        match self.path.strip_suffix("index.html") {
            Some(folder) if folder.is_empty() || folder.ends_with('/') => format!("/{folder}"),
            _ => format!("/{}", self.path),
        }
    }
}

/// The page that is sent for a path with nothing at it.
pub const NOT_FOUND_PAGE: &str = "404.html";

/// Whether a path is relative, has no empty, `.` or `..` part, and has no character that an
/// operating system interprets.
#[must_use]
pub fn is_safe_path(path: &str) -> bool {
    !path.is_empty()
        && !path.contains(|char: char| matches!(char, '\\' | ':') || char.is_control())
        && path.split('/').all(|part| !matches!(part, "" | "." | ".."))
}
