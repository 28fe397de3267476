//! Everything that an import has read.

use std::collections::{BTreeMap, BTreeSet};

use super::{FileRead, Locations, MAX_REJECTIONS, UNNAMED, takeout_product};
use crate::{
    detect::Detected,
    error::{ImportError, Refusal},
    explain::{Explanation, count, shown},
    node::{AcceptedRow, Node},
    normalise::Note,
    options::{ImportOptions, MAX_SIZE},
    report::Rejection,
    source::Input,
};

/// Everything that was read.
#[derive(Default)]
pub(in super::super) struct Reading {
    pub(in super::super) files: Vec<FileRead>,
    /// Bytes of everything that is held: the texts of rows, rejections and files, and [`ROW`](super::ROW) for each.
    pub(super) held: usize,
    /// The names of the units. A unit is a file, an archive or an address; it is imported or rejected as a
    /// whole.
    pub(in super::super) units: Vec<String>,
    pub(in super::super) locations: Locations,
    pub(in super::super) rejections: Vec<Rejection>,
    /// Everything that is read as a row.
    pub(in super::super) rows: u64,
    pub(in super::super) rejected: u64,
    /// Rows of businesses that were not asked for.
    pub(in super::super) elsewhere: u64,
    /// Good rows of units with rejected rows.
    pub(in super::super) held_back: u64,
    pub(in super::super) notes: BTreeMap<Note, u64>,
    /// Rows that may be more than one, with their places.
    pub(in super::super) warnings: Vec<String>,
    /// Files of a bundle that hold no reviews.
    pub(in super::super) passed_over: u64,
    /// The products of a Takeout archive that hold no reviews.
    pub(super) products: BTreeSet<String>,
    /// Files of known formats that cannot be imported, by their names.
    pub(in super::super) refused: Vec<(String, Refusal)>,
    /// Elements that are nothing.
    pub(in super::super) empty: u64,
    /// Rows that are spam or deleted.
    pub(in super::super) spam: u64,
    /// Reviews that a shop has not yet approved, by source and stars; 0 where these are not readable.
    pub(in super::super) pending: BTreeMap<(String, u8), u64>,
    /// Rows that are answers to other rows.
    pub(in super::super) answers: u64,
    /// Rows of another kind: questions, notes of a shop.
    pub(in super::super) others: u64,
    /// Rows of platforms that were not asked for.
    pub(in super::super) other_source: u64,
    /// Sentences about the files that report no fault.
    pub(in super::super) statements: Vec<String>,
    /// Hashes of the inputs, in their order.
    pub(in super::super) hashes: Vec<String>,
    /// The explanation so far, if one was requested.
    pub(in super::super) explanation: Option<Explanation>,
    /// The refusal for a file that names no platform, when it is explained.
    pub(super) unnamed: Option<Refusal>,
}

impl Reading {
    /// The number of a unit: the last one, whose files come one after the other, or a new one.
    pub(super) fn unit(&mut self, name: String) -> u32 {
        if self.units.last() != Some(&name) {
            self.units.push(name);
        }
        u32::try_from(self.units.len() - 1).unwrap_or(u32::MAX)
    }

    /// Counts a file without reviews of a known format. It is an error unless the file is one of many.
    pub(super) fn pass_over(
        &mut self,
        detected: Detected,
        name: String,
        bundled: bool,
        folder: &str,
        prefix: &[u8],
    ) -> Result<(), ImportError> {
        match detected {
            Detected::Refused(refusal) if bundled => self.refused.push((name, refusal)),
            Detected::Unknown(_) if bundled => {
                self.locations.learn(folder, &name, prefix);
                self.products.extend(takeout_product(&name).map(str::to_owned));
                self.passed_over += 1;
            }
            Detected::Refused(refusal)
            | Detected::Unknown(refusal)
            | Detected::Unconfirmed(refusal) => {
                return Err(ImportError::Unknown(name, refusal));
            }
            Detected::Empty | Detected::ExportFormat { .. } => self.empty += 1,
        }
        Ok(())
    }

    /// Explains why nothing of a folder or an archive was read.
    pub(super) fn nothing_in(&self, input: &Input) -> ImportError {
        let products: Vec<&str> = self.products.iter().map(String::as_str).collect();
        let unknown = |reason: &str, help: &str| {
            ImportError::Unknown(input.shown(), Refusal::new(reason, help))
        };
        if products.is_empty() {
            return unknown(
                "no file in it holds reviews of a known format",
                "look whether it is the right download; candor help import-formats says what to take from each platform",
            );
        }
        let products = products.join(", ");
        unknown(
            &format!("it is a Takeout archive without reviews of a business; it holds {products}"),
            "export \"Google Business Profile\" from Takeout, with the account that owns the business",
        )
    }

    pub(super) fn warn_of_guess(&mut self, name: &str, encoding: Option<&str>) {
        self.warnings.extend(encoding.map(|encoding| {
            format!("{name}: it is not UTF-8 and was read as {encoding}; look whether its letters are right")
        }));
    }

    /// Units with rejected rows.
    pub(in super::super) fn failed(&self) -> std::collections::BTreeSet<u32> {
        self.rejections.iter().map(|rejection| rejection.unit).collect()
    }

    pub(in super::super) fn reject(&mut self, rejection: Rejection) {
        self.rejected += 1;
        if self.rejections.len() < MAX_REJECTIONS {
            self.rejections.push(rejection);
        }
    }

    /// The reviews of a source that the exports have and the import leaves out: rejected, or not yet approved.
    pub(in super::super) fn left_out(&self, source: &str) -> u64 {
        let pending = self.pending.iter().filter(|((of, _), _)| of == source);
        let pending: u64 = pending.map(|(_, count)| count).sum();
        pending + rows(self.rejections.iter().filter(|rejection| rejection.source == source))
    }

    /// Leaves out the rejected rows of other businesses.
    pub(in super::super) fn keep_locations(&mut self, is_wanted: impl Fn(u32) -> bool) {
        let before = rows(&self.rejections);
        self.rejections.retain(|rejection| is_wanted(rejection.location));
        let left_out = before - rows(&self.rejections);
        self.rejected -= left_out;
        self.elsewhere += left_out;
    }

    /// Completes the explanation, if there is one, with what the rows hold.
    pub(in super::super) fn explain_rows(&mut self, nodes: &[Node]) {
        let Some(explanation) = &mut self.explanation else { return };
        explanation.rows = self.rows;
        explanation.statuses.clone_from(&self.statements);
        for row in nodes.iter().filter_map(Node::row) {
            let review = &row.review;
            let (first, last) = explanation.days.unwrap_or((review.day, review.day));
            explanation.days = Some((first.min(review.day), last.max(review.day)));
            let precision = review.precision.map_or("day", |it| it.published().word());
            *explanation.precisions.entry(precision).or_default() += 1;
            if review.source != UNNAMED {
                count(&mut explanation.sources, &review.source);
            }
            if let Some(location) = self.locations.get(row.location) {
                count(&mut explanation.businesses, &shown(&location.name.unwrap_or(location.id)));
            }
            if let Some(language) = &review.language {
                count(&mut explanation.languages, language);
            }
            explanation.with_id += u64::from(!review.ids.is_empty());
        }
    }

    /// The place of a row, as messages show it.
    pub(in super::super) fn place(&self, row: &AcceptedRow) -> String {
        row.at.within(&self.files[row.file].name)
    }

    /// Fails if the rows and texts of the import are larger than `--max-size`.
    pub(super) fn check_size(
        &self,
        options: &ImportOptions,
        file: &str,
    ) -> Result<(), ImportError> {
        let limit = options.max_size.unwrap_or(MAX_SIZE);
        if self.held as u64 <= limit {
            return Ok(());
        }
        let reason = format!(
            "with it, the rows and texts of this import are larger than {limit} bytes; import it in parts, or pass a larger --max-size if you trust it"
        );
        Err(ImportError::Read(file.to_owned(), reason))
    }
}

/// Counts the rows that are rejected. One may be for several reasons, which follow each other.
fn rows<'a>(rejections: impl IntoIterator<Item = &'a Rejection>) -> u64 {
    let mut rows: Vec<_> = rejections.into_iter().map(|r| (&r.file, r.line, &r.pointer)).collect();
    rows.dedup();
    rows.len() as u64
}
