//! The first page: the business, its rating, the newest reviews with words, and the insights of all of them.

use std::collections::BTreeSet;

use minijinja::{Value, value::Serde};
use serde::Serialize;

use super::{
    assets::{PHOTO, PhotoView},
    chart::{self, StarBar},
    json_ld,
    listing::{cards, reviews},
    members::SubjectKind,
    page::{Head, Page, TITLE_LIMIT, title_within},
    quotes::QuoteView,
    renderer::Renderer,
    replies,
    review_view::{Limit, MarkView, ReviewView},
    sources::{SourceView, parts, sources},
    subject::{CardView, Subject, fill_class, subjects},
    view::{CountedLink, MIN_FOR_LISTS, MIN_OPINIONS, Viewer},
    voices::{PEOPLE, PersonView, VoiceView, people, say, voices},
    years::{YearBar, years},
};
use content::{dataset::Dataset, theme};
use contract::{compress::Effort, model::ReviewId};
use insights::Sentiment;

/// The number of reviews from which a distribution is shown.
const MIN_FOR_DISTRIBUTION: u64 = 5;
/// The number of reviews from which the newest are cards beside each other.
const MIN_FOR_CARDS: usize = 6;
/// The number of reviews with words from which six of them are shown; below it, three.
const MIN_FOR_SIX: usize = 12;
/// The number of lines from which a list has a heading of its own.
const MIN_LINES: usize = 3;
/// The number of aspects and of questions shown; the others have their own page.
const ASPECTS: usize = 9;
const QUESTIONS: usize = 4;
/// The number of ratings without words named below the newest reviews.
const SILENT: usize = 6;

/// The rating of the business.
#[derive(Debug, Serialize)]
pub(super) struct RatingView {
    average: Option<String>,
    fill: String,
    stars: String,
    of_five: String,
    count: u64,
    distribution: Vec<StarBar>,
    /// The share of each source that this site has, for sources that are not complete.
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
    /// The photograph at the top.
    photo: Option<PhotoView>,
    /// The path of the list of all reviews, if this page does not have all.
    all: Option<String>,
    /// The sentence of a customer at the top.
    say: Option<QuoteView<'d>>,
    replies: Option<String>,
    /// The newest reviews with words; on a small site the others follow as rows.
    cards: Vec<ReviewView<'d>>,
    rows: Vec<ReviewView<'d>>,
    /// The reviews without words of the same weeks.
    silent: Vec<ReviewView<'d>>,
    marks: Vec<MarkView>,
    aspects: Vec<CardView>,
    more_aspects: Option<String>,
    coverage: String,
    voices: Vec<VoiceView<'d>>,
    people: Vec<PersonView<'d>>,
    everyone: String,
    answers: Vec<(&'d str, Value)>,
    questions: String,
    note: Option<NoteView>,
    /// Services, areas and topics, each with its heading.
    lists: Vec<(String, Vec<CountedLink>)>,
    years: Vec<YearBar>,
    years_note: String,
    sources: Vec<SourceView<'d>>,
    withheld: usize,
}

/// The beginning of the owner's summary.
#[derive(Debug, Serialize)]
struct NoteView {
    text: Value,
    by: Option<String>,
    href: String,
}

pub(super) fn page<'d>(renderer: &Renderer<'d>) -> Page<'d> {
    let data = renderer.viewer.data;
    let updated = data.reviews.iter().map(|review| review.updated).max();
    let page = Page::new(renderer.viewer.routes.page(""), "home.html", home).updated(updated);
    // Most visitors come here, and it is one page.
    page.with_effort(Effort::Best)
}

/// Returns the numbers of the newest reviews, those with words before those without.
pub(super) fn newest(data: &Dataset, count: usize) -> Vec<u32> {
    let all = || (0..).zip(&data.reviews);
    let with_words = all().filter(|(_, review)| review.text.is_some());
    let without = all().filter(|(_, review)| review.text.is_none());
    with_words.chain(without).take(count).map(|(at, _)| at).collect()
}

/// Returns the numbers of the page's reviews: cards, rows, and those without words.
fn shown(data: &Dataset) -> [Vec<u32>; 3] {
    let part = |words: bool| {
        let numbered = (0..).zip(&data.reviews);
        let wanted = numbered.filter(|(_, review)| review.text.is_some() == words);
        wanted.map(|(at, _)| at).collect::<Vec<u32>>()
    };
    let (mut spoken, mut silent) = (part(true), part(false));
    let is_small = data.reviews.len() < MIN_FOR_LISTS;
    let cards = match spoken.len() {
        MIN_FOR_SIX.. if !is_small => 6,
        _ if is_small && data.reviews.len() < MIN_FOR_CARDS => 0,
        count => count.min(3),
    };
    let rows = spoken.split_off(cards);
    if is_small {
        return [spoken, rows, silent];
    }
    let last = spoken.last().copied().unwrap_or(u32::MAX);
    silent.retain(|at| *at < last);
    silent.truncate(SILENT);
    [spoken, Vec::new(), silent]
}

fn home<'d>(renderer: &Renderer<'d>) -> (Head, Value) {
    let viewer = &renderer.viewer;
    let data = viewer.data;
    let is_small = data.reviews.len() < MIN_FOR_LISTS;
    let page = |name: &str| viewer.routes.href(&viewer.routes.page(name));
    let [cards_shown, rows, silent] = shown(data);
    let cards = cards(viewer, &cards_shown, Limit::Card);
    let rows = reviews(viewer, &rows);
    let marks = viewer.reviews.marks(cards.iter().chain(&rows));
    // No sentence is twice on the page, unless all reviews are on it.
    let mut used: BTreeSet<ReviewId> =
        cards_shown.iter().map(|at| data.reviews[*at as usize].id).collect();
    let say = say(viewer, &mut used);
    let aspects = if is_small { Vec::new() } else { most_discussed(data) };
    let voices = voices(viewer, &aspects, &mut used);
    let mut people = if is_small { Vec::new() } else { people(viewer, &mut used) };
    people.truncate(if people.len() < PEOPLE { MIN_LINES } else { PEOPLE });
    let years = if is_small { Vec::new() } else { years(viewer) };
    let photo = data.site.appearance.photo.as_ref();
    let view = HomeView {
        rating: rating(viewer),
        photo: photo.and_then(|photo| renderer.assets.photo((PHOTO, photo), None, &viewer.routes)),
        all: (!is_small).then(|| viewer.routes.href(&viewer.routes.all())),
        say,
        replies: replies::line(viewer),
        marks,
        cards,
        rows,
        silent: reviews(viewer, &silent),
        coverage: viewer.coverage(),
        more_aspects: (!aspects.is_empty()).then(|| page("aspects/")),
        aspects: aspects.iter().take(ASPECTS).map(|aspect| aspect.card(viewer)).collect(),
        voices,
        people: if people.len() < MIN_LINES { Vec::new() } else { people },
        everyone: page("technicians/"),
        answers: answers(viewer),
        questions: page("faq/"),
        note: note(viewer),
        lists: if is_small { Vec::new() } else { lists(viewer) },
        years_note: if years.is_empty() { String::new() } else { years_note(viewer) },
        years,
        sources: sources(viewer)
            .into_iter()
            .zip(&data.sources)
            .filter(|(_, source)| source.review_count > 0)
            .map(|(view, _)| view)
            .collect(),
        withheld: data.moderation.withheld_count,
    };
    (head(renderer), Value::from(Serde(view)))
}

/// Returns the JSON-LD of the first page.
pub(super) fn structured_data(renderer: &Renderer<'_>) -> String {
    let viewer = &renderer.viewer;
    let pictures = [renderer.assets.widest_photo(viewer.data), renderer.assets.logo(viewer.data)];
    json_ld::business(viewer.data, &viewer.routes, pictures, &parts(viewer))
}

fn head(renderer: &Renderer<'_>) -> Head {
    let viewer = &renderer.viewer;
    let data = viewer.data;
    let title = match viewer.rated() {
        // Where the title is cut, the name is, and not the number.
        Some(rated) => {
            let room = TITLE_LIMIT.saturating_sub(rated.chars().count() + 2);
            format!("{}: {rated}", title_within(&data.business.name, room))
        }
        None => data.title.clone(),
    };
    let description = description(viewer).unwrap_or_else(|| title.clone());
    Head { title, description, json_ld: Some(structured_data(renderer)) }
}

/// Describes the page: the number of reviews, the newest month and the praised aspects, then the owner's words.
fn description(viewer: &Viewer<'_>) -> Option<String> {
    let data = viewer.data;
    let newest = data.reviews.first().zip(viewer.rated()).and_then(|(newest, rated)| {
        let month = viewer.reviews.period(newest, newest);
        viewer.words.say("newest_in", None, &[("rated", rated), ("month", month)]).ok()
    });
    let mut praised = subjects(data, SubjectKind::Aspect);
    praised.retain(|aspect| aspect.tally.with(Sentiment::Positive) >= MIN_OPINIONS);
    praised.sort_by_key(|aspect| std::cmp::Reverse(aspect.tally.with(Sentiment::Positive)));
    let names: Vec<_> = praised.iter().take(2).map(|aspect| aspect.link(viewer).label).collect();
    let names = Some(names.join(", ")).filter(|names| !names.is_empty());
    let praise =
        names.and_then(|names| viewer.words.say("often_praised", None, &[("topics", names)]).ok());
    let parts: Vec<String> =
        [newest, praise, data.business.description.clone()].into_iter().flatten().collect();
    Some(parts.join(" ")).filter(|text| !text.is_empty())
}

/// Returns the aspects that enough reviews mention, the most discussed first; none if they are too few.
fn most_discussed(data: &Dataset) -> Vec<Subject<'_>> {
    let mut aspects = subjects(data, SubjectKind::Aspect);
    aspects.sort_by_key(|aspect| std::cmp::Reverse(aspect.tally.count()));
    if aspects.len() < MIN_LINES { Vec::new() } else { aspects }
}

fn answers<'d>(viewer: &Viewer<'d>) -> Vec<(&'d str, Value)> {
    let answers = viewer.data.faq.iter().take(QUESTIONS);
    answers.map(|it| (it.question.as_str(), theme::to_html(&it.answer))).collect()
}

fn note(viewer: &Viewer<'_>) -> Option<NoteView> {
    let summary = viewer.data.summary.as_ref().filter(|it| !it.computed)?;
    let date = summary.date.map(|date| viewer.words.date(date.into()));
    let by: Vec<String> = summary.author.iter().cloned().chain(date).collect();
    Some(NoteView {
        text: first_paragraph(viewer)?,
        by: Some(by.join(", ")).filter(|by| !by.is_empty()),
        href: viewer.routes.href(&viewer.routes.page("summary/")),
    })
}

fn lists(viewer: &Viewer<'_>) -> Vec<(String, Vec<CountedLink>)> {
    let kinds = [
        (SubjectKind::Service, "by_service"),
        (SubjectKind::Area, "by_area"),
        (SubjectKind::Topic, "topics"),
    ];
    let list = |(kind, word): (SubjectKind, &str)| {
        let mut links: Vec<_> =
            subjects(viewer.data, kind).iter().map(|subject| subject.link(viewer)).collect();
        links.retain(|link| link.count > 0);
        links.sort_by_key(|link| std::cmp::Reverse(link.count));
        (links.len() >= MIN_LINES).then(|| (viewer.words.word(word), links))
    };
    kinds.into_iter().filter_map(list).collect()
}

/// Explains the numbers of the years, and until when the newest year is counted.
fn years_note(viewer: &Viewer<'_>) -> String {
    let Some(newest) = viewer.data.reviews.first() else { return String::new() };
    let values = [
        ("year", newest.date.date().year().to_string()),
        ("date", viewer.words.review_date(newest)),
    ];
    viewer.words.say("years_note", None, &values).unwrap_or_default()
}

/// Returns the first paragraph of the summary, as HTML.
pub(super) fn first_paragraph(viewer: &Viewer<'_>) -> Option<Value> {
    let text = &viewer.data.summary.as_ref()?.text;
    Some(theme::to_html(text.split("\n\n").next().unwrap_or(text)))
}
