//! The files of changes: `changes.json` has the newest, and the files beside it have the older ones.

/// The file of the newest changes.
pub const NEWEST: &str = "changes.json";

/// Changes that a file has at most.
pub const WINDOW: usize = 500;

/// The path of the nth file of older changes. The first has the oldest.
#[must_use]
pub fn older(n: usize) -> String {
    format!("changes-{n}.json")
}

/// The number of a file of changes, which is higher than those of the files with older ones; `None` for other paths.
#[must_use]
pub fn number(path: &str) -> Option<usize> {
    if path == NEWEST {
        return Some(usize::MAX);
    }
    let digits = path.strip_prefix("changes-")?.strip_suffix(".json")?;
    digits.parse().ok().filter(|n| older(*n) == path)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_of_changes_have_numbers() {
        assert_eq!([&older(1), &older(20)].map(|path| number(path)), [Some(1), Some(20)]);
        assert!(number(NEWEST) > number(&older(20)));
        for other in ["changes-.json", "changes-01.json", "changes-x.json", "changes-1.html"] {
            assert_eq!(number(other), None, "{other}");
        }
    }
}
