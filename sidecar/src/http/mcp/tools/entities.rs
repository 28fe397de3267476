//! The tools for one aspect, technician or service.

use contract::{
    query::{ASPECT, Parameter, SERVICE, TECHNICIAN},
    text::casefold,
};

use super::{Call, ToolData, quoted, reviews::text};
use crate::facts::InsightsEntry;

/// Names that are listed when one is not known.
const MAX_LISTED: usize = 60;

/// `get_aspect_sentiment`
pub(super) fn aspect(call: &Call<'_>) -> Result<ToolData, String> {
    let item = find(call, &[ASPECT], &call.snapshot.facts.insights.aspects)?;
    Ok(ToolData::new(&*item.json))
}

/// `get_technician`
pub(super) fn technician(call: &Call<'_>) -> Result<ToolData, String> {
    let item = find(call, &[TECHNICIAN], &call.snapshot.facts.insights.technicians)?;
    Ok(with_examples(call, item))
}

/// `get_service`
pub(super) fn service(call: &Call<'_>) -> Result<ToolData, String> {
    let item = find(call, &[SERVICE], &call.snapshot.facts.insights.services)?;
    Ok(with_examples(call, item))
}

/// The one that is called so.
fn find<'a>(
    call: &Call<'_>,
    table: &'static [Parameter; 1],
    items: &'a [InsightsEntry],
) -> Result<&'a InsightsEntry, String> {
    let word = call.read_word(table)?;
    let folded = casefold(word.trim());
    let mut called = items.iter().filter(|item| item.is_called(&folded));
    let name = table[0].name;
    match (called.next(), called.next()) {
        (Some(item), None) => Ok(item),
        (Some(first), Some(second)) => {
            let several: Vec<_> = [first, second].into_iter().chain(called).map(names).collect();
            Err(format!(
                "The {name} {} is one of several: {}. Ask by id.",
                quoted(&word),
                listed(&several)
            ))
        }
        (None, _) => {
            let known: Vec<_> = items.iter().map(names).collect();
            Err(format!(
                "There is no {name} {}. Known: {}. search_reviews finds any word in the texts.",
                quoted(&word),
                listed(&known)
            ))
        }
    }
}

fn names(item: &InsightsEntry) -> (&String, &String) {
    (&item.id, &item.name)
}

/// `id (name), …`
pub(super) fn listed(known: &[(&String, &String)]) -> String {
    if known.is_empty() {
        return "none known yet".to_owned();
    }
    let shown = known.iter().take(MAX_LISTED).map(|(id, name)| format!("{id} ({name})"));
    let mut listed = shown.collect::<Vec<_>>().join(", ");
    if known.len() > MAX_LISTED {
        listed.push_str(&format!(" and {} more", known.len() - MAX_LISTED));
    }
    listed
}

/// The object with its example reviews, as published.
fn with_examples(call: &Call<'_>, item: &InsightsEntry) -> ToolData {
    let arena = &call.snapshot.collection.arena;
    let number = |id| call.snapshot.facts.number(arena, id);
    let numbers = item.example_review_ids.iter().filter_map(|id| number(*id));
    let examples: Vec<_> = numbers.map(|number| text(arena.review(number))).collect();
    let object = item.json.trim_end().strip_suffix('}').unwrap_or(&item.json);
    ToolData::new(format!("{object},\"example_reviews\":[{}]}}", examples.join(",\n")))
}
