//! `[policy]` of `business.toml`: what the owner states about all reviews.

use schemars::JsonSchema;
use serde::Deserialize;

use contract::model::{Day, Policy};

/// `[policy]`: what you state on the page /review-policy/
#[derive(Deserialize, JsonSchema)]
pub(super) struct PolicyTable {
    /// The day of these statements
    date: Option<Day>,
    /// How reviews are collected
    collected: Option<String>,
    /// Who is invited to write a review; false: nobody
    invited: Option<Statement>,
    /// Which customers are not invited, and why; false: none is left out
    left_out: Option<Statement>,
    /// What is given for a review, and to whom; false: nothing
    incentives: Option<Statement>,
    /// What is done about fake reviews
    fakes: Option<String>,
    /// Where readers report a review: an e-mail address, or the https address of a form
    #[schemars(extend("x-rule" = "report"))]
    report: Option<String>,
}

/// The owner's words, or that there is none.
#[derive(Deserialize, JsonSchema)]
#[serde(untagged)]
enum Statement {
    Words(String),
    None(
        #[expect(dead_code, reason = "the schema refuses true")]
        #[schemars(extend("const" = false))]
        bool,
    ),
}

impl From<PolicyTable> for Policy {
    fn from(of: PolicyTable) -> Self {
        let (collected, fakes) =
            (of.collected.map(Statement::Words), of.fakes.map(Statement::Words));
        let stated = [collected, of.invited, of.left_out, of.incentives, fakes];
        let words = |statement| match statement {
            Statement::Words(words) => Some(words),
            Statement::None(_) => None,
        };
        let stated = Self::KEYS.into_iter().zip(stated);
        let statements = stated.filter_map(|(key, of)| Some((key, words(of?)))).collect();
        Self { date: of.date, statements, report: of.report }
    }
}
