//! Makes lines, files and the log of joined nodes, and puts everything in place at once.

mod lines;
mod log;
mod outcome;

use std::collections::{BTreeSet, HashMap, HashSet};

pub(super) use log::{lines as tombstone_lines, tombstone_of};

use super::{
    absence,
    cluster::Clusters,
    error::ImportError,
    format::Replies,
    join::Joined,
    merge::{self, ReplyAbsence},
    node::{AcceptedRow, Node, Origin, StoredOutcome, days},
    normalise::ImportedReview,
    options::Run,
    read::Reading,
    report::{ImportCounts, ImportOutcome},
    store::ReviewFile,
    undo,
};
use content::{ImportContext, KnownPlace, Record, change::commit};
use contract::model::{Day, ReviewId};

/// Everything that will be written, but for the lines of stored reviews, which their nodes have.
#[derive(Default)]
struct ImportPlan {
    new: Vec<NewLine>,
    counts: ImportCounts,
    updated_ids: Vec<ReviewId>,
    missing: Vec<(ReviewId, Day)>,
    removed: Vec<Record>,
    /// Reviews whose reply the import lacks and keeps.
    replies_missing: Vec<ReviewId>,
    /// Rows of one review with other stars, of which none is known to be newer.
    lowered: Vec<String>,
    /// The places of rows with the same values as another row.
    same: Vec<String>,
    /// The numbers of the tombstones whose reviews are back.
    revived: BTreeSet<usize>,
    /// The id of each review of the import, by its root.
    ids: HashMap<u32, ReviewId>,
}

/// The line of a review that is stored for the first time.
struct NewLine {
    day: Day,
    id: ReviewId,
    bytes: Box<[u8]>,
}

/// Writes everything; in a dry run, everything but the last step.
pub(super) fn write(
    run: &Run<'_>,
    context: &ImportContext,
    reading: &Reading,
    mut nodes: Vec<Node>,
    mut joined: Joined,
    (files, places): (&[ReviewFile], Option<Vec<KnownPlace>>),
) -> Result<ImportOutcome, ImportError> {
    let absence = absence::find(run.options, reading, &nodes, &mut joined.clusters)?;
    let planner = Planner { run, context, reading, nodes: &mut nodes, plan: ImportPlan::default() };
    let plan = planner.plan(&mut joined.clusters, &absence)?;
    absence::guard(run.options, plan.removed.len() as u64, absence.stored)?;

    let mut changes = lines::stage(run, &nodes, files, &plan)?;
    changes.extend(log::stage_tombstones(run, context, &plan)?);
    if let Some(places) = places {
        changes.push(log::stage_places(run, &places)?);
    }
    let line = log::line(run, reading, &plan, &absence);
    if !changes.is_empty() || log::is_news(&line, &context.imports) {
        changes.push(log::stage_line(run, &line)?);
    }
    run.check_interrupt()?;
    if !run.options.dry_run {
        if !changes.is_empty() {
            undo::keep(run.stage, &changes, run.now)?;
        }
        commit(run.stage, &changes)?;
    }
    let merged = outcome::merged(reading, &nodes, &mut joined, &plan);
    Ok(outcome::outcome(run, context, reading, absence, plan, merged, !changes.is_empty()))
}

/// Decides what becomes of each review.
struct Planner<'a> {
    run: &'a Run<'a>,
    context: &'a ImportContext,
    reading: &'a Reading,
    nodes: &'a mut [Node],
    plan: ImportPlan,
}

impl Planner<'_> {
    fn plan(
        mut self,
        clusters: &mut Clusters,
        absence: &absence::Absence,
    ) -> Result<ImportPlan, ImportError> {
        let Reading { rows, rejected, elsewhere, held_back, spam, answers, others, .. } =
            *self.reading;
        let (pending, other_source) =
            (self.reading.pending.values().sum(), self.reading.other_source);
        let counts = self.plan.counts;
        let counts = ImportCounts { rows, rejected, elsewhere, held_back, ..counts };
        self.plan.counts = ImportCounts { spam, answers, others, pending, other_source, ..counts };
        let mut new_reviews = Vec::new();
        let mut done = vec![false; self.nodes.len()];
        for number in (0_u32..).take(self.nodes.len()) {
            let root = clusters.root(number);
            if std::mem::replace(&mut done[root as usize], true) {
                continue;
            }
            self.run.check_interrupt()?;
            let members: Vec<u32> = clusters.members(number).collect();
            new_reviews.extend(self.review(root, &members)?);
        }
        self.store_new(new_reviews, clusters)?;
        for &number in &absence.missing {
            self.absent(number, absence.is_doubtful)?;
        }
        Ok(self.plan)
    }

    /// Updates one review from its rows, or returns it if it is not stored yet.
    fn review(&mut self, root: u32, members: &[u32]) -> Result<Option<NewReview>, ImportError> {
        let nodes = || members.iter().map(|&number| &self.nodes[number as usize]);
        let rows: Vec<&AcceptedRow> = nodes().filter_map(Node::row).collect();
        if rows.is_empty() {
            return Ok(None);
        }
        let same = same(&rows);
        self.plan.counts.same += same.len() as u64;
        self.plan.counts.merged += (rows.len() - 1 - same.len()) as u64;
        let places = same.into_iter().map(|row| self.reading.place(row));
        self.plan.same.extend(places);
        self.plan.same.truncate(ImportOutcome::MAX_LISTED);
        if rows.iter().any(|row| row.forgotten) {
            self.plan.counts.forgotten += 1;
            return Ok(None);
        }
        let stored = members.iter().find(|&&number| self.nodes[number as usize].is_stored());
        let Some(&stored) = stored else {
            let first = &self.nodes[members[0] as usize];
            return Ok(Some(NewReview {
                id: nodes().map(|node| node.id).min().unwrap_or(first.id),
                rating: first.rating,
                exact: nodes().map(|node| node.exact).min().unwrap_or(first.exact),
                revives: rows.iter().map(|row| row.revives).max().flatten(),
                root,
            }));
        };
        let review = fold(&rows, self.reading, &mut self.plan.lowered)?;
        let is_without = review.reply.is_none();
        let absence = rows.iter().filter(|_| is_without).map(|row| self.reply_absence(row)).max();
        let absence = absence.unwrap_or(ReplyAbsence::Unknown);
        let record = self.record(stored)?;
        self.plan.ids.insert(root, record.id);
        let updated = merge::update(&record, &review, &absence, self.run.now);
        let is_missing = updated.as_ref().unwrap_or(&record).reply_missing.is_some();
        self.plan.replies_missing.extend(is_missing.then_some(record.id));
        match updated {
            None => self.plan.counts.unchanged += 1,
            Some(changed) if merge::is_only_marked(&record, &changed) => {
                self.change(stored, &changed)?;
                self.plan.counts.unchanged += 1;
            }
            Some(changed) => {
                self.change(stored, &changed)?;
                self.plan.counts.updated += 1;
                self.plan.updated_ids.push(changed.id);
            }
        }
        Ok(None)
    }

    /// Determines what a row without a reply means for the stored one.
    fn reply_absence(&self, row: &AcceptedRow) -> ReplyAbsence {
        let file = &self.reading.files[row.file];
        let is_asked = self.run.options.remove_replies;
        match file.format.traits().replies {
            Replies::Always => ReplyAbsence::Certain,
            Replies::IfAny if file.replies && is_asked => ReplyAbsence::Certain,
            Replies::IfAny if file.replies => {
                ReplyAbsence::InExport(self.reading.hashes[file.input].as_str().into())
            }
            Replies::Unknown | Replies::IfAny => ReplyAbsence::Unknown,
        }
    }

    /// Reads a stored review.
    fn record(&self, number: u32) -> Result<Record, ImportError> {
        let stored = self.nodes[number as usize].stored();
        let stored = stored.ok_or_else(|| ImportError::internal("a row is not stored"))?;
        serde_json::from_slice(&stored.line.bytes).map_err(ImportError::internal)
    }

    /// Gives a stored review another line.
    fn change(&mut self, number: u32, record: &Record) -> Result<(), ImportError> {
        if let Origin::Stored(stored) = &mut self.nodes[number as usize].origin {
            stored.line.bytes = line(record)?;
            stored.outcome = StoredOutcome::Changed(record.date);
        }
        Ok(())
    }

    /// Gives new reviews their ids, in an order that does not depend on the files'. Two rows without
    /// source ids can have one in common: the later one gets another one.
    fn store_new(
        &mut self,
        mut new_reviews: Vec<NewReview>,
        clusters: &Clusters,
    ) -> Result<(), ImportError> {
        new_reviews.sort_unstable();
        let mut taken: HashSet<ReviewId> =
            self.nodes.iter().filter(|node| node.is_stored()).map(|node| node.id).collect();
        taken.extend(self.context.tombstones.iter().map(|tombstone| tombstone.id));
        // Equal rows follow each other, and each goes on where the one before found an id.
        let mut last = None;
        for NewReview { id, rating, exact: _, revives, root } in new_reviews {
            let members = clusters.members(root).map(|number| &self.nodes[number as usize]);
            let rows: Vec<&AcceptedRow> = members.filter_map(Node::row).collect();
            let review = fold(&rows, self.reading, &mut self.plan.lowered)?;
            let id = match revives {
                Some(number) if self.plan.revived.insert(number) => {
                    self.context.tombstones[number].id
                }
                _ => {
                    let from = match last {
                        Some((of, from)) if of == (id, rating) => from,
                        _ => (id, 1),
                    };
                    let found = unused(from, rating, &review, &taken);
                    last = Some(((id, rating), found));
                    found.0
                }
            };
            taken.insert(id);
            self.plan.ids.insert(root, id);
            let record = merge::new_record(&review, id, self.run.now);
            self.plan.new.push(NewLine { day: record.date, id, bytes: line(&record)? });
            self.plan.counts.new += 1;
        }
        Ok(())
    }

    /// A stored review the import does not have.
    fn absent(&mut self, number: u32, is_doubtful: bool) -> Result<(), ImportError> {
        if is_doubtful {
            self.plan.counts.missing += 1;
            return Ok(());
        }
        let record = self.record(number)?;
        let today = Day::from(self.run.now.to_zoned(jiff::tz::TimeZone::UTC).date());
        let since = record.missing_since.unwrap_or(today);
        let absent = days(today) - days(since);
        let limit = self.context.settings.drop_missing_after.map(i32::from);
        if self.run.options.prune || limit.is_some_and(|limit| absent >= limit) {
            if let Origin::Stored(stored) = &mut self.nodes[number as usize].origin {
                stored.outcome = StoredOutcome::Removed;
            }
            self.plan.counts.removed += 1;
            self.plan.removed.push(record);
            return Ok(());
        }
        self.plan.counts.missing += 1;
        self.plan.missing.push((record.id, since));
        if record.missing_since.is_none() {
            self.change(number, &Record { missing_since: Some(since), ..record })?;
        }
        Ok(())
    }
}

/// The rows with the same values as an earlier one.
fn same<'r>(rows: &[&'r AcceptedRow]) -> Vec<&'r AcceptedRow> {
    let mut known = HashSet::new();
    let values = |row: &&'r AcceptedRow| {
        (serde_json::to_string(&row.review).unwrap_or_default(), &row.review.decodings)
    };
    rows.iter().filter(|row| !known.insert(values(row))).copied().collect()
}

/// The rows of one review as one.
fn fold(
    rows: &[&AcceptedRow],
    reading: &Reading,
    lowered: &mut Vec<String>,
) -> Result<ImportedReview, ImportError> {
    let reviews = rows.iter().map(|row| row.review.clone()).collect();
    let (folded, is_lowered) =
        merge::fold(reviews).ok_or_else(|| ImportError::internal("a review without rows"))?;
    if is_lowered && lowered.len() < ImportOutcome::MAX_LISTED {
        let places: Vec<String> = rows.iter().map(|row| reading.place(row)).collect();
        lowered.push(format!(
            "{} are one review with other stars, and none is known to be newer; the fewest count: correct the row that is wrong",
            places.join(" and ")
        ));
    }
    Ok(folded)
}

/// A record as its line, in no more memory than it needs.
fn line(record: &Record) -> Result<Box<[u8]>, ImportError> {
    let bytes = serde_json::to_vec(record).map_err(ImportError::internal)?;
    // Shrunk in place, the buffer would leave a gap behind every line.
    Ok(Box::from(&*bytes))
}

/// A review to be stored for the first time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct NewReview {
    id: ReviewId,
    rating: u8,
    exact: u64,
    /// The number of the tombstone it comes back from.
    revives: Option<usize>,
    root: u32,
}

/// Returns the first id that is not taken, from that of an attempt on, and the number of the next attempt.
fn unused(
    (mut id, mut attempt): (ReviewId, u32),
    rating: u8,
    row: &ImportedReview,
    taken: &HashSet<ReviewId>,
) -> (ReviewId, u32) {
    let at = row.instant.unwrap_or_else(|| row.day.midnight_utc());
    while taken.contains(&id) {
        let entropy = blake3::hash(format!("{id}\0{rating}\0{attempt}").as_bytes());
        id = ReviewId::from_parts(at, &entropy);
        attempt += 1;
    }
    (id, attempt)
}
