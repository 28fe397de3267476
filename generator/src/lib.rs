//! Turns a business's verified reviews into files any web server can publish.

pub mod content;
pub mod dataset;
pub mod etag;
pub mod manifest;
pub mod model;
pub mod names;
pub mod problem;
pub mod render;
pub mod text;
