//! Remarks of an import about rows.

use crate::date::DateOrder;

/// A remark that is reported and does not reject a row, counted per import.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(in super::super) enum Note {
    /// A text ends in an ellipsis.
    Truncated,
    /// An address is not valid.
    BadAddress,
    /// A language is not a tag.
    BadLanguage,
    /// An author is an e-mail address.
    PersonalAuthor,
    /// The author wants no name.
    Anonymous,
    /// A date that can be several days, where others show what comes first.
    Order(DateOrder),
    /// HTML that was not decoded.
    Html,
    /// A text that was encoded twice.
    EncodedTwice,
    /// A text that was encoded twice, and is repaired.
    Repaired,
    /// A text of which only a part was encoded twice.
    NotRepaired,
    /// Invisible characters were removed.
    Invisible,
    /// A list of answers was left out.
    Answers,
    /// A reply is a draft, or for the customer alone.
    PrivateReply,
}

impl Note {
    /// Returns the words of the report before the number of rows.
    pub(in super::super) fn words(self) -> &'static str {
        match self {
            Self::Truncated => "the text ends in an ellipsis, as if the export had cut it short",
            Self::BadAddress => "an address that is none was left out",
            Self::BadLanguage => "a language that is not a BCP 47 tag was left out",
            Self::PersonalAuthor => {
                "an e-mail address or a telephone number in the name of an author was left out"
            }
            Self::Anonymous => "the name of an author who wants none was left out",
            Self::Order(DateOrder::DayMonth) => {
                "a date that can be two days was read with the day first, as other dates of the file are written"
            }
            Self::Order(DateOrder::MonthDay) => {
                "a date that can be two days was read with the month first, as other dates of the file are written"
            }
            Self::Order(DateOrder::YearMonth) => {
                "a date that can be two days was read with the year first, as other dates of the file are written"
            }
            Self::Html => {
                "HTML such as &amp; or <br> was kept as it is written; --html-entities decodes it"
            }
            Self::EncodedTwice => {
                "a text looks encoded twice, such as \"Ã¥\" for \"å\"; --repair-encoding repairs it"
            }
            Self::Repaired => "a text that was encoded twice was repaired",
            Self::NotRepaired => {
                "only a part of a text looks encoded twice, so the text was kept as it is"
            }
            Self::Invisible => "invisible characters that mean nothing where they are were removed",
            Self::PrivateReply => "a reply that is not public was left out",
            Self::Answers => {
                "a list of answers does not say which one is the owner's newest, and was left out"
            }
        }
    }
}
