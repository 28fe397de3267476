//! The reviews of each list, found in one pass.

use std::{collections::HashMap, sync::Arc};

use content::dataset::Dataset;
use contract::model::{Rating, Review};

/// Numbers of reviews, newest first.
pub(super) type Numbers = Arc<[u32]>;

/// The kinds of subjects that a list is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum SubjectKind {
    Technician,
    Service,
    Area,
    Aspect,
    Topic,
}

/// The members of every list.
#[derive(Debug, Default)]
pub(super) struct Members {
    pub(super) all: Numbers,
    by_star: [Numbers; 5],
    of: HashMap<(SubjectKind, Arc<str>), Numbers>,
}

impl Members {
    pub(super) fn of(data: &Dataset) -> Self {
        let mut stars: [Vec<u32>; 5] = Default::default();
        let mut of: HashMap<(SubjectKind, &Arc<str>), Vec<u32>> = HashMap::new();
        for (at, (review, insight)) in
            (0_u32..).zip(data.reviews.iter().zip(&data.insights.per_review))
        {
            stars[review.rating.index()].push(at);
            let aspects = insight.aspects.iter();
            let aspects = aspects.map(|o| &data.insights.aspect_ids[usize::from(o.aspect)]);
            let topics = insight.topics.iter();
            let topics = topics.map(|topic| &data.insights.topics[usize::from(*topic)].id);
            let named = named(review)
                .chain(aspects.map(|id| (SubjectKind::Aspect, id)))
                .chain(topics.map(|id| (SubjectKind::Topic, id)));
            for (kind, id) in named {
                of.entry((kind, id)).or_default().push(at);
            }
        }
        let count = u32::try_from(data.reviews.len()).unwrap_or(u32::MAX);
        Self {
            all: (0..count).collect(),
            by_star: stars.map(Arc::from),
            of: of.into_iter().map(|((kind, id), at)| ((kind, id.clone()), at.into())).collect(),
        }
    }

    /// Returns the reviews with this rating.
    pub(super) fn with(&self, rating: Rating) -> Numbers {
        self.by_star[rating.index()].clone()
    }

    /// Returns the reviews that mention a subject.
    pub(super) fn about(&self, kind: SubjectKind, id: &Arc<str>) -> Numbers {
        self.of.get(&(kind, id.clone())).cloned().unwrap_or_default()
    }
}

fn named(review: &Review) -> impl Iterator<Item = (SubjectKind, &Arc<str>)> {
    let mentions = &review.mentions;
    let people = mentions.technician_ids.iter().map(|id| (SubjectKind::Technician, id));
    let services = mentions.services.iter().map(|id| (SubjectKind::Service, id));
    people.chain(services).chain(mentions.service_areas.iter().map(|id| (SubjectKind::Area, id)))
}
