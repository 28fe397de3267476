//! What the pages are made from before any content is known: built-in templates, the phrases of each
//! language, and Markdown. The owner's files are checked against them when content is read.

mod built_in;
mod ejected;
mod markdown;
mod phrases;
mod plural;

pub use phrases::Phrase;
pub(crate) use {
    built_in::{ASSETS, CUSTOM_STYLE, PROOF_SCRIPTS, TEMPLATES, check_template, template_names},
    ejected::{built_in, ejected, newer_built_in},
    markdown::{refused_links, to_html, to_page},
    phrases::{LANGUAGES, is_shipped, primary_tag, read_phrases, shipped, shipped_keys},
    plural::category as plural_category,
};
