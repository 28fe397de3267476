//! The common parts of the HTTP clients of the sidecar: trusted certificates and `User-Agent`.

use std::{io, path::PathBuf, sync::Arc};

use rustls::{
    ClientConfig, RootCertStore,
    pki_types::{CertificateDer, pem::PemObject},
};

/// The `User-Agent`.
pub(crate) const USER_AGENT: &str = concat!("candor-sidecar/", env!("CARGO_PKG_VERSION"));

/// The reason why certificates cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum CaError {
    /// The file is missing or not PEM.
    #[error("cannot read certificates from {flag} {path}: {reason}")]
    Unreadable {
        /// The flag that names the file.
        flag: &'static str,
        /// The path of the file.
        path: PathBuf,
        /// The reason.
        reason: String,
    },
    /// TLS itself cannot be set up.
    #[error("cannot set up TLS: {0}")]
    Tls(#[from] rustls::Error),
    /// The system provides no event loop for sockets.
    #[error("cannot set up an HTTP client: {0}")]
    Runtime(#[source] io::Error),
}

/// Makes TLS for HTTP/1.1 that trusts Mozilla's roots and the operator's, which `flag` names.
///
/// # Errors
/// When a file has no certificates.
pub(crate) fn tls(flag: &'static str, extra: &[PathBuf]) -> Result<ClientConfig, CaError> {
    let mut roots = RootCertStore { roots: webpki_roots::TLS_SERVER_ROOTS.to_vec() };
    for path in extra {
        let unreadable = |reason| CaError::Unreadable { flag, path: path.clone(), reason };
        let certificates =
            CertificateDer::pem_file_iter(path).map_err(|error| unreadable(error.to_string()))?;
        let before = roots.len();
        for certificate in certificates {
            let certificate = certificate.map_err(|error| unreadable(error.to_string()))?;
            roots.add(certificate).map_err(|error| unreadable(error.to_string()))?;
        }
        if roots.len() == before {
            return Err(unreadable("there are none in it".into()));
        }
    }
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let mut config = ClientConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()?
        .with_root_certificates(roots)
        .with_no_client_auth();
    config.alpn_protocols = vec![b"http/1.1".to_vec()];
    Ok(config)
}

/// Whether a connection failed for its certificate or another demand of TLS.
pub(crate) fn is_tls(error: &io::Error) -> bool {
    error.get_ref().is_some_and(|inner| inner.is::<rustls::Error>())
}

/// The reason for a timeout.
pub(crate) const LATE: &str = "did not answer in time";
