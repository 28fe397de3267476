//! One review as the values that templates get.

use contract::{
    model::{
        Business, DIRECT, DatePrecision, Policy, Review, Verification, VerificationKind,
        source_name,
    },
    percent::encode_path,
    query::encoded,
    routes,
};
use std::{collections::BTreeSet, sync::Arc};

use serde::Serialize;

use super::{
    json_ld, languages,
    routes::{LinkView, Routes},
    sentence,
};
use content::{dataset::Dataset, theme::primary_tag, words::Words};

/// The place of a review on a page, which decides how many characters of it and of its reply are shown at first.
#[derive(Clone, Copy, Debug)]
pub(super) enum Limit {
    /// The review is beside others.
    Card,
    /// The review is below others.
    Row,
}

impl Limit {
    fn text(self) -> usize {
        match self {
            Self::Card => 190,
            Self::Row => 420,
        }
    }

    fn reply(self) -> usize {
        match self {
            Self::Card => 110,
            Self::Row => 320,
        }
    }
}

/// The number of characters up to which a text is set larger.
const BRIEF: usize = 80;

/// One review.
#[derive(Debug, Serialize)]
pub(super) struct ReviewView<'d> {
    id: String,
    href: String,
    url: &'d str,
    author: &'d str,
    rating: u8,
    stars: String,
    date: String,
    day: String,
    /// The text, or the part of it that is shown at first.
    head: Option<&'d str>,
    /// The part that is shown on demand.
    tail: Option<&'d str>,
    /// The whole text.
    text: Option<&'d str>,
    brief: bool,
    /// Nobody wrote or disclosed anything.
    silent: bool,
    language: Option<&'d str>,
    /// The language of the original.
    language_name: Option<&'d str>,
    /// Who translated the text, as in `Translated by Google`, if it is a translation.
    translated: Option<String>,
    /// The original of a translation, or the translation of an original.
    other: Option<OtherView<'d>>,
    /// The extent to which it was checked.
    method: Option<String>,
    /// Whether its author is known to be a customer.
    checked: bool,
    source: String,
    /// The source, as in `on Google`.
    via: String,
    source_url: Option<String>,
    reply: Option<ReplyView<'d>>,
    disclosure: Option<DisclosureView<'d>>,
    mentions: Vec<LinkView>,
}

#[derive(Debug, Serialize)]
struct OtherView<'d> {
    text: &'d str,
    language: Option<&'d str>,
    /// The label, as in `Translated by Google` or `See original (Español)`.
    label: String,
}

#[derive(Debug, Serialize)]
struct ReplyView<'d> {
    head: &'d str,
    tail: Option<&'d str>,
    text: &'d str,
    day: Option<String>,
    date: Option<String>,
}

#[derive(Debug, Serialize)]
struct DisclosureView<'d> {
    label: String,
    note: Option<&'d str>,
}

/// A line of the legend of how far reviews were checked.
#[derive(Debug, Serialize)]
pub(super) struct MarkView {
    ok: bool,
    text: String,
    /// The link with which readers report a review.
    href: Option<String>,
}

/// Turns reviews into views. It has all values that a view depends on beside its review.
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

    /// Returns the path of the page that has a review.
    pub(super) fn review_href(&self, review: &Review) -> String {
        if self.has_pages {
            self.routes.href(&routes::review(review.id))
        } else {
            format!("{}#{}", self.routes.href(&self.routes.all()), review.id)
        }
    }

    pub(super) fn view(&self, review: &'d Review, limit: Limit) -> ReviewView<'d> {
        let (text, language) = self.first(review);
        let (head, tail) = text.map(|it| sentence::clamp(it, limit.text())).unzip();
        let translation = review.translation.as_ref();
        let is_translated = translation.is_some_and(|it| text == Some(&*it.text));
        let translated = translation.map(|it| {
            let by = [("source", source_name(&it.by))];
            self.words.say("translated_by", None, &by).unwrap_or_default()
        });
        let has_other = !is_translated || review.text.is_some();
        let other = translation.filter(|_| has_other).and_then(|it| {
            let (text, language) = match review.text.as_deref().filter(|_| is_translated) {
                Some(original) => (original, review.language.as_deref()),
                None => (&*it.text, it.language.as_deref()),
            };
            let original = || self.original(language);
            let label = if is_translated { original() } else { translated.clone()? };
            Some(OtherView { text, language, label })
        });
        let stars = [("stars", review.rating.to_string())];
        ReviewView {
            id: review.id.to_string(),
            href: self.review_href(review),
            url: &review.url,
            author: &review.author,
            rating: review.rating.stars(),
            stars: self.words.say("stars_of_5", None, &stars).unwrap_or_default(),
            date: self.words.review_date(review),
            day: review.known_date(),
            head,
            tail: tail.flatten(),
            text,
            brief: text.is_some_and(|text| text.chars().count() <= BRIEF),
            silent: review.text.is_none()
                && review.owner_reply.is_none()
                && review.disclosure.is_none(),
            language,
            language_name: review.language.as_deref().map(languages::name),
            translated: translated.filter(|_| is_translated),
            other,
            method: self.checked(review),
            checked: review.verification == VerificationKind::Purchase
                || self.method(&review.source).is_some_and(|method| !method.is_platform),
            source: self.source(&review.source),
            via: self.via(&review.source),
            source_url: review.source_url.as_deref().map(address),
            reply: review.owner_reply.as_ref().map(|reply| {
                let (head, tail) = sentence::clamp(&reply.text, limit.reply());
                ReplyView {
                    head,
                    tail,
                    text: &reply.text,
                    day: reply.date.map(|day| day.to_string()),
                    date: reply.date.map(|day| self.words.date(day)),
                }
            }),
            disclosure: review.disclosure.as_ref().map(|disclosure| DisclosureView {
                label: self.words.word(disclosure.kind.word()),
                note: disclosure.note.as_deref(),
            }),
            mentions: self.mentions(review),
        }
    }

    /// Returns the method by which the reviews of a source are verified.
    pub(super) fn method(&self, source: &str) -> Option<&'d Verification> {
        self.business.methods.get(source)
    }

    /// Describes how far a review was checked.
    fn checked(&self, review: &Review) -> Option<String> {
        match review.verification {
            VerificationKind::Purchase => Some(self.words.word("checked_purchase")),
            _ => self.checked_by_method(&review.source),
        }
    }

    /// Describes how far these reviews were checked, each way once.
    pub(super) fn marks<'v>(
        &self,
        reviews: impl Iterator<Item = &'v ReviewView<'d>>,
    ) -> Vec<MarkView>
    where
        'd: 'v,
    {
        self.legend(
            reviews.map(|it| (it.source.as_str(), it.method.as_deref().filter(|_| it.checked))),
        )
    }

    /// Describes it for names of sources, with the method of those that were checked.
    pub(super) fn legend<'v>(
        &self,
        reviews: impl Iterator<Item = (&'v str, Option<&'v str>)>,
    ) -> Vec<MarkView> {
        let (mut sources, mut methods) = (BTreeSet::new(), BTreeSet::new());
        for (source, method) in reviews {
            match method {
                Some(method) => methods.insert(method),
                None => sources.insert(source),
            };
        }
        let sources: Vec<&str> = sources.into_iter().collect();
        let posted = [("sources", sources.join(", "))];
        let posted = self.words.say("not_checked", None, &posted).ok();
        let posted = posted.filter(|_| !sources.is_empty());
        let posted = posted.map(|text| MarkView { ok: false, text, href: None });
        let methods = methods.into_iter().map(str::to_owned);
        let methods = methods.map(|text| MarkView { ok: true, text, href: None });
        let mut marks: Vec<MarkView> = posted.into_iter().chain(methods).collect();
        let report = report_link(&self.business.policy, None).filter(|_| !marks.is_empty());
        marks.extend(report.map(|href| MarkView {
            ok: false,
            text: self.words.word("policy_report"),
            href: Some(href),
        }));
        marks
    }

    /// Describes it for a review of a source that marks no purchases.
    pub(super) fn checked_by_method(&self, source: &str) -> Option<String> {
        let method = self.method(source)?;
        if method.is_platform {
            return Some(method.method.clone());
        }
        self.words.say("checked_by_business", None, &[("method", method.method.clone())]).ok()
    }

    /// Returns a source's name for readers.
    pub(super) fn source(&self, source: &str) -> String {
        self.words.source(source)
    }

    /// Describes the place where a review was posted.
    fn via(&self, source: &str) -> String {
        match source {
            DIRECT => self.words.word("source_direct"),
            _ => {
                let name = [("source", source_name(source))];
                self.words.say("via", None, &name).unwrap_or_default()
            }
        }
    }

    /// Returns the text that readers of the page understand, with its language: the translation, unless the review is in
    /// the page's language or the translation is in a third one.
    pub(super) fn first(&self, review: &'d Review) -> (Option<&'d str>, Option<&'d str>) {
        let own = primary_tag(&self.words.language);
        let is_own = |tag: &str| primary_tag(tag) == own;
        let original = (review.text.as_deref(), review.language.as_deref());
        let translation = review.translation.as_ref();
        let translation = translation.map(|it| (Some(&*it.text), it.language.as_deref()));
        let translation = translation.filter(|(_, tag)| tag.is_none_or(is_own));
        translation.filter(|_| !original.1.is_some_and(is_own)).unwrap_or(original)
    }

    /// Labels an original text that follows its translation.
    fn original(&self, language: Option<&str>) -> String {
        let Some(tag) = language else { return self.words.word("original") };
        let language = [("language", languages::name(tag).to_owned())];
        self.words.say("see_original", None, &language).unwrap_or_default()
    }

    /// Returns links to the pages of the entities that the review names.
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

    /// Returns `January 2020 – March 2021`, or one month; years if months are not known.
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

/// Returns the link with which readers report a review, where the owner states an address. An e-mail has the address of
/// the review in its subject.
pub(super) fn report_link(policy: &Policy, review: Option<&str>) -> Option<String> {
    let to = policy.report.as_deref()?;
    if to.contains("://") {
        return Some(to.to_owned());
    }
    let subject = review.map(|url| format!("?subject={}", encoded(url))).unwrap_or_default();
    Some(format!("mailto:{}{subject}", encode_path(to)))
}

/// Percent-encodes the characters that an address in a page must not have.
fn address(text: &str) -> String {
    url::Url::parse(text).map_or_else(|_| text.to_owned(), String::from)
}
