//! Analyses a review sentence by sentence: mentions, patterns, detector and model.

use crate::{
    aspects::detector::{self, Detector, Finding, Weighed},
    language::Language,
    opinion::{CONFIDENT, CONTENT, MIDDLE, ONE, Place, Reading, VERDICT, rounded, votes},
    patterns::{Hit, Matcher, PatternSet, Sign},
    segment::sentences,
    sentiment::{
        lexicon::{Lexicon, class},
        model::Model,
        tokens::{Token, tokenize},
        valence::Sentence,
        view::View,
    },
};

/// The valence of a word that blames.
const BLAMING: f64 = -1.0;

/// The maximum number of words of a sentence in which a mark of praise or blame of others counts.
const SHORT: usize = 35;

/// The scores of a language from which blame and mentions count, in thousandths of a logit; its list `thresholds` has
/// them, and that of English explains them.
#[derive(Debug)]
pub(crate) struct Thresholds {
    sure: i64,
    sure_of_blame: i64,
    sure_with_pattern: i64,
    blame_of_the_discontent: i64,
    explicit_complaint: i64,
    complaint_at_four: i64,
    complaint_at_five: i64,
}

impl Thresholds {
    pub(crate) fn of(language: &Language) -> Self {
        let of = |name| language.threshold(name);
        Self {
            sure: of("sure"),
            sure_of_blame: of("sure_of_blame"),
            sure_with_pattern: of("sure_with_pattern"),
            blame_of_the_discontent: of("blame_of_the_discontent"),
            explicit_complaint: of("explicit_complaint"),
            complaint_at_four: of("complaint_at_four"),
            complaint_at_five: of("complaint_at_five"),
        }
    }

    /// Whether blame in a review of four or five stars is a complaint, by the score of the second opinion and the opinion
    /// of the sentence's words. At five stars a sentence that is friendly on the whole is not one.
    fn is_complaint(&self, stars: u8, explicit: bool, blame: i64, tone: i32) -> bool {
        let least = match stars {
            _ if explicit => self.explicit_complaint,
            CONTENT => self.complaint_at_four,
            _ => self.complaint_at_five,
        };
        blame >= least && (stars == CONTENT || tone <= 0)
    }
}

/// Memory that is reused for every review.
#[derive(Debug, Default)]
pub(crate) struct Scratch {
    pub(crate) tokens: Vec<Token>,
    pub(crate) sentence: Sentence,
    matcher: Matcher,
    pub(crate) view: View,
    pub(crate) weighed: Weighed,
    second: Weighed,
    mentions: Vec<(u16, Place)>,
}

/// The tables and models that analyse reviews. They are built once and shared by all threads.
#[derive(Debug)]
pub(crate) struct Reader {
    pub(crate) language: &'static Language,
    pub(crate) lexicon: Lexicon,
    pub(crate) thresholds: Thresholds,
    /// What judges the owner's keywords, in a language that has it.
    pub(crate) model: Option<Model>,
    pub(crate) detector: Detector,
    /// Whether a sentence blames the business for an aspect that the detector found.
    pub(crate) second: Detector,
    pub(crate) patterns: PatternSet,
    /// The first number of marks of another business, which follow those of aspects. The next three are of its praise, of
    /// its blame, and of praise that is none.
    pub(crate) elsewhere: u16,
    /// The number among the built-in aspects, by aspect.
    pub(crate) columns: Vec<Option<usize>>,
}

impl Reader {
    /// Analyses a review with this number of stars.
    pub(crate) fn read(&self, text: &str, stars: u8, scratch: &mut Scratch) -> Reading {
        scratch.mentions.clear();
        let mut sentence_scores = (0_i64, 0_i64);
        let mut clear = (0, 0);
        for range in sentences(text, self.language) {
            let score = self.read_sentence(text, range, stars, scratch);
            sentence_scores.0 += i64::from(score);
            sentence_scores.1 += i64::from(score != 0);
            clear.0 += u32::from(score >= CONFIDENT);
            clear.1 += u32::from(score <= -CONFIDENT);
        }
        let text_score = rounded(sentence_scores.0, sentence_scores.1);
        Reading {
            opinions: votes((text, self.language), &mut scratch.mentions, stars),
            text_score,
            clear,
        }
    }

    /// Collects the mentions of the sentence and returns the score of the sentence.
    fn read_sentence(
        &self,
        text: &str,
        range: std::ops::Range<usize>,
        stars: u8,
        scratch: &mut Scratch,
    ) -> i32 {
        let Scratch { tokens, sentence, matcher, view, weighed, second, mentions } = scratch;
        let hits = self.find(text, range.clone(), tokens, sentence, matcher);
        let counts = |hit: &&Hit| self.counts(hit, hits, sentence);
        let features = || hits.iter().filter(counts).filter_map(|hit| self.feature(hit));
        self.detector.weigh(&sentence.words, features(), weighed);
        let mut is_weighed = false;

        let tone = (Sentence::compound(&sentence.words) * f64::from(ONE)) as i32;
        // The owner's patterns need no proof.
        let place = |words: (usize, usize), margin: i32| {
            let byte = |at: u32| (range.start as u32) + at;
            let span = (byte(tokens[words.0].start), byte(tokens[words.1 - 1].end));
            let sentence = (byte(0), range.end as u32);
            Place { span, sentence, margin, sure: true, blamed: true, tone }
        };
        let first = mentions.len();
        let least = &self.thresholds;
        let owners = |hit: &&Hit| !hit.shipped && counts(hit);
        for (at, hit) in hits.iter().enumerate().filter(|(_, hit)| owners(hit)) {
            let (margin, blamed) = match hit.sign {
                Sign::Praise => (VERDICT, true),
                Sign::Blame => (-VERDICT, true),
                Sign::Fact => (0, true),
                // A keyword names the subject, and the second opinion does not know it.
                _ => {
                    let clause = weighed.clause_at(hit.words.0);
                    let blamed = stars < CONTENT || self.complains(clause, hits, sentence);
                    (self.judge(hits, at, (sentence, weighed), view), blamed)
                }
            };
            mentions.push((hit.about, Place { blamed, ..place(hit.words, margin) }));
        }
        self.detector.findings(weighed, |finding| {
            let about = self.columns.iter().position(|column| *column == Some(finding.column));
            let Some(about) = about.map(|about| about as u16) else { return };
            let is_told = mentions[first..].iter().any(|(other, _)| *other == about);
            if !is_told && !self.is_elsewhere(self.elsewhere, finding.words, hits, sentence) {
                let explicit = self.complains(finding.words, hits, sentence);
                let verdicts = hits.iter().filter(counts).filter(|hit| hit.about == about);
                // A pattern of praise or blame in the clause adds a third to the detector's margin.
                let verdict = verdict(finding, verdicts);
                let margin = verdict.map_or(finding.margin, |it| (it + 2 * finding.margin) / 3);
                let is_confirmed = verdict.is_some_and(|verdict| verdict < 0);
                if !is_weighed {
                    self.second.weigh(&sentence.words, features(), second);
                    is_weighed = true;
                }
                let blame = self.second.score(second, finding.column) * 1_000 / detector::LOGIT;
                let sure = finding.score >= least.sure;
                let (margin, blamed) = if stars >= CONTENT {
                    let sure = sure
                        || is_confirmed && (explicit || finding.score >= least.sure_with_pattern);
                    (margin, sure && least.is_complaint(stars, explicit, blame, tone))
                } else if blame >= least.blame_of_the_discontent {
                    (margin.min(-CONFIDENT), true)
                } else {
                    (margin, finding.score >= least.sure_of_blame || explicit && stars == MIDDLE)
                };
                // In a longer sentence the mark can be far from the words.
                let is_odd = (margin > 0) == (stars < CONTENT) && sentence.words.len() <= SHORT;
                let is_marked = |which| {
                    is_odd
                        && self.is_elsewhere(self.elsewhere + which, finding.words, hits, sentence)
                };
                if is_marked(if stars < CONTENT { 1 } else { 2 }) {
                    return;
                }
                let turned = stars < CONTENT && is_marked(3);
                let (margin, blamed) = if turned { (-margin, true) } else { (margin, blamed) };
                let found = place(trimmed(finding, sentence), margin);
                mentions.push((about, Place { sure, blamed, ..found }));
            }
        });
        let found = &mentions[first..];
        match found.len() {
            0 => tone,
            count => {
                rounded(found.iter().map(|(_, place)| i64::from(place.margin)).sum(), count as i64)
            }
        }
    }

    /// Whether the customer complains explicitly: the sentence has a mark of complaint ("my only
    /// gripe"), or the clause of these words begins with a contrast and has words of blame.
    fn complains(&self, words: (usize, usize), hits: &[Hit], sentence: &Sentence) -> bool {
        let all = &sentence.words;
        let is_negated = |at: usize| at > 0 && all[at - 1].class & class::NEGATION != 0;
        let is_mark = |at: usize| all[at].class & class::COMPLAINT != 0 && !is_negated(at);
        let is_blame = |hit: &&Hit| {
            hit.about < self.elsewhere
                && hit.sign == Sign::Blame
                && (words.0..words.1).contains(&hit.words.0)
        };
        let clause = &all[words.0..words.1];
        let contrasts = clause.first().is_some_and(|word| word.class & class::CONTRAST != 0);
        let blames = || {
            clause.iter().any(|word| word.valence <= BLAMING)
                || hits.iter().any(|hit| is_blame(&hit))
        };
        (0..all.len()).any(is_mark) || contrasts && blames()
    }

    /// Tokenizes the words of a sentence and matches the patterns.
    fn find<'m>(
        &self,
        text: &str,
        range: std::ops::Range<usize>,
        tokens: &mut Vec<Token>,
        sentence: &mut Sentence,
        matcher: &'m mut Matcher,
    ) -> &'m [Hit] {
        tokens.clear();
        tokenize(&text[range.clone()], &self.lexicon, tokens);
        sentence.read(tokens, &self.lexicon);
        let seen = tokens.iter().zip(&sentence.words).map(|(token, word)| {
            let mark = matches!(
                text.as_bytes()[range.start + token.start as usize],
                b'-' | b'"' | b'*' | b'\''
            );
            (word.id, word.class, mark && token.end - token.start == 1)
        });
        matcher.find(&self.patterns, seen)
    }

    /// Whether the words of a phrase speak of the aspect, and of no other one twice as clearly.
    pub(crate) fn speaks_of(&self, phrase: &str, aspect: u16, scratch: &mut Scratch) -> bool {
        let Scratch { tokens, sentence, matcher, weighed, .. } = scratch;
        let Some(column) = self.columns[usize::from(aspect)] else { return true };
        let hits = self.find(phrase, 0..phrase.len(), tokens, sentence, matcher);
        let counted = hits.iter().filter(|hit| self.counts(hit, hits, sentence));
        self.detector.weigh(&sentence.words, counted.filter_map(|hit| self.feature(hit)), weighed);
        weighed.is_about(column)
    }

    /// Like [`Self::find`], for training: the features and positions of the patterns that count.
    pub(crate) fn hits(
        &self,
        text: &str,
        range: std::ops::Range<usize>,
        scratch: &mut Scratch,
    ) -> Vec<(usize, u64)> {
        let Scratch { tokens, sentence, matcher, .. } = scratch;
        let hits = self.find(text, range, tokens, sentence, matcher);
        let counts = |hit: &&Hit| self.counts(hit, hits, sentence);
        hits.iter().filter(counts).filter_map(|hit| self.feature(hit)).collect()
    }

    /// Whether a match is about an aspect of this business.
    fn counts(&self, hit: &Hit, hits: &[Hit], sentence: &Sentence) -> bool {
        hit.about < self.elsewhere
            && hit.sign != Sign::Exclude
            && !self.is_elsewhere(self.elsewhere, hit.words, hits, sentence)
    }

    /// The position of a match and its feature for the detector.
    fn feature(&self, hit: &Hit) -> Option<(usize, u64)> {
        let column = self.columns[usize::from(hit.about)].filter(|_| hit.shipped)?;
        Some((hit.words.0, detector::hit(column, hit.sign)?))
    }

    /// The model's margin for one match, of which the other matches are other targets; or the detector's for its clause in
    /// a language without a model.
    fn judge(
        &self,
        hits: &[Hit],
        at: usize,
        (sentence, weighed): (&Sentence, &Weighed),
        view: &mut View,
    ) -> i32 {
        let target = hits[at].words;
        let Some(model) = &self.model else {
            return self.detector.margin_at(weighed, target.0);
        };
        let others: Vec<(usize, usize)> = hits
            .iter()
            .map(|hit| hit.words)
            .filter(|words| words.1 <= target.0 || target.1 <= words.0)
            .collect();
        view.look(sentence, target, &others);
        model.margin(model.scores(view, sentence, target))
    }

    /// Whether the words are in a clause with this mark of another business.
    fn is_elsewhere(
        &self,
        mark: u16,
        words: (usize, usize),
        hits: &[Hit],
        sentence: &Sentence,
    ) -> bool {
        let ends = |at: &usize| {
            sentence.words[*at].class & (class::STOP | class::CONTRAST) != 0
                || self.lexicon.word(sentence.words[*at].id) == ";"
        };
        hits.iter().filter(|hit| hit.about == mark && hit.sign != Sign::Exclude).any(|mark| {
            let (from, to) = if mark.words.0 <= words.0 {
                (mark.words.1, words.0)
            } else {
                (words.1, mark.words.0)
            };
            !(from..to.max(from)).any(|at| ends(&at))
        })
    }
}

/// The margin of the pattern of praise or blame in the clause of a finding.
fn verdict<'h>(finding: Finding, mut hits: impl Iterator<Item = &'h Hit>) -> Option<i32> {
    hits.find_map(|hit| match hit.sign {
        _ if !(finding.words.0..finding.words.1).contains(&hit.words.0) => None,
        Sign::Praise => Some(VERDICT),
        Sign::Blame => Some(-VERDICT),
        _ => None,
    })
}

/// The words of a finding without the sign that ends the clause.
fn trimmed(finding: Finding, sentence: &Sentence) -> (usize, usize) {
    let (from, to) = finding.words;
    let sign = |at: usize| sentence.words[at].class & (class::COMMA | class::COLON) != 0;
    (from, if to > from + 1 && sign(to - 1) { to - 1 } else { to })
}
