//! The table of `stats --all`: a line for each site.

use serde_json::Value;

use super::Ended;
use crate::cli::Context;

/// The columns: heading, and where the figure is in what `stats --json` prints.
const COLUMNS: [(&str, &str); 7] = [
    ("reviews", "/review_count"),
    ("average", "/average"),
    ("trend", "/trend"),
    ("latest", "/latest"),
    ("unanswered", "/gaps/replies/unanswered_count"),
    ("last import", "/last_import"),
    ("warnings", "/warning_count"),
];

/// Prints the table. A site whose content has errors has no figures.
pub(super) fn print(context: &Context, ended: &[Ended]) {
    let head = std::iter::once("site".to_owned()).chain(COLUMNS.map(|(name, _)| name.to_owned()));
    let mut rows: Vec<Vec<String>> = vec![head.collect()];
    rows.extend(ended.iter().map(|site| {
        let mut figures = COLUMNS.map(|(_, pointer)| shown(site.figure(pointer)));
        if site.result.is_none() {
            figures[0] = "failed".to_owned();
        }
        std::iter::once(site.site.clone()).chain(figures).collect()
    }));
    let widths: Vec<usize> = (0..=COLUMNS.len())
        .map(|at| rows.iter().map(|row| row[at].chars().count()).max().unwrap_or(0))
        .collect();
    for row in rows {
        let [site, figures @ ..] = &*row else { continue };
        let figures =
            figures.iter().zip(&widths[1..]).map(|(cell, width)| format!("  {cell:>width$}"));
        context.out.say(&format!("{site:0$}{1}", widths[0], figures.collect::<String>()));
    }
}

fn shown(figure: Option<Value>) -> String {
    match figure {
        None | Some(Value::Null) => "-".to_owned(),
        Some(Value::String(text)) => text,
        Some(number) => number.to_string(),
    }
}
