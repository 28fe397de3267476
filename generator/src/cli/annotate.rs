//! The command `annotate`: has reviews judged by a language model, and stores what can be verified.

mod say;

use std::{
    collections::BTreeMap,
    sync::atomic::{AtomicUsize, Ordering},
    time::Duration,
};

use clap::{Args, builder::NonEmptyStringValueParser};
use contract::model::{Day, Review, ReviewId};
use insights::{Annotation, text_hash};
use jiff::{Timestamp, civil::Date, tz::TimeZone};

use super::{
    Context, Exit,
    interrupt::{GRACE, stop_on_signals},
};
use annotate::{
    endpoint::{Address, KEY_VARIABLE},
    prompt::Prompt,
    run::{self, Limits, Price, Respondent},
    select::{self, Selection},
    store::Folder,
};
use content::dataset::Dataset;
use system::progress::Progress as _;

#[derive(Debug, Args)]
pub(super) struct Annotate {
    /// Base address of an OpenAI-compatible interface, such as http://localhost:11434/v1; its key is taken
    /// from the variable CANDOR_ANNOTATE_KEY
    #[arg(
        long,
        help_heading = "Who is asked",
        env = "CANDOR_ANNOTATE_ENDPOINT",
        value_name = "URL",
        required_unless_present = "dry_run"
    )]
    endpoint: Option<Address>,
    /// Name of the model, as the interface knows it
    #[arg(
        long,
        help_heading = "Who is asked",
        env = "CANDOR_ANNOTATE_MODEL",
        value_name = "NAME",
        value_parser = NonEmptyStringValueParser::new(),
        required_unless_present = "dry_run"
    )]
    model: Option<String>,
    /// Judge at most this many reviews, the newest first
    #[arg(long, help_heading = "Which reviews", value_name = "N")]
    limit: Option<usize>,
    /// Only reviews of this day and later
    #[arg(long, help_heading = "Which reviews", value_name = "YYYY-MM-DD")]
    since: Option<Day>,
    /// Only reviews with these stars
    #[arg(long, help_heading = "Which reviews", value_name = "STARS", value_delimiter = ',', value_parser = clap::value_parser!(u8).range(1..=5))]
    rating: Vec<u8>,
    /// Count reviews, requests and tokens, and send nothing
    #[arg(long, help_heading = "Pace and cost")]
    dry_run: bool,
    /// Reviews in a request
    #[arg(long, help_heading = "Pace and cost", default_value = "5", value_name = "N", value_parser = clap::value_parser!(u8).range(1..=50))]
    batch: u8,
    /// Requests at the same time
    #[arg(long, help_heading = "Pace and cost", default_value = "2", value_name = "N", value_parser = clap::value_parser!(u8).range(1..=16))]
    concurrency: u8,
    /// Time of one request and its answer
    #[arg(long, help_heading = "Pace and cost", default_value = "10m", value_name = "TIME", value_parser = duration)]
    timeout: Duration,
    /// Time after which no request begins
    #[arg(long, help_heading = "Pace and cost", value_name = "TIME", value_parser = duration)]
    max_time: Option<Duration>,
    /// Price of a million tokens of requests and of answers, such as 0.2,0.8
    #[arg(long, help_heading = "Pace and cost", value_name = "IN,OUT", value_parser = price)]
    price: Option<Price>,
    /// What the run may cost, in the currency of --price; at most the requests in progress go beyond
    #[arg(long, help_heading = "Pace and cost", value_name = "AMOUNT", requires = "price", value_parser = amount)]
    budget: Option<f64>,
}

fn duration(text: &str) -> Result<Duration, String> {
    let duration = contract::duration::parse(text).filter(|duration| !duration.is_zero());
    duration.ok_or_else(|| "must be a time above zero, such as 90s, 10m or 1h".to_owned())
}

fn amount(text: &str) -> Result<f64, String> {
    let amount =
        text.trim().parse().ok().filter(|amount: &f64| amount.is_finite() && *amount >= 0.0);
    amount.ok_or_else(|| format!("must be an amount such as 0.5, found {text:?}"))
}

fn price(text: &str) -> Result<Price, String> {
    let help = || format!("must be two amounts such as 0.2,0.8, found {text:?}");
    let (asked, answered) = text.split_once(',').ok_or_else(help)?;
    Ok(Price(amount(asked).map_err(|_| help())?, amount(answered).map_err(|_| help())?))
}

impl Annotate {
    pub(super) fn run(self, context: &Context) -> anyhow::Result<Exit> {
        let content = &context.global.content;
        let today = Timestamp::now().to_zoned(TimeZone::UTC).date();
        // Whoever writes rows reads the content under the lock, so that no two commands ask about a review.
        let writes = content.is_dir() && !self.dry_run;
        let folder = writes.then(|| Folder::lock(content)).transpose()?;
        if let (Some(folder), Some(model)) = (&folder, &self.model) {
            // A row that was cut off would be an error of the content.
            folder.mend(model)?;
        }
        let (data, _) = &context.read_publishable("nothing can be judged")?;
        let prompt = Prompt::new(&data.listed.aspects);
        let selection =
            Selection { limit: self.limit, since: self.since, ratings: self.rating.clone() };
        let reviews = select::unjudged(data, &selection);
        say::estimate(context, &prompt, &reviews, usize::from(self.batch), self.price);
        match (&folder, &self.endpoint, &self.model) {
            (Some(folder), Some(address), Some(model)) => {
                self.ask(context, folder, (address, model), data, (&prompt, today), &reviews)
            }
            _ => Ok(Exit::Done),
        }
    }

    fn ask(
        &self,
        context: &Context,
        folder: &Folder,
        (address, model): (&Address, &str),
        data: &Dataset,
        prompt: (&Prompt, Date),
        reviews: &[&Review],
    ) -> anyhow::Result<Exit> {
        let key = std::env::var(KEY_VARIABLE).ok().map(|key| key.trim().to_owned());
        let key = key.filter(|key| !key.is_empty());
        if key.is_none() && address.wants_key() {
            context.out.warn(&format!(
                "no key in {KEY_VARIABLE}: nothing is asked, and the build continues with the built-in reader"
            ));
            return Ok(Exit::Done);
        }
        anyhow::ensure!(
            key.is_none() || address.is_safe(),
            "{address} would receive the key of {KEY_VARIABLE} unencrypted; use https, or remove the variable if the server needs no key"
        );
        let mut store = folder.open(model)?;
        let path = store.path().to_owned();
        let limits = Limits {
            batch: usize::from(self.batch),
            concurrency: usize::from(self.concurrency),
            timeout: self.timeout,
            max_time: self.max_time,
            budget: self.price.zip(self.budget),
        };
        let respondent = Respondent { address, key, model };
        let interrupted = stop_on_signals(GRACE)?;
        let (bar, done) = (context.out.judging(), AtomicUsize::new(0));
        let step = || bar.step(done.fetch_add(1, Ordering::Relaxed) + 1, reviews.len());
        let ended =
            run::run(prompt, reviews, &respondent, &limits, &mut store, &interrupted, &step);
        drop(bar);
        // A failed write is reported rather than what could be tidied after it.
        if let Some(error) = ended.failed {
            return Err(error.into());
        }
        store.tidy(&is_current(data))?;
        say::tally(context, &ended.tally, &path);
        say::tokens(context, ended.tally.tokens, self.price);
        say::stopped(context, &ended, reviews.len())
    }
}

/// Whether a row is that of a person, or about a text that is published.
fn is_current(data: &Dataset) -> impl Fn(&Annotation) -> bool {
    let hashes: BTreeMap<ReviewId, String> =
        data.reviews.iter().map(|r| (r.id, text_hash(r.text.as_deref()))).collect();
    move |row| !row.is_by_model() || hashes.get(&row.review_id) == Some(&row.text_hash)
}
