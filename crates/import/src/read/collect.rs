//! Judges the rows of one file.

use std::{
    collections::{BTreeMap, BTreeSet},
    io::BufRead,
    ops::ControlFlow,
};

use serde_json::Value;

use super::{
    FileRead, MAX_REJECTIONS, ROW, Reading, TombstoneIndex,
    answers::{self, Answer},
};
use crate::{
    columns,
    error::{ImportError, Refusal},
    format::Header,
    node::{AcceptedRow, Node},
    normalise::{RowFault, Rules, normalise, too_long_in},
    options::Run,
    rating::{self, ScaleFaults},
    raw::{NamedValue, RawReview, Row},
    report::{Rejection, shortened},
    rows::{self, Cells, Container, RowLocation, Rows, Table, Unreadable},
    source::{self, UnpackBudget},
    status::Status,
};
use content::{ColumnMap, Field, KnownPlace};
use contract::{
    model::{OwnerReply, Rating},
    text::{clean, printable},
};

/// Statuses that a message lists.
const LISTED: usize = 12;

/// Judges the rows of one file and keeps the accepted ones.
pub(super) struct Collector<'a> {
    pub(super) run: &'a Run<'a>,
    pub(super) tombstones: &'a TombstoneIndex,
    pub(super) places: &'a [KnownPlace],
    pub(super) rules: Rules<'a>,
    /// The bytes and rows that the archive of the file may still have.
    pub(super) budget: Option<&'a UnpackBudget>,
    pub(super) nodes: &'a mut Vec<Node>,
    /// The number of the file's first row in `nodes`.
    pub(super) first: usize,
    pub(super) reading: &'a mut Reading,
    /// The file; one of `reading` after its last row.
    pub(super) file: FileRead,
    pub(super) map: &'a ColumnMap,
    pub(super) folder: &'a str,
    pub(super) header: Header,
    /// The delimiter and the columns, if the file is CSV.
    pub(super) table: Option<Table>,
    /// Rows from the first one on whose date can be two days: later rows may decide which.
    pub(super) waiting: Vec<(RowLocation, u32, RawReview)>,
    /// The error at which the reading was broken off.
    pub(super) failure: Option<ImportError>,
    /// The ratings that contradict the scale of their column.
    pub(super) scale: ScaleFaults,
    /// The number of rows with each status, by its column, as the file writes it.
    pub(super) statuses: BTreeMap<(String, String), u64>,
    /// Answers that are rows.
    pub(super) answers: Vec<Answer>,
    /// Authors of rows that are said to be the owner's, with stars and without a review that they answer.
    pub(super) owners: BTreeSet<String>,
}

impl Rows for Collector<'_> {
    fn row(&mut self, at: RowLocation, cells: Cells, place: Option<&Cells>) -> ControlFlow<()> {
        if rows::size_of(&cells) > rows::MAX_ROW {
            return self.broken(at, rows::ROW_TOO_LARGE.to_owned());
        }
        self.go_on(&cells)?;
        if let Some(column) = rows::unreadable_column(&cells) {
            self.warn(&at, &format!(
                "the cell {} has a character that could not be read (\u{fffd}); look whether its text is right",
                printable(column)
            ));
        }
        self.take(at, Row { cells: &cells, place });
        ControlFlow::Continue(())
    }

    fn broken(&mut self, at: RowLocation, reason: String) -> ControlFlow<()> {
        self.go_on(&Cells::new())?;
        let refusal = Refusal::new(reason, "correct the row or remove it");
        let fault = RowFault { field: String::new(), code: "no-review", refusal };
        self.reading.rows += 1;
        self.reject(&at, 0, self.rules.source, vec![fault]);
        ControlFlow::Continue(())
    }

    fn table(&mut self, table: &Table) {
        self.table = Some(table.clone());
    }

    fn decoded(&mut self, at: &RowLocation, column: &str) {
        self.warn(at, &format!(
            "the cell {} is not UTF-8 and was read as Windows-1252; look whether its letters are right",
            printable(column)
        ));
    }

    fn other(&mut self, at: &RowLocation, key: &str) {
        self.warn(at, &format!(
            "the reviews under {} may be about another business than those of the list beside it, and were left out; if they are about this one, import them from a file of their own",
            printable(key)
        ));
    }

    fn empty(&mut self) {
        self.reading.empty += 1;
    }

    fn header(&mut self, header: &Cells) {
        self.header = self.rules.format.header(header);
    }
}

impl Collector<'_> {
    /// Breaks off before a row if the import was interrupted, or if it or the archive holds too many rows.
    fn go_on(&mut self, cells: &Cells) -> ControlFlow<()> {
        let counted = self.budget.map_or(Ok(()), |budget| budget.row(rows::size_of(cells)));
        let counted = counted.map_err(|reason| {
            let archive = &self.reading.units[self.file.unit as usize];
            ImportError::Read(archive.clone(), reason.to_owned())
        });
        let within = counted.and_then(|()| self.check_size());
        match within.and_then(|()| self.run.check_interrupt()) {
            Ok(()) => ControlFlow::Continue(()),
            Err(failure) => {
                self.failure = Some(failure);
                ControlFlow::Break(())
            }
        }
    }

    fn warn(&mut self, at: &RowLocation, warning: &str) {
        let place = at.within(&self.file.name);
        self.reading.held += ROW + place.len();
        self.reading.warnings.push(format!("{place}: {warning}"));
    }

    fn check_size(&self) -> Result<(), ImportError> {
        self.reading.check_size(self.run.options, &self.file.name)
    }

    /// Reads the file to its end, and then what the document states about all its rows.
    pub(super) fn read(
        mut self,
        container: Container,
        reader: impl BufRead,
    ) -> Result<(), ImportError> {
        let outcome = rows::read(container, reader, &mut self);
        if let Some(failure) = self.failure.take() {
            return Err(failure);
        }
        match outcome {
            Ok(()) => {}
            Err(Unreadable::Io(error)) => {
                return Err(ImportError::Read(self.file.name, source::reason(&error)));
            }
            Err(Unreadable::Syntax { line, column, reason, help }) => {
                let place = if column > 0 { format!("column {column}: ") } else { String::new() };
                let reason = format!("{place}the file cannot be read on: {reason}");
                let at = RowLocation::Line(line as u64);
                self.unreadable(&at, reason, help);
            }
        }
        for (at, location, raw) in std::mem::take(&mut self.waiting) {
            self.judge(at, location, raw);
            self.check_size()?;
        }
        let best = self.run.options.best;
        if let Some(refusal) = self.scale.refusal(columns::with_stars(self.map), best) {
            return Err(ImportError::Unknown(self.file.name, refusal));
        }
        if let Some(refusal) = answers::refusal(&self.owners, self.map) {
            return Err(ImportError::Unknown(self.file.name, refusal));
        }
        self.finish_header();
        let has_accounts = self.map.columns.contains_key(&Field::AuthorId);
        let answers = std::mem::take(&mut self.answers);
        self.file.replies |= answers::give(answers, &mut self.nodes[self.first..], has_accounts);
        self.state_statuses();
        let is_given = self.run.options.map.is_some();
        self.reading.warnings.extend(self.file.doubts(is_given));
        self.reading.files.push(self.file);
        Ok(())
    }

    fn take(&mut self, at: RowLocation, row: Row<'_>) {
        let format = self.rules.format;
        let Some(mut raw) = format.row(row, self.map) else {
            self.empty();
            return;
        };
        if raw.best.is_none() {
            let (given, source) = (raw.rating.as_ref(), raw.source.as_deref());
            let source = source.unwrap_or(self.rules.source);
            let known = || self.scale.known_best(given, source, self.places);
            let best = self.rules.best.or_else(known).map(Value::from);
            raw.best = best.map(|value| NamedValue { field: "best".to_owned(), value });
        }
        self.reading.rows += 1;
        if self.is_left_out(&at, &mut raw) {
            return;
        }
        self.reading.held += ROW + serde_json::to_vec(&raw).map_or(0, |fields| fields.len());
        for (column, seen) in self.file.columns.iter_mut().filter(|(_, seen)| !seen) {
            *seen = row.at(column).is_some();
        }
        self.file.replies |= raw.reply.is_some() || raw.answers.is_some();
        self.file.authors |= raw.author.is_some();
        self.file.claimed_total = self.file.claimed_total.max(raw.claimed_total);
        self.file.claim_average(raw.claimed_average);
        let location = self.reading.locations.number(format, raw.location.take(), self.folder);
        if let Some(lines) = self.swallowed_rows(row.cells, &raw) {
            self.warn(&at, &format!(
                "{lines} lines within a text look like rows of the table; a quote may be missing, so look at the row"
            ));
        }
        let mut waits = !self.waiting.is_empty();
        for date in [&raw.date, &raw.updated, &raw.reply_date].into_iter().flatten() {
            waits |= self.rules.dates.observe(&date.value);
        }
        if waits { self.waiting.push((at, location, raw)) } else { self.judge(at, location, raw) }
    }

    /// Whether a row is not a review to import: spam, one that is not yet approved, an answer, or of another kind.
    fn is_left_out(&mut self, at: &RowLocation, raw: &mut RawReview) -> bool {
        let status = raw.status.take().and_then(|given| {
            let status = Status::read_phrase(&given.0, &given.1);
            // A column of many values is not one of statuses, whatever its first rows have.
            if self.statuses.len() <= LISTED || self.statuses.contains_key(&given) {
                *self.statuses.entry(given).or_default() += 1;
            }
            status
        });
        if raw.is_other {
            self.reading.others += 1;
            return true;
        }
        let stars = || rating::of_row(raw).and_then(Result::ok).map_or(0, Rating::stars);
        match status {
            Some(Status::Spam) => self.reading.spam += 1,
            Some(Status::Pending) if raw.answer_to.is_none() => {
                let source = raw.source.as_deref().unwrap_or(self.rules.source).to_owned();
                self.reading.held += ROW;
                *self.reading.pending.entry((source, stars())).or_default() += 1;
            }
            _ => {
                // Customers answer each other with reviews of their own.
                let is_owners = raw.is_owners;
                let answered = raw.answer_to.take().filter(|_| raw.rating.is_none() || is_owners);
                if !is_owners && answered.is_none() {
                    return false;
                }
                self.reading.answers += 1;
                let Some(id) = answered else {
                    let author = raw.author.as_ref().filter(|_| raw.rating.is_some());
                    self.owners.extend(author.filter(|_| self.owners.len() < 2).cloned());
                    return true;
                };
                let date =
                    raw.date.as_ref().and_then(|date| self.rules.dates.read(&date.value).ok());
                let is_shown = status != Some(Status::Pending);
                if let Some(text) = raw.text.as_deref().and_then(clean).filter(|_| is_shown) {
                    if let Some(fault) = too_long_in("reply", &text) {
                        self.reading.answers -= 1;
                        self.reject(at, 0, self.rules.source, vec![fault]);
                        return true;
                    }
                    let date = date.map(|date| date.day);
                    self.reading.held += ROW + text.len();
                    let has_accounts = self.map.columns.contains_key(&Field::AuthorId);
                    let author = raw.author.take();
                    let account = if has_accounts { raw.author_id.take() } else { author.clone() };
                    let reply = OwnerReply { text, date };
                    let id = id.trim().to_owned();
                    self.answers.push(Answer { id, account, author, is_owners, reply });
                }
            }
        }
        true
    }

    /// States the number of rows with each status.
    fn state_statuses(&mut self) {
        let counts: Vec<_> = self.statuses.iter().take(LISTED).collect();
        for of_column in counts.chunk_by(|((a, _), _), ((b, _), _)| a == b) {
            let count = |((column, value), count): &(&(String, String), &u64)| {
                let known = Status::read_phrase(column, value).map_or(" (unknown)", |_| "");
                format!("{} {count}{known}", printable(value))
            };
            let counts: Vec<String> = of_column.iter().map(count).collect();
            let (name, column) = (&self.file.name, printable(&of_column[0].0.0));
            self.reading.statements.push(format!("{name}: {column}: {}", counts.join(", ")));
        }
    }

    fn judge(&mut self, at: RowLocation, location: u32, raw: RawReview) {
        let mut notes = Vec::new();
        let source = raw.source.clone().unwrap_or_else(|| self.rules.source.to_owned());
        let wanted = &self.run.options.only_sources;
        let is_wanted = wanted.is_empty() || wanted.contains(&source);
        if is_wanted && let (Some(read), Some(given)) = (rating::of_row(&raw), &raw.rating) {
            self.scale.note(&given.value, read.as_ref(), || at.within(&self.file.name));
        }
        if let Some(explanation) = &mut self.reading.explanation {
            explanation.count_rating(raw.rating.as_ref().map(|rating| &rating.value));
        }
        let names_source = raw.source.is_some();
        match normalise(raw, &self.rules, &mut notes) {
            Err(_) if !is_wanted => self.reading.other_source += 1,
            Err(faults) => self.reject(&at, location, &source, faults),
            Ok(review) => {
                for note in notes {
                    *self.reading.notes.entry(note).or_default() += 1;
                }
                self.file.rows += 1;
                let others = review.decodings.iter().flat_map(|(author, text)| [author, text]);
                self.reading.held += others.flatten().map(String::len).sum::<usize>();
                let tombstone = self.tombstones.look_up(&review);
                self.nodes.push(Node::of_row(AcceptedRow {
                    review,
                    at,
                    file: self.reading.files.len(),
                    unit: self.file.unit,
                    location,
                    names_source,
                    forgotten: tombstone.is_some_and(|(_, forgotten)| forgotten),
                    revives: tombstone.map(|(number, _)| number),
                }));
            }
        }
    }

    /// Counts the lines of a cell that look like rows of their own; `None` below two.
    fn swallowed_rows(&self, cells: &Cells, raw: &RawReview) -> Option<usize> {
        let (table, rating) = (self.table.as_ref()?, raw.rating.as_ref()?);
        let best = raw.best.as_ref().map(|best| &best.value);
        let is_rating = |cell: &str| rating::read(&Value::from(cell), best).is_ok();
        let at = table.position(&rating.field)?;
        let texts = cells.values().filter_map(Value::as_str);
        let lines = texts.map(|text| table.rows_within(text, at, is_rating));
        lines.max().filter(|&lines| lines >= 2)
    }

    fn reject(&mut self, at: &RowLocation, location: u32, source: &str, faults: Vec<RowFault>) {
        self.reading.rejected += 1;
        if self.reading.rejections.len() >= MAX_REJECTIONS {
            return;
        }
        for RowFault { field, code, refusal } in faults {
            let rejection = Rejection {
                file: self.file.name.clone(),
                line: at.line(),
                pointer: at.pointer(),
                field: Some(field).filter(|field| !field.is_empty()),
                code,
                reason: shortened(refusal.reason),
                help: refusal.help,
                option: refusal.option,
                unit: self.file.unit,
                location,
                source: source.to_owned(),
            };
            self.reading.held += ROW + 2 * rejection.to_string().len();
            self.reading.rejections.push(rejection);
        }
    }

    fn unreadable(&mut self, at: &RowLocation, reason: String, help: &str) {
        let refusal = Refusal::new(reason, help);
        let fault = RowFault { field: String::new(), code: "unreadable", refusal };
        self.reading.rows += 1;
        self.reject(at, 0, self.rules.source, vec![fault]);
    }

    fn finish_header(&mut self) {
        let Header { location, claimed_total, claimed_average, goes_on } =
            std::mem::take(&mut self.header);
        self.file.claimed_total = self.file.claimed_total.max(claimed_total);
        self.file.claim_average(claimed_average);
        self.file.goes_on = goes_on;
        if let Some(location) = location {
            let locations = &mut self.reading.locations;
            let number = locations.number(self.rules.format, Some(location), self.folder);
            let rows = self.nodes[self.first..].iter_mut().filter_map(Node::row_mut);
            rows.for_each(|row| row.location = locations.within(row.location, number));
        }
    }
}
