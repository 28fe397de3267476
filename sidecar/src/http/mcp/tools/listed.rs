//! Reviews as tools list them: what people wrote, who, when and how many stars. The rest is one call
//! of `get_review` away, and the address follows from the id.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

/// Reviews in the form of lists.
#[derive(Debug, Default)]
pub(in crate::http::mcp) struct ListedReviews {
    /// The address of each, with `{id}` in place of its id; `None` where addresses have no ids.
    pub(in crate::http::mcp) url: Option<String>,
    /// JSON objects.
    pub(in crate::http::mcp) json: Vec<String>,
}

/// The members that a list has. The values are as published; null ones are left out.
#[derive(Deserialize, Serialize)]
struct ListedReview<'a> {
    id: Cow<'a, str>,
    #[serde(borrow)]
    author: &'a RawValue,
    #[serde(borrow)]
    rating: &'a RawValue,
    #[serde(borrow)]
    date: &'a RawValue,
    #[serde(borrow, skip_serializing_if = "Option::is_none")]
    date_precision: Option<&'a RawValue>,
    #[serde(borrow, skip_serializing_if = "Option::is_none")]
    text: Option<&'a RawValue>,
    #[serde(borrow, skip_serializing_if = "Option::is_none")]
    translation: Option<&'a RawValue>,
    #[serde(borrow, skip_serializing_if = "Option::is_none")]
    source: Option<&'a RawValue>,
    #[serde(borrow, skip_serializing_if = "Option::is_none")]
    verification: Option<&'a RawValue>,
    #[serde(borrow, skip_serializing_if = "Option::is_none")]
    disclosure: Option<&'a RawValue>,
    #[serde(borrow, skip_serializing_if = "Option::is_none")]
    owner_reply: Option<&'a RawValue>,
    #[serde(borrow, default, skip_serializing_if = "ListedMentions::is_empty")]
    mentions: ListedMentions<'a>,
    #[serde(skip_serializing_if = "Option::is_none")]
    url: Option<Cow<'a, str>>,
}

/// A first name in a text can be that of several people. Services are in the text.
#[derive(Default, Deserialize, Serialize)]
struct ListedMentions<'a> {
    #[serde(borrow, default)]
    technicians: Vec<Cow<'a, str>>,
}

impl ListedMentions<'_> {
    fn is_empty(&self) -> bool {
        self.technicians.is_empty()
    }
}

impl ListedReviews {
    pub(in crate::http::mcp) fn of<'a>(published: impl Iterator<Item = &'a str>) -> Self {
        let mut listed = Self::default();
        for review in published {
            let json = listed.shortened(review);
            // Of another form, for example from a later version: it stays as it is.
            listed.json.push(json.unwrap_or_else(|| review.to_owned()));
        }
        listed
    }

    fn shortened(&mut self, published: &str) -> Option<String> {
        let mut review: ListedReview<'_> = serde_json::from_str(published).ok()?;
        // Most dates are exact, and most purchases were not checked one by one.
        review.date_precision.take_if(|it| it.get() == "\"day\"");
        review.verification.take_if(|it| it.get() != "\"purchase\"");
        if let Some(url) = &review.url
            && url.contains(&*review.id)
        {
            let pattern = url.replace(&*review.id, "{id}");
            if *self.url.get_or_insert_with(|| pattern.clone()) == pattern {
                review.url = None;
            }
        }
        serde_json::to_string(&review).ok()
    }

    /// The members of a list, in JSON: `review_url`, where there is one, and the reviews.
    pub(in crate::http::mcp) fn members(&self, name: &str) -> String {
        let url =
            self.url.as_ref().map(|url| format!("\"review_url\":{},", serde_json::json!(url)));
        format!("{}\"{name}\":[{}]", url.unwrap_or_default(), self.json.join(",\n"))
    }
}
