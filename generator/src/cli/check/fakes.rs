//! Signs that reviews may be fakes, for the owner alone: nothing of it is published, and none is proof. Each sign says
//! how unusual it is among the reviews of the site.

mod alike;

use std::{
    collections::{BTreeMap, BTreeSet, HashMap},
    path::Path,
};

use content::{dataset::Dataset, is_distinctive};
use contract::{
    model::{Day, Mentions, Review},
    problem::{Place, Problem, Severity},
    text::fold,
};

/// The length of a burst in days.
const SPAN: i32 = 2;
/// The days before and after a burst whose reviews are the usual number.
const AROUND: i32 = 60;
/// The minimum number of reviews of a burst.
const MIN_BURST: usize = 4;
/// The maximum number of bursts of this size that a site of this age has by chance.
const BY_CHANCE: f64 = 0.01;
/// The days within which a second review of an author is unusual.
const SOON: i32 = 7;
/// The number of reviews from which an author's name is that of many people, such as "Google User".
const NAME_OF_MANY: usize = 4;
/// The minimum number of texts of a language from which its usual words are known.
const MIN_TEXTS: usize = 100;
/// The minimum number of letters of a word that says what a text is about.
const LONG_WORD: usize = 4;
/// The minimum number of words of a text about something else that no other review has.
const FOREIGN: usize = 4;
/// The same for a text that names a business.
const FOREIGN_BESIDE_NAME: usize = 2;
/// Standard deviations above the average share of such words.
const DEVIATIONS: f64 = 3.0;

/// A review, with the folded words of its text.
struct Text<'d> {
    review: &'d Review,
    words: Vec<String>,
}

impl Text<'_> {
    /// Whether it names nothing that the owner listed.
    fn is_vague(&self) -> bool {
        self.review.mentions == Mentions::default()
    }
}

/// A sign that reviews may be fakes.
struct Sign<'d> {
    what: String,
    reviews: Vec<&'d Review>,
    /// The number of reviews at the beginning that may be the originals of the others.
    originals: usize,
    /// The measure of how unusual it is on this site.
    unusual: String,
    reason: &'static str,
}

pub(super) fn problems(data: &Dataset, content: &Path) -> Vec<Problem> {
    let texts: Vec<Text<'_>> = data.reviews.iter().map(text).collect();
    let mut signs = alike::signs(&texts);
    signs.extend(bursts(&texts));
    signs.extend(twice(&data.reviews));
    signs.extend(about_something_else(&texts, &data.business.name));
    let place = Place::file(content.join("reviews").display().to_string());
    let problem = |Sign { what, reviews, originals, unusual, reason }| {
        let named = |it: &&Review| format!("{} ({}, {})", it.id, it.author, it.known_date());
        let hide = |it: &&Review| format!("candor hide {} --reason {reason}", it.id);
        let named: Vec<String> = reviews.iter().map(named).collect();
        let commands: Vec<String> = reviews[originals..].iter().map(hide).collect();
        Problem {
            severity: Severity::Warning,
            code: "possible-fake",
            place: place.clone(),
            message: format!("{what}: {}; {unusual}", named.join(", ")),
            help: format!("read it, and if you have evidence: {}", commands.join(" && ")),
        }
    };
    signs.into_iter().map(problem).collect()
}

fn text(review: &Review) -> Text<'_> {
    let text = fold(review.text.as_deref().unwrap_or_default());
    let words = text.split(|c: char| !c.is_alphanumeric() && !"'’".contains(c));
    Text { review, words: words.filter(|word| !word.is_empty()).map(str::to_owned).collect() }
}

fn days(from: Day, to: Day) -> i32 {
    (to.date() - from.date()).get_days()
}

/// Days with many reviews of the same stars that name nothing of the business.
fn bursts<'d>(texts: &[Text<'d>]) -> Vec<Sign<'d>> {
    let Some((first, last)) = texts.last().zip(texts.first()) else { return Vec::new() };
    let day_of = |text: &Text<'_>| days(first.review.date, text.review.date);
    let age = day_of(last) + 1;
    let mut signs = Vec::new();
    for (stars, words) in [(1, "one star"), (5, "five stars")] {
        let vague = texts.iter().rev().filter(|text| {
            let is_known = text.review.known_day().is_some() && text.review.text.is_some();
            text.review.rating.stars() == stars && is_known && text.is_vague()
        });
        let vague: Vec<(i32, &Text<'d>)> = vague.map(|text| (day_of(text), text)).collect();
        let before = |day: i32| vague.partition_point(|(other, _)| *other < day);
        let window = |at: usize| {
            let day = vague[at].0;
            let count = before(day + SPAN) - at;
            let around = before(day + SPAN + AROUND) - before(day - AROUND) - count;
            let usual = |count: usize, days: i32| count as f64 * f64::from(SPAN) / f64::from(days);
            let usual = usual(around, 2 * AROUND).max(usual(vague.len() - count, age));
            let chance = tail(count, usual) * f64::from(age);
            (count >= MIN_BURST && chance <= BY_CHANCE).then_some((chance, at..at + count, usual))
        };
        let mut windows: Vec<_> = (0..vague.len()).filter_map(window).collect();
        // The least probable first: a review of the day before must not take the place of one within.
        windows.sort_by(|a, b| a.0.total_cmp(&b.0));
        let mut taken = vec![false; vague.len()];
        for (_, of, usual) in windows {
            if taken[of.clone()].contains(&true) {
                continue;
            }
            taken[of.clone()].fill(true);
            let count = of.len();
            signs.push(Sign {
                what: format!(
                    "{count} reviews of {words} within {SPAN} days name nothing that is listed"
                ),
                unusual: format!("usual here are {usual:.1}"),
                reviews: vague[of].iter().map(|(_, text)| text.review).collect(),
                originals: 0,
                reason: "fake_suspected",
            });
        }
    }
    signs
}

/// The probability of so many events or more, of which `usual` are expected (Poisson).
fn tail(count: usize, usual: f64) -> f64 {
    let fewer = (0..count).scan((-usual).exp(), |term, at| {
        let now = *term;
        *term *= usual / (at + 1) as f64;
        Some(now)
    });
    (1.0 - fewer.sum::<f64>()).max(0.0)
}

/// Reviews of one author within a few days.
fn twice(reviews: &[Review]) -> Vec<Sign<'_>> {
    let mut by_author: BTreeMap<String, Vec<&Review>> = BTreeMap::new();
    for review in reviews.iter().rev().filter(|it| it.known_day().is_some()) {
        // A first name alone or with an initial is that of several people.
        let last = review.author.split_whitespace().skip(1).last().unwrap_or_default();
        if last.chars().filter(|c| c.is_alphabetic()).count() > 1 {
            by_author.entry(fold(&review.author)).or_default().push(review);
        }
    }
    let of_one = by_author.values().filter(|of| of.len() < NAME_OF_MANY);
    let pairs = of_one.flat_map(|of| of.windows(2));
    let soon: Vec<_> = pairs.filter(|it| days(it[0].date, it[1].date) <= SOON).collect();
    let (count, all) = (soon.len(), by_author.len());
    let sign = |pair: &[_]| Sign {
        what: format!("one author wrote twice within {SOON} days"),
        reviews: pair.to_vec(),
        originals: 1,
        unusual: format!("so did {count} of {all} authors here"),
        reason: "duplicate",
    };
    soon.into_iter().map(sign).collect()
}

/// Reviews that name another business, and praise that fits no service: most of its words are in no other review.
fn about_something_else<'d>(texts: &[Text<'d>], business: &str) -> Vec<Sign<'d>> {
    let mut by_language: BTreeMap<Option<&str>, Vec<(&Text<'d>, Vec<&str>)>> = BTreeMap::new();
    for text in texts.iter().filter(|it| it.review.text.as_deref().is_some_and(is_distinctive)) {
        let longer = text.words.iter().filter(|word| word.chars().count() >= LONG_WORD);
        let longer = (text, longer.map(String::as_str).collect());
        by_language.entry(text.review.language.as_deref()).or_default().push(longer);
    }
    let mut signs = Vec::new();
    for texts in by_language.into_values().filter(|texts| texts.len() >= MIN_TEXTS) {
        let mut uses: HashMap<&str, usize> = HashMap::new();
        for (_, words) in &texts {
            let words: BTreeSet<&str> = words.iter().copied().collect();
            words.into_iter().for_each(|word| *uses.entry(word).or_default() += 1);
        }
        let foreign = |words: &[&str]| words.iter().filter(|word| uses[*word] == 1).count();
        let share = |words: &[&str]| foreign(words) as f64 / words.len().max(1) as f64;
        let shares: Vec<f64> = texts.iter().map(|(_, words)| share(words)).collect();
        let average = shares.iter().sum::<f64>() / shares.len() as f64;
        let squares = shares.iter().map(|share| (share - average).powi(2)).sum::<f64>();
        let limit = average + DEVIATIONS * (squares / shares.len() as f64).sqrt();
        for (text, words) in texts.iter().filter(|(_, words)| share(words) > limit) {
            let name = name_in(text.review.text.as_deref().unwrap_or_default(), business);
            let (foreign, all) = (foreign(words), words.len());
            let least = if name.is_some() { FOREIGN_BESIDE_NAME } else { FOREIGN };
            let is_praise = text.review.rating.stars() >= 4;
            // Criticism has words of its own. That of another business names it.
            if foreign >= least && (is_praise || name.is_some()) && text.is_vague() {
                let kind = if is_praise { "praise" } else { "criticism" };
                let name = name.map_or(String::new(), |name| format!(" and names {name:?}"));
                let average = average * 100.0;
                signs.push(Sign {
                    what: format!("{kind} fits no service{name}"),
                    reviews: vec![text.review],
                    originals: 0,
                    unusual: format!("{foreign} of its {all} longer words are in no other review, and {average:.0} % in an average one"),
                    reason: "fake_suspected",
                });
            }
        }
    }
    signs
}

/// Returns the first words in a row with capital letters that are not the own business, unless most words have them.
fn name_in(text: &str, business: &str) -> Option<String> {
    let is_capital = |word: &str| word.starts_with(char::is_uppercase) && word.len() > 1;
    let words: Vec<&str> = text.split_whitespace().collect();
    if words.iter().filter(|word| is_capital(word)).count() * 2 > words.len() {
        return None;
    }
    text.split(['.', ',', '!', '?', ':', ';', '\n']).find_map(|clause| {
        let words: Vec<&str> = clause.split_whitespace().collect();
        let names = words.split(|word| !is_capital(word)).filter(|run| run.len() > 1);
        names.map(|run| run.join(" ")).find(|name| !business.contains(name.as_str()))
    })
}
