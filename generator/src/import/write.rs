//! From joined records to lines, files and the log; then everything in place at once.

mod lines;
mod log;
mod outcome;

use std::{
    cell::RefCell,
    collections::{BTreeSet, HashMap, HashSet},
    path::PathBuf,
};

pub(super) use log::{lines as tombstone_lines, tombstone_of};

use super::{
    ImportError, Joined, LINES, Run, absence,
    index::{Index, Node},
    merge,
    normalise::Incoming,
    read::{Reading, StagedRow},
    report::{Counts, Outcome},
    store::{Existing, Reader, Span, TempFile, commit},
};
use crate::content::{ImportContext, Record};
use contract::model::{Day, ReviewId};

/// The files rows, finished lines and stored reviews lie in.
pub(super) struct Files(RefCell<(Reader, Vec<u8>)>);

impl Files {
    pub(super) fn open(
        run: &Run<'_>,
        rows: PathBuf,
        existing: &Existing,
    ) -> Result<Self, ImportError> {
        run.check_interrupt()?;
        // There are no finished lines yet: their number is kept.
        let mut paths = vec![rows.clone(), rows];
        paths.extend(existing.lines.iter().cloned());
        Ok(Self(RefCell::new((Reader::open(&paths)?, Vec::new()))))
    }

    /// A row as it waits.
    pub(super) fn waiting(&self, node: &Node) -> Result<StagedRow, ImportError> {
        let (reader, buffer) = &mut *self.0.borrow_mut();
        reader.read(node.span, buffer)?;
        serde_json::from_slice(buffer).map_err(ImportError::internal)
    }

    /// A stored review.
    fn record(&self, node: &Node) -> Result<Record, ImportError> {
        let (reader, buffer) = &mut *self.0.borrow_mut();
        reader.read(node.span, buffer)?;
        serde_json::from_slice(buffer).map_err(ImportError::internal)
    }

    fn line(&self, span: Span, out: &mut Vec<u8>) -> Result<(), ImportError> {
        self.0.borrow_mut().0.read(span, out)
    }
}

/// What becomes of a stored review.
#[derive(Clone, Copy, Debug)]
enum Stored {
    /// Another line.
    Changed(Span, Day),
    /// No line.
    Removed,
}

/// Everything that will be written.
struct Plan {
    stored: HashMap<u32, Stored>,
    new: Vec<(Day, ReviewId, Span)>,
    counts: Counts,
    new_ids: Vec<ReviewId>,
    updated_ids: Vec<ReviewId>,
    missing: Vec<(ReviewId, Day)>,
    removed: Vec<Record>,
    /// Tombstones, by number plus one, whose reviews are back.
    revived: BTreeSet<u32>,
    /// The id of each joined review, by its root.
    ids: HashMap<u32, ReviewId>,
}

struct Writing<'a> {
    run: &'a Run<'a>,
    context: &'a ImportContext,
    reading: &'a Reading,
    index: &'a Index,
    files: &'a Files,
    temp_file: TempFile,
    /// Roots whose ids are asked for later.
    named: HashSet<u32>,
}

/// Writes everything; as a rehearsal, everything but the last step.
pub(super) fn write(
    run: &Run<'_>,
    context: &ImportContext,
    reading: Reading,
    index: Index,
    mut joined: Joined,
    existing: Existing,
    files: Files,
) -> Result<Outcome, ImportError> {
    let absence = absence::find(run.options, &reading, &index, &mut joined.clusters)?;
    let named = joined.merges.iter().map(|merge| joined.clusters.root(merge.row)).collect();
    let writing = Writing {
        run,
        context,
        reading: &reading,
        index: &index,
        files: &files,
        temp_file: TempFile::create(run.stage.folder().join("lines"), LINES)?,
        named,
    };
    let (plan, lines) = writing.plan(&mut joined, &absence)?;
    files.0.borrow_mut().0.set(LINES, lines)?;
    absence::guard(run.options, plan.removed.len() as u64, absence.stored)?;

    let mut changes = lines::stage(run, &index, &existing, &files, &plan)?;
    changes.extend(log::stage_tombstones(run, context, &plan)?);
    let line = log::line(run, &reading, &plan, &absence);
    let is_news = !changes.is_empty() || log::is_news(&line, &context.imports);
    if is_news {
        changes.push(log::stage_line(run, &line)?);
    }
    run.check_interrupt()?;
    if !run.options.dry_run {
        commit(run.stage, &changes)?;
    }
    let root_ids =
        |row: u32, clusters: &mut super::Clusters| plan.ids.get(&clusters.root(row)).copied();
    outcome::outcome(
        run,
        context,
        &reading,
        &index,
        &files,
        joined,
        absence,
        &plan,
        !changes.is_empty(),
        root_ids,
    )
}

impl Writing<'_> {
    fn plan(
        mut self,
        joined: &mut Joined,
        absence: &absence::Absence,
    ) -> Result<(Plan, PathBuf), ImportError> {
        let mut plan = Plan {
            stored: HashMap::new(),
            new: Vec::new(),
            counts: Counts { rejected: self.reading.rejected, ..Counts::default() },
            new_ids: Vec::new(),
            updated_ids: Vec::new(),
            missing: Vec::new(),
            removed: Vec::new(),
            revived: BTreeSet::new(),
            ids: HashMap::new(),
        };
        let mut new_reviews = Vec::new();
        let mut done = vec![false; self.index.nodes.len()];
        let mut members = Vec::new();
        for number in (0_u32..).take(self.index.nodes.len()) {
            let root = joined.clusters.root(number);
            if std::mem::replace(&mut done[root as usize], true) {
                continue;
            }
            if number % 1024 == 0 {
                self.run.check_interrupt()?;
            }
            members.clear();
            members.extend(joined.clusters.members(number));
            self.review(root, &members, &mut plan, &mut new_reviews)?;
        }
        self.store_new(new_reviews, joined, &mut plan)?;
        for &number in &absence.missing {
            self.absent(number, absence.is_doubtful, &mut plan)?;
        }
        Ok((plan, self.temp_file.finish()?))
    }

    /// One review: nothing but stored, changed, or to be stored.
    fn review(
        &mut self,
        root: u32,
        members: &[u32],
        plan: &mut Plan,
        new_reviews: &mut Vec<NewReview>,
    ) -> Result<(), ImportError> {
        let node = |number: &u32| &self.index.nodes[*number as usize];
        let stored = members.iter().find(|number| node(number).is_stored()).copied();
        let rows: Vec<&Node> = members.iter().map(node).filter(|node| !node.is_stored()).collect();
        if rows.is_empty() {
            return Ok(());
        }
        if rows.iter().any(|row| row.forgotten) {
            plan.counts.forgotten += 1;
            return Ok(());
        }
        let Some(stored) = stored else {
            let id = rows.iter().map(|row| row.id).min().unwrap_or(rows[0].id);
            let exact = rows.iter().map(|row| row.exact).min().unwrap_or(0);
            let revives = rows.iter().map(|row| row.revives).max().unwrap_or(0);
            new_reviews.push(NewReview { id, rating: rows[0].rating, exact, revives, root });
            return Ok(());
        };
        let row = self.fold(&rows)?;
        let no_reply = rows.iter().any(|row| self.tells_replies(row)) && row.reply.is_none();
        let record = self.files.record(&self.index.nodes[stored as usize])?;
        if self.named.contains(&root) {
            plan.ids.insert(root, record.id);
        }
        match merge::update(&record, &row, no_reply, self.run.now) {
            None => plan.counts.unchanged += 1,
            Some(changed) => {
                let span = self.append(&changed)?;
                plan.stored.insert(stored, Stored::Changed(span, changed.date));
                plan.counts.updated += 1;
                plan.updated_ids.push(changed.id);
            }
        }
        Ok(())
    }

    fn fold(&self, rows: &[&Node]) -> Result<Incoming, ImportError> {
        let waiting = rows.iter().map(|row| self.files.waiting(row).map(|waiting| waiting.row));
        let rows = waiting.collect::<Result<Vec<_>, _>>()?;
        merge::fold(rows).ok_or_else(|| ImportError::internal("a review without rows"))
    }

    /// Whether a row without a reply means that there is none.
    fn tells_replies(&self, row: &Node) -> bool {
        let file = &self.reading.files[row.file as usize];
        match file.format.traits().replies {
            super::format::Replies::Unknown => false,
            super::format::Replies::IfAny => file.replies,
            super::format::Replies::Always => true,
        }
    }

    fn append(&mut self, record: &Record) -> Result<Span, ImportError> {
        let line = serde_json::to_vec(record).map_err(ImportError::internal)?;
        self.temp_file.append(&line)
    }

    /// Gives new reviews their ids, in an order that does not depend on the files'. Two rows without
    /// source ids can have one in common: the later one gets another one.
    fn store_new(
        &mut self,
        mut new_reviews: Vec<NewReview>,
        joined: &mut Joined,
        plan: &mut Plan,
    ) -> Result<(), ImportError> {
        new_reviews.sort_unstable();
        let mut taken: HashSet<ReviewId> =
            self.index.nodes.iter().filter(|node| node.is_stored()).map(|node| node.id).collect();
        taken.extend(self.context.tombstones.iter().map(|tombstone| tombstone.id));
        for NewReview { id, rating, exact: _, revives, root } in new_reviews {
            let members: Vec<&Node> = joined
                .clusters
                .members(root)
                .map(|number| &self.index.nodes[number as usize])
                .collect();
            let row = self.fold(&members)?;
            let tombstone =
                (revives as usize).checked_sub(1).map(|at| &self.context.tombstones[at]);
            let id = match tombstone {
                Some(tombstone) if plan.revived.insert(revives) => tombstone.id,
                _ => unused(id, rating, &row, &taken),
            };
            taken.insert(id);
            if self.named.contains(&root) {
                plan.ids.insert(root, id);
            }
            let record = merge::new_record(&row, id, self.run.now);
            let span = self.append(&record)?;
            plan.new.push((record.date, id, span));
            plan.counts.new += 1;
            plan.new_ids.push(id);
        }
        Ok(())
    }

    /// A stored review the import does not have.
    fn absent(
        &mut self,
        number: u32,
        is_doubtful: bool,
        plan: &mut Plan,
    ) -> Result<(), ImportError> {
        if is_doubtful {
            plan.counts.missing += 1;
            return Ok(());
        }
        let record = self.files.record(&self.index.nodes[number as usize])?;
        let today = Day::from(self.run.now.to_zoned(jiff::tz::TimeZone::UTC).date());
        let since = record.missing_since.unwrap_or(today);
        let days = super::index::days(today) - super::index::days(since);
        let limit = self.context.settings.drop_missing_after.map(i32::from);
        if self.run.options.prune || limit.is_some_and(|limit| days >= limit) {
            plan.stored.insert(number, Stored::Removed);
            plan.counts.removed += 1;
            plan.removed.push(record);
            return Ok(());
        }
        plan.counts.missing += 1;
        plan.missing.push((record.id, since));
        if record.missing_since.is_none() {
            let marked = Record { missing_since: Some(since), ..record };
            let span = self.append(&marked)?;
            plan.stored.insert(number, Stored::Changed(span, marked.date));
        }
        Ok(())
    }
}

/// A review to be stored for the first time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct NewReview {
    id: ReviewId,
    rating: u8,
    exact: u64,
    /// The tombstone it comes back from, plus one.
    revives: u32,
    root: u32,
}

fn unused(id: ReviewId, rating: u8, row: &Incoming, taken: &HashSet<ReviewId>) -> ReviewId {
    let mut id = id;
    let at = row.instant.unwrap_or_else(|| row.day.midnight_utc());
    for attempt in 1_u32.. {
        if !taken.contains(&id) {
            break;
        }
        let entropy = blake3::hash(format!("{id}\0{rating}\0{attempt}").as_bytes());
        id = ReviewId::from_parts(at, &entropy);
    }
    id
}
