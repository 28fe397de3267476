//! A site of 1,000 reviews, 30 of them fakes, made from a seed. It was written before the detector. The other reviews
//! have what makes it hard: usual short texts, returning customers, namesakes, a storm after which many write, and
//! other companies that real customers compare with.

mod words;

use std::collections::BTreeSet;

use super::super::review::{Review, id, review};
use words::*;

/// Reviews of the site.
pub(crate) const REVIEWS: usize = 1_000;
/// Fakes among them.
pub(crate) const FAKES: usize = 30;
/// Days over which they are spread, from 2024-01-01 on.
const DAYS: u64 = 900;

/// Numbers that look random (splitmix64).
pub(crate) struct Random(pub(crate) u64);

impl Random {
    fn below(&mut self, end: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (z ^ (z >> 31)) % end
    }

    fn one<'a>(&mut self, of: &[&'a str]) -> &'a str {
        of[self.below(of.len() as u64) as usize]
    }

    fn chance(&mut self, percent: u64) -> bool {
        self.below(100) < percent
    }
}

/// A review before it has its place in the order of days.
struct Draft {
    author: String,
    day: u64,
    rating: u64,
    text: Option<String>,
    source: &'static str,
    is_fake: bool,
}

/// Fills the slots of a sentence.
fn said(random: &mut Random, sentence: &str) -> String {
    let mut text = String::new();
    let mut rest = sentence;
    while let Some((before, after)) = rest.split_once('{') {
        let (slot, after) = after.split_once('}').unwrap();
        text += before;
        text += &match slot {
            "time" => random.one(&TIMES).to_owned(),
            "problem" => random.one(&PROBLEMS).to_owned(),
            "problem_" => {
                let problem = random.one(&PROBLEMS);
                problem[..1].to_uppercase() + &problem[1..]
            }
            "event" => random.one(&EVENTS).to_owned(),
            "person" => random.one(&PEOPLE).to_owned(),
            "room" => random.one(&ROOMS).to_owned(),
            "rival" => random.one(&RIVALS).to_owned(),
            "part" => random.one(&PARTS).to_owned(),
            "span" => random.one(&SPANS).to_owned(),
            "cover" => random.one(&COVERS).to_owned(),
            _ => random.one(&MONEY).to_owned(),
        };
        rest = after;
    }
    text + rest
}

fn author(random: &mut Random) -> String {
    let (first, last, end) = (random.one(&FIRST), random.one(&LAST), random.one(&LAST_END));
    match random.below(5) {
        0 => format!("{first} {}.", &last[..1]),
        _ => format!("{first} {last}{end}"),
    }
}

fn rating(random: &mut Random) -> u64 {
    match random.below(100) {
        0..74 => 5,
        74..87 => 4,
        87..92 => 3,
        92..95 => 2,
        _ => 1,
    }
}

/// The text of a customer: sentences in their own order, a usual one, or none.
fn own_text(random: &mut Random) -> Option<String> {
    match random.below(100) {
        0..9 => return None,
        9..27 => return Some(random.one(&USUAL).to_owned()),
        _ => {}
    }
    let mut parts: Vec<&str> = vec![random.one(&OPENINGS)];
    if random.chance(85) {
        parts.push(random.one(&WORK));
    }
    if random.chance(40) {
        parts.push(random.one(&WORK));
    }
    if random.chance(45) {
        parts.push(random.one(&PRICES));
    }
    if random.chance(50) {
        parts.push(random.one(&CLOSINGS));
    }
    if random.chance(15) {
        parts.push(random.one(&USUAL));
    }
    let sentences: Vec<String> = parts.into_iter().map(|part| said(random, part)).collect();
    Some(sentences.join(" "))
}

fn real(random: &mut Random) -> Draft {
    let source = match random.below(10) {
        0..7 => "google",
        _ => "yelp",
    };
    Draft {
        author: author(random),
        day: random.below(DAYS),
        rating: rating(random),
        text: own_text(random),
        source,
        is_fake: false,
    }
}

fn fake(random: &mut Random, day: u64, text: impl Into<String>) -> Draft {
    let text = Some(text.into());
    Draft { author: author(random), day, rating: 5, text, source: "google", is_fake: true }
}

fn fakes(random: &mut Random, real: &[Draft]) -> Vec<Draft> {
    let mut all = Vec::new();
    // Two texts that were bought, four times each; two copies of long texts of real customers.
    for bought in BOUGHT {
        for _ in 0..4 {
            let text = bought
                .replace("{adjective}", random.one(&ADJECTIVES))
                .replace("{noun}", random.one(&NOUNS))
                .replace("{quality}", random.one(&QUALITIES));
            let day = random.below(DAYS);
            all.push(fake(random, day, text));
        }
    }
    let long: Vec<&Draft> = real
        .iter()
        .filter(|it| it.day + 40 < DAYS && it.text.as_ref().is_some_and(|text| text.len() > 120))
        .collect();
    for _ in 0..2 {
        let copied = long[random.below(long.len() as u64) as usize];
        let day = copied.day + 1 + random.below(30);
        all.push(fake(random, day, copied.text.clone().unwrap()));
    }
    // A burst: eight in two days.
    let day = 50 + random.below(DAYS - 100);
    let mut cheers = CHEERS.to_vec();
    for at in 0..8 {
        let cheer = cheers.remove(random.below(cheers.len() as u64) as usize);
        all.push(fake(random, day + u64::from(at > 4), cheer));
    }
    // Two authors who write twice within a few days, the second time under a name in small letters.
    for _ in 0..2 {
        let day = random.below(DAYS - 10);
        let first = own_text(random).unwrap_or_else(|| "Very good, all went well here.".to_owned());
        let mut first = fake(random, day, first);
        first.author =
            format!("{} {}{}", random.one(&FIRST), random.one(&LAST), random.one(&LAST_END));
        let text = own_text(random).unwrap_or_else(|| "I must add that they are great.".to_owned());
        let later = day + 1 + random.below(5);
        let mut second = fake(random, later, text);
        second.author = first.author.to_lowercase();
        all.extend([first, second]);
    }
    let mut named = NAMED.to_vec();
    let mut misfits = MISFITS.to_vec();
    for _ in 0..4 {
        let text = named.remove(random.below(named.len() as u64) as usize);
        let day = random.below(DAYS);
        all.push(fake(random, day, text));
        let text = misfits.remove(random.below(misfits.len() as u64) as usize);
        let day = random.below(DAYS);
        all.push(fake(random, day, text));
    }
    all
}

/// The reviews, oldest first, and the ids of the fakes.
pub(crate) fn planted(seed: u64) -> (Vec<Review>, BTreeSet<String>) {
    let random = &mut Random(seed);
    let mut all: Vec<Draft> = (0..REVIEWS - FAKES).map(|_| real(random)).collect();
    // Customers who come back after months have the same name.
    for at in 0..20 {
        let (author, day) = (all[at].author.clone(), all[at].day);
        all[at + 20].author = author;
        all[at + 20].day = (day + 120 + random.below(300)) % DAYS;
    }
    // After a storm many write on the same two days, with any stars.
    let storm = random.below(DAYS - 2);
    for draft in &mut all[40..46] {
        draft.day = storm + random.below(2);
    }
    let mut fakes = fakes(random, &all);
    assert_eq!(fakes.len(), FAKES);
    all.append(&mut fakes);
    all.sort_by_key(|draft| draft.day);
    let start: jiff::civil::Date = "2024-01-01".parse().unwrap();
    let mut planted = BTreeSet::new();
    let reviews = all.into_iter().enumerate().map(|(n, draft)| {
        if draft.is_fake {
            planted.insert(id(n));
        }
        let day = start.checked_add(jiff::Span::new().days(draft.day as i64)).unwrap();
        review(n)
            .with("author", draft.author)
            .with("date", day.to_string())
            .with("rating", draft.rating)
            .with("text", draft.text)
            .with("source", draft.source)
            .with("updated", format!("{day}T09:00:00Z"))
    });
    (reviews.collect(), planted)
}
