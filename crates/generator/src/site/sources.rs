//! The sources of the reviews, and the share of each that this site has.

use content::dataset;
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

/// Returns a line for each source that is not complete.
pub(super) fn parts(viewer: &Viewer<'_>) -> Vec<String> {
    dataset::parts(&viewer.words, &viewer.data.sources)
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
            line: dataset::with_claim(words, source, line.unwrap_or_default()),
        }
    });
    sources.collect()
}
