//! The stored reviews that an import lacks. A review that an export does not have is not deleted: it is
//! marked and kept.

use std::collections::{BTreeMap, BTreeSet};

use super::{
    cluster::Clusters,
    error::ImportError,
    format::ExportFormat,
    node::Node,
    options::ImportOptions,
    read::{FileRead, Reading},
};
use content::ImportedSource;

/// A claimed total may be off by this many percent before the rest counts as not exported.
const CLAIM_IS_OFF_BY: u64 = 10;
/// More reviews than this …
const MAX_REMOVED: u64 = 5;
/// … or more than one in this many are removed only with `--allow-shrink`.
const MAX_REMOVED_ONE_IN: u64 = 10;

/// The rows that the import has of each source, and the stored reviews that it lacks.
#[derive(Debug, Default)]
pub(super) struct Absence {
    pub(super) sources: Vec<ImportedSource>,
    /// Stored reviews that should have been there.
    pub(super) missing: Vec<u32>,
    /// The number of stored reviews of the sources that the import should have in full.
    pub(super) stored: u64,
    /// The export lacks many reviews and does not state that it is complete: nothing is marked.
    pub(super) is_doubtful: bool,
}

/// Determines whether each source is complete, and which stored reviews its rows lack.
pub(super) fn find(
    options: &ImportOptions,
    reading: &Reading,
    nodes: &[Node],
    clusters: &mut Clusters,
) -> Result<Absence, ImportError> {
    let failed_units = reading.failed();
    let mut files: BTreeMap<&str, Vec<&FileRead>> = BTreeMap::new();
    let mut failed = BTreeSet::new();
    // Of a platform that was not asked for nothing is known.
    let is_asked = |file: &&FileRead| {
        options.only_sources.is_empty() || options.only_sources.contains(&file.source)
    };
    for file in reading.files.iter().filter(is_asked) {
        files.entry(&file.source).or_default().push(file);
        failed.extend(failed_units.contains(&file.unit).then_some(&*file.source));
    }
    let mut present: BTreeMap<&str, u64> = files.keys().map(|source| (*source, 0)).collect();
    let mut met = vec![false; nodes.len()];
    for (number, node) in (0..).zip(nodes).filter(|(_, node)| !node.is_stored()) {
        let root = clusters.root(number) as usize;
        if !met[root] {
            *present.entry(node.source()).or_default() += 1;
        }
        met[root] = true;
    }
    let mut absence = Absence::default();
    let (mut looked_for, mut known_whole) = (BTreeSet::new(), true);
    for (name, count) in present {
        let of_source = files.get(name).map(Vec::as_slice).unwrap_or_default();
        let source = completeness(of_source, name, count, reading.left_out(name));
        if options.prune && source.complete == Some(false) {
            return Err(ImportError::Incomplete {
                source_name: name.to_owned(),
                reviews: count,
                claimed: source.claimed_total.map_or("more".to_owned(), |total| total.to_string()),
            });
        }
        let is_whole = source.complete != Some(false) || is_nearly(&source);
        if is_whole && !failed.contains(name) {
            looked_for.insert(name);
        }
        known_whole &= source.complete == Some(true);
        absence.sources.push(source);
    }
    for (number, node) in (0..).zip(nodes).filter(|(_, node)| node.is_stored()) {
        if looked_for.contains(node.source()) {
            absence.stored += 1;
            let is_missing = !met[clusters.root(number) as usize];
            absence.missing.extend(is_missing.then_some(number));
        }
    }
    let missing = absence.missing.len() as u64;
    let is_much = missing > MAX_REMOVED && missing * MAX_REMOVED_ONE_IN > absence.stored;
    absence.is_doubtful = is_much && !known_whole && !options.prune && !options.allow_shrink;
    Ok(absence)
}

fn completeness(files: &[&FileRead], name: &str, reviews: u64, left_out: u64) -> ImportedSource {
    let claimed_total = files.iter().filter_map(|file| file.claimed_total).max();
    // What an export has and the import leaves out is known to be missing; of a file that is not imported nothing is.
    let in_export = (left_out > 0 && reviews > 0).then_some(reviews + left_out);
    let claimed_total = claimed_total.max(in_export);
    let claimed_average = files.iter().rev().find_map(|file| match file.claimed_averages[..] {
        [one] => Some(one),
        _ => None,
    });
    let goes_on = files.iter().any(|file| file.goes_on || file.format.traits().partial);
    // Takeout hands out a folder with all there is.
    let is_owners = |format: ExportFormat| format == ExportFormat::GoogleTakeout;
    let is_all =
        !files.is_empty() && files.iter().all(|file| is_owners(file.format) && file.bundled);
    let complete = match claimed_total {
        Some(total) => Some(reviews >= total),
        None if goes_on => Some(false),
        None if is_all && left_out == 0 => Some(true),
        None => None,
    };
    ImportedSource { source: name.to_owned(), reviews, claimed_total, claimed_average, complete }
}

fn is_nearly(source: &ImportedSource) -> bool {
    source
        .claimed_total
        .is_some_and(|total| source.reviews * 100 >= total * (100 - CLAIM_IS_OFF_BY))
}

/// Refuses to remove many reviews without `--allow-shrink`.
pub(super) fn guard(options: &ImportOptions, removed: u64, stored: u64) -> Result<(), ImportError> {
    let is_much = removed > MAX_REMOVED || removed * MAX_REMOVED_ONE_IN > stored;
    if is_much && removed > 0 && !options.allow_shrink {
        Err(ImportError::Shrink { removed, stored })
    } else {
        Ok(())
    }
}
