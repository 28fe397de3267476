//! Imports of files that are built to take long: twice the size takes about twice the steps, which are counted
//! (`make test-growth`). The formats are those of [`super::imports`].

use std::sync::atomic::AtomicBool;

use reviews::import::{self, ImportOptions, Input};

use super::project::Project;

#[path = "../../../tests/steps/steps.rs"]
mod steps;

use steps::grows_linearly;

/// Imports files of a growing size, without writing anything.
fn import_grows_linearly(name: &str, size: usize, file: impl Fn(usize) -> String) {
    let project = Project::new();
    grows_linearly(name, size, |size| {
        project.write(name, file(size));
        let options = ImportOptions {
            inputs: vec![Input::Path(project.path(name))],
            source: Some("google".into()),
            dry_run: true,
            keep_going: true,
            ..ImportOptions::default()
        };
        let now = "2026-06-01T00:00:00Z".parse().unwrap();
        // A refusal takes steps too.
        let _ = import::run(&project.path("content"), &options, now, &AtomicBool::new(false), &());
    });
}

#[test]
fn rows_of_different_people() {
    import_grows_linearly("rows.csv", 500, |size| {
        let row = |n| format!("Ann {n},5,2026-01-02,They mended tap {n} within the hour.\n");
        "author,rating,date,text\n".to_owned() + &(0..size).map(row).collect::<String>()
    });
}
