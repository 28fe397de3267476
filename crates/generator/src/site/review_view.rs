//! One review as templates get it.

use contract::{
    model::{
        Business, DIRECT, DatePrecision, Review, Translation, Verification, VerificationKind,
        source_name,
    },
    routes,
};
use std::sync::Arc;

use serde::Serialize;

use super::{
    json_ld, languages,
    routes::{LinkView, Routes},
};
use content::{dataset::Dataset, words::Words};

/// Characters of a review shown before "read more".
const CLAMP: usize = 700;
/// A rest shorter than this is shown at once.
const CLAMP_REST: usize = 200;

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
    /// How far it was checked.
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

/// Turns reviews into views. It has all that a view depends on beside its review, and nothing that one
/// review more changes as a rule: where the viewer and the review are the same, so is the view.
#[derive(Debug)]
pub(super) struct ReviewViewer<'d> {
    pub(super) business: &'d Business,
    /// The `@id` of the business in JSON-LD.
    pub(super) business_id: String,
    /// Whether JSON-LD has reviews.
    pub(super) has_markup: bool,
    pub(super) words: Arc<Words>,
    pub(super) routes: Routes,
    /// Whether each review has a page of its own.
    has_pages: bool,
}

impl<'d> ReviewViewer<'d> {
    pub(super) fn new(data: &'d Dataset, words: Arc<Words>) -> Self {
        Self {
            business: &data.business,
            business_id: json_ld::id(data),
            has_markup: json_ld::has_reviews(data),
            words,
            routes: Routes::new(&data.site),
            has_pages: data.site.appearance.review_pages.enabled,
        }
    }

    /// Where a review can be read, within the site.
    pub(super) fn review_href(&self, review: &Review) -> String {
        if self.has_pages {
            self.routes.href(&routes::review(review.id))
        } else {
            format!("{}#{}", self.routes.href(&self.routes.all()), review.id)
        }
    }

    pub(super) fn view(&self, review: &'d Review) -> ReviewView<'d> {
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
            method: self.checked(review),
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
        self.business.methods.get(source)
    }

    /// How far a review was checked, in words.
    fn checked(&self, review: &Review) -> Option<String> {
        match review.verification {
            VerificationKind::Purchase => Some(self.words.word("checked_purchase")),
            _ => self.checked_by_method(&review.source),
        }
    }

    /// The same of reviews of a source that marks no purchase.
    pub(super) fn checked_by_method(&self, source: &str) -> Option<String> {
        let method = self.method(source)?;
        if method.is_platform {
            return Some(method.method.clone());
        }
        self.words.say("checked_by_business", None, &[("method", method.method.clone())]).ok()
    }

    /// A source's name for readers.
    pub(super) fn source(&self, source: &str) -> String {
        match source {
            DIRECT => self.words.word("source_direct"),
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
        let business = self.business;
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
            .map(|(folder, id, label)| LinkView {
                href: self.routes.href(&self.routes.page(&format!("{folder}/{id}/"))),
                label: label.to_string(),
            })
            .collect()
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

/// An address as it may be in a page: what no address may hold is percent-encoded.
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
}
