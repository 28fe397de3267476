//! Lists of reviews, and a page for each review.

use contract::{
    api::FEED_SIZE,
    compress::Effort,
    model::{Rating, Review},
};
use std::sync::Arc;

use jiff::Timestamp;
use minijinja::{Value, value::Serde};
use serde::Serialize;

use super::{
    json_ld,
    members::{Members, Numbers},
    page::{Head, Page},
    paged::{Paged, Pager},
    proof::LoggedView,
    renderer::Renderer,
    review_view::{Limit, MarkView, ReviewView, report_link},
    routes::Routes,
    view::{CountedLink, MIN_FOR_LISTS, Viewer, excerpt},
};
use content::dataset::Dataset;

/// The number of reviews on a full page; the front page has up to twice as many.
const PER_PAGE: usize = 25;

/// The number of reviews on a full page of this site. Without pages per review the feeds link to the front page.
pub(super) fn per_page(data: &Dataset) -> usize {
    if data.site.appearance.review_pages.enabled { PER_PAGE } else { FEED_SIZE }
}

/// A part of a list.
#[derive(Debug, Serialize)]
pub(super) struct ListView<'d> {
    heading: String,
    /// The number of all reviews; on the front page only, and not on a site without any.
    count: Option<u64>,
    /// The period of the reviews of a numbered page.
    period: Option<String>,
    reviews: Vec<ReviewView<'d>>,
    marks: Vec<MarkView>,
    pager: Pager,
    stars: Vec<CountedLink>,
    /// Of the page of all reviews and of the search page.
    tool: Option<Value>,
}

/// What is above the list of all reviews: values of the template, and the legend of all sources.
#[derive(Debug)]
pub(super) struct Tool {
    pub(super) view: Value,
    pub(super) marks: Vec<MarkView>,
}

/// Makes it, where there are reviews.
pub(super) type MakeTool = fn(&Viewer<'_>) -> Option<Tool>;

/// When one of these reviews last changed.
pub(super) fn newest(data: &Dataset, part: &[u32]) -> Option<Timestamp> {
    part.iter().map(|at| data.reviews[*at as usize].updated).max()
}

/// Returns the views of the reviews of a part, as rows.
pub(super) fn reviews<'d>(viewer: &Viewer<'d>, part: &[u32]) -> Vec<ReviewView<'d>> {
    cards(viewer, part, Limit::Row)
}

/// Returns the views of the reviews of a part, each cut at this limit.
pub(super) fn cards<'d>(viewer: &Viewer<'d>, part: &[u32], limit: Limit) -> Vec<ReviewView<'d>> {
    let all = &viewer.data.reviews;
    part.iter().map(|at| viewer.reviews.view(&all[*at as usize], limit)).collect()
}

/// Divides the list of all reviews into pages.
pub(super) fn all_pages(data: &Dataset, routes: &Routes) -> Paged {
    let count = u32::try_from(data.reviews.len()).unwrap_or(u32::MAX);
    Paged::new(routes.all(), (0..count).collect(), &data.reviews, per_page(data))
}

/// A page that searches, without a list of its own.
pub(super) fn search<'d>(viewer: &Viewer<'d>, heading: String, tool: Option<Tool>) -> ListView<'d> {
    let list = Paged::new(String::new(), Numbers::default(), &viewer.data.reviews, 1);
    ListView { count: None, ..front(viewer, &list, heading, tool) }
}

/// The front page of a list.
fn front<'d>(
    viewer: &Viewer<'d>,
    list: &Paged,
    heading: String,
    tool: Option<Tool>,
) -> ListView<'d> {
    let any = !viewer.data.reviews.is_empty();
    let reviews = reviews(viewer, list.part(None));
    ListView {
        heading,
        count: any.then_some(list.members.len() as u64),
        period: None,
        tool: tool.as_ref().map(|tool| tool.view.clone()),
        marks: tool.map_or_else(|| viewer.reviews.marks(reviews.iter()), |tool| tool.marks),
        reviews,
        pager: list.pager(viewer, None),
        stars: if any { star_links(viewer) } else { Vec::new() },
    }
}

fn numbered(viewer: &Viewer<'_>, list: &Paged, number: usize, heading: String) -> (Head, Value) {
    let part = list.part(Some(number));
    let review = |at: &u32| &viewer.data.reviews[*at as usize];
    let ends = part.last().zip(part.first());
    let period = ends.map(|(from, to)| viewer.reviews.period(review(from), review(to)));
    let (period_shown, name) = (period.as_deref().unwrap_or_default(), &viewer.data.business.name);
    let title = format!("{heading}, {period_shown} · {name}");
    let head = Head { description: title.clone(), title, json_ld: None };
    let reviews = reviews(viewer, part);
    let view = ListView {
        heading,
        count: None,
        period,
        marks: viewer.reviews.marks(reviews.iter()),
        reviews,
        pager: list.pager(viewer, Some(number)),
        stars: Vec::new(),
        tool: None,
    };
    (head, Value::from(Serde(view)))
}

/// Returns links to the lists by stars, five first.
pub(super) fn star_links(viewer: &Viewer<'_>) -> Vec<CountedLink> {
    let distribution = &viewer.data.aggregate.distribution;
    let link = |(stars, count): (&u8, &u64)| CountedLink {
        href: viewer.routes.href(&viewer.routes.page(&format!("rating/{stars}/"))),
        label: viewer.words.say("n_stars", Some(u64::from(*stars)), &[]).unwrap_or_default(),
        count: *count,
        filter: format!("rating={stars}"),
    };
    distribution.iter().rev().filter(|(_, count)| **count > 0).map(link).collect()
}

/// Returns the pages of a list: the front page made by `front`, the numbered ones all alike.
pub(super) fn pages_of<'d>(
    data: &Dataset,
    list: Paged,
    heading: String,
    front: impl FnOnce(Paged) -> Page<'d>,
) -> Vec<Page<'d>> {
    let mut pages = Vec::with_capacity(list.numbered() + 1);
    for number in 1..=list.numbered() {
        let updated = newest(data, list.part(Some(number)));
        let (path, list, heading) = (list.path_of(number), list.clone(), heading.clone());
        let page = Page::new(path, "list.html", move |renderer| {
            numbered(&renderer.viewer, &list, number, heading.clone())
        });
        // The first page leads to all; search engines need no other way to the same reviews.
        pages.push(page.updated(updated).unlisted());
    }
    // Its figures are of all members.
    let updated = newest(data, &list.members);
    pages.push(front(list).updated(updated));
    pages
}

fn simple_list<'d>(
    renderer: &Renderer<'d>,
    path: String,
    members: Numbers,
    heading: String,
    tool: Option<MakeTool>,
) -> Vec<Page<'d>> {
    let data = renderer.viewer.data;
    let list = Paged::new(path.clone(), members, &data.reviews, per_page(data));
    pages_of(data, list, heading.clone(), move |list| {
        Page::new(path.clone(), "list.html", move |renderer| {
            let viewer = &renderer.viewer;
            let view = front(viewer, &list, heading.clone(), tool.and_then(|make| make(viewer)));
            let business = &renderer.viewer.data.business;
            let rated = renderer.viewer.rated().unwrap_or_default();
            let head = Head {
                title: format!("{heading} · {}", business.name),
                description: format!("{heading} · {}: {rated}", business.name),
                json_ld: Some(json_ld::trail(
                    renderer.viewer.data,
                    &renderer.viewer.routes,
                    &[(&heading, &path)],
                )),
            };
            (head, Value::from(Serde(view)))
        })
    })
}

/// All reviews.
pub(super) fn all<'d>(
    renderer: &Arc<Renderer<'d>>,
    members: &Members,
    tool: MakeTool,
) -> Vec<Page<'d>> {
    let viewer = &renderer.viewer;
    let heading = viewer.words.word("all_reviews");
    let pages =
        simple_list(renderer, viewer.routes.all(), members.all.clone(), heading, Some(tool));
    // On a small site the first page has the same reviews.
    let is_small = members.all.len() < MIN_FOR_LISTS;
    pages.into_iter().map(|page| if is_small { page.unlisted() } else { page }).collect()
}

/// Returns a list for each number of stars.
pub(super) fn star_lists<'d>(renderer: &Arc<Renderer<'d>>, members: &Members) -> Vec<Page<'d>> {
    let viewer = &renderer.viewer;
    let list = |rating: Rating| {
        let path = viewer.routes.page(&format!("rating/{rating}/"));
        let stars = u64::from(rating.stars());
        let heading = viewer.words.say("n_star_reviews", Some(stars), &[]).unwrap_or_default();
        let pages = simple_list(renderer, path, members.with(rating), heading, None);
        pages.into_iter().map(Page::unlisted)
    };
    let any = |rating: &Rating| !members.with(*rating).is_empty();
    Rating::all().filter(any).flat_map(list).collect()
}

/// Returns a page for each review, if the owner wants them.
pub(super) fn review_pages<'d>(renderer: &Arc<Renderer<'d>>) -> Vec<Page<'d>> {
    let data = renderer.viewer.data;
    let settings = data.site.appearance.review_pages;
    let reviews = data.reviews.iter().filter(|_| settings.enabled);
    let page = |review: &'d Review| {
        let path = contract::routes::review(review.id);
        let page =
            Page::new(path, "review.html", move |renderer| review_page(&renderer.viewer, review));
        // One of very many, small and seldom read: siblings would make three files of each.
        let page = page.with_effort(Effort::None).updated(Some(review.updated));
        if settings.indexed { page } else { page.unlisted() }
    };
    reviews.map(page).collect()
}

/// A review with the values of its own page.
#[derive(Debug, Serialize)]
struct ReviewPageView<'d> {
    #[serde(flatten)]
    review: ReviewView<'d>,
    /// The entry in the transparency log, if the log has the review.
    logged: Option<LoggedView>,
    /// The link with which readers report it.
    report: Option<String>,
}

fn review_page(site: &Viewer<'_>, review: &Review) -> (Head, Value) {
    let viewer = &site.reviews;
    let values = [
        ("stars", review.rating.to_string()),
        ("business", viewer.business.name.clone()),
        ("date", viewer.words.review_date(review)),
    ];
    let title = viewer.words.say("review_by_stars", None, &values).unwrap_or_default();
    let no_words = || viewer.words.say("no_words", None, &values).unwrap_or_default();
    let description = viewer.first(review).0.map_or_else(no_words, |text| excerpt(text, 155));
    let json_ld = viewer
        .has_markup
        .then(|| json_ld::review_page(viewer.business, &viewer.business_id, review));
    let view = ReviewPageView {
        review: viewer.view(review, Limit::Row),
        logged: LoggedView::of(site, review),
        report: report_link(&viewer.business.policy, Some(&review.url)),
    };
    (Head { title, description, json_ld }, Value::from(Serde(view)))
}
