//! Prints the explanation of `candor import --explain`, and the command that imports the files.

use std::collections::BTreeMap;

use contract::text::shell_word;
use import::{ExplainedColumn, ExplainedTable, Explanation, Input};

use crate::cli::output::{Output, plural};

/// Values that a line counts.
const LISTED: usize = 12;

/// Prints the columns, and what the rows contain.
pub(super) fn say(out: &Output, explanation: &Explanation) {
    for table in &explanation.tables {
        say_table(out, table);
    }
    let has_columns = |table: &ExplainedTable| !table.columns.is_empty();
    if explanation.rows == 0 && explanation.tables.iter().any(has_columns) {
        return out.say("its rows are read once that is answered:");
    }
    out.say(&counted(explanation.rows, "row", "rows"));
    let with_id = explanation.with_id;
    let dates = explanation.days.map(|(first, last)| {
        let known = |(word, count): (&&str, &u64)| format!("{count} known to the {word}");
        let known: Vec<String> = explanation.precisions.iter().map(known).collect();
        format!("{first} to {last}: {}", known.join(", "))
    });
    let ids = match explanation.known {
        _ if with_id == 0 => {
            "none: reviews are matched by account, text, author and day".to_owned()
        }
        None => with_id.to_string(),
        Some((known, agreeing)) => format!(
            "{with_id}; {known} are ids of stored reviews, of which {agreeing} also have the author, the words or the account"
        ),
    };
    let lines = [
        ("ratings", counts(&explanation.ratings)),
        ("dates", dates.unwrap_or_default()),
        ("sources", counts(&explanation.sources)),
        ("businesses", counts(&explanation.businesses)),
        ("statuses", explanation.statuses.join("; ")),
        ("languages", counts(&explanation.languages)),
        ("ids", ids),
    ];
    for (name, text) in lines.iter().filter(|(_, text)| !text.is_empty()) {
        out.say(&format!("  {name:<10}  {text}"));
    }
}

fn say_table(out: &Output, ExplainedTable { file, more_files, columns }: &ExplainedTable) {
    let more = match more_files {
        0 => String::new(),
        more => format!(" and {}", counted(*more, "more file", "more files")),
    };
    out.say(&format!("{file}{more}"));
    let field = |column: &ExplainedColumn| column.field.unwrap_or("-");
    let width = |text: &dyn Fn(&ExplainedColumn) -> usize| columns.iter().map(text).max();
    let names = width(&|column| column.column.chars().count()).unwrap_or(0);
    let fields = width(&|column| field(column).len()).unwrap_or(0);
    let whys = width(&|column| column.why.len()).unwrap_or(0);
    for column in columns {
        let samples: Vec<String> =
            column.samples.iter().map(|sample| format!("\"{sample}\"")).collect();
        let (name, field, why) = (&column.column, field(column), column.why);
        let line =
            format!("  {name:<names$}  {field:<fields$}  {why:<whys$}  {}", samples.join(", "));
        out.say(line.trim_end());
    }
}

fn counted(count: u64, one: &str, many: &str) -> String {
    plural(usize::try_from(count).unwrap_or(usize::MAX), one, many)
}

/// The values with their counts, the most frequent first.
fn counts(counts: &BTreeMap<String, u64>) -> String {
    let mut all: Vec<(&String, &u64)> = counts.iter().collect();
    all.sort_by(|a, b| b.1.cmp(a.1).then_with(|| a.0.cmp(b.0)));
    let more = all.len().saturating_sub(LISTED);
    let more = (more > 0).then(|| format!("and {more} more"));
    let listed = all.iter().take(LISTED).map(|(value, count)| format!("{value}: {count}"));
    listed.chain(more).collect::<Vec<_>>().join(", ")
}

/// The command as it was given, with this option and without those that keep it from writing.
pub(super) fn next(option: Option<&str>) -> String {
    let flag = option.and_then(|option| option.split(' ').next()).unwrap_or("--dry-run");
    let mut is_value = false;
    let given = std::env::args().skip(1).filter(|word| {
        let is_of_flag = std::mem::replace(&mut is_value, word == flag && option.is_some());
        let is_flag = ["--explain", "--dry-run", flag].contains(&word.as_str());
        !is_of_flag && !is_flag && !word.starts_with(&format!("{flag}="))
    });
    // The query of an address may hold a secret.
    let shown = |word: String| match word.parse() {
        Ok(address @ Input::Url(_)) => address.shown(),
        _ => word,
    };
    let words = given.map(|word| shell_word(shown(word)));
    let words = ["candor".to_owned()].into_iter().chain(words);
    let words: Vec<String> = words.chain(option.map(str::to_owned)).collect();
    format!("next: {}", words.join(" "))
}
