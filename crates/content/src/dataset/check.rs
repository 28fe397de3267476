//! Checks that need the whole content: references between files, and what is withheld.

use std::{
    cmp::Reverse,
    collections::HashSet,
    hash::{DefaultHasher, Hash, Hasher},
};

use crate::{
    load::Content,
    overrides::{ListedIds, MentionLists, Override},
    record::{Record, is_distinctive},
    tombstones::TOMBSTONES_FILE,
};
use contract::{
    model::ReviewId,
    problem::{Place, Report, unknown_help},
    text::{fold, without_invisible},
};

/// Reports ids in hand-written files that no entity has. An id is not checked if the file that would name it has
/// errors.
pub(super) fn references(content: &Content, report: &Report) {
    let reviews: HashSet<ReviewId> = content.reviews.iter().map(|review| review.id).collect();
    tombstones(content, &reviews, report);
    let rejected = &content.rejected;
    let is_unknown =
        |id: &ReviewId| !rejected.unnamed && !reviews.contains(id) && !rejected.ids.contains(id);
    overrides(content, is_unknown, report);
    for entry in &content.faq {
        for (id, place) in entry.review_ids.iter().filter(|(id, _)| is_unknown(id)) {
            let message = format!("faq {:?}: there is no review {id}", entry.id);
            report.error("unknown-id", place.clone(), message, "candor list shows the ids");
        }
    }
}

fn overrides(content: &Content, is_unknown: impl Fn(&ReviewId) -> bool, report: &Report) {
    let forgotten: HashSet<ReviewId> = content.tombstones.iter().map(|t| t.id).collect();
    let forgotten_known = content.is_sound(&[TOMBSTONES_FILE], report);
    for (id, correction) in &content.overrides {
        let place = correction.place.clone();
        if forgotten.contains(id) {
            let message = format!("the review {id} was removed");
            report.warning("removed-review", place, message, "remove the table");
        } else if forgotten_known && is_unknown(id) {
            let message = format!("there is no review {id}");
            let help = "remove the table, or correct its id; candor list shows the ids";
            report.error("unknown-id", place, message, help);
        }
    }
    mentions(content, report);
}

/// Names the stored texts that have invisible characters without a meaning: they are published as they are.
pub(super) fn invisible(content: &Content, report: &Report) {
    for review in &content.reviews {
        let reply = review.owner_reply.as_ref().map(|reply| &*reply.text);
        let translation = review.translation.as_ref().map(|translation| &*translation.text);
        let texts = [
            ("author", Some(&*review.author.0)),
            ("text", text(review)),
            ("owner_reply", reply),
            ("translation", translation),
            ("source_url", review.source_url.as_ref().map(|url| &*url.0)),
            ("author_avatar_url", review.author_avatar_url.as_ref().map(|url| &*url.0)),
        ];
        report_invisible(review.id, texts, || review.origin.place(), report);
    }
    for (id, correction) in &content.overrides {
        let reply = Override::reply(Some(correction), None).map(|reply| reply.text);
        let note = correction.disclosure.as_ref().and_then(|it| it.note.as_deref());
        let texts = [
            ("author", correction.author.as_deref()),
            ("owner_reply", reply.as_deref()),
            ("disclosure.note", note),
            ("source_url", correction.source_url.as_deref()),
        ];
        report_invisible(*id, texts, || correction.place.clone(), report);
    }
}

fn report_invisible<const N: usize>(
    id: ReviewId,
    texts: [(&str, Option<&str>); N],
    place: impl Fn() -> Place,
    report: &Report,
) {
    for (key, text) in texts {
        let text = text.unwrap_or_default();
        let (visible, removed @ 1..) = without_invisible(text) else { continue };
        let rest = visible.chars().map(Some).chain([None]);
        let first = text.chars().zip(rest).find(|(c, kept)| Some(*c) != *kept);
        let first = first.map_or(0, |(c, _)| u32::from(c));
        let message = format!(
            "{key} of {id} has invisible characters that mean nothing where they are: {removed}, the first of them U+{first:04X}"
        );
        let help = format!(
            "importing the export again removes them, and so does writing it again with candor edit {id} or candor reply {id}"
        );
        report.warning("invisible-text", place(), message, help);
    }
}

/// Reports ids of corrections that are not listed.
fn mentions(content: &Content, report: &Report) {
    type Pick = fn(&MentionLists) -> &Option<ListedIds>;
    let kinds: [(&str, &str, Pick, Vec<&str>); 3] = [
        (
            "technician",
            "technicians.toml",
            |lists| &lists.technicians,
            content.technicians.iter().map(|technician| &*technician.entity.id).collect(),
        ),
        (
            "service",
            "services.toml",
            |lists| &lists.services,
            content.services.iter().map(|service| &*service.id).collect(),
        ),
        (
            "service area",
            "service_areas.toml",
            |lists| &lists.service_areas,
            content.service_areas.iter().map(|area| &*area.id).collect(),
        ),
    ];
    for (what, _, pick, known) in
        kinds.iter().filter(|(_, file, ..)| content.is_sound(&[file], report))
    {
        let ids: HashSet<&str> = known.iter().copied().collect();
        let lists =
            content.overrides.values().filter_map(|correction| correction.mentions.as_ref());
        let named = lists.flat_map(|lists| pick(lists).iter().flatten());
        for (id, place) in named.filter(|(id, _)| !ids.contains(&**id)) {
            let help = unknown_help(id, known.iter().copied());
            report.error("unknown-id", place.clone(), format!("there is no {what} {id:?}"), help);
        }
    }
}

/// Reports removed reviews that are among the stored ones.
fn tombstones(content: &Content, reviews: &HashSet<ReviewId>, report: &Report) {
    for tombstone in content.tombstones.iter().filter(|t| reviews.contains(&t.id)) {
        let message =
            format!("the review {} was removed, and is among the reviews again", tombstone.id);
        let help = format!(
            "remove it for good with: candor forget {}, or remove this line to keep it",
            tombstone.id
        );
        report.error("removed-review", tombstone.place.clone(), message, help);
    }
}

/// Reports reviews that are published twice under different ids: the same long text and stars by the
/// same author at one source. Imports do not join them, because the source gave them two ids.
pub(super) fn duplicates(kept: &[Record], report: &Report) {
    let mut pairs = Vec::new();
    let mut keyed: Vec<(u64, &Record)> =
        kept.iter().filter_map(|record| Some((text_key(record)?, record))).collect();
    keyed.sort_unstable_by_key(|(key, record)| (*key, stays_first(record)));
    for alike in keyed.chunk_by(|a, b| a.0 == b.0).filter(|alike| alike.len() > 1) {
        for (at, (_, second)) in alike.iter().enumerate() {
            let first = alike[..at].iter().find(|(_, first)| is_same(first, second));
            pairs.extend(first.map(|(_, first)| (*first, *second)));
        }
    }
    pairs.sort_unstable_by_key(|(_, second)| Reverse((second.date, second.id)));
    for (first, second) in pairs {
        let message = format!(
            "{} and {} have the same author, stars and text, and both are from {}",
            first.id, second.id, first.source.0
        );
        let help = format!(
            "if they are one review, withhold the second with: candor hide {} --reason duplicate",
            second.id
        );
        report.warning("same-review", second.origin.place(), message, help);
    }
}

/// A hash of a long text, and of what is the same in the same review.
fn text_key(record: &Record) -> Option<u64> {
    let mut hasher = DefaultHasher::new();
    text(record).filter(|text| is_distinctive(text))?.hash(&mut hasher);
    (&record.source.0, record.rating.stars(), fold(&record.author.0)).hash(&mut hasher);
    Some(hasher.finish())
}

fn text(record: &Record) -> Option<&str> {
    record.text.as_ref()?.0.as_deref()
}

/// The order in which duplicates are kept: the review that imports still have, then the one that was stored first.
fn stays_first(record: &Record) -> impl Ord + use<> {
    (record.missing_since.is_some(), record.added.unwrap_or(record.updated), record.id)
}

fn is_same(a: &Record, b: &Record) -> bool {
    a.source.0 == b.source.0
        && a.rating == b.rating
        && text(a) == text(b)
        && fold(&a.author.0) == fold(&b.author.0)
}
