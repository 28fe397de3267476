//! The tools for the business, topics, frequent questions and the summary.

use contract::{query::FAQ_QUERY, text::casefold};

use super::{Call, ToolData};

/// Runs `get_business`: returns the head of `reviews.json`, as published.
pub(super) fn business(call: &Call<'_>) -> Result<ToolData, String> {
    call.read_none()?;
    let head = &call.snapshot.collection.head;
    Ok(ToolData::new(format!(
        "{{\"generated_at\":{},\"business\":{},\"aggregate_rating\":{},\"sources\":{},\
         \"moderation\":{}}}",
        head.generated_at, head.business, head.aggregate_rating, head.sources, head.moderation
    )))
}

/// Runs `list_topics`.
pub(super) fn topics(call: &Call<'_>) -> Result<ToolData, String> {
    call.read_none()?;
    let topics = &call.snapshot.facts.insights.topics;
    let none = topics.bytes().all(|byte| matches!(byte, b'[' | b']' | b' ' | b'\n'));
    let hint = none.then(|| {
        "The owner listed no topics. search_reviews finds any word in the texts.".to_owned()
    });
    Ok(ToolData { json: format!("{{\"topics\":{topics}}}"), hint })
}

/// Runs `get_faq`: returns the entries that contain each word.
pub(super) fn faq(call: &Call<'_>) -> Result<ToolData, String> {
    let query = call.read_word(&[FAQ_QUERY])?;
    let folded = casefold(&query);
    let entries = &call.snapshot.facts.insights.faq;
    let has_all = |text: &str| folded.split_whitespace().all(|word| text.contains(word));
    let found: Vec<_> = entries.iter().filter(|entry| has_all(&entry.folded)).collect();
    let hint = match (found.is_empty(), entries.is_empty()) {
        (true, true) => Some("The owner answers no questions yet.".to_owned()),
        (true, false) => {
            let ids: Vec<_> = entries.iter().map(|entry| entry.id.as_str()).collect();
            Some(format!(
                "No entry has all these words. Without query all of them come: {}.",
                ids.join(", ")
            ))
        }
        _ => None,
    };
    let found: Vec<_> = found.iter().map(|entry| &*entry.json).collect();
    Ok(ToolData { json: format!("{{\"faq\":[{}]}}", found.join(",\n")), hint })
}

/// Runs `get_summary`.
pub(super) fn summary(call: &Call<'_>) -> Result<ToolData, String> {
    call.read_none()?;
    Ok(ToolData::new(&*call.snapshot.facts.insights.overview))
}
