//! The files of a log, as C2SP tlog-tiles lays them out.

use tlog_tiles::Tile;

use crate::entry::MAX_LEAF;

/// The number of hashes of a full tile, and of entries of a full bundle.
pub const TILE_WIDTH: u64 = 256;
/// The largest length of an entry bundle in bytes: each entry has two bytes of length before it.
pub const MAX_BUNDLE: u64 = TILE_WIDTH * (2 + MAX_LEAF as u64);

/// The path below the log's URL. C2SP tlog-tiles leaves the height out, and has another name for entries.
pub(crate) fn path(tile: &Tile) -> String {
    tile.path().replacen("tile/8/", "tile/", 1).replacen("/data/", "/entries/", 1)
}

/// The tiles of a log with `size` leaves: of each level and then of entries, in the order of their
/// indexes. Only the last tile of a level can be partial.
pub(crate) fn tiles(size: u64) -> impl Iterator<Item = Tile> {
    let levels = (0..8).map(move |level: u8| (level, false, size >> (8 * level)));
    levels.chain([(0, true, size)]).flat_map(|(level, is_data, count)| {
        (0..count.div_ceil(TILE_WIDTH)).map(move |index| {
            let width = TILE_WIDTH.min(count - index * TILE_WIDTH);
            Tile::new(8, level, index, width as u32, is_data)
        })
    })
}

/// The paths of all tiles of a log with `size` leaves, below the log's URL: hash tiles of each level
/// and then entry bundles, each in the order of their indexes. Joining the bundles gives the leaves.
pub fn tile_paths(size: u64) -> impl Iterator<Item = String> {
    tiles(size).map(|tile| path(&tile))
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
    (0..).map_while(move |entry| {
        (!bytes.is_empty()).then_some(())?;
        let leaf = bytes.split_first_chunk().and_then(|(length, rest)| {
            rest.split_at_checked(usize::from(u16::from_be_bytes(*length)))
        });
        let (leaf, rest) = match leaf {
            Some((leaf, rest)) => (Ok(leaf), rest),
            None => (Err(BundleError { entry }), &[][..]),
        };
        bytes = rest;
        Some(leaf)
    })
}

/// Divides an entry bundle into its leaves.
///
/// # Errors
///
/// If the bundle ends in the middle of an entry.
pub fn parse_bundle(bytes: &[u8]) -> Result<Vec<Vec<u8>>, BundleError> {
    bundle_leaves(bytes).map(|leaf| leaf.map(<[u8]>::to_vec)).collect()
}
