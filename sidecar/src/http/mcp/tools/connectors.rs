//! `search` and `fetch`, as ChatGPT's connectors call them: the same search, and one review, in the form that they
//! require (docs/mcp.md, "Tools").

use contract::query::{CONNECTOR_QUERY, Given, REVIEW_ID, Search};
use serde::Deserialize;
use serde_json::{Value, json};

use super::{Call, ToolData, listed::ListedReviews, reviews::text};

/// The number of results of a search.
const RESULTS: usize = 20;

/// A review in the form that connectors require.
#[derive(Default, Deserialize)]
#[serde(default)]
struct Cited {
    id: String,
    author: String,
    rating: u8,
    date: String,
    text: Option<String>,
    url: String,
}

impl Cited {
    fn of(review: &str) -> Option<Self> {
        serde_json::from_str(review).ok()
    }

    fn title(&self) -> String {
        format!("{} of 5 stars by {}, {}", self.rating, self.author, self.date)
    }
}

/// Runs `search`: returns the reviews with all of the words as whole words, newest first.
pub(super) fn search(call: &Call<'_>) -> Result<ToolData, String> {
    let query = call.read_word(&[CONNECTOR_QUERY])?;
    let collection = &call.snapshot.collection;
    let find = |words: &str| {
        let given = [("words", words.to_owned()), ("limit", RESULTS.to_string())];
        let given = given.into_iter().map(|(name, it)| (name.into(), Given::Text(it.into())));
        // A question of more words than a search has is none, and its words are.
        Search::parse(given).map(|search| collection.find(&search).page).unwrap_or_default()
    };
    let mut found = find(&query);
    // Models ask in sentences. The longest of their words say what they are about.
    let mut words: Vec<_> = query.split_whitespace().collect();
    words.sort_by_key(|word| std::cmp::Reverse(word.len()));
    let mut words = words.into_iter();
    while found.is_empty()
        && let Some(word) = words.next()
    {
        found = find(word);
    }
    let reviews = found.iter().filter_map(|it| Cited::of(text(collection.arena.review(*it))));
    let result = |cited: Cited| json!({ "id": cited.id, "title": cited.title(), "url": cited.url });
    Ok(ToolData::new(json!({ "results": reviews.map(result).collect::<Vec<_>>() }).to_string()))
}

/// Runs `fetch`: returns one review.
pub(super) fn fetch(call: &Call<'_>) -> Result<ToolData, String> {
    let published = call.review(&call.read_word(&[REVIEW_ID])?)?;
    let listed = ListedReviews::of(std::iter::once(published));
    let mut metadata: Value =
        listed.json.first().and_then(|it| serde_json::from_str(it).ok()).unwrap_or_default();
    let cited = Cited::of(published).ok_or("The review is of another form. get_review has it.")?;
    let reply = metadata["owner_reply"]["text"].as_str();
    let words = cited.text.as_deref().unwrap_or("A rating without words.");
    let text = match reply {
        Some(reply) => format!("{words}\n\nReply of the business: {reply}"),
        None => words.to_owned(),
    };
    if let Some(members) = metadata.as_object_mut() {
        for elsewhere in ["id", "text", "owner_reply", "url"] {
            members.remove(elsewhere);
        }
    }
    Ok(ToolData::new(
        json!({
            "id": cited.id, "title": cited.title(), "text": text, "url": cited.url,
            "metadata": metadata,
        })
        .to_string(),
    ))
}
