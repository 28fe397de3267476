//! Compiles the lines of the pattern tables.

use std::{collections::HashMap, sync::Arc};

use rustc_hash::FxBuildHasher;

use super::{
    Sign,
    element::{Choice, Element},
    near::{Entry, Near},
};
use crate::{
    language::Language,
    sentiment::{
        lexicon::{Lexicon, NUMBER, WordId},
        tokens::each_word,
    },
};
use contract::text::fold;

/// The cost of finding a pattern by such a word, as a number of rare words.
const COMMON_COST: usize = 1_000;
const FREQUENT_COST: usize = 30;

/// The maximum number of words in a gap without a number.
const GAP: u8 = 3;

/// A compiled line.
#[derive(Debug)]
pub(crate) struct Pattern {
    pub(crate) about: u16,
    pub(crate) sign: Sign,
    pub(crate) elements: Box<[Element]>,
    /// The number of words between the start of the pattern and its anchor, at least and at most.
    pub(crate) lead: (usize, usize),
    /// Whether the pattern contains a negation, so that a negation before it has no effect.
    pub(crate) negates: bool,
}

/// Patterns of many subjects, indexed by their anchors.
#[derive(Debug, Default)]
pub(crate) struct PatternSet {
    pub(crate) patterns: Vec<Pattern>,
    /// The patterns with this anchor, by word.
    pub(crate) index: Vec<Vec<Entry>>,
    /// The number of shipped patterns: those with larger numbers are the owner's.
    pub(crate) shipped: u32,
    /// Words such as "so" and "such", before which "never" is not a negation.
    pub(crate) intensifiers: Vec<WordId>,
}

/// The line is not a pattern.
#[derive(Debug, thiserror::Error, PartialEq, Eq)]
#[error("{0}")]
pub struct BadPattern(String);

/// Compiles lines into a [`PatternSet`].
pub(crate) struct Patterns<'l> {
    lexicon: &'l mut Lexicon,
    classes: HashMap<String, Arc<Choice>>,
    /// The cost of frequent words as anchors.
    common: HashMap<WordId, usize, FxBuildHasher>,
    numbers: Vec<WordId>,
    ones: Vec<WordId>,
    set: PatternSet,
}

impl<'l> Patterns<'l> {
    pub(crate) fn new(lexicon: &'l mut Lexicon) -> Self {
        let language = lexicon.language();
        let mut ids =
            |list: &str| language.words(list).map(|word| lexicon.add(word)).collect::<Vec<_>>();
        let (common, frequent) = (ids("pattern_common"), ids("pattern_frequent"));
        let (mut numbers, ones) = (ids("numbers"), ids("ones"));
        numbers.push(NUMBER);
        let intensifiers = ids("intensifiers");
        let set = PatternSet { intensifiers, ..PatternSet::default() };
        let frequent = frequent.into_iter().map(|word| (word, FREQUENT_COST));
        let common = frequent.chain(common.into_iter().map(|word| (word, COMMON_COST))).collect();
        Self { lexicon, classes: HashMap::new(), common, numbers, ones, set }
    }

    /// The compiled patterns.
    pub(crate) fn finish(self) -> PatternSet {
        self.set
    }

    /// Ends the shipped patterns. Patterns that are added afterwards are the owner's.
    pub(crate) fn end_shipped(&mut self) {
        self.set.shipped = self.set.patterns.len() as u32;
    }

    /// Adds a table with classes, headings and patterns. `about` returns the number of a heading,
    /// or an error.
    pub(crate) fn add_table(
        &mut self,
        table: &str,
        mut about: impl FnMut(&str) -> Option<u16>,
    ) -> Result<(), BadPattern> {
        let mut subject = None;
        for line in
            table.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with("# "))
        {
            if let Some((name, choice)) =
                line.strip_prefix('@').and_then(|line| line.split_once(" = "))
            {
                let choice = self.choice(choice)?;
                self.classes.insert(name.to_owned(), choice);
            } else if let Some(heading) =
                line.strip_prefix('[').and_then(|line| line.strip_suffix(']'))
            {
                subject = about(heading);
            } else {
                let (sign, pattern) = line.split_once(' ').unwrap_or((line, ""));
                let sign =
                    Sign::parse(sign).ok_or_else(|| BadPattern(format!("no pattern: {line:?}")))?;
                if let Some(about) = subject {
                    self.add(about, sign, pattern)?;
                }
            }
        }
        Ok(())
    }

    /// Adds one pattern.
    pub(crate) fn add(&mut self, about: u16, sign: Sign, pattern: &str) -> Result<(), BadPattern> {
        let mut elements = Vec::new();
        for written in pattern.split_whitespace() {
            let element = self.element(written)?;
            // Hyphens and quotation marks are ignored, so patterns do not need them.
            let blind =
                matches!(&element, Element::Any { choice, .. } if choice.phrases.is_empty());
            elements.extend((!blind).then_some(element));
        }
        let Some(anchor) = Self::anchor(&elements) else {
            return Err(BadPattern(format!("{pattern:?} has no word to be found by")));
        };
        let length = |element: &Element| match element {
            Element::Gap(most) => (0, usize::from(*most)),
            Element::Any { choice, optional: true, .. } => (0, choice.lengths.0),
            Element::Any { choice, .. } => (choice.lengths.1, choice.lengths.0),
        };
        let lead =
            elements[..anchor].iter().map(length).fold((0, 0), |sum, l| (sum.0 + l.0, sum.1 + l.1));
        let negates = elements
            .iter()
            .any(|element| matches!(element, Element::Any { choice, .. } if choice.negates));
        let number = self.set.patterns.len() as u32;
        if let Element::Any { choice, .. } = &elements[anchor] {
            let before = Near::before(&elements[..anchor]);
            let behind = Near::behind(choice, &elements[anchor + 1..]);
            for first in choice.firsts() {
                let first = first as usize;
                if self.set.index.len() <= first {
                    self.set.index.resize(first + 1, Vec::new());
                }
                self.set.index[first].push(Entry { number, before, behind });
            }
        }
        let elements = elements.into();
        self.set.patterns.push(Pattern { about, sign, elements, lead, negates });
        Ok(())
    }

    fn element(&mut self, written: &str) -> Result<Element, BadPattern> {
        if let Some(most) = written.strip_prefix("..") {
            let most = if most.is_empty() { Some(GAP) } else { most.parse().ok() };
            return most
                .map(Element::Gap)
                .ok_or_else(|| BadPattern(format!("no gap: {written:?}")));
        }
        let (written, optional) = match written.strip_suffix('?') {
            Some(rest) if !rest.is_empty() => (rest, true),
            _ => (written, false),
        };
        if let Some(class) = written.strip_prefix('@').and_then(|name| self.classes.get(name)) {
            return Ok(Element::any(class.clone(), optional));
        }
        Ok(Element::any(self.choice(written)?, optional))
    }

    /// Parses `a|b_c|@class|word~`.
    fn choice(&mut self, written: &str) -> Result<Arc<Choice>, BadPattern> {
        let mut choice = Choice::default();
        for part in written.split('|').map(str::trim).filter(|part| !part.is_empty()) {
            if let Some(name) = part.strip_prefix('@').filter(|name| !name.is_empty()) {
                let class = self
                    .classes
                    .get(name)
                    .ok_or_else(|| BadPattern(format!("no class @{name}")))?;
                choice.phrases.extend(class.phrases.iter().cloned());
            } else if part == "#" || part == "##" {
                let ones = self.ones.iter().filter(|_| part == "#");
                self.numbers.iter().chain(ones).for_each(|number| choice.add(&[*number]));
            } else if let Some(stem) = part.strip_suffix('~') {
                for form in inflections(&fold(stem), self.lexicon.language()) {
                    let word = self.lexicon.add(&form);
                    choice.add(&[word]);
                }
            } else {
                // "1am" and "add-on" are two words in a text, and so they are here.
                let mut words: Vec<WordId> = Vec::new();
                let spaced = part.replace(['_', '-'], " ");
                each_word(&spaced, |_, _, _, word| words.push(self.lexicon.add(word)));
                choice.add(&words);
            }
        }
        Ok(Arc::new(choice.finish(self.lexicon, &self.common)))
    }

    /// The anchor of a pattern: the element with rare words and few alternatives.
    fn anchor(elements: &[Element]) -> Option<usize> {
        let candidates = elements.iter().enumerate().filter_map(|(at, element)| match element {
            Element::Any { choice, optional: false, .. } if choice.cost > 0 => {
                Some((choice.cost, at))
            }
            _ => None,
        });
        candidates.min().map(|(_, at)| at)
    }
}

/// The regular forms of a verb or noun, including some that are not words. A rule of the language is an ending and the
/// forms in place of it: that of no ending applies always, then the first other one, where `*` is any last letter.
fn inflections(stem: &str, language: &Language) -> Vec<String> {
    let mut forms = vec![stem.to_owned()];
    let rules = || language.words("inflections").filter_map(|rule| rule.split_once(':'));
    let form = |short: &str, form: &str| match (form.strip_prefix('*'), stem.chars().next_back()) {
        (Some(form), Some(last)) => format!("{stem}{last}{form}"),
        _ => format!("{short}{form}"),
    };
    let cut = |ending: &str| if ending == "*" { Some(stem) } else { stem.strip_suffix(ending) };
    let always = rules().find(|(ending, _)| ending.is_empty());
    let other = rules().find(|(ending, _)| !ending.is_empty() && cut(ending).is_some());
    for (ending, list) in always.into_iter().chain(other) {
        let short = cut(ending).unwrap_or(stem);
        forms.extend(list.split(',').map(|it| form(short, it)));
    }
    forms
}
