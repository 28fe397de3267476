//! The search page. Without a script it is a set of lists; with one it searches as one types.

use std::collections::BTreeMap;

use contract::routes;
use minijinja::{Value, context, value::Serde};
use serde_json::{Map, Value as Json, json};

use super::{
    listing::star_links,
    members::SubjectKind,
    page::{Head, Page},
    renderer::Renderer,
    subject::subjects,
    view::{CountedLink, Viewer},
};

pub(super) fn page<'d>(renderer: &Renderer<'d>) -> Page<'d> {
    Page::new(renderer.viewer.routes.page("search/"), "search.html", search).unlisted()
}

fn search(renderer: &Renderer<'_>) -> (Head, Value) {
    let viewer = &renderer.viewer;
    let (data, words) = (viewer.data, &viewer.words);
    let links = |kind: SubjectKind| -> Vec<CountedLink> {
        let links = subjects(data, kind).into_iter().map(|subject| subject.link(viewer));
        links.filter(|link| link.count > 0).collect()
    };
    let groups: Vec<(String, Vec<CountedLink>)> = [
        (words.word("stars"), star_links(viewer)),
        (words.word("technicians"), links(SubjectKind::Technician)),
        (words.word("services"), links(SubjectKind::Service)),
        (words.word("areas"), links(SubjectKind::Area)),
    ]
    .into_iter()
    .filter(|(_, links)| !links.is_empty())
    .collect();
    let sources = || data.business.methods.iter();
    let methods: BTreeMap<&str, String> = sources()
        .filter(|(_, method)| !method.is_platform)
        .filter_map(|(id, _)| Some((id.as_str(), viewer.reviews.checked_by_method(id)?)))
        .collect();
    let purchase = data.has_purchases().then(|| words.word("checked_purchase"));
    let named: Vec<_> =
        sources().map(|(id, _)| (viewer.reviews.source(id), methods.get(&**id))).collect();
    let marks = named.iter().map(|(name, method)| (name.as_str(), method.map(String::as_str)));
    let marks = marks.chain(purchase.as_deref().map(|purchase| ("", Some(purchase))));
    let marks = viewer.reviews.legend(marks);
    // The script puts a review's own values in the places of these.
    let places = ["day", "month", "year"].map(|name| (name, format!("{{{name}}}")));
    let title = format!("{} · {}", words.word("search_title"), data.business.name);
    let view = context! {
        groups => Value::from(Serde(groups)),
        all => viewer.routes.href(&viewer.routes.all()),
        reviews => viewer.routes.href("reviews.json"),
        // Without a sidecar there is nothing to ask, and the browser searches by itself.
        service => if data.site.sidecar { viewer.routes.href(routes::SEARCH.trim_start_matches('/')) } else { String::new() },
        days => words.word("months"),
        date => words.say("date", None, &places).unwrap_or_default(),
        month_year => words.say("month_year", None, &places).unwrap_or_default(),
        stars_of_5 => words.say("stars_of_5", None, &[("stars", "%".to_owned())]).unwrap_or_default(),
        via => words.say("via", None, &[("source", "%".to_owned())]).unwrap_or_default(),
        direct => words.word("source_direct"),
        methods => json!(methods).to_string(),
        marks => Value::from(Serde(marks)),
        purchase,
        mentions => mentioned(viewer).to_string(),
        found => words.say("search_found", Some(data.reviews.len() as u64), &[("found", "%".to_owned())]).unwrap_or_default(),
        translated => words
            .say("translated_by", None, &[("source", "%".to_owned())])
            .unwrap_or_default(),
        no_words => words.say("no_words", None, &[("stars", "%".to_owned())]).unwrap_or_default(),
    };
    (Head { description: title.clone(), title, json_ld: None }, view)
}

/// The page of everything that `mentions` of a review may name, by its name there.
fn mentioned(viewer: &Viewer<'_>) -> Json {
    let pages = |kind: SubjectKind| -> Map<String, Json> {
        let named = subjects(viewer.data, kind).into_iter().map(|subject| {
            let link = subject.link(viewer);
            let name = match kind {
                SubjectKind::Technician => subject.name,
                _ => subject.id,
            };
            (name.to_owned(), json!({ "href": link.href, "label": link.label }))
        });
        named.collect()
    };
    json!({
        "technicians": pages(SubjectKind::Technician),
        "services": pages(SubjectKind::Service),
        "service_areas": pages(SubjectKind::Area),
    })
}
