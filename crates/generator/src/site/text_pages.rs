//! Pages of text: the summary, questions and answers, the explanation of all methods, and the page for addresses that
//! do not exist.

use content::{OwnPage, Pages, theme};
use contract::manifest::NOT_FOUND_PAGE;
use html_escape::encode_double_quoted_attribute as quoted;
use insights::{Language, complaints_found};
use minijinja::{Value, context, value::Serde};
use serde::Serialize;

use super::{
    assets::PhotoView,
    home::rating,
    json_ld, languages,
    page::{Head, Page, head, head_at},
    policy, proof,
    renderer::Renderer,
    replies,
    routes::LinkView,
    view::MIN_FOR_LISTS,
};

/// The width of a picture in an own page: that of its text.
const SIZES: &str = "(min-width: 48em) 46rem, 100vw";

/// Returns the pages that have content.
pub(super) fn pages<'d>(renderer: &Renderer<'d>) -> Vec<Page<'d>> {
    let (viewer, routes) = (&renderer.viewer, &renderer.viewer.routes);
    let mut pages = Vec::new();
    // On a small site the first page has all that is computed.
    let is_small = viewer.data.reviews.len() < MIN_FOR_LISTS;
    let listed = |page: Page<'d>, is_computed: bool| {
        if is_small && is_computed { page.unlisted() } else { page }
    };
    if let Some(summary) = &viewer.data.summary {
        let page = Page::new(routes.page("summary/"), "summary.html", self::summary);
        pages.push(listed(page, summary.computed));
    }
    if !viewer.data.faq.is_empty() {
        let is_computed = viewer.data.faq.iter().all(|answer| answer.source != "owner");
        pages.push(listed(Page::new(routes.page("faq/"), "faq.html", faq), is_computed));
    }
    pages.push(Page::new(routes.page("about-these-reviews/"), "about.html", about));
    pages.push(policy::page(renderer));
    let own = viewer.data.site.appearance.own_pages.iter();
    pages.extend(own.map(|page| {
        Page::new(viewer.own_path(page), "page.html", move |renderer| own_page(renderer, page))
    }));
    if viewer.data.site.appearance.pages == Pages::Root {
        pages.push(Page::new(NOT_FOUND_PAGE.to_owned(), NOT_FOUND_PAGE, not_found).unlisted());
    }
    pages
}

fn own_page(renderer: &Renderer<'_>, page: &OwnPage) -> (Head, Value) {
    let title = format!("{} · {}", page.title, renderer.viewer.data.business.name);
    let description = page.description.clone().unwrap_or_else(|| title.clone());
    let (viewer, path) = (&renderer.viewer, renderer.viewer.own_path(page));
    let trail = json_ld::trail(viewer.data, &viewer.routes, &[(&page.title, &path)]);
    let picture = |address: &str| picture(renderer, page, address);
    let view = context! {
        title => &page.title,
        text => theme::to_page(&page.text, &picture),
        language => &page.language,
    };
    (Head { description, title, json_ld: Some(trail) }, view)
}

/// The attributes of a picture of `static/`; those of size only if that is known, unlike that of an SVG.
fn picture(renderer: &Renderer<'_>, page: &OwnPage, address: &str) -> Option<String> {
    let viewer = &renderer.viewer;
    let file = viewer.data.site.picture(&viewer.own_path(page), address)?;
    if let Some(photo) = viewer.data.site.appearance.shown.get(&file.path) {
        let href = Some(viewer.routes.href(&file.path));
        let PhotoView { src, srcset, width, height } =
            renderer.assets.photo((&file.path, photo), href, &viewer.routes)?;
        let set = format!(" srcset=\"{srcset}\" sizes=\"{SIZES}\"");
        let set = if photo.versions.is_empty() { "" } else { &set };
        return Some(format!("src=\"{src}\"{set} width=\"{width}\" height=\"{height}\""));
    }
    let size = imagesize::blob_size(&file.bytes).map_or_else(
        |_| String::new(),
        |size| format!(" width=\"{}\" height=\"{}\"", size.width, size.height),
    );
    Some(format!("src=\"{}\"{size}", quoted(address)))
}

fn summary<'d>(renderer: &Renderer<'d>) -> (Head, Value) {
    let viewer = &renderer.viewer;
    let data = viewer.data;
    let overall = &data.insights.overall;
    let values = [
        ("positive", viewer.words.count(overall.positive_count)),
        ("negative", viewer.words.count(overall.negative_count)),
    ];
    let count = Some(data.reviews.len() as u64).filter(|count| *count > 0);
    let line = count.map(|_| viewer.words.say("overall_line", count, &values));
    let summary = data.summary.as_ref();
    let text = summary.map(|summary| theme::to_html(&summary.text));
    let head = head_at(viewer, "summary", "summary/");
    let view = context! {
        text => text,
        computed => summary.is_some_and(|summary| summary.computed),
        author => summary.and_then(|summary| summary.author.clone()),
        date => summary.and_then(|summary| summary.date).map(|date| viewer.words.date(date.into())),
        day => summary.and_then(|summary| summary.date).map(|date| date.to_string()),
        rating => Value::from(Serde(rating(viewer))),
        overall => line.and_then(Result::ok),
        trend => super::subject::trend_words(viewer, data.insights.trend),
    };
    (head, view)
}

#[derive(Debug, Serialize)]
struct AnswerView<'d> {
    id: &'d str,
    question: &'d str,
    answer: Value,
    label: String,
    evidence: Vec<LinkView>,
}

fn faq<'d>(renderer: &Renderer<'d>) -> (Head, Value) {
    let viewer = &renderer.viewer;
    let reviews = viewer.data.by_id();
    let answers = &viewer.data.faq;
    let answer = |answer: &'d insights::Answer| AnswerView {
        id: &answer.id,
        question: &answer.question,
        answer: theme::to_html(&answer.answer),
        label: viewer.words.word(match answer.source {
            "owner" => "faq_owner",
            _ => "faq_computed",
        }),
        evidence: answer
            .review_ids
            .iter()
            .filter_map(|id| reviews.get(id))
            .map(|review| LinkView {
                href: viewer.reviews.review_href(review),
                label: viewer
                    .words
                    .say("review_of_day", None, &[("date", viewer.words.review_date(review))])
                    .unwrap_or_default(),
            })
            .collect(),
    };
    let shown: Vec<AnswerView<'_>> = answers.iter().map(answer).collect();
    let mut head = head_at(viewer, "faq_title", "faq/");
    head.json_ld = head.json_ld.map(|trail| format!("[{trail},{}]", json_ld::faq(answers)));
    (head, context! { answers => Value::from(Serde(shown)) })
}

fn about<'d>(renderer: &Renderer<'d>) -> (Head, Value) {
    let viewer = &renderer.viewer;
    let (data, words) = (viewer.data, &viewer.words);
    let view = context! {
        coverage => viewer.coverage(),
        annotated => viewer.annotated(),
        languages => read_languages(),
        found => complaints_found(&data.insights.languages)
            .filter(|_| data.insights.coverage.text > 0)
            .map(|found| words.count(found)),
        replies => replies::line(viewer),
        reply_support => replies::MIN_KNOWN,
        terms => data.business.data_terms.as_ref().map(|terms| Value::from(Serde(terms))),
        count => data.reviews.len(),
        log => data.log.as_ref().map(|log| context! {
            origin => &log.origin,
            key => log.keys.last(),
            proof => proof::href(&viewer.routes),
        }),
    };
    (head_at(viewer, "about", "about-these-reviews/"), view)
}

/// The languages whose texts are judged, in their own words.
fn read_languages() -> String {
    let read = Language::all().filter(|language| language.is_read());
    read.map(|language| languages::name(language.tag())).collect::<Vec<_>>().join(", ")
}

fn not_found<'d>(renderer: &Renderer<'d>) -> (Head, Value) {
    (head(&renderer.viewer, "not_found"), context! {})
}
