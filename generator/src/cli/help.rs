//! The command `help`: the help of a command, a page of the documentation about a topic, or the explanation of
//! the code of a problem.

use anyhow::Context as _;
use clap::{Args, Command, Error, error::ErrorKind};
use contract::problem::{did_you_mean, unknown_help};

use super::{Context, Exit, command, print_usage};
use crate::explain;

/// A topic, the page it is on, and the heading of its section there.
type Topic = (&'static str, &'static str, &'static str);

/// The pages that messages refer to, from the same files as the documentation.
const TOPICS: [Topic; 10] = [
    ("import-formats", docs::IMPORT, "## Formats"),
    ("import-google", docs::IMPORT, "### Google Business Profile"),
    ("import-recipes", docs::IMPORT, "## Recipes"),
    ("missing-reviews", docs::IMPORT, "## Reviews an export lacks"),
    ("overrides", docs::CONTENT, "## overrides.toml"),
    ("aspects", docs::INSIGHTS, "## Your own aspects: aspects.toml"),
    ("annotations", docs::INSIGHTS, "## Annotations: content/annotations/*.jsonl"),
    ("answers", docs::INSIGHTS, "## Answers and summary"),
    ("phrases", docs::SITE, "## Phrases"),
    ("mcp", docs::MCP, "## Connect"),
];

/// The topic that lists the codes of problems.
const CODES: &str = "codes";

#[derive(Debug, Args)]
pub(super) struct Help {
    /// A command, such as build or new review, a topic, or the code in the brackets of a message, such as
    /// unknown-key; all codes: codes
    #[arg(value_name = "COMMAND|TOPIC|CODE")]
    words: Vec<String>,
}

impl Help {
    pub(super) fn run(self, context: &Context) -> anyhow::Result<Exit> {
        if let [word] = &*self.words {
            if let Some((name, page, heading)) = TOPICS.iter().find(|(name, ..)| name == word) {
                let text = section(page, heading);
                return context.print(&text.with_context(|| format!("{name} has no text"))?);
            }
            if let Some(found) = explain::find(word) {
                return context.print(&format!("{}\n\n{}", found.code, found.text));
            }
            if word == CODES {
                let width = explain::all().map(|it| it.code.len()).max().unwrap_or_default();
                for it in explain::all() {
                    context.out.raw(&format!("{:width$}  {}", it.code, it.summary()));
                }
                return Ok(Exit::Done);
            }
        }
        let known = command();
        let topics = TOPICS.iter().map(|(name, ..)| *name).chain([CODES]);
        let named: Vec<&str> =
            known.get_subcommands().map(Command::get_name).chain(topics).collect();
        if let Some(word) = self.words.first().filter(|word| !named.contains(&word.as_str())) {
            let help = match did_you_mean(word, explain::all().map(|it| it.code)) {
                Some(code) if did_you_mean(word, named.iter().copied()).is_none() => {
                    format!("did you mean {code:?}?")
                }
                _ => unknown_help(word, named.iter().copied()),
            };
            let message = format!("there is no command, topic or code {word:?}; {help}\n");
            return print_usage(Error::raw(ErrorKind::InvalidSubcommand, message));
        }
        let typed = ["candor".to_owned()].into_iter().chain(self.words);
        let asked = command().try_get_matches_from(typed.chain(["--help".to_owned()]));
        asked.map_or_else(print_usage, |_| Ok(Exit::Done))
    }
}

/// Returns the names of the topics: `import-formats, import-recipes, …, codes`.
pub(super) fn topics() -> String {
    TOPICS.map(|(name, ..)| name).join(", ") + ", " + CODES
}

/// The section of a page with this heading, up to the next one of its level or above. Links to other
/// pages are words here.
fn section(page: &str, heading: &str) -> Option<String> {
    let (_, from) = page.split_once(&format!("\n{heading}\n"))?;
    // A line that begins with one # may be a comment of an example.
    let ends = if heading.starts_with("###") { &["\n## ", "\n### "][..] } else { &["\n## "] };
    let end = ends.iter().filter_map(|end| from.find(end)).min().unwrap_or(from.len());
    Some(without_links(format!("{heading}\n{}", &from[..end]).trim_end()))
}

/// `[Import](import.md#formats)` as `Import`; addresses stay.
fn without_links(text: &str) -> String {
    let mut shown = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, link)) = rest.split_once("](") {
        let target = link.split_once(')').filter(|(target, _)| !target.contains("://"));
        match (before.rfind('['), target) {
            (Some(open), Some((_, after))) => {
                shown.push_str(&before[..open]);
                shown.push_str(&before[open + 1..]);
                rest = after;
            }
            _ => {
                shown.push_str(before);
                shown.push_str("](");
                rest = link;
            }
        }
    }
    shown + rest
}
