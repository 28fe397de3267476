//! A value of a parameter as the client sent it.

use std::borrow::Cow;

use jiff::Timestamp;
use serde_json::Value;

use super::{Code, Parameter, facets};
use crate::model::{Day, Rating, ReviewId};

/// A value as a client sent it, in a URL or as JSON.
#[derive(Clone, Debug, PartialEq)]
pub enum Given<'a> {
    /// A decoded value of a URL.
    Text(Cow<'a, str>),
    /// A value of a URL that decodes to bytes that are not UTF-8.
    NotUtf8(Cow<'a, str>),
    /// A value of a URL with a `%` that two hexadecimal digits do not follow.
    BrokenEscape(Cow<'a, str>),
    /// An argument of a tool.
    Json(&'a Value),
}

impl Given<'_> {
    /// Whether the value counts as absent.
    pub(super) fn is_absent(&self) -> bool {
        match self {
            Self::Text(text) => text.is_empty(),
            Self::Json(Value::String(text)) => text.is_empty(),
            Self::Json(value) => value.is_null(),
            Self::NotUtf8(_) | Self::BrokenEscape(_) => false,
        }
    }

    /// Parses a whole number of stars.
    pub(super) fn stars(&self) -> Result<Rating, Code> {
        let stars = self.integer()?;
        u8::try_from(stars).ok().and_then(|stars| stars.try_into().ok()).ok_or(Code::OutOfRange)
    }

    /// Parses a number of stars and rounds it up to the next whole number.
    pub(super) fn least_stars(&self) -> Result<Rating, Code> {
        let number = self.number()?;
        let range = f64::from(Rating::WORST)..=f64::from(Rating::BEST);
        if range.contains(&number) {
            // The value is between 1 and 5, so the conversion is exact.
            (number.ceil() as u8).try_into().map_err(|_| Code::OutOfRange)
        } else {
            Err(Code::OutOfRange)
        }
    }

    /// Parses a whole number from 1 to `most`.
    pub(super) fn count(&self, most: usize) -> Result<usize, Code> {
        let count = usize::try_from(self.integer()?).ok();
        count.filter(|count| (1..=most).contains(count)).ok_or(Code::OutOfRange)
    }

    /// Parses a calendar day.
    pub(super) fn day(&self) -> Result<Day, Code> {
        self.text()?.parse().map_err(|_| Code::Malformed)
    }

    /// Parses a year of the calendar.
    pub(super) fn year(&self) -> Result<i16, Code> {
        let year = i16::try_from(self.integer()?).ok();
        year.filter(|year| (1..=9999).contains(year)).ok_or(Code::OutOfRange)
    }

    /// Parses an instant with its offset, or a day, which begins at midnight UTC.
    pub(super) fn instant(&self) -> Result<Timestamp, Code> {
        let day = || self.day().map(Day::midnight_utc);
        self.text()?.parse().or_else(|_| day())
    }

    /// Parses a text of at most `most` characters.
    pub(super) fn short_text(&self, most: usize) -> Result<&str, Code> {
        let text = self.text()?;
        match text.chars().nth(most) {
            Some(_) => Err(Code::TooLong),
            None => Ok(text),
        }
    }

    /// Parses `true` or `false`.
    pub(super) fn flag(&self) -> Result<bool, Code> {
        match self {
            Self::Json(Value::Bool(flag)) => Ok(*flag),
            Self::Json(_) => Err(Code::Malformed),
            _ => self.text()?.parse().map_err(|_| Code::Malformed),
        }
    }

    /// Parses ids with commas between them, in any case and order, at most `most`.
    pub(super) fn ids(&self, most: usize) -> Result<Vec<ReviewId>, Code> {
        let parse = |id: &str| id.trim().to_ascii_uppercase().parse().map_err(|_| Code::Malformed);
        let mut ids = self.text()?.split(',').map(parse).collect::<Result<Vec<_>, _>>()?;
        ids.sort_unstable();
        ids.dedup();
        if ids.len() > most { Err(Code::TooLong) } else { Ok(ids) }
    }

    /// Parses a word of a closed list.
    pub(super) fn choice<T>(&self, named: impl Fn(&str) -> Option<T>) -> Result<T, Code> {
        named(self.text()?).ok_or(Code::Malformed)
    }

    /// Parses names of [`facets`] with commas between them, in any order.
    pub(super) fn facets(&self) -> Result<Vec<&'static Parameter>, Code> {
        let names: Vec<&str> = self.text()?.split(',').map(str::trim).collect();
        let known: Vec<_> = facets().filter(|facet| names.contains(&facet.name)).collect();
        let is_known = |name: &&str| known.iter().any(|facet| facet.name == *name);
        if names.iter().all(is_known) { Ok(known) } else { Err(Code::Malformed) }
    }

    fn text(&self) -> Result<&str, Code> {
        match self {
            Self::Text(text) => Ok(text),
            Self::Json(Value::String(text)) => Ok(text),
            Self::NotUtf8(_) => Err(Code::NotUtf8),
            Self::BrokenEscape(_) | Self::Json(_) => Err(Code::Malformed),
        }
    }

    fn integer(&self) -> Result<i64, Code> {
        match self {
            Self::Json(Value::Number(number)) => match (number.as_i64(), number.as_f64()) {
                (Some(integer), _) => Ok(integer),
                // JSON Schema counts 5.0 as an integer; the conversion saturates.
                (None, Some(float)) if float.fract() == 0.0 => Ok(float as i64),
                _ => Err(Code::Malformed),
            },
            Self::Json(_) => Err(Code::Malformed),
            _ => {
                let text = self.text()?;
                let digits = text.strip_prefix('-').unwrap_or(text);
                if !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit()) {
                    text.parse().map_err(|_| Code::OutOfRange)
                } else {
                    Err(Code::Malformed)
                }
            }
        }
    }

    fn number(&self) -> Result<f64, Code> {
        match self {
            Self::Json(Value::Number(number)) => number.as_f64().ok_or(Code::OutOfRange),
            Self::Json(_) => Err(Code::Malformed),
            _ => {
                let text = self.text()?;
                // Rust's parser would also accept "inf", "nan", "+4" and "4.".
                let plain = text.bytes().all(|b| b.is_ascii_digit() || b"-+.eE".contains(&b))
                    && text.starts_with(|c: char| c.is_ascii_digit() || c == '-')
                    && text.ends_with(|c: char| c.is_ascii_digit());
                text.parse().ok().filter(|_| plain).ok_or(Code::Malformed)
            }
        }
    }
}
