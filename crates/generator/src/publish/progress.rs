//! What a build tells while it works.

use std::fmt;

use crate::document::Ingredients;
use system::progress::Progress;

/// Is told how far a build has come.
pub trait BuildProgress: Progress {
    /// A page was rendered.
    fn rendered(&self, _path: &str, _why: Why) {}
}

/// Why a page was rendered and not taken from the last publication.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Why {
    /// The cache has nothing about it: it is new, another Candor rendered it, or the cache is gone.
    Unknown,
    /// Its template, or a template or phrase that it names.
    Theme,
    /// What every page shows.
    Site,
    /// What it shows itself.
    Page,
    /// It is missing in the public folder, or was changed there.
    Missing,
}

impl Why {
    pub(super) fn between(known: Option<&Ingredients>, now: &Ingredients) -> Self {
        match known {
            None => Self::Unknown,
            Some(known) if known.theme != now.theme => Self::Theme,
            Some(known) if known.site != now.site => Self::Site,
            Some(known) if known.page != now.page => Self::Page,
            Some(_) => Self::Missing,
        }
    }
}

impl fmt::Display for Why {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Unknown => "the cache knows no earlier rendering of it by this program",
            Self::Theme => "its templates or phrases changed",
            Self::Site => "what every page shows changed",
            Self::Page => "what it shows changed",
            Self::Missing => "it was missing in the public folder, or changed there",
        })
    }
}

/// Nothing is reported.
impl BuildProgress for () {}
