//! The agreement of the built-in aspects with judged reviews, for the program `evaluate` and
//! the test that pins the figures.

use std::collections::BTreeMap;

use insights::{Judge, Opinion, Sentiment};
use serde::Deserialize;

/// A judged review.
#[derive(Clone, Debug, Deserialize)]
pub struct Judged {
    /// The id.
    pub id: String,
    /// The stars.
    pub rating: u8,
    /// The text.
    pub text: String,
    /// The mentions that the annotators agreed on.
    pub aspects: Vec<Gold>,
    /// Whether it is a sentence that was written after one of a real review and has its labels.
    #[serde(default)]
    pub rewritten: bool,
}

/// One aspect of a judged review.
#[derive(Clone, Debug, Deserialize)]
pub struct Gold {
    /// The aspect's id.
    pub id: String,
    /// The sentiment.
    pub sentiment: Sentiment,
    /// The quote.
    pub quote: String,
    /// The first byte of the quote in the text, if it is known. If not, the first occurrence counts.
    #[serde(skip)]
    pub at: Option<usize>,
    /// Whether a careful reader may or may not give this label: it counts neither for nor against.
    #[serde(default)]
    pub optional: bool,
}

/// The reviews of a file, one per line.
pub fn parse(text: &str) -> Result<Vec<Judged>, serde_json::Error> {
    text.lines().filter(|line| !line.trim().is_empty()).map(serde_json::from_str).collect()
}

/// The numbers of correct, wrong and missed mentions.
#[derive(Clone, Copy, Debug, Default)]
pub struct Found {
    pub(crate) right: u32,
    pub(crate) wrong: u32,
    pub(crate) missed: u32,
}

impl Found {
    /// The share of the found mentions that are correct, in percent.
    pub fn precision(self) -> f64 {
        percent(self.right, self.right + self.wrong)
    }

    /// The share of the actual mentions that were found, in percent.
    pub fn recall(self) -> f64 {
        percent(self.right, self.right + self.missed)
    }

    /// The harmonic mean of precision and recall.
    pub fn f1(self) -> f64 {
        percent(2 * self.right, 2 * self.right + self.wrong + self.missed)
    }

    fn add(&mut self, other: Self) {
        self.right += other.right;
        self.wrong += other.wrong;
        self.missed += other.missed;
    }
}

/// A number of correct judgements among all.
#[derive(Clone, Copy, Debug, Default)]
pub struct Share {
    /// The correct judgements.
    pub right: u32,
    /// All judgements.
    pub all: u32,
}

impl Share {
    /// Counts one judgement.
    pub fn add(&mut self, right: bool) {
        self.right += u32::from(right);
        self.all += 1;
    }

    /// Adds the judgements of another share.
    pub fn join(&mut self, other: Self) {
        self.right += other.right;
        self.all += other.all;
    }

    /// The share of correct judgements, in percent.
    pub fn percent(self) -> f64 {
        percent(self.right, self.all)
    }

    /// Wilson's interval of the share, at 95 %, in percent.
    pub fn interval(self) -> (f64, f64) {
        let (right, all, z) = (f64::from(self.right), f64::from(self.all), 1.96_f64);
        let reach = z * (right * (all - right) / all.max(1.0) + z * z / 4.0).sqrt();
        let end = |reach: f64| (right + z * z / 2.0 + reach) * 100.0 / (all + z * z);
        (end(-reach), end(reach))
    }
}

fn percent(part: u32, whole: u32) -> f64 {
    if whole == 0 { 0.0 } else { f64::from(part) * 100.0 / f64::from(whole) }
}

/// The results of a comparison.
#[derive(Debug, Default)]
pub struct Scores {
    /// The mentions of each aspect.
    pub by_aspect: BTreeMap<String, Found>,
    /// The mentions of all aspects, which are correct only with the right sentiment.
    pub with_sentiment: Found,
    /// The sentiment (one of four) of the aspects that were found.
    pub labels: Share,
    /// Praise or blame of every label that is one of them. A missed label is judged at its quote.
    pub two_class: Share,
    /// Praise or blame of every label, judged at its quote as if nothing had been found.
    pub two_class_at_quote: Share,
    /// Praise or blame of the aspects that were found.
    pub two_class_found: Share,
    /// Praise or blame of the labels that disagree with the stars.
    pub against_stars: Share,
    /// Praise or blame by the stars alone; three stars count as praise.
    pub stars: Share,
    /// The errors, as text.
    pub errors: Vec<String>,
}

impl Scores {
    /// The mentions of all aspects together.
    pub fn aspects(&self) -> Found {
        let mut all = Found::default();
        self.by_aspect.values().for_each(|found| all.add(*found));
        all
    }

    /// Compares one review.
    pub fn add(&mut self, judged: &Judged, judge: &mut Judge) {
        let reading = judge.read(&judged.text, judged.rating);
        let answers: BTreeMap<String, Opinion> = reading
            .opinions
            .into_iter()
            .map(|opinion| (judge.id(opinion.aspect).to_owned(), opinion))
            .collect();
        for (id, opinion) in &answers {
            if !judged.aspects.iter().any(|gold| gold.id == *id) {
                self.by_aspect.entry(id.clone()).or_default().wrong += 1;
                self.with_sentiment.wrong += 1;
                let said = said(judged, opinion);
                self.errors.push(format!("made up  {} {id} {said}", judged.id));
            }
        }
        for gold in &judged.aspects {
            let answer = answers.get(&gold.id);
            self.count(judged, gold, answer);
            if let Sentiment::Positive | Sentiment::Negative = gold.sentiment {
                let at_quote = judge.at(&judged.text, place(judged, gold), judged.rating);
                self.two_class_at_quote
                    .add((at_quote > 0) == (gold.sentiment == Sentiment::Positive));
                let score = answer.map_or(at_quote, |answer| answer.score);
                self.count_two_class(judged, gold, answer.is_some(), score);
            }
        }
    }

    fn count(&mut self, judged: &Judged, gold: &Gold, answer: Option<&Opinion>) {
        let found = self.by_aspect.entry(gold.id.clone()).or_default();
        let Some(answer) = answer else {
            found.missed += 1;
            self.with_sentiment.missed += 1;
            let Gold { id, sentiment, quote, .. } = gold;
            self.errors.push(format!("missed   {} {id} {sentiment:?}: {quote:?}", judged.id));
            return;
        };
        found.right += 1;
        let same = answer.sentiment == gold.sentiment;
        self.labels.add(same);
        if same {
            self.with_sentiment.right += 1;
        } else {
            self.with_sentiment.wrong += 1;
            self.with_sentiment.missed += 1;
            let Gold { id, sentiment, quote, .. } = gold;
            let said = said(judged, answer);
            self.errors
                .push(format!("misjudged {} {id} {sentiment:?}: {quote:?} {said}", judged.id));
        }
    }

    fn count_two_class(&mut self, judged: &Judged, gold: &Gold, found: bool, score: i32) {
        let positive = gold.sentiment == Sentiment::Positive;
        let right = (score > 0) == positive;
        self.two_class.add(right);
        if found {
            self.two_class_found.add(right);
        }
        let stars = judged.rating >= 3;
        self.stars.add(stars == positive);
        if stars != positive {
            self.against_stars.add(right);
        }
    }
}

fn said(judged: &Judged, opinion: &Opinion) -> String {
    let places = opinion
        .places
        .iter()
        .map(|place| (place.margin, &judged.text[place.span.0 as usize..place.span.1 as usize]));
    format!("{:?} {} {:?}", opinion.sentiment, opinion.score, places.collect::<Vec<_>>())
}

fn place(judged: &Judged, gold: &Gold) -> (usize, usize) {
    let at = gold.at.or_else(|| judged.text.find(&gold.quote));
    at.map_or((0, judged.text.len()), |at| (at, at + gold.quote.len()))
}
