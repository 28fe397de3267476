//! Reads `annotations/*.jsonl`.

use std::path::{Path, PathBuf};

use super::ndjson::{self, LineFault};
use contract::problem::{Place, Report};
use insights::Annotation;

const FAULT: LineFault = LineFault {
    code: "invalid-annotation",
    what: "this is no annotation: ",
    help: "candor insights --dump shows the form; candor explain invalid-annotation has an example",
};

/// Reads every file of the folder, in the order of their names.
pub(super) fn read(dir: &Path, report: &Report) -> Vec<Annotation> {
    let folder = dir.join("annotations");
    let mut paths: Vec<PathBuf> = match std::fs::read_dir(&folder) {
        Ok(entries) => entries.flatten().map(|entry| entry.path()).collect(),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Vec::new(),
        Err(error) => {
            report.unreadable(&folder, &error);
            return Vec::new();
        }
    };
    paths.retain(|path| {
        !path.file_name().is_some_and(|name| name.to_string_lossy().starts_with('.'))
    });
    paths.sort();
    paths.iter().flat_map(|path| read_file(path, report)).collect()
}

fn read_file(path: &Path, report: &Report) -> Vec<Annotation> {
    let shown = path.display().to_string();
    if path.extension().is_none_or(|extension| extension != "jsonl") {
        let help = "annotations stand in .jsonl files, one review a line";
        report.warning("unknown-file", Place::file(shown), "nothing reads this file", help);
        return Vec::new();
    }
    let lines = ndjson::read::<Annotation>(path, FAULT, report);
    let placed =
        |(line, annotation)| Annotation { place: Place::line(shown.clone(), line), ..annotation };
    lines.into_iter().map(placed).collect()
}
