//! The index finds what the plain scan finds, however it is tuned.

mod scan;

use std::thread;

use contract::{
    model::{Day, Rating},
    query::Filter,
    text::casefold,
};
use proptest::{collection::vec, option, prelude::*, sample::select};
use sidecar::index::{Directory, IndexEntry, SearchIndex, Tuning};

use scan::Scan;

/// What texts and needles are made of: few enough that they meet, odd enough to trip.
const ATOMS: [&str; 36] = [
    " ", " ", " ", " ", " ", " ", "  ", "a", "a", "b", "e", "t", "the", "The", "on", "time", "n",
    ".", "ß", "ẞ", "SS", "ﬁ", "fi", "İ", "ς", "Σ", "\u{301}", "é", "中", "文中", "👍", "🏽",
    "\u{a0}", "\n", "\t", "\u{212a}",
];

const WORDS: [&str; 5] = ["marta quill", "marta", "owen", "drain-cleaning", "unknown"];

#[derive(Clone, Debug)]
struct Review {
    date: Day,
    rating: Rating,
    text: Option<String>,
    technicians: Vec<u32>,
    services: Vec<u32>,
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
        technicians in vec(0..3_u32, 0..3),
        services in vec(0..2_u32, 0..2),
    ) -> Review {
        Review { date, rating, text, technicians, services }
    }
}

fn reviews() -> impl Strategy<Value = Vec<Review>> {
    vec(review(), 0..24).prop_map(|mut reviews| {
        reviews.sort_by_key(|review| std::cmp::Reverse(review.date));
        reviews
    })
}

/// Two of one name, names that several answer to.
fn directory() -> Directory {
    let words = |words: &[&str]| words.iter().map(|&word| word.to_owned()).collect();
    Directory {
        technicians: vec![
            words(&["marta quill", "marta"]),
            words(&["marta"]),
            words(&["owen", "owen"]),
        ],
        services: vec![words(&["drain-cleaning", "marta"]), words(&[])],
    }
}

fn entries(reviews: &[Review]) -> impl Iterator<Item = IndexEntry<'_>> {
    reviews.iter().map(|review| IndexEntry {
        technicians: &review.technicians,
        services: &review.services,
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

impl Source {
    fn needle(&self, reviews: &[Review]) -> Option<String> {
        let folded: Vec<String> = reviews
            .iter()
            .filter_map(|review| Some(casefold(review.text.as_deref()?).into_owned()))
            .filter(|text| !text.is_empty())
            .collect();
        let needle = match self {
            Self::Chance(text) => casefold(text).into_owned(),
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

prop_compose! {
    fn query()(
        rating in option::weighted(0.1, rating()),
        min_rating in option::weighted(0.1, rating()),
        since in option::weighted(0.15, day()),
        until in option::weighted(0.15, day()),
        technician in option::weighted(0.15, select(&WORDS[..]).prop_map(str::to_owned)),
        service in option::weighted(0.1, select(&WORDS[..]).prop_map(str::to_owned)),
        source in option::weighted(0.9, source()),
        from in prop_oneof![4 => Just(0), 1 => 0..30_usize],
        limit in 0..8_usize,
    ) -> (Filter, Option<Source>, usize, usize) {
        let needle = None;
        (Filter { rating, min_rating, since, until, needle, technician, service }, source, from, limit)
    }
}

/// Every structure on its own and all together, at sizes where none would be used.
fn tunings() -> Vec<Tuning> {
    let words = Tuning {
        scan_below: 0,
        read_each: 0,
        budget: u64::MAX,
        budget_per_thousand: 0,
        place_bits: 20,
    };
    vec![
        Tuning::default(),
        Tuning { scan_below: usize::MAX, ..words.clone() },
        words.clone(),
        Tuning { budget: 0, ..words.clone() },
        Tuning { budget: 150, ..words.clone() },
        Tuning { place_bits: 3, ..words.clone() },
        Tuning { place_bits: 2, budget: 0, ..words.clone() },
        Tuning { read_each: 5, budget: 400, place_bits: 4, ..words },
    ]
}

fn config(cases: u32) -> ProptestConfig {
    ProptestConfig { cases, failure_persistence: None, ..ProptestConfig::default() }
}

proptest! {
    #![proptest_config(config(192))]

    #[test]
    fn the_index_finds_what_the_scan_finds(reviews in reviews(), queries in vec(query(), 24)) {
        let scan = Scan::new(directory(), entries(&reviews));
        let build = |tuning| SearchIndex::build_with(tuning, directory(), entries(&reviews)).unwrap();
        let indexes: Vec<_> = tunings().iter().map(build).collect();
        for (mut filter, source, from, limit) in queries {
            filter.needle = source.and_then(|source| source.needle(&reviews));
            let expected = scan.find(&filter, from, limit);
            for (index, tuning) in indexes.iter().zip(tunings()) {
                let found = index.find(&filter, from, limit);
                prop_assert_eq!(&found, &expected, "{:?} {} {} {:?}", filter, from, limit, tuning);
            }
        }
    }
}

#[test]
fn threads_search_at_once() {
    let texts: Vec<String> =
        (0..500).map(|n| format!("on time {n}, the drain {}", n % 7)).collect();
    let entries = texts.iter().map(|text| {
        IndexEntry::new("2026-02-01".parse().unwrap(), 5.try_into().unwrap(), Some(text))
    });
    let tuning = Tuning { scan_below: 0, budget: 500, budget_per_thousand: 0, ..Tuning::default() };
    let index = SearchIndex::build_with(&tuning, Directory::default(), entries).unwrap();
    let matched = |needle: &str| {
        let filter = Filter { needle: Some(needle.to_owned()), ..Filter::default() };
        index.find(&filter, 0, 1).matched
    };
    thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| {
                for _ in 0..200 {
                    assert_eq!((matched("e 4"), matched("drain 3"), matched(" ")), (111, 71, 500));
                }
            });
        }
    });
}

#[test]
fn nothing_is_in_an_empty_index() {
    for tuning in tunings() {
        let index = SearchIndex::build_with(&tuning, directory(), std::iter::empty()).unwrap();
        let filter = Filter { needle: Some("a b".to_owned()), ..Filter::default() };
        for filter in [filter, Filter::default()] {
            let found = index.find(&filter, 0, 20);
            assert_eq!((found.matched, found.page.len(), found.more), (0, 0, false));
        }
    }
}

#[test]
fn memory_is_told_structure_by_structure() {
    let index = SearchIndex::build(directory(), std::iter::empty()).unwrap();
    let names: Vec<_> = index.memory().into_iter().map(|(structure, _)| structure).collect();
    assert_eq!(names, ["dates, stars, technicians, services", "arena"]);
}
