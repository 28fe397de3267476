//! What is asked: every kind of needle, with and without filters.

use contract::{model::Rating, query::Filter, text::casefold};

use crate::corpus::Corpus;

/// Every kind of needle that some structure could be weak at.
const NEEDLES: [&str; 36] = [
    "e",
    "q",
    "👍",
    "he",
    "th",
    "zo",
    "the",
    "ing",
    "clean",
    "größe",
    "strasse",
    "Straße",
    "xylophone-quartz",
    "热",
    "一",
    "热水器",
    "no review says this",
    "on time",
    "drain cleaning",
    "water heater replacement",
    "and the",
    "was on",
    "e the",
    "n t",
    "e s",
    "the s",
    " the",
    " clean",
    "the ",
    "clean ",
    " the ",
    "n the s",
    "and the service",
    "e on the w",
    " ",
    "  ",
];

/// Needles that are also asked with filters.
const FILTERED: [&str; 5] = ["e", "the", "clean", "on time", "xylophone-quartz"];

pub(crate) struct Query {
    pub(crate) needle: &'static str,
    pub(crate) filter_name: &'static str,
    pub(crate) filter: Filter,
}

pub(crate) fn all(corpus: &Corpus) -> Vec<Query> {
    let mut queries: Vec<_> =
        NEEDLES.into_iter().map(|needle| query(needle, "", Filter::default())).collect();
    for (name, filter) in filters(corpus) {
        let needles = FILTERED.into_iter().chain([""]);
        queries.extend(needles.map(|needle| query(needle, name, filter.clone())));
    }
    queries
}

fn query(needle: &'static str, filter_name: &'static str, filter: Filter) -> Query {
    let folded = (!needle.is_empty()).then(|| casefold(needle).into_owned());
    Query { needle, filter_name, filter: Filter { needle: folded, ..filter } }
}

fn filters(corpus: &Corpus) -> [(&'static str, Filter); 4] {
    let [recent, older] = corpus.days();
    let stars = |stars: u8| Rating::try_from(stars).ok();
    [
        ("min_rating 4", Filter { min_rating: stars(4), ..Filter::default() }),
        ("since (40 %)", Filter { since: Some(recent), ..Filter::default() }),
        (
            "technician + service",
            Filter {
                technician: Some("technician-3".to_owned()),
                service: Some("service-7".to_owned()),
                ..Filter::default()
            },
        ),
        (
            "rating 1 + range (30 %)",
            Filter {
                rating: stars(1),
                since: Some(older),
                until: Some(recent),
                ..Filter::default()
            },
        ),
    ]
}
