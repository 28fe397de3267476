//! Trains the models of the insights on judged texts and measures them. The programs are
//! `train-sentiment`, `train-detector`, `evaluate` and `compare-words`; nothing that is published depends on this
//! crate.
//!
//! - [`sentiment`] trains the sentiment model, [`detector`] the detector of aspects, both by
//!   logistic regression. [`corrections`] are what real reviews add to the detector.
//! - [`marked`] reads the training reviews of `training/`.
//! - [`labels`] are those of real reviews, by the hashes of their texts.
//! - [`scores`] reads judged reviews, such as those of `gold/`, and compares the insights with
//!   them; [`real`] does so for reviews of real customers.

pub mod corrections;
pub mod detector;
pub mod labels;
pub mod marked;
mod portable;
pub mod real;
mod regression;
pub mod scores;
pub mod sentiment;

use std::path::{Path, PathBuf};

use anyhow::Context as _;
use insights::Language;

/// The language of a tag, or of a folder with the files of a language, whose name is the tag.
///
/// # Errors
/// It is neither, or a file cannot be read.
pub fn language(name: &str) -> anyhow::Result<&'static Language> {
    let folder = Path::new(name);
    if !folder.is_dir() {
        return Language::of(name)
            .with_context(|| format!("{name} is neither a language nor a folder"));
    }
    let read = |path: PathBuf| {
        let file = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        Ok((file, std::fs::read_to_string(path)?))
    };
    let mut paths = [files(folder, "txt")?, files(folder, "tsv")?].concat();
    // Classes are used by the other tables.
    paths.sort_by_key(|path| !path.ends_with("classes.txt"));
    let files = paths.into_iter().map(read).collect::<std::io::Result<_>>()?;
    let tag = folder.canonicalize()?.file_name().unwrap_or_default().to_string_lossy().into_owned();
    Ok(Language::kept(&tag, files))
}

/// The files of a folder whose names end with the extension, in the order of their names.
///
/// # Errors
/// The path is not a folder, or it cannot be read.
pub fn files(folder: &Path, extension: &str) -> anyhow::Result<Vec<PathBuf>> {
    let list = std::fs::read_dir(folder)
        .with_context(|| format!("{} is not a folder", folder.display()))?;
    let mut paths: Vec<PathBuf> =
        list.map(|entry| Ok(entry?.path())).collect::<std::io::Result<_>>()?;
    paths.retain(|path| path.extension().is_some_and(|found| found == extension));
    paths.sort();
    Ok(paths)
}
