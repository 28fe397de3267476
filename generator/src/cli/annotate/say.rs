//! What the command `annotate` says.

use std::{collections::BTreeMap, path::PathBuf};

use contract::model::{Ratio, Review};
use insights::Sentiment;

use super::super::{Context, Exit, output::plural};
use annotate::{
    answer::Fault,
    batch::Imported,
    compare::{Comparison, Difference, Judgements},
    prompt::Prompt,
    run::{Ended, Price, Stop, Tally},
    select,
    text::word,
};

/// How many reviews are to be asked about, and what that may cost.
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

/// What was stored and what was not.
pub(super) fn tally(context: &Context, tally: &Tally, written: &[PathBuf]) {
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
            paths(written)
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

/// What the requests needed.
pub(super) fn tokens(context: &Context, tokens: (u64, u64), price: Option<Price>) {
    if tokens != (0, 0) {
        let (asked, answered) = tokens;
        context.out.say(&format!(
            "used {asked} tokens for requests and {answered} for answers{}",
            cost(tokens, price)
        ));
    }
}

/// Why reviews were not asked about.
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

/// The answers of an import that do not count.
pub(super) fn unused(context: &Context, imported: &Imported) {
    let Imported { tally, stale, known, open, .. } = imported;
    for (count, one, many, why) in [
        (*stale, "review has", "reviews have", "another text now or none: export again"),
        (*known, "review has", "reviews have", "a current annotation already"),
        (*open, "request has", "requests have", "no answer in the folder"),
    ] {
        if count > 0 {
            context.out.warn(&format!("{} {why}", plural(count, one, many)));
        }
    }
    if (tally.judged, tally.left.len(), *stale, *known) == (0, 0, 0, 0) {
        context.out.say("no judgement was found");
    }
}

/// `a.jsonl, b.jsonl`
pub(super) fn paths(paths: &[PathBuf]) -> String {
    paths.iter().map(|path| path.display().to_string()).collect::<Vec<_>>().join(", ")
}

/// Where judges agree, and each difference.
pub(super) fn comparisons(context: &Context, judgements: &Judgements<'_>) {
    let comparisons = judgements.comparisons();
    if comparisons.is_empty() {
        return context.out.say("nothing can be compared: no review has a current annotation and another judge; candor help annotations says how to get one");
    }
    for comparison in &comparisons {
        say_comparison(context, comparison);
    }
}

fn say_comparison(context: &Context, comparison: &Comparison<'_>) {
    let [first, second] = comparison.judges;
    let reviews = plural(comparison.reviews, "review", "reviews");
    let width = comparison.aspects.iter().map(|(id, _)| id.len()).max().unwrap_or(0).max(6);
    let only = [first, second].map(|judge| format!("only {judge}"));
    let mut lines = format!(
        "{first} and {second}: {reviews}\n{:width$}  both  {}  {}  same sentiment\n",
        "aspect", only[0], only[1]
    );
    for (id, count) in &comparison.aspects {
        let same = Ratio::of(count.same as i64 * 100, count.both as u64, 1);
        let same = same.map_or("-".to_owned(), |same| format!("{:.1} %", same.value()));
        lines.push_str(&format!(
            "{id:width$}  {:>4}  {:>first$}  {:>second$}  {same:>14}\n",
            count.both,
            count.first,
            count.second,
            first = only[0].len(),
            second = only[1].len()
        ));
    }
    for difference in &comparison.differences {
        let Difference { review, aspect, said } = difference;
        let of = |at: usize| format!("{} {}", comparison.judges[at], opinion(said[at]));
        lines.push_str(&format!("  {review} {aspect}: {}, {}\n", of(0), of(1)));
    }
    context.out.say(&lines);
}

/// `negative "two hours late"`
fn opinion(said: Option<&(Sentiment, Option<String>)>) -> String {
    match said {
        None => "nothing".to_owned(),
        Some((sentiment, None)) => word(*sentiment).to_owned(),
        Some((sentiment, Some(quote))) => {
            let quote = quote.split_whitespace().collect::<Vec<_>>().join(" ");
            format!("{} “{quote}”", word(*sentiment))
        }
    }
}
