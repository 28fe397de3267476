//! Every code that a message can have is explained, and every explained code is one.

use std::{
    collections::BTreeSet,
    path::{Path, PathBuf},
};

use candor_cli::explain;

use super::project::Project;

/// Every file below a folder whose name ends in `end`.
fn files(folder: &Path, end: &str, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            files(&path, end, found);
        } else if path.to_string_lossy().ends_with(end) {
            found.push(path);
        }
    }
}

/// The source that makes problems.
fn source() -> Vec<String> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut sources = Vec::new();
    for folder in ["src", "../crates"] {
        files(&root.join(folder), ".rs", &mut sources);
    }
    let read = |path: &PathBuf| std::fs::read_to_string(path).unwrap();
    let without_tests = |text: String| {
        text.split("#[cfg(test)]\nmod tests {").next().unwrap_or_default().to_owned()
    };
    sources.iter().map(read).map(without_tests).collect()
}

/// The codes in it: what is passed to a report, and what a `code` is set to.
fn codes_in(source: &[String]) -> BTreeSet<String> {
    let quoted = |rest: &str| {
        let text = rest.trim_start().strip_prefix('"')?.split_once('"')?.0;
        let is_code =
            text.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'-');
        (is_code && !text.is_empty()).then(|| text.to_owned())
    };
    let mut codes = BTreeSet::new();
    for text in source {
        for call in ["report.error(", "report.warning(", "code: ", "const JSON_SYNTAX: &str = "] {
            codes.extend(text.split(call).skip(1).filter_map(quoted));
        }
        // The code is the second argument where the first is a key or a place.
        for call in [".error(", ".warning(", ".error_at("] {
            let second = |rest: &str| quoted(rest.split_once(',')?.1);
            codes.extend(text.split(call).skip(1).filter_map(second));
        }
    }
    codes
}

#[test]
fn every_code_in_the_source_is_explained_and_no_other() {
    let explained: BTreeSet<String> = explain::all().map(|it| it.code.to_owned()).collect();
    let source = source();
    let missing: Vec<_> = codes_in(&source).difference(&explained).cloned().collect();
    assert!(missing.is_empty(), "without a section in explain/problems.md: {missing:?}");
    let is_used = |code: &&String| source.iter().any(|text| text.contains(&format!("\"{code}\"")));
    let unused: Vec<_> = explained.iter().filter(|code| !is_used(code)).collect();
    assert!(unused.is_empty(), "in explain/problems.md, and nowhere printed: {unused:?}");
}

#[test]
fn every_code_of_a_pinned_message_is_explained() {
    let mut cases = Vec::new();
    files(&Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/suite/messages"), ".txt", &mut cases);
    for case in cases {
        let text = std::fs::read_to_string(&case).unwrap();
        for mark in [": error[", ": warning["] {
            for code in text.split(mark).skip(1).filter_map(|rest| Some(rest.split_once(']')?.0)) {
                assert!(explain::find(code).is_some(), "{code} of {}", case.display());
            }
        }
    }
}

#[test]
fn every_explanation_has_a_sentence_an_example_and_an_end() {
    let codes: Vec<&str> = explain::all().map(|it| it.code).collect();
    assert!(codes.is_sorted() && codes.len() > 50, "{codes:?}");
    for it in explain::all() {
        assert!(it.text.lines().any(|line| line.starts_with("    ")), "{} has no example", it.code);
        assert!(it.summary().len() < 100 && !it.summary().contains('\n'), "{}", it.code);
        assert!(it.text.lines().all(|line| line.chars().count() <= 112), "{}", it.code);
    }
}

#[test]
fn a_code_is_explained_on_the_terminal() {
    let project = Project::new();
    let one = project.candor(["help", "unknown-key"]).exits(0);
    assert_eq!(
        one.out,
        "unknown-key\n\n\
         Nothing reads a key: it is misspelt or is in the wrong table.\n\n    \
         tilte = \"Reviews\"      wrong\n    \
         title = \"Reviews\"      right\n\n\
         In TOML a key belongs to the [table] above it: keys of the whole file are before the first one.\n"
    );
    let all = project.candor(["help", "codes"]).exits(0);
    assert_eq!(all.out.lines().count(), explain::all().count());
    all.says("unknown-key          Nothing reads a key: it is misspelt or is in the wrong table\n");
    project
        .candor(["help", "unknown-keys"])
        .exits(64)
        .complains("no command, topic or code \"unknown-keys\"; did you mean \"unknown-key\"?");
}
