//! A list divided into pages.
//!
//! Pages are numbered from the oldest review on, so that a full page never changes when another review is added: only
//! the front page does, which has the newest and no number.

use std::sync::Arc;

use serde::Serialize;

use super::{members::Numbers, routes::LinkView, view::Viewer};
use contract::model::Review;

/// The number of pages that are linked by number beside the first: this one and the next older ones.
const NUMBERS: usize = 5;

/// Links to the other parts.
#[derive(Debug, Serialize)]
pub(super) struct Pager {
    newest: Option<String>,
    newer: Option<String>,
    older: Option<String>,
    /// Links to this page, some older ones and the oldest, by number.
    numbers: Vec<LinkView>,
    /// Links to the pages with the newest review of each earlier year.
    years: Vec<LinkView>,
}

/// A list divided into pages.
#[derive(Clone)]
pub(super) struct Paged {
    /// The path of the front page, below `base_url`.
    path: String,
    pub(super) members: Numbers,
    per_page: usize,
    /// The position at which the members of each year begin, newest first.
    years: Arc<[(i16, usize)]>,
}

impl Paged {
    pub(super) fn new(path: String, members: Numbers, reviews: &[Review], per_page: usize) -> Self {
        let mut years: Vec<(i16, usize)> = Vec::new();
        for (at, number) in members.iter().enumerate() {
            let year = reviews[*number as usize].date.date().year();
            if years.last().is_none_or(|(last, _)| *last != year) {
                years.push((year, at));
            }
        }
        Self { path, members, per_page, years: years.into() }
    }

    /// Returns the number of numbered pages.
    pub(super) fn numbered(&self) -> usize {
        (self.members.len() / self.per_page).saturating_sub(1)
    }

    /// Returns the members of a numbered page, or of the front page.
    pub(super) fn part(&self, number: Option<usize>) -> &[u32] {
        let count = self.members.len();
        match number {
            None => &self.members[..count - self.numbered() * self.per_page],
            Some(n) => &self.members[count - n * self.per_page..count - (n - 1) * self.per_page],
        }
    }

    pub(super) fn path_of(&self, number: usize) -> String {
        if number > self.numbered() {
            self.path.clone()
        } else {
            format!("{}page/{number}/", self.path)
        }
    }

    pub(super) fn pager(&self, viewer: &Viewer<'_>, number: Option<usize>) -> Pager {
        let href = |number| viewer.routes.href(&self.path_of(number));
        let at = number.unwrap_or(self.numbered() + 1);
        let named = |number: usize| LinkView { href: href(number), label: number.to_string() };
        let nearest = at.saturating_sub(NUMBERS - 1).max(1)..=at;
        Pager {
            newest: number.map(|_| viewer.routes.href(&self.path)),
            newer: number.map(|number| href(number + 1)),
            older: (at > 1).then(|| href(at - 1)),
            // Numbered pages name no newer ones, so that they stay as they are.
            numbers: nearest
                .clone()
                .rev()
                .chain((!nearest.contains(&1)).then_some(1))
                .map(named)
                .collect(),
            years: self
                .years
                .iter()
                .filter_map(|(year, first)| {
                    let page = self.number_of(*first);
                    (page < at).then(|| LinkView { href: href(page), label: year.to_string() })
                })
                .collect(),
        }
    }

    /// The number of the page with a member; more than `numbered` for the front page.
    pub(super) fn number_of(&self, member: usize) -> usize {
        (self.members.len() - 1 - member) / self.per_page + 1
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_full_page_stays_as_it_is_when_reviews_come() {
        let list = |count: u32| Paged {
            path: "l/".to_owned(),
            members: (0..count).collect(),
            per_page: 10,
            years: Arc::new([]),
        };
        assert_eq!((list(0).numbered(), list(19).numbered(), list(20).numbered()), (0, 0, 1));
        // Numbers count from the newest; seen from the oldest they must not move.
        let from_oldest = |count: u32, page: usize| -> Vec<u32> {
            list(count).part(Some(page)).iter().map(|at| count - 1 - at).collect()
        };
        for count in 30..60 {
            assert_eq!(from_oldest(count, 1), from_oldest(30, 1));
            let all = (1..=list(count).numbered()).rev();
            let parts = std::iter::once(None).chain(all.map(Some));
            let together: Vec<u32> =
                parts.flat_map(|part| list(count).part(part).to_vec()).collect();
            assert_eq!(together, (0..count).collect::<Vec<_>>());
            assert!((10..20).contains(&list(count).part(None).len()));
            for page in 1..=list(count).numbered() {
                let first = list(count).part(Some(page))[0] as usize;
                assert_eq!(list(count).number_of(first), page);
                assert_eq!(list(count).number_of(first + 9), page);
            }
            assert!(list(count).number_of(0) > list(count).numbered());
        }
    }
}
