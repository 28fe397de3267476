use clap::Args;

use super::{Context, Exit, check, output::plural};
use crate::{
    dataset::{Dataset, Ratio},
    insights::{Basis, EntityKind, Sentiment},
    model::Review,
};

/// Months shown.
const MONTHS: usize = 24;
/// Characters of a full bar.
const BAR: u64 = 20;
/// Names listed where many have no review.
const LISTED: usize = 10;

#[derive(Debug, Args)]
pub(super) struct Stats {}

impl Stats {
    pub(super) fn run(self, context: &Context) -> anyhow::Result<Exit> {
        let checked = context.read_content();
        context.out.problems(&checked.problems);
        let Some(data) = checked.publishable() else {
            context.out.say(&check::summary(&checked));
            anyhow::bail!("there is nothing to show; mend the errors above");
        };
        for line in
            head(data).into_iter().chain(months(data)).chain(aspects(data)).chain(gaps(data))
        {
            context.out.say(&line);
        }
        Ok(Exit::Done)
    }
}

fn head(data: &Dataset) -> Vec<String> {
    let count = plural(data.reviews.len(), "review", "reviews");
    let (Some(newest), Some(oldest), Some(average)) =
        (data.reviews.first(), data.reviews.last(), data.aggregate.average)
    else {
        return vec![format!("{}: {count}", data.business.name)];
    };
    let positive = percent(data.insights.overall.positive_pct);
    let average = average.value();
    vec![
        format!(
            "{}: {count} from {} to {}, {average:.2} out of 5, {positive} positive",
            data.business.name, oldest.date, newest.date
        ),
        String::new(),
    ]
}

fn months(data: &Dataset) -> Vec<String> {
    let months = &data.insights.monthly;
    let shown = &months[months.len().saturating_sub(MONTHS)..];
    if shown.is_empty() {
        return Vec::new();
    }
    let mut lines = vec!["month    reviews  average".to_owned()];
    for month in shown {
        let average = month.tally.average_rating().map(Ratio::value);
        let text = average.map_or("      -".to_owned(), |average| format!("{average:7.2}"));
        // A bar of stars: five are full.
        let bar = average.map_or(0, |average| (average * BAR as f64 / 5.0 + 0.5) as u64);
        lines.push(
            format!("{}  {:7}  {text}  {}", month.first.month(), month.tally.count(), fill(bar))
                .trim_end()
                .to_owned(),
        );
    }
    lines.push(String::new());
    lines
}

fn aspects(data: &Dataset) -> Vec<String> {
    let width =
        data.insights.aspects.iter().map(|aspect| aspect.label.chars().count()).max().unwrap_or(0);
    if width == 0 {
        return Vec::new();
    }
    let mut lines = vec![format!("{:width$}  reviews  praise  blame  mixed  positive", "aspect")];
    for aspect in &data.insights.aspects {
        let of = |sentiment| aspect.tally.with(sentiment);
        let bar = aspect
            .tally
            .positive_pct()
            .map_or(0, |share| (share.value() * BAR as f64 / 100.0 + 0.5) as u64);
        let line = format!(
            "{:width$}  {:7}  {:6}  {:5}  {:5}  {:>8}  {}",
            aspect.label,
            aspect.tally.count(),
            of(Sentiment::Positive),
            of(Sentiment::Negative),
            of(Sentiment::Mixed),
            percent(aspect.tally.positive_pct()),
            fill(bar)
        );
        lines.push(line.trim_end().to_owned());
    }
    lines.push(String::new());
    lines
}

/// What is not covered: texts, names, replies.
fn gaps(data: &Dataset) -> Vec<String> {
    let coverage = data.insights.coverage;
    let read = coverage.text + coverage.annotated;
    let silent = data
        .insights
        .per_review
        .iter()
        .filter(|insight| insight.basis != Basis::Rating && insight.aspects.is_empty())
        .count();
    let mut lines = vec![
        format!(
            "judged by words {}, by annotation {}, by stars alone {} without words and {} in other languages",
            coverage.text, coverage.annotated, coverage.rating_only, coverage.other_language
        ),
        format!("no aspect found in {silent} of {read} texts"),
        replies(data),
    ];
    for (kind, what) in [
        (EntityKind::Technician, "technicians"),
        (EntityKind::Service, "services"),
        (EntityKind::ServiceArea, "service areas"),
    ] {
        let listed = data.insights.entities.get(&kind).map_or(&[][..], Vec::as_slice);
        let unnamed: Vec<&str> =
            listed.iter().filter(|e| e.tally.count() == 0).map(|e| &*e.name).collect();
        if !unnamed.is_empty() {
            let more = if unnamed.len() > LISTED {
                format!(" and {} more", unnamed.len() - LISTED)
            } else {
                String::new()
            };
            let shown = &unnamed[..unnamed.len().min(LISTED)];
            lines.push(format!("{what} no review names: {}{more}", shown.join(", ")));
        }
    }
    lines
}

fn replies(data: &Dataset) -> String {
    let share = |reviews: &[&Review]| {
        let replied = reviews.iter().filter(|review| review.owner_reply.is_some()).count();
        format!(
            "{replied} of {} ({})",
            reviews.len(),
            percent(Ratio::of(replied as i64 * 100, reviews.len() as u64, 1))
        )
    };
    let all: Vec<&Review> = data.reviews.iter().collect();
    let low: Vec<&Review> =
        data.reviews.iter().filter(|review| review.rating.stars() <= 2).collect();
    format!("replied to {}; of one and two stars to {}", share(&all), share(&low))
}

fn percent(value: Option<Ratio>) -> String {
    value.map_or("-".to_owned(), |value| format!("{:.1} %", value.value()))
}

fn fill(length: u64) -> String {
    "█".repeat(length.min(BAR) as usize)
}
