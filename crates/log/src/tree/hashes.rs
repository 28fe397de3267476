//! The hashes of a Merkle tree.

use tlog_tiles::{Hash, HashReader};

use super::TreeError;

/// The hashes of a Merkle tree without its leaves: 64 bytes per leaf. It computes roots and proofs.
#[derive(Clone, Debug, Default)]
pub struct TreeHashes {
    /// The hashes of all complete subtrees in the order of `tlog_tiles::stored_hash_index`.
    stored: Vec<Hash>,
    size: u64,
}

impl HashReader for TreeHashes {
    fn read_hashes(&self, indexes: &[u64]) -> Result<Vec<Hash>, tlog_tiles::Error> {
        let hash =
            |index: &u64| usize::try_from(*index).ok().and_then(|index| self.stored.get(index));
        let hashes = indexes.iter().map(|index| hash(index).copied());
        hashes.collect::<Option<_>>().ok_or(tlog_tiles::Error::IndexesNotInTree)
    }
}

impl TreeHashes {
    /// The hashes of the tree of these leaves. No more memory is kept than they need.
    pub fn from_leaves<L: AsRef<[u8]>>(leaves: impl IntoIterator<Item = L>) -> Self {
        let mut hashes = Self::default();
        for leaf in leaves {
            hashes.push(leaf.as_ref());
        }
        hashes.stored.shrink_to_fit();
        hashes
    }

    /// Appends a leaf.
    pub fn push(&mut self, leaf: &[u8]) {
        self.push_hash(tlog_tiles::record_hash(leaf));
    }

    /// Adds the hash of a leaf, and of each subtree that it completes.
    pub(crate) fn push_hash(&mut self, hash: Hash) {
        // All earlier hashes are there, so that reading them cannot fail.
        let new = tlog_tiles::stored_hashes_for_record_hash(self.size, hash, self);
        self.stored.extend(new.unwrap_or_default());
        self.size += 1;
    }

    /// The number of leaves.
    #[must_use]
    pub fn size(&self) -> u64 {
        self.size
    }

    /// The root hash.
    #[must_use]
    pub fn root(&self) -> Hash {
        self.root_at(self.size).unwrap_or(tlog_tiles::EMPTY_HASH)
    }

    /// The root hash that the tree had with `size` leaves; `None` if it has fewer.
    #[must_use]
    pub fn root_at(&self, size: u64) -> Option<Hash> {
        (size <= self.size).then(|| tlog_tiles::tree_hash(size, self).ok())?
    }

    /// The audit path that leaf `index` is in the tree of `size` leaves (RFC 6962, section 2.1.1).
    ///
    /// # Errors
    ///
    /// If there is no such leaf or tree.
    pub fn prove_inclusion(&self, index: u64, size: u64) -> Result<Vec<Hash>, TreeError> {
        let missing = TreeError::NoLeaf { index, size: size.min(self.size) };
        if index >= size || size > self.size {
            return Err(missing);
        }
        tlog_tiles::prove_record(size, index, self).map_err(|_| missing)
    }

    /// The proof that this tree continues the one that had `old` leaves (RFC 6962, section 2.1.2). `None`
    /// if it never had as many.
    #[must_use]
    pub fn prove_consistency(&self, old: u64) -> Option<Vec<Hash>> {
        if old == 0 { Some(Vec::new()) } else { tlog_tiles::prove_tree(self.size, old, self).ok() }
    }
}
