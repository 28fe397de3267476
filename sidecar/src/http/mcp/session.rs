//! Signed session ids: `v1.<revision>.<unix time>.<random>.<MAC>`, numbers in hexadecimal; `+ui` follows the revision if
//! the client shows views. Nothing is stored per session, so that a restart ends none and every replica with the key
//! accepts all.

use std::time::{SystemTime, UNIX_EPOCH};

use blake3::Hash;

use crate::runtime::random::{NoRandomness, Random};

/// Maximum characters of an id; Candor's are shorter.
const MAX_LENGTH: usize = 128;

/// The mark of a client that shows views.
const WITH_VIEWS: &str = "+ui";

/// What a handshake agreed on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Session {
    /// The revision of the protocol.
    pub(super) revision: String,
    /// Whether the client shows views (`apps`).
    pub(super) has_views: bool,
}

/// A key that signs ids.
#[derive(Clone, PartialEq, Eq)]
pub(super) struct SessionKey([u8; 32]);

impl SessionKey {
    /// Derives the key from any secret.
    pub(super) fn derive(secret: &[u8]) -> Self {
        Self(blake3::derive_key("candor 2026 session ids of the Model Context Protocol", secret))
    }

    /// Returns a new id of a session.
    ///
    /// # Errors
    /// When the system provides no random bytes.
    pub(super) fn new_id(&self, session: &Session) -> Result<String, NoRandomness> {
        let seconds = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |age| age.as_secs());
        let random = Random::new().bytes()?;
        let Session { revision, has_views } = session;
        let views = if *has_views { WITH_VIEWS } else { "" };
        let id = format!("v1.{revision}{views}.{seconds:x}.{:016x}", u64::from_be_bytes(random));
        let mac = self.mac(&id);
        Ok(format!("{id}.{}", mac.to_hex()))
    }

    /// Whether this key signed the id. Comparing hashes takes the same time wherever they differ.
    pub(super) fn signed(&self, id: &str) -> bool {
        let Some((signed, mac)) = id.rsplit_once('.') else { return false };
        let lowercase = mac.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'));
        id.len() <= MAX_LENGTH
            && lowercase
            && Hash::from_hex(mac).is_ok_and(|mac| mac == self.mac(signed))
    }

    /// Returns the session of a signed id.
    pub(super) fn session(id: &str) -> Option<Session> {
        let agreed = id.strip_prefix("v1.")?.split('.').next()?;
        let (revision, has_views) = match agreed.strip_suffix(WITH_VIEWS) {
            Some(revision) => (revision, true),
            None => (agreed, false),
        };
        Some(Session { revision: revision.to_owned(), has_views })
    }

    fn mac(&self, text: &str) -> Hash {
        blake3::keyed_hash(&self.0, text.as_bytes())
    }
}

impl std::fmt::Debug for SessionKey {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("SessionKey")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_id_is_known_by_its_key_alone_and_only_unchanged() {
        let (key, other) = (SessionKey::derive(b"one"), SessionKey::derive(b"two"));
        let session = |has_views| Session { revision: "2025-06-18".to_owned(), has_views };
        let id = key.new_id(&session(false)).unwrap();
        assert!(key.signed(&id) && !other.signed(&id));
        assert_eq!(SessionKey::session(&id), Some(session(false)));
        let with_views = key.new_id(&session(true)).unwrap();
        assert_eq!(SessionKey::session(&with_views), Some(session(true)));
        assert!(id.bytes().all(|byte| (0x21..=0x7e).contains(&byte)), "{id}");
        for at in 0..id.len() {
            let mut changed = id.clone().into_bytes();
            changed[at] = if changed[at] == b'0' { b'1' } else { b'0' };
            assert!(!key.signed(std::str::from_utf8(&changed).unwrap()), "{at}");
        }
        for bad in
            ["", ".", "v1", &id.to_uppercase(), &format!("{id}0"), &id[1..], &"a.".repeat(99)]
        {
            assert!(!key.signed(bad), "{bad}");
        }
        assert_ne!(id, key.new_id(&session(false)).unwrap());
        let padded = |length: usize| {
            let signed = "0".repeat(length - 65);
            format!("{signed}.{}", key.mac(&signed).to_hex())
        };
        assert!(key.signed(&padded(MAX_LENGTH)) && !key.signed(&padded(MAX_LENGTH + 1)));
    }
}
