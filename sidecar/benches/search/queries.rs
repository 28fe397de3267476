//! What is asked: every kind of needle, with and without filters.

use contract::{
    model::Rating,
    query::{Filter, Given, Search},
    text::casefold,
};

use crate::corpus::{Corpus, TECHNICIANS};

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

/// What is asked as `q`.
pub(crate) const TYPED: [&str; 8] = [
    "clean",
    "the",
    "clean heater",
    "grosse",
    "\"on time\" -late",
    "\"was on\"",
    "the and to",
    "-the",
];

/// Needles that are also asked with filters.
const FILTERED: [&str; 5] = ["e", "the", "clean", "on time", "xylophone-quartz"];

pub(crate) struct Question {
    pub(crate) needle: &'static str,
    pub(crate) filter_name: &'static str,
    pub(crate) filter: Filter,
    pub(crate) tags: &'static [&'static [u32]],
}

pub(crate) fn all(corpus: &Corpus) -> Vec<Question> {
    let mut queries: Vec<_> =
        NEEDLES.into_iter().map(|needle| query(needle, "", Filter::default(), &[])).collect();
    for (name, filter, tags) in filters(corpus) {
        let needles = FILTERED.into_iter().chain([""]);
        queries.extend(needles.map(|needle| query(needle, name, filter.clone(), tags)));
    }
    for typed in TYPED {
        let parsed = Search::parse([("q".into(), Given::Text(typed.into()))]);
        let filter = parsed.map(|search| search.filter).unwrap_or_default();
        queries.push(Question { needle: "", filter_name: typed, filter, tags: &[] });
    }
    queries
}

fn query(
    needle: &'static str,
    filter_name: &'static str,
    filter: Filter,
    tags: &'static [&'static [u32]],
) -> Question {
    let folded = (!needle.is_empty()).then(|| casefold(needle).into_owned());
    Question { needle, filter_name, filter: Filter { needle: folded, ..filter }, tags }
}

type Conditions = (&'static str, Filter, &'static [&'static [u32]]);

fn filters(corpus: &Corpus) -> [Conditions; 4] {
    let [recent, older] = corpus.days();
    let stars = |stars: u8| Rating::try_from(stars).ok();
    let range =
        Filter { rating: stars(1), since: Some(older), until: Some(recent), ..Filter::default() };
    [
        ("min_rating 4", Filter { min_rating: stars(4), ..Filter::default() }, &[]),
        ("since (40 %)", Filter { since: Some(recent), ..Filter::default() }, &[]),
        ("technician + service", Filter::default(), &[&[3], &[TECHNICIANS + 7]]),
        ("rating 1 + range (30 %)", range, &[]),
    ]
}
