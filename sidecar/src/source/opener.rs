//! Opens the sources of a thread. All of them that are fetched share one HTTP client.

use std::{cell::OnceCell, rc::Rc};

use super::{
    PublicationSource, address::Public, client::SourceClient, folder::Folder, remote::Remote,
    settings::RemoteConfig,
};
use crate::runtime::{outgoing::CaError, stop::Stop};

/// Opens sources; see the module.
#[derive(Debug)]
pub(crate) struct SourceOpener {
    remote: RemoteConfig,
    stop: Stop,
    client: OnceCell<Rc<SourceClient>>,
}

impl SourceOpener {
    pub(crate) fn new(remote: RemoteConfig, stop: Stop) -> Self {
        Self { remote, stop, client: OnceCell::new() }
    }

    /// Opens the source of this publication.
    ///
    /// # Errors
    /// When the operator's certificates are not usable.
    pub(crate) fn open(&self, public: &Public) -> Result<PublicationSource, CaError> {
        Ok(match public {
            Public::Folder(path) => PublicationSource::Folder(Folder::new(path, &self.stop)),
            Public::Url(url) => {
                let remote = Remote::open(url, &self.remote, self.client()?);
                PublicationSource::Remote(Box::new(remote))
            }
        })
    }

    fn client(&self) -> Result<Rc<SourceClient>, CaError> {
        if let Some(client) = self.client.get() {
            return Ok(client.clone());
        }
        let client = Rc::new(SourceClient::new(&self.remote, &self.stop)?);
        Ok(self.client.get_or_init(|| client).clone())
    }
}
