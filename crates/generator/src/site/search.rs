//! The tool of the page of all reviews and of the search page: links that filter, each with its number. They
//! lead to lists; with a script they filter what is searched as one types.

use std::collections::BTreeMap;

use contract::{model::Review, query::encoded, routes};
use insights::Sentiment;
use minijinja::{Value, context, value::Serde};
use serde_json::json;

use super::{
    home::rating,
    index, languages,
    listing::{self, Tool},
    members::SubjectKind,
    page::{Page, head},
    renderer::{Renderer, shows_aspects},
    review_view::MarkView,
    subject::subjects,
    view::{CountedLink, Viewer},
    years::years,
};
use crate::render::parts;

pub(super) fn page<'d>(renderer: &Renderer<'d>) -> Page<'d> {
    let page = |renderer: &Renderer<'d>| {
        let viewer = &renderer.viewer;
        let heading = viewer.words.word("search_title");
        let view = listing::search(viewer, heading, tool(viewer));
        (head(viewer, "search_title"), Value::from(Serde(view)))
    };
    Page::new(renderer.viewer.routes.page("search/"), "list.html", page).unlisted()
}

/// How far reviews of each source are checked.
fn marks(viewer: &Viewer<'_>) -> Vec<MarkView> {
    let methods = methods(viewer);
    let purchase = viewer.data.has_purchases().then(|| viewer.words.word("checked_purchase"));
    let sources = viewer.data.business.methods.keys();
    let named: Vec<_> = sources.map(|id| (viewer.reviews.source(id), methods.get(&**id))).collect();
    let marks = named.iter().map(|(name, method)| (name.as_str(), method.map(String::as_str)));
    viewer.reviews.legend(marks.chain(purchase.as_deref().map(|purchase| ("", Some(purchase)))))
}

/// By source, where the business checks who writes.
fn methods<'d>(viewer: &Viewer<'d>) -> BTreeMap<&'d str, String> {
    let own = viewer.data.business.methods.iter().filter(|(_, method)| !method.is_platform);
    own.filter_map(|(id, _)| Some((id.as_str(), viewer.reviews.checked_by_method(id)?))).collect()
}

/// What the template and the script need, where there are reviews.
pub(super) fn tool(viewer: &Viewer<'_>) -> Option<Tool> {
    let (data, words) = (viewer.data, &viewer.words);
    let path = |path: &str| viewer.routes.href(path.trim_start_matches('/'));
    let view = context! {
        action => path(&viewer.routes.page("search/")),
        // Without a sidecar there is nothing to ask, and the browser searches by itself.
        service => if data.site.sidecar { path(routes::SEARCH) } else { String::new() },
        reviews => path("reviews.json"),
        insights => path("insights.json"),
        index => path(&viewer.routes.page(index::FOLDER)),
        parts => parts::has_parts(data).then(|| path("reviews-%.json")),
        methods => json!(methods(viewer)).to_string(),
        purchase => data.has_purchases().then(|| words.word("checked_purchase")),
        rating => Value::from(Serde(rating(viewer))),
        groups => Value::from(Serde(groups(viewer))),
    };
    (!data.reviews.is_empty()).then(|| Tool { view, marks: marks(viewer) })
}

/// The filters with their headings.
fn groups(viewer: &Viewer<'_>) -> Vec<(String, Vec<CountedLink>)> {
    let (data, words) = (viewer.data, &viewer.words);
    let of = |kind: SubjectKind| {
        let links = subjects(data, kind).into_iter().map(|subject| subject.link(viewer));
        (words.word(kind.folder()), links.filter(|link| link.count > 0).collect::<Vec<_>>())
    };
    let link = |filter: String, label: String, count: usize| CountedLink {
        href: viewer.searched(&filter),
        label,
        count: count as u64,
        filter,
    };
    let counted = |name: &str,
                   value: fn(&Review) -> Option<&str>,
                   label: &dyn Fn(&str) -> String| {
        let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
        data.reviews
            .iter()
            .filter_map(value)
            .for_each(|value| *counts.entry(value).or_default() += 1);
        let links = counts.into_iter();
        links
            .map(|(value, count)| link(format!("{name}={}", encoded(value)), label(value), count))
            .collect()
    };
    let sources: Vec<_> =
        counted("source", |review| Some(&*review.source), &|id| viewer.reviews.source(id));
    let tongues: Vec<_> = counted("language", |review| review.language.as_deref(), &|tag| {
        languages::name(tag).to_owned()
    });
    let judged = |of: Sentiment| {
        data.insights.per_review.iter().filter(move |it| it.sentiment == of).count()
    };
    let judgements = [
        ("positive", Sentiment::Positive),
        ("mixed", Sentiment::Mixed),
        ("neutral", Sentiment::Neutral),
        ("negative", Sentiment::Negative),
    ];
    let judgements = judgements
        .map(|(word, of)| link(format!("sentiment={word}"), words.word(word), judged(of)));
    let with = |name: &str, word: &str, has: fn(&Review) -> bool| {
        let count = data.reviews.iter().filter(|review| has(review)).count();
        link(format!("{name}=true"), words.word(word), count)
    };
    let kinds = [
        with("has_reply", "with_reply", |review| review.owner_reply.is_some()),
        with("has_text", "with_words", |review| review.text.is_some()),
    ];
    let choice = |list: Vec<CountedLink>| if list.len() > 1 { list } else { Vec::new() };
    let kept = |list: &[CountedLink]| list.iter().filter(|it| it.count > 0).cloned().collect();
    [
        (words.word("reviews"), kept(&kinds)),
        of(SubjectKind::Aspect),
        (words.word("judgement"), if shows_aspects(data) { kept(&judgements) } else { Vec::new() }),
        of(SubjectKind::Service),
        of(SubjectKind::Technician),
        of(SubjectKind::Area),
        of(SubjectKind::Topic),
        (words.word("source"), choice(sources)),
        (words.word("language"), choice(tongues)),
        (words.word("year_by_year"), years(viewer).into_iter().map(CountedLink::from).collect()),
    ]
    .into_iter()
    .filter(|(_, links): &(String, Vec<CountedLink>)| !links.is_empty())
    .collect()
}
