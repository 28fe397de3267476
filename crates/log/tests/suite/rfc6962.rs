//! The tree of RFC 6962 with the vectors of Certificate Transparency: eight leaves, the roots of all
//! sizes, and audit paths.

use contract::hex::to_hex;
use proptest::prelude::*;
use review_log::{Hash, Tree, TreeError, first_difference, verify_inclusion};

const LEAVES: [&[u8]; 8] = [
    b"",
    &[0x00],
    &[0x10],
    &[0x20, 0x21],
    &[0x30, 0x31],
    &[0x40, 0x41, 0x42, 0x43],
    &[0x50, 0x51, 0x52, 0x53, 0x54, 0x55, 0x56, 0x57],
    &[
        0x60, 0x61, 0x62, 0x63, 0x64, 0x65, 0x66, 0x67, 0x68, 0x69, 0x6a, 0x6b, 0x6c, 0x6d, 0x6e,
        0x6f,
    ],
];

const ROOTS: [&str; 9] = [
    "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
    "6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d",
    "fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125",
    "aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77",
    "d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7",
    "4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4",
    "76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef",
    "ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c",
    "5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328",
];

const N2: &str = "5f083f0a1a33ca076a95279832580db3e0ef4584bdff1f54c8a360f50de3031e";
const N4: &str = "bc1a0643b12e4d2d7c77918f44e0f4f79a838b6cf9ec5b5c283e1f4d88599e6b";
const N67: &str = "ca854ea128ed050b41b35ffc1b87b8eb2bde461e9e3b5596ece6b9d5975a0ae0";
const N1: &str = "96a296d224f285c67bee93c30f8a309157f0daa35dc5b87e410b78630a09cfc7";
const N4567: &str = "6b47aaf29ee3c2af9af889bc1fb9254dabd31177f16232dd6aab035ca39bf6e4";

fn hex(hashes: &[Hash]) -> Vec<String> {
    hashes.iter().map(|hash| to_hex(&hash.0)).collect()
}

#[test]
fn the_roots_of_every_size() {
    let tree = Tree::from_leaves(LEAVES);
    for (size, root) in ROOTS.iter().enumerate() {
        assert_eq!(hex(&[tree.root_at(size as u64).unwrap()]), [*root], "size {size}");
        assert_eq!(hex(&[Tree::from_leaves(&LEAVES[..size]).root()]), [*root], "size {size}");
    }
    assert_eq!(tree.root_at(9), None);
}

#[test]
fn audit_paths() {
    let tree = Tree::from_leaves(LEAVES);
    for (index, size, path) in [
        (0, 1, vec![]),
        (0, 8, vec![N1, N2, N4567]),
        (5, 8, vec![N4, N67, ROOTS[4]]),
        (2, 3, vec![ROOTS[2]]),
        (1, 5, vec![ROOTS[1], N2, N4]),
    ] {
        let proof = tree.hashes().prove_inclusion(index, size).unwrap();
        assert_eq!(hex(&proof), path, "leaf {index} of {size}");
    }
    assert_eq!(tree.hashes().prove_inclusion(8, 8), Err(TreeError::NoLeaf { index: 8, size: 8 }));
    assert_eq!(tree.hashes().prove_inclusion(0, 9), Err(TreeError::NoLeaf { index: 0, size: 8 }));
}

proptest! {
    #[test]
    fn every_proof_holds_and_no_other_leaf_or_root_does(
        leaves in proptest::collection::vec(proptest::collection::vec(any::<u8>(), 0..4), 1..70),
        index: prop::sample::Index,
    ) {
        let tree = Tree::from_leaves(&leaves);
        let (size, root) = (tree.size(), tree.root());
        let index = index.index(leaves.len());
        let path = tree.hashes().prove_inclusion(index as u64, size).unwrap();
        let check = |leaf: &[u8]| verify_inclusion(leaf, index as u64, size, root, &path);
        prop_assert_eq!(check(&leaves[index]), Ok(()));
        prop_assert_eq!(check(b"another leaf"), Err(TreeError::Proof));
    }
}

#[test]
fn the_first_leaf_that_differs_or_is_missing() {
    let leaves = |text: &str| text.bytes().map(|byte| vec![byte]).collect::<Vec<_>>();
    for (older, newer, expected) in [
        ("", "", None),
        ("", "abc", None),
        ("ab", "abc", None),
        ("abc", "abc", None),
        ("abc", "axc", Some(1)),
        ("abc", "ab", Some(2)),
        ("abc", "", Some(0)),
        ("abcd", "acbd", Some(1)),
    ] {
        assert_eq!(first_difference(&leaves(older), &leaves(newer)), expected, "{older} {newer}");
    }
}
