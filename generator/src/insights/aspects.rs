//! What reviews are searched for: the built-in aspects, and an owner's.

use std::sync::Arc;

use super::{
    opinion::Reader,
    patterns::Patterns,
    sentiment::{lexicon::Lexicon, model::Model},
};

/// Classes and patterns, written by hand: the words of customers of local businesses.
const TABLES: [&str; 12] = [
    include_str!("data/classes.txt"),
    include_str!("data/elsewhere.txt"),
    include_str!("data/quality.txt"),
    include_str!("data/punctuality.txt"),
    include_str!("data/pricing.txt"),
    include_str!("data/communication.txt"),
    include_str!("data/professionalism.txt"),
    include_str!("data/cleanliness.txt"),
    include_str!("data/scheduling.txt"),
    include_str!("data/friendliness.txt"),
    include_str!("data/value.txt"),
    include_str!("data/speed.txt"),
];

/// Id and label of each built-in aspect.
const BUILTIN: [(&str, &str); 10] = [
    ("punctuality", "Punctuality"),
    ("pricing", "Pricing"),
    ("communication", "Communication"),
    ("quality", "Quality of the work"),
    ("professionalism", "Professionalism"),
    ("cleanliness", "Cleanliness"),
    ("scheduling", "Scheduling"),
    ("friendliness", "Friendliness"),
    ("value", "Value for money"),
    ("speed", "Speed"),
];

/// Heads patterns that say a clause is about somebody else.
const ELSEWHERE: &str = "elsewhere";

/// The aspects of a site.
#[derive(Debug)]
pub(super) struct Aspects {
    ids: Vec<(Arc<str>, Arc<str>)>,
}

impl Aspects {
    pub(super) fn builtin() -> Self {
        Self { ids: BUILTIN.iter().map(|(id, label)| ((*id).into(), (*label).into())).collect() }
    }

    pub(super) fn id(&self, aspect: u16) -> &str {
        &self.ids[usize::from(aspect)].0
    }

    pub(super) fn reader(&self) -> Reader {
        let mut lexicon = Lexicon::new();
        let model = Model::shipped(&mut lexicon).expect("the shipped model is well formed: a test reads it");
        let elsewhere = self.ids.len() as u16;
        let mut patterns = Patterns::new(&mut lexicon);
        for table in TABLES {
            patterns
                .add_table(table, |heading| match heading {
                    ELSEWHERE => Some(elsewhere),
                    id => self.ids.iter().position(|(known, _)| **known == *id).map(|at| at as u16),
                })
                .expect("the shipped patterns are well formed: a test reads them");
        }
        let patterns = patterns.finish();
        Reader { lexicon, model, patterns, elsewhere }
    }
}
