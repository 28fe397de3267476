//! The command `stats`: prints the figures of the site.

mod gaps;

use clap::Args;
use contract::{model::Ratio, text::printable};
use serde_json::{Value, json};

use self::gaps::Gaps;
use super::{Context, Exit, all::AllArgs, output::plural};
use content::dataset::Dataset;
use insights::{AspectSummary, Month, Sentiment};

/// Months shown.
const MONTHS: usize = 24;
/// Characters of a full bar.
const BAR: u64 = 20;

#[derive(Debug, Args)]
pub(super) struct Stats {
    /// Print everything as one JSON object, all months included
    #[arg(long)]
    pub(super) json: bool,
    #[command(flatten)]
    pub(super) all: AllArgs,
}

impl Stats {
    pub(super) fn run(self, context: &Context) -> anyhow::Result<Exit> {
        let (data, warnings) = &context.read_publishable("there is nothing to show")?;
        let gaps = Gaps::of(data);
        if self.json {
            context.out.json_pretty(&whole(data, &gaps, *warnings))?;
            return Ok(Exit::Done);
        }
        let lines = [head(data), months(data), aspects(data), gaps.lines()];
        lines.iter().flatten().for_each(|line| context.out.say(&printable(line)));
        Ok(Exit::Done)
    }
}

/// Returns the figures for programs.
fn whole(data: &Dataset, gaps: &Gaps, warnings: usize) -> Value {
    let month = |month: &Month| {
        json!({
            "month": month.first.month(),
            "review_count": month.tally.count(),
            "average_rating": month.tally.average_rating(),
        })
    };
    let aspect = |aspect: &AspectSummary| {
        json!({
            "id": aspect.id,
            "label": aspect.label,
            "mention_count": aspect.tally.count(),
            "positive_count": aspect.tally.with(Sentiment::Positive),
            "negative_count": aspect.tally.with(Sentiment::Negative),
            "mixed_count": aspect.tally.with(Sentiment::Mixed),
            "positive_pct": aspect.tally.positive_pct(),
            "positive_range": aspect.tally.positive_range(),
            "unjudged_count": aspect.tally.unjudged(),
            "trend": aspect.trend,
        })
    };
    json!({
        "business": data.business.name,
        "base_url": data.site.base_url,
        "review_count": data.reviews.len(),
        "earliest": data.reviews.last().map(|review| review.date),
        "latest": data.reviews.first().map(|review| review.date),
        "average": data.aggregate.average,
        "overall_sentiment": data.insights.overall,
        "trend": data.insights.trend,
        "monthly": data.insights.monthly.iter().map(month).collect::<Vec<_>>(),
        "aspects": data.insights.aspects.iter().map(aspect).collect::<Vec<_>>(),
        "gaps": gaps,
        "last_import": data.sources.iter().filter_map(|source| source.last_import).max(),
        "warning_count": warnings,
    })
}

fn head(data: &Dataset) -> Vec<String> {
    let count = plural(data.reviews.len(), "review", "reviews");
    let (Some(newest), Some(oldest), Some(average)) =
        (data.reviews.first(), data.reviews.last(), data.aggregate.average)
    else {
        return vec![format!("{}: {count}", data.business.name)];
    };
    let positive = data.insights.overall.positive_count;
    let average = average.value();
    vec![
        format!(
            "{}: {count} from {} to {}, {average:.2} out of 5, {positive} of {} positive",
            data.business.name,
            oldest.known_date(),
            newest.known_date(),
            data.reviews.len()
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
    let mut lines = vec![format!("{:width$}  reviews  praise  blame  unclear", "aspect")];
    for aspect in &data.insights.aspects {
        let of = |sentiment| aspect.tally.with(sentiment);
        let bar = of(Sentiment::Positive) * BAR / aspect.tally.count().max(1);
        let line = format!(
            "{:width$}  {:7}  {:6}  {:5}  {:7}  {}",
            aspect.label,
            aspect.tally.count(),
            of(Sentiment::Positive),
            of(Sentiment::Negative),
            aspect.tally.unclear(),
            fill(bar)
        );
        lines.push(line.trim_end().to_owned());
    }
    lines.push(String::new());
    lines
}

fn percent(value: Option<Ratio>) -> String {
    value.map_or("-".to_owned(), |value| format!("{:.1} %", value.value()))
}

fn fill(length: u64) -> String {
    "█".repeat(length.min(BAR) as usize)
}
