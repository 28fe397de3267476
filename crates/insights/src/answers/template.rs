//! The owner's Markdown with computed numbers. It is rendered by minijinja in strict mode, so that
//! a missing value fails the build and is not printed as "none" or "0 %".

use contract::{
    model::{DatePrecision, Day, Review},
    problem::did_you_mean,
};
use std::{collections::BTreeMap, sync::Arc};

use minijinja::{
    Environment, Error, ErrorKind, Output, State, UndefinedBehavior, context,
    value::{Serde, StringInput, Value},
};
use serde_json::{Map, Value as Json, json};

use super::{
    Facts,
    speech::{Speech, counted, list},
};
use crate::{
    answers::fault::{TEMPLATE_FUEL, check_condition, check_tags},
    opinion::Sentiment,
    summary::document::AspectSummary,
    summary::document::EntityKind,
    summary::document::EntitySummary,
    summary::tally::Tally,
};

/// The filter that checks a quote.
const QUOTE: &str = "quote";

/// The values and filters of templates, built once per site.
pub(crate) struct Templates {
    environment: Environment<'static>,
    context: Value,
}

impl Templates {
    /// Compiles the values and filters that these templates use.
    pub(super) fn new<'t>(facts: &Facts<'_>, mut templates: impl Iterator<Item = &'t str>) -> Self {
        let Facts { business, aggregate, insights, reviews, speech, .. } = facts;
        let mut environment = Environment::new();
        environment.set_undefined_behavior(UndefinedBehavior::Strict);
        // Errors know the names of the values and the words of the template only then.
        environment.set_debug(true);
        environment.set_fuel(Some(TEMPLATE_FUEL));
        environment.set_formatter(refuse_nothing);
        add_filters(&mut environment, speech);
        let text =
            |review: &Review| Some((review.id.to_string(), Arc::from(review.text.as_deref()?)));
        // Few templates quote, and the texts are most of what a site is.
        let quotes = templates.any(|template| template.contains(QUOTE));
        let quotable = reviews.iter().filter(|_| quotes);
        let texts: BTreeMap<String, Arc<str>> = quotable.filter_map(text).collect();
        environment.add_filter(QUOTE, move |words: String, id: String| quote(&texts, &words, &id));
        let scored = |kind| insights.entities[&kind].iter().filter(|entity| entity.is_scored);
        let entity = |summary| entity(&**speech, summary);
        let entities = |kind| Json::Object(scored(kind).map(entity).collect());
        let aspect = |summary| aspect(&**speech, summary);
        let context = context! {
            business => Value::from(Serde(business)),
            aggregate => Value::from(Serde(aggregate)),
            aspects => Value::from(Serde(Json::Object(insights.aspects.iter().map(aspect).collect()))),
            technicians => Value::from(Serde(entities(EntityKind::Technician))),
            services => Value::from(Serde(entities(EntityKind::Service))),
            areas => Value::from(Serde(entities(EntityKind::ServiceArea))),
            as_of => reviews.first().map(|review| review.known_date()),
        };
        Self { environment, context }
    }

    /// Renders a template with the values.
    pub(crate) fn render(&self, template: &str) -> Result<String, Error> {
        check_tags(template)?;
        self.environment.render_str(template, &self.context)
    }

    /// Returns the existing path that is most similar to one that does not exist.
    pub(crate) fn nearest(&self, path: &str) -> Option<String> {
        let mut names: Vec<&str> = path.split('.').collect();
        let (last, parent) = (names.pop()?, names.join("."));
        let within = names.into_iter().try_fold(self.context.clone(), |value, name| {
            value.get_attr(name).ok().filter(|inner| !inner.is_undefined())
        })?;
        let known: Vec<String> = within.try_iter().ok()?.map(|key| key.to_string()).collect();
        let near = did_you_mean(last, known.iter().map(String::as_str))?;
        Some(if parent.is_empty() { near.to_owned() } else { format!("{parent}.{near}") })
    }

    /// Whether the condition is true.
    pub(crate) fn holds(&self, condition: &str) -> Result<bool, Error> {
        check_condition(condition)?;
        Ok(self.environment.compile_expression(condition)?.eval(&self.context)?.is_true())
    }
}

/// The filters that write values in the language of the site.
fn add_filters(environment: &mut Environment<'static>, speech: &Arc<dyn Speech>) {
    let filter = || Arc::clone(speech);
    let speech = filter();
    environment
        .add_filter("pct", move |state: &State<'_, '_>, value: &Value| pct(&*speech, state, value));
    let speech = filter();
    environment.add_filter("stars", move |state: &State<'_, '_>, value: &Value| {
        stars(&*speech, state, value)
    });
    let speech = filter();
    environment.add_filter("plural", move |count: u64, one: &str, many: &str| {
        format!("{} {}", speech.count(count), if count == 1 { one } else { many })
    });
    let speech = filter();
    environment.add_filter("date", move |text: &str| date(&*speech, text));
    let speech = filter();
    environment.add_filter("join_and", move |state: &State<'_, '_>, items: &Value| {
        StringInput::new(state, items)?;
        let items: Vec<String> = items.try_iter()?.map(|item| item.to_string()).collect();
        Ok::<_, Error>(list(&*speech, &items))
    });
}

fn tally(speech: &dyn Speech, tally: &Tally) -> Map<String, Json> {
    let value = json!({
        "counts": counted(speech, tally, Sentiment::Positive),
        "mention_count": tally.count(),
        "positive_count": tally.with(Sentiment::Positive),
        "neutral_count": tally.with(Sentiment::Neutral),
        "negative_count": tally.with(Sentiment::Negative),
        "mixed_count": tally.with(Sentiment::Mixed),
        "positive_pct": tally.positive_pct(),
        "positive_range": tally.positive_range(),
        "unjudged_count": tally.unjudged(),
        "unclear_count": tally.unclear(),
        "average_rating": tally.average_rating(),
        "score": tally.score(),
    });
    value.as_object().cloned().unwrap_or_default()
}

fn aspect(speech: &dyn Speech, summary: &AspectSummary) -> (String, Json) {
    let mut values = tally(speech, &summary.tally);
    values.insert("label".to_owned(), json!(speech.aspect(&summary.id, &summary.label)));
    values.insert("top_phrases".to_owned(), json!(summary.top_phrases));
    (summary.id.to_string(), Json::Object(values))
}

fn entity(speech: &dyn Speech, summary: &EntitySummary) -> (String, Json) {
    let mut values = tally(speech, &summary.tally);
    values.insert("name".to_owned(), json!(summary.name));
    (summary.id.to_string(), Json::Object(values))
}

/// Prints values. An undefined or null value is an error.
fn refuse_nothing(out: &mut Output<'_>, _: &mut State<'_, '_>, value: &Value) -> Result<(), Error> {
    if value.is_none() || value.is_undefined() {
        return Err(Error::new(
            ErrorKind::UndefinedError,
            "there is too little data for this value",
        ));
    }
    out.write_str(&value.to_string()).map_err(Error::from)
}

fn invalid(message: impl Into<std::borrow::Cow<'static, str>>) -> Error {
    Error::new(ErrorKind::InvalidOperation, message)
}

/// The number, `None` for null. An undefined value is an error, which names it.
fn number(state: &State<'_, '_>, value: &Value) -> Result<Option<f64>, Error> {
    StringInput::new(state, value)?;
    (!value.is_none()).then(|| f64::try_from(value.clone())).transpose()
}

/// Formats a share, as `92.1%`.
fn pct(speech: &dyn Speech, state: &State<'_, '_>, value: &Value) -> Result<String, Error> {
    number(state, value)?.map(|value| speech.percent(value)).ok_or_else(|| {
        invalid("no share: fewer than five opinions, or more than a tenth could not be judged")
    })
}

/// Formats an average, as `4.76 out of 5`.
fn stars(speech: &dyn Speech, state: &State<'_, '_>, value: &Value) -> Result<String, Error> {
    number(state, value)?
        .map(|value| speech.out_of_five(value))
        .ok_or_else(|| invalid("no reviews: no average is said"))
}

/// Formats a day, a month or a year, as `March 1, 2026`, `March 2026` or `2026`.
fn date(speech: &dyn Speech, text: &str) -> Result<String, Error> {
    let (day, precision) = match text.len() {
        4 => (format!("{text}-01-01"), DatePrecision::Year),
        7 => (format!("{text}-01"), DatePrecision::Month),
        _ => (text.to_owned(), DatePrecision::Day),
    };
    // A text that is none of the three is named as it is.
    let day = day.parse::<Day>().or_else(|_| text.parse());
    let day = day.map_err(|error| invalid(format!("{error}")))?;
    Ok(speech.date(day, precision))
}

/// The words in quotation marks. It is an error if the review does not contain them.
fn quote(texts: &BTreeMap<String, Arc<str>>, words: &str, id: &str) -> Result<String, Error> {
    let text = texts
        .get(id)
        .ok_or_else(|| invalid(format!("there is no published review {id} with words")))?;
    if words.is_empty() || !text.contains(words) {
        return Err(invalid(format!("review {id} does not say {words:?}")));
    }
    Ok(format!("“{words}”"))
}
