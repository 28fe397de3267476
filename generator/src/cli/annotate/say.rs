//! Prints the messages of the command `annotate`.

use std::{collections::BTreeMap, path::Path};

use contract::model::Review;

use super::super::{Context, Exit, output::plural};
use annotate::{
    answer::Fault,
    prompt::Prompt,
    run::{Ended, Price, Stop, Tally},
    select,
};

/// Prints the number of reviews to judge, and an estimate of the cost.
pub(super) fn estimate(
    context: &Context,
    prompt: &Prompt,
    reviews: &[&Review],
    batch: usize,
    price: Option<Price>,
) {
    if reviews.is_empty() {
        return context.out.say("no review is to be judged: every text has a current annotation");
    }
    let mut tokens = (0, 0);
    for reviews in reviews.chunks(batch) {
        let questions: Vec<_> = reviews.iter().map(|review| select::asked(review)).collect();
        let (asked, answered) = prompt.tokens(&questions);
        tokens = (tokens.0 + asked, tokens.1 + answered);
    }
    context.out.say(&format!(
        "{} in {}: about {} tokens of requests and {} of answers{}",
        plural(reviews.len(), "review", "reviews"),
        plural(reviews.len().div_ceil(batch), "request", "requests"),
        tokens.0,
        tokens.1,
        cost(tokens, price)
    ));
}

/// `, a cost of 0.12 by --price`
fn cost(tokens: (u64, u64), price: Option<Price>) -> String {
    price.map_or(String::new(), |price| format!(", a cost of {:.4} by --price", price.of(tokens)))
}

/// Prints the numbers of judgements that were stored and that were not.
pub(super) fn tally(context: &Context, tally: &Tally, written: &Path) {
    if tally.judged > 0 {
        let mended = match tally.mended {
            0 => String::new(),
            count => format!(
                "; {} not copied exactly and taken from the text",
                plural(count, "quote was", "quotes were")
            ),
        };
        let dropped = match tally.dropped {
            0 => String::new(),
            count => format!(
                "; {} dropped, without a quote in the text or against another one",
                plural(count, "opinion was", "opinions were")
            ),
        };
        context.out.say(&format!(
            "judged {} with {} in {}{mended}{dropped}",
            plural(tally.judged, "review", "reviews"),
            plural(tally.opinions, "opinion", "opinions"),
            written.display()
        ));
    }
    let mut faults: BTreeMap<&Fault, usize> = BTreeMap::new();
    for (id, fault) in &tally.left {
        *faults.entry(fault).or_default() += 1;
        context.out.detail(&format!("  left {id}: {fault}"));
    }
    for (fault, count) in faults {
        let reviews = plural(count, "review is", "reviews are");
        context.out.warn(&format!("{reviews} left to the built-in reader: {fault}"));
    }
}

/// Prints the tokens that the requests used.
pub(super) fn tokens(context: &Context, tokens: (u64, u64), price: Option<Price>) {
    if tokens != (0, 0) {
        let (asked, answered) = tokens;
        context.out.say(&format!(
            "used {asked} tokens for requests and {answered} for answers{}",
            cost(tokens, price)
        ));
    }
}

/// Prints why the rest of the reviews was not judged.
pub(super) fn stopped(context: &Context, ended: &Ended, reviews: usize) -> anyhow::Result<Exit> {
    let Some(stop) = &ended.stopped else { return Ok(Exit::Done) };
    let open = reviews.saturating_sub(ended.tally.judged + ended.tally.left.len());
    let open = plural(open, "review is", "reviews are");
    let rest = format!("{open} not judged yet, and the same command continues with them");
    match stop {
        Stop::Limit(reason) => {
            context.out.warn(&format!("{reason}: {rest}"));
            Ok(Exit::Done)
        }
        Stop::Failure(reason) => anyhow::bail!("{reason}: {rest}"),
    }
}
