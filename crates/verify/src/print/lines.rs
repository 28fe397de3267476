//! A report as people read it: one line for a check that passed, one for each thing that is wrong.

use std::{collections::HashMap, fmt::Write};

use crate::report::{Finding, Level, Mismatch, Report, Row, Tags};

/// A line, and how good its news are.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    /// The level, which gives the line its colour.
    pub level: Level,
    /// The text without the word for the level.
    pub text: String,
}

impl Level {
    /// Returns the word that lines begin with.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Skip => "skip",
            Self::Ok => "ok",
            Self::Warn => "warn",
            Self::Fail => "FAIL",
        }
    }
}

impl Report {
    /// Returns one line per check, or per remedy; with `all` one per fault.
    #[must_use]
    pub fn lines(&self, all: bool) -> Vec<Line> {
        self.checks.iter().flat_map(|row| row_lines(row, all)).collect()
    }

    /// The last line of the report: the result in one sentence.
    #[must_use]
    pub fn summary(&self) -> String {
        let tags = match self.tags {
            Tags::Ours => "; tags: the manifest's",
            Tags::Host => "; tags: the host's own",
            Tags::Mixed => "; tags: some of the manifest's, not all",
            Tags::None => "",
        };
        format!(
            "{}: {}, {}; {} of {} documents, {} requests{tags}",
            self.url,
            counted(self.failures, "failure"),
            counted(self.warnings, "warning"),
            self.documents_checked,
            self.documents,
            self.requests,
        )
    }
}

fn counted(count: usize, one: &str) -> String {
    format!("{count} {one}{}", if count == 1 { "" } else { "s" })
}

fn row_lines(row: &Row, all: bool) -> Vec<Line> {
    let (name, passed) = row.check.words();
    let line = |level, text: String| Line { level, text: format!("{name:<14} {text}") };
    let groups = grouped(&row.findings, all);
    let mut lines: Vec<Line> = groups
        .iter()
        .map(|(finding, others)| line(finding.level, said(finding, *others)))
        .collect();
    let notes = row.notes.join("; ");
    match (row.level, notes.is_empty()) {
        (Level::Skip, _) => lines.push(line(Level::Skip, notes)),
        (Level::Ok, true) => lines.push(line(Level::Ok, format!("{passed} ({})", row.checked))),
        (Level::Ok, false) => {
            lines.push(line(Level::Ok, format!("{passed} ({}); {notes}", row.checked)));
        }
        _ => {}
    }
    lines
}

/// Findings with one remedy are one, about the first of them; with `all` only those that say the same.
fn grouped(findings: &[Finding], all: bool) -> Vec<(&Finding, usize)> {
    let mut at = HashMap::new();
    let mut groups: Vec<(&Finding, usize)> = Vec::new();
    for finding in findings {
        let Mismatch { expected, found, remedy } = &finding.mismatch;
        let key = (finding.level, remedy, all.then_some((expected, found)));
        let group = *at.entry(key).or_insert(groups.len());
        match groups.get_mut(group) {
            Some((_, others)) => *others += 1,
            None => groups.push((finding, 0)),
        }
    }
    groups
}

fn said(finding: &Finding, others: usize) -> String {
    let mut text = finding.subject.clone();
    if others > 0 {
        // Writing to a string cannot fail.
        let _ = write!(text, " and {others} more");
    }
    let mismatch = &finding.mismatch;
    let _ = write!(
        text,
        ": expected {}, found {}; {}",
        mismatch.expected, mismatch.found, mismatch.remedy
    );
    text
}
