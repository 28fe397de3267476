//! Published reviews in the form of lists.

use contract::mcp::ListedReview;

/// Reviews in the form of lists.
#[derive(Debug, Default)]
pub(in crate::http::mcp) struct ListedReviews {
    /// The address of each, with `{id}` in place of its id; `None` if addresses have no ids.
    pub(in crate::http::mcp) url: Option<String>,
    /// The reviews as JSON objects.
    pub(in crate::http::mcp) json: Vec<String>,
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
        review.date_precision.take_if(|it| it.0.get() == "\"day\"");
        review.verification.take_if(|it| it.0.get() != "\"purchase\"");
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

    /// Returns the members of a list, in JSON: `review_url`, if there is one, and the reviews.
    pub(in crate::http::mcp) fn members(&self, name: &str) -> String {
        let url =
            self.url.as_ref().map(|url| format!("\"review_url\":{},", serde_json::json!(url)));
        format!("{}\"{name}\":[{}]", url.unwrap_or_default(), self.json.join(",\n"))
    }
}
