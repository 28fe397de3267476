//! The command `check`: reports every problem of the content.

mod fakes;
mod import_age;
mod law;

use clap::Args;
use contract::{
    model::Ratio,
    problem::{Problem, Severity},
};
use jiff::Timestamp;

use super::{Context, Exit, all::AllArgs, output::plural};
use content::{cache::Cache, dataset::Dataset};
use generator::{
    pipeline::Checked,
    previous::Previous,
    publish::{self, PublishError},
};
use insights::Agreement;

#[derive(Debug, Args)]
pub(super) struct Check {
    /// Print the problems as a JSON array
    #[arg(long)]
    pub(super) json: bool,
    /// Treat warnings as errors
    #[arg(long)]
    strict: bool,
    /// Manifest of the last publication, to check that the site has not moved unannounced
    #[arg(long, env = "CANDOR_PREVIOUS", value_name = "FILE|URL")]
    previous: Option<Previous>,
    /// How old each source's last import may be, such as 3d; google=3d is for one source; may be repeated
    #[arg(long, value_name = "[SOURCE=]AGE")]
    max_import_age: Vec<import_age::Limit>,
    /// List what a law on reviews wants stated and the content does not state; may be repeated
    #[arg(long, value_name = "COUNTRY")]
    law: Vec<law::Law>,
    /// List signs that reviews may be fakes; none of it is published
    #[arg(long)]
    fakes: bool,
    #[command(flatten)]
    pub(super) all: AllArgs,
}

impl Check {
    pub(super) fn run(self, context: &Context) -> anyhow::Result<Exit> {
        let mut checked = context.read_content(&Cache::none());
        if let Some(data) = &checked.dataset {
            let content = &context.global.content;
            let old = import_age::problems(
                &self.max_import_age,
                &data.sources,
                content,
                Timestamp::now(),
            );
            let unstated = law::problems(&self.law, data, content);
            let fakes = self.fakes.then(|| fakes::problems(data, content));
            let found = old.into_iter().chain(unstated).chain(fakes.into_iter().flatten());
            checked.problems.extend(found);
        }
        checked.check_templates(&context.global.content);
        let moved = checked.dataset.as_ref().map_or(Ok(None), |data| self.moved(data, context));
        checked.problems.extend(moved.as_ref().ok().cloned().flatten());
        if self.json {
            context.out.json_pretty(&checked.problems)?;
        } else {
            context.out.problems(&checked.problems);
            context.out.say(&summary(&checked));
            if let Some(agreement) = checked.publishable().and_then(|data| data.insights.agreement)
            {
                context.out.say(&agreed(&agreement));
            }
        }
        moved?;
        let errors = checked.count(Severity::Error);
        let warnings = checked.count(Severity::Warning);
        Ok(if errors > 0 || (self.strict && warnings > 0) { Exit::Failed } else { Exit::Done })
    }

    /// Compares `base_url` with that of the last publication. One given on the command line is a preview's.
    fn moved(&self, data: &Dataset, context: &Context) -> anyhow::Result<Option<Problem>> {
        let previous = match &self.previous {
            Some(previous) => previous.manifest(&|line| context.out.warn(line))?,
            None => publish::manifest_in(&context.global.published())?,
        };
        let is_given = context.global.base_url.is_some();
        match publish::check_origin(&publish::head(data), previous.as_ref()) {
            Err(PublishError::Moved { message, help }) if !is_given => Ok(Some(Problem {
                severity: Severity::Error,
                code: "moved-site",
                place: data.site.base_url_place.clone(),
                message,
                help,
            })),
            _ => Ok(None),
        }
    }
}

/// `250 reviews: 248 published, 2 withheld (1 off_topic, 1 personal_data); 3 errors, no warnings`
pub(super) fn summary(checked: &Checked) -> String {
    let found = format!(
        "{}, {}",
        counted(checked.count(Severity::Error), "error", "errors"),
        counted(checked.count(Severity::Warning), "warning", "warnings")
    );
    // With errors some reviews were not even read: no count would be true.
    let Some(data) = checked.publishable() else { return found };
    let moderation = &data.moderation;
    let reasons: Vec<String> =
        moderation.by_reason.iter().map(|(reason, count)| format!("{count} {reason}")).collect();
    let withheld = match moderation.withheld_count {
        0 => "none withheld".to_owned(),
        count => format!("{count} withheld ({})", reasons.join(", ")),
    };
    let total = data.reviews.len() + moderation.withheld_count;
    format!(
        "{}: {} published, {withheld}; {found}",
        plural(total, "review", "reviews"),
        data.reviews.len()
    )
}

/// `annotations: 12 reviews; of 30 aspects they name 27 were found (90.0 %), 25 of those with the same
/// sentiment (92.6 %); 3 more were found`
fn agreed(agreement: &Agreement) -> String {
    let Agreement { reviews, both, missed, made_up, same_sentiment } = *agreement;
    let share = |part: u64, whole: u64| {
        Ratio::of(part as i64 * 100, whole, 1)
            .map_or(String::new(), |share| format!(" ({:.1} %)", share.value()))
    };
    let named = both + missed;
    format!(
        "annotations: {}; of {} they name {both} were found{}, {same_sentiment} of those with the same sentiment{}; {made_up} more were found",
        plural(reviews as usize, "review", "reviews"),
        plural(named as usize, "aspect", "aspects"),
        share(both, named),
        share(same_sentiment, both),
    )
}

fn counted(count: usize, one: &str, many: &str) -> String {
    if count == 0 { format!("no {many}") } else { plural(count, one, many) }
}
