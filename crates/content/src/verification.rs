//! Reads `[verification]` of `business.toml`: how the reviews of each source are verified.

use std::{collections::BTreeMap, ops::Range};

use super::{record::SourceName, toml_reader::TomlTable};
use crate::theme::{self, Phrase};
use contract::model::{DIRECT, Verification, source_name};

/// The key of the phrase for platforms.
const PLATFORM: &str = "posted_on_platform";

/// Each source with its method: one method for the listed `sources`, the built-in one for each of
/// the `platforms`, and `[verification.NAME]` for the source of that name.
pub(super) fn read(table: &TomlTable<'_>, platform: &str) -> BTreeMap<String, Verification> {
    let mut methods = Methods { table, by_source: BTreeMap::new() };
    let sources = table.items("sources").unwrap_or_default();
    let platforms = table.items("platforms").unwrap_or_default();
    let shared = read_shared(table, !sources.is_empty());
    for (source, span) in sources {
        methods.add_listed("sources", source, span, shared.clone());
    }
    for (source, span) in platforms {
        let method = platform.replace("{source}", &source_name(&source));
        let method = Verification { method, description: None, url: None, is_platform: true };
        methods.add_listed("platforms", source, span, Some(method));
    }
    for (source, span, method) in table.other_tables(read_method) {
        methods.add(source, span, Some(method));
    }
    methods.by_source
}

/// The method for several sources. `has_sources`: there are some, so that it has to be stated.
fn read_shared(table: &TomlTable<'_>, has_sources: bool) -> Option<Verification> {
    let (description, url) = (table.string("description"), table.url("url"));
    let states = has_sources || description.is_some() || url.is_some();
    let method = (table.contains("method") || states).then(|| table.required("method")).flatten();
    Some(Verification { method: method?, description, url, is_platform: false })
}

fn read_method(table: &TomlTable<'_>) -> Option<Verification> {
    let (method, description) = (table.required("method"), table.string("description"));
    let url = table.url("url");
    Some(Verification { method: method?, description, url, is_platform: false })
}

/// The methods that were read so far.
struct Methods<'t, 'a> {
    table: &'t TomlTable<'a>,
    by_source: BTreeMap<String, Verification>,
}

impl Methods<'_, '_> {
    /// A list covers no direct reviews: what a platform knows of its authors says nothing of a text
    /// that the business received itself.
    fn add_listed(
        &mut self,
        list: &str,
        source: String,
        span: Range<usize>,
        method: Option<Verification>,
    ) {
        if source == DIRECT {
            let list = self.table.full(list);
            let message = format!("{list}: a method for several sources does not cover \"direct\"");
            let help = "remove \"direct\" from the list and state what you check: [verification.direct] method = \"…\"";
            self.table.error_at(span, "invalid-value", message, help);
        } else {
            self.add(source, span, method);
        }
    }

    fn add(&mut self, source: String, span: Range<usize>, method: Option<Verification>) {
        if let Err(reason) = SourceName::try_from(source.clone()) {
            let message = format!("verification: {reason}");
            let help = "write it as the reviews have it";
            self.table.error_at(span, "invalid-value", message, help);
        } else if self.by_source.contains_key(&source) {
            let message = format!("verification: {source:?} has two methods");
            let help = "name the source once, with the method that is true of it";
            self.table.error_at(span, "invalid-value", message, help);
        } else {
            self.by_source.extend(method.map(|method| (source, method)));
        }
    }
}

/// What to do so that the reviews of a source without a method are published.
#[must_use]
pub fn method_help(source: &str) -> String {
    let platform = match source {
        DIRECT => "",
        _ => "; or add a platform whose reviews you do not check to platforms of [verification]",
    };
    format!(
        "state in business.toml what you check: [verification.{source}] method = \"…\"{platform}"
    )
}

/// The method of a platform in the words of the owner, else in the site's language, else in English.
pub(super) fn of_platform(language: &str, owners: &BTreeMap<String, Phrase>) -> String {
    let mut phrases = theme::shipped_keys();
    phrases.extend(theme::shipped(&theme::primary_tag(language)));
    let phrase = owners.get(PLATFORM).cloned().or_else(|| phrases.remove(PLATFORM));
    match phrase {
        Some(Phrase::Text(text)) => text,
        Some(Phrase::Forms(mut forms)) => forms.remove("other").unwrap_or_default(),
        None => String::new(),
    }
}
