//! The Merkle tree of RFC 6962.

mod hashes;

use tlog_tiles::{Hash, Tile};

use crate::tiles::{self, TILE_WIDTH};

pub use hashes::TreeHashes;

/// A Merkle tree with its leaves.
#[derive(Clone, Debug, Default)]
pub struct Tree {
    leaves: Vec<Vec<u8>>,
    hashes: TreeHashes,
}

/// The request is about a tree that does not exist.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TreeError {
    /// There is no such leaf.
    #[error("a log of {size} entries has no entry {index}")]
    NoLeaf {
        /// The leaf.
        index: u64,
        /// The size of the tree.
        size: u64,
    },
    /// The proof does not lead to the root.
    #[error("the proof does not lead to the root hash of the checkpoint")]
    Proof,
}

impl Tree {
    /// The tree of these leaves.
    pub fn from_leaves<L: AsRef<[u8]>>(leaves: impl IntoIterator<Item = L>) -> Self {
        let mut tree = Self::default();
        for leaf in leaves {
            tree.push(leaf.as_ref());
        }
        tree
    }

    /// Appends a leaf.
    pub fn push(&mut self, leaf: &[u8]) {
        self.hashes.push(leaf);
        self.leaves.push(leaf.to_vec());
    }

    /// The hashes, which prove that a leaf is in the tree.
    #[must_use]
    pub fn hashes(&self) -> &TreeHashes {
        &self.hashes
    }

    /// The root hash of a tree with these hashes of leaves.
    pub(crate) fn root_of(leaves: &[Hash]) -> Hash {
        let mut hashes = TreeHashes::default();
        for hash in leaves {
            hashes.push_hash(*hash);
        }
        hashes.root()
    }

    /// The number of leaves.
    #[must_use]
    pub fn size(&self) -> u64 {
        self.hashes.size()
    }

    /// The leaves.
    #[must_use]
    pub fn leaves(&self) -> &[Vec<u8>] {
        &self.leaves
    }

    /// The root hash.
    #[must_use]
    pub fn root(&self) -> Hash {
        self.hashes.root()
    }

    /// The root hash that the tree had with `size` leaves; `None` if it has fewer.
    #[must_use]
    pub fn root_at(&self, size: u64) -> Option<Hash> {
        self.hashes.root_at(size)
    }

    /// The files of the tree: their paths below the log's URL, and their bytes. They are in the order
    /// of [`tile_paths`](crate::tile_paths).
    pub fn tiles(&self) -> impl Iterator<Item = (String, Vec<u8>)> + '_ {
        tiles::tiles(self.size()).map(|tile| (tiles::path(&tile), self.tile(&tile)))
    }

    /// The bytes of a tile of this tree.
    pub(crate) fn tile(&self, tile: &Tile) -> Vec<u8> {
        if !tile.is_data() {
            return tile.read_data(&self.hashes).unwrap_or_default();
        }
        let before = tile.level_index() * TILE_WIDTH;
        let leaves = self.leaves.iter().skip(before as usize).take(tile.width() as usize);
        tiles::bundle(leaves.map(Vec::as_slice))
    }
}

/// Checks an audit path: that the tree of `size` leaves with this root has the leaf at `index`.
///
/// # Errors
///
/// If the path does not prove it.
pub fn verify_inclusion(
    leaf: &[u8],
    index: u64,
    size: u64,
    root: Hash,
    path: &[Hash],
) -> Result<(), TreeError> {
    if index >= size {
        return Err(TreeError::NoLeaf { index, size });
    }
    tlog_tiles::check_record(&path.to_vec(), size, root, index, tlog_tiles::record_hash(leaf))
        .map_err(|_| TreeError::Proof)
}

/// The index of the first leaf at which `newer` does not continue `older`: it differs there, or
/// `newer` ends before `older` does. `None` if `newer` begins with all of `older`.
#[must_use]
pub fn first_difference(older: &[Vec<u8>], newer: &[Vec<u8>]) -> Option<u64> {
    let equal = older.iter().zip(newer).take_while(|(old, new)| old == new).count();
    (equal < older.len()).then_some(equal as u64)
}
