//! A report as people read it: one line for a check that passed, one for each thing that is wrong.

use std::fmt::Write;

use crate::verify::report::{Finding, Level, Report, Row, Tags};

/// Findings of one check that get a line; the rest are counted.
const SHOWN: usize = 10;

/// A line, and how good its news are.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    /// Its colour.
    pub level: Level,
    /// Without the word for the level.
    pub text: String,
}

impl Level {
    /// As lines begin.
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
    /// One line per check, or per thing that is wrong; with `all` however many they are.
    #[must_use]
    pub fn lines(&self, all: bool) -> Vec<Line> {
        let shown = if all { usize::MAX } else { SHOWN };
        self.checks.iter().flat_map(|row| row_lines(row, shown)).collect()
    }

    /// What it all amounts to.
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

fn row_lines(row: &Row, shown: usize) -> Vec<Line> {
    let (name, passed) = row.check.words();
    let line = |level, text: String| Line { level, text: format!("{name:<14} {text}") };
    let mut lines = Vec::new();
    let groups = grouped(&row.findings);
    for (finding, others) in groups.iter().take(shown) {
        lines.push(line(finding.level, said(finding, *others)));
    }
    let hidden: usize = groups.iter().skip(shown).map(|(_, others)| others + 1).sum();
    if hidden > 0 {
        let level = groups.iter().skip(shown).map(|(finding, _)| finding.level).max();
        let text = format!("and {hidden} more: see them all with --verbose or --json");
        lines.push(line(level.unwrap_or(row.level), text));
    }
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

/// Findings that say the same are one, about the first of them.
fn grouped(findings: &[Finding]) -> Vec<(&Finding, usize)> {
    let mut at = std::collections::HashMap::new();
    let mut groups: Vec<(&Finding, usize)> = Vec::new();
    for finding in findings {
        match at.get(&(finding.level, &finding.mismatch)) {
            Some(&group) => {
                let (_, others): &mut (&Finding, usize) = &mut groups[group];
                *others += 1;
            }
            None => {
                at.insert((finding.level, &finding.mismatch), groups.len());
                groups.push((finding, 0));
            }
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
