//! The first page: who, how rated, what customers say, the newest reviews.

use minijinja::{Value, value::Serde};
use serde::Serialize;

use super::{
    actions::dial,
    chart::{self, StarBar, TimeView},
    directory::{SourceView, parts, sources},
    json_ld,
    listing::reviews,
    members::SubjectKind,
    page::{Head, Page},
    renderer::{Renderer, has_contact, one_line},
    replies,
    review_view::ReviewView,
    subject::{CardView, QuoteView, Subject, fill_class, quotes, subjects},
    view::{CountedLink, Viewer},
};
use content::{dataset::Dataset, theme};
use contract::model::Business;
use insights::{AspectSummary, Sentiment, distinct_aspects};

/// A distribution of three reviews says nothing.
const MIN_FOR_DISTRIBUTION: u64 = 6;
/// Aspects that the hero says are praised, or criticised.
const VOICES: usize = 3;
/// Reviews shown in full.
const NEWEST: usize = 6;
/// Aspects shown; the others have their own page.
const ASPECTS: usize = 6;

/// How the business is rated.
#[derive(Debug, Serialize)]
pub(super) struct RatingView {
    average: Option<String>,
    fill: String,
    stars: String,
    of_five: String,
    count: u64,
    distribution: Vec<StarBar>,
    /// What is here of each source that is not complete.
    parts: Vec<String>,
}

pub(super) fn rating(viewer: &Viewer<'_>) -> RatingView {
    let rating = &viewer.data.aggregate;
    let average = rating.average.map(|average| viewer.words.decimal(average.value(), 2));
    let stars = [("stars", average.clone().unwrap_or_default())];
    let bars = rating.review_count >= MIN_FOR_DISTRIBUTION;
    RatingView {
        fill: fill_class(rating.average.map(|average| average.value())),
        stars: viewer.words.say("stars_of_5", None, &stars).unwrap_or_default(),
        of_five: viewer
            .words
            .say("of_five_from", Some(rating.review_count), &[])
            .unwrap_or_default(),
        average,
        count: rating.review_count,
        parts: parts(viewer),
        distribution: if bars { chart::distribution(viewer) } else { Vec::new() },
    }
}

#[derive(Debug, Serialize)]
struct HomeView<'d> {
    rating: RatingView,
    contact: Option<ContactView>,
    summary: Option<Value>,
    summary_page: String,
    praised: Vec<CountedLink>,
    criticised: Vec<CountedLink>,
    replies: Option<String>,
    aspects: Vec<AspectView<'d>>,
    more_aspects: Option<String>,
    coverage: String,
    time: Option<TimeView>,
    trend: String,
    newest: Vec<ReviewView<'d>>,
    all: String,
    people: Vec<CardView>,
    services: Vec<CountedLink>,
    areas: Vec<CountedLink>,
    topics: Vec<CountedLink>,
    sources: Vec<SourceView<'d>>,
    withheld: usize,
}

/// An aspect with the sentences that show it.
#[derive(Debug, Serialize)]
struct AspectView<'d> {
    card: CardView,
    praise: Option<QuoteView<'d>>,
    blame: Option<QuoteView<'d>>,
}

/// Where and when to find the business.
#[derive(Debug, Serialize)]
pub(super) struct ContactView {
    address: Option<String>,
    phone: Option<String>,
    dial: Option<String>,
    website: Option<String>,
    hours: Vec<(String, String)>,
}

fn contact(viewer: &Viewer<'_>, business: &Business) -> ContactView {
    let line = |hours: &contract::model::Hours| {
        let days: Vec<String> = hours.days.iter().map(|day| day_name(viewer, day)).collect();
        let shown = match (days.first(), days.last()) {
            (Some(first), Some(last)) if days.len() > 2 => format!("{first} – {last}"),
            _ => days.join(", "),
        };
        (capitalised(&shown), format!("{} – {}", hours.opens, hours.closes))
    };
    ContactView {
        address: business.address.as_ref().map(one_line).filter(|line| !line.is_empty()),
        dial: business.phone.as_deref().map(dial),
        phone: business.phone.clone(),
        website: business.url.clone(),
        hours: business.hours.iter().map(line).collect(),
    }
}

/// With a capital at its beginning: some languages write the names of days without one.
fn capitalised(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or(String::new(), |first| first.to_uppercase().chain(letters).collect())
}

fn day_name(viewer: &Viewer<'_>, english: &str) -> String {
    const DAYS: [&str; 7] =
        ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"];
    let names = viewer.words.word("day_names");
    let at = DAYS.iter().position(|day| *day == english);
    let name = at.and_then(|at| names.split('|').nth(at));
    name.unwrap_or(english).to_owned()
}

pub(super) fn page<'d>(renderer: &Renderer<'d>) -> Page<'d> {
    let data = renderer.viewer.data;
    let updated = data.reviews.iter().map(|review| review.updated).max();
    Page::new(renderer.viewer.routes.page(""), "home.html", home).updated(updated)
}

/// The newest reviews, those with words before those without.
pub(super) fn newest(data: &Dataset, count: usize) -> Vec<u32> {
    let all = || (0..).zip(&data.reviews);
    let with_words = all().filter(|(_, review)| review.text.is_some());
    let without = all().filter(|(_, review)| review.text.is_none());
    with_words.chain(without).take(count).map(|(at, _)| at).collect()
}

/// The aspects that are praised, or criticised, more than the rest.
fn most(viewer: &Viewer<'_>, aspects: &[Subject<'_>], wanted: Sentiment) -> Vec<CountedLink> {
    let link = |aspect: &AspectSummary| {
        let subject = aspects.iter().find(|subject| *subject.id == aspect.id)?;
        Some(CountedLink { count: aspect.tally.with(wanted), ..subject.link(viewer) })
    };
    let most = distinct_aspects(&viewer.data.insights, wanted).into_iter();
    most.filter_map(link).take(VOICES).collect()
}

fn home<'d>(renderer: &Renderer<'d>) -> (Head, Value) {
    let viewer = &renderer.viewer;
    let data = viewer.data;
    let links = |kind| subjects(data, kind).iter().map(|s| s.link(viewer)).collect::<Vec<_>>();
    let named = |kind| links(kind).into_iter().filter(|link| link.count > 0).collect();
    let aspects = subjects(data, SubjectKind::Aspect);
    let example = |id: &str, wanted: Sentiment| {
        let aspect = data.insights.aspects.iter().find(|aspect| *aspect.id == *id)?;
        let wanted = aspect.examples.iter().filter(|example| example.sentiment == wanted);
        quotes(viewer, wanted).into_iter().next()
    };
    let mut shown: Vec<_> = aspects.iter().filter(|aspect| aspect.tally.count() > 0).collect();
    shown.sort_by_key(|aspect| std::cmp::Reverse(aspect.tally.count()));
    let people = subjects(data, SubjectKind::Technician);
    let all = viewer.routes.href(&viewer.routes.all());
    let view = HomeView {
        rating: rating(viewer),
        contact: has_contact(&data.business).then(|| contact(viewer, &data.business)),
        summary: first_paragraph(viewer),
        summary_page: viewer.routes.href(&viewer.routes.page("summary/")),
        more_aspects: (shown.len() > ASPECTS)
            .then(|| viewer.routes.href(&viewer.routes.page("aspects/"))),
        praised: most(viewer, &aspects, Sentiment::Positive),
        criticised: most(viewer, &aspects, Sentiment::Negative),
        replies: replies::line(viewer),
        coverage: viewer.coverage(),
        aspects: shown
            .iter()
            .take(ASPECTS)
            .map(|aspect| AspectView {
                card: aspect.card(viewer),
                praise: example(aspect.id, Sentiment::Positive),
                blame: example(aspect.id, Sentiment::Negative),
            })
            .collect(),
        time: chart::by_month(viewer),
        trend: super::subject::trend_words(viewer, data.insights.trend),
        newest: reviews(viewer, &newest(data, NEWEST)),
        all,
        people: people.iter().map(|who| who.card(viewer)).collect(),
        services: named(SubjectKind::Service),
        areas: named(SubjectKind::Area),
        topics: named(SubjectKind::Topic),
        sources: sources(viewer),
        withheld: data.moderation.withheld_count,
    };
    let title = match viewer.rated() {
        Some(rated) => format!("{}: {rated}", data.business.name),
        None => data.title.clone(),
    };
    let description = data.business.description.clone().unwrap_or_else(|| title.clone());
    (Head { title, description, json_ld: Some(json_ld::business(data)) }, Value::from(Serde(view)))
}

/// The summary's beginning, as HTML.
pub(super) fn first_paragraph(viewer: &Viewer<'_>) -> Option<Value> {
    let text = &viewer.data.summary.as_ref()?.text;
    Some(theme::to_html(text.split("\n\n").next().unwrap_or(text)))
}
