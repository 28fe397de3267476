//! The explanation of each code of a problem, with an example and the remedy.

/// The sections, one for each code, each headed by `## CODE`.
const PROBLEMS: &str = include_str!("explain/problems.md");

/// The explanation of one code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Explanation {
    /// The code as messages have it: `error[CODE]`.
    pub code: &'static str,
    /// The meaning, an example and the remedy, in Markdown.
    pub text: &'static str,
}

impl Explanation {
    /// The first line, which is one sentence, without its full stop.
    #[must_use]
    pub fn summary(&self) -> &'static str {
        self.text.lines().next().unwrap_or_default().trim_end_matches('.')
    }
}

/// Every explanation, in the order of the codes.
pub fn all() -> impl Iterator<Item = Explanation> + Clone {
    PROBLEMS.split("\n## ").skip(1).filter_map(|section| {
        let (code, text) = section.split_once('\n')?;
        Some(Explanation { code, text: text.trim() })
    })
}

/// The explanation of a code.
#[must_use]
pub fn find(code: &str) -> Option<Explanation> {
    all().find(|explanation| explanation.code == code)
}
