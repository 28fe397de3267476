//! The command `suggest`: lists what reviews mention and content does not list, and writes the
//! chosen suggestions into content.

mod write;

use anyhow::Context as _;
use clap::Args;
use contract::problem::unknown_help;
use insights::{Suggestion, names::NameKind};
use serde_json::{Value, json};

use super::{Context, Exit, output::plural};
use content::dataset::Dataset;

#[derive(Debug, Args)]
pub(super) struct Suggest {
    /// Print the suggestions as one JSON array
    #[arg(long, conflicts_with = "write")]
    json: bool,
    /// Append these suggestions to the files of the content
    #[arg(long, value_name = "KIND:ID", num_args = 1..)]
    write: Vec<String>,
}

impl Suggest {
    pub(super) fn run(self, context: &Context) -> anyhow::Result<Exit> {
        let (data, _) = &context.read_publishable("nothing can be suggested")?;
        let suggestions = suggestions(data)?;
        if !self.write.is_empty() {
            let chosen = choose(&suggestions, &self.write)?;
            write::write(context, &chosen)?;
        } else if self.json {
            let all: Vec<Value> = suggestions.iter().map(object).collect();
            context.out.json_pretty(&all)?;
        } else {
            say(context, &suggestions);
        }
        Ok(Exit::Done)
    }
}

fn suggestions(data: &Dataset) -> anyhow::Result<Vec<Suggestion>> {
    let input = insights::Input {
        reviews: &data.reviews,
        language: &data.site.language,
        business: &data.business,
        known: data.listed.names(),
        config: &data.listed.aspects,
        annotations: &insights::Applied::default(),
        memory: &(),
    };
    insights::suggest(&input).context("the names cannot be searched for")
}

/// The kind as `--write` and the files of the content name it.
fn word(kind: NameKind) -> &'static str {
    match kind {
        NameKind::Technician => "technician",
        NameKind::Service => "service",
        NameKind::ServiceArea => "service_area",
        NameKind::Problem => "problem",
        NameKind::Topic => "topic",
    }
}

/// Returns the key that a user types: `technician:mike`.
fn key(suggestion: &Suggestion) -> String {
    format!("{}:{}", word(suggestion.kind), suggestion.id)
}

fn choose<'s>(all: &'s [Suggestion], wanted: &[String]) -> anyhow::Result<Vec<&'s Suggestion>> {
    let keys: Vec<String> = all.iter().map(key).collect();
    let mut chosen: Vec<&Suggestion> = Vec::new();
    for wanted in wanted {
        let Some(at) = keys.iter().position(|key| key == wanted) else {
            let help = unknown_help(wanted, keys.iter().map(String::as_str));
            anyhow::bail!("there is no suggestion {wanted:?}, and nothing was written; {help}");
        };
        if !chosen.contains(&&all[at]) {
            chosen.push(&all[at]);
        }
    }
    Ok(chosen)
}

fn object(suggestion: &Suggestion) -> Value {
    let example =
        |(id, text): &(contract::model::ReviewId, String)| json!({ "review_id": id, "text": text });
    json!({
        "suggestion": key(suggestion),
        "kind": word(suggestion.kind),
        "id": suggestion.id,
        "name": suggestion.name,
        "aliases": suggestion.aliases,
        "review_count": suggestion.review_count,
        "examples": suggestion.examples.iter().map(example).collect::<Vec<_>>(),
    })
}

fn say(context: &Context, suggestions: &[Suggestion]) {
    if suggestions.is_empty() {
        let least = insights::MIN_AUTHORS;
        return context.out.say(&format!(
            "nothing to suggest: the reviews contain no unlisted name or subject of {least} authors"
        ));
    }
    for suggestion in suggestions {
        let count = plural(suggestion.review_count, "review", "reviews");
        context.out.say(&format!("{}  {:?}, {count}", key(suggestion), suggestion.name));
        if !suggestion.aliases.is_empty() {
            context.out.say(&format!("  also: {}", suggestion.aliases.join(", ")));
        }
        for (id, text) in &suggestion.examples {
            context.out.say(&format!("  {id}: {text}"));
        }
    }
    context
        .out
        .say("nothing of this is published; list some with: candor suggest --write KIND:ID …");
}
