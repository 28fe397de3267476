//! The tool for `changes.json`.

use contract::query::ChangesQuery;

use super::{Call, ToolData, reviews::text};

/// Runs `get_changes` (contract 2.6).
pub(super) fn page(call: &Call<'_>) -> Result<ToolData, String> {
    let query = call.read(|given| ChangesQuery::parse(given))?;
    let changes = call.snapshot.changes().map_err(|error| {
        tracing::warn!(%error, "changes.json cannot be read");
        "This site publishes no list of changes. get_reviews_since finds new reviews.".to_owned()
    })?;
    let page = changes.find(&query);
    let listed: Vec<_> = page.changes.iter().map(|change| text(change)).collect();
    let next = page.next.as_ref().map_or_else(|| "null".to_owned(), |next| format!("\"{next}\""));
    let json = format!(
        "{{\"matched\":{},\"returned\":{},\"next_cursor\":{next},\"changes\":[{}]}}",
        page.matched,
        listed.len(),
        listed.join(",\n")
    );
    Ok(ToolData::new(json))
}
