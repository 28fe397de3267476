//! The input of the models for a text, for the tools that train and measure them. Nothing that is published depends on
//! this module.

use std::{collections::BTreeMap, ops::Range};

pub use crate::{
    aspects::detector::{COLUMNS, LOGIT, letter},
    segment::sentences,
    sentiment::features::UNIT,
};
use crate::{
    aspects::{
        Aspects, BUILTIN, Compiled,
        detector::{Stems, each, gram_name},
        reader::{Reader, Scratch},
    },
    config::AspectConfig,
    language::Language,
    sentiment::{
        feature_names,
        features::extract,
        lexicon::Lexicon,
        model::{BadModel, Model},
        tokens::{Token, each_word, tokenize},
        valence::Sentence,
        view::View,
    },
};

/// The key of a feature. The reader that returned it knows its name.
pub type Feature = u64;

/// A part of a text: the first byte, and the byte after the last.
pub type Span = (usize, usize);

/// The ids of the built-in aspects, in the order of the detector's columns.
pub fn aspects() -> impl Iterator<Item = &'static str> {
    BUILTIN.iter().map(|(id, _)| *id)
}

/// Reads targets in sentences as the sentiment model sees them.
#[derive(Debug)]
pub struct TargetReader {
    lexicon: Lexicon,
    tokens: Vec<Token>,
    sentence: Sentence,
    view: View,
}

impl TargetReader {
    /// A reader that knows the words of these texts.
    pub fn new<'t>(texts: impl IntoIterator<Item = &'t str>) -> Self {
        let mut lexicon = Lexicon::new(Language::english());
        texts.into_iter().for_each(|text| add_words(&mut lexicon, text));
        Self::with(lexicon)
    }

    fn with(lexicon: Lexicon) -> Self {
        Self { lexicon, tokens: Vec::new(), sentence: Sentence::default(), view: View::default() }
    }

    /// Calls `found` with the number of each target that has a word, and its features in units of
    /// 1 / [`UNIT`].
    pub fn features(
        &mut self,
        text: &str,
        targets: &[Span],
        mut found: impl FnMut(usize, BTreeMap<Feature, i32>),
    ) {
        self.each(text, targets, |at, view, sentence, target| {
            let mut features = BTreeMap::new();
            let mut add = |key: u64, value: i32| *features.entry(key).or_default() += value;
            extract(view, sentence, &sentence.words[target.0..target.1], &mut add);
            found(at, features);
        });
    }

    /// The name of a feature in the model's table.
    #[must_use]
    pub fn name(&self, feature: Feature) -> String {
        feature_names::name(feature, &self.lexicon)
    }

    fn each(
        &mut self,
        text: &str,
        targets: &[Span],
        mut found: impl FnMut(usize, &View, &Sentence, (usize, usize)),
    ) {
        self.tokens.clear();
        tokenize(text, &self.lexicon, &mut self.tokens);
        self.sentence.read(&self.tokens, &self.lexicon);
        let words = |&(start, end): &Span| {
            let from = self.tokens.partition_point(|token| token.end as usize <= start);
            let to = self.tokens.partition_point(|token| (token.start as usize) < end);
            (from, to.max(from))
        };
        let targets: Vec<(usize, usize)> = targets.iter().map(words).collect();
        for (at, target) in targets.iter().enumerate().filter(|(_, words)| words.0 < words.1) {
            let mut others = targets.clone();
            others.remove(at);
            self.view.look(&self.sentence, *target, &others);
            found(at, &self.view, &self.sentence, *target);
        }
    }
}

/// A sentiment model and the reader that knows its words.
#[derive(Debug)]
pub struct SentimentModel {
    reader: TargetReader,
    model: Model,
}

impl SentimentModel {
    /// Reads a table.
    ///
    /// # Errors
    /// When a line of the table is not a row.
    pub fn parse(table: &str) -> Result<Self, BadModel> {
        let mut lexicon = Lexicon::new(Language::english());
        let model = Model::parse(table, &mut lexicon)?;
        Ok(Self { reader: TargetReader::with(lexicon), model })
    }

    /// Calls `found` with the number of each target that has a word, and its scores for positive,
    /// neutral and negative in 65,536ths of a logit.
    pub fn scores(&mut self, text: &str, targets: &[Span], mut found: impl FnMut(usize, [i64; 3])) {
        let Self { reader, model } = self;
        reader.each(text, targets, |at, view, sentence, target| {
            found(at, model.scores(view, sentence, target));
        });
    }
}

/// Reads sentences as the detector sees them.
#[derive(Debug)]
pub struct SentenceReader {
    reader: Reader,
    stems: Stems,
    scratch: Scratch,
}

impl SentenceReader {
    /// A reader with the patterns of the language that knows the words of these texts.
    pub fn new<'t>(language: &'static Language, texts: impl IntoIterator<Item = &'t str>) -> Self {
        let Compiled { mut reader, .. } = Aspects::new(&AspectConfig::default())
            .compile(language, &language.patterns(), ["", ""])
            .expect("the shipped patterns are well formed: a test reads them");
        texts.into_iter().for_each(|text| add_words(&mut reader.lexicon, text));
        let stems = Stems::all(&mut reader.lexicon);
        Self { reader, stems, scratch: Scratch::default() }
    }

    /// Reads a sentence, which is the given range of the text.
    pub fn read(&mut self, text: &str, range: Range<usize>) -> ReadSentence<'_> {
        let hits = self.reader.hits(text, range.clone(), &mut self.scratch);
        ReadSentence { scratch: &self.scratch, stems: &self.stems, start: range.start, hits }
    }

    /// The name of a feature in the detector's table.
    #[must_use]
    pub fn name(&self, feature: Feature) -> String {
        gram_name(feature, &self.reader.lexicon)
    }
}

/// A sentence with its words and the patterns that were found.
#[derive(Debug)]
pub struct ReadSentence<'r> {
    scratch: &'r Scratch,
    stems: &'r Stems,
    /// The first byte of the sentence.
    start: usize,
    /// The first word of each pattern, and its feature.
    hits: Vec<(usize, Feature)>,
}

impl ReadSentence<'_> {
    /// The number of times that each feature occurs in the sentence.
    #[must_use]
    pub fn features(&self) -> BTreeMap<Feature, u32> {
        self.count(0..self.scratch.sentence.words.len())
    }

    /// Returns the number of times that each feature occurs in a part of the sentence, whose span counts from the
    /// beginning of the text and is not empty.
    #[must_use]
    pub fn features_of(&self, span: Span) -> BTreeMap<Feature, u32> {
        let word = |at: usize| {
            let ends = |token: &Token| self.start + token.end as usize <= at;
            self.scratch.tokens.partition_point(ends)
        };
        let last = self.scratch.sentence.words.len();
        self.count(word(span.0)..last.min(word(span.1 - 1) + 1))
    }

    fn count(&self, words: Range<usize>) -> BTreeMap<Feature, u32> {
        let mut counts = BTreeMap::new();
        each(&self.scratch.sentence.words[words.clone()], self.stems, |_, gram| {
            gram.features().for_each(|key| *counts.entry(key).or_default() += 1);
        });
        for (_, key) in self.hits.iter().filter(|(at, _)| words.contains(at)) {
            *counts.entry(*key).or_default() += 1;
        }
        counts
    }
}

fn add_words(lexicon: &mut Lexicon, text: &str) {
    each_word(text, |_, _, _, word| {
        lexicon.add(word);
    });
}
