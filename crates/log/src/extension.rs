//! Whether one log continues another.

/// The index of the first leaf at which `newer` does not continue `older`: it differs there, or
/// `newer` ends before `older` does. `None` if `newer` begins with all of `older`.
#[must_use]
pub fn first_difference(older: &[Vec<u8>], newer: &[Vec<u8>]) -> Option<u64> {
    let equal = older.iter().zip(newer).take_while(|(old, new)| old == new).count();
    (equal < older.len()).then_some(equal as u64)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn leaves(text: &str) -> Vec<Vec<u8>> {
        text.bytes().map(|byte| vec![byte]).collect()
    }

    #[test]
    fn the_first_leaf_that_differs_or_is_missing() {
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
            assert_eq!(
                first_difference(&leaves(older), &leaves(newer)),
                expected,
                "{older} {newer}"
            );
        }
    }
}
