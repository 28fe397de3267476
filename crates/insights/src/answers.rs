//! Questions with answers, and the summary: the owner's with computed numbers, and computed ones if
//! there is enough data. Every statement is based on counts.

pub(crate) mod bounded;
pub(crate) mod fault;
pub(crate) mod speech;
pub(crate) mod template;

use contract::{
    model::AggregateRating,
    model::{Business, Faq, Review, ReviewId, Summary, Verification, source_name},
    problem::{Passage, Report},
};
use std::{collections::BTreeSet, sync::Arc};

use serde::Serialize;

use crate::{
    answers::bounded::bounded,
    answers::fault::TemplateFault,
    answers::speech::{Speech, counted, list},
    answers::template::Templates,
    language::Language,
    opinion::Sentiment,
    summary::document::AspectSummary,
    summary::document::EntityKind,
    summary::document::Insights,
    summary::tally::{MIN_OPINIONS, distinct},
};

/// Maximum number of names in a sentence.
const LISTED: usize = 5;
/// A published question with its answer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, schemars::JsonSchema)]
pub struct Answer {
    /// Slug.
    pub id: String,
    /// As asked.
    pub question: String,
    /// Markdown.
    pub answer: String,
    /// Whose answer it is: `owner`, written by the business, or `computed` from the reviews.
    pub source: &'static str,
    /// Published reviews that support it.
    pub review_ids: Vec<ReviewId>,
}

/// The input of answers.
#[derive(Clone, Debug)]
pub struct Facts<'a> {
    /// The business.
    pub business: &'a Business,
    /// Averages over all published reviews.
    pub aggregate: &'a AggregateRating,
    /// The computed insights.
    pub insights: &'a Insights,
    /// The reviews, newest first.
    pub reviews: &'a [Review],
    /// `4.76 of 5 from 38 reviews`, or `from 32 of 184 reviews` where sources have more.
    pub rated: Option<String>,
    /// What is here of each source that is not complete.
    pub parts: Vec<String>,
    /// The words and the conventions of the site's language.
    pub speech: Arc<dyn Speech>,
}

/// The owner's answers with their values, then the computed answers whose ids the owner does not
/// use; and the summary, the owner's or a computed one.
#[must_use]
pub fn answers(
    facts: &Facts<'_>,
    faq: Vec<Faq>,
    summary: Option<Summary>,
    summary_place: &Passage,
    report: &Report,
) -> (Vec<Answer>, Option<Summary>) {
    let texts = faq.iter().flat_map(|entry| [Some(&entry.answer), entry.when.as_ref()]).flatten();
    let texts = texts.chain(summary.iter().map(|summary| &summary.text));
    let templates = Templates::new(facts, texts.map(String::as_str));
    let published: BTreeSet<ReviewId> = facts.reviews.iter().map(|review| review.id).collect();
    let taken: BTreeSet<String> = faq.iter().map(|entry| entry.id.clone()).collect();
    let mut answers: Vec<Answer> =
        faq.into_iter().filter_map(|entry| owners(&templates, entry, &published, report)).collect();
    let automatic =
        [rating(facts), on_time(facts), praise(facts), mentioned(facts), verified(facts)];
    answers.extend(automatic.into_iter().flatten().filter(|answer| !taken.contains(&answer.id)));
    let summary = match summary {
        Some(summary) => {
            lint_numbers(&summary.text, summary_place, report);
            let text = render(&templates, &summary.text, summary_place, report);
            Some(Summary { text, ..summary })
        }
        None => automatic_summary(facts),
    };
    (answers, summary)
}

fn owners(
    templates: &Templates,
    entry: Faq,
    published: &BTreeSet<ReviewId>,
    report: &Report,
) -> Option<Answer> {
    if let Some(condition) = &entry.when {
        match templates.holds(condition) {
            Ok(true) => {}
            Ok(false) => return None,
            Err(error) => {
                complain(templates, &TemplateFault::of(&error), &entry.when_place, report);
                return None;
            }
        }
    }
    lint_numbers(&entry.answer, &entry.answer_place, report);
    let answer = render(templates, &entry.answer, &entry.answer_place, report);
    let ids = entry.review_ids.into_iter().map(|(id, _)| id);
    let review_ids = ids.filter(|id| published.contains(id)).collect();
    Some(Answer { id: entry.id, question: entry.question, answer, source: "owner", review_ids })
}

fn render(templates: &Templates, text: &str, place: &Passage, report: &Report) -> String {
    let at = || place.place_of("", 1).to_string();
    bounded(at, || templates.render(text)).unwrap_or_else(|fault| {
        complain(templates, &fault, place, report);
        String::new()
    })
}

fn complain(templates: &Templates, fault: &TemplateFault, text: &Passage, report: &Report) {
    let nearest = fault.undefined.as_deref().and_then(|path| templates.nearest(path));
    let help = nearest.map_or_else(
        || fault.help.unwrap_or("put it into {% if … %} where the data may be too little; candor help template lists what a text can name").to_owned(),
        |name| format!("did you mean \"{name}\"?"),
    );
    report.error("template", text.place_of(&fault.words, fault.line), fault.message.clone(), help);
}

/// The words of every language before which a number is a count.
fn counted_words() -> impl Iterator<Item = String> {
    Language::all()
        .flat_map(|language| language.words("counted"))
        .map(|word| word.replace('_', " "))
}

/// Warns about literal numbers, because they become outdated: 38 reviews, 92 %.
fn lint_numbers(text: &str, place: &Passage, report: &Report) {
    let mut outside = String::new();
    for (at, part) in text.split("{{").enumerate() {
        outside.push_str(if at == 0 {
            part
        } else {
            part.split_once("}}").map_or("", |(_, rest)| rest)
        });
    }
    let bytes = outside.as_bytes();
    let mut at = 0;
    while at < bytes.len() {
        if !bytes[at].is_ascii_digit() {
            at += 1;
            continue;
        }
        let end = at
            + bytes[at..]
                .iter()
                .take_while(|b| b.is_ascii_digit() || **b == b'.' || **b == b',')
                .count();
        let rest = outside[end..].trim_start_matches([' ', '\u{a0}', '*']);
        if let Some(word) = counted_words().find(|word| rest.starts_with(word)) {
            let number = outside[at..end].trim_end_matches(['.', ',']);
            let message = format!("\"{number} {word}\" was true when it was written");
            let help = "write a computed value such as {{ aggregate.review_count }}; candor help template lists them";
            let place = place.place_of(&outside[at..outside.len() - rest.len() + word.len()], 1);
            report.warning("literal-number", place, message, help);
        }
        at = end;
    }
}

fn computed(id: &str, question: String, answer: String, review_ids: Vec<ReviewId>) -> Answer {
    Answer { id: id.to_owned(), question, answer, source: "computed", review_ids }
}

fn enough(facts: &Facts<'_>) -> bool {
    facts.reviews.len() as u64 >= MIN_OPINIONS
}

/// A phrase about the rating and the period of the reviews, and what is here of sources that are not complete.
fn rated_in_period(facts: &Facts<'_>, key: &str) -> Option<String> {
    let day = |review: &Review| facts.speech.date(review.date, review.date_precision);
    let overall = &facts.insights.overall;
    let values = [
        ("business", facts.business.name.clone()),
        ("rated", facts.rated.clone().filter(|_| enough(facts))?),
        ("from", day(facts.reviews.last()?)),
        ("to", day(facts.reviews.first()?)),
        ("positive", facts.speech.count(overall.positive_count)),
        ("negative", facts.speech.count(overall.negative_count)),
    ];
    let parts = facts.parts.iter().map(|part| format!(" {part}."));
    Some(facts.speech.say(key, None, &values) + &parts.collect::<String>())
}

fn rating(facts: &Facts<'_>) -> Option<Answer> {
    let question =
        facts.speech.say("ask_rating", None, &[("business", facts.business.name.clone())]);
    let answer = rated_in_period(facts, "answer_rating")?;
    Some(computed("rating", question, answer, Vec::new()))
}

/// The opinions about punctuality, as counts; `None` below five opinions.
fn on_time(facts: &Facts<'_>) -> Option<Answer> {
    let aspect = facts.insights.aspects.iter().find(|aspect| *aspect.id == *"punctuality")?;
    let tally = Some(&aspect.tally).filter(|tally| tally.opinions() >= MIN_OPINIONS)?;
    let counts = [("counts", counted(&*facts.speech, tally, Sentiment::Positive))];
    let answer = facts.speech.say("answer_punctuality", Some(tally.count()), &counts);
    let question = facts.speech.say("ask_punctuality", None, &[]);
    Some(computed("punctuality", question, answer, quoted(aspect)))
}

fn quoted(aspect: &AspectSummary) -> Vec<ReviewId> {
    let ids: BTreeSet<ReviewId> = aspect.examples.iter().map(|example| example.review_id).collect();
    ids.into_iter().collect()
}

/// The aspects that are praised, or criticised, more than all together, the most distinct one first.
#[must_use]
pub fn distinct_aspects(insights: &Insights, side: Sentiment) -> Vec<&AspectSummary> {
    distinct(&insights.aspects, |aspect| &aspect.tally, side)
}

/// The statement "Praised more than the rest: X", or the one of criticism, if the counts support it.
fn most(facts: &Facts<'_>, key: &str, side: Sentiment) -> Option<(String, Vec<ReviewId>)> {
    let aspect = *distinct_aspects(facts.insights, side).first()?;
    let speech = &*facts.speech;
    let values = [
        ("label", speech.aspect(&aspect.id, &aspect.label)),
        ("counts", counted(speech, &aspect.tally, side)),
    ];
    Some((speech.say(key, None, &values), quoted(aspect)))
}

/// The statements of the most praised and of the most criticised aspect: both or none, because one alone misleads.
fn extremes(facts: &Facts<'_>) -> Option<(String, Vec<ReviewId>)> {
    let (praised, praise) = most(facts, "most_praised", Sentiment::Positive)?;
    let (criticised, blame) = most(facts, "most_criticised", Sentiment::Negative)?;
    let ids: BTreeSet<ReviewId> = praise.into_iter().chain(blame).collect();
    Some((format!("{praised} {criticised}"), ids.into_iter().collect()))
}

fn praise(facts: &Facts<'_>) -> Option<Answer> {
    let (answer, ids) = extremes(facts)?;
    let question = facts.speech.say("ask_praise", None, &[]);
    Some(computed("praise-and-criticism", question, answer, ids))
}

fn mentioned(facts: &Facts<'_>) -> Option<Answer> {
    let speech = &*facts.speech;
    let sentence = |(kind, key): (EntityKind, &str)| {
        let mut found: Vec<_> = facts.insights.entities[&kind]
            .iter()
            .filter(|e| e.tally.count() >= MIN_OPINIONS)
            .collect();
        found.sort_by_key(|entity| std::cmp::Reverse(entity.tally.count()));
        let said = |e: &&crate::summary::document::EntitySummary| {
            format!("{} ({})", e.name, speech.count(e.tally.count()))
        };
        let others = (found.len() > LISTED).then(|| speech.say("others", None, &[]));
        let names: Vec<String> = found.iter().take(LISTED).map(said).chain(others).collect();
        (!names.is_empty()).then(|| speech.say(key, None, &[("names", list(speech, &names))]))
    };
    let named = [(EntityKind::Service, "named_services"), (EntityKind::ServiceArea, "named_areas")];
    let sentences: Vec<String> = named.into_iter().filter_map(sentence).collect();
    let question = || speech.say("ask_named", None, &[]);
    (!sentences.is_empty())
        .then(|| computed("services-and-areas", question(), sentences.join(" "), Vec::new()))
}

fn verified(facts: &Facts<'_>) -> Option<Answer> {
    let business = facts.business;
    let answer = match &business.verification {
        Some(shared) => in_sentences(shared),
        None => {
            let of = |(source, method): (&String, &Verification)| {
                format!("{}: {}", source_name(source), in_sentences(method))
            };
            business.methods.iter().map(of).collect::<Vec<_>>().join(" ")
        }
    };
    let question = facts.speech.say("ask_verified", None, &[]);
    (enough(facts) && !answer.is_empty())
        .then(|| computed("verification", question, answer, Vec::new()))
}

fn in_sentences(verification: &Verification) -> String {
    let end = if verification.method.ends_with('.') { "" } else { "." };
    let more = verification.description.as_ref().map_or(String::new(), |text| format!(" {text}"));
    format!("{}{end}{more}", verification.method)
}

/// The rating, then the most praised and the most criticised aspect, if the counts support it.
fn automatic_summary(facts: &Facts<'_>) -> Option<Summary> {
    let rated = rated_in_period(facts, "summary_rated")?;
    let said = extremes(facts).map_or(String::new(), |(said, _)| format!(" {said}"));
    let text = format!("{rated}{said}");
    Some(Summary { text, author: None, date: None, computed: true })
}
