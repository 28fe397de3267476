//! The figures of the model card on labelled reviews of real customers, which are never part of the
//! repository.

use std::{collections::BTreeMap, fmt};

use insights::{Judge, Language, Opinion, Sentiment};

use crate::scores::{Found, Gold, Judged, Share};

/// The number of words above which a review is long.
const LONG: usize = 120;
/// An aspect with fewer labelled opinions has no share of its own.
const LEAST_OPINIONS: u32 = 20;

/// The results on some reviews.
#[derive(Debug, Default)]
pub struct Figures {
    reviews: u32,
    labels: u32,
    /// Mentions of aspects.
    aspects: Found,
    /// Mentions of aspects in long reviews of two to four stars.
    long: Found,
    /// Opinions that are published as negative or mixed and are so labelled, by stars less one.
    blame: [Share; 5],
    /// Opinions that are published as positive and are so labelled.
    praise: Share,
    /// Labelled complaints that are found as such: in reviews of one to three stars, and in reviews of four and five.
    complaints: [Share; 2],
    /// Praise and blame of each aspect: labelled, and as it is published.
    opinions: BTreeMap<String, [[u32; 2]; 2]>,
    /// Labelled complaints that pages count as mentions that could not be judged.
    unjudged: Share,
    /// Labels with a plain word that are found, by word.
    plain: BTreeMap<String, Share>,
    /// Published quotes about the labelled aspect.
    quotes: Share,
    /// Published quotes about the labelled aspect with the labelled sentiment.
    quotes_with_sentiment: Share,
    /// Labels on the other side than the stars: the published side is the text's.
    against_stars: Share,
    /// Labels on the other side than the stars, if the stars are not known.
    against_stars_without: Share,
    /// Labels of praise or blame that are found with the right side: with stars, and without.
    sides: [Share; 2],
    /// The errors, as text.
    pub errors: Vec<String>,
}

impl Figures {
    /// Compares one review, whose labels may be those of its sentences.
    pub fn add(&mut self, judged: &Judged, judge: &mut Judge) {
        let judged = &Judged { aspects: merged(&judged.aspects), ..judged.clone() };
        self.reviews += 1;
        self.labels += judged.aspects.iter().filter(|gold| !gold.optional).count() as u32;
        let without_stars = answers(judge, &judged.text, 3);
        let answers = answers(judge, &judged.text, judged.rating);
        let long =
            judged.text.split_whitespace().count() > LONG && (2..=4).contains(&judged.rating);
        for (id, opinion) in &answers {
            let gold = judged.aspects.iter().find(|gold| gold.id == *id);
            self.published(judged, gold, opinion, long);
            if gold.is_none() {
                let quote = Judge::quote(&judged.text, opinion).unwrap_or_default();
                self.error("made up", judged, id, opinion.sentiment, quote);
            }
        }
        for gold in judged.aspects.iter().filter(|gold| !gold.optional) {
            self.labelled(judged, gold, answers.get(&gold.id), (long, judge.language()));
            self.compare_with_stars(judged, gold, [&answers, &without_stars]);
        }
        let labelled = judged.aspects.iter().map(|gold| (&gold.id, gold.sentiment));
        let published = answers.iter().map(|(id, opinion)| (id, opinion.sentiment));
        let optional = |id: &String| judged.aspects.iter().any(|it| it.optional && it.id == *id);
        let both = labelled.map(|it| (it, 0)).chain(published.map(|it| (it, 1)));
        for ((id, sentiment), which) in both.filter(|((id, _), _)| !optional(id)) {
            let side = match sentiment {
                Sentiment::Positive => 0,
                Sentiment::Negative => 1,
                Sentiment::Neutral | Sentiment::Mixed => continue,
            };
            self.opinions.entry(id.clone()).or_default()[which][side] += 1;
        }
    }

    /// By how many points the published share of praise of an aspect is too high: the mean over the aspects
    /// with at least [`LEAST_OPINIONS`] labels, and the mean of the distances.
    fn share_errors(&self) -> Option<(f64, f64)> {
        let share = |[praise, blame]: [u32; 2]| Share { right: praise, all: praise + blame };
        let of_many =
            self.opinions.values().filter(|it| it[0].iter().sum::<u32>() >= LEAST_OPINIONS);
        let errors: Vec<f64> =
            of_many.map(|it| share(it[1]).percent() - share(it[0]).percent()).collect();
        let mean = |sum: f64| sum / errors.len() as f64;
        let distances = errors.iter().map(|error| error.abs());
        (!errors.is_empty()).then(|| (mean(errors.iter().sum()), mean(distances.sum())))
    }

    /// Counts what is published of an aspect.
    fn published(&mut self, judged: &Judged, gold: Option<&Gold>, opinion: &Opinion, long: bool) {
        let is_right =
            gold.is_some_and(|gold| is_blame(gold.sentiment) == is_blame(opinion.sentiment));
        let both = [&mut self.aspects, &mut self.long];
        for found in both.into_iter().take(if long { 2 } else { 1 }) {
            match gold {
                Some(gold) if gold.optional => {}
                Some(_) => found.right += 1,
                None => found.wrong += 1,
            }
        }
        let quote = Judge::quote(&judged.text, opinion);
        if quote.is_some() {
            self.quotes.add(gold.is_some());
            self.quotes_with_sentiment.add(gold.is_some_and(|gold| agrees(gold, opinion)));
        }
        match opinion.sentiment {
            Sentiment::Positive => self.praise.add(is_right),
            Sentiment::Neutral => {}
            Sentiment::Negative | Sentiment::Mixed => {
                self.blame[usize::from(judged.rating) - 1].add(is_right);
            }
        }
        if let Some(gold) = gold.filter(|_| !is_right) {
            let what = format!("{:?} is", gold.sentiment);
            self.error(&what, judged, &gold.id, opinion.sentiment, quote.unwrap_or_default());
        }
    }

    /// Counts what was found of a label.
    fn labelled(
        &mut self,
        judged: &Judged,
        gold: &Gold,
        opinion: Option<&Opinion>,
        (long, language): (bool, &Language),
    ) {
        if opinion.is_none() {
            self.aspects.missed += 1;
            self.long.missed += u32::from(long);
            self.error("missed", judged, &gold.id, gold.sentiment, &gold.quote);
        }
        if is_blame(gold.sentiment) {
            let says = |is: fn(Sentiment) -> bool| opinion.is_some_and(|it| is(it.sentiment));
            self.complaints[usize::from(judged.rating > 3)].add(says(is_blame));
            if judged.rating <= 3 {
                self.unjudged.add(says(|sentiment| sentiment == Sentiment::Neutral));
            }
        }
        // A label whose quote has a word of plain praise or blame must be found.
        let quote = gold.quote.to_lowercase();
        let plain = language.words("plain_words").map(|word| word.replace('_', " "));
        for word in plain.filter(|word| quote.contains(word)) {
            self.plain.entry(word).or_default().add(opinion.is_some());
        }
    }

    fn compare_with_stars(
        &mut self,
        judged: &Judged,
        gold: &Gold,
        answers: [&BTreeMap<String, Opinion>; 2],
    ) {
        let positive = match gold.sentiment {
            Sentiment::Positive => true,
            Sentiment::Negative => false,
            Sentiment::Neutral | Sentiment::Mixed => return,
        };
        let sides = answers.map(|answers| answers.get(&gold.id).map(|opinion| opinion.sentiment));
        let is_right = |side: Option<Sentiment>| match side {
            Some(Sentiment::Positive) => Some(positive),
            Some(Sentiment::Negative) => Some(!positive),
            _ => None,
        };
        let [with, without] = sides.map(is_right);
        for (share, right) in self.sides.iter_mut().zip([with, without]) {
            right.into_iter().for_each(|right| share.add(right));
        }
        if judged.rating != 3 && (judged.rating > 3) != positive {
            with.into_iter().for_each(|right| self.against_stars.add(right));
            without.into_iter().for_each(|right| self.against_stars_without.add(right));
        }
    }

    fn error(&mut self, what: &str, judged: &Judged, aspect: &str, said: Sentiment, quote: &str) {
        let Judged { id, rating, .. } = judged;
        self.errors.push(format!("{what} {said:?} {aspect} {id} ({rating} stars): {quote:?}"));
    }
}

impl fmt::Display for Figures {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { reviews, labels, .. } = self;
        writeln!(f, "{reviews} reviews, {labels} labels")?;
        for (what, found) in [("aspects", self.aspects), ("aspects, long reviews", self.long)] {
            let (p, r, f1) = (found.precision(), found.recall(), found.f1());
            writeln!(f, "{what:58} P {p:5.1}  R {r:5.1}  F1 {f1:5.1}")?;
        }
        let mut blame = Share::default();
        self.blame.iter().for_each(|share| blame.join(*share));
        say(f, "published as negative or mixed, right", blame)?;
        for (stars, share) in (1..).zip(self.blame) {
            say(f, &format!("  at {stars} stars"), share)?;
        }
        say(f, "published as positive, right", self.praise)?;
        say(f, "complaints at one to three stars, found as such", self.complaints[0])?;
        say(f, "  counted as not judged", self.unjudged)?;
        say(f, "complaints at four and five stars, found as such", self.complaints[1])?;
        if let Some((bias, distance)) = self.share_errors() {
            let what = "published share of praise, error and distance by aspect";
            writeln!(f, "{what:58} {bias:+5.1} {distance:5.1} points")?;
        }
        let mut plain = Share::default();
        self.plain.values().for_each(|share| plain.join(*share));
        say(f, "labels with a plain word, found", plain)?;
        for (word, share) in &self.plain {
            say(f, &format!("  {word}"), *share)?;
        }
        say(f, "quotes with the right aspect", self.quotes)?;
        say(f, "quotes with the right aspect and sentiment", self.quotes_with_sentiment)?;
        say(f, "side of the aspects found", self.sides[0])?;
        say(f, "  without stars", self.sides[1])?;
        say(f, "side of the aspects found where text and stars disagree", self.against_stars)?;
        say(f, "  without stars", self.against_stars_without)
    }
}

fn say(f: &mut fmt::Formatter<'_>, what: &str, share: Share) -> fmt::Result {
    let (low, high) = share.interval();
    writeln!(f, "{what:58} {:5.1} of {} [{low:.0}-{high:.0}]", share.percent(), share.all)
}

fn answers(judge: &mut Judge, text: &str, stars: u8) -> BTreeMap<String, Opinion> {
    let opinions = judge.read(text, stars).opinions;
    opinions.into_iter().map(|opinion| (judge.id(opinion.aspect).to_owned(), opinion)).collect()
}

/// One label for each aspect, from labels of sentences. An aspect is optional if all its labels are;
/// otherwise the optional ones do not count.
fn merged(labels: &[Gold]) -> Vec<Gold> {
    let mut by_aspect: BTreeMap<&str, Vec<&Gold>> = BTreeMap::new();
    for gold in labels {
        by_aspect.entry(&gold.id).or_default().push(gold);
    }
    let one = |mut labels: Vec<&Gold>| {
        if labels.iter().any(|gold| !gold.optional) {
            labels.retain(|gold| !gold.optional);
        }
        let has = |sentiment| labels.iter().any(|gold| gold.sentiment == sentiment);
        let sentiment = match (has(Sentiment::Positive), has(Sentiment::Negative)) {
            _ if has(Sentiment::Mixed) => Sentiment::Mixed,
            (true, true) => Sentiment::Mixed,
            (true, false) => Sentiment::Positive,
            (false, true) => Sentiment::Negative,
            (false, false) => Sentiment::Neutral,
        };
        Gold { sentiment, ..labels[0].clone() }
    };
    by_aspect.into_values().map(one).collect()
}

/// Whether the opinion contains blame.
fn is_blame(sentiment: Sentiment) -> bool {
    matches!(sentiment, Sentiment::Negative | Sentiment::Mixed)
}

/// Whether the sentiment of the quote is the labelled one. A quote of a mixed opinion shows one
/// side.
fn agrees(gold: &Gold, opinion: &Opinion) -> bool {
    gold.sentiment == opinion.sentiment
        || gold.sentiment == Sentiment::Mixed
        || opinion.sentiment == Sentiment::Mixed && is_blame(gold.sentiment)
}
