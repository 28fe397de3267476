//! Customers' own sentences on the first page: one at the top, those of praise and criticism, and those about people.
//! No review is quoted twice.

use std::{collections::BTreeSet, sync::Arc};

use serde::Serialize;

use super::{
    members::SubjectKind,
    quotes::{QuoteView, quotes, spoken},
    sentence,
    subject::{Subject, subjects},
    view::{CountedLink, MIN_FOR_LISTS, Viewer},
};
use content::theme::primary_tag;
use contract::model::{Review, ReviewId};
use insights::{Example, Sentiment, counted, distinct_aspects};

/// The number of reviews from which a customer's sentence is at the top: of fewer, it would be on the page twice.
const MIN_FOR_SAY: usize = 3;
/// The number of sentences of praise, or of criticism, shown for an aspect.
const EVIDENCE: usize = 3;
/// The number of people on the first page; the others have their own page.
pub(super) const PEOPLE: usize = 6;

/// An aspect that customers praise, or criticise, more than the others.
#[derive(Debug, Serialize)]
pub(super) struct VoiceView<'d> {
    class: &'static str,
    title: String,
    href: String,
    label: String,
    /// The number of opinions on this side, in words.
    counts: String,
    quotes: Vec<QuoteView<'d>>,
}

/// A person of the business, with a sentence of a customer.
#[derive(Debug, Serialize)]
pub(super) struct PersonView<'d> {
    link: CountedLink,
    photo: Option<String>,
    initials: String,
    since: Option<String>,
    /// The number of opinions that are praise, in words.
    counts: String,
    quote: Option<QuoteView<'d>>,
}

/// Returns the clearest praise, or the newest sentence of praise, that is not in full on the page.
pub(super) fn say<'d>(viewer: &Viewer<'d>, used: &mut BTreeSet<ReviewId>) -> Option<QuoteView<'d>> {
    let data = viewer.data;
    if data.reviews.len() < MIN_FOR_SAY {
        return None;
    }
    let all_are_here = data.reviews.len() < MIN_FOR_LISTS;
    let is_free = |id: &ReviewId| all_are_here || !used.contains(id);
    let computed = data.insights.pull_quote.iter().filter(|quote| is_free(&quote.review_id));
    let found = quotes(viewer, computed).into_iter().next().or_else(|| {
        let praise = data.reviews.iter().filter(|review| review.rating.stars() == 5);
        praise.filter(|review| is_free(&review.id)).find_map(|review| {
            let text = words_of(viewer, review)?;
            Some(spoken(viewer, review, sentence::first(text, 60..=140, |_| true)?))
        })
    })?;
    used.insert(found.review);
    Some(found)
}

/// Returns the text of a review in the language of the page, if its author has no connection to the business.
fn words_of<'d>(viewer: &Viewer<'_>, review: &'d Review) -> Option<&'d str> {
    let own = primary_tag(&viewer.words.language);
    let is_own = review.language.as_deref().is_none_or(|tag| primary_tag(tag) == own);
    review.text.as_deref().filter(|_| is_own && review.disclosure.is_none())
}

/// Returns the aspects that are praised and those that are criticised more than the rest.
pub(super) fn voices<'d>(
    viewer: &Viewer<'d>,
    aspects: &[Subject<'d>],
    used: &mut BTreeSet<ReviewId>,
) -> Vec<VoiceView<'d>> {
    let kinds = [
        (Sentiment::Positive, "good", "more_praised"),
        (Sentiment::Negative, "bad", "more_criticised"),
    ];
    let mut voices = Vec::new();
    for (sentiment, class, title) in kinds {
        let distinct = distinct_aspects(&viewer.data.insights, sentiment);
        let shown = |id: &Arc<str>| aspects.iter().find(|aspect| aspect.id == id);
        let Some((aspect, of_aspect)) = distinct.iter().find_map(|it| Some((shown(&it.id)?, it)))
        else {
            continue;
        };
        let is_shown = |it: &&Example| it.sentiment == sentiment && !used.contains(&it.review_id);
        let examples = of_aspect.examples.iter().chain(&of_aspect.spare_examples);
        let mut quotes = quotes(viewer, examples.filter(is_shown));
        quotes.truncate(EVIDENCE);
        used.extend(quotes.iter().map(|quote| quote.review));
        if quotes.is_empty() {
            continue;
        }
        let CountedLink { href, label, .. } = aspect.link(viewer);
        let counts = counted(&*viewer.words, aspect.tally, sentiment);
        let title = viewer.words.word(title);
        voices.push(VoiceView { class, title, href, label, counts, quotes });
    }
    voices
}

/// Returns the people whom most reviews name, each with the newest sentence about them.
pub(super) fn people<'d>(
    viewer: &Viewer<'d>,
    used: &mut BTreeSet<ReviewId>,
) -> Vec<PersonView<'d>> {
    let data = viewer.data;
    let mut people = subjects(data, SubjectKind::Technician);
    people.retain(|who| who.tally.count() > 0);
    people.sort_by_key(|who| std::cmp::Reverse(who.tally.count()));
    let view = |who: &Subject<'d>| {
        let listed = data.listed.technicians.iter().find(|it| *it.entity.id == **who.id);
        let first_name = who.name.split_whitespace().next().unwrap_or(who.name);
        let praise = data.reviews.iter().filter(|review| {
            let names = review.mentions.technician_ids.contains(who.id);
            names && review.rating.stars() >= 4 && !used.contains(&review.id)
        });
        let quote = praise.into_iter().find_map(|review| {
            let text = words_of(viewer, review)?;
            let sentence = sentence::first(text, 40..=160, |it| it.contains(first_name))?;
            Some(spoken(viewer, review, sentence))
        });
        used.extend(quote.iter().map(|quote| quote.review));
        PersonView {
            link: who.link(viewer),
            photo: who.photo(viewer),
            initials: who
                .name
                .split_whitespace()
                .filter_map(|it| it.chars().next())
                .take(2)
                .collect(),
            since: listed.and_then(|it| it.active_from).map(|day| day.year().to_string()),
            counts: counted(&*viewer.words, who.tally, Sentiment::Positive),
            quote,
        }
    };
    people.iter().take(PEOPLE).map(view).collect()
}
