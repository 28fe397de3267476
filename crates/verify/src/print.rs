//! Printing: a report as lines of text. As JSON, a report is serialized as it is.

mod lines;

pub use self::lines::Line;
