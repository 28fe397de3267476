//! Candor generator library (crate doc follows with the modules).

pub mod etag;
pub mod manifest;
