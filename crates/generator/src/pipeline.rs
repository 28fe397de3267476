//! Content in, dataset and problems out: the first step of every command that reads content.

mod paths;
mod templates;

use std::path::Path;

use jiff::{Timestamp, tz::TimeZone};
use tracing::info_span;

use content::{
    Content, LoadOptions,
    cache::Cache,
    change::{ChangeError, is_interrupted},
    dataset::Dataset,
};
use contract::problem::{Place, Problem, Report, Severity};
use system::journal::{self, JournalError};

/// The code of the problem that the log lacks entries.
pub(crate) const UNLOGGED: &str = "unlogged";

/// Content that was read and checked.
#[derive(Debug)]
pub struct Checked {
    /// The dataset; `None` if too little could be read.
    pub dataset: Option<Dataset>,
    /// All problems found, by place.
    pub problems: Vec<Problem>,
}

impl Checked {
    /// Reads and checks a content folder, and writes nothing. `base_url` replaces the one in
    /// `site.toml`. An interrupted import is the only problem then: half of it may be in place.
    #[must_use]
    pub fn read(dir: &Path, base_url: Option<&str>, cache: &Cache, now: Timestamp) -> Self {
        let report = Report::default();
        let content = info_span!("read content").in_scope(|| load(dir, base_url, now, &report));
        let assemble = |content| {
            info_span!("assemble").in_scope(|| Dataset::assemble(content, cache, &report))
        };
        let dataset = content.map(assemble);
        dataset.iter().for_each(|data| paths::check(dir, data, &report));
        Self { dataset, problems: report.into_problems() }
    }

    /// Reports faults of the owner's templates that would end a build, if nothing else would.
    pub fn check_templates(&mut self, dir: &Path) {
        let report = Report::default();
        if let Some(data) = self.publishable() {
            templates::check(dir, data, &report);
        }
        self.problems.extend(report.into_problems());
    }

    /// Makes an error of a log that lacks entries for the content: they must be logged before a build publishes it.
    /// Until then it is a warning.
    pub fn require_log(&mut self) {
        let unlogged = self.problems.iter_mut().filter(|problem| problem.code == UNLOGGED);
        unlogged.for_each(|problem| problem.severity = Severity::Error);
    }

    /// The number of problems with this severity.
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

/// Reads a content folder, and writes nothing. `None` if too little of it could be read; the reasons are in `report`.
pub fn load(
    dir: &Path,
    base_url: Option<&str>,
    now: Timestamp,
    report: &Report,
) -> Option<Content> {
    if let Some(Problem { code, place, message, help, .. }) = interrupted_import(dir) {
        report.error(code, place, message, help);
        return None;
    }
    let today = now.to_zoned(TimeZone::UTC).date();
    let options = LoadOptions { base_url: base_url.map(str::to_owned), today };
    content::load(dir, &options, report)
}

fn interrupted_import(dir: &Path) -> Option<Problem> {
    let (code, path, message, help) = match is_interrupted(dir) {
        Ok(false) => return None,
        Ok(true) => (
            "unfinished-import",
            dir.to_owned(),
            "an import was interrupted".to_owned(),
            "run candor import or candor build to complete it".to_owned(),
        ),
        Err(ChangeError::Journal(JournalError::Refused { path, reason })) => {
            let help = journal::remedy(&path);
            ("foreign-journal", path, format!("the journal is not followed: {reason}"), help)
        }
        Err(error) => (
            "unreadable",
            dir.to_owned(),
            error.to_string(),
            "check the path and its permissions".to_owned(),
        ),
    };
    let place = Place::file(path.display().to_string());
    Some(Problem { severity: Severity::Error, code, place, message, help })
}
