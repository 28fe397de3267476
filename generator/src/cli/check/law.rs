//! What laws on consumer reviews want stated, and the content does not state. docs/law.md has the rules beside the
//! sentences of the page.

use std::path::Path;

use clap::ValueEnum;
use content::dataset::Dataset;
use contract::problem::{Place, Problem, Severity};

/// The laws, in the order of the columns of [`RULES`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum Law {
    Uk,
    Us,
    Eu,
}

const UK: &str = "DMCC Act 2024, Schedule 20, paragraph 13";
const UK_POLICY: &str = "DMCC Act 2024, Schedule 20, paragraph 13, and CMA208";
const EU: &str = "UCPD Article 7(6)";
const EU_PROCESSED: &str = "Directive (EU) 2019/2161, recital 47";

/// What is stated by a key of `[policy]`, and the rule of each law that wants it; nothing: no rule does.
const RULES: [(&str, &str, [&str; 3]); 6] = [
    ("collected", "how reviews are collected", [UK, "", EU]),
    ("invited", "who is invited to write a review", [UK, "", EU]),
    ("left_out", "which customers are not invited", [UK, "", ""]),
    ("incentives", "what is given for a review", [UK_POLICY, "16 CFR 255.5", EU_PROCESSED]),
    ("fakes", "what is done about fake reviews", [UK_POLICY, "", EU_PROCESSED]),
    ("report", "where readers report a review", ["CMA208", "", ""]),
];
/// The rules on whether all reviews are shown, which a source states.
const ALL_SHOWN: [&str; 3] = [UK, "", EU_PROCESSED];

/// Returns a problem for each statement that a law wants and the content lacks.
pub(super) fn problems(laws: &[Law], data: &Dataset, content: &Path) -> Vec<Problem> {
    let place = Place::file(content.join("business.toml").display().to_string());
    let problem = |what: &str, rule: &str, help: String| Problem {
        severity: Severity::Warning,
        code: "not-stated",
        place: place.clone(),
        message: format!("{rule}{what} is not stated"),
        help,
    };
    let policy = &data.business.policy;
    let lacks = |key: &str| match key {
        "report" => policy.report.is_none(),
        _ => !policy.statements.contains_key(key),
    };
    let mut found = Vec::new();
    if !laws.is_empty() && policy.date.is_none() {
        let help = "add the day on which the rest of [policy] was true: date = 2026-11-30";
        found.push(problem("the day of the review policy", "", help.to_owned()));
    }
    for law in laws {
        let of_law =
            |rules: &[&'static str; 3]| Some(rules[*law as usize]).filter(|it| !it.is_empty());
        for (key, what, rules) in RULES.iter().filter(|(key, ..)| lacks(key)) {
            let none = ["invited", "left_out", "incentives"].contains(key);
            let none = if none { format!(", or {key} = false") } else { String::new() };
            let help = format!("add what is true to [policy]: {key} = \"…\"{none}");
            found.extend(of_law(rules).map(|rule| problem(what, &format!("{rule}: "), help)));
        }
        let unsaid =
            data.sources.iter().filter(|it| it.complete.is_none() && it.claimed_total.is_none());
        for source in unsaid {
            let name = &source.source;
            let help =
                format!("add complete = true or false to the [[source]] with id = \"{name}\"");
            let what = format!("whether all reviews of {name} are here");
            found.extend(of_law(&ALL_SHOWN).map(|rule| problem(&what, &format!("{rule}: "), help)));
        }
    }
    found
}
