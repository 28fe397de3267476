//! The transparency log of a site: an append-only Merkle tree of what became public, and when.
//! Everything here computes; nothing reads a file, a network or a clock.
//!
//! - [`Facts`] and [`Reply`] are what is committed to of a review; [`Salt`] makes a [`Commitment`]
//!   of them.
//! - [`Entry`] is one leaf: an [`Event`] and its time. [`Set`] is what `reviews.json` holds as a
//!   whole.
//! - [`History`] replays entries to the [`Standing`] of every review; [`pending()`] gives the entries
//!   that are missing up to the current content.
//! - [`Tree`] is the Merkle tree of RFC 6962, [`TreeHashes`] the same without its leaves, and
//!   [`tile_paths`] and [`parse_bundle`] are about its files as C2SP tlog-tiles has them;
//!   [`LogKeys`] and [`Salts`] are the files beside them.
//! - [`LogKey`] signs, [`sign`] makes a checkpoint (C2SP tlog-checkpoint, signed-note), and
//!   [`Checkpoint::open`] checks one.
//! - [`tlog_proof`] proves one entry (C2SP tlog-proof), and [`Receipt::open`] checks that.
//! - [`Revocation`] says from which day on the signatures of a lost key do not count.
//! - [`WitnessKey`] adds the signature of a witness to a checkpoint, and [`WitnessVerifier`] checks
//!   it (C2SP tlog-cosignature); [`add_checkpoint`] asks a witness for it (C2SP tlog-witness), and
//!   [`Policy`] says which witnesses must have signed (C2SP tlog-policy).
//! - [`verify()`] compares a checkpoint, the entries, the tiles, the salts and `reviews.json`, and
//!   says in plain words what differs.
//!
//! ```text
//! reviews ─▶ Facts, Salt ─▶ Standing ─▶ pending ─▶ Entry ─▶ Tree ─▶ tiles, checkpoint ─▶ verify
//!                              ▲                     │
//!                              └────── History ◀─────┘
//! ```

mod checkpoint;
mod commitment;
mod entry;
mod facts;
mod files;
mod history;
mod key;
mod pending;
mod policy;
mod proof;
mod revocation;
mod set;
mod standing;
mod tiles;
mod tree;
mod verify;
mod witness;

pub use checkpoint::{Checkpoint, CheckpointError, sign};
pub use commitment::{Commitment, InvalidHex, Salt};
pub use entry::{Entry, Event, LeafError, MAX_LEAF};
pub use facts::{DisclosureFact, Facts, Reply, TranslationFact};
pub use files::{
    CHECKPOINT_PATH, LOG_FOLDER, LOG_KEYS_PATH, LogKeys, POLICY_PATH, SALTS_PATH, Salts,
    receipt_path,
};
pub use history::{History, HistoryError, Logged};
pub use key::{KeyError, LogKey, PrivateKey, WitnessKey, check_verifier_key};
pub use pending::pending;
pub use policy::{Policy, PolicyError, PolicyWitness, Witnessed};
pub use proof::{Receipt, ReceiptError, tlog_proof};
pub use revocation::{Revocation, RevocationError, unrevoked};
pub use set::Set;
pub use standing::Standing;
pub use tiles::{
    BundleError, MAX_BUNDLE, TILE_WIDTH, bundle_leaves, is_bundle, parse_bundle, tile_paths,
};
pub use tlog_tiles::Hash;
pub use tree::{Tree, TreeError, TreeHashes, first_difference, verify_inclusion};
pub use verify::{Code, Finding, Proved, Published, Verdict, verify};
pub use witness::{WitnessError, WitnessVerifier, add_checkpoint, monitoring_path};
