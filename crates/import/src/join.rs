//! Joins rows and stored reviews into reviews.

use std::collections::BTreeSet;

use super::{
    cluster::{self, Ambiguous, Certain, Clusters, Merge},
    error::ImportError,
    node::Node,
    options::Run,
    read::Reading,
    report::Rejection,
};

/// Reviews of which a row could be each, as a message lists them.
const MAX_LISTED: usize = 10;
/// Rounds in which rows are joined again without the ambiguous ones.
const MAX_ROUNDS: usize = 20;

/// The result of joining rows and stored reviews.
pub(super) struct Joined {
    pub(super) clusters: Clusters,
    pub(super) merges: Vec<Merge>,
}

/// Joins rows and stored reviews. Ambiguous rows are rejected, and the rest is joined again without
/// them.
pub(super) fn join(
    run: &Run<'_>,
    reading: &mut Reading,
    nodes: &mut Vec<Node>,
) -> Result<Joined, ImportError> {
    for _ in 0..MAX_ROUNDS {
        run.check_interrupt()?;
        let Certain { mut clusters, mut merges, mut ambiguous, alike } =
            cluster::join_certain(nodes);
        if ambiguous.is_empty() {
            let likely = cluster::join_likely(nodes, &mut clusters);
            merges.extend(likely.merges);
            ambiguous = likely.ambiguous;
        }
        if ambiguous.is_empty() {
            reading.warnings.extend((alike > 0).then(|| format!(
                "{alike} rows without an author have the stars, the day and the few words of another row of their file; each is a review of its own"
            )));
            return Ok(Joined { clusters, merges });
        }
        let (mut rows, mut units) = (BTreeSet::new(), BTreeSet::new());
        for ambiguous in &ambiguous {
            if !rows.insert(ambiguous.row) {
                continue;
            }
            units.extend(nodes[ambiguous.row as usize].unit());
            let rejection = ambiguous_rejection(ambiguous, nodes, reading);
            rejection.into_iter().for_each(|rejection| reading.reject(rejection));
        }
        let keep_going = run.options.keep_going;
        let (mut numbers, before) = (0.., nodes.len());
        nodes.retain(|node| {
            let is_ambiguous = numbers.next().is_some_and(|number| rows.contains(&number));
            let has_failed = !keep_going && node.unit().is_some_and(|unit| units.contains(&unit));
            !is_ambiguous && !has_failed
        });
        reading.held_back += (before - nodes.len() - rows.len()) as u64;
    }
    Err(ImportError::Setting(format!(
        "without the rows that are ambiguous others are, {MAX_ROUNDS} times in a row; import the files one by one"
    )))
}

/// Explains why a row is rejected; `None` for a stored review, which never is.
fn ambiguous_rejection(
    ambiguous: &Ambiguous,
    nodes: &[Node],
    reading: &Reading,
) -> Option<Rejection> {
    let name = |&number: &u32| {
        let node = &nodes[number as usize];
        node.row().map_or_else(|| node.id.to_string(), |row| reading.place(row))
    };
    let count = ambiguous.between.len();
    let between: Vec<String> = ambiguous.between.iter().take(MAX_LISTED).map(name).collect();
    let others = if count > MAX_LISTED { " and others" } else { "" };
    let row = nodes[ambiguous.row as usize].row()?;
    let (reason, help) = if ambiguous.by_ids {
        (
            format!("its ids belong to {count} stored reviews: {}{others}", between.join(", ")),
            "they are one review: give one of them the ids of both and the other none with candor edit ID --set source_ids=…, then candor hide OTHER --reason duplicate; candor show prints the ids",
        )
    } else {
        (
            match between.as_slice() {
                [] | [_] => "it is like too many reviews to be compared with each".to_owned(),
                several => {
                    format!(
                        "it is as much like one as the other of {}{others}",
                        several.join(" and ")
                    )
                }
            },
            "say which review it is with candor edit ID --set source_ids=…: the ids that candor show prints, and the one of this row",
        )
    };
    Some(Rejection {
        file: reading.files[row.file].name.clone(),
        line: row.at.line(),
        pointer: row.at.pointer(),
        field: None,
        code: "ambiguous",
        reason,
        help: help.to_owned(),
        option: None,
        unit: row.unit,
        location: row.location,
        source: row.review.source.clone(),
    })
}
