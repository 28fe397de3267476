//! Reads `[verification]` of `business.toml`: the methods by which the reviews of each source are verified.

use std::{collections::BTreeMap, ops::Range};

use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};
use toml::de::{DeTable, DeValue};

use super::{
    record::SourceName,
    toml_reader::{At, TomlFile},
};
use crate::theme::{self, Phrase};
use contract::model::{DIRECT, Verification, source_name};

/// The key of the phrase for platforms.
const PLATFORM: &str = "posted_on_platform";

/// `[verification]`: how the reviews of each source are verified
#[derive(Deserialize, JsonSchema)]
pub(super) struct VerificationTable {
    /// Sources that one method covers
    #[serde(default)]
    #[schemars(extend("items" = listed_source()))]
    sources: Vec<At<String>>,
    /// Platforms such as google, whose reviews you do not check
    #[serde(default)]
    #[schemars(extend("items" = listed_source()))]
    platforms: Vec<At<String>>,
    /// That method in a few words
    method: Option<String>,
    /// That method in a sentence or two
    description: Option<String>,
    /// A page that describes it
    #[schemars(extend("format" = "uri"))]
    url: Option<String>,
    /// The method for the source of that name, such as direct
    #[serde(flatten)]
    of_source: BTreeMap<String, MethodTable>,
}

#[derive(Deserialize, JsonSchema)]
struct MethodTable {
    /// The method in a few words
    method: String,
    /// The method in a sentence or two
    description: Option<String>,
    /// A page that describes it
    #[schemars(extend("format" = "uri"))]
    url: Option<String>,
}

/// A source in a list: direct reviews need a method of their own. That a platform knows its authors proves nothing
/// about a text that the business received itself.
fn listed_source() -> Value {
    json!({ "type": "string", "not": { "const": DIRECT } })
}

/// The places of the keys of `[verification]` that are not blank.
pub(super) fn stated(root: &DeTable<'_>) -> BTreeMap<String, Range<usize>> {
    let table = root.get("verification").and_then(|of| of.get_ref().as_table());
    let is_blank = |of: &DeValue<'_>| of.as_str().is_some_and(|text| text.trim().is_empty());
    let keys = table.into_iter().flatten().filter(|(_, of)| !is_blank(of.get_ref()));
    keys.map(|(key, _)| (key.get_ref().to_string(), key.span())).collect()
}

/// Each source with its method: one method for the listed `sources`, the built-in one for each of
/// the `platforms`, and `[verification.NAME]` for the source of that name.
pub(super) fn read(
    file: &TomlFile<'_>,
    of: At<VerificationTable>,
    stated: &BTreeMap<String, Range<usize>>,
    platform: &str,
) -> BTreeMap<String, Verification> {
    let span = of.span();
    let VerificationTable { sources, platforms, method, description, url, of_source } =
        of.into_inner();
    let needs_method = !sources.is_empty() || description.is_some() || url.is_some();
    if needs_method && method.is_none() && !stated.contains_key("method") {
        let message = "verification.method is missing or empty";
        file.error(span.clone(), "missing-key", message, "add method = \"…\"");
    }
    let shared = method.map(|method| Verification { method, description, url, is_platform: false });
    let listed = sources.into_iter().map(|it| (it.span(), it.into_inner(), shared.clone()));
    let platforms = platforms.into_iter().map(|it| {
        let method = platform.replace("{source}", &source_name(&it));
        let method = Verification { method, description: None, url: None, is_platform: true };
        (it.span(), it.into_inner(), Some(method))
    });
    let named = of_source.into_iter().map(|(source, of)| {
        let MethodTable { method, description, url } = of;
        let method = Verification { method, description, url, is_platform: false };
        (stated.get(&source).unwrap_or(&span).clone(), source, Some(method))
    });
    let mut methods = BTreeMap::new();
    for (span, source, method) in listed.chain(platforms).chain(named) {
        if let Err(reason) = SourceName::try_from(source.clone()) {
            let message = format!("verification: {reason}");
            file.error(span, "invalid-value", message, "write it as the reviews have it");
        } else if methods.contains_key(&source) {
            let message = format!("verification: {source:?} has two methods");
            let help = "name the source once, with the method that is true of it";
            file.error(span, "invalid-value", message, help);
        } else {
            methods.extend(method.map(|method| (source, method)));
        }
    }
    methods
}

/// Returns the remedy that publishes the reviews of a source without a method.
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

/// Returns the method of a platform in the words of the owner, else in the site's language, else in English.
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
