//! The names by which reviews can be selected: technicians, services, aspects, sources and languages. In the search
//! index they are numbers: tags of reviews.

use std::collections::{BTreeMap, HashMap};

use contract::{
    api::Unresolved,
    model::{Rating, ReviewId},
    query::{Filter, Kind, Parameter, Sentiment, Subject, name_words},
    text::fold,
};
use serde::Deserialize;

use crate::data::{
    name_table::{NameTable, Named, Resolution},
    per_review::PerReview,
};

/// The technicians and services of `reviews.json`.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct NamedEntities {
    technicians: Vec<NamedTechnician>,
    services: Vec<NamedService>,
    service_areas: Vec<NamedArea>,
}

#[derive(Debug, Deserialize)]
struct NamedTechnician {
    id: String,
    name: String,
    #[serde(default)]
    aliases: Vec<String>,
}

#[derive(Debug, Deserialize)]
struct NamedService {
    id: String,
    label: String,
    #[serde(default)]
    aliases: Vec<String>,
}

#[derive(Debug, Deserialize)]
struct NamedArea {
    id: String,
    name: String,
}

/// The tag of reviews with so many stars. The first tags are those that every site has.
fn rating_tag(rating: Rating) -> u32 {
    rating.index() as u32
}

/// The tag of reviews with a reply, or without one.
fn reply_tag(has_reply: bool) -> u32 {
    FIRST_FLAG + u32::from(has_reply)
}

/// The tag of reviews with words, or without.
fn text_tag(has_text: bool) -> u32 {
    FIRST_FLAG + 2 + u32::from(has_text)
}

/// The tag of reviews that are judged so as a whole.
fn sentiment_tag(sentiment: Sentiment) -> u32 {
    FIRST_FLAG + 4 + sentiment as u32
}

/// Returns the tag of reviews with this opinion about an aspect. These tags follow that of the aspect.
fn opinion_tag(aspect: u32, sentiment: Sentiment) -> u32 {
    aspect + 1 + sentiment as u32
}

/// The first tag after those of stars.
const FIRST_FLAG: u32 = Rating::BEST as u32;
/// The first tag that names stand for.
const FIRST_NAMED: u32 = FIRST_FLAG + 4 + Sentiment::ALL.len() as u32;

/// The tags of the search index by name.
#[derive(Debug)]
pub(crate) struct Directory {
    /// The table of each [`Subject`].
    tables: [NameTable; Subject::ALL.len()],
    years: BTreeMap<i16, u32>,
    /// By words of authors' names.
    authors: HashMap<String, u32>,
    /// The next tag.
    next: u32,
}

impl Directory {
    /// Returns all names of a kind.
    pub(crate) fn names(&self, subject: Subject) -> &NameTable {
        &self.tables[subject as usize]
    }

    /// Returns the tags that a filter requires. `None` is for a name of no entity or of several ones, which no review
    /// has.
    pub(crate) fn tags(&self, filter: &Filter) -> Vec<Option<u32>> {
        let named = filter.names().map(|(_, subject, value)| {
            let number = self.names(subject).resolve(value).one()?.number;
            Some(match (subject, filter.sentiment) {
                (Subject::Aspect, Some(sentiment)) => opinion_tag(number, sentiment),
                _ => number,
            })
        });
        let whole = filter.sentiment.filter(|_| filter.aspect.is_none()).map(sentiment_tag);
        let own = [filter.has_reply.map(reply_tag), filter.has_text.map(text_tag), whole];
        let year = filter.year.map(|year| self.years.get(&year).copied());
        let author = filter.author.as_ref().map(|words| -> Vec<Option<u32>> {
            let tags = words.iter().map(|word| self.authors.get(word).copied());
            if words.is_empty() { vec![None] } else { tags.collect() }
        });
        let other = year.into_iter().chain(author.into_iter().flatten());
        named.chain(own.into_iter().flatten().map(Some)).chain(other).collect()
    }

    /// The values of a parameter that reviews can have beside the other conditions, with their tags.
    pub(crate) fn values(&self, parameter: &Parameter, others: &Filter) -> Vec<(String, u32)> {
        let both = |tag: fn(bool) -> u32| [true, false].map(|is| (is.to_string(), tag(is))).into();
        match parameter.kind {
            Kind::Stars => Rating::all().map(|it| (it.to_string(), rating_tag(it))).collect(),
            Kind::Year => self.years.iter().map(|(year, tag)| (year.to_string(), *tag)).collect(),
            Kind::Flag if parameter.name == "has_text" => both(text_tag),
            Kind::Flag => both(reply_tag),
            Kind::Name(subject) => {
                let with = |value: &Named| match (subject, others.sentiment) {
                    (Subject::Aspect, Some(of)) => opinion_tag(value.number, of),
                    _ => value.number,
                };
                let values = self.names(subject).all().iter();
                values.map(|value| (value.id.clone(), with(value))).collect()
            }
            _ => {
                // An aspect that is none has no opinion either.
                let aspect = others.aspect.as_deref();
                let aspect = aspect.map(|name| self.names(Subject::Aspect).resolve(name).one());
                let tag = |of: Sentiment| match aspect {
                    None => Some(sentiment_tag(of)),
                    Some(aspect) => Some(opinion_tag(aspect?.number, of)),
                };
                let values = Sentiment::ALL.into_iter();
                values.filter_map(|of| Some((of.as_str().to_owned(), tag(of)?))).collect()
            }
        }
    }

    /// Returns the names in a filter that do not name exactly one entity.
    pub(crate) fn unresolved(&self, filter: &Filter) -> Vec<Unresolved> {
        let unresolved = filter.names().filter_map(|(parameter, subject, value)| {
            let candidates = match self.names(subject).resolve(value) {
                Resolution::One(_) => return None,
                Resolution::Ambiguous(named) | Resolution::Unknown(named) => named,
            };
            let did_you_mean = candidates.iter().map(|named| named.id.clone()).collect();
            Some(Unresolved { parameter, value: String::from(value), did_you_mean })
        });
        unresolved.collect()
    }

    /// Adds an entity and returns its tag. Its id is its name if `name` is `None`.
    fn add(&mut self, subject: Subject, id: &str, name: Option<&str>, aliases: &[String]) -> u32 {
        let (id, name) = (id.to_owned(), name.unwrap_or(id).to_owned());
        let number = self.next;
        self.next += match subject {
            Subject::Aspect => 1 + Sentiment::ALL.len() as u32,
            _ => 1,
        };
        let has_first_name = subject == Subject::Technician;
        self.tables[subject as usize].add(Named { id, name, number }, aliases, has_first_name);
        number
    }
}

/// Builds the directory. An entity that is not listed is added with the first review that has it.
#[derive(Debug)]
pub(crate) struct DirectoryBuilder {
    directory: Directory,
    /// The tag and the id of the listed technicians, by name.
    technicians: HashMap<String, Vec<(u32, String)>>,
    /// The other tags, by the names in the documents, folded: two spellings that no query could distinguish are one
    /// entity.
    known: [HashMap<String, u32>; Subject::ALL.len()],
}

impl DirectoryBuilder {
    pub(crate) fn new(business: NamedEntities, insights: &PerReview) -> Self {
        let mut directory = Directory {
            tables: Default::default(),
            years: BTreeMap::new(),
            authors: HashMap::new(),
            next: FIRST_NAMED,
        };
        let mut technicians: HashMap<String, Vec<(u32, String)>> = HashMap::new();
        for NamedTechnician { id, name, aliases } in business.technicians {
            let tag = directory.add(Subject::Technician, &id, Some(&name), &aliases);
            technicians.entry(name).or_default().push((tag, id));
        }
        let mut names = Self { directory, technicians, known: Default::default() };
        for NamedService { id, label, aliases } in business.services {
            names.list(Subject::Service, &id, &label, &aliases);
        }
        for NamedArea { id, name } in business.service_areas {
            names.list(Subject::Area, &id, &name, &[]);
        }
        for aspect in &insights.aspects {
            names.list(Subject::Aspect, &aspect.id, &aspect.label, &[]);
        }
        for topic in &insights.topics {
            names.list(Subject::Topic, &topic.id, &topic.label, &[]);
        }
        names
    }

    fn list(&mut self, subject: Subject, id: &str, label: &str, aliases: &[String]) {
        let tag = self.directory.add(subject, id, Some(label), aliases);
        self.known[subject as usize].insert(fold(id), tag);
    }

    /// Returns the technicians that a review mentions by a name: those of that name whose ids the insights list, or all
    /// of that name if they lack the review.
    pub(crate) fn technicians(
        &mut self,
        name: &str,
        review: ReviewId,
        insights: &PerReview,
    ) -> Vec<u32> {
        let of_the_name = self.technicians.get(name).map_or(&[][..], Vec::as_slice);
        let listed = insights.get(review).filter(|_| of_the_name.len() > 1);
        let is_meant = |id: &String| listed.is_none_or(|known| known.technicians.contains(id));
        let meant: Vec<u32> =
            of_the_name.iter().filter(|(_, id)| is_meant(id)).map(|(tag, _)| *tag).collect();
        if meant.is_empty() { vec![self.tag(Subject::Technician, name)] } else { meant }
    }

    pub(crate) fn service(&mut self, id: &str) -> u32 {
        self.tag(Subject::Service, id)
    }

    pub(crate) fn area(&mut self, id: &str) -> u32 {
        self.tag(Subject::Area, id)
    }

    pub(crate) fn source(&mut self, source: &str) -> u32 {
        self.tag(Subject::Source, source)
    }

    /// Returns the tags of a language: those of its tag and of the first subtags of it (RFC 4647 section 3.3.1).
    pub(crate) fn language(&mut self, tag: &str) -> Vec<u32> {
        let ends = tag.match_indices('-').map(|(end, _)| end).chain([tag.len()]);
        ends.map(|end| self.tag(Subject::Language, &tag[..end])).collect()
    }

    /// The tags of what every review has: stars, a year, an author, a reply or none, words or none.
    pub(crate) fn own(
        &mut self,
        rating: Rating,
        year: i16,
        author: &str,
        [has_reply, has_text]: [bool; 2],
    ) -> Vec<u32> {
        let Directory { years, authors, next, .. } = &mut self.directory;
        let mut new = || {
            *next += 1;
            *next - 1
        };
        let mut tags = vec![rating_tag(rating), reply_tag(has_reply), text_tag(has_text)];
        tags.push(*years.entry(year).or_insert_with(&mut new));
        let words = name_words(author).into_iter();
        tags.extend(words.map(|word| *authors.entry(word).or_insert_with(&mut new)));
        tags
    }

    /// Returns the tags of a review's insights.
    pub(crate) fn judged(&mut self, review: ReviewId, insights: &PerReview) -> Vec<u32> {
        let Some(known) = insights.get(review) else { return Vec::new() };
        let sentiment = |name: &str| Sentiment::named(name);
        let whole = known.sentiment.as_deref().and_then(sentiment).map(sentiment_tag);
        let mut tags: Vec<u32> = whole.into_iter().collect();
        for aspect in &known.aspects {
            let tag = self.tag(Subject::Aspect, &aspect.id);
            tags.push(tag);
            tags.extend(sentiment(&aspect.sentiment).map(|of| opinion_tag(tag, of)));
        }
        tags.extend(known.topics.iter().map(|id| self.tag(Subject::Topic, id)));
        tags
    }

    /// Returns the tag of a name in the documents.
    fn tag(&mut self, subject: Subject, key: &str) -> u32 {
        let known = self.known[subject as usize].entry(fold(key));
        *known.or_insert_with(|| self.directory.add(subject, key, None, &[]))
    }

    pub(crate) fn into_directory(self) -> Directory {
        self.directory
    }
}
