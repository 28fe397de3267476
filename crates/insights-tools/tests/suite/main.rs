//! The agreement of the insights with judged reviews, and the training of the detector.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on says where")]

mod detector;
mod gold;
mod language;
mod real;
