//! Names in the arguments of a call: the entities that they name, or an error with the names that exist.

use contract::query::{Filter, Subject};

use super::{Call, quoted};
use crate::data::name_table::{Named, Resolution};

/// Maximum number of names that are listed when one is not known.
const MAX_LISTED: usize = 60;

impl<'a> Call<'a> {
    /// Returns the entity that a word names.
    ///
    /// # Errors
    /// When the word names none or several: with the candidates.
    pub(super) fn resolve(&self, subject: Subject, word: &str) -> Result<&'a Named, String> {
        let names = self.snapshot.names(subject);
        let name = subject.noun();
        let (value, known) = (quoted(word), || listed(names.all()));
        match names.resolve(word) {
            Resolution::One(named) => Ok(named),
            Resolution::Ambiguous(several) => Err(format!(
                "The {name} {value} is one of several: {}. Ask by id.",
                listed(several)
            )),
            Resolution::Unknown(similar) if similar.is_empty() => Err(format!(
                "The {name} {value} is not known here. Known: {}. search_reviews with query finds \
                 any word in the texts.",
                known()
            )),
            Resolution::Unknown(similar) => Err(format!(
                "The {name} {value} is not known here. Did you mean {}? Known: {}.",
                listed(similar),
                known()
            )),
        }
    }

    /// Checks the names in a filter.
    ///
    /// # Errors
    /// With every name that does not name exactly one entity.
    pub(super) fn check_names(&self, filter: &Filter) -> Result<(), String> {
        let wrong = filter.names().filter_map(|(parameter, subject, word)| {
            let problem = self.resolve(subject, word).err()?;
            Some(format!("{parameter}: {problem}"))
        });
        let wrong: Vec<_> = wrong.collect();
        if wrong.is_empty() { Ok(()) } else { Err(wrong.join("\n")) }
    }
}

/// Lists entities as `id (name), …`.
fn listed<'a>(known: impl IntoIterator<Item = &'a Named>) -> String {
    let known: Vec<_> = known.into_iter().collect();
    if known.is_empty() {
        return "none known yet".to_owned();
    }
    let shown = known.iter().take(MAX_LISTED).map(|named| {
        if named.id == named.name {
            named.id.clone()
        } else {
            format!("{} ({})", named.id, named.name)
        }
    });
    let mut listed = shown.collect::<Vec<_>>().join(", ");
    if known.len() > MAX_LISTED {
        listed.push_str(&format!(" and {} more", known.len() - MAX_LISTED));
    }
    listed
}
