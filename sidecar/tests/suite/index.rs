//! The index finds what the plain scan finds.

mod scan;

use contract::{
    model::{Day, Rating},
    query::{Filter, Sort, Words},
    text::{casefold, search_fold},
};
use proptest::{collection::vec, option, prelude::*, sample::select};
use sidecar::index::{IndexEntry, PageStart, Query, SearchIndex};

use scan::Scan;

/// What texts and needles are made of: few enough that they meet, odd enough to trip.
const ATOMS: [&str; 44] = [
    " ", " ", " ", " ", " ", " ", "  ", "a", "a", "b", "e", "t", "the", "The", "on", "time", "n",
    ".", "ß", "ẞ", "SS", "ﬁ", "fi", "İ", "ς", "Σ", "\u{301}", "é", "中", "文中", "👍", "🏽",
    "\u{a0}", "\n", "\t", "\u{212a}", "’", "'", "´", "“", "–", "-", "½", "한",
];

#[derive(Clone, Debug)]
struct Review {
    date: Day,
    rating: Rating,
    text: Option<String>,
    tags: Vec<u32>,
}

fn day() -> impl Strategy<Value = Day> {
    (1..=28_u8).prop_map(|day| format!("2026-02-{day:02}").parse().unwrap())
}

fn rating() -> impl Strategy<Value = Rating> {
    (1..=5_u8).prop_map(|stars| stars.try_into().unwrap())
}

fn text(atoms: usize) -> impl Strategy<Value = String> {
    vec(select(&ATOMS[..]), 0..atoms).prop_map(|atoms| atoms.concat())
}

prop_compose! {
    fn review()(
        date in day(),
        rating in rating(),
        text in option::weighted(0.9, text(16)),
        tags in vec(0..5_u32, 0..4),
    ) -> Review {
        Review { date, rating, text, tags }
    }
}

fn reviews() -> impl Strategy<Value = Vec<Review>> {
    // Some end within a word of bits, some after it.
    prop_oneof![3 => vec(review(), 0..24), 1 => vec(review(), 60..140)].prop_map(|mut reviews| {
        reviews.sort_by_key(|review| std::cmp::Reverse(review.date));
        reviews
    })
}

fn entries(reviews: &[Review]) -> impl Iterator<Item = IndexEntry<'_>> {
    reviews.iter().map(|review| IndexEntry {
        tags: &review.tags,
        ..IndexEntry::new(review.date, review.rating, review.text.as_deref())
    })
}

/// Where a needle comes from: a piece of a folded text, the seam of two, or chance.
#[derive(Clone, Debug)]
enum Source {
    Piece(prop::sample::Index, prop::sample::Index, usize),
    Seam(prop::sample::Index, prop::sample::Index, usize),
    Chance(String),
}

fn source() -> impl Strategy<Value = Source> {
    let at = any::<prop::sample::Index>;
    prop_oneof![
        6 => (at(), at(), 1..12_usize).prop_map(|(of, from, len)| Source::Piece(of, from, len)),
        2 => (at(), at(), 1..5_usize).prop_map(|(of, from, len)| Source::Seam(of, from, len)),
        2 => text(5).prop_map(Source::Chance),
    ]
}

fn exact(text: &str) -> String {
    casefold(text).into_owned()
}

impl Source {
    /// Folded as the texts it is looked for in.
    fn needle(&self, reviews: &[Review], fold: fn(&str) -> String) -> Option<String> {
        let folded: Vec<String> = reviews
            .iter()
            .filter_map(|review| Some(fold(review.text.as_deref()?)))
            .filter(|text| !text.is_empty())
            .collect();
        let needle = match self {
            Self::Chance(text) => fold(text),
            _ if folded.is_empty() => return None,
            Self::Piece(of, from, len) => {
                let text: Vec<char> = of.get(&folded).chars().collect();
                let from = from.index(text.len());
                text[from..text.len().min(from + len)].iter().collect()
            }
            Self::Seam(of, with, len) => {
                let end: Vec<char> = of.get(&folded).chars().rev().take(*len).collect();
                let start = with.get(&folded).chars().take(*len);
                end.into_iter().rev().chain([' ']).chain(start).collect()
            }
        };
        (!needle.is_empty()).then_some(needle)
    }
}

#[derive(Clone, Debug)]
struct Case {
    filter: Filter,
    needle: Option<Source>,
    all: Vec<Source>,
    none: Vec<Source>,
    tags: Vec<Vec<u32>>,
    sort: Sort,
    start: Option<PageStart>,
    limit: usize,
}

/// The last review of a page, published or withdrawn, whatever its stars are now.
fn start() -> impl Strategy<Value = PageStart> {
    (rating(), 0..30_usize, any::<bool>()).prop_map(|(rating, before, published)| PageStart {
        rating,
        before,
        after: before + usize::from(published),
    })
}

prop_compose! {
    fn case()(
        rating in option::weighted(0.1, rating()),
        min_rating in option::weighted(0.1, rating()),
        since in option::weighted(0.15, day()),
        until in option::weighted(0.15, day()),
        needle in option::weighted(0.5, source()),
        all in prop_oneof![Just(Vec::new()), vec(source(), 1..4)],
        none in prop_oneof![3 => Just(Vec::new()), 1 => vec(source(), 1..3)],
        // Number 6 is not a review's, and beyond the last.
        tags in prop_oneof![3 => Just(Vec::new()), 1 => vec(vec(0..7_u32, 0..3), 1..3)],
        sort in select(&[Sort::Newest, Sort::Oldest, Sort::Highest, Sort::Lowest][..]),
        start in option::weighted(0.3, start()),
        limit in 0..8_usize,
    ) -> Case {
        let filter = Filter { rating, min_rating, since, until, ..Filter::default() };
        Case { filter, needle, all, none, tags, sort, start, limit }
    }
}

fn config(cases: u32) -> ProptestConfig {
    ProptestConfig { cases, failure_persistence: None, ..ProptestConfig::default() }
}

proptest! {
    #![proptest_config(config(192))]

    #[test]
    fn the_index_finds_what_the_scan_finds(reviews in reviews(), cases in vec(case(), 24)) {
        let scan = Scan::new(entries(&reviews));
        let index = SearchIndex::build(entries(&reviews));
        for Case { mut filter, needle, all, none, tags, sort, start, limit } in cases {
            filter.needle = needle.and_then(|source| source.needle(&reviews, exact));
            let words = |sources: &[Source]| {
                sources.iter().filter_map(|source| source.needle(&reviews, search_fold)).collect()
            };
            filter.words = Words { all: words(&all), none: words(&none) };
            if limit.is_multiple_of(2) {
                std::mem::swap(&mut filter.words, &mut filter.whole);
            }
            let tags: Vec<&[u32]> = tags.iter().map(Vec::as_slice).collect();
            let every_other: Vec<u32> = (0..reviews.len() as u32).step_by(2).collect();
            let only = limit.is_multiple_of(3).then_some(&*every_other);
            let query = Query { filter: &filter, tags: &tags, only, sort, start, limit };
            prop_assert_eq!(index.find(&query), scan.find(&query), "{:?}", query);
        }
    }
}

#[test]
fn nothing_is_in_an_empty_index() {
    let index = SearchIndex::build(std::iter::empty());
    let words = Words { all: vec!["a b".to_owned()], none: vec!["c".to_owned()] };
    let filter = Filter { needle: Some("a b".to_owned()), words, ..Filter::default() };
    for filter in [filter, Filter::default()] {
        for sort in [Sort::Newest, Sort::Oldest, Sort::Highest, Sort::Lowest] {
            let (only, start) = (None, None);
            let query = Query { filter: &filter, tags: &[], only, sort, start, limit: 20 };
            let found = index.find(&query);
            assert_eq!((found.matched, found.page.len(), found.more), (0, 0, false));
        }
    }
}
