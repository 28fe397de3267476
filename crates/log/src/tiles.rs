//! The files of a log, as C2SP tlog-tiles lays them out.

use crate::entry::MAX_LEAF;

/// The number of hashes of a full tile, and of entries of a full bundle.
pub const TILE_WIDTH: u64 = 256;
/// The largest length of an entry bundle in bytes: each entry has two bytes of length before it.
pub const MAX_BUNDLE: u64 = TILE_WIDTH * (2 + MAX_LEAF as u64);

/// The level of a tile, or that it is a bundle of entries.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// Hashes of the level; level 0 has the hashes of the leaves.
    Hashes(u8),
    /// The leaves themselves.
    Entries,
}

/// A tile: which one, and how many hashes or entries it has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Tile {
    pub(crate) kind: Kind,
    pub(crate) index: u64,
    /// 1 to 256; a tile with fewer than 256 is partial.
    pub(crate) width: u64,
}

impl Tile {
    /// The path below the log's URL: `tile/<level>/<index>` with `.p/<width>` for a partial tile. The
    /// index is in groups of three digits, all but the last one with an `x` before them.
    pub(crate) fn path(&self) -> String {
        let mut digits = format!("{:03}", self.index % 1000);
        let mut rest = self.index / 1000;
        while rest > 0 {
            digits = format!("x{:03}/{digits}", rest % 1000);
            rest /= 1000;
        }
        let kind = match self.kind {
            Kind::Hashes(level) => level.to_string(),
            Kind::Entries => "entries".to_owned(),
        };
        match self.width {
            TILE_WIDTH => format!("tile/{kind}/{digits}"),
            width => format!("tile/{kind}/{digits}.p/{width}"),
        }
    }
}

/// The tiles of a log with `size` leaves: of each level and then of entries, in the order of their
/// indexes. Only the last tile of a level can be partial.
pub(crate) fn tiles(size: u64) -> impl Iterator<Item = Tile> {
    let levels = (0..8).map(move |level: u8| (Kind::Hashes(level), size >> (8 * level)));
    levels.chain([(Kind::Entries, size)]).flat_map(|(kind, count)| {
        (0..count.div_ceil(TILE_WIDTH)).map(move |index| Tile {
            kind,
            index,
            width: TILE_WIDTH.min(count - index * TILE_WIDTH),
        })
    })
}

/// The paths of all tiles of a log with `size` leaves, below the log's URL: hash tiles of each level
/// and then entry bundles, each in the order of their indexes. Joining the bundles gives the leaves.
pub fn tile_paths(size: u64) -> impl Iterator<Item = String> {
    tiles(size).map(|tile| tile.path())
}

/// Whether the path is that of an entry bundle.
#[must_use]
pub fn is_bundle(path: &str) -> bool {
    path.contains("tile/entries/")
}

/// The bundle of these leaves: each with its length before it, two bytes, the more significant first.
pub(crate) fn bundle<'l>(leaves: impl IntoIterator<Item = &'l [u8]>) -> Vec<u8> {
    let mut bytes = Vec::new();
    for leaf in leaves {
        bytes.extend(u16::try_from(leaf.len()).unwrap_or(u16::MAX).to_be_bytes());
        bytes.extend(leaf);
    }
    bytes
}

/// A bundle ends in the middle of an entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "the bundle ends in the middle of its entry {entry}: it is truncated or damaged. Fetch it again; \
     if it stays so, the site does not publish its whole log"
)]
pub struct BundleError {
    /// The position of the entry in the bundle, from 0.
    pub entry: u64,
}

/// The leaves of an entry bundle, in their order. It ends after an error.
///
/// # Errors
///
/// If the bundle ends in the middle of an entry.
pub fn bundle_leaves(mut bytes: &[u8]) -> impl Iterator<Item = Result<&[u8], BundleError>> {
    let mut entry = 0;
    std::iter::from_fn(move || {
        if bytes.is_empty() {
            return None;
        }
        let leaf = split_leaf(bytes).map(|(leaf, rest)| {
            bytes = rest;
            leaf
        });
        let truncated = BundleError { entry };
        entry += 1;
        if leaf.is_none() {
            bytes = &[];
        }
        Some(leaf.ok_or(truncated))
    })
}

/// The first leaf of a bundle and what comes after it; `None` if it is cut off.
fn split_leaf(bytes: &[u8]) -> Option<(&[u8], &[u8])> {
    let (length, rest) = bytes.split_first_chunk()?;
    rest.split_at_checked(usize::from(u16::from_be_bytes(*length)))
}

/// Divides an entry bundle into its leaves.
///
/// # Errors
///
/// If the bundle ends in the middle of an entry.
pub fn parse_bundle(bytes: &[u8]) -> Result<Vec<Vec<u8>>, BundleError> {
    bundle_leaves(bytes).map(|leaf| leaf.map(<[u8]>::to_vec)).collect()
}
