//! The names by which reviews can be selected: technicians, services, aspects, sources and languages.
//! To the search index they are numbers: tags of reviews.

use std::collections::HashMap;

use contract::{
    api::Unresolved,
    model::ReviewId,
    query::{Filter, Sentiment, Subject},
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

/// The tag of reviews with a reply, or without one.
fn reply_tag(has_reply: bool) -> u32 {
    u32::from(has_reply)
}

/// The tag of reviews that are judged so as a whole. These tags follow those of replies.
fn sentiment_tag(sentiment: Sentiment) -> u32 {
    2 + sentiment as u32
}

/// The tag of reviews that speak so of an aspect. These tags follow that of the aspect.
fn opinion_tag(aspect: u32, sentiment: Sentiment) -> u32 {
    aspect + 1 + sentiment as u32
}

/// The first tag that names stand for.
const FIRST_NAMED: u32 = 2 + Sentiment::ALL.len() as u32;

/// The tags of the search index by name.
#[derive(Debug)]
pub(crate) struct Directory {
    /// By [`Subject`].
    tables: [NameTable; Subject::ALL.len()],
    /// The next tag.
    next: u32,
}

impl Directory {
    /// Everything of a kind.
    pub(crate) fn names(&self, subject: Subject) -> &NameTable {
        &self.tables[subject as usize]
    }

    /// The tags that a filter requires. `None` stands for a name of nothing or of several things,
    /// which no review has.
    pub(crate) fn tags(&self, filter: &Filter) -> Vec<Option<u32>> {
        let named = filter.names().map(|(_, subject, value)| {
            let number = self.names(subject).resolve(value).one()?.number;
            Some(match (subject, filter.sentiment) {
                (Subject::Aspect, Some(sentiment)) => opinion_tag(number, sentiment),
                _ => number,
            })
        });
        let reply = filter.has_reply.map(reply_tag);
        let whole = filter.sentiment.filter(|_| filter.aspect.is_none()).map(sentiment_tag);
        named.chain([reply, whole].into_iter().flatten().map(Some)).collect()
    }

    /// The names in a filter that do not name exactly one thing.
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

    /// The tag of something new, whose id is its name if `name` is `None`.
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

/// Builds the directory. What is not listed is added with the first review that has it.
#[derive(Debug)]
pub(crate) struct DirectoryBuilder {
    directory: Directory,
    /// Tag and id of the listed technicians, by name.
    technicians: HashMap<String, Vec<(u32, String)>>,
    /// The other tags, by what the documents call them, folded: two spellings that no query could tell
    /// apart are one thing.
    known: [HashMap<String, u32>; Subject::ALL.len()],
}

impl DirectoryBuilder {
    pub(crate) fn new(business: NamedEntities, insights: &PerReview) -> Self {
        let mut directory = Directory { tables: Default::default(), next: FIRST_NAMED };
        let mut technicians: HashMap<String, Vec<(u32, String)>> = HashMap::new();
        for NamedTechnician { id, name, aliases } in business.technicians {
            let tag = directory.add(Subject::Technician, &id, Some(&name), &aliases);
            technicians.entry(name).or_default().push((tag, id));
        }
        let mut names = Self { directory, technicians, known: Default::default() };
        for NamedService { id, label, aliases } in business.services {
            names.list(Subject::Service, &id, &label, &aliases);
        }
        for aspect in &insights.aspects {
            names.list(Subject::Aspect, &aspect.id, &aspect.label, &[]);
        }
        names
    }

    fn list(&mut self, subject: Subject, id: &str, label: &str, aliases: &[String]) {
        let tag = self.directory.add(subject, id, Some(label), aliases);
        self.known[subject as usize].insert(fold(id), tag);
    }

    /// The technicians that a review mentions by a name: those of that name whose ids the insights
    /// list, or all of that name if they lack the review.
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

    pub(crate) fn source(&mut self, source: &str) -> u32 {
        self.tag(Subject::Source, source)
    }

    /// A language is found by its tag and by the first subtags of it (RFC 4647 section 3.3.1).
    pub(crate) fn language(&mut self, tag: &str) -> Vec<u32> {
        let ends = tag.match_indices('-').map(|(end, _)| end).chain([tag.len()]);
        ends.map(|end| self.tag(Subject::Language, &tag[..end])).collect()
    }

    pub(crate) fn reply(&mut self, has_reply: bool) -> u32 {
        reply_tag(has_reply)
    }

    /// The tags of what the insights say of a review.
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
        tags
    }

    /// The tag of what the documents call so.
    fn tag(&mut self, subject: Subject, key: &str) -> u32 {
        let known = self.known[subject as usize].entry(fold(key));
        *known.or_insert_with(|| self.directory.add(subject, key, None, &[]))
    }

    pub(crate) fn into_directory(self) -> Directory {
        self.directory
    }
}
