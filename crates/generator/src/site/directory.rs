//! Lists of what reviews speak of: all technicians, all services, all aspects.

use content::dataset::SourceSummary;
use contract::model::Verification;
use minijinja::{Value, value::Serde};
use serde::Serialize;

use super::{
    members::SubjectKind,
    page::{Head, Page},
    renderer::Renderer,
    subject::{CardView, subjects},
    view::Viewer,
};

#[derive(Debug, Serialize)]
struct DirectoryView {
    heading: String,
    intro: Option<String>,
    /// Whether there is a review about any of them.
    any: bool,
    cards: Vec<CardView>,
}

/// A page for each kind that has members.
pub(super) fn pages<'d>(renderer: &Renderer<'d>) -> Vec<Page<'d>> {
    let data = renderer.viewer.data;
    let kinds = SubjectKind::ALL.into_iter().filter(|kind| !subjects(data, *kind).is_empty());
    kinds
        .map(|kind| {
            let path = renderer.viewer.routes.page(&format!("{}/", kind.folder()));
            Page::new(path, "directory.html", move |renderer| directory(renderer, kind))
        })
        .collect()
}

fn directory(renderer: &Renderer<'_>, kind: SubjectKind) -> (Head, Value) {
    let viewer = &renderer.viewer;
    let heading = viewer.words.word(kind.folder());
    let computed = matches!(kind, SubjectKind::Aspect | SubjectKind::Topic);
    let subjects = subjects(viewer.data, kind);
    let view = DirectoryView {
        any: subjects.iter().any(|subject| subject.tally.count() > 0),
        intro: computed
            .then(|| format!("{} {}", viewer.words.word("say_intro"), viewer.coverage())),
        cards: subjects.iter().map(|subject| subject.card(viewer)).collect(),
        heading: heading.clone(),
    };
    let name = &viewer.data.business.name;
    let title = format!("{heading} · {name}");
    (Head { description: title.clone(), title, json_ld: None }, Value::from(Serde(view)))
}

/// Where reviews come from, with what is missing.
#[derive(Debug, Serialize)]
pub(super) struct SourceView<'d> {
    name: String,
    href: Option<&'d str>,
    line: String,
    verification: Option<&'d Verification>,
}

/// `Google: 50 of about 176 reviews are here`, for each source that is not complete.
pub(super) fn parts(viewer: &Viewer<'_>) -> Vec<String> {
    let sources = viewer.data.sources.iter();
    let parts = sources.filter(|source| {
        let lacks = source.claimed_total.is_some_and(|total| total > source.review_count);
        source.review_count > 0 && !source.complete.unwrap_or(!lacks)
    });
    let line = |source: &SourceSummary| {
        let words = &viewer.words;
        let mut values = vec![("source", viewer.reviews.source(&source.source))];
        values.extend(source.claimed_total.map(|total| ("total", words.count(total))));
        let key = if source.claimed_total.is_some() { "part_of_total" } else { "part" };
        words.say(key, Some(source.review_count), &values).unwrap_or_default()
    };
    parts.map(line).collect()
}

pub(super) fn sources<'d>(viewer: &Viewer<'d>) -> Vec<SourceView<'d>> {
    let words = &viewer.words;
    let sources = viewer.data.sources.iter().map(|source| {
        let count = Some(source.review_count);
        let line = match (source.average, source.complete, source.claimed_total) {
            (None, ..) => Ok(words.word("source_empty")),
            (Some(average), Some(false), total) => {
                let mut values = vec![("average", words.decimal(average.value(), 2))];
                values.extend(total.map(|total| ("total", words.count(total))));
                words.say(
                    if total.is_some() { "source_part" } else { "source_some" },
                    count,
                    &values,
                )
            }
            (Some(average), ..) => {
                words.say("source_line", count, &[("average", words.decimal(average.value(), 2))])
            }
        };
        SourceView {
            name: viewer.reviews.source(&source.source),
            verification: viewer.reviews.method(&source.source),
            href: source.profile_url.as_deref(),
            line: line.unwrap_or_default(),
        }
    });
    sources.collect()
}
