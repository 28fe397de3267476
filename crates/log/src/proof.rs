//! Proofs that are kept and checked without the log (C2SP tlog-proof): an entry, its audit path, and a checkpoint that
//! was signed with the entry in the log.

use base64::prelude::{BASE64_STANDARD, Engine};
use contract::hex::to_hex;
use tlog_tiles::Hash;

use crate::{
    checkpoint::{Checkpoint, CheckpointError},
    commitment::Salt,
    entry::Entry,
    tree::{TreeError, TreeHashes, verify_inclusion},
};

/// The first line.
const TITLE: &str = "c2sp.org/tlog-proof@v1";

/// The proof that the log of a checkpoint has an entry. Its extra data are the bytes of the entry, and in a second line
/// the salt of its review.
///
/// # Errors
///
/// If the log of the checkpoint does not have the entry.
pub fn tlog_proof(
    hashes: &TreeHashes,
    (index, leaf): (u64, &[u8]),
    salt: Option<Salt>,
    note: &str,
) -> Result<String, TreeError> {
    let size = Checkpoint::claimed(note.as_bytes()).map_or(0, |(_, size)| size);
    let salt = salt.map(|salt| format!("\n{}", to_hex(salt.as_bytes())));
    let extra = BASE64_STANDARD.encode([leaf, salt.unwrap_or_default().as_bytes()].concat());
    let path = hashes.prove_inclusion(index, size)?;
    let path: String = path.iter().map(|hash| format!("{hash}\n")).collect();
    Ok(format!("{TITLE}\nextra {extra}\nindex {index}\n{path}\n{note}"))
}

/// An entry that a log had, with the checkpoint that proves it.
#[derive(Clone, Debug, PartialEq)]
pub struct Receipt {
    /// The index of the entry.
    pub index: u64,
    /// The entry.
    pub entry: Entry,
    /// The checkpoint.
    pub checkpoint: Checkpoint,
}

/// A proof cannot be trusted.
#[derive(Debug, thiserror::Error)]
pub enum ReceiptError {
    /// The bytes are not a proof that this program writes.
    #[error("it is not a tlog-proof of an entry about a review, or was changed")]
    Malformed,
    /// The checkpoint in it cannot be trusted.
    #[error(transparent)]
    Checkpoint(#[from] CheckpointError),
    /// It does not prove the entry.
    #[error(transparent)]
    Tree(#[from] TreeError),
}

impl Receipt {
    /// Reads a proof and checks it with the log's verifier keys.
    ///
    /// # Errors
    ///
    /// If it does not prove an entry, or none of the keys has signed its checkpoint.
    pub fn open(proof: &[u8], verifier_keys: &[String]) -> Result<Self, ReceiptError> {
        let parts = Parts::of(proof).ok_or(ReceiptError::Malformed)?;
        let entry = Entry::from_leaf(&parts.leaf).map_err(|_| ReceiptError::Malformed)?;
        let checkpoint = Checkpoint::open(parts.note.as_bytes(), verifier_keys)?;
        let Checkpoint { size, root, .. } = checkpoint;
        verify_inclusion(&parts.leaf, parts.index, size, root, &parts.path)?;
        Ok(Self { index: parts.index, entry, checkpoint })
    }
}

/// The parts of a proof, still unverified.
struct Parts<'a> {
    leaf: Vec<u8>,
    index: u64,
    path: Vec<Hash>,
    note: &'a str,
}

impl<'a> Parts<'a> {
    fn of(proof: &'a [u8]) -> Option<Self> {
        let (head, note) = std::str::from_utf8(proof).ok()?.split_once("\n\n")?;
        let mut lines = head.strip_prefix(TITLE)?.strip_prefix("\nextra ")?.split('\n');
        let mut leaf = BASE64_STANDARD.decode(lines.next()?).ok()?;
        leaf.truncate(leaf.iter().position(|byte| *byte == b'\n').unwrap_or(leaf.len()));
        let index = lines.next()?.strip_prefix("index ")?.parse().ok()?;
        let path = lines.map(Hash::parse_hash).collect::<Result<_, _>>().ok()?;
        Some(Self { leaf, index, path, note })
    }
}
