//! What templates are given: plain values, already in the site's words.

use contract::{
    model::{DIRECT, DatePrecision, Review, Summary, Translation, Verification, source_name},
    routes,
};
use insights::Answer;
use std::{collections::BTreeSet, sync::Arc};

use serde::Serialize;

use super::{languages, routes::Routes, templates::plain};
use crate::{dataset::Dataset, words::Words};

/// Characters of a review shown before "read more".
const CLAMP: usize = 700;
/// A rest shorter than this is shown at once.
const CLAMP_REST: usize = 200;

/// A link.
#[derive(Clone, Debug, Serialize)]
pub(super) struct LinkView {
    pub(super) href: String,
    pub(super) label: String,
}

/// A link with a number beside it.
#[derive(Clone, Debug, Serialize)]
pub(super) struct CountedLink {
    pub(super) href: String,
    pub(super) label: String,
    pub(super) count: u64,
    /// What the search understands in place of the link.
    pub(super) filter: String,
}

/// One review.
#[derive(Debug, Serialize)]
pub(super) struct ReviewView<'d> {
    id: String,
    href: String,
    url: &'d str,
    author: &'d str,
    initial: String,
    rating: u8,
    stars: String,
    date: String,
    day: String,
    /// The text, or what is shown of it at first.
    head: Option<&'d str>,
    /// What is shown on demand.
    tail: Option<&'d str>,
    /// Both.
    text: Option<&'d str>,
    language: Option<&'d str>,
    language_name: Option<&'d str>,
    translation: Option<TranslationView<'d>>,
    /// The method of verification of its source.
    method: Option<String>,
    source: String,
    /// `on Google`
    via: String,
    source_url: Option<String>,
    reply: Option<ReplyView<'d>>,
    disclosure: Option<DisclosureView<'d>>,
    mentions: Vec<LinkView>,
}

#[derive(Debug, Serialize)]
struct TranslationView<'d> {
    text: &'d str,
    language: Option<&'d str>,
    /// `Translated by Google`
    label: String,
}

#[derive(Debug, Serialize)]
struct ReplyView<'d> {
    text: &'d str,
    day: Option<String>,
    date: Option<String>,
}

#[derive(Debug, Serialize)]
struct DisclosureView<'d> {
    label: String,
    note: Option<&'d str>,
}

/// Turns reviews into views.
#[derive(Debug)]
pub(super) struct Viewer<'d> {
    pub(super) data: &'d Dataset,
    pub(super) words: Arc<Words>,
    pub(super) routes: Routes,
    /// The site's own words, where these are in another language.
    own: Option<Arc<Words>>,
}

impl<'d> Viewer<'d> {
    pub(super) fn new(data: &'d Dataset) -> Self {
        let words = Arc::new(Words::new(&data.site));
        Self { data, words, routes: Routes::new(&data.site), own: None }
    }

    /// The same site in another language.
    pub(super) fn speaking(&self, language: &str) -> Self {
        let words = Arc::new(Words::speaking(&self.data.site, language));
        let own = Some(Arc::clone(&self.words));
        Self { data: self.data, words, routes: self.routes.clone(), own }
    }

    /// `Reviews of Acme`
    pub(super) fn reviews_of(&self) -> String {
        let name = [("business", self.data.business.name.clone())];
        self.words.say("reviews_of", None, &name).unwrap_or_default()
    }

    pub(super) fn link(&self, path: &str, label: impl Into<String>) -> LinkView {
        LinkView { href: self.routes.href(path), label: label.into() }
    }

    /// Where a review can be read, within the site.
    pub(super) fn review_href(&self, review: &Review) -> String {
        match self.data.site.appearance.review_pages.enabled {
            true => self.routes.href(&routes::review(review.id)),
            false => format!("{}#{}", self.routes.href(&self.routes.all()), review.id),
        }
    }

    pub(super) fn review(&self, review: &'d Review) -> ReviewView<'d> {
        let (head, tail) = review.text.as_deref().map(clamp).unzip();
        let stars = [("stars", review.rating.to_string())];
        ReviewView {
            id: review.id.to_string(),
            href: self.review_href(review),
            url: &review.url,
            author: &review.author,
            initial: initial(&review.author),
            rating: review.rating.stars(),
            stars: self.words.say("stars_of_5", None, &stars).unwrap_or_default(),
            date: self.words.review_date(review),
            day: review.known_date(),
            head,
            tail: tail.flatten(),
            text: review.text.as_deref(),
            language: review.language.as_deref(),
            language_name: review.language.as_deref().map(languages::name),
            translation: review.translation.as_ref().map(|it| self.translation(it)),
            method: self.method_in_words(&review.source),
            source: self.source(&review.source),
            via: self.via(&review.source),
            source_url: review.source_url.as_deref().map(address),
            reply: review.owner_reply.as_ref().map(|reply| ReplyView {
                text: &reply.text,
                day: reply.date.map(|day| day.to_string()),
                date: reply.date.map(|day| self.words.date(day)),
            }),
            disclosure: review.disclosure.as_ref().map(|disclosure| DisclosureView {
                label: self.words.word(disclosure.kind.word()),
                note: disclosure.note.as_deref(),
            }),
            mentions: self.mentions(review),
        }
    }

    /// How the reviews of a source are verified.
    pub(super) fn method(&self, source: &str) -> Option<&'d Verification> {
        self.data.business.methods.get(source)
    }

    /// The same in words. Ours about platforms are in the language of the page, the owner's as they are.
    fn method_in_words(&self, source: &str) -> Option<String> {
        let stated = self.method(source)?.method.clone();
        let name = [("source", source_name(source))];
        let ours = |words: &Arc<Words>| words.say("posted_on_platform", None, &name).ok();
        let is_ours = self.own.as_ref().and_then(ours).is_some_and(|ours| ours == stated);
        Some(stated).filter(|_| !is_ours).or_else(|| ours(&self.words))
    }

    /// A source's name for readers.
    pub(super) fn source(&self, source: &str) -> String {
        match source {
            DIRECT => self.words.word("source_direct"),
            _ => source_name(source),
        }
    }

    /// A source's name where a review can be written; the business's own for direct reviews.
    pub(super) fn source_of_form(&self, source: &str) -> String {
        match source {
            DIRECT => self.data.business.name.clone(),
            _ => source_name(source),
        }
    }

    /// Where a review was posted.
    fn via(&self, source: &str) -> String {
        match source {
            DIRECT => self.words.word("source_direct"),
            _ => {
                let name = [("source", source_name(source))];
                self.words.say("via", None, &name).unwrap_or_default()
            }
        }
    }

    fn translation(&self, translation: &'d Translation) -> TranslationView<'d> {
        let by = [("source", source_name(&translation.by))];
        TranslationView {
            text: &translation.text,
            language: translation.language.as_deref(),
            label: self.words.say("translated_by", None, &by).unwrap_or_default(),
        }
    }

    /// Links to the pages of who and what the review names.
    fn mentions(&self, review: &Review) -> Vec<LinkView> {
        let business = &self.data.business;
        let people = business.technicians.iter().filter(|who| who.is_scored);
        let people = people
            .filter(|who| review.mentions.technician_ids.contains(&who.id))
            .map(|who| ("technicians", &who.id, &who.name));
        let services = business.services.iter();
        let services = services
            .filter(|what| review.mentions.services.contains(&what.id))
            .map(|what| ("services", &what.id, &what.label));
        let areas = business.service_areas.iter();
        let areas = areas
            .filter(|place| review.mentions.service_areas.contains(&place.id))
            .map(|place| ("areas", &place.id, &place.name));
        people
            .chain(services)
            .chain(areas)
            .map(|(folder, id, label)| {
                self.link(&self.routes.page(&format!("{folder}/{id}/")), &**label)
            })
            .collect()
    }

    /// The questions with answers that pages show. Computed ones are in English.
    pub(super) fn answers(&self) -> Vec<&'d Answer> {
        let fits = |answer: &&Answer| self.words.is_english() || answer.source == "owner";
        self.data.faq.iter().filter(fits).collect()
    }

    /// The summary that pages show. A computed one is in English.
    pub(super) fn summary(&self) -> Option<&'d Summary> {
        let summary = self.data.summary.as_ref();
        summary.filter(|summary| self.words.is_english() || !summary.computed)
    }

    /// How many reviews were judged by their words, and how many by their stars alone.
    pub(super) fn coverage(&self) -> String {
        let coverage = &self.data.insights.coverage;
        let values = [
            ("text", self.words.count(coverage.text + coverage.annotated)),
            ("stars", self.words.count(coverage.rating_only + coverage.other_language)),
        ];
        let count = Some(self.data.reviews.len() as u64);
        self.words.say("about_coverage", count, &values).unwrap_or_default()
    }

    /// How many reviews a person or another model judged, and who; nothing where nobody did.
    pub(super) fn annotated(&self) -> Option<String> {
        let insights = &self.data.insights;
        let judges: BTreeSet<&str> =
            insights.per_review.iter().filter_map(|insight| insight.judged_by.as_deref()).collect();
        let names = judges.into_iter().collect::<Vec<_>>().join(", ");
        let count = Some(insights.coverage.annotated).filter(|count| *count > 0)?;
        self.words.say("about_annotated", Some(count), &[("names", names)]).ok()
    }

    /// `4.8 of 5 from 212 reviews`, or nothing without reviews.
    pub(super) fn rated(&self) -> Option<String> {
        let rating = &self.data.aggregate;
        let average = self.words.decimal(rating.average?.value(), 2);
        let values = [("average", average)];
        self.words.say("rated", Some(rating.review_count), &values).ok()
    }

    /// `January 2020 – March 2021`, or one month; years where months are not known.
    pub(super) fn period(&self, from: &Review, to: &Review) -> String {
        let month = |review: &Review| match review.date_precision {
            DatePrecision::Day => self.words.month_year(review.date, "months"),
            _ => self.words.review_date(review),
        };
        let (from, to) = (month(from), month(to));
        if from == to {
            return to;
        }
        self.words.say("between", None, &[("from", from), ("to", to)]).unwrap_or_default()
    }
}

/// An address as it may stand in a page: what no address may hold is percent-encoded.
fn address(text: &str) -> String {
    url::Url::parse(text).map_or_else(|_| text.to_owned(), String::from)
}

/// The first letter or digit of a name, for the round picture beside it.
fn initial(name: &str) -> String {
    let first = name.chars().find(|c| c.is_alphanumeric());
    first.map_or_else(|| "·".to_owned(), |c| c.to_uppercase().to_string())
}

/// What is shown of a long text at first, and the rest.
fn clamp(text: &str) -> (&str, Option<&str>) {
    if text.chars().nth(CLAMP + CLAMP_REST).is_none() {
        return (text, None);
    }
    let end = text.char_indices().nth(CLAMP).map_or(text.len(), |(at, _)| at);
    let end = text[..end].rfind(char::is_whitespace).filter(|at| *at > 0).unwrap_or(end);
    (&text[..end], Some(&text[end..]))
}

/// The beginning of a text in one line, for descriptions.
pub(super) fn excerpt(text: &str, characters: usize) -> String {
    let line = plain(text).split_whitespace().collect::<Vec<_>>().join(" ");
    match line.char_indices().nth(characters) {
        None => line,
        Some((end, _)) => {
            let end = line[..end].rfind(' ').filter(|at| *at > 0).unwrap_or(end);
            format!("{}…", &line[..end])
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_text_is_parted_between_words_and_loses_nothing() {
        let text = "word ".repeat(400);
        let (head, tail) = clamp(&text);
        assert_eq!(format!("{head}{}", tail.unwrap()), text);
        assert!(head.ends_with("word"));
        assert_eq!(clamp("short"), ("short", None));
        let unbroken = "語".repeat(2_000);
        assert_eq!(clamp(&unbroken).0.chars().count(), CLAMP);
    }

    #[test]
    fn an_excerpt_is_one_line() {
        assert_eq!(excerpt("a\nb  \u{202e}c", 10), "a b c");
        assert_eq!(excerpt("one two three", 9), "one two…");
    }
}
