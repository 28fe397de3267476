//! Export and import of the store with the keys.

use std::{fs, io, path::Path, time::Duration};

use contract::files;

use super::{StoreAdmin, StoreAdminError};
use crate::{
    hub::{
        secrets::Keyring,
        store::{Location, StoreError},
    },
    state::{SESSION_KEY_FILE, StateDir},
};

/// The suffix of the names of key files in the state directory, except the key of MCP sessions.
const KEY_SUFFIX: &str = ".key";

impl StoreAdmin {
    /// Writes the store and the keys, as they are at one moment, into a new file that its owner
    /// alone can read. The sidecar may be running. How many subscriptions are in it.
    ///
    /// # Errors
    /// When there is no store, it does not answer, or the file exists or cannot be written.
    pub async fn export(&self, file: &Path) -> Result<i64, StoreAdminError> {
        let store = self.store().await?;
        create(file, &[])?;
        let exported = async { Ok(store.export(file, &self.keys()?).await?) };
        let exported = exported.await;
        if exported.is_err() {
            // An incomplete export cannot be imported.
            let _ = fs::remove_file(file);
        }
        exported
    }

    /// Imports an exported file into a store without subscriptions. Every subscription is verified
    /// again before its next delivery. Returns how many there are.
    ///
    /// # Errors
    /// When a sidecar is running, the store has subscriptions, or the file was not exported.
    pub async fn import(&self, file: &Path) -> Result<i64, StoreAdminError> {
        let _state = StateDir::open(&self.state, Duration::ZERO)?;
        if !file.exists() {
            let source = io::Error::from(io::ErrorKind::NotFound);
            return Err(StoreAdminError::File { path: file.to_path_buf(), source });
        }
        let not_exported = |error: StoreError| StoreAdminError::NotExported {
            path: file.to_path_buf(),
            reason: error.to_string(),
        };
        let from = Location::Sqlite(file.to_path_buf()).connect().await.map_err(not_exported)?;
        for (name, bytes) in from.exported_keys().await.map_err(not_exported)? {
            self.put_key(&name, &bytes)?;
        }
        let keys = Keyring::open(&self.key)?;
        let opening = self.location.open(&keys, Duration::ZERO).await?;
        let (store, name) = (&opening.store, self.location.to_string());
        let count = store.import(&from, &name, self.now(store).await?).await?;
        store.close().await;
        from.close().await;
        Ok(count)
    }

    /// The hub's key under the name it has in a state directory, and every other key there.
    fn keys(&self) -> Result<Vec<(String, Vec<u8>)>, StoreAdminError> {
        let failed = |path: &Path| {
            let path = path.to_path_buf();
            move |source| StoreAdminError::File { path, source }
        };
        let mut keys =
            vec![("hub.key".to_owned(), fs::read(&self.key).map_err(failed(&self.key))?)];
        for entry in fs::read_dir(&self.state).map_err(failed(&self.state))? {
            let path = entry.map_err(failed(&self.state))?.path();
            let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
            if is_key(name) && name != "hub.key" {
                keys.push((name.to_owned(), fs::read(&path).map_err(failed(&path))?));
            }
        }
        keys.sort();
        Ok(keys)
    }

    fn put_key(&self, name: &str, bytes: &[u8]) -> Result<(), StoreAdminError> {
        let path = match name {
            "hub.key" => self.key.clone(),
            // Any other name could be a path outside the state directory.
            name if !is_key(name) => return Ok(()),
            name => self.state.join(name),
        };
        match fs::read(&path) {
            Ok(found) if found == bytes => Ok(()),
            Ok(_) => Err(StoreAdminError::OtherKey(path)),
            Err(_) => create(&path, bytes),
        }
    }
}

fn is_key(name: &str) -> bool {
    if name == SESSION_KEY_FILE {
        return true;
    }
    let stem = name.strip_suffix(KEY_SUFFIX).unwrap_or_default();
    !stem.is_empty() && stem.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-')
}

/// A new file that its owner alone can read.
fn create(path: &Path, bytes: &[u8]) -> Result<(), StoreAdminError> {
    use io::Write;
    let written = files::private().create_new(true).open(path).and_then(|mut file| {
        file.write_all(bytes)?;
        file.sync_all()
    });
    written.map_err(|source| StoreAdminError::File { path: path.to_path_buf(), source })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_names_of_keys_are_keys() {
        for (name, key) in [
            ("hub.key", true),
            ("mcp-session-key", true),
            ("another-session-key", false),
            (".key", false),
            ("../x.key", false),
            ("a/b.key", false),
            ("hub.db", false),
        ] {
            assert_eq!(is_key(name), key, "{name}");
        }
    }
}
