//! Reviews as tools list them: what people wrote, who, when and how many stars. The rest is one call
//! of `get_review` away, and the address follows from the id.

use std::borrow::Cow;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, value::RawValue};

use super::schema::{array, cut, of, string};
use crate::model::Review;

// A value as it is published.
#[expect(missing_docs, reason = "they would describe each value in the schema")]
#[derive(Debug, Deserialize, Serialize, JsonSchema)]
#[serde(transparent)]
pub struct Published<'a>(
    #[serde(borrow)]
    #[schemars(with = "Value")]
    pub &'a RawValue,
);

/// The members of a review in a list. A description here says when one is absent, in addition to null. The
/// schema of each value is that of the published review.
#[derive(Debug, Deserialize, Serialize, JsonSchema)]
#[expect(missing_docs, reason = "documented in the published review")]
pub struct ListedReview<'a> {
    #[serde(borrow)]
    pub id: Cow<'a, str>,
    #[serde(borrow)]
    pub author: Published<'a>,
    #[serde(borrow)]
    pub rating: Published<'a>,
    #[serde(borrow)]
    pub date: Published<'a>,
    /// Absent where it is `day`.
    #[serde(borrow, skip_serializing_if = "Option::is_none")]
    pub date_precision: Option<Published<'a>>,
    #[serde(borrow, skip_serializing_if = "Option::is_none")]
    pub text: Option<Published<'a>>,
    #[serde(borrow, skip_serializing_if = "Option::is_none")]
    pub translation: Option<Published<'a>>,
    #[serde(borrow, skip_serializing_if = "Option::is_none")]
    pub source: Option<Published<'a>>,
    /// Absent unless it is `purchase`: the method of the source then counts.
    #[serde(borrow, skip_serializing_if = "Option::is_none")]
    pub verification: Option<Published<'a>>,
    #[serde(borrow, skip_serializing_if = "Option::is_none")]
    pub disclosure: Option<Published<'a>>,
    #[serde(borrow, skip_serializing_if = "Option::is_none")]
    pub owner_reply: Option<Published<'a>>,
    /// Whom the text names; absent where it names nobody.
    #[serde(borrow, default, skip_serializing_if = "ListedMentions::is_empty")]
    pub mentions: ListedMentions<'a>,
    /// Absent where it follows from `review_url`.
    #[serde(borrow, skip_serializing_if = "Option::is_none")]
    pub url: Option<Cow<'a, str>>,
}

/// A first name in a text can be that of several people. Services are in the text.
#[derive(Debug, Default, Deserialize, Serialize, JsonSchema)]
pub struct ListedMentions<'a> {
    /// Names.
    #[serde(borrow)]
    pub technicians: Vec<Cow<'a, str>>,
}

impl ListedMentions<'_> {
    fn is_empty(&self) -> bool {
        self.technicians.is_empty()
    }
}

/// A list of reviews, without what is null or follows from `review_url`.
pub(super) fn listed(description: &str) -> Value {
    let (mut review, mut listed) = (cut(of::<Review>()), of::<ListedReview<'_>>());
    let members = listed["properties"].as_object_mut();
    if let (Some(properties), Some(members)) = (review["properties"].as_object_mut(), members) {
        properties.retain(|name, _| members.contains_key(name) || name == "truncated");
        for (name, member) in members {
            let published = &mut properties[name];
            if member.get("type").is_some_and(|kind| kind == "object") {
                *published = member.take();
            } else if let Some(absence) = member.get("description").and_then(Value::as_str) {
                let said = published["description"].as_str().unwrap_or_default();
                published["description"] = format!("{said} {absence}").into();
            }
        }
    }
    review["required"] = listed["required"].take();
    let mut list = array(review);
    list["description"] = description.into();
    list
}

pub(super) fn review_url() -> Value {
    let mut url = string();
    url["description"] = "The address of each review, with its id in place of `{id}`.".into();
    url
}
