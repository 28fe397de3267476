use std::borrow::Cow;

use jiff::Timestamp;
use serde_json::Value;

use super::Code;
use crate::model::{Day, Rating};

/// A value as a client gave it: a piece of a URL, or JSON.
#[derive(Clone, Debug, PartialEq)]
pub enum Given<'a> {
    /// From a URL, decoded.
    Text(Cow<'a, str>),
    /// From a URL, where it decodes to bytes that are no text.
    NotUtf8(Cow<'a, str>),
    /// From a URL, with a `%` no two hexadecimal digits follow.
    BrokenEscape(Cow<'a, str>),
    /// An argument of a tool.
    Json(&'a Value),
}

impl Given<'_> {
    /// Whether it counts as if nothing had been given.
    pub(super) fn is_absent(&self) -> bool {
        match self {
            Self::Text(text) => text.is_empty(),
            Self::Json(Value::String(text)) => text.is_empty(),
            Self::Json(value) => value.is_null(),
            Self::NotUtf8(_) | Self::BrokenEscape(_) => false,
        }
    }

    /// A whole number of stars.
    pub(super) fn stars(&self) -> Result<Rating, Code> {
        let stars = self.integer()?;
        u8::try_from(stars).ok().and_then(|stars| stars.try_into().ok()).ok_or(Code::OutOfRange)
    }

    /// The lowest whole number of stars that is no less than the number given.
    pub(super) fn least_stars(&self) -> Result<Rating, Code> {
        let number = self.number()?;
        let range = f64::from(Rating::WORST)..=f64::from(Rating::BEST);
        match range.contains(&number) {
            // Between 1 and 5, so the conversion is exact.
            true => (number.ceil() as u8).try_into().map_err(|_| Code::OutOfRange),
            false => Err(Code::OutOfRange),
        }
    }

    /// A whole number from 1 to `most`.
    pub(super) fn count(&self, most: usize) -> Result<usize, Code> {
        let count = usize::try_from(self.integer()?).ok();
        count.filter(|count| (1..=most).contains(count)).ok_or(Code::OutOfRange)
    }

    /// A calendar day.
    pub(super) fn day(&self) -> Result<Day, Code> {
        self.text()?.parse().map_err(|_| Code::Malformed)
    }

    /// An instant with its offset.
    pub(super) fn instant(&self) -> Result<Timestamp, Code> {
        self.text()?.parse().map_err(|_| Code::Malformed)
    }

    /// Text of at most `most` characters.
    pub(super) fn short_text(&self, most: usize) -> Result<&str, Code> {
        let text = self.text()?;
        match text.chars().nth(most) {
            Some(_) => Err(Code::TooLong),
            None => Ok(text),
        }
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
                // JSON Schema calls 5.0 an integer; the conversion saturates.
                (None, Some(float)) if float.fract() == 0.0 => Ok(float as i64),
                _ => Err(Code::Malformed),
            },
            Self::Json(_) => Err(Code::Malformed),
            _ => {
                let text = self.text()?;
                let digits = text.strip_prefix('-').unwrap_or(text);
                match !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit()) {
                    true => text.parse().map_err(|_| Code::OutOfRange),
                    false => Err(Code::Malformed),
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
                // Rust would also read "inf", "nan", "+4" and "4.".
                let plain = text.bytes().all(|b| b.is_ascii_digit() || b"-+.eE".contains(&b))
                    && text.starts_with(|c: char| c.is_ascii_digit() || c == '-')
                    && text.ends_with(|c: char| c.is_ascii_digit());
                text.parse().ok().filter(|_| plain).ok_or(Code::Malformed)
            }
        }
    }
}
