//! Changes single reviews of a file; every other review keeps its bytes.

use std::{
    collections::BTreeSet,
    fs::File,
    io::{self, BufRead, BufReader, BufWriter, Write},
    path::{Path, PathBuf},
};

use serde::Deserialize;
use serde_json::value::RawValue;

use crate::error::ImportError;
use content::{Record, change::FileChange};
use contract::model::{Day, ReviewId};
use system::root::Root;

/// Stages a file of reviews without these. A file that loses its last review is removed.
pub(in super::super) fn without(
    content: &Path,
    path: &Path,
    is_array: bool,
    staged: PathBuf,
    removed: &BTreeSet<ReviewId>,
) -> Result<FileChange, ImportError> {
    let open = Root::at(content).open(path);
    let kept = open.and_then(|file| {
        if is_array {
            without_elements(file, &staged, removed)
        } else {
            without_lines(file, &staged, removed)
        }
    });
    let path = path.to_owned();
    Ok(match kept.map_err(ImportError::io(&path))? {
        0 => FileChange::Remove { path },
        _ => FileChange::Replace { staged, path },
    })
}

/// The text of a file of lines, with the review where its date and id belong.
pub(in super::super) fn with_line(text: &str, record: &Record) -> serde_json::Result<String> {
    #[derive(Deserialize)]
    struct SortKey {
        date: Day,
        id: ReviewId,
    }
    let key = (record.date, record.id);
    let line = serde_json::to_string(record)?;
    let mut lines: Vec<&str> = text.strip_prefix('\u{feff}').unwrap_or(text).lines().collect();
    let later = |line: &&str| {
        serde_json::from_str::<SortKey>(line).is_ok_and(|other| (other.date, other.id) > key)
    };
    let at = lines.iter().position(later).unwrap_or(lines.len());
    lines.insert(at, &line);
    Ok(lines.join("\n") + "\n")
}

#[derive(Deserialize)]
struct RemovalKey {
    id: ReviewId,
}

/// Copies a file but for the lines of these reviews. How many lines stay.
fn without_lines(file: File, staged: &Path, removed: &BTreeSet<ReviewId>) -> io::Result<u64> {
    let mut reader = BufReader::new(file);
    let mut out = BufWriter::new(File::create(staged)?);
    let (mut line, mut kept) = (Vec::new(), 0);
    while reader.read_until(b'\n', &mut line)? > 0 {
        let text = line.trim_ascii();
        let text = text.strip_prefix("\u{feff}".as_bytes()).unwrap_or(text);
        let key = serde_json::from_slice::<RemovalKey>(text);
        if !key.is_ok_and(|key| removed.contains(&key.id)) {
            out.write_all(&line)?;
            kept += u64::from(!text.is_empty());
        }
        line.clear();
    }
    out.flush()?;
    Ok(kept)
}

/// Copies an array but for these reviews, one a line. How many stay.
fn without_elements(file: File, staged: &Path, removed: &BTreeSet<ReviewId>) -> io::Result<u64> {
    let text = io::read_to_string(file)?;
    let items: Vec<&RawValue> =
        serde_json::from_str(text.strip_prefix('\u{feff}').unwrap_or(&text))?;
    let stays = |item: &&&RawValue| {
        !serde_json::from_str::<RemovalKey>(item.get()).is_ok_and(|key| removed.contains(&key.id))
    };
    let kept: Vec<&str> = items.iter().filter(stays).map(|item| item.get()).collect();
    std::fs::write(staged, format!("[\n{}\n]\n", kept.join(",\n")))?;
    Ok(kept.len() as u64)
}
