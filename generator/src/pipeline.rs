//! Content in, dataset and problems out: what every verb that looks at content begins with.

use std::path::Path;

use jiff::{Timestamp, tz::TimeZone};

use crate::{
    content::{self, LoadOptions},
    dataset::Dataset,
    import,
    problem::{Place, Problem, Report, Severity},
};

/// Content that was read and checked.
#[derive(Debug)]
pub struct Checked {
    /// `None` when too little could be read to go on.
    pub dataset: Option<Dataset>,
    /// Everything found, by place.
    pub problems: Vec<Problem>,
}

impl Checked {
    /// Reads and checks a content folder. `base_url` stands in for the one in `site.toml`.
    #[must_use]
    pub fn read(dir: &Path, base_url: Option<&str>, now: Timestamp) -> Self {
        let report = Report::default();
        if let Err(error) = import::recover(dir) {
            let help = "see to the disk, then run the command again: it finishes the import";
            let place = Place::file(dir.display().to_string());
            let message = format!("an interrupted import cannot be finished: {error}");
            report.error("unfinished-import", place, message, help);
        }
        let today = now.to_zoned(TimeZone::UTC).date();
        let options = LoadOptions { base_url: base_url.map(str::to_owned), today };
        let content = content::load(dir, &options, &report);
        let dataset = content.map(|content| Dataset::assemble(content, &report));
        Self { dataset, problems: report.into_problems() }
    }

    /// How many problems have this severity.
    #[must_use]
    pub fn count(&self, severity: Severity) -> usize {
        self.problems.iter().filter(|problem| problem.severity == severity).count()
    }

    /// The dataset, if nothing forbids publishing it.
    #[must_use]
    pub fn publishable(&self) -> Option<&Dataset> {
        self.dataset.as_ref().filter(|_| self.count(Severity::Error) == 0)
    }
}
