//! `api/feed.json`: the newest reviews as JSON Feed 1.1.

use jiff::Timestamp;
use schemars::JsonSchema;
use serde::Serialize;

use super::RenderError;
use content::{dataset::Dataset, words::Words};
use contract::{
    api::FEED_SIZE,
    model::{DatePrecision, Disclosure, OwnerReply, Rating, Review, VerificationKind},
};

/// JSON Feed 1.1.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "JsonFeed")]
pub(super) struct Feed<'d> {
    version: &'static str,
    title: &'d str,
    home_page_url: String,
    feed_url: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    description: Option<&'d str>,
    language: &'d str,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    hubs: Vec<Hub>,
    items: Vec<Item<'d>>,
}

#[derive(Serialize, JsonSchema)]
#[schemars(rename = "JsonFeedHub")]
struct Hub {
    r#type: &'static str,
    url: String,
}

#[derive(Serialize, JsonSchema)]
#[schemars(rename = "JsonFeedItem")]
struct Item<'d> {
    id: String,
    url: &'d str,
    title: String,
    content_text: String,
    /// Not there where the review's day is not known.
    #[serde(skip_serializing_if = "Option::is_none")]
    date_published: Option<Timestamp>,
    date_modified: Timestamp,
    authors: [Author<'d>; 1],
    #[serde(skip_serializing_if = "Option::is_none")]
    language: Option<&'d str>,
    tags: Vec<String>,
    _review: Extension<'d>,
}

#[derive(Serialize, JsonSchema)]
#[schemars(rename = "JsonFeedAuthor")]
struct Author<'d> {
    name: &'d str,
    #[serde(skip_serializing_if = "Option::is_none")]
    avatar: Option<&'d str>,
}

#[derive(Serialize, JsonSchema)]
#[schemars(rename = "JsonFeedReview")]
struct Extension<'d> {
    rating: Rating,
    verified: bool,
    /// How far the review was checked.
    verification: VerificationKind,
    source: &'d str,
    source_url: Option<&'d str>,
    owner_reply: Option<&'d OwnerReply>,
    /// How exactly the review's date is known.
    date_precision: DatePrecision,
    disclosure: Option<&'d Disclosure>,
}

/// JSON Feed 1.1 of the newest reviews.
pub(super) fn bytes(data: &Dataset) -> Result<Vec<u8>, RenderError> {
    let words = Words::new(&data.site);
    let feed = Feed {
        version: "https://jsonfeed.org/version/1.1",
        title: &data.title,
        home_page_url: data.site.home_url(),
        feed_url: data.address("api/feed.json"),
        description: data.business.description.as_deref(),
        language: &words.language,
        hubs: data.hub().map(|url| Hub { r#type: "WebSub", url }).into_iter().collect(),
        items: data
            .reviews
            .iter()
            .take(FEED_SIZE)
            .map(|review| item(data, &words, review))
            .collect(),
    };
    let mut bytes = serde_json::to_vec_pretty(&feed)?;
    bytes.push(b'\n');
    Ok(bytes)
}

fn item<'d>(data: &Dataset, words: &Words, review: &'d Review) -> Item<'d> {
    Item {
        id: data.entry_id(review.id),
        url: &review.url,
        title: title(words, review),
        content_text: content(words, review),
        date_published: review.published_at(),
        date_modified: review.updated,
        authors: [Author { name: &review.author, avatar: review.author_avatar_url.as_deref() }],
        language: review.language.as_deref(),
        tags: tags(data, review),
        _review: Extension {
            rating: review.rating,
            verified: review.verified,
            verification: review.verification,
            source: &review.source,
            source_url: review.source_url.as_deref(),
            owner_reply: review.owner_reply.as_ref(),
            date_precision: review.date_precision,
            disclosure: review.disclosure.as_ref(),
        },
    }
}

/// Returns `5 of 5 from Ann`, or `5 of 5 from Ann, April 2026` if the entry has no day. A disclosure is part of it, so
/// that no reader hides it.
pub(super) fn title(words: &Words, review: &Review) -> String {
    let values = [("stars", review.rating.to_string()), ("author", review.author.to_string())];
    let mut title = words.say("entry_title", None, &values).unwrap_or_default();
    if review.known_day().is_none() {
        title = format!("{title}, {}", words.review_date(review));
    }
    match &review.disclosure {
        Some(disclosure) => {
            format!("{title} ({})", words.word(&format!("entry_{}", disclosure.kind.word())))
        }
        None => title,
    }
}

/// Returns the text of a review, or a phrase that it has none.
pub(super) fn content(words: &Words, review: &Review) -> String {
    let none = || words.say("no_words", None, &[("stars", review.rating.to_string())]);
    match &review.text {
        Some(text) => text.to_string(),
        None => none().unwrap_or_default(),
    }
}

/// Returns the labels of the entities that the review names, the disclosure first.
pub(super) fn tags(data: &Dataset, review: &Review) -> Vec<String> {
    let disclosure = review.disclosure.iter().map(|disclosure| disclosure.kind.to_string());
    let services =
        data.business.services.iter().filter(|s| review.mentions.services.contains(&s.id));
    let areas = data
        .business
        .service_areas
        .iter()
        .filter(|a| review.mentions.service_areas.contains(&a.id));
    disclosure
        .chain(services.map(|service| service.label.to_string()))
        .chain(areas.map(|area| area.name.to_string()))
        .collect()
}
