//! The JSON form of a page of reviews: the envelope, and the reviews as they were published.

use actix_web::web::{Bytes, BytesMut};
use contract::{
    api::{FacetCounts, Unresolved},
    query::Search,
};

use crate::data::{arena::ReviewArena, collection::Collection, index::Hits};

/// The separator of two reviews, as in `reviews.json`.
const BETWEEN: &[u8] = b",\n";

/// A page of reviews, not yet copied from the arena.
#[derive(Debug)]
pub(crate) struct ReviewPage<'a> {
    arena: &'a ReviewArena,
    numbers: &'a [u32],
    head: String,
    tail: String,
    /// The cursor of the next page.
    pub(crate) next: Option<String>,
}

impl<'a> ReviewPage<'a> {
    /// `{matched, returned, next_cursor, reviews}`, and `facets`, `ignored` and `unresolved` where there
    /// is any.
    pub(crate) fn new(
        collection: &'a Collection,
        search: &Search,
        hits: &'a Hits,
        unresolved: &[Unresolved],
    ) -> Self {
        let next = collection.next_cursor(search, hits);
        let (matched, returned) = (hits.matched, hits.page.len());
        let cursor = next.as_ref().map_or_else(|| "null".into(), |next| format!("\"{next}\""));
        let head = format!(
            "{{\"matched\":{matched},\"returned\":{returned},\"next_cursor\":{cursor},\"reviews\":[\n"
        );
        let tail = tail(collection.facets(search).as_ref(), &search.ignored, unresolved);
        Self { arena: &collection.arena, numbers: &hits.page, head, tail, next }
    }

    /// Returns bytes that determine the page, without reading a review.
    pub(crate) fn identity(&self) -> Vec<u8> {
        let mut identity = self.head.as_bytes().to_vec();
        for number in self.numbers {
            identity.extend(self.arena.digest(*number));
        }
        identity.extend(self.tail.as_bytes());
        identity
    }

    /// Returns the bytes, the only copy of the reviews.
    pub(crate) fn to_bytes(&self) -> Bytes {
        let reviews = || self.numbers.iter().map(|number| self.arena.review(*number));
        let length: usize = reviews().map(|review| review.len() + BETWEEN.len()).sum();
        let mut bytes = BytesMut::with_capacity(self.head.len() + length + self.tail.len());
        bytes.extend_from_slice(self.head.as_bytes());
        for (at, review) in reviews().enumerate() {
            if at > 0 {
                bytes.extend_from_slice(BETWEEN);
            }
            bytes.extend_from_slice(review);
        }
        bytes.extend_from_slice(self.tail.as_bytes());
        bytes.freeze()
    }
}

/// What follows the reviews, with what was counted, ignored and unresolved where there is any.
pub(super) fn tail(
    facets: Option<&FacetCounts>,
    ignored: &[String],
    unresolved: &[Unresolved],
) -> String {
    let mut tail = "]".to_owned();
    if let Some(facets) = facets {
        tail.push_str(&format!(",\"facets\":{}", serde_json::json!(facets)));
    }
    if !ignored.is_empty() {
        tail.push_str(&format!(",\"ignored\":{}", serde_json::json!(ignored)));
    }
    if !unresolved.is_empty() {
        tail.push_str(&format!(",\"unresolved\":{}", serde_json::json!(unresolved)));
    }
    tail.push_str("}\n");
    tail
}

#[cfg(test)]
mod tests {
    //! Paging by cursor while the list changes: every review that stays is on exactly one page.

    use std::collections::{BTreeMap, BTreeSet};

    use contract::query::{Search, Sort, pairs};
    use proptest::prelude::*;
    use serde_json::Value;

    use super::*;
    use crate::data::per_review::PerReview;

    /// A review's day of the month, stars, and whether its text has the needle.
    type ReviewKind = (u8, u8, bool);

    /// The change of the list between two pages.
    #[derive(Clone, Debug)]
    enum ListChange {
        Add(u32, ReviewKind),
        /// Another text or rating; the day and the id stay.
        Edit(u32, u8, bool),
        Withdraw(u32),
    }

    fn kind() -> impl Strategy<Value = ReviewKind> {
        (1..6_u8, 1..6_u8, any::<bool>())
    }

    fn change() -> impl Strategy<Value = ListChange> {
        prop_oneof![
            (0..80_u32, kind()).prop_map(|(n, kind)| ListChange::Add(n, kind)),
            (0..80_u32, 1..6_u8, any::<bool>())
                .prop_map(|(n, stars, has)| ListChange::Edit(n, stars, has)),
            (0..80_u32).prop_map(ListChange::Withdraw),
        ]
    }

    fn id(n: u32) -> String {
        format!("01JH00000000000000{n:08}")
    }

    fn collection(reviews: &BTreeMap<u32, ReviewKind>) -> Collection {
        let mut newest_first: Vec<_> = reviews.iter().map(|(n, kind)| (kind.0, *n, kind)).collect();
        newest_first.sort_unstable_by(|a, b| b.cmp(a));
        let lines: Vec<_> = newest_first
            .iter()
            .map(|(day, n, (_, stars, has))| {
                let text = if *has { "so clean" } else { "so dirty" };
                format!(
                    "{{\"id\":\"{}\",\"date\":\"2025-01-{day:02}\",\"rating\":{stars},\"text\":\"{text}\"}}",
                    id(*n)
                )
            })
            .collect();
        let json = format!("{{\"reviews\":[{}]}}", lines.join(",\n"));
        Collection::read(json.into(), &PerReview::default()).unwrap()
    }

    fn matching(reviews: &BTreeMap<u32, ReviewKind>) -> BTreeSet<u32> {
        let meets = |(_, stars, has): &ReviewKind| *stars >= 3 && *has;
        reviews.iter().filter(|(_, kind)| meets(kind)).map(|(n, _)| *n).collect()
    }

    /// Returns the number by which an order sorts before day and id, the highest first.
    fn rank(sort: Sort, stars: u64) -> u64 {
        match sort {
            Sort::Newest | Sort::Oldest => 0,
            Sort::Highest => stars,
            Sort::Lowest => 5 - stars,
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 256, failure_persistence: None, ..ProptestConfig::default() })]

        #[test]
        fn whatever_is_added_changed_or_withdrawn_the_rest_is_seen_once(
            first in prop::collection::btree_map(0..80_u32, kind(), 0..60),
            changes in prop::collection::vec(prop::collection::vec(change(), 0..6), 0..30),
            limit in 1..8_usize,
            sort in 0..4_usize,
        ) {
            let name = Sort::NAMES[sort];
            let sort = Sort::named(name).unwrap();
            let mut reviews = first.clone();
            let mut seen = Vec::new();
            let mut throughout = matching(&reviews);
            let mut changes = changes.into_iter();
            let mut cursor = String::new();
            loop {
                let collection = collection(&reviews);
                let query =
                    format!("q=Clean&min_rating=2.5&sort={name}&limit={limit}&cursor={cursor}");
                let search = Search::parse(pairs(&query)).unwrap();
                let hits = collection.find(&search);
                prop_assert_eq!(hits.matched, matching(&reviews).len());
                let page = ReviewPage::new(&collection, &search, &hits, &[]);
                let response: Value = serde_json::from_slice(&page.to_bytes()).unwrap();
                let found = response["reviews"].as_array().unwrap();
                prop_assert_eq!(response["returned"].as_u64(), Some(found.len() as u64));
                prop_assert!(found.len() <= limit);
                seen.extend(found.iter().map(|review| {
                    let key = |name: &str| review[name].as_str().unwrap().to_owned();
                    (rank(sort, review["rating"].as_u64().unwrap()), key("date"), key("id"))
                }));
                prop_assert_eq!(response["next_cursor"].as_str(), page.next.as_deref());
                let Some(next) = page.next else { break };
                cursor = next;
                for change in changes.next().unwrap_or_default() {
                    apply(change, &first, &mut reviews);
                }
                let stays = |n: &u32| {
                    let stars = |kind: &ReviewKind| rank(sort, kind.1.into());
                    matching(&reviews).contains(n) && stars(&reviews[n]) == stars(&first[n])
                };
                throughout.retain(stays);
            }
            if sort == Sort::Oldest {
                seen.reverse();
            }
            let falling = seen.windows(2).all(|two| two[0] > two[1]);
            prop_assert!(falling, "repeated or out of order: {:?}", seen);
            let seen: BTreeSet<String> = seen.into_iter().map(|(_, _, id)| id).collect();
            for n in throughout {
                prop_assert!(seen.contains(&id(n)), "{} was skipped", n);
            }
        }
    }

    /// Applies a change. A withdrawn id that returns has its former day.
    fn apply(
        change: ListChange,
        first: &BTreeMap<u32, ReviewKind>,
        reviews: &mut BTreeMap<u32, ReviewKind>,
    ) {
        match change {
            ListChange::Add(n, kind) if !first.contains_key(&n) => {
                reviews.entry(n).or_insert(kind);
            }
            ListChange::Add(..) => {}
            ListChange::Edit(n, stars, has) => {
                if let Some(kind) = reviews.get_mut(&n) {
                    *kind = (kind.0, stars, has);
                }
            }
            ListChange::Withdraw(n) => drop(reviews.remove(&n)),
        }
    }
}
