//! The parts of the pages that do not depend on content: built-in templates, the phrases of each language, and
//! Markdown. The owner's files are checked against them when content is read.

mod built_in;
mod ejected;
mod markdown;
mod phrases;
mod plural;

pub(crate) use {
    built_in::check_template,
    markdown::{is_harmless, references},
    phrases::{is_shipped, read_phrases},
};
pub use {
    built_in::{ASSETS, CUSTOM_STYLE, PROOF_SCRIPTS, TEMPLATES, template_names},
    ejected::{built_in, ejected, newer_built_in},
    markdown::{Reference, to_html, to_page},
    phrases::{LANGUAGES, Phrase, primary_tag, shipped, shipped_keys},
    plural::category as plural_category,
};
