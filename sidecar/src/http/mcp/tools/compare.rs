//! The tool that compares several businesses.

use contract::{
    model::Rating,
    query::{Filter, Search, Sort},
};
use serde_json::{Map, Value, json};

use super::{Call, ToolData, listed::ListedReviews, reviews::text};
use crate::{http::mcp::served::ServedSite, publication::snapshot::Snapshot};

/// Maximum stars of a review that counts as criticism.
const CRITICAL: u8 = 2;

/// A note on the limits of the numbers.
const HINT: &str = "The order is that of the configuration, not a ranking. Averages of different numbers of \
                    reviews, and of sources that are not complete, compare poorly.";

/// Runs `compare_businesses`: for each the average, the partial sources and withheld reviews, the reviews that match
/// the arguments, those among them that criticise, the newest of these with its reply, opening hours.
pub(super) fn businesses(call: &Call<'_>) -> Result<ToolData, String> {
    let search = call.read(|given| Search::parse(given))?;
    let compared: Vec<_> =
        call.served.sites().iter().map(|it| business(it, &search.filter)).collect();
    let json = json!({ "critical_stars": CRITICAL, "businesses": compared }).to_string();
    Ok(ToolData { json, hint: Some(HINT.to_owned()) })
}

fn business(site: &ServedSite, filter: &Filter) -> Value {
    let snapshot = match &site.snapshot {
        Ok(snapshot) => &**snapshot,
        Err(reason) => return json!({ "site": site.name, "unavailable": reason }),
    };
    let head = &snapshot.collection.head;
    let parsed = |json: &str| serde_json::from_str::<Value>(json).unwrap_or_default();
    let (business, average) = (parsed(&head.business), parsed(&head.aggregate_rating));
    let sources = parsed(&head.sources);
    let sources = sources.as_array().into_iter().flatten();
    let partial = sources.filter(|source| source["complete"] == false).map(|source| {
        let keys = ["source", "review_count", "claimed_total", "claimed_average"];
        keys.map(|key| (key.to_owned(), source[key].clone())).into_iter().collect::<Map<_, _>>()
    });
    let matching = Filter { has_reply: None, ..filter.clone() };
    let (critical, newest) = criticism(snapshot, &matching);
    let (replied, _) = criticism(snapshot, &Filter { has_reply: Some(true), ..matching.clone() });
    let newest = ListedReviews::of(newest.into_iter());
    let mut business = json!({
        "site": site.name,
        "name": business["name"],
        "url": snapshot.manifest.base_url,
        "average": average["average"],
        "review_count": average["review_count"],
        "partial_sources": partial.collect::<Vec<_>>(),
        "withheld_count": parsed(&head.moderation)["withheld_count"],
        "matched": find(snapshot, matching).0,
        "critical": { "matched": critical, "replied": replied },
        "hours": business["hours"],
        "time_zone": business["time_zone"],
    });
    if let Some(review) = newest.json.first() {
        business["critical"]["newest"] = parsed(review);
        business["critical"]["review_url"] = json!(newest.url);
    }
    if snapshot.manifest.sample {
        business["sample"] = true.into();
    }
    business
}

/// Returns the number of reviews of few stars that meet the filter, and the newest of them.
fn criticism<'a>(snapshot: &'a Snapshot, filter: &Filter) -> (usize, Option<&'a str>) {
    let stars = Rating::all().filter(|rating| rating.stars() <= CRITICAL);
    let found =
        stars.map(|rating| find(snapshot, Filter { rating: Some(rating), ..filter.clone() }));
    let (matched, newest): (Vec<usize>, Vec<Option<u32>>) = found.unzip();
    // Reviews are numbered from the newest on.
    let newest = newest.into_iter().flatten().min();
    let review = newest.map(|number| text(snapshot.collection.arena.review(number)));
    (matched.iter().sum(), review)
}

/// Returns the number of reviews that meet the filter, and the number of the newest.
fn find(snapshot: &Snapshot, filter: Filter) -> (usize, Option<u32>) {
    let search = Search {
        filter,
        facets: Vec::new(),
        sort: Sort::Newest,
        limit: 1,
        after: None,
        ignored: Vec::new(),
    };
    let hits = snapshot.collection.find(&search);
    (hits.matched, hits.page.first().copied())
}
