//! What a build needs later than its content: it is done on a thread of its own while that is read.

use std::{
    path::Path,
    thread::{self, JoinHandle},
};

use contract::problem::Report;

use crate::publish::LastPublication;

/// Work that is under way.
#[derive(Debug)]
pub struct Ahead(JoinHandle<Option<LastPublication>>);

impl Ahead {
    /// Compiles the rules of the insights, which they need first, then looks at the publication in
    /// `public`. What is wrong with either is reported where it is read again.
    #[must_use]
    pub fn begin(content: &Path, public: Option<&Path>) -> Self {
        let (content, public) = (content.to_owned(), public.map(Path::to_owned));
        Self(thread::spawn(move || {
            insights::prepare(&content::read_aspects(&content, &Report::default()));
            LastPublication::look(&public?)
        }))
    }

    /// The publication, if there is one.
    #[must_use]
    pub fn end(self) -> Option<LastPublication> {
        self.0.join().ok()?
    }
}
