//! The age of each source's last import, for imports that run on a schedule.

use std::{path::Path, str::FromStr, time::Duration};

use contract::{
    duration,
    problem::{Place, Problem, Severity},
};
use jiff::Timestamp;

use content::{LOG_FILE, dataset::SourceSummary};

/// The maximum age of the last import of a source: `3d`, or `google=3d` for one source.
#[derive(Clone, Debug)]
pub(super) struct Limit {
    source: Option<String>,
    age: Duration,
    /// The age as it was typed.
    text: String,
}

impl FromStr for Limit {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (source, age_text) = match text.rsplit_once('=') {
            Some((source, age)) => (Some(source.to_owned()), age),
            None => (None, text),
        };
        let age = duration::parse(age_text)
            .ok_or("write an age such as 3d or 36h, or google=3d for one source")?;
        Ok(Self { source, age, text: age_text.to_owned() })
    }
}

/// The sources whose last import is older than their limit. A limit without a source is for every
/// source that was ever imported and has no limit of its own.
pub(super) fn problems(
    limits: &[Limit],
    sources: &[SourceSummary],
    content: &Path,
    now: Timestamp,
) -> Vec<Problem> {
    let mut found = Vec::new();
    let mut say = |message: String, help: &str| {
        found.push(Problem {
            severity: Severity::Error,
            code: "import-age",
            place: Place::file(content.join(LOG_FILE).display().to_string()),
            message,
            help: help.to_owned(),
        });
    };
    let has_own = |name: &str| {
        limits.iter().any(|limit| limit.source.as_deref().is_some_and(|own| own == name))
    };
    for limit in limits {
        let text = &limit.text;
        let imported: Vec<(&str, Timestamp)> = sources
            .iter()
            .filter(|source| match &limit.source {
                Some(name) => source.source == *name,
                None => !has_own(&source.source),
            })
            .filter_map(|source| Some((&*source.source, source.last_import?)))
            .collect();
        for (name, at) in &imported {
            let age = now.duration_since(*at);
            if Duration::try_from(age).is_ok_and(|age| age > limit.age) {
                let age = duration::shown(age);
                say(
                    format!(
                        "the last import of {name} is {age} old ({at}), and the limit is {text}"
                    ),
                    "look why the scheduled import stopped, and run candor import",
                );
            }
        }
        if imported.is_empty() && (limit.source.is_some() || limits.len() == 1) {
            let what = limit.source.as_deref().map_or_else(
                || "nothing was ever imported".to_owned(),
                |name| format!("no import of {name} is recorded"),
            );
            let help = "run candor import, or correct the name of the source";
            say(format!("{what}, and the limit is {text}"), help);
        }
    }
    found
}
