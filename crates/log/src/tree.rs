//! The Merkle tree of RFC 6962.

mod hashes;

use tlog_tiles::Hash;

use crate::tiles::{self, Kind, TILE_WIDTH, Tile};

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
    /// There is no such tree, or the older one is the larger.
    #[error("a log of {newer} entries does not contain one of {older} entries")]
    NoTree {
        /// The size of the older tree.
        older: u64,
        /// The size of the newer tree.
        newer: u64,
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

    /// The audit path that leaf `index` is in the tree of `size` leaves (RFC 6962, section 2.1.1).
    ///
    /// # Errors
    ///
    /// If there is no such leaf or tree.
    pub fn prove_inclusion(&self, index: u64, size: u64) -> Result<Vec<Hash>, TreeError> {
        self.hashes.prove_inclusion(index, size)
    }

    /// The proof that the tree of `newer` leaves begins with the one of `older` (RFC 6962, section
    /// 2.1.2). It is empty if they are the same or the older one is empty.
    ///
    /// # Errors
    ///
    /// If there are no such trees.
    pub fn prove_consistency(&self, older: u64, newer: u64) -> Result<Vec<Hash>, TreeError> {
        self.hashes.prove_consistency(older, newer)
    }

    /// The files of the tree: their paths below the log's URL, and their bytes. They are in the order
    /// of [`tile_paths`](crate::tile_paths).
    pub fn tiles(&self) -> impl Iterator<Item = (String, Vec<u8>)> + '_ {
        tiles::tiles(self.size()).map(|tile| (tile.path(), self.tile(&tile)))
    }

    /// The bytes of a tile of this tree.
    pub(crate) fn tile(&self, tile: &Tile) -> Vec<u8> {
        let range = tile.index * TILE_WIDTH..tile.index * TILE_WIDTH + tile.width;
        match tile.kind {
            Kind::Hashes(level) => {
                range.filter_map(|n| self.hashes.at(8 * level, n)).flat_map(|hash| hash.0).collect()
            }
            Kind::Entries => {
                let leaves = self.leaves.iter().skip(range.start as usize);
                tiles::bundle(leaves.take(tile.width as usize).map(Vec::as_slice))
            }
        }
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

/// Checks a consistency proof: that the newer tree begins with the older one, each given by its size
/// and root.
///
/// # Errors
///
/// If the proof does not prove it.
pub fn verify_consistency(
    older: (u64, Hash),
    newer: (u64, Hash),
    proof: &[Hash],
) -> Result<(), TreeError> {
    if older.0 > newer.0 {
        return Err(TreeError::NoTree { older: older.0, newer: newer.0 });
    }
    if older.0 == 0 {
        return (proof.is_empty() && older.1 == tlog_tiles::EMPTY_HASH)
            .then_some(())
            .ok_or(TreeError::Proof);
    }
    tlog_tiles::check_tree(&proof.to_vec(), newer.0, newer.1, older.0, older.1)
        .map_err(|_| TreeError::Proof)
}
