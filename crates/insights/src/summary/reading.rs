//! Analyses all reviews, each on its own, on every core.

use crate::{
    aspects::{Aspects, Compiled, reader::Scratch},
    config::Entity,
    language::{Language, is_of, primary},
    memory::{Memory, recall},
    opinion::{CONTENT, Opinion, Place, Reading, Sentiment, verdict},
    quotes::{examine, is_cut},
    sentiment::lexicon::Lexicon,
    summary::{
        Input,
        document::{Agreement, Basis, ReviewAspect, ReviewInsight},
        examples::{Candidate, is_spelt, recent_from},
        model_hash,
    },
    threads::in_parts,
};
use std::sync::Arc;

use contract::{model::Review, problem::Report};
use tracing::info_span;

/// The number of example candidates that are kept for each aspect and side.
const CANDIDATES: usize = 64;

/// The number of newest reviews from which phrases are taken. Each build counts them again, and a phrase that customers
/// use is used by many of the newest ones.
pub(crate) const PHRASE_REVIEWS: usize = 2_000;

/// The mentions of aspects in one review, by aspect: the aspect, and the position in the text.
pub(crate) type Mentions = Vec<(u16, (u32, u32))>;

/// The result of the analysis of all reviews.
#[derive(Debug, Default)]
pub(crate) struct Readings<'r> {
    /// One result per review.
    pub(crate) insights: Vec<ReviewInsight>,
    /// The candidates for examples, by aspect.
    pub(crate) candidates: Vec<Vec<Candidate<'r>>>,
    /// The mentions of aspects in each of the newest reviews.
    pub(crate) mentions: Vec<Mentions>,
    pub(crate) agreement: Option<Agreement>,
}

/// Analyses the reviews in this number of parts.
pub(crate) fn read_all<'r>(
    input: &Input<'r>,
    aspects: &Aspects,
    analyst: &Analyst<'_>,
    threads: usize,
) -> Readings<'r> {
    let mut whole =
        Readings { candidates: vec![Vec::new(); aspects.list.len()], ..Readings::default() };
    let read = |first, part| read_part(input, part, first, aspects, analyst);
    in_parts(input.reviews, threads, read).into_iter().for_each(|part| whole.append(part));
    whole
}

impl<'r> Readings<'r> {
    fn append(&mut self, part: Self) {
        self.insights.extend(part.insights);
        self.mentions.extend(part.mentions);
        for (all, new) in self.candidates.iter_mut().zip(part.candidates) {
            all.extend(new);
            prune(all);
        }
        if let Some(part) = part.agreement {
            self.agreement.get_or_insert_default().add(&part);
        }
    }
}

/// Keeps the first candidates of each side in the order of selection. The first of all are among
/// the first of each part, so the division into parts does not affect them.
fn prune(candidates: &mut Vec<Candidate<'_>>) {
    candidates.sort_by_cached_key(Candidate::order);
    let mut kept = [0; 4];
    candidates.retain(|candidate| {
        let count = &mut kept[candidate.sentiment as usize];
        *count += 1;
        *count <= CANDIDATES
    });
}

fn read_part<'r>(
    input: &Input<'r>,
    part: &'r [Review],
    first: usize,
    aspects: &Aspects,
    analyst: &Analyst<'_>,
) -> Readings<'r> {
    let _span = info_span!("read texts").entered();
    let mut scratch = Scratch::default();
    let mut found =
        Readings { candidates: vec![Vec::new(); aspects.list.len()], ..Readings::default() };
    let since = recent_from(input.reviews.first().map(|review| review.date));
    for (at, review) in part.iter().enumerate() {
        let reading = analyst.read(review, &mut scratch);
        let mut insight = insight(review, reading.as_ref());
        insight.topics = topics(review, input.known.topics);
        input.annotations.apply(
            review,
            |id| aspects.number(id),
            &mut insight,
            &mut found.agreement,
        );
        let recent = since.is_none_or(|since| review.date >= since);
        let language = Language::read(review.language.as_deref()).unwrap_or(Language::english());
        let lexicon = analyst.compiled(language).map(|it| &it.reader.lexicon);
        let said = (&insight, reading.as_ref(), language, lexicon);
        let native = is_of(review, &primary(input.language));
        collect_candidates((review, recent, native), said, &mut found.candidates);
        if first + at < PHRASE_REVIEWS {
            let places = reading.iter().flat_map(|reading| &reading.opinions);
            let places = places.flat_map(|o| o.places.iter().map(|place| (o.aspect, place.span)));
            found.mentions.push(places.collect());
        }
        found.insights.push(insight);
    }
    found.candidates.iter_mut().for_each(prune);
    found
}

/// Analyses texts that no earlier run has analysed.
pub(crate) struct Analyst<'a> {
    /// The languages of the texts, with what reads them.
    readers: Vec<(&'static Language, Arc<Compiled>)>,
    pub(crate) memory: &'a dyn Memory,
    /// A text that contains everything that affects an analysis except the text and its stars.
    pub(crate) model_hash: String,
}

impl<'a> Analyst<'a> {
    pub(crate) fn new(aspects: &Aspects, input: &Input<'a>) -> Self {
        let languages = input.languages();
        let model_hash = model_hash(&languages, input.config);
        let readers = languages.into_iter().map(|it| (it, aspects.compiled(it))).collect();
        Self { readers, memory: input.memory, model_hash }
    }

    /// The tags of the languages.
    pub(crate) fn languages(&self) -> Vec<&'static str> {
        self.readers.iter().map(|(language, _)| language.tag()).collect()
    }

    /// Reports the owner's lines that are not patterns.
    pub(crate) fn report(&self, aspects: &Aspects, report: &Report) {
        self.readers.first().into_iter().for_each(|(_, it)| aspects.report(it, report));
    }

    /// What reads the language.
    pub(crate) fn compiled(&self, language: &Language) -> Option<&Compiled> {
        let reader = self.readers.iter().find(|(known, _)| known.tag() == language.tag());
        reader.map(|(_, compiled)| &**compiled)
    }

    /// Reads the text, or its translation.
    fn read(&self, review: &Review, scratch: &mut Scratch) -> Option<Reading> {
        let (text, language, is_translated) = words_of(review)?;
        let reader = &self.compiled(language)?.reader;
        let stars = review.rating.stars();
        let parts: [&[u8]; 4] =
            [self.model_hash.as_bytes(), language.tag().as_bytes(), &[stars], text.as_bytes()];
        let read = || reader.read(text, stars, scratch);
        let mut reading = recall(self.memory, ("reading", &parts), read);
        if is_translated {
            // Quotes are parts of the text, and these are in the translation.
            for opinion in &mut reading.opinions {
                opinion.places.clear();
                opinion.published = None;
            }
        }
        Some(reading)
    }
}

/// What is analysed of a review, its language, and whether it is a translation: the text, or its translation if only that
/// is in a language that is analysed.
pub(crate) fn words_of(review: &Review) -> Option<(&str, &'static Language, bool)> {
    let text = review.text.as_deref()?;
    if let Some(language) = Language::read(review.language.as_deref()) {
        return Some((text, language, false));
    }
    let translation = review.translation.as_ref()?;
    let language = Language::read(translation.language.as_deref())?;
    Some((&translation.text, language, true))
}

fn insight(review: &Review, reading: Option<&Reading>) -> ReviewInsight {
    let text = reading.map(|reading| (reading.text_score, reading.clear));
    let (sentiment, score) = verdict(review.rating, text);
    let aspects =
        reading.map_or_else(Vec::new, |reading| reading.opinions.iter().map(vote).collect());
    let basis = if reading.is_some() { Basis::Text } else { Basis::Rating };
    ReviewInsight { sentiment, score, basis, aspects, topics: Vec::new(), judged_by: None }
}

/// The numbers of the owner's topics that the review mentions.
fn topics(review: &Review, listed: &[Entity]) -> Vec<u16> {
    let mentioned = |topic: &Entity| review.mentions.topics.contains(&topic.id);
    listed.iter().zip(0..).filter(|(topic, _)| mentioned(topic)).map(|(_, at)| at).collect()
}

fn vote(opinion: &Opinion) -> ReviewAspect {
    ReviewAspect {
        aspect: opinion.aspect,
        sentiment: opinion.sentiment,
        score: opinion.score,
        quote: opinion.published,
    }
}

/// Collects the clearest sentence of every opinion, or the span of an annotation. `review` is the
/// review, whether it is recent, and whether it is in the site's language.
fn collect_candidates<'r>(
    (review, recent, native): (&'r Review, bool, bool),
    (insight, reading, language, lexicon): (
        &ReviewInsight,
        Option<&Reading>,
        &Language,
        Option<&Lexicon>,
    ),
    candidates: &mut [Vec<Candidate<'r>>],
) {
    let places = || reading.iter().flat_map(|reading| &reading.opinions);
    let text = review.text.as_deref().unwrap_or_default();
    if is_cut(text, language) {
        return;
    }
    for opinion in &insight.aspects {
        // An example of blame is shown even if no quote of it is published.
        let is_blame = |said: &&Opinion| {
            let sides = [said.sentiment, opinion.sentiment];
            said.aspect == opinion.aspect && sides == [Sentiment::Negative; 2]
        };
        let unpublished = || Some(places().find(is_blame)?.evidence(text, language)?.1);
        let Some(quote) = opinion.quote.or_else(unpublished) else { continue };
        // Praise of somebody with a stake in the business shows nothing.
        if review.disclosure.is_some() && opinion.sentiment == Sentiment::Positive {
            continue;
        }
        let touches = |place: &&Place| place.span.0 < quote.1 && quote.0 < place.span.1;
        let inside = |other: &Opinion| {
            other.aspect != opinion.aspect && other.places.iter().any(|place| touches(&place))
        };
        let said = |said: &Opinion| {
            let of_aspect = said.aspect == opinion.aspect;
            said.places.iter().find(touches).copied().filter(|_| of_aspect)
        };
        let place = places().find_map(said);
        // Content customers rarely blame: most of their sentences that seem to are about something else.
        let is_computed = insight.judged_by.is_none();
        let is_mild = opinion.sentiment == Sentiment::Negative && review.rating.stars() >= CONTENT;
        if is_mild && is_computed && !place.is_some_and(|place| place.blamed) {
            continue;
        }
        let mut print = examine(text, place.map(|place| place.sentence), quote, language);
        print.fit &= opinion.quote.is_some();
        let words = &text[quote.0 as usize..quote.1 as usize];
        candidates[usize::from(opinion.aspect)].push(Candidate {
            review,
            recent,
            native,
            quote,
            print,
            sentiment: opinion.sentiment,
            margin: opinion.score,
            tone: place.map_or(0, |place| place.tone),
            alone: !places().any(inside),
            spelt: print.fit && lexicon.is_none_or(|it| is_spelt(words, it)),
        });
    }
}
