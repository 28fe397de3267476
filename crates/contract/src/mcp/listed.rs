//! The schema of a list of reviews in a tool's result.

use serde_json::Value;

use super::schema::{array, cut, object, of, string};
use crate::model::Review;

/// The members of a review in a list. [`ALWAYS`] are in each, the others where there is something to say.
const LISTED: [&str; 13] = [
    "id",
    "author",
    "rating",
    "date",
    "date_precision",
    "text",
    "translation",
    "source",
    "verification",
    "disclosure",
    "owner_reply",
    "mentions",
    "url",
];
const ALWAYS: [&str; 4] = ["id", "author", "rating", "date"];

/// A list of reviews, without what is null or follows from `review_url`.
pub(super) fn listed(description: &str) -> Value {
    let mut review = cut(of::<Review>());
    if let Some(properties) = review["properties"].as_object_mut() {
        properties.retain(|name, _| LISTED.contains(&name.as_str()) || name == "truncated");
        for (name, absence) in [
            ("date_precision", "Absent where it is `day`."),
            (
                "verification",
                "Absent unless it is `purchase`: the method of the source then counts.",
            ),
            ("url", "Absent where it follows from `review_url`."),
        ] {
            let said = properties[name]["description"].as_str().unwrap_or_default();
            properties[name]["description"] = format!("{said} {absence}").into();
        }
    }
    let mentions = &mut review["properties"]["mentions"];
    *mentions = object([("technicians", array(string()), "Names.")]);
    mentions["description"] = "Whom the text names; absent where it names nobody.".into();
    review["required"] = ALWAYS.into();
    let mut list = array(review);
    list["description"] = description.into();
    list
}

pub(super) fn review_url() -> Value {
    let mut url = string();
    url["description"] = "The address of each review, with its id in place of `{id}`.".into();
    url
}
