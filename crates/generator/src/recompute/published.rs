//! A published site: its manifest, its files and their compressed copies.

use anyhow::{Context as _, bail};
use review_log::{History, LOG_KEYS_PATH, LogKeys, Revocation, is_bundle, parse_bundle};
use url::Url;

use super::differences;
use crate::{
    previous::Previous,
    publish::{self, GENERATOR},
};
use content::TransparencyLog;
use contract::{
    compress,
    etag::ETag,
    manifest::{FileEntry, MANIFEST_PATH, Manifest},
};

/// Largest document that is read: 1 GiB.
const MAX_READ: u64 = 1 << 30;

/// A site that this program made.
pub(super) struct Published {
    at: Previous,
    pub(super) manifest: Manifest,
}

impl Published {
    pub(super) fn open(folder: &Url, say: &dyn Fn(&str)) -> anyhow::Result<Self> {
        let at = Previous::Url(folder.join(MANIFEST_PATH)?);
        let manifest = at.manifest(say)?.with_context(|| format!("there is no {at}"))?;
        match &manifest.generator {
            None => bail!(
                "the manifest does not say which version of candor made the site, so it is older than {GENERATOR}; the owner can build it again"
            ),
            Some(made) if made != GENERATOR => bail!(
                "{made} made the site, and this is {GENERATOR}, which may make other bytes of the same reviews; verify it with {made}"
            ),
            Some(_) => Ok(Self { at, manifest }),
        }
    }

    /// Reads a document that every site has.
    pub(super) fn get(&self, path: &str) -> anyhow::Result<Vec<u8>> {
        let file = self.manifest.file(path).with_context(|| format!("the site has no /{path}"))?;
        self.read(file)?
            .with_context(|| format!("/{path} is in the manifest, and there is no such file"))
    }

    /// Reads the log as far as pages and descriptions state it; `None` if the site has none. `verify --log` compares it.
    pub(super) fn log(&self) -> anyhow::Result<Option<TransparencyLog>> {
        if self.manifest.file(LOG_KEYS_PATH).is_none() {
            return Ok(None);
        }
        let keys: LogKeys = serde_json::from_slice(&self.get(LOG_KEYS_PATH)?)
            .with_context(|| format!("/{LOG_KEYS_PATH} cannot be read"))?;
        let bundles = self.manifest.files.iter().map(|file| &*file.path);
        let mut bundles: Vec<&str> = bundles.filter(|path| is_bundle(path)).collect();
        bundles.sort_unstable();
        let mut leaves = Vec::new();
        for path in bundles {
            leaves.extend(parse_bundle(&self.get(path)?).with_context(|| format!("/{path}"))?);
        }
        Ok(Some(TransparencyLog {
            origin: keys.origin,
            revoked: (keys.revoked.clone(), Revocation::read(&keys.revoked, &keys.keys)?),
            keys: keys.keys,
            history: History::from_leaves(&leaves)?,
            ..TransparencyLog::default()
        }))
    }

    /// Reads a file; `None` if there is none.
    pub(super) fn read(&self, file: &FileEntry) -> anyhow::Result<Option<Vec<u8>>> {
        Ok(self.at.document(&address(file), MAX_READ)?)
    }

    /// How a file differs from what the manifest says of it.
    pub(super) fn unlisted(&self, file: &FileEntry, bytes: &[u8]) -> Option<String> {
        let FileEntry { length, etag, .. } = file;
        let tag = ETag::of(bytes);
        (bytes.len() as u64 != *length || tag != *etag).then(|| {
            format!(
                "{} bytes with the tag {tag}, and the manifest says {length} with {etag}",
                bytes.len()
            )
        })
    }

    /// The first difference of a compressed copy from its file. A host may send no such copies.
    pub(super) fn other_copy(
        &self,
        file: &FileEntry,
        bytes: &[u8],
    ) -> anyhow::Result<Option<String>> {
        for coding in file.encodings.keys().copied() {
            let Some(encoded) =
                self.at.beside(&address(file)).read(MAX_READ, Some(coding), &|_| {})?
            else {
                continue;
            };
            let found = match compress::decode(coding, &encoded, bytes.len() as u64 + 1) {
                Ok(decoded) => differences::of_bytes(&decoded, bytes),
                Err(error) => Some(error.to_string()),
            };
            if let Some(found) = found {
                return Ok(Some(format!("compressed as {}, {found}", coding.token())));
            }
        }
        Ok(None)
    }

    /// Whether the manifest contradicts itself.
    pub(super) fn other_build(&self) -> Option<String> {
        let (said, is) = (&self.manifest.build_id, publish::build_id(&self.manifest));
        (*said != is)
            .then(|| format!("/{MANIFEST_PATH}, build_id: published `{said}`, computed `{is}`"))
    }
}

/// The address of a file, relative to the manifest. Hosts may redirect index.html to its folder.
fn address(file: &FileEntry) -> String {
    format!(".{}", file.url_path())
}
