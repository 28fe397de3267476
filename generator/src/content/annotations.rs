//! Reads `annotations/*.jsonl`.

use std::path::{Path, PathBuf};

use contract::problem::{Place, Report, without_position};
use insights::Annotation;

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
    let text = match std::fs::read_to_string(path) {
        Ok(text) => text,
        Err(error) => {
            report.unreadable(path, &error);
            return Vec::new();
        }
    };
    let lines = text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty());
    let parsed = lines.filter_map(|(at, line)| match serde_json::from_str::<Annotation>(line) {
        Ok(annotation) => {
            Some(Annotation { place: Place::line(shown.clone(), at + 1), ..annotation })
        }
        Err(error) => {
            let column = error.column().saturating_sub(1);
            let place = Place::in_line(&shown, at + 1, line, column..column + 1);
            let message = format!("this is no annotation: {}", without_position(&error));
            let help = "candor insights --dump shows the form; docs/insights.md describes it";
            report.error("invalid-annotation", place, message, help);
            None
        }
    });
    parsed.collect()
}
