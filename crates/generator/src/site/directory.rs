//! Lists of the subjects of reviews: all technicians, all services, all aspects.

use minijinja::{Value, value::Serde};
use serde::Serialize;

use super::{
    json_ld,
    members::SubjectKind,
    page::{Head, Page},
    renderer::Renderer,
    subject::{CardView, subjects},
};

#[derive(Debug, Serialize)]
struct DirectoryView {
    heading: String,
    intro: Option<String>,
    cards: Vec<CardView>,
}

/// Returns a page for each kind that has members.
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
        intro: computed
            .then(|| format!("{} {}", viewer.words.word("say_intro"), viewer.coverage())),
        cards: subjects.iter().map(|subject| subject.card(viewer)).collect(),
        heading: heading.clone(),
    };
    let name = &viewer.data.business.name;
    let title = format!("{heading} · {name}");
    let path = viewer.routes.page(&format!("{}/", kind.folder()));
    let json_ld = Some(json_ld::trail(viewer.data, &viewer.routes, &[(&heading, &path)]));
    (Head { description: title.clone(), title, json_ld }, Value::from(Serde(view)))
}
