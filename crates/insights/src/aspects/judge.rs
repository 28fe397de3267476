//! Applies the built-in aspects to single texts, for tools and tests.

use std::sync::Arc;

use crate::{
    aspects::reader::Scratch,
    aspects::{Aspects, BadTable, Compiled},
    config::AspectConfig,
    language::Language,
    opinion::{Opinion, PER_STAR, Reading},
    segment::sentences,
    sentiment::tokens::tokenize,
};

/// The built-in aspects, for measurements and not for publication.
#[derive(Debug)]
pub struct Judge {
    compiled: Arc<Compiled>,
    aspects: Aspects,
    scratch: Scratch,
}

impl Judge {
    /// The shipped tables of English.
    #[must_use]
    pub fn builtin() -> Self {
        Self::of(Language::english())
    }

    /// The tables of a language.
    #[must_use]
    pub fn of(language: &'static Language) -> Self {
        let aspects = Aspects::new(&AspectConfig::default());
        Self { compiled: aspects.compiled(language), aspects, scratch: Scratch::default() }
    }

    /// Uses these pattern tables, in this order, in place of the shipped ones. A change of the
    /// tables can be measured without a build.
    ///
    /// # Errors
    /// When a table cannot be read.
    pub fn with_tables(language: &'static Language, tables: &[&str]) -> Result<Self, BadTable> {
        Self::with(language, tables, language.detectors())
    }

    /// Uses these tables of the detector and of the second opinion in place of the shipped ones.
    ///
    /// # Errors
    /// When a table cannot be read.
    pub fn with_detectors(
        language: &'static Language,
        tables: [&str; 2],
    ) -> Result<Self, BadTable> {
        Self::with(language, &language.patterns(), tables)
    }

    fn with(
        language: &'static Language,
        tables: &[&str],
        detectors: [&str; 2],
    ) -> Result<Self, BadTable> {
        let aspects = Aspects::new(&AspectConfig::default());
        let compiled = Arc::new(aspects.compile(language, tables, detectors)?);
        Ok(Self { compiled, aspects, scratch: Scratch::default() })
    }

    /// The language that it reads.
    #[must_use]
    pub fn language(&self) -> &'static Language {
        self.compiled.reader.language
    }

    /// Analyses a review.
    pub fn read(&mut self, text: &str, stars: u8) -> Reading {
        self.compiled.reader.read(text, stars, &mut self.scratch)
    }

    /// The id of an aspect.
    #[must_use]
    pub fn id(&self, aspect: u16) -> &str {
        &self.aspects.list[usize::from(aspect)].id
    }

    /// The published quote of an opinion. `None` if no part of the text is fit to print.
    #[must_use]
    pub fn quote<'t>(text: &'t str, opinion: &Opinion) -> Option<&'t str> {
        let (from, to) = opinion.published?;
        Some(&text[from as usize..to as usize])
    }

    /// Praise (above 0) or blame of a given quote, whatever its subject: the opinion of its words
    /// and the share of the stars.
    pub fn at(&mut self, text: &str, span: (usize, usize), stars: u8) -> i32 {
        self.words_at(text, span) + PER_STAR * (i32::from(stars) - 3)
    }

    /// The opinion of the words of a quote.
    fn words_at(&mut self, text: &str, span: (usize, usize)) -> i32 {
        let all = sentences(text, self.compiled.reader.language);
        let range = all.into_iter().find(|range| range.start <= span.0 && span.0 < range.end);
        let range = range.unwrap_or(0..text.len());
        let Scratch { tokens, sentence, weighed, .. } = &mut self.scratch;
        tokens.clear();
        tokenize(&text[range.clone()], &self.compiled.reader.lexicon, tokens);
        sentence.read(tokens, &self.compiled.reader.lexicon);
        let from = tokens.partition_point(|token| range.start + token.end as usize <= span.0);
        let to = tokens.partition_point(|token| range.start + (token.start as usize) < span.1);
        self.compiled.reader.detector.weigh(
            &sentence.words[from..to.max(from)],
            std::iter::empty(),
            weighed,
        );
        self.compiled.reader.detector.margin_of_all(weighed)
    }
}
