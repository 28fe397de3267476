//! Subscribers' secrets: never printed, never logged, and encrypted in the store.

use crate::runtime::random::{NoRandomness, Random};
use std::{
    fmt, fs, io,
    path::{Path, PathBuf},
};

use contract::{files, hex::to_hex};
use ring::{
    aead::{Aad, CHACHA20_POLY1305, LessSafeKey, NONCE_LEN, Nonce, UnboundKey},
    hmac,
};

/// Bytes of the key with which secrets are encrypted.
pub(crate) const KEY_LENGTH: usize = 32;

/// The secret with which deliveries to a subscriber are signed. `Debug` does not print its bytes.
#[derive(Clone, PartialEq, Eq, Hash)]
pub(crate) struct Secret(Vec<u8>);

/// A secret as it is stored: nonce, then ciphertext and tag.
#[derive(Clone, PartialEq, Eq)]
pub(crate) struct Sealed(pub(crate) Vec<u8>);

impl Secret {
    pub(crate) fn new(bytes: Vec<u8>) -> Self {
        Self(bytes)
    }

    #[cfg(test)]
    pub(crate) fn bytes(&self) -> &[u8] {
        &self.0
    }

    /// Returns the value of `X-Hub-Signature` for a body (WebSub §7.1).
    pub(crate) fn signature(&self, body: &[u8]) -> String {
        let key = hmac::Key::new(hmac::HMAC_SHA256, &self.0);
        format!("sha256={}", to_hex(hmac::sign(&key, body).as_ref()))
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Secret(…)")
    }
}

impl fmt::Debug for Sealed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Sealed(…)")
    }
}

/// The key of a store.
pub(crate) struct Keyring {
    key: LessSafeKey,
    check: String,
    random: Random,
}

impl fmt::Debug for Keyring {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Keyring").field("check", &self.check).finish_non_exhaustive()
    }
}

/// The reason why a key cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum KeyError {
    /// It can be neither read nor created.
    #[error(
        "cannot use the key file {path}, which the user of the sidecar must be able to read (under systemd by LoadCredential=): {source}"
    )]
    Unusable {
        /// The path of the file.
        path: PathBuf,
        /// The reason.
        source: io::Error,
    },
    /// The file has another length than a key.
    #[error("the key file {0} does not hold {KEY_LENGTH} bytes: restore it from a backup")]
    Length(PathBuf),
    /// The configured file does not exist, and is not created.
    #[error(
        "there is no key file {0}: correct --hub-key, or create the file with openssl rand -out {0} {KEY_LENGTH}"
    )]
    Missing(PathBuf),
    /// The store was encrypted with a key whose file is missing.
    #[error(
        "the key file {0} is lost, and the hub's store was encrypted with it: restore the file \
         from a backup, or move the store to another directory to begin without subscriptions"
    )]
    Lost(PathBuf),
}

impl Keyring {
    /// Reads the key file, which is made when there is none.
    pub(crate) fn open(path: &Path) -> Result<Self, KeyError> {
        if let Some(keys) = Self::read(path)? {
            return Ok(keys);
        }
        let unusable = |source| KeyError::Unusable { path: path.to_path_buf(), source };
        let bytes = make(path).map_err(unusable)?;
        Self::new(&bytes).ok_or_else(|| KeyError::Length(path.to_path_buf()))
    }

    /// Reads the key file; `None` when there is none.
    pub(crate) fn read(path: &Path) -> Result<Option<Self>, KeyError> {
        match fs::read(path) {
            Ok(bytes) => match Self::new(&bytes) {
                Some(keys) => Ok(Some(keys)),
                None => Err(KeyError::Length(path.to_path_buf())),
            },
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(source) => Err(KeyError::Unusable { path: path.to_path_buf(), source }),
        }
    }

    /// Makes a key of bytes; `None` if they have another length than a key.
    pub(crate) fn new(bytes: &[u8]) -> Option<Self> {
        let key = LessSafeKey::new(UnboundKey::new(&CHACHA20_POLY1305, bytes).ok()?);
        let check = blake3::Hasher::new_derive_key("candor hub key check").update(bytes).finalize();
        Some(Self { key, check: check.to_hex()[..16].to_owned(), random: Random::new() })
    }

    /// Returns a text that distinguishes keys without revealing them.
    pub(crate) fn check(&self) -> &str {
        &self.check
    }

    /// Encrypts a secret for the subscription that it belongs to.
    pub(crate) fn seal(&self, secret: &Secret, owner: &str) -> Result<Sealed, NoRandomness> {
        let nonce: [u8; NONCE_LEN] = self.random.bytes()?;
        let mut text = secret.0.clone();
        let sealing = Nonce::assume_unique_for_key(nonce);
        self.key
            .seal_in_place_append_tag(sealing, Aad::from(owner), &mut text)
            .map_err(|_| NoRandomness)?;
        Ok(Sealed([&nonce[..], &text].concat()))
    }

    /// Decrypts a secret of [`Keyring::seal`]; `None` if the key or the subscription is another.
    pub(crate) fn open_sealed(&self, sealed: &Sealed, owner: &str) -> Option<Secret> {
        let (nonce, text) = sealed.0.split_at_checked(NONCE_LEN)?;
        let nonce = Nonce::try_assume_unique_for_key(nonce).ok()?;
        let mut text = text.to_vec();
        let opened = self.key.open_in_place(nonce, Aad::from(owner), &mut text).ok()?;
        Some(Secret(opened.to_vec()))
    }
}

/// Creates a key. The key of another process that creates it at the same time is used instead.
fn make(path: &Path) -> io::Result<Vec<u8>> {
    let key: [u8; KEY_LENGTH] = Random::new().bytes().map_err(io::Error::other)?;
    files::create_private(path, &key)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_signature_is_the_hmac_of_the_body() {
        // RFC 4231, test case 2.
        let signature = Secret::new(b"Jefe".to_vec()).signature(b"what do ya want for nothing?");
        assert_eq!(
            signature,
            "sha256=5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"
        );
    }

    #[test]
    fn secrets_do_not_show() {
        let secret = Secret::new(b"hunter2".to_vec());
        assert_eq!(format!("{secret:?}"), "Secret(…)");
        assert_eq!(format!("{:?}", Sealed(secret.0)), "Sealed(…)");
    }

    #[test]
    fn a_sealed_secret_opens_for_its_key_and_owner_alone() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("hub.key");
        let keys = Keyring::open(&path).unwrap();
        let secret = Secret::new(b"hunter2".to_vec());
        let sealed = keys.seal(&secret, "me").unwrap();
        assert!(!sealed.0.windows(7).any(|bytes| bytes == b"hunter2"));
        assert_ne!(keys.seal(&secret, "me").unwrap(), sealed);
        let again = Keyring::open(&path).unwrap();
        assert_eq!(again.check(), keys.check());
        assert_eq!(again.open_sealed(&sealed, "me"), Some(secret));
        assert_eq!(again.open_sealed(&sealed, "you"), None);
        assert_eq!(again.open_sealed(&Sealed(vec![1, 2]), "me"), None);
        let other = Keyring::open(&directory.path().join("other.key")).unwrap();
        assert_eq!(other.open_sealed(&sealed, "me"), None);
        assert_ne!(other.check(), keys.check());
    }

    #[test]
    #[cfg(unix)]
    fn a_key_file_is_for_its_owner_alone_and_a_torn_one_is_named() {
        use std::os::unix::fs::PermissionsExt;
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("hub.key");
        Keyring::open(&path).unwrap();
        assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o600);
        assert_eq!(fs::read_dir(directory.path()).unwrap().count(), 1);
        fs::write(&path, b"short").unwrap();
        let expected = format!(
            "the key file {} does not hold 32 bytes: restore it from a backup",
            path.display()
        );
        assert_eq!(Keyring::open(&path).unwrap_err().to_string(), expected);
    }
}
