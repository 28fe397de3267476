//! Looks for files of `static/` that cannot be published beside another document.

use std::{collections::BTreeMap, path::Path};

use crate::publication::documents;
use content::{STATIC_FOLDER, StaticFile, dataset::Dataset};
use contract::{
    manifest::{Coding, MANIFEST_PATH},
    problem::{Place, Report},
};

/// Reports each file whose path is another document's, as it is or in capitals, that of a document's
/// compressed sibling, or that of a folder with documents.
pub(super) fn check(dir: &Path, data: &Dataset, report: &Report) {
    let files = &data.site.appearance.static_files;
    if files.is_empty() {
        return;
    }
    // A template that is broken is reported as such.
    let Ok(documents) = documents(data) else { return };
    let mut paths: BTreeMap<String, u32> = BTreeMap::from([(MANIFEST_PATH.to_owned(), 1)]);
    for document in &documents {
        *paths.entry(document.path.to_ascii_lowercase()).or_default() += 1;
    }
    for file in files {
        if let Some(other) = other(file, &paths) {
            let place = dir.join(STATIC_FOLDER).join(&file.path).display().to_string();
            let message =
                format!("the site has {other} already, so this file cannot be at /{}", file.path);
            report.error("taken-path", Place::file(place), message, "give the file another name");
        }
    }
}

/// The path of the document that excludes a file, among the number of documents by path in small letters.
fn other<'p>(file: &StaticFile, paths: &'p BTreeMap<String, u32>) -> Option<&'p str> {
    let own = file.path.to_ascii_lowercase();
    let known = |path: &str| paths.get_key_value(path).map(|(path, _)| path.as_str());
    let same = paths.get_key_value(&own).filter(|(_, count)| **count > 1);
    let plain = Coding::ALL.iter().find_map(|coding| known(own.strip_suffix(coding.suffix())?));
    let folder = || own.match_indices('/').find_map(|(at, _)| known(&own[..at]));
    let below = format!("{own}/");
    let inside = paths.range(below.clone()..).next().filter(|(path, _)| path.starts_with(&below));
    same.or(inside).map(|(path, _)| path.as_str()).or(plain).or_else(folder)
}
