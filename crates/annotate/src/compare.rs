//! Where judges agree about the same reviews, and where not.

use std::{collections::BTreeMap, fmt};

use contract::{
    model::{Review, ReviewId},
    problem::Report,
};
use insights::{Annotation, Applied, Basis, Insights, Mode, ReviewInsight, Sentiment, text_hash};

use content::dataset::Dataset;

/// Who judges.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Judge {
    /// The program.
    BuiltIn,
    /// Rows of `candor annotate`.
    Model,
    /// All other rows.
    Person,
}

impl fmt::Display for Judge {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::BuiltIn => "built-in",
            Self::Model => "model",
            Self::Person => "person",
        })
    }
}

/// The opinions about one review, by the number of the aspect: the vote, and the words of the review.
pub(crate) type Opinions = BTreeMap<usize, (Sentiment, Option<String>)>;

/// The judgements of all judges about the published texts.
#[derive(Debug, Default)]
pub struct Judgements<'d> {
    reviews: Vec<(&'d Review, BTreeMap<Judge, Opinions>)>,
    /// The ids of the aspects.
    pub aspects: Vec<String>,
}

/// How often two judges agree about an aspect.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Agreement {
    /// Both mention it.
    pub both: usize,
    /// Of these: with the same sentiment.
    pub same: usize,
    /// Only the first one mentions it.
    pub first: usize,
    /// Only the second one.
    pub second: usize,
}

/// A difference about an aspect of a review.
#[derive(Clone, Debug)]
pub struct Difference<'j> {
    /// The review.
    pub review: ReviewId,
    /// The id of the aspect.
    pub aspect: &'j str,
    /// What each says; `None`: nothing about the aspect.
    pub said: [Option<&'j (Sentiment, Option<String>)>; 2],
}

/// Two judges, over the reviews that both judged.
#[derive(Debug)]
pub struct Comparison<'j> {
    /// The program, models or persons.
    pub judges: [Judge; 2],
    /// Reviews that both judged.
    pub reviews: usize,
    /// By aspect; only those that one of them mentions.
    pub aspects: Vec<(&'j str, Agreement)>,
    /// In the order of the reviews, newest first.
    pub differences: Vec<Difference<'j>>,
}

impl<'d> Judgements<'d> {
    /// Collects what all judges say. `rows` are all annotations, in the order of their files.
    pub fn collect(data: &'d Dataset, rows: &[Annotation]) -> Self {
        let computed = computed(data);
        let aspects: Vec<String> = computed.aspect_ids.iter().map(ToString::to_string).collect();
        let mut by_review: BTreeMap<ReviewId, Vec<&Annotation>> = BTreeMap::new();
        rows.iter().for_each(|row| by_review.entry(row.review_id).or_default().push(row));
        let reviews = data.reviews.iter().zip(&computed.per_review).map(|(review, insight)| {
            let built_in = built_in(review, insight);
            let mut judged = BTreeMap::new();
            for row in by_review.get(&review.id).into_iter().flatten() {
                if row.text_hash == text_hash(review.text.as_deref()) {
                    let judge = if row.is_by_model() { Judge::Model } else { Judge::Person };
                    judged.insert(judge, opinions(review, row, &built_in, &aspects));
                }
            }
            if insight.basis == Basis::Text {
                judged.insert(Judge::BuiltIn, built_in);
            }
            (review, judged)
        });
        Self { reviews: reviews.collect(), aspects }
    }

    /// The pairs that judged the same reviews.
    pub fn comparisons(&self) -> Vec<Comparison<'_>> {
        let pairs = [
            [Judge::Model, Judge::BuiltIn],
            [Judge::Model, Judge::Person],
            [Judge::BuiltIn, Judge::Person],
        ];
        pairs.into_iter().map(|judges| self.compare(judges)).filter(|it| it.reviews > 0).collect()
    }

    fn compare(&self, judges: [Judge; 2]) -> Comparison<'_> {
        let mut compared =
            Comparison { judges, reviews: 0, aspects: Vec::new(), differences: Vec::new() };
        let mut counts = vec![Agreement::default(); self.aspects.len()];
        for (review, judged) in &self.reviews {
            let [Some(first), Some(second)] = judges.map(|judge| judged.get(&judge)) else {
                continue;
            };
            compared.reviews += 1;
            for (at, count) in counts.iter_mut().enumerate() {
                let said = [first.get(&at), second.get(&at)];
                let is_same = match said {
                    [None, None] => continue,
                    [Some(first), Some(second)] => {
                        count.both += 1;
                        count.same += usize::from(first.0 == second.0);
                        first.0 == second.0
                    }
                    [Some(_), None] => {
                        count.first += 1;
                        false
                    }
                    [None, Some(_)] => {
                        count.second += 1;
                        false
                    }
                };
                if !is_same {
                    let aspect = &self.aspects[at];
                    compared.differences.push(Difference { review: review.id, aspect, said });
                }
            }
        }
        let counted = self.aspects.iter().map(String::as_str).zip(counts);
        compared.aspects = counted.filter(|(_, count)| *count != Agreement::default()).collect();
        compared
    }

    /// The reviews about which model and program differ, and that no person has judged: newest first, with
    /// what both say.
    pub fn disputed(&self) -> impl Iterator<Item = (&'d Review, [&Opinions; 2])> {
        self.reviews.iter().filter_map(|(review, judged)| {
            let [model, built_in] = [judged.get(&Judge::Model)?, judged.get(&Judge::BuiltIn)?];
            let is_settled = judged.contains_key(&Judge::Person) || same(model, built_in);
            (!is_settled).then_some((*review, [model, built_in]))
        })
    }
}

fn same(first: &Opinions, second: &Opinions) -> bool {
    let votes = |opinions: &Opinions| -> Vec<(usize, Sentiment)> {
        opinions.iter().map(|(at, (sentiment, _))| (*at, *sentiment)).collect()
    };
    votes(first) == votes(second)
}

/// What the program says of every review, without annotations.
fn computed(data: &Dataset) -> Insights {
    let input = insights::Input {
        reviews: &data.reviews,
        business: &data.business,
        known: data.listed.names(),
        config: &data.listed.aspects,
        annotations: &Applied::default(),
        memory: &(),
    };
    // The problems of the patterns were reported when the content was read.
    insights::compute(&input, &Report::default())
}

fn built_in(review: &Review, insight: &ReviewInsight) -> Opinions {
    let said = |span: Option<(u32, u32)>| words(review, span);
    let aspects = insight.aspects.iter();
    aspects.map(|vote| (usize::from(vote.aspect), (vote.sentiment, said(vote.quote)))).collect()
}

/// What a row says, together with what it completes.
fn opinions(review: &Review, row: &Annotation, built_in: &Opinions, ids: &[String]) -> Opinions {
    let mut opinions = match row.mode {
        Mode::Merge => built_in.clone(),
        Mode::Replace => Opinions::new(),
    };
    for aspect in &row.aspects {
        if let Some(at) = ids.iter().position(|id| *id == aspect.id) {
            let quote = aspect.quote.clone().or_else(|| words(review, aspect.span));
            opinions.insert(at, (aspect.sentiment, quote));
        }
    }
    opinions
}

fn words(review: &Review, span: Option<(u32, u32)>) -> Option<String> {
    let (from, to) = span?;
    Some(review.text.as_deref()?.get(from as usize..to as usize)?.to_owned())
}
