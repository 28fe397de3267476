//! The query of a search.

use std::borrow::Cow;

use super::{
    Code, DEFAULT_LIMIT, Filter, Given, Issue, MAX_LIMIT, PageEnd, Parameter, SEARCH, SINCE_DATE,
    Sort, cursor::BadCursor, pairs, shortened,
};
use crate::model::Day;

/// Maximum number of unknown names in a response.
pub const MAX_IGNORED: usize = 10;

/// A parsed search.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Search {
    /// The conditions.
    pub filter: Filter,
    /// The parameters whose values are counted, in the order of [`SEARCH`].
    pub facets: Vec<&'static Parameter>,
    /// The order of the reviews.
    pub sort: Sort,
    /// The maximum number of reviews, 1 to [`MAX_LIMIT`].
    pub limit: usize,
    /// Only the reviews after this one.
    pub after: Option<PageEnd>,
    /// Names of parameters that a search does not have, in the given order, each once, the first
    /// [`MAX_IGNORED`] of them.
    pub ignored: Vec<String>,
}

impl Search {
    /// Parses the names and values of a query or of a tool's arguments.
    ///
    /// # Errors
    /// With all issues, in the order of [`SEARCH`].
    pub fn parse<'a>(
        given: impl IntoIterator<Item = (Cow<'a, str>, Given<'a>)>,
    ) -> Result<Self, Vec<Issue>> {
        let mut values = Values::collect(SEARCH, given);
        let filter = Filter::read(&mut values);
        let facets = values.read("facets", Given::facets).unwrap_or_default();
        let sort = values.read("sort", |given| given.choice(Sort::named));
        Ok(Self { facets, ..values.page_of(filter, sort.unwrap_or_default())? })
    }
}

/// The review in a cursor. The filters and the order are compared if they could be parsed.
fn page_end(given: &Given<'_>, known: Option<(&Filter, Sort)>) -> Result<PageEnd, Code> {
    PageEnd::parse(given.short_text(usize::MAX)?, known).map_err(|bad| match bad {
        BadCursor::Malformed => Code::Malformed,
        BadCursor::OtherFilters => Code::OtherFilters,
    })
}

/// Parses the day in the path of `since`.
///
/// # Errors
/// When the text is not a day.
pub fn since_date(given: &Given<'_>) -> Result<Day, Issue> {
    given.day().map_err(|code| Issue::of(&SINCE_DATE, code, given))
}

/// The names in a URL's query of a route without parameters, as [`Search::ignored`].
#[must_use]
pub fn ignored(query: &str) -> Vec<String> {
    Values::collect(&[], pairs(query)).ignored
}

/// The given values, by parameter.
pub(super) struct Values<'a> {
    table: &'static [Parameter],
    given: Vec<Vec<Given<'a>>>,
    ignored: Vec<String>,
    pub(super) issues: Vec<Issue>,
}

impl<'a> Values<'a> {
    pub(super) fn collect(
        table: &'static [Parameter],
        given: impl IntoIterator<Item = (Cow<'a, str>, Given<'a>)>,
    ) -> Self {
        let empty = table.iter().map(|_| Vec::new()).collect();
        let mut values = Self { table, given: empty, ignored: Vec::new(), issues: Vec::new() };
        for (name, value) in given {
            match table.iter().position(|parameter| parameter.name == name) {
                Some(at) => values.given[at].push(value),
                None if values.ignored.len() == MAX_IGNORED => {}
                None => {
                    // It is compared with at most as many short names as are listed.
                    let name = shortened(&name);
                    if !values.ignored.contains(&name) {
                        values.ignored.push(name);
                    }
                }
            }
        }
        values
    }

    /// Reads `limit` and `cursor`, the last parameters of every table of reviews.
    pub(super) fn page_of(mut self, filter: Filter, sort: Sort) -> Result<Search, Vec<Issue>> {
        // If the filters cannot be parsed, no cursor matches them.
        let known = self.issues.is_empty().then_some((&filter, sort));
        let limit = self.read("limit", |given| given.count(MAX_LIMIT));
        let after = self.read("cursor", |given| page_end(given, known));
        if !self.issues.is_empty() {
            return Err(self.issues);
        }
        let limit = limit.unwrap_or(DEFAULT_LIMIT);
        Ok(Search { filter, facets: Vec::new(), sort, limit, after, ignored: self.ignored })
    }

    /// The value of the parameter, if it is present and valid. Call it in the order of the table.
    pub(super) fn read<T>(
        &mut self,
        name: &str,
        read: impl FnOnce(&Given<'a>) -> Result<T, Code>,
    ) -> Option<T> {
        let at = self.table.iter().position(|parameter| parameter.name == name)?;
        let (parameter, given) = (&self.table[at], &self.given[at]);
        let last = given.last()?;
        let found = match given.len() {
            1 if last.is_absent() => return None,
            1 => read(last),
            _ => Err(Code::Repeated),
        };
        found.map_err(|code| self.issues.push(Issue::of(parameter, code, last))).ok()
    }
}
