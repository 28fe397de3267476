//! The files of C2SP tlog-tiles: their paths, their widths, their bytes.

use review_log::{Tree, is_bundle, parse_bundle, tile_paths};

fn paths(size: u64) -> Vec<String> {
    tile_paths(size).collect()
}

#[test]
fn a_tree_of_a_few_leaves_has_one_partial_tile_and_one_partial_bundle() {
    assert_eq!(paths(0), [""; 0]);
    assert_eq!(paths(1), ["tile/0/000.p/1", "tile/entries/000.p/1"]);
    assert_eq!(paths(255), ["tile/0/000.p/255", "tile/entries/000.p/255"]);
}

/// The examples of the specification.
#[test]
fn partial_tiles_are_the_last_ones_of_their_level() {
    assert_eq!(paths(256), ["tile/0/000", "tile/1/000.p/1", "tile/entries/000"]);

    let all = paths(70_000);
    let level = |level: &str| -> Vec<&str> {
        let prefix = format!("tile/{level}/");
        all.iter().filter_map(|path| path.strip_prefix(&prefix)).collect()
    };
    assert_eq!(level("0").len(), 274);
    assert_eq!(level("0")[272..], ["272", "273.p/112"]);
    assert_eq!(level("1"), ["000", "001.p/17"]);
    assert_eq!(level("2"), ["000.p/1"]);
    assert_eq!(level("entries")[272..], ["272", "273.p/112"]);
    assert_eq!(all.len(), 274 + 2 + 1 + 274);
}

#[test]
fn indexes_are_in_groups_of_three_digits() {
    let path = |n: usize| paths((n as u64 + 1) * 256).swap_remove(n);
    assert_eq!(path(67), "tile/0/067");
    assert_eq!(path(999), "tile/0/999");
    assert_eq!(path(1067), "tile/0/x001/067");
    let large = paths(1_234_067 * 256 + 8);
    assert_eq!(large[1_234_067], "tile/0/x001/x234/067.p/8");
    assert_eq!(large[large.len() - 1], "tile/entries/x001/x234/067.p/8");
}

#[test]
fn bundles_are_known_by_their_paths() {
    for (path, bundle) in [
        ("tile/0/x001/067", false),
        ("tile/0/000.p/5", false),
        ("/log/tile/entries/000", true),
        ("/log/tile/entries/000.p/9", true),
        ("/log/checkpoint", false),
    ] {
        assert_eq!(is_bundle(path), bundle, "{path}");
    }
}

#[test]
fn tiles_have_the_hashes_of_full_subtrees_and_bundles_the_leaves() {
    let leaves: Vec<Vec<u8>> =
        (0..70_000_u32).map(|n| n.to_string().repeat((n % 3) as usize).into_bytes()).collect();
    let tree = Tree::from_leaves(&leaves);
    let tiles: Vec<(String, Vec<u8>)> = tree.tiles().collect();
    let names: Vec<&String> = tiles.iter().map(|(path, _)| path).collect();
    assert_eq!(names, paths(70_000).iter().collect::<Vec<_>>());

    let subtree =
        |from: usize, count: usize| Tree::from_leaves(&leaves[from..from + count]).root().0;
    let tile = |path: &str| tiles.iter().find(|(name, _)| name == path).unwrap().1.as_slice();
    assert_eq!(tile("tile/0/000").len(), 256 * 32);
    assert_eq!(tile("tile/0/001")[..32], subtree(256, 1));
    assert_eq!(tile("tile/0/273.p/112").len(), 112 * 32);
    assert_eq!(tile("tile/1/001.p/17")[16 * 32..], subtree((256 + 16) * 256, 256));
    assert_eq!(tile("tile/2/000.p/1"), subtree(0, 65_536));

    let bundles = tiles.iter().filter(|(path, _)| is_bundle(path));
    let joined: Vec<Vec<u8>> =
        bundles.flat_map(|(_, bytes)| parse_bundle(bytes).unwrap()).collect();
    assert_eq!(joined, leaves);
}

#[test]
fn a_bundle_has_the_length_of_each_leaf_before_it() {
    let leaves = [b"ab".to_vec(), Vec::new(), vec![b'x'; 0x0102]];
    let (_, bundle) = Tree::from_leaves(&leaves).tiles().last().unwrap();
    assert_eq!(bundle[..8], [0, 2, b'a', b'b', 0, 0, 1, 2]);
    assert_eq!(parse_bundle(&bundle).unwrap(), leaves);

    let message = "the bundle ends in the middle of its entry 2: it is truncated or damaged. Fetch it \
                   again; if it stays so, the site does not publish its whole log";
    for end in [bundle.len() - 1, 8, 7] {
        assert_eq!(parse_bundle(&bundle[..end]).unwrap_err().to_string(), message, "{end}");
    }
}
