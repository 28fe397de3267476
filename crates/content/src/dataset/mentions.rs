//! The entities that each review mentions: found in its text, annotated, or corrected by hand.

use insights::{
    Applied, Entity, Language,
    names::{KnownNames, MentionedNames, NameKind, Names, Target},
};
use std::collections::{BTreeMap, HashSet};

use tracing::info_span;

use crate::{
    load::Content,
    overrides::{ListedIds, MentionLists, Override},
    record::Record,
};
use contract::{
    model::{Mentions, ReviewId},
    parallel,
    problem::Report,
    text::fold,
};

/// The number of reviews below which a name that does not occur is not reported.
const ENOUGH_REVIEWS_FOR_DEAD_ALIASES: usize = 50;
/// The number of reviews from which a function word as an alias is reported.
const ENOUGH_FOR_A_STOP_WORD: usize = 5;

pub(super) fn compile(content: &Content, report: &Report) -> Option<Names> {
    match Names::new(&super::known(content)) {
        Ok(names) => Some(names),
        Err(error) => {
            report.error(
                "too-many-names",
                content.place("technicians.toml"),
                error.to_string(),
                "remove aliases",
            );
            None
        }
    }
}

fn listed(ids: &ListedIds) -> Vec<&str> {
    ids.iter().map(|(id, _)| id.as_str()).collect()
}

fn annotated(ids: &[String]) -> Vec<&str> {
    ids.iter().map(String::as_str).collect()
}

/// Resolves the names in reviews, and those in corrections.
pub(super) struct Resolver<'a> {
    pub(super) names: Option<&'a Names>,
    pub(super) known: KnownNames<'a>,
    pub(super) annotations: &'a Applied,
    /// The language of the site.
    pub(super) language: &'a str,
}

impl Resolver<'_> {
    /// The mentions of each record, in the order of the records.
    pub(super) fn resolve_all(
        &self,
        records: &[Record],
        overrides: &BTreeMap<ReviewId, Override>,
        report: &Report,
    ) -> Vec<Mentions> {
        let found = self.find_all(records);
        self.report_names(&found, records, overrides, report);
        let resolve = |(record, found): (&Record, MentionedNames)| {
            let by_hand = overrides.get(&record.id).and_then(|c| c.mentions.as_ref());
            self.mentions(record.id, &found, by_hand)
        };
        records.iter().zip(found).map(resolve).collect()
    }

    /// Finds the names in all texts. This is most of the work of a large build and needs nothing but the text.
    fn find_all(&self, records: &[Record]) -> Vec<MentionedNames> {
        let Some(names) = self.names else {
            return vec![MentionedNames::default(); records.len()];
        };
        parallel::map(records, |record| {
            let _span = info_span!("find names").entered();
            let text = record.text.as_ref().and_then(|words| words.0.as_deref());
            let tags = [record.language.as_ref().map(|tag| &*tag.0), Some(self.language)];
            let language = tags.into_iter().find_map(Language::read).unwrap_or(Language::english());
            text.map(|text| names.find(text, record.date.date(), language)).unwrap_or_default()
        })
    }

    /// The mentions of a record. A correction by hand counts before an annotation, an annotation before the text.
    fn mentions(
        &self,
        id: ReviewId,
        found: &MentionedNames,
        by_hand: Option<&MentionLists>,
    ) -> Mentions {
        let judged = self.annotations.get(id);
        let pick = |kind: NameKind, ids: Option<&Vec<&str>>, at: usize, id: &str| match ids {
            Some(ids) => ids.contains(&id),
            None => found.targets.contains(&(kind, at)),
        };
        let technicians: Option<Vec<&str>> = by_hand
            .and_then(|lists| lists.technicians.as_ref().map(listed))
            .or_else(|| judged.and_then(|it| it.technicians.as_deref().map(annotated)));
        let services: Option<Vec<&str>> = by_hand
            .and_then(|lists| lists.services.as_ref().map(listed))
            .or_else(|| judged.and_then(|it| it.services.as_deref().map(annotated)));
        let areas: Option<Vec<&str>> =
            by_hand.and_then(|lists| lists.service_areas.as_ref().map(listed));
        let of = |entities: &[Entity], kind, ids: Option<&Vec<&str>>| {
            let chosen = entities.iter().enumerate().filter(|(at, e)| pick(kind, ids, *at, &e.id));
            chosen.map(|(_, entity)| entity.id.clone()).collect()
        };
        let public = self.known.technicians.iter().enumerate().filter(|(_, t)| t.public);
        let named: Vec<&Entity> = public
            .filter(|(at, t)| pick(NameKind::Technician, technicians.as_ref(), *at, &t.entity.id))
            .map(|(_, technician)| &technician.entity)
            .collect();
        Mentions {
            technicians: named.iter().map(|entity| entity.name.clone()).collect(),
            technician_ids: named.iter().map(|entity| entity.id.clone()).collect(),
            services: of(self.known.services, NameKind::Service, services.as_ref()),
            service_areas: of(self.known.service_areas, NameKind::ServiceArea, areas.as_ref()),
            problems: of(self.known.problems, NameKind::Problem, None),
            topics: of(self.known.topics, NameKind::Topic, None),
        }
    }

    /// Warns of names with several meanings, equal labels, and aliases that are in no review or in unrelated ones.
    fn report_names(
        &self,
        found: &[MentionedNames],
        records: &[Record],
        overrides: &BTreeMap<ReviewId, Override>,
        report: &Report,
    ) {
        let Some(names) = self.names else { return };
        let mut counts = vec![0; names.len()];
        let mut ambiguous: BTreeMap<usize, Vec<&Record>> = BTreeMap::new();
        for (found, record) in found.iter().zip(records) {
            found.patterns.iter().for_each(|&pattern| counts[pattern] += 1);
            let settled = overrides
                .get(&record.id)
                .and_then(|c| c.mentions.as_ref())
                .is_some_and(|m| m.technicians.is_some());
            for &pattern in found.ambiguous.iter().filter(|_| !settled) {
                ambiguous.entry(pattern).or_default().push(record);
            }
        }
        for (pattern, records) in ambiguous {
            self.report_ambiguous(names.pattern(pattern), &records, report);
        }
        for (pattern, count) in counts.iter().enumerate() {
            self.report_stop_word(names, pattern, (*count, records.len()), report);
            self.report_same_label(names.pattern(pattern), report);
        }
        if records.len() >= ENOUGH_REVIEWS_FOR_DEAD_ALIASES {
            self.report_dead_aliases(names, &counts, report);
        }
    }

    fn report_ambiguous(
        &self,
        (name, targets): (&str, &[Target]),
        records: &[&Record],
        report: &Report,
    ) {
        let ids: Vec<&str> = targets.iter().map(|target| &*self.known.entity(*target).id).collect();
        let (count, first) = (records.len(), records[0].id);
        let reviews = if count == 1 { "review" } else { "reviews" };
        let message = format!(
            "\"{name}\" can mean {}; it counts for nobody in {count} {reviews}, first in {first}",
            ids.join(" and ")
        );
        let help = format!(
            "say which is meant: candor edit {first} --set mentions.technicians={}",
            ids[0]
        );
        let place = self.known.entity(targets[0]).place.clone();
        report.warning("ambiguous-name", place, message, help);
    }

    /// Warns of aliases that say nothing: function words and letters that a quarter of the reviews contain.
    fn report_stop_word(
        &self,
        names: &Names,
        pattern: usize,
        (count, all): (usize, usize),
        report: &Report,
    ) {
        let is_frequent = count >= ENOUGH_FOR_A_STOP_WORD && count * 4 >= all;
        let language = Language::of(self.language).unwrap_or(Language::english());
        if !is_frequent || !names.is_stop_word(pattern, language) {
            return;
        }
        let (name, targets) = names.pattern(pattern);
        let entities = targets.iter().map(|target| self.known.entity(*target));
        for entity in entities.filter(|entity| has_alias(entity, name)) {
            let message = format!(
                "the alias {name:?} of {} is in {count} of {all} reviews, whatever they are about",
                entity.id
            );
            let help = "remove it, or add a word";
            report.warning("stop-word", entity.place.clone(), message, help);
        }
    }

    fn report_same_label(&self, (name, targets): (&str, &[Target]), report: &Report) {
        let entity = |at: &Target| self.known.entity(*at);
        let is_label =
            |at: &&Target| at.0 != NameKind::Technician && fold(entity(at).name.trim()) == name;
        let labels: Vec<&Target> = targets.iter().filter(is_label).collect();
        // Those of one kind stand side by side.
        for pair in labels.windows(2).filter(|pair| pair[0].0 == pair[1].0) {
            let [first, second] = [entity(pair[0]), entity(pair[1])];
            let message =
                format!("{} and {} have one name, {:?}", first.id, second.id, second.name);
            let help = "give each its own name, or make one table of them";
            report.warning("same-label", second.place.clone(), message, help);
        }
    }

    fn report_dead_aliases(&self, names: &Names, counts: &[usize], report: &Report) {
        let mut dead: BTreeMap<Target, Vec<&str>> = BTreeMap::new();
        let mut aliases: BTreeMap<Target, HashSet<String>> = BTreeMap::new();
        for pattern in (0..names.len()).filter(|&pattern| counts[pattern] == 0) {
            let (name, targets) = names.pattern(pattern);
            for target in targets {
                // A full name may well never be written out; an alias is there to be found.
                let of_target = aliases.entry(*target).or_insert_with(|| {
                    let aliases = &self.known.entity(*target).aliases;
                    aliases.iter().map(|alias| fold(alias.trim())).collect()
                });
                if of_target.contains(name) {
                    dead.entry(*target).or_default().push(name);
                }
            }
        }
        for (target, aliases) in dead {
            let entity = self.known.entity(target);
            let message = format!(
                "no review contains these aliases of {}: {}",
                entity.id,
                aliases.join(", ")
            );
            let help = "remove them or correct their spelling";
            report.warning("dead-alias", entity.place.clone(), message, help);
        }
    }
}

/// Whether an entity has an alias of this folded name.
fn has_alias(entity: &Entity, folded: &str) -> bool {
    entity.aliases.iter().any(|alias| fold(alias.trim()) == folded)
}
