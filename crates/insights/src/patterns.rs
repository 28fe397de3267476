//! The pattern language: what customers write about an aspect, and whether that is praise.
//!
//! ```text
//! @came = came|come|arrived|turned_up        a class: words, or phrases joined by _
//! [punctuality]                              what the patterns below are about
//! + @came .. on time                         praise; .. is a gap of at most three words, ..6 of six
//! - # minutes late                           blame; # is a number in digits or in words, ## not "a", "one"
//! ? appointment                              a subject; the model judges what is said of it
//! % work                                     a subject only where something is said of it
//! = by card                                  a plain fact
//! ! late fee                                 none of these
//! ```
//!
//! `word~` stands for its inflections, `word?` may be missing.

mod compile;
mod matcher;
mod near;

pub use compile::BadPattern;
pub(crate) use compile::{PatternSet, Patterns};
pub(crate) use matcher::{Hit, Matcher};

/// What a pattern says when it is found.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Sign {
    /// `+`
    Praise,
    /// `-`
    Blame,
    /// `=`
    Fact,
    /// `?`
    Subject,
    /// `%`
    Weak,
    /// `!`
    Exclude,
}

impl Sign {
    fn parse(text: &str) -> Option<Self> {
        Some(match text {
            "+" => Self::Praise,
            "-" => Self::Blame,
            "=" => Self::Fact,
            "?" => Self::Subject,
            "%" => Self::Weak,
            "!" => Self::Exclude,
            _ => return None,
        })
    }

    /// Says by itself what the customer thinks.
    pub(crate) fn is_verdict(self) -> bool {
        matches!(self, Self::Praise | Self::Blame | Self::Fact)
    }

    /// Behind a negation.
    pub(crate) fn turned(self) -> Self {
        match self {
            Self::Praise => Self::Blame,
            Self::Blame => Self::Praise,
            other => other,
        }
    }
}
