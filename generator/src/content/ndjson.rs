//! Small machine-written files with one JSON object a line.

use std::path::Path;

use serde::de::DeserializeOwned;

use contract::problem::{Place, Report, without_position};

/// Every line of a file with its number; none where there is no file. Lines that cannot be read are
/// reported.
pub(super) fn read<T: DeserializeOwned>(path: &Path, report: &Report) -> Vec<(usize, T)> {
    let text = match std::fs::read_to_string(path) {
        Ok(text) => text,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Vec::new(),
        Err(error) => {
            report.unreadable(path, &error);
            return Vec::new();
        }
    };
    let name = path.display().to_string();
    let mut values = Vec::new();
    for (at, line) in text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty()) {
        match serde_json::from_str(line) {
            Ok(value) => values.push((at + 1, value)),
            Err(error) => {
                let column = error.column().saturating_sub(1);
                let place = Place::in_line(&name, at + 1, line, column..column + 1);
                let help = "fix the line, or take the file's last good state from version control";
                report.error("invalid-line", place, without_position(&error), help);
            }
        }
    }
    values
}
