//! Files with one JSON object a line.

use std::path::Path;

use serde::de::DeserializeOwned;

use super::text_file;
use contract::problem::{Place, Report, without_position};
use system::root::Root;

/// The words that report the faults of a file's lines.
#[derive(Clone, Copy)]
pub(super) struct LineFault {
    pub(super) code: &'static str,
    /// The text before the reason.
    pub(super) what: &'static str,
    pub(super) help: &'static str,
}

/// Reads every line of a file with its number; none if there is no file. Lines that cannot be read are reported.
pub(super) fn read<T: DeserializeOwned>(
    root: &Root,
    name: impl AsRef<Path>,
    fault: LineFault,
    report: &Report,
) -> Vec<(usize, T)> {
    let text = text_file::read(root, &name, report).unwrap_or_default();
    let name = root.shown(name.as_ref()).display().to_string();
    let lines = text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty());
    let parse = |(at, line): (usize, &str)| match serde_json::from_str(line) {
        Ok(value) => Some((at + 1, value)),
        Err(error) => {
            let column = error.column().saturating_sub(1);
            let place = Place::in_line(&name, at + 1, line, column..column + 1);
            let message = format!("{}{}", fault.what, without_position(&error));
            report.error(fault.code, place, message, fault.help);
            None
        }
    };
    lines.filter_map(parse).collect()
}

/// The words for a file that a program wrote and users should not change.
pub(super) const MACHINE_WRITTEN: LineFault = LineFault {
    code: "invalid-line",
    what: "",
    help: "fix the line, or take the file's last good state from version control",
};
