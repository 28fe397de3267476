//! Writes the transparency log: [`add()`] alone appends to `content/log/`, and signs the new size and root hash. A
//! build publishes these files.
//!
//! ```text
//! content ─▶ standings of all reviews ─▶ review_log::pending ─▶ entries, salts, checkpoint
//! ```
//!
//! - `keys` reads and keeps private keys.
//! - [`init()`] makes the log and further keys.
//! - [`add()`] appends the events since the last entry.
//! - [`revoke()`] revokes a key.
//! - `previous` compares the log with the one that is published.
//! - [`ask_witnesses()`] asks the witnesses to sign the last checkpoint.

mod add;
mod init;
mod keys;
mod previous;
mod revoke;
mod witness;

use std::{io, path::PathBuf};

pub use add::{AddOptions, Added, add};
pub use init::{KeyPlace, NewKey, init, rotate};
pub use keys::{KEY_VARIABLE, KeySource};
pub use previous::{Earlier, compare, first_damaged};
pub use revoke::revoke;
pub use witness::{WITNESS_KEY_VARIABLE, Witnessing, ask_witnesses, witness_key};

use review_log::{KeyError, WitnessError};

use content::change::ChangeError;
use contract::problem::Problem;

/// The reason why the log was not written. The content is as it was.
#[derive(Debug, thiserror::Error)]
pub enum LogError {
    /// The content cannot be published, or the log was changed by another program.
    #[error("nothing was logged; fix the errors above")]
    Content(Vec<Problem>),
    /// There is no log.
    #[error("{} has no transparency log; make one with: candor log init", .0.display())]
    NoLog(PathBuf),
    /// There is a log already.
    #[error(
        "{} has a transparency log already, and a second one would not prove what the first one proves; candor log init --rotate gives it another key",
        .0.display()
    )]
    Exists(PathBuf),
    /// No private key was given.
    #[error(
        "the log's private key is needed: name its file with --key-file FILE, or put the key into the variable {KEY_VARIABLE}; where it is lost, candor log init --rotate makes another one"
    )]
    NoKey,
    /// A private key cannot be read.
    #[error("the private key in {place} cannot be used: {reason}")]
    InvalidKey {
        /// The file or variable of the key.
        place: String,
        /// The reason.
        reason: String,
    },
    /// A private key of another log, or one that was never listed.
    #[error(
        "the private key in {place} is not of this log: its verifier key {found} is not in log.toml"
    )]
    ForeignKey {
        /// The file or variable of the key.
        place: String,
        /// The verifier key that belongs to it.
        found: String,
    },
    /// The newest key is missing.
    #[error(
        "the newest private key of the log is needed, the one of the verifier key {newest}; {place} does not have it"
    )]
    OldKey {
        /// The file or variable of the keys.
        place: String,
        /// The verifier key that belongs to the missing one.
        newest: String,
    },
    /// No key of the log has this id, or it is revoked.
    #[error(
        "the log has no key {0}, or it is revoked already: name one of log.toml, whole or by the eight digits of its id"
    )]
    NoSuchKey(String),
    /// The key to revoke is the only one.
    #[error(
        "the log has no other key, which has to sign the revocation; make one first: candor log init --rotate"
    )]
    OnlyKey,
    /// The file of a key would be published or committed.
    #[error(
        "{} is inside {}: the private key would be published or committed with it; name a file elsewhere",
        .0.display(), .1.display()
    )]
    ExposedKey(PathBuf, PathBuf),
    /// The key's file cannot be written.
    #[error("the key file {} cannot be written: {}", .0.display(), .1)]
    KeyFile(PathBuf, io::Error),
    /// The log's name cannot be the name of a key.
    #[error(transparent)]
    Key(#[from] KeyError),
    /// No private key of a witness was given.
    #[error(
        "the private key of the witness is needed: name its file with --key-file FILE, or put the key into the variable {WITNESS_KEY_VARIABLE}; candor log cosign --name NAME makes one"
    )]
    NoWitnessKey,
    /// The signature of a witness cannot be used.
    #[error(transparent)]
    Witness(#[from] WitnessError),
    /// The published log cannot be read.
    #[error("the published log cannot be read: {0}")]
    Published(String),
    /// Another command is changing the content, or a file cannot be written.
    #[error(transparent)]
    Change(#[from] ChangeError),
}
