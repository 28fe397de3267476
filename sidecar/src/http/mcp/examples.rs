//! Example values for the arguments of tools, from the publication itself: each has a result, so that an agent can send
//! it as it is. None is from a review's text.

use contract::{
    mcp::{Examples, TOOLS, ToolName},
    query::{Given, Kind, Parameter, Search, Subject},
    text::casefold,
};
use serde_json::Value;

use crate::{data::facts::InsightsEntry, publication::snapshot::Snapshot};

/// Maximum number of ids in `examples`: `get_business` and `list_aspects` list all of them.
const MAX_IDS: usize = 3;

/// Words to try in a search if no name of the site is in a text.
const WORDS: [&str; 4] = ["on time", "clean", "great", "the"];

/// Returns the examples of every tool's parameters, for a stranger's site without those that are texts.
pub(super) fn examples(snapshot: &Snapshot, is_own: bool) -> Examples {
    let all = TOOLS.iter().flat_map(|tool| tool.parameters.iter().map(|one| (tool.name, one)));
    let all = all.filter(|(_, one)| {
        is_own || !matches!(one.kind, Kind::Name(_) | Kind::Text(_) | Kind::Words(_))
    });
    Examples::new(all.map(|(tool, one)| (tool, one.name, of(snapshot, tool, one))))
}

fn of(snapshot: &Snapshot, tool: ToolName, parameter: &Parameter) -> Vec<Value> {
    let mut values = candidates(snapshot, tool, parameter);
    if tool == ToolName::SearchReviews {
        values.retain(|value| finds(snapshot, parameter, value));
    }
    let most = if matches!(parameter.kind, Kind::Name(_)) { MAX_IDS } else { 1 };
    values.truncate(most);
    values
}

/// Whether a search with this argument alone finds a review.
fn finds(snapshot: &Snapshot, parameter: &Parameter, value: &Value) -> bool {
    let search = Search::parse([(parameter.name.into(), Given::Json(value))]);
    search.is_ok_and(|search| snapshot.collection.find(&search).matched > 0)
}

/// Returns possible values, the best first. Those of a search are still to be tried.
fn candidates(snapshot: &Snapshot, tool: ToolName, parameter: &Parameter) -> Vec<Value> {
    let arena = &snapshot.collection.arena;
    let newest = (arena.len() > 0).then(|| arena.position(0));
    let day = newest.map(|newest| newest.date.to_string());
    let new_year = || day.as_deref().map(|day| format!("{}-01-01", &day[..4]));
    let one = |value: Option<String>| value.map(Value::from).into_iter().collect();
    match (tool, parameter.name, parameter.kind) {
        (_, "id", _) => one(newest.map(|newest| newest.id.to_string())),
        (_, "until", _) => one(day),
        (_, _, Kind::Day | Kind::Instant) => one(new_year()),
        (ToolName::GetFaq, ..) => one(word_of_a_question(snapshot)),
        (_, _, Kind::Stars | Kind::LeastStars) => (1..=5).rev().map(Value::from).collect(),
        (_, _, Kind::Year) => {
            newest.iter().map(|newest| newest.date.date().year().into()).collect()
        }
        (_, _, Kind::Limit | Kind::Facets) => vec![parameter.example_value()],
        (_, _, Kind::Name(subject)) => ids(snapshot, tool, subject),
        (_, _, Kind::Flag) => vec![true.into(), false.into()],
        (_, _, Kind::Choice(words)) => words.iter().copied().map(Value::from).collect(),
        (ToolName::SearchReviews | ToolName::Search, _, Kind::Text(_) | Kind::Words(_)) => {
            words(snapshot)
        }
        (_, _, Kind::Text(_) | Kind::Words(_) | Kind::Cursor | Kind::ChangesCursor | Kind::Ids) => {
            Vec::new()
        }
    }
}

/// Returns the ids of a kind, for a tool that returns an entry of `insights.json` those of the entries.
fn ids(snapshot: &Snapshot, tool: ToolName, subject: Subject) -> Vec<Value> {
    let insights = &snapshot.facts.insights;
    let of = |entries: &[InsightsEntry]| entries.iter().map(|it| it.id.as_str().into()).collect();
    match tool {
        ToolName::GetAspectSentiment => of(&insights.aspects),
        ToolName::GetTechnician => of(&insights.technicians),
        ToolName::GetService => of(&insights.services),
        _ => snapshot.names(subject).all().iter().map(|named| named.id.as_str().into()).collect(),
    }
}

/// Returns the names of services and aspects, and common words.
fn words(snapshot: &Snapshot) -> Vec<Value> {
    let names = |subject| snapshot.names(subject).all().iter().map(|named| named.name.as_str());
    let names = names(Subject::Service).chain(names(Subject::Aspect)).chain(WORDS);
    names.map(|name| casefold(name).into()).collect()
}

/// Returns the longest word of the first question.
fn word_of_a_question(snapshot: &Snapshot) -> Option<String> {
    let question = &snapshot.facts.insights.faq.first()?.question;
    let words = question.split(|c: char| !c.is_alphanumeric());
    words.max_by_key(|word| word.len()).filter(|word| !word.is_empty()).map(str::to_owned)
}
