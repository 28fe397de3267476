//! The aspects of a site: the built-in ones and the owner's.

pub(crate) mod detector;
pub(crate) mod judge;
pub(crate) mod reader;

use std::sync::{Arc, Mutex, PoisonError};

use crate::{
    aspects::detector::Detector,
    aspects::reader::{Reader, Thresholds},
    config::{AspectConfig, AspectRules, Polarity, QUALITY},
    language::Language,
    patterns::{BadPattern, Patterns, Sign},
    sentiment::{
        lexicon::Lexicon,
        model::{BadModel, Model},
    },
};
use contract::problem::Report;

/// The id and the label of each built-in aspect.
pub(crate) const BUILTIN: [(&str, &str); 10] = [
    ("punctuality", "Punctuality"),
    ("pricing", "Pricing"),
    ("communication", "Communication"),
    ("quality", QUALITY),
    ("professionalism", "Professionalism"),
    ("cleanliness", "Cleanliness"),
    ("scheduling", "Scheduling"),
    ("friendliness", "Friendliness"),
    ("value", "Value for money"),
    ("speed", "Speed"),
];

/// The headings of patterns that mark a clause as not being about this business: all of it, its praise at one to three
/// stars, its blame at four and five; and of those that turn its praise at one to three stars into blame.
const ELSEWHERE: [&str; 4] = ["elsewhere", "praise_elsewhere", "blame_elsewhere", "no_praise"];

/// The reason why a table cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum BadTable {
    /// A table of patterns has a bad line.
    #[error(transparent)]
    Pattern(#[from] BadPattern),
    /// A table of weights has a bad line.
    #[error(transparent)]
    Model(#[from] BadModel),
}

/// An aspect.
#[derive(Clone, Debug)]
pub(crate) struct Aspect {
    pub(crate) id: Arc<str>,
    pub(crate) label: Arc<str>,
    /// Whether the owner defined it, so that it is listed even if no review mentions it.
    pub(crate) by_owner: bool,
}

/// The aspects of a site: the owner's in the order of the file, then the other built-in ones.
#[derive(Clone, Debug)]
pub(crate) struct Aspects {
    pub(crate) list: Vec<Aspect>,
    rules: Vec<AspectRules>,
    /// A text that contains everything that the reader depends on.
    digest: String,
}

/// The tables and the owner's rules, ready to analyse texts.
#[derive(Debug)]
pub(crate) struct Compiled {
    pub(crate) reader: Reader,
    /// The owner's lines that are not patterns: the number of the aspect, the pattern, the reason.
    wrong: Vec<(usize, String, BadPattern)>,
}

/// The results of the last compilations, with the digest of their rules. A preview builds one site again and again, and
/// most sites have no rules of their own.
type Last = Option<(String, Vec<(&'static str, Arc<Compiled>)>)>;
static LAST: Mutex<Last> = Mutex::new(None);

/// Compiles the tables of the site's language and the owner's rules, so that [`crate::compute`] finds them ready.
pub fn prepare(config: &AspectConfig, site: &str) {
    let language = Language::read(Some(site)).unwrap_or(Language::english());
    drop(Aspects::new(config).compiled(language));
}

impl Aspects {
    pub(crate) fn new(config: &AspectConfig) -> Self {
        let owner = config.aspects.iter().map(|rules| Aspect {
            id: rules.id.as_str().into(),
            label: rules.label.as_str().into(),
            by_owner: true,
        });
        let mut list: Vec<Aspect> = owner.collect();
        for (id, label) in BUILTIN.iter().filter(|_| config.builtin) {
            if !list.iter().any(|aspect| *aspect.id == **id) {
                let label = if *label == QUALITY { config.quality } else { label };
                list.push(Aspect { id: (*id).into(), label: label.into(), by_owner: false });
            }
        }
        Self { list, rules: config.aspects.clone(), digest: config.digest() }
    }

    /// The number of the aspect.
    pub(crate) fn number(&self, id: &str) -> Option<u16> {
        self.list.iter().position(|aspect| *aspect.id == *id).map(|at| at as u16)
    }

    /// The tables of a language and the owner's rules, which are compiled if no call did since these are the rules.
    pub(crate) fn compiled(&self, language: &'static Language) -> Arc<Compiled> {
        let mut last = LAST.lock().unwrap_or_else(PoisonError::into_inner);
        let of_rules = |(digest, _): &&mut (String, _)| *digest == self.digest;
        let known = match last.as_mut().filter(of_rules) {
            Some((_, known)) => known,
            None => &mut last.insert((self.digest.clone(), Vec::new())).1,
        };
        if let Some((_, compiled)) = known.iter().find(|(tag, _)| *tag == language.tag()) {
            return Arc::clone(compiled);
        }
        let compiled = self.compile(language, &language.patterns(), language.detectors());
        let compiled = Arc::new(
            compiled.expect("the tables of a language are well formed: a test reads them"),
        );
        known.push((language.tag(), Arc::clone(&compiled)));
        compiled
    }

    /// Compiles these tables of patterns, of the detector and of the second opinion with the owner's rules.
    pub(crate) fn compile(
        &self,
        language: &'static Language,
        tables: &[&str],
        detectors: [&str; 2],
    ) -> Result<Compiled, BadTable> {
        let mut lexicon = Lexicon::new(language);
        let model = match language.file("model.tsv") {
            "" => None,
            table => Some(Model::parse(table, &mut lexicon)?),
        };
        let elsewhere = self.list.len() as u16;
        let mut patterns = Patterns::new(&mut lexicon);
        for table in tables {
            patterns.add_table(table, |heading| {
                let mark = (elsewhere..).zip(ELSEWHERE).find(|(_, known)| *known == heading);
                mark.map(|(about, _)| about).or_else(|| self.number(heading))
            })?;
        }
        patterns.end_shipped();
        let mut wrong = Vec::new();
        for (at, rules) in self.rules.iter().enumerate() {
            for (sign, pattern) in signed(rules) {
                if let Err(error) = patterns.add(at as u16, sign, pattern) {
                    wrong.push((at, pattern.clone(), error));
                }
            }
        }
        let patterns = patterns.finish();
        let [detector, second] = Detector::parse(detectors, &mut lexicon)?;
        let column = |aspect: &Aspect| BUILTIN.iter().position(|(id, _)| *aspect.id == **id);
        let columns: Vec<_> = self.list.iter().map(column).collect();
        let reader = Reader {
            language,
            thresholds: Thresholds::of(language),
            lexicon,
            model,
            detector,
            second,
            patterns,
            elsewhere,
            columns,
        };
        Ok(Compiled { reader, wrong })
    }

    /// Reports the owner's lines that are not patterns.
    pub(crate) fn report(&self, compiled: &Compiled, report: &Report) {
        for (at, pattern, error) in &compiled.wrong {
            let rules = &self.rules[*at];
            let message = format!("aspect {:?}: {error}", rules.id);
            let help = "write words as customers do; candor help invalid-pattern has an example";
            report.error("invalid-pattern", rules.place.place_of(pattern, 1), message, help);
        }
    }
}

/// The owner's patterns of an aspect.
fn signed(rules: &AspectRules) -> impl Iterator<Item = (Sign, &String)> {
    let keywords = rules.keywords.iter().map(|word| (Sign::Subject, word));
    let excluded = rules.exclude.iter().map(|word| (Sign::Exclude, word));
    let judged = rules.patterns.iter().map(|(pattern, polarity)| {
        let sign = match polarity {
            Polarity::Positive => Sign::Praise,
            Polarity::Neutral => Sign::Fact,
            Polarity::Negative => Sign::Blame,
        };
        (sign, pattern)
    });
    keywords.chain(excluded).chain(judged)
}
