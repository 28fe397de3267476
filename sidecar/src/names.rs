//! The words by which technicians and services can be searched for, and whom a review mentions.

use std::collections::HashMap;

use contract::{model::ReviewId, text::casefold};
use serde::Deserialize;

use crate::index::Directory;

/// The technicians and services of `reviews.json`.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct NamedEntities {
    technicians: Vec<NamedTechnician>,
    services: Vec<NamedService>,
}

#[derive(Debug, Deserialize)]
pub(crate) struct NamedTechnician {
    pub(crate) id: String,
    pub(crate) name: String,
}

#[derive(Debug, Deserialize)]
pub(crate) struct NamedService {
    pub(crate) id: String,
    pub(crate) label: String,
}

/// The ids of the technicians that each review mentions, from `insights.json`.
#[derive(Debug, Default)]
pub(crate) struct MentionsById(HashMap<ReviewId, Vec<String>>);

impl MentionsById {
    /// Reads `insights.json`.
    ///
    /// # Errors
    /// When it is no such document.
    pub(crate) fn read(insights: &[u8]) -> Result<Self, serde_json::Error> {
        #[derive(Deserialize)]
        struct InsightsMentions {
            #[serde(default)]
            per_review: HashMap<ReviewId, ReviewMentions>,
        }
        #[derive(Deserialize)]
        struct ReviewMentions {
            #[serde(default)]
            technicians: Vec<String>,
        }
        let insights: InsightsMentions = serde_json::from_slice(insights)?;
        let named = insights.per_review.into_iter().map(|(id, review)| (id, review.technicians));
        Ok(Self(named.collect()))
    }
}

/// Builds the directory. A technician or service that is not listed is added with the first review
/// that mentions it.
#[derive(Debug)]
pub(crate) struct DirectoryBuilder {
    directory: Directory,
    ids: Vec<String>,
    technicians: HashMap<String, Vec<u32>>,
    unlisted: HashMap<String, u32>,
    services: HashMap<String, u32>,
}

impl DirectoryBuilder {
    pub(crate) fn new(business: NamedEntities) -> Self {
        let mut names = Self {
            directory: Directory::default(),
            ids: Vec::new(),
            technicians: HashMap::new(),
            unlisted: HashMap::new(),
            services: HashMap::new(),
        };
        for NamedTechnician { id, name } in business.technicians {
            let number = add(&mut names.directory.technicians, &[&name, &id]);
            names.technicians.entry(name).or_default().push(number);
            names.ids.push(id);
        }
        for NamedService { id, label } in business.services {
            let number = add(&mut names.directory.services, &[&id, &label]);
            names.services.insert(id, number);
        }
        names
    }

    /// Whether two technicians share a name, so that a name alone does not say who is meant.
    pub(crate) fn are_ambiguous(&self) -> bool {
        self.technicians.values().any(|numbers| numbers.len() > 1)
    }

    /// The technicians that a review mentions by a name: those of that name in `by_id`, or all of
    /// that name if `by_id` lacks the review.
    pub(crate) fn technicians(
        &mut self,
        name: &str,
        review: ReviewId,
        by_id: &MentionsById,
    ) -> Vec<u32> {
        let of_the_name = self.technicians.get(name).map_or(&[][..], Vec::as_slice);
        let meant: Vec<u32> = match by_id.0.get(&review).filter(|_| of_the_name.len() > 1) {
            None => of_the_name.to_vec(),
            Some(listed) => {
                let is_meant = |number: &u32| listed.contains(&self.ids[*number as usize]);
                of_the_name.iter().copied().filter(is_meant).collect()
            }
        };
        match meant.is_empty() {
            true => vec![self.unlisted(name)],
            false => meant,
        }
    }

    /// A technician without an id, who can be searched for by name only.
    fn unlisted(&mut self, name: &str) -> u32 {
        match self.unlisted.get(name) {
            Some(number) => *number,
            None => {
                let number = add(&mut self.directory.technicians, &[name]);
                self.unlisted.insert(name.to_owned(), number);
                number
            }
        }
    }

    pub(crate) fn service(&mut self, id: &str) -> u32 {
        match self.services.get(id) {
            Some(number) => *number,
            None => {
                let number = add(&mut self.directory.services, &[id]);
                self.services.insert(id.to_owned(), number);
                number
            }
        }
    }

    pub(crate) fn into_directory(self) -> Directory {
        self.directory
    }
}

/// The number of a new entry that is found by these words.
fn add(entries: &mut Vec<Vec<String>>, words: &[&str]) -> u32 {
    let number = u32::try_from(entries.len()).unwrap_or(u32::MAX);
    entries.push(words.iter().map(|word| casefold(word).into_owned()).collect());
    number
}
