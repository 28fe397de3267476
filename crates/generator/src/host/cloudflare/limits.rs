//! The limits of the platform.

use crate::host::headers_file::Limits;
use contract::manifest::Manifest;

/// The limits of `_headers`.
pub(super) const HEADERS: Limits = Limits { rules: Some(100), line: Some(2_000) };

/// Maximum size of the table of documents, in bytes of text. Workers may have 1 MB compressed on the smallest plan; a
/// table compresses to half, and the time to parse it delays the first response.
pub(super) const TABLE: usize = 1_000_000;

/// Maximum files of a deployment, on the free plan and on the others.
const FILES: (usize, usize) = (20_000, 100_000);

/// Maximum bytes of a file.
const FILE_BYTES: u64 = 25 * 1024 * 1024;

/// Returns the limits on files that a site exceeds, each as a loss of the platform.
pub(super) fn exceeded(manifest: &Manifest) -> Vec<String> {
    let mut exceeded = Vec::new();
    let (free, paid) = FILES;
    match manifest.files.len() + 1 {
        files if files > paid => {
            exceeded.push(format!(
                "take this site: {files} files, and a deployment has {paid} at most"
            ));
        }
        files if files > free => {
            exceeded.push(format!("take this site on its free plan: {files} files, and a deployment there has {free} at most"));
        }
        _ => {}
    }
    for file in manifest.files.iter().filter(|file| file.length > FILE_BYTES) {
        exceeded.push(format!(
            "take {} as it is: {} MiB, and a file has 25 MiB at most; serve the site from candor-sidecar --serve-public behind it",
            file.path,
            file.length.div_ceil(1024 * 1024)
        ));
    }
    exceeded
}
