//! Trains the detector of aspects on invented reviews, and corrects it with labelled sentences of
//! real ones.

mod table;

use std::collections::{BTreeMap, BTreeSet, HashMap};

use insights::{
    Language, Sentiment,
    training::{COLUMNS, Feature, SentenceReader, Span, aspects, sentences},
};

use crate::{
    corrections::Corrections,
    portable,
    regression::{Problem, Rows, fit, fit_from},
    scores::{Gold, Judged},
};

/// The inverse strength of the penalty (liblinear's C), for aspects and for praise.
const PENALTY: [f64; 2] = [0.2, 0.5];
/// The number added to the counts whose ratio weights the features of an aspect.
const SMOOTHING: f64 = 0.5;
/// The minimum number of sentences with a feature.
const MIN_SENTENCES: u32 = 2;
/// The maximum number of features before corrections of the detector and of the second opinion: those with the
/// largest weights, the frequent ones first. The list `thresholds` of a language may have others: `features` and
/// `features_of_second`.
const KEPT: [(&str, usize); 2] = [("features", 30_000), ("features_of_second", 20_000)];
/// The inverse strength of the penalty for corrections, by the origin of a sentence. The invented sentences keep the
/// corrections from changing what the model learned from them. The rewritten ones are all of one to three stars; with
/// the penalty of real ones, praise would be missed more often.
const OF_INVENTED: f64 = 0.1;
const OF_REAL: f64 = 1.0;
const OF_REWRITTEN: f64 = 0.15;
/// The minimum number of real reviews and rewritten sentences that have a feature, in so many files, for it to be
/// corrected. No correction then shows the words of a single customer or business.
const MIN_REAL_REVIEWS: usize = 8;
const MIN_REAL_FILES: usize = 2;
/// The number of bytes of a quote from which a sentence counts as being about the aspect.
const OVERLAP: usize = 4;

/// An opinion of a review about an aspect.
struct Said<'a> {
    aspect: &'a str,
    sentiment: Sentiment,
    /// The position of the quote in the text.
    span: Span,
    /// Whether a careful reader may disagree.
    optional: bool,
}

/// The number of occurrences of each feature in a sentence.
type Row = BTreeMap<Feature, u32>;

/// Sentences as rows, with their labels.
#[derive(Default)]
struct Examples {
    rows: Vec<Row>,
    /// The number of the review of each row.
    reviews: Vec<usize>,
    /// Whether the sentence is about the aspect, by row and aspect. `None` if a careful reader may disagree.
    spoken: Vec<Vec<Option<bool>>>,
    /// Whether the sentence blames the business for the aspect, by row and aspect.
    blamed: Vec<Vec<Option<bool>>>,
    /// Sentences and quotes that praise or blame: features, stars above three, praise.
    praise: Vec<(Row, i32, bool)>,
}

impl Examples {
    /// Returns the examples that the second opinion learns from.
    fn of_blame(self) -> Self {
        Self { rows: self.rows, spoken: self.blamed, ..Self::default() }
    }

    /// Returns the examples that a column of the table learns from: features, stars above three, the answer.
    fn of(&self, column: usize) -> Vec<(&Row, i32, bool)> {
        if column == PRAISE {
            return self.praise.iter().map(|(row, stars, praise)| (row, *stars, *praise)).collect();
        }
        let rows = self.rows.iter().zip(&self.spoken);
        rows.filter_map(|(row, spoken)| Some((row, 0, spoken[column]?))).collect()
    }
}

/// The number of the column of praise: the last.
const PRAISE: usize = COLUMNS - 1;

/// The score from which a sentence is about an aspect, in logits. A sentence is about one or two of ten aspects, so the
/// most likely decision for each aspect alone would too often be "no". Chosen on real reviews, and so that short clauses
/// ("friendly but late") are found.
#[must_use]
pub fn spoken(language: &Language) -> f64 {
    language.threshold("spoken") as f64 / 1_000.0
}

/// Trains on judged reviews, adds the corrections, and returns the tables of the detector and of the second
/// opinion.
#[must_use]
pub fn train(
    language: &'static Language,
    reviews: &[&Judged],
    corrections: &Corrections,
) -> [String; 2] {
    let texts = reviews.iter().map(|review| review.text.as_str());
    let mut reader = SentenceReader::new(language, texts);
    let examples = collect(language, reviews, &mut reader);
    let least = spoken(language);
    let [kept, of_second] = kept(language);
    let detector = table::write(&Trained::on(&examples, kept), corrections, &reader, least);
    let second = Trained::on(&examples.of_blame(), of_second);
    [detector, table::write(&second, &Corrections::default(), &reader, least)]
}

/// The maximum numbers of features in the tables of a language.
fn kept(language: &Language) -> [usize; 2] {
    let of = |(name, usual)| language.own_number(name).map_or(usual, |number| number as usize);
    KEPT.map(of)
}

/// Learns the corrections from files of real reviews that are labelled sentence by sentence: each
/// sentence that is about an aspect has a label.
#[must_use]
pub fn correct(
    language: &'static Language,
    reviews: &[&Judged],
    files: &[Vec<Judged>],
) -> Corrections {
    let real = files.iter().flatten();
    let texts: Vec<&str> = real.map(|review| review.text.as_str()).collect();
    let invented = reviews.iter().map(|review| review.text.as_str());
    let mut reader = SentenceReader::new(language, invented.chain(texts.iter().copied()));
    let invented = collect(language, reviews, &mut reader);
    let trained = Trained::on(&invented, kept(language)[0]);
    let mut parts = Vec::new();
    for (number, file) in files.iter().enumerate() {
        let (rewritten, real): (Vec<&Judged>, Vec<&Judged>) =
            file.iter().partition(|review| review.rewritten);
        for (reviews, penalty) in [(real, OF_REAL), (rewritten, OF_REWRITTEN)] {
            parts.push(Part {
                file: number,
                penalty,
                examples: collect(language, &reviews, &mut reader),
            });
        }
    }
    let (common, names) = (common(&parts), names(language, &texts));
    let is_name = |key: u64| reader.name(key).split([':', ' ']).any(|word| names.contains(word));
    let keys: Vec<u64> = common.into_iter().filter(|key| !is_name(*key)).collect();
    let numbers: HashMap<u64, u32> = keys.iter().copied().zip(0..).collect();
    let mut corrections = Corrections::default();
    for column in 0..COLUMNS {
        let (mut rows, mut positive) = (Rows::default(), Vec::new());
        let (mut margins, mut costs) = (Vec::new(), Vec::new());
        let parts = parts.iter().map(|part| (&part.examples, part.penalty));
        for (examples, cost) in std::iter::once((&invented, OF_INVENTED)).chain(parts) {
            for (row, stars, answer) in examples.of(column) {
                rows.push(numbered(row, &numbers));
                margins.push(trained.margin(column, row, stars));
                positive.push(answer);
                costs.push(cost);
            }
        }
        let problem = Problem { rows: &rows, positive: &positive, costs: &costs };
        let weights = fit_from(&problem, margins, keys.len() + 1);
        for (key, weight) in keys.iter().zip(&weights) {
            corrections.set(&reader.name(*key), column, *weight);
        }
        corrections.set(Corrections::INTERCEPTS, column, weights[keys.len()]);
    }
    corrections
}

/// The words, in small letters, that are mostly written with a capital letter inside sentences: names
/// of people and businesses, which must not be corrected.
fn names(language: &Language, texts: &[&str]) -> BTreeSet<String> {
    let mut counts: BTreeMap<String, [u32; 2]> = BTreeMap::new();
    for text in texts {
        for range in sentences(text, language) {
            let words = text[range].split(|c: char| !c.is_alphabetic());
            for word in words.filter(|word| word.len() > 1).skip(1) {
                let is_capital = word.starts_with(char::is_uppercase);
                counts.entry(word.to_lowercase()).or_default()[usize::from(is_capital)] += 1;
            }
        }
    }
    counts
        .into_iter()
        .filter(|(_, [small, capital])| capital > small)
        .map(|(word, _)| word)
        .collect()
}

/// The real reviews of a file, or its rewritten sentences.
struct Part {
    file: usize,
    penalty: f64,
    examples: Examples,
}

/// The features that enough reviews in enough files have.
fn common(parts: &[Part]) -> BTreeSet<u64> {
    // The file, the part and the review.
    let mut seen: BTreeMap<u64, BTreeSet<(usize, usize, usize)>> = BTreeMap::new();
    for (number, Part { file, examples, .. }) in parts.iter().enumerate() {
        for (row, review) in examples.rows.iter().zip(&examples.reviews) {
            let place = (*file, number, *review);
            row.keys().for_each(|key| _ = seen.entry(*key).or_default().insert(place));
        }
    }
    let is_common = |reviews: &BTreeSet<(usize, usize, usize)>| {
        let files: BTreeSet<usize> = reviews.iter().map(|(file, ..)| *file).collect();
        reviews.len() >= MIN_REAL_REVIEWS && files.len() >= MIN_REAL_FILES
    };
    seen.into_iter().filter(|(_, reviews)| is_common(reviews)).map(|(key, _)| key).collect()
}

fn collect(language: &Language, reviews: &[&Judged], reader: &mut SentenceReader) -> Examples {
    let mut examples = Examples::default();
    let learns_quotes = language.threshold("learns_quotes") > 0;
    for (number, review) in reviews.iter().enumerate() {
        let said: Vec<Said<'_>> =
            review.aspects.iter().filter_map(|gold| said(review, gold)).collect();
        for range in sentences(&review.text, language) {
            let inside = |said: &&Said<'_>| {
                let shared =
                    said.span.1.min(range.end).saturating_sub(said.span.0.max(range.start));
                shared >= OVERLAP.min(said.span.1 - said.span.0)
            };
            let here: Vec<&Said<'_>> = said.iter().filter(inside).collect();
            let sentence = reader.read(&review.text, range);
            let stars = i32::from(review.rating) - 3;
            let said: Vec<&Said<'_>> = here.iter().copied().filter(|said| !said.optional).collect();
            for said in said.iter().filter(|one| undisputed(one, &said)) {
                if let Some(praise) = side(said.sentiment) {
                    examples.praise.push((sentence.features_of(said.span), stars, praise));
                }
            }
            let labels = |here: &[&Said<'_>], counts: fn(Sentiment) -> bool| {
                let label = |id: &str| {
                    let has = |said: &&&Said<'_>| said.aspect == id && counts(said.sentiment);
                    let is_certain = |said: &&&Said<'_>| has(said) && !said.optional;
                    let (certain, possible) =
                        (here.iter().any(|it| is_certain(&it)), here.iter().any(|it| has(&it)));
                    (certain == possible).then_some(certain)
                };
                aspects().map(label).collect()
            };
            let mut add = |row: Row, here: &[&Said<'_>]| {
                examples.rows.push(row);
                examples.reviews.push(number);
                examples.spoken.push(labels(here, |_| true));
                examples.blamed.push(labels(here, is_blame));
            };
            let mut spans: Vec<Span> = here.iter().map(|said| said.span).collect();
            spans.dedup();
            if learns_quotes && spans.len() > 1 {
                for span in spans {
                    let of_span: Vec<&Said<'_>> =
                        here.iter().copied().filter(|said| said.span == span).collect();
                    add(sentence.features_of(span), &of_span);
                }
            }
            let whole = sentence.features();
            add(whole.clone(), &here);
            if let Some(praise) = unanimous(&said) {
                examples.praise.push((whole, stars, praise));
            }
        }
    }
    examples
}

/// Returns the opinion of a label; `None` if the text does not have the quote.
fn said<'a>(review: &Judged, gold: &'a Gold) -> Option<Said<'a>> {
    let start = gold.at.or_else(|| review.text.find(&gold.quote))?;
    let span = (start, start + gold.quote.len());
    let Gold { id, sentiment, optional, .. } = gold;
    Some(Said { aspect: id, sentiment: *sentiment, span, optional: *optional })
}

fn is_blame(sentiment: Sentiment) -> bool {
    matches!(sentiment, Sentiment::Negative | Sentiment::Mixed)
}

/// Whether the sentiment is praise or blame; `None` for the others.
fn side(sentiment: Sentiment) -> Option<bool> {
    match sentiment {
        Sentiment::Positive => Some(true),
        Sentiment::Negative => Some(false),
        Sentiment::Neutral | Sentiment::Mixed => None,
    }
}

/// Whether the labels of other aspects at the same position agree with this one.
fn undisputed(one: &Said<'_>, said: &[&Said<'_>]) -> bool {
    let there = |other: &&&Said<'_>| other.span == one.span;
    said.iter().filter(there).all(|other| side(other.sentiment) == side(one.sentiment))
}

/// Returns the side that all labels of a sentence agree on.
fn unanimous(said: &[&Said<'_>]) -> Option<bool> {
    let mut sides = said.iter().filter_map(|said| side(said.sentiment));
    let first = sides.next()?;
    sides.all(|other| other == first).then_some(first)
}

/// A model of the features that the table keeps.
struct Trained {
    rows: BTreeMap<u64, [f64; COLUMNS]>,
    intercepts: [f64; COLUMNS],
    /// The weight of a star for praise.
    star: f64,
}

impl Trained {
    fn on(examples: &Examples, kept_features: usize) -> Self {
        let mut counts: BTreeMap<u64, u32> = BTreeMap::new();
        for key in examples.rows.iter().flat_map(|row| row.keys()) {
            *counts.entry(*key).or_default() += 1;
        }
        counts.retain(|_, count| *count >= MIN_SENTENCES);
        let columns: Vec<(u64, u32)> = counts.into_iter().collect();
        let weights = solve(examples, &columns);
        let worth = |at: usize| {
            weights.iter().map(|w| w[at] * w[at]).sum::<f64>() * f64::from(columns[at].1).sqrt()
        };
        let mut kept: Vec<usize> = (0..columns.len()).collect();
        // The features with the largest weights first; ties by the order of the keys.
        kept.sort_by(|a, b| worth(*b).total_cmp(&worth(*a)).then(a.cmp(b)));
        kept.truncate(kept_features);
        let of = |at: usize| std::array::from_fn(|column| weights[column][at]);
        Self {
            rows: kept.into_iter().map(|at| (columns[at].0, of(at))).collect(),
            intercepts: of(columns.len()),
            star: weights[PRAISE][columns.len() + 1],
        }
    }

    /// The score of a sentence in logits.
    fn margin(&self, column: usize, row: &Row, stars: i32) -> f64 {
        let weight = |(key, count): (&u64, &u32)| {
            self.rows.get(key).map_or(0.0, |weights| weights[column] * f64::from(*count))
        };
        let words: f64 = row.iter().map(weight).sum();
        words + self.intercepts[column] + self.star * f64::from(stars)
    }
}

/// The known features of a row by their numbers, and the intercept, which has the last number.
fn numbered(row: &Row, numbers: &HashMap<u64, u32>) -> Vec<(u32, f64)> {
    let known = |(key, count): (&u64, &u32)| Some((*numbers.get(key)?, f64::from(*count)));
    row.iter().filter_map(known).chain([(numbers.len() as u32, 1.0)]).collect()
}

/// The weights of each column of the table: those of the features, then the intercept; for praise, then the weight of a
/// star.
fn solve(examples: &Examples, columns: &[(u64, u32)]) -> Vec<Vec<f64>> {
    let numbers: HashMap<u64, u32> = columns.iter().map(|(key, _)| *key).zip(0..).collect();
    let known_rows: Vec<Vec<(u32, f64)>> =
        examples.rows.iter().map(|row| numbered(row, &numbers)).collect();
    let mut praise = Rows::default();
    for (row, stars, _) in &examples.praise {
        let star = (numbers.len() as u32 + 1, f64::from(*stars));
        praise.push(numbered(row, &numbers).into_iter().chain([star]));
    }
    let mut weights: Vec<Vec<f64>> = (0..PRAISE)
        .map(|aspect| {
            let said: Vec<bool> =
                examples.spoken.iter().map(|said| said[aspect] == Some(true)).collect();
            let ratios = ratios(&known_rows, &said, columns.len());
            let mut spoken = Rows::default();
            for row in &known_rows {
                spoken.push(row.iter().map(|(at, count)| (*at, count * ratios[*at as usize])));
            }
            let weights = fit(&spoken, &said, columns.len() + 1, PENALTY[0]);
            weights.iter().zip(ratios).map(|(weight, ratio)| weight * ratio).collect()
        })
        .collect();
    let praises: Vec<bool> = examples.praise.iter().map(|(.., praise)| *praise).collect();
    weights.push(fit(&praise, &praises, columns.len() + 2, PENALTY[1]));
    weights
}

/// The logarithm of the ratio of each feature's frequencies in rows with and without the aspect,
/// and 1 for the intercept. Rare features are thereby trusted sooner (S. Wang and C. Manning,
/// "Baselines and bigrams", ACL 2012).
fn ratios(rows: &[Vec<(u32, f64)>], said: &[bool], columns: usize) -> Vec<f64> {
    let mut counts = [vec![SMOOTHING; columns], vec![SMOOTHING; columns]];
    for (row, said) in rows.iter().zip(said) {
        for (at, count) in row.iter().filter(|(at, _)| (*at as usize) < columns) {
            counts[usize::from(*said)][*at as usize] += count;
        }
    }
    let totals = [0, 1].map(|side: usize| counts[side].iter().sum::<f64>());
    let ratio = |at: usize| portable::ln((counts[1][at] / totals[1]) / (counts[0][at] / totals[0]));
    (0..columns).map(ratio).chain([1.0]).collect()
}
