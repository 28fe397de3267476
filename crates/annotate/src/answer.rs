//! Checks what a model wrote. Of an answer only judgements and parts of the reviews are taken.

use std::{collections::BTreeMap, ops::Range};

use insights::Sentiment;
use serde::Deserialize;

use super::quote;

/// Most opinions about one review. There are about a dozen aspects, and looking for the quotes of an answer
/// of 4 MiB would take minutes.
const MAX_OPINIONS: usize = 100;

/// The checked answer about one review.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Judgement {
    /// One opinion for each aspect, in the order of the answer.
    pub opinions: Vec<JudgedAspect>,
    /// Opinions whose quote is in the text after cleaning or within the accepted distance only.
    pub mended: usize,
    /// Opinions that were dropped: their quote is not in the text, or they contradict another opinion
    /// about the same aspect in the same words.
    pub dropped: usize,
}

/// An opinion of a model that was found in the text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct JudgedAspect {
    /// The id of the aspect.
    pub aspect: String,
    /// The opinion about it.
    pub sentiment: Sentiment,
    /// Bytes of the text.
    pub span: Range<usize>,
}

/// The reason why there is no judgement of a review.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, thiserror::Error)]
pub enum Fault {
    /// The whole answer is not JSON.
    #[error("the answer is not JSON of the form that was asked for")]
    NoJson,
    /// The model or the server stopped too early.
    #[error("the answer is cut off")]
    CutOff,
    /// The answer does not name the review.
    #[error("the answer leaves the review out")]
    Missing,
    /// The answer names the review more than once.
    #[error("the answer judges the review twice")]
    Twice,
    /// An aspect, a sentiment or a key that was not asked for.
    #[error("the judgement has an unknown aspect, sentiment or key")]
    OutsideSchema,
    /// More than there are aspects and clauses.
    #[error("the judgement has more than {MAX_OPINIONS} opinions")]
    TooMany,
    /// More opinions were dropped than kept.
    #[error("most quotes are not in the review")]
    Invented,
    /// The model did not answer, for this reason.
    #[error("{0}")]
    NoAnswer(String),
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Answer {
    reviews: Vec<serde_json::Value>,
}

#[derive(Deserialize)]
struct Numbered {
    id: usize,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Answered {
    #[expect(dead_code, reason = "read as Numbered; here so that no other key is allowed")]
    id: usize,
    opinions: Vec<Opinion>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Opinion {
    aspect: String,
    sentiment: Sentiment,
    quote: String,
}

/// The judgement of each of these texts, in their order, by an answer about all of them.
pub fn check(answer: &str, texts: &[&str], aspects: &[String]) -> Vec<Result<Judgement, Fault>> {
    let Ok(Answer { reviews }) = serde_json::from_str(without_fence(answer)) else {
        return vec![Err(Fault::NoJson); texts.len()];
    };
    let mut by_number: BTreeMap<usize, Vec<serde_json::Value>> = BTreeMap::new();
    for review in reviews {
        // A number that was not asked about is ignored like an entry without one.
        if let Ok(Numbered { id }) = Numbered::deserialize(&review) {
            by_number.entry(id).or_default().push(review);
        }
    }
    let judge = |(at, text): (usize, &&str)| match by_number.remove(&(at + 1)).as_deref() {
        None => Err(Fault::Missing),
        Some([one]) => judge(one, text, aspects),
        Some(_) => Err(Fault::Twice),
    };
    texts.iter().enumerate().map(judge).collect()
}

/// Models that are not held to a schema often write JSON as a block of Markdown, and some begin with
/// what they think.
fn without_fence(answer: &str) -> &str {
    let thought = answer.trim_start().strip_prefix("<think>");
    let answer =
        thought.and_then(|rest| rest.split_once("</think>")).map_or(answer, |(_, said)| said);
    let answer = answer.trim();
    let block = answer.strip_prefix("```json").or(answer.strip_prefix("```"));
    block.and_then(|block| block.strip_suffix("```")).unwrap_or(answer)
}

fn judge(review: &serde_json::Value, text: &str, aspects: &[String]) -> Result<Judgement, Fault> {
    let Answered { opinions, .. } =
        Answered::deserialize(review).map_err(|_| Fault::OutsideSchema)?;
    if opinions.iter().any(|opinion| !aspects.contains(&opinion.aspect)) {
        return Err(Fault::OutsideSchema);
    }
    if opinions.len() > MAX_OPINIONS {
        return Err(Fault::TooMany);
    }
    let mut judgement = Judgement::default();
    let mut found: Vec<JudgedAspect> = Vec::new();
    for Opinion { aspect, sentiment, quote } in opinions {
        let Some(quote::Found { span, is_exact }) = quote::find(text, &quote) else {
            judgement.dropped += 1;
            continue;
        };
        let overlaps = |other: &&JudgedAspect| {
            other.aspect == aspect && other.span.start < span.end && span.start < other.span.end
        };
        match found.iter().find(overlaps) {
            Some(other) => judgement.dropped += usize::from(other.sentiment != sentiment),
            None => {
                judgement.mended += usize::from(!is_exact);
                found.push(JudgedAspect { aspect, sentiment, span });
            }
        }
    }
    if judgement.dropped > found.len() {
        return Err(Fault::Invented);
    }
    judgement.opinions = voted(found);
    Ok(judgement)
}

/// Gives each aspect one vote: praise and blame in different clauses are mixed, and a plain fact yields to
/// both. The quote is that of the first opinion that decides.
fn voted(found: Vec<JudgedAspect>) -> Vec<JudgedAspect> {
    let mut votes: Vec<JudgedAspect> = Vec::new();
    for opinion in found {
        let Some(vote) = votes.iter_mut().find(|vote| vote.aspect == opinion.aspect) else {
            votes.push(opinion);
            continue;
        };
        match (vote.sentiment, opinion.sentiment) {
            (Sentiment::Neutral, _) => *vote = opinion,
            (_, Sentiment::Neutral) => {}
            (said, again) if said == again => {}
            _ => vote.sentiment = Sentiment::Mixed,
        }
    }
    votes
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    const TEXT: &str = "They were late. The price was fair, but they were not quick.";

    fn checked(opinions: Value) -> Result<Judgement, Fault> {
        let answer = json!({ "reviews": [{ "id": 1, "opinions": opinions }] }).to_string();
        check(&answer, &[TEXT], &["pricing".to_owned(), "punctuality".to_owned()]).remove(0)
    }

    fn opinion(aspect: &str, sentiment: &str, quote: &str) -> Value {
        json!({ "aspect": aspect, "sentiment": sentiment, "quote": quote })
    }

    #[test]
    fn what_is_quoted_is_taken_from_the_text() {
        let found = checked(json!([
            opinion("punctuality", "negative", "were late"),
            opinion("pricing", "positive", "the price  was fair"),
        ]))
        .unwrap();
        let said: Vec<&str> = found.opinions.iter().map(|o| &TEXT[o.span.clone()]).collect();
        assert_eq!(
            (said, found.mended, found.dropped),
            (vec!["were late", "The price was fair"], 1, 0)
        );
    }

    #[test]
    fn what_is_outside_the_schema_is_refused() {
        for bad in [
            json!([opinion("weather", "negative", "were late")]),
            json!([opinion("pricing", "glowing", "were late")]),
            json!([{ "aspect": "pricing", "sentiment": "positive", "quote": "late", "headline": "Best!" }]),
            json!("praise"),
        ] {
            assert_eq!(checked(bad.clone()), Err(Fault::OutsideSchema), "{bad}");
        }
    }

    #[test]
    fn invented_quotes_are_dropped_and_too_many_refuse_the_judgement() {
        let (good, bad) = (
            opinion("pricing", "positive", "price was fair"),
            opinion("punctuality", "positive", "always on time"),
        );
        let found = checked(json!([good, bad])).unwrap();
        assert_eq!((found.opinions.len(), found.dropped), (1, 1));
        assert_eq!(checked(json!([good, bad, bad])), Err(Fault::Invented));
        assert_eq!(checked(json!([bad])), Err(Fault::Invented));
        assert_eq!(checked(json!([])), Ok(Judgement::default()), "no aspect");
    }

    #[test]
    fn an_answer_without_end_is_refused_before_its_quotes_are_looked_for() {
        let good = opinion("pricing", "positive", "price was fair");
        assert_eq!(checked(Value::Array(vec![good.clone(); MAX_OPINIONS])).map(|_| ()), Ok(()));
        assert_eq!(checked(Value::Array(vec![good; MAX_OPINIONS + 1])), Err(Fault::TooMany));
    }

    #[test]
    fn an_aspect_has_one_vote() {
        let votes = |opinions: Value| {
            let found = checked(opinions).unwrap();
            (found.opinions.iter().map(|o| o.sentiment).collect::<Vec<_>>(), found.dropped)
        };
        let said = |sentiment, quote| opinion("punctuality", sentiment, quote);
        let (late, slow) = ("were late", "not quick");
        assert_eq!(
            votes(json!([said("negative", late), said("positive", slow)])),
            (vec![Sentiment::Mixed], 0)
        );
        assert_eq!(
            votes(json!([said("neutral", late), said("negative", slow)])),
            (vec![Sentiment::Negative], 0)
        );
        assert_eq!(
            votes(json!([said("negative", late), said("positive", "late")])),
            (vec![Sentiment::Negative], 1),
            "in the same clause"
        );
        assert_eq!(
            votes(json!([said("negative", late), said("negative", late)])),
            (vec![Sentiment::Negative], 0)
        );
    }

    #[test]
    fn every_review_is_judged_once_by_its_number() {
        let entry = |number: usize| json!({ "id": number, "opinions": [] });
        let of =
            |reviews: Value| check(&json!({ "reviews": reviews }).to_string(), &[TEXT, TEXT], &[]);
        let empty = || Ok(Judgement::default());
        assert_eq!(of(json!([entry(2), entry(1)])), [empty(), empty()]);
        assert_eq!(of(json!([entry(1), entry(7), "2"])), [empty(), Err(Fault::Missing)]);
        assert_eq!(of(json!([entry(1), entry(2), entry(2)])), [empty(), Err(Fault::Twice)]);
    }

    #[test]
    fn an_answer_of_another_form_is_no_answer() {
        let whole = r#"{"reviews":[{"id":1,"opinions":[]}]}"#;
        let of = |answer: &str| check(answer, &[TEXT], &[]).remove(0);
        assert!(of(&format!("```json\n{whole}\n```")).is_ok());
        assert!(of(&format!("<think>\nHm, {{.\n</think>\n{whole}\n")).is_ok());
        for bad in [
            &whole[..20],
            "",
            "Sure! Here is the JSON.",
            &format!("{whole} {whole}"),
            r#"{"reviews":[],"summary":"The best plumber"}"#,
        ] {
            assert_eq!(of(bad), Err(Fault::NoJson), "{bad}");
        }
    }
}
