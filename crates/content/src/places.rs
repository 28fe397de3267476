//! `places.toml`: the business that the reviews of each source are about. The first import writes it, people correct it,
//! and an import about another business stops.

use schemars::JsonSchema;
use serde::Deserialize;

use super::folder::Folder;
use contract::problem::Report;

/// The file's name in `content/`.
pub const PLACES_FILE: &str = "places.toml";

#[derive(Default, Deserialize, JsonSchema)]
#[serde(default)]
pub(super) struct PlacesFile {
    /// The business as each source names it
    place: Vec<KnownPlace>,
}

/// The business as a source names it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize, JsonSchema)]
pub struct KnownPlace {
    /// The platform
    pub source: String,
    /// Ids of the business there: of a place, a location, an account
    #[serde(default)]
    pub ids: Vec<String>,
    /// Names of the business there
    #[serde(default)]
    pub names: Vec<String>,
    /// The best rating there, where that is not 5
    pub best: Option<u32>,
}

/// The comment at the beginning of the file.
const HEAD: &str = "\
# The business that this site is about, as each source names it. candor import writes this file, and stops where a file
# is about another business. Correct what is wrong here.
";

/// Returns the text of the file with these places.
#[must_use]
pub fn places_file(places: &[KnownPlace]) -> String {
    let list = |words: &[String]| serde_json::Value::from(words).to_string();
    let mut text = HEAD.to_owned();
    for KnownPlace { source, ids, names, best } in places {
        // A text of JSON is one of TOML, too.
        let source = serde_json::Value::from(source.as_str());
        text += &format!(
            "\n[[place]]\nsource = {source}\nids = {}\nnames = {}\n",
            list(ids),
            list(names)
        );
        text += &best.map_or_else(String::new, |best| format!("best = {best}\n"));
    }
    text
}

pub(super) fn read(folder: &Folder, report: &Report) -> Vec<KnownPlace> {
    let file = folder.toml(PLACES_FILE, report);
    file.and_then(|file| file.load::<PlacesFile>()).unwrap_or_default().place
}
