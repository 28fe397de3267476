//! The tools for aspects, technicians and services.

use contract::{
    mcp::LISTED_ASPECT,
    query::{ASPECT, Parameter, SERVICE, Subject, TECHNICIAN},
};
use serde_json::{Map, Value};

use super::{Call, ToolData, listed::ListedReviews, quoted, reviews::text};
use crate::data::facts::InsightsEntry;

/// Runs `list_aspects`.
pub(super) fn aspects(call: &Call<'_>) -> Result<ToolData, String> {
    call.read_none()?;
    let listed = call.snapshot.facts.insights.aspects.iter().map(|item| {
        let mut aspect: Map<String, Value> = serde_json::from_str(&item.json).unwrap_or_default();
        aspect.retain(|key, _| LISTED_ASPECT.contains(&key.as_str()));
        Value::Object(aspect).to_string()
    });
    let listed: Vec<_> = listed.collect();
    Ok(ToolData::new(format!("{{\"aspects\":[{}]}}", listed.join(",\n"))))
}

/// Runs `get_aspect_sentiment`.
pub(super) fn aspect(call: &Call<'_>) -> Result<ToolData, String> {
    let aspects = &call.snapshot.facts.insights.aspects;
    let item = find(call, &[ASPECT], Subject::Aspect, aspects)?;
    Ok(ToolData::new(&*item.json))
}

/// Runs `get_technician`.
pub(super) fn technician(call: &Call<'_>) -> Result<ToolData, String> {
    let technicians = &call.snapshot.facts.insights.technicians;
    let item = find(call, &[TECHNICIAN], Subject::Technician, technicians)?;
    Ok(with_examples(call, item))
}

/// Runs `get_service`.
pub(super) fn service(call: &Call<'_>) -> Result<ToolData, String> {
    let services = &call.snapshot.facts.insights.services;
    let item = find(call, &[SERVICE], Subject::Service, services)?;
    Ok(with_examples(call, item))
}

/// Returns the entity that the only argument names.
fn find<'a>(
    call: &Call<'_>,
    table: &'static [Parameter; 1],
    subject: Subject,
    items: &'a [InsightsEntry],
) -> Result<&'a InsightsEntry, String> {
    let word = call.read_word(table)?;
    let named = call.resolve(subject, word.trim())?;
    items.iter().find(|item| item.id == named.id).ok_or_else(|| {
        format!(
            "The {} {} is known, but insights.json has no entry about it. search_reviews finds the \
             reviews that mention it.",
            subject.noun(),
            quoted(&named.name)
        )
    })
}

/// Returns the object with its example reviews.
fn with_examples(call: &Call<'_>, item: &InsightsEntry) -> ToolData {
    let arena = &call.snapshot.collection.arena;
    let number = |id| arena.number(id);
    let numbers = item.example_review_ids.iter().filter_map(|id| number(*id));
    let examples = ListedReviews::of(numbers.map(|number| text(arena.review(number))));
    let members = item.json.trim_end().strip_suffix('}').unwrap_or(&item.json);
    ToolData::new(format!("{members},{}}}", examples.members("example_reviews")))
}
