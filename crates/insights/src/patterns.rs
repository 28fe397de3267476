//! The pattern language, in which the tables describe how customers mention, praise and blame an aspect.
//!
//! ```text
//! @came = came|come|arrived|turned_up        a class: words, or phrases joined by _
//! [punctuality]                              what the patterns below are about
//! + @came .. on time                         praise; .. is a gap of at most three words, ..6 of six
//! - # minutes late                           blame; # is a number in digits or in words, ## not "a", "one"
//! ? appointment                              a subject; the model judges the opinion
//! % work                                     a subject only if the model finds an opinion
//! = by card                                  a plain fact
//! ! late fee                                 none of these
//! ```
//!
//! `word~` matches the inflections of the word, and `word?` is optional.

mod compile;
mod element;
mod matcher;
mod near;

pub use compile::BadPattern;
pub(crate) use compile::{PatternSet, Patterns};
pub(crate) use matcher::{Hit, Matcher};

/// The opinion of a pattern.
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

    /// Whether the pattern expresses an opinion by itself.
    pub(crate) fn is_verdict(self) -> bool {
        matches!(self, Self::Praise | Self::Blame | Self::Fact)
    }

    /// The sign after a negation.
    pub(crate) fn turned(self) -> Self {
        match self {
            Self::Praise => Self::Blame,
            Self::Blame => Self::Praise,
            other => other,
        }
    }
}
