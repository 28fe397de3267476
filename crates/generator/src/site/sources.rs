//! The sources of the reviews, and the share of each that this site has.

use content::dataset::SourceSummary;
use contract::model::Verification;
use serde::Serialize;

use super::view::Viewer;

/// A source, with the number of its missing reviews.
#[derive(Debug, Serialize)]
pub(super) struct SourceView<'d> {
    name: String,
    href: Option<&'d str>,
    line: String,
    verification: Option<&'d Verification>,
}

/// The number of incomplete sources with a line of their own; the others are counted.
const PARTS: usize = 2;

/// Returns `Google: 50 of about 176 reviews are here`, for each source that is not complete.
pub(super) fn parts(viewer: &Viewer<'_>) -> Vec<String> {
    let parts: Vec<_> = viewer.data.sources.iter().filter(|it| it.is_partial()).collect();
    let more = parts.len().saturating_sub(PARTS) as u64;
    let more =
        (more > 0).then(|| viewer.words.say("and_more", Some(more), &[]).unwrap_or_default());
    let line = |source: &SourceSummary| {
        let words = &viewer.words;
        let mut values = vec![("source", viewer.reviews.source(&source.source))];
        values.extend(source.claimed_above().map(|total| ("total", words.count(total))));
        let key = if values.len() > 1 { "part_of_total" } else { "part" };
        let line = words.say(key, Some(source.review_count), &values).unwrap_or_default();
        with_claim(viewer, source, line)
    };
    parts.iter().take(PARTS).map(|source| line(source)).chain(more).collect()
}

/// Adds the average that the platform shows, if it is not that of the reviews here.
fn with_claim(viewer: &Viewer<'_>, source: &SourceSummary, line: String) -> String {
    let words = &viewer.words;
    let Some(claimed) = source.claimed_average else { return line };
    // As exact as platforms write it: 4.7, and 4.65.
    let decimals = if (claimed * 10.0).fract() == 0.0 { 1 } else { 2 };
    let average = words.decimal(claimed, decimals);
    if source.average.is_none_or(|here| words.decimal(here.value(), decimals) == average) {
        return line;
    }
    let name = viewer.reviews.source(&source.source);
    let values = [("line", line), ("source", name), ("average", average)];
    words.say("source_claims", None, &values).unwrap_or_default()
}

pub(super) fn sources<'d>(viewer: &Viewer<'d>) -> Vec<SourceView<'d>> {
    let words = &viewer.words;
    let sources = viewer.data.sources.iter().map(|source| {
        let count = Some(source.review_count);
        let line = match (source.average, source.is_partial(), source.claimed_above()) {
            (None, ..) => Ok(words.word("source_empty")),
            (Some(average), true, total) => {
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
            line: with_claim(viewer, source, line.unwrap_or_default()),
        }
    });
    sources.collect()
}
