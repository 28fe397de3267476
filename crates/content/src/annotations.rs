//! Reads `annotations/*.jsonl`.

use std::path::Path;

use super::{
    ndjson::{self, LineFault},
    text_file,
};
use contract::problem::{Place, Report};
use insights::Annotation;
use system::root::Root;

const FOLDER: &str = "annotations";

const FAULT: LineFault = LineFault {
    code: "invalid-annotation",
    what: "this is not an annotation: ",
    help: "candor show --insights shows the form; candor help invalid-annotation has an example",
};

/// Reads every file of the folder, in the order of their names.
pub(super) fn read(dir: &Path, report: &Report) -> Vec<Annotation> {
    let root = Root::at(dir);
    let names = text_file::names(&root, FOLDER, report);
    names.iter().flat_map(|name| read_file(&root, &format!("{FOLDER}/{name}"), report)).collect()
}

fn read_file(root: &Root, name: &str, report: &Report) -> Vec<Annotation> {
    let shown = root.shown(name.as_ref()).display().to_string();
    if !name.ends_with(".jsonl") {
        let help = "annotations are in .jsonl files, one review a line";
        report.warning("unknown-file", Place::file(shown), "nothing reads this file", help);
        return Vec::new();
    }
    let lines = ndjson::read::<Annotation>(root, name, FAULT, report);
    let placed =
        |(line, annotation)| Annotation { place: Place::line(shown.clone(), line), ..annotation };
    lines.into_iter().map(placed).collect()
}
