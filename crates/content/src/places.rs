//! `places.toml`: the business that the reviews of each source are about. The first import writes it, people correct it,
//! and an import about another business stops.

use super::{folder::Folder, toml_reader::TomlTable};
use contract::problem::Report;

/// The file's name in `content/`.
pub const PLACES_FILE: &str = "places.toml";

/// The business as a source names it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct KnownPlace {
    /// The platform.
    pub source: String,
    /// Its ids there: of a place, a location, an account.
    pub ids: Vec<String>,
    /// Its names there.
    pub names: Vec<String>,
}

/// What the file begins with.
const HEAD: &str = "\
# The business that this site is about, as each source names it. candor import writes this file, and stops where a file
# is about another business. Correct what is wrong here.
";

/// The file with these places.
#[must_use]
pub fn places_file(places: &[KnownPlace]) -> String {
    let list = |words: &[String]| serde_json::Value::from(words).to_string();
    let mut text = HEAD.to_owned();
    for KnownPlace { source, ids, names } in places {
        // A text of JSON is one of TOML, too.
        let source = serde_json::Value::from(source.as_str());
        text += &format!(
            "\n[[place]]\nsource = {source}\nids = {}\nnames = {}\n",
            list(ids),
            list(names)
        );
    }
    text
}

pub(super) fn read(folder: &Folder, report: &Report) -> Vec<KnownPlace> {
    let file = folder.toml(PLACES_FILE, report);
    file.and_then(|file| file.read(|root| root.tables("place", read_place))).unwrap_or_default()
}

fn read_place(table: &TomlTable<'_>) -> Option<KnownPlace> {
    let list = |key| {
        let items = table.items(key).unwrap_or_default();
        items.into_iter().map(|(text, _)| text).collect()
    };
    let (source, ids, names) = (table.required("source"), list("ids"), list("names"));
    Some(KnownPlace { source: source?, ids, names })
}
