//! `import.toml`: the settings of imports, and the maps from columns of unknown exports to fields.

use std::{collections::BTreeMap, path::PathBuf};

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::Deserialize;
use serde_json::{Value, json};

use super::folder::Folder;
use contract::problem::{Report, unknown_help};

/// The file's name in `content/`.
pub const SETTINGS_FILE: &str = "import.toml";

/// `import.toml`: how imports behave
#[derive(Default, Deserialize, JsonSchema)]
#[serde(default)]
pub(super) struct ImportFile {
    import: ImportSettings,
    /// The columns of unknown exports
    map: Vec<ColumnMap>,
    /// What candor import imports when it is told nothing
    export: Vec<Export>,
}

/// `import.toml`
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(default)]
pub struct ImportSettings {
    /// Whether addresses of authors' pictures are stored; default: false
    pub avatars: bool,
    /// Days after which a review that imports lack is removed; default: never
    #[schemars(range(min = 1), extend("x-fault" = [
        "{name} must be a number of days from 1 to 65535", "write the days, such as 90",
    ]))]
    pub drop_missing_after: Option<u16>,
    /// The business whose reviews are taken, where an export holds several: id or name
    pub location: Option<String>,
    /// The sources whose reviews are taken, where a column names several
    pub only_sources: Vec<String>,
    /// Column maps, in order.
    #[serde(skip)]
    pub maps: Vec<ColumnMap>,
    /// What `candor import` imports when it is told nothing.
    #[serde(skip)]
    pub exports: Vec<Export>,
}

/// An export that is imported again and again: `[[export]]`.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
pub struct Export {
    /// A path as seen from this folder, an https address, or google
    pub input: String,
    /// The folder that a relative path starts from.
    #[serde(skip)]
    pub folder: PathBuf,
    /// The name of a `[[map]]`
    pub map: Option<String>,
    /// The platform the reviews come from, where the export does not say
    pub source: Option<String>,
    /// Whether stored reviews are removed that this complete export does not have
    #[serde(default)]
    pub prune: bool,
    // None is sent without it: with --all the addresses are those of several businesses.
    /// Variable with a header to send to the address
    pub header_env: Option<String>,
}

/// Which columns of a generic export mean what.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize, JsonSchema)]
pub struct ColumnMap {
    /// What --map calls it
    pub name: String,
    /// The platform the reviews come from
    pub source: Option<String>,
    /// How dates are written, such as DD/MM/YYYY
    pub date_format: Option<String>,
    /// Whether texts hold HTML entities to be decoded, once
    #[serde(default)]
    pub html_entities: bool,
    /// The best rating of the column; default: 5
    #[schemars(range(min = 2, max = 1000), extend("x-fault" = [
        "best must be the best rating of the column, from 2 to 1000", "write it, such as 10",
    ]))]
    pub best: Option<u32>,
    /// The column or dotted path of each field
    #[schemars(schema_with = "columns", extend("x-missing" = [
        "a map needs its columns",
        "add columns = { author = \"…\", rating = \"…\", date = \"…\", text = \"…\" }",
    ]))]
    pub columns: BTreeMap<Field, String>,
}

/// The schema of `columns`: every field may have a column.
fn columns(_: &mut SchemaGenerator) -> Schema {
    let column = |field: &Field| (field.word(), json!({ "type": "string", "x-rule": "column" }));
    let all: BTreeMap<&str, Value> = Field::ALL.iter().map(column).collect();
    let order: Vec<&str> = Field::ALL.iter().map(|field| field.word()).collect();
    json_schema!({ "type": "object", "properties": all, "x-order": order })
}

/// The word of a map in place of a column: no column has this field.
pub const NO_COLUMN: &str = "none";

impl ColumnMap {
    /// The fields that have a column, with their columns.
    pub fn used(&self) -> impl Iterator<Item = (Field, &str)> {
        let all = self.columns.iter().map(|(field, column)| (*field, column.as_str()));
        all.filter(|(_, column)| *column != NO_COLUMN)
    }

    /// The columns that the map reads: `pros+cons` are two.
    pub fn parts(&self) -> impl Iterator<Item = (Field, &str)> {
        self.used()
            .flat_map(|(field, column)| column.split('+').map(move |part| (field, part.trim())))
    }
}

macro_rules! fields {
    ($($(#[$doc:meta])* $variant:ident = $word:literal,)+) => {
        /// The meaning of a column.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
        pub enum Field { $($(#[$doc])* #[serde(rename = $word)] $variant,)+ }

        impl Field {
            /// Every field, in order.
            pub const ALL: &[Self] = &[$(Self::$variant),+];

            /// Returns the word in a map.
            #[must_use]
            pub fn word(self) -> &'static str {
                match self { $(Self::$variant => $word,)+ }
            }
        }
    };
}

fields! {
    /// Display name.
    Author = "author",
    /// Whether the author wants no name.
    Anonymous = "anonymous",
    /// The author's account.
    AuthorId = "author_id",
    /// The author's picture.
    Avatar = "avatar",
    /// The stars.
    Rating = "rating",
    /// The date of the review.
    Date = "date",
    /// The date of its last change.
    Updated = "updated",
    /// The title, which becomes the first line of the text.
    Title = "title",
    /// The author's words.
    Text = "text",
    /// The author's words in their own language, if `text` is a translation.
    OriginalText = "original_text",
    /// The BCP 47 tag of the text.
    Language = "language",
    /// The review's id at its source.
    Id = "id",
    /// The address of the review at its source.
    Url = "url",
    /// The business's reply.
    Reply = "reply",
    /// The day of the reply.
    ReplyDate = "reply_date",
    /// Whether everybody may read the reply: published, private, draft.
    ReplyStatus = "reply_status",
    /// The business, if an export has several.
    Location = "location",
    /// The name of the business, if `location` is an id.
    LocationName = "location_name",
    /// The platform.
    Source = "source",
    /// Whether the shop shows it: spam, not yet approved, hidden.
    Status = "status",
    /// The id of the review that the row answers.
    AnswerTo = "answer_to",
    /// The kind of the row, if a table has rows that are not reviews.
    Kind = "kind",
    /// Whether the source marks the review as one of a verified purchase.
    Purchase = "purchase",
    /// The precision of the date: `day`, `month` or `year`.
    DatePrecision = "date_precision",
    /// The connection that the owner has to disclose: `incentivized` or `insider`.
    Disclosure = "disclosure",
}

impl Field {
    /// The field of this name.
    #[must_use]
    pub fn named(word: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|field| field.word() == word)
    }

    /// Returns the remedy for a name that is not a field.
    #[must_use]
    pub fn help(word: &str) -> String {
        unknown_help(word, Self::ALL.iter().map(|field| field.word()))
    }
}

pub(super) fn read(folder: &Folder, report: &Report) -> ImportSettings {
    let file = folder.toml(SETTINGS_FILE, report);
    let Some((file, root)) = file.as_ref().and_then(|file| Some((file, file.parse()?))) else {
        return ImportSettings::default();
    };
    // A list is that of one file.
    let start = root.get_ref().get("export").map(|exports| file.folder(exports.span()).to_owned());
    let ImportFile { import, map, export } = file.build(root).unwrap_or_default();
    let here = |export| Export { folder: start.clone().unwrap_or_default(), ..export };
    ImportSettings { maps: map, exports: export.into_iter().map(here).collect(), ..import }
}
