//! The conditions of a query.

use super::{Given, MAX_NAME_LENGTH, MAX_NEEDLE_LENGTH, search::Values};
use crate::{
    model::{Day, Rating},
    text::casefold,
};

/// The conditions of a query. A review must meet all of them; every review meets the empty filter.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Filter {
    /// Exactly this many stars.
    pub rating: Option<Rating>,
    /// This many stars or more. A fraction in the query is rounded up to the next whole star.
    pub min_rating: Option<Rating>,
    /// On or after this day.
    pub since: Option<Day>,
    /// On or before this day.
    pub until: Option<Day>,
    /// The text contains this string: folded by [`casefold`](crate::text::casefold), never empty.
    pub needle: Option<String>,
    /// The review mentions a technician with this folded name or id.
    pub technician: Option<String>,
    /// The review mentions a service with this folded id or label.
    pub service: Option<String>,
}

impl Filter {
    /// Reads the parameters of the conditions. Issues are added to `values`.
    pub(super) fn read(values: &mut Values<'_>) -> Self {
        let folded = |text: &str| casefold(text).into_owned();
        let name = |given: &Given<'_>| given.short_text(MAX_NAME_LENGTH).map(folded);
        Self {
            rating: values.read("rating", Given::stars),
            min_rating: values.read("min_rating", Given::least_stars),
            since: values.read("since", Given::day),
            until: values.read("until", Given::day),
            needle: values.read("query", |given| given.short_text(MAX_NEEDLE_LENGTH).map(folded)),
            technician: values.read("mentions_technician", name),
            service: values.read("mentions_service", name),
        }
    }

    /// A hash that is equal for filters with the same meaning. It is computed for every page and hashes
    /// one buffer, because an incremental hasher costs more than the hash.
    pub(super) fn fingerprint(&self) -> [u8; 32] {
        let mut fields = Vec::with_capacity(128);
        let mut field = |value: Option<&[u8]>| match value {
            None => fields.push(0),
            Some(value) => {
                fields.push(1);
                fields.extend((value.len() as u64).to_le_bytes());
                fields.extend(value);
            }
        };
        for rating in [self.rating, self.min_rating] {
            field(rating.map(|rating| [rating.stars()]).as_ref().map(<[u8; 1]>::as_slice));
        }
        for day in [self.since, self.until] {
            field(day.map(|day| day.to_string()).as_deref().map(str::as_bytes));
        }
        for text in [&self.needle, &self.technician, &self.service] {
            field(text.as_deref().map(str::as_bytes));
        }
        *blake3::hash(&fields).as_bytes()
    }
}
