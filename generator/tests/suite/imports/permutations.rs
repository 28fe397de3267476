//! Any order and any series of scrapes of the same reviews gives one record each.

use proptest::prelude::*;
use serde_json::Value;

use super::{Project, apify, google};

/// Reviews of the imagined business.
const REVIEWS: usize = 7;

/// One export: which reviews in which order, as whom, with texts or without, in how many pages.
#[derive(Clone, Debug)]
struct Scrape {
    reviews: Vec<usize>,
    owners: bool,
    texts: bool,
    pages: usize,
}

fn scrape() -> impl Strategy<Value = Scrape> {
    let order = Just((0..REVIEWS).collect::<Vec<_>>()).prop_shuffle();
    (order, 1..=REVIEWS, any::<bool>(), prop::bool::weighted(0.8), 1..3_usize).prop_map(
        |(mut reviews, count, owners, texts, pages)| {
            reviews.truncate(count);
            Scrape { reviews, owners, texts: texts || owners, pages }
        },
    )
}

impl Scrape {
    fn rows(&self) -> Vec<Value> {
        let row = |&n: &usize| {
            let mut row = if self.owners { google(n) } else { apify(n) };
            if !self.texts {
                row["text"] = Value::Null;
            }
            row
        };
        self.reviews.iter().map(row).collect()
    }

    fn import(&self, project: &Project) {
        let rows = self.rows();
        let size = rows.len().div_ceil(self.pages);
        let names: Vec<String> = rows
            .chunks(size)
            .enumerate()
            .map(|(page, rows)| {
                let name = format!("page{page}.json");
                if self.owners {
                    project.write_export(&name, rows);
                } else {
                    project.write(&name, Value::from(rows).to_string());
                }
                name
            })
            .collect();
        let arguments = ["import"].into_iter().chain(names.iter().map(String::as_str));
        project.candor(arguments).exits(0);
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn one_record_each(scrapes in prop::collection::vec(scrape(), 1..5)) {
        let project = Project::new();
        let mut ids: Vec<(Value, Value)> = Vec::new();
        for scrape in &scrapes {
            scrape.import(&project);
            let stored = project.stored();
            // What was stored keeps its id.
            for (author, id) in &ids {
                prop_assert!(stored.iter().any(|r| r["author"] == *author && r["id"] == *id));
            }
            ids = stored.iter().map(|r| (r["author"].clone(), r["id"].clone())).collect();
        }
        let mut seen: Vec<usize> = scrapes.iter().flat_map(|scrape| scrape.reviews.clone()).collect();
        seen.sort_unstable();
        seen.dedup();
        prop_assert_eq!(ids.len(), seen.len());
        // And the last one again changes nothing.
        let before = project.tree("content");
        scrapes.last().unwrap().import(&project);
        prop_assert_eq!(project.tree("content"), before);
    }

    #[test]
    fn the_order_of_rows_and_files_leaves_no_trace(order in Just((0..REVIEWS).collect::<Vec<_>>()).prop_shuffle(), split in 1..REVIEWS) {
        let sorted = Project::new();
        Scrape { reviews: (0..REVIEWS).collect(), owners: true, texts: true, pages: 1 }.import(&sorted);
        let shuffled = Project::new();
        let rows: Vec<Value> = order.iter().map(|&n| google(n)).collect();
        shuffled.write_export("b.json", &rows[..split]);
        shuffled.write_export("a.json", &rows[split..]);
        shuffled.candor(["import", "b.json", "a.json"]).exits(0);
        let without_stamps = |project: &Project| {
            let mut stored = project.stored();
            stored.iter_mut().for_each(|review| drop(review.as_object_mut().unwrap().remove("added")));
            stored
        };
        prop_assert_eq!(without_stamps(&shuffled), without_stamps(&sorted));
    }
}
