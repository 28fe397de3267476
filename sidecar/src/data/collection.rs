//! `reviews.json`, parsed: the span of each review, and the search index of all reviews.

use std::{borrow::Cow, ops::Range};

use actix_web::web::Bytes;
use contract::{
    api::FacetCounts,
    model::{Day, Rating, ReviewId},
    query::{Filter, PageEnd, Parameter, Position, Search, Sort},
};
use serde::{Deserialize, de::IgnoredAny};
use serde_json::value::RawValue;

use crate::data::{
    arena::ReviewArena,
    index::{Hits, IndexEntry, PageStart, Query, SearchIndex},
    names::{Directory, DirectoryBuilder, NamedEntities},
    per_review::PerReview,
};

/// The members of `reviews.json` except the reviews, as published.
#[derive(Debug)]
pub(crate) struct Head {
    pub(crate) generated_at: Box<str>,
    pub(crate) business: Box<str>,
    pub(crate) aggregate_rating: Box<str>,
    pub(crate) sources: Box<str>,
    pub(crate) moderation: Box<str>,
}

/// The reviews of one publication with their index.
#[derive(Debug)]
pub(crate) struct Collection {
    pub(crate) arena: ReviewArena,
    pub(crate) head: Head,
    index: SearchIndex,
    /// The tags of the index by name.
    pub(crate) names: Directory,
}

/// The reason why a document is not `reviews.json`.
#[derive(Debug, thiserror::Error)]
pub(crate) enum CollectionError {
    #[error("it is not a document of reviews: {0}")]
    Syntax(#[from] serde_json::Error),
    #[error("its reviews are not newest first: {after} is after {before}")]
    Order { before: ReviewId, after: ReviewId },
}

#[derive(Deserialize)]
struct ReviewsDocument<'a> {
    #[serde(borrow)]
    generated_at: Option<&'a RawValue>,
    #[serde(borrow)]
    business: Option<&'a RawValue>,
    #[serde(borrow)]
    aggregate_rating: Option<&'a RawValue>,
    #[serde(borrow)]
    sources: Option<&'a RawValue>,
    #[serde(borrow)]
    moderation: Option<&'a RawValue>,
    #[serde(borrow)]
    reviews: Vec<&'a RawValue>,
}

/// The fields that searches depend on; all others are only published.
#[derive(Deserialize)]
struct ReviewFields<'a> {
    id: ReviewId,
    #[serde(borrow)]
    author: Option<Text<'a>>,
    date: Day,
    rating: Rating,
    #[serde(borrow)]
    text: Option<Text<'a>>,
    #[serde(borrow)]
    source: Option<Text<'a>>,
    #[serde(borrow)]
    language: Option<Text<'a>>,
    owner_reply: Option<IgnoredAny>,
    #[serde(borrow, default)]
    mentions: MentionedNames<'a>,
}

/// A text, borrowed from the document if nothing in it is escaped.
#[derive(Deserialize)]
struct Text<'a>(#[serde(borrow)] Cow<'a, str>);

#[derive(Default, Deserialize)]
#[serde(default)]
struct MentionedNames<'a> {
    #[serde(borrow)]
    technicians: Vec<Text<'a>>,
    #[serde(borrow)]
    services: Vec<Text<'a>>,
    #[serde(borrow)]
    service_areas: Vec<Text<'a>>,
}

/// A review as the index reads it, its tags in a common list.
struct Indexed<'a> {
    date: Day,
    rating: Rating,
    text: Option<Text<'a>>,
    tags: Range<usize>,
}

impl Collection {
    /// Reads `reviews.json`.
    ///
    /// # Errors
    /// When the document has another form, or its reviews another order.
    pub(crate) fn read(json: Bytes, insights: &PerReview) -> Result<Self, CollectionError> {
        let document: ReviewsDocument<'_> = serde_json::from_slice(&json)?;
        let head = document.head();
        let mut names = DirectoryBuilder::new(document.business()?, insights);
        let count = document.reviews.len();
        let (mut spans, mut positions) = (Vec::with_capacity(count), Vec::with_capacity(count));
        let (mut reviews, mut numbers) = (Vec::with_capacity(count), Vec::new());
        for raw in document.reviews {
            let record: ReviewFields<'_> = serde_json::from_str(raw.get())?;
            let position = Position { date: record.date, id: record.id };
            check_order(positions.last(), &position)?;
            positions.push(position);
            spans.push(span(&json, raw));
            reviews.push(record.indexed(&mut names, insights, &mut numbers));
        }
        let entries = reviews.iter().map(|review| IndexEntry {
            date: review.date,
            rating: review.rating,
            text: review.text.as_ref().map(|text| &*text.0),
            tags: &numbers[review.tags.clone()],
        });
        let index = SearchIndex::build(entries);
        drop(reviews);
        let names = names.into_directory();
        Ok(Self { arena: ReviewArena::new(json, spans, positions), head, index, names })
    }

    /// Returns the page of a search. Tools and routes both search here.
    pub(crate) fn find(&self, search: &Search) -> Hits {
        let start = search.after.map(|end: PageEnd| PageStart {
            rating: end.rating,
            before: self.arena.newer(&end.position),
            after: self.arena.after(&end.position),
        });
        let Search { filter, sort, limit, .. } = search;
        self.query(filter, |query| {
            self.index.find(&Query { sort: *sort, start, limit: *limit, ..*query })
        })
    }

    /// The counts that a search asks for.
    pub(crate) fn facets(&self, search: &Search) -> Option<FacetCounts> {
        let select = |filter: &Filter| self.query(filter, |query| self.index.select(query));
        // Most of the parameters are not among the conditions.
        let mut all = None;
        let counts = |facet: &&'static Parameter| {
            let others = search.filter.without(facet.name);
            // With an aspect, the sentiment is that of the aspect.
            let selecting = match facet.name {
                "aspect" => others.without("sentiment"),
                _ => others.clone(),
            };
            let mut own = None;
            let kept = if selecting == search.filter { &mut all } else { &mut own };
            let kept = &*kept.get_or_insert_with(|| select(&selecting));
            let values = self.names.values(facet, &others).into_iter();
            let counts = values.map(|(value, tag)| (value, self.index.count(tag, kept) as u64));
            (facet.name, counts.filter(|(_, count)| *count > 0).collect())
        };
        (!search.facets.is_empty()).then(|| search.facets.iter().map(counts).collect())
    }

    /// Reads the index with the numbers that a filter's names and ids stand for.
    fn query<T>(&self, filter: &Filter, read: impl FnOnce(&Query<'_>) -> T) -> T {
        let tags = self.names.tags(filter);
        let tags: Vec<&[u32]> = tags.iter().map(Option::as_slice).collect();
        let ids = filter.ids.as_ref();
        // What was withdrawn is not found.
        let only: Option<Vec<u32>> =
            ids.map(|ids| ids.iter().filter_map(|id| self.arena.number(*id)).collect());
        let (tags, only) = (&*tags, only.as_deref());
        read(&Query { filter, tags, only, sort: Sort::Newest, start: None, limit: 0 })
    }

    /// Returns the cursor of the next page, if there is one.
    pub(crate) fn next_cursor(&self, search: &Search, hits: &Hits) -> Option<String> {
        let last = *hits.page.last().filter(|_| hits.more)?;
        let rating = self.index.rating(last)?;
        let end = PageEnd { position: self.arena.position(last), rating };
        Some(end.cursor(&search.filter, search.sort))
    }
}

impl ReviewsDocument<'_> {
    fn business(&self) -> Result<NamedEntities, serde_json::Error> {
        self.business
            .map_or_else(|| Ok(NamedEntities::default()), |raw| serde_json::from_str(raw.get()))
    }

    fn head(&self) -> Head {
        let published = |raw: Option<&RawValue>| raw.map_or("null", RawValue::get).into();
        Head {
            generated_at: published(self.generated_at),
            business: published(self.business),
            aggregate_rating: published(self.aggregate_rating),
            sources: published(self.sources),
            moderation: published(self.moderation),
        }
    }
}

impl<'a> ReviewFields<'a> {
    fn indexed(
        self,
        names: &mut DirectoryBuilder,
        insights: &PerReview,
        numbers: &mut Vec<u32>,
    ) -> Indexed<'a> {
        let start = numbers.len();
        for Text(name) in &self.mentions.technicians {
            numbers.extend(names.technicians(name, self.id, insights));
        }
        numbers.extend(self.mentions.services.iter().map(|Text(id)| names.service(id)));
        numbers.extend(self.mentions.service_areas.iter().map(|Text(id)| names.area(id)));
        numbers.extend(self.source.map(|Text(source)| names.source(&source)));
        numbers.extend(self.language.into_iter().flat_map(|Text(tag)| names.language(&tag)));
        let has = [self.owner_reply.is_some(), self.text.is_some()];
        let author = self.author.as_ref().map_or("", |author| &author.0);
        numbers.extend(names.own(self.rating, self.date.date().year(), author, has));
        numbers.extend(names.judged(self.id, insights));
        Indexed {
            date: self.date,
            rating: self.rating,
            text: self.text,
            tags: start..numbers.len(),
        }
    }
}

fn check_order(before: Option<&Position>, after: &Position) -> Result<(), CollectionError> {
    match before {
        Some(before) if before <= after => {
            Err(CollectionError::Order { before: before.id, after: after.id })
        }
        _ => Ok(()),
    }
}

/// Returns the span of a value borrowed from the document.
fn span(json: &Bytes, raw: &RawValue) -> Range<usize> {
    let start = raw.get().as_ptr().addr() - json.as_ptr().addr();
    start..start + raw.get().len()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(json: &str) -> Result<Collection, CollectionError> {
        Collection::read(Bytes::copy_from_slice(json.as_bytes()), &PerReview::default())
    }

    fn review(date: &str, n: u32) -> String {
        format!(
            "{{\"id\":\"01JH00000000000000{n:08}\",\"date\":\"{date}\",\"rating\":5,\"text\":\"a\\nb\"}}"
        )
    }

    #[test]
    fn reviews_lie_where_they_were_published() {
        let (one, two) = (review("2025-01-02", 1), review("2025-01-01", 2));
        let json = format!("{{\"x\": 1, \"reviews\" :[ {one} ,\n\t{two}\n], \"y\": [2]}}");
        let arena = read(&json).unwrap().arena;
        assert_eq!((arena.review(0), arena.review(1)), (one.as_bytes(), two.as_bytes()));
        assert_eq!(arena.newest(2), format!("{one} ,\n\t{two}"));
        assert_eq!(arena.newest(1), one);
        assert_eq!(arena.newest(0), "");
    }

    #[test]
    fn what_is_no_list_newest_first_is_refused() {
        let (new, old) = (review("2025-01-02", 1), review("2025-01-01", 2));
        let error = read(&format!("{{\"reviews\":[{old},{new}]}}")).unwrap_err();
        assert_eq!(
            error.to_string(),
            "its reviews are not newest first: 01JH0000000000000000000001 is after \
             01JH0000000000000000000002"
        );
        assert!(read(&format!("{{\"reviews\":[{old},{old}]}}")).is_err());
        for other in ["{}", "[]", "", "{\"reviews\":[{}]}"] {
            let error = read(other).unwrap_err().to_string();
            assert!(error.starts_with("it is not a document of reviews: "), "{error}");
        }
    }

    #[test]
    fn an_empty_list_is_fine() {
        let arena = read("{\"reviews\":[]}").unwrap().arena;
        let newest = arena.since("2025-01-01".parse().unwrap());
        assert_eq!((arena.len(), newest.count, arena.newest(0).len()), (0, 0, 0));
    }
}
