//! Export and import of the store with the keys.

use std::{fs, io, path::Path, time::Duration};

use contract::files;

use super::{StoreAdmin, StoreAdminError, host_name, known_site, names};
use crate::{
    hub::{
        secrets::{KeyError, Keyring},
        store::{IfNew, Location, SiteImport, Store, StoreError},
    },
    runtime::state::{SESSION_KEY_FILE, StateDir},
};

/// The name of the hub's key in an exported file, whatever it is called elsewhere.
const HUB_KEY: &str = "hub.key";

/// The suffix of the names of key files in the state directory, except the key of MCP sessions.
const KEY_SUFFIX: &str = ".key";

impl StoreAdmin {
    /// Writes the store, or what it has of one site, and the keys, as they are at one moment, into a
    /// new file that its owner alone can read. The sidecar may be running. How many subscriptions are
    /// in it.
    ///
    /// # Errors
    /// When there is no store, it does not answer, it has nothing of this site, or the file exists or
    /// cannot be written.
    pub async fn export(&self, file: &Path, site: Option<&str>) -> Result<i64, StoreAdminError> {
        let (store, site) = (self.store().await?, site.map(host_name));
        if let Some(site) = &site {
            known_site(&store, site).await?;
        }
        create(file, &[])?;
        let exported = async {
            let mut keys = self.keys()?;
            if site.is_some() {
                // The others are those of the sidecar and not of the site.
                keys.retain(|(name, _)| name == HUB_KEY);
            }
            Ok(store.export(file, &keys, site.as_deref()).await?)
        };
        let exported = exported.await;
        if exported.is_err() {
            // An incomplete export cannot be imported.
            let _ = fs::remove_file(file);
        }
        exported
    }

    /// Imports an exported file into a store without subscriptions; or, under this name, one site into
    /// a store without subscriptions of this name. Every subscription is verified again before its next
    /// delivery. Returns how many there are.
    ///
    /// # Errors
    /// When a sidecar is running, the store has such subscriptions, the file was not exported, or does
    /// not say which site is meant.
    pub async fn import(&self, file: &Path, site: Option<&str>) -> Result<i64, StoreAdminError> {
        let _state = StateDir::open(&self.state, Duration::ZERO)?;
        if !file.exists() {
            let source = io::Error::from(io::ErrorKind::NotFound);
            return Err(StoreAdminError::File { path: file.to_path_buf(), source });
        }
        let not_exported = |error: StoreError| not_exported(file, error.to_string());
        let from = Location::Sqlite(file.to_path_buf());
        let from = from.connect(IfNew::Create).await.map_err(not_exported)?;
        let exported = from.exported_keys().await.map_err(not_exported)?;
        let imported = match site.map(host_name) {
            None => {
                for (name, bytes) in &exported {
                    self.put_key(name, bytes)?;
                }
                self.import_from(&from, &Keyring::open(&self.key)?, None).await
            }
            Some(name) => {
                let site = exported_site(file, &from.sites().await?, &name)?;
                let keys = exported.iter().find(|(name, _)| name == HUB_KEY);
                let keys = keys.and_then(|(_, bytes)| Keyring::new(bytes));
                let keys = keys.ok_or_else(|| not_exported(StoreError::Undecryptable))?;
                let new_keys = self.own_keys()?;
                let (site, new_keys) = (site.as_str(), &new_keys);
                let import = SiteImport { site, new_name: &name, keys: &keys, new_keys };
                match self.import_from(&from, new_keys, Some(import)).await {
                    Err(StoreAdminError::Store(error @ StoreError::Undecryptable)) => {
                        Err(not_exported(error))
                    }
                    imported => imported,
                }
            }
        };
        from.close().await;
        imported
    }

    async fn import_from(
        &self,
        from: &Store,
        keys: &Keyring,
        site: Option<SiteImport<'_>>,
    ) -> Result<i64, StoreAdminError> {
        let opening = self.location.open(IfNew::Create, Duration::ZERO).await?;
        let (store, name) = (&opening.store, self.location.to_string());
        store.check_key(keys, &name).await?;
        let count = store.import(from, &name, site, self.now(store).await?).await?;
        store.close().await;
        Ok(count)
    }

    /// The key of this store. It is created for a new store only.
    fn own_keys(&self) -> Result<Keyring, KeyError> {
        if self.location.has_file() {
            Keyring::read(&self.key)?.ok_or_else(|| KeyError::Lost(self.key.clone()))
        } else {
            Keyring::open(&self.key)
        }
    }

    /// The hub's key under the name it has in a state directory, and every other key there.
    fn keys(&self) -> Result<Vec<(String, Vec<u8>)>, StoreAdminError> {
        let failed = |path: &Path| {
            let path = path.to_path_buf();
            move |source| StoreAdminError::File { path, source }
        };
        let mut keys = vec![(HUB_KEY.to_owned(), fs::read(&self.key).map_err(failed(&self.key))?)];
        for entry in fs::read_dir(&self.state).map_err(failed(&self.state))? {
            let path = entry.map_err(failed(&self.state))?.path();
            let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
            if is_key(name) && name != HUB_KEY {
                keys.push((name.to_owned(), fs::read(&path).map_err(failed(&path))?));
            }
        }
        keys.sort();
        Ok(keys)
    }

    fn put_key(&self, name: &str, bytes: &[u8]) -> Result<(), StoreAdminError> {
        let path = match name {
            HUB_KEY => self.key.clone(),
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

/// The site of an exported file that is imported under a name: the one that has the name, or else the
/// only one.
fn exported_site(file: &Path, sites: &[String], name: &str) -> Result<String, StoreAdminError> {
    match sites {
        _ if sites.iter().any(|site| site == name) => Ok(name.to_owned()),
        [] => Ok(String::new()),
        [only] => Ok(only.clone()),
        _ => Err(StoreAdminError::ManySites {
            path: file.to_path_buf(),
            site: name.to_owned(),
            known: names(sites),
        }),
    }
}

fn not_exported(file: &Path, reason: String) -> StoreAdminError {
    StoreAdminError::NotExported { path: file.to_path_buf(), reason }
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
