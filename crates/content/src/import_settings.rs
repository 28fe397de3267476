//! `import.toml`: how imports behave, and which columns of an unknown export mean what.

use std::{collections::BTreeMap, path::PathBuf};

use super::{folder::Folder, toml_reader::TomlTable};
use contract::problem::{Report, unknown_help};

/// The file's name in `content/`.
pub const SETTINGS_FILE: &str = "import.toml";

/// `import.toml`
#[derive(Clone, Debug, Default)]
pub struct ImportSettings {
    /// Whether addresses of authors' pictures are stored.
    pub avatars: bool,
    /// Days after which a review that imports lack is removed; `None`: never.
    pub drop_missing_after: Option<u16>,
    /// The location whose reviews are taken, where an export holds several: id or name.
    pub location: Option<String>,
    /// The sources whose reviews are taken, where a column names several.
    pub only_sources: Vec<String>,
    /// Column maps, in order.
    pub maps: Vec<ColumnMap>,
    /// What `candor import` imports when it is told nothing.
    pub exports: Vec<Export>,
}

/// An export that is imported again and again: `[[export]]`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Export {
    /// As on the command line: a path, an address, or `google`.
    pub input: String,
    /// The folder that a relative path starts from.
    pub folder: PathBuf,
    /// The name of a column map.
    pub map: Option<String>,
    /// The platform the reviews come from, where the export does not say.
    pub source: Option<String>,
    /// Whether stored reviews are removed that the export does not have.
    pub prune: bool,
    /// The variable with a header for addresses. None is sent without it: with `--all` the addresses are
    /// those of several businesses.
    pub header_env: Option<String>,
}

/// Which columns of a generic export mean what.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ColumnMap {
    /// What `--map` calls it.
    pub name: String,
    /// The platform the reviews come from.
    pub source: Option<String>,
    /// How dates are written, such as `DD/MM/YYYY`.
    pub date_format: Option<String>,
    /// Whether texts hold HTML entities to be decoded, once.
    pub html_entities: bool,
    /// The best rating there is; `None` where that is 5.
    pub best: Option<u32>,
    /// The column or dotted path of each field.
    pub columns: BTreeMap<Field, String>,
}

/// What a map writes in place of a column: no column has this field.
pub const NO_COLUMN: &str = "none";

impl ColumnMap {
    /// The fields that have a column, with their columns.
    pub fn used(&self) -> impl Iterator<Item = (Field, &str)> {
        let all = self.columns.iter().map(|(field, column)| (*field, column.as_str()));
        all.filter(|(_, column)| *column != NO_COLUMN)
    }

    /// The columns that it reads: `pros+cons` are two.
    pub fn parts(&self) -> impl Iterator<Item = (Field, &str)> {
        self.used()
            .flat_map(|(field, column)| column.split('+').map(move |part| (field, part.trim())))
    }
}

macro_rules! fields {
    ($($(#[$doc:meta])* $variant:ident = $word:literal,)+) => {
        /// What a column can mean.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
        pub enum Field { $($(#[$doc])* $variant,)+ }

        impl Field {
            /// Every field, in order.
            pub const ALL: &[Self] = &[$(Self::$variant),+];

            /// As it is written in a map.
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
    /// The author's account.
    AuthorId = "author_id",
    /// The author's picture.
    Avatar = "avatar",
    /// Stars.
    Rating = "rating",
    /// When it was written.
    Date = "date",
    /// When it was last changed.
    Updated = "updated",
    /// Goes before the text, as its first line.
    Title = "title",
    /// The words.
    Text = "text",
    /// The words in their own language, where `text` is a translation.
    OriginalText = "original_text",
    /// BCP 47 tag.
    Language = "language",
    /// The review's id at its source.
    Id = "id",
    /// The review at its source.
    Url = "url",
    /// The owner's answer.
    Reply = "reply",
    /// The day of the answer.
    ReplyDate = "reply_date",
    /// The business, where an export holds several.
    Location = "location",
    /// Its name, where `location` is an id.
    LocationName = "location_name",
    /// The platform it comes from.
    Source = "source",
    /// Whether the shop shows it: spam, not yet approved, hidden.
    Status = "status",
    /// The id of the review that the row answers.
    AnswerTo = "answer_to",
    /// What the row is, where a table holds other things than reviews.
    Kind = "kind",
    /// Whether the source marks the review as one of a verified purchase.
    Purchase = "purchase",
    /// How exactly its date is known: `day`, `month` or `year`.
    DatePrecision = "date_precision",
    /// What the owner has to disclose of it: `incentivized` or `insider`.
    Disclosure = "disclosure",
}

impl Field {
    /// The field of this name.
    #[must_use]
    pub fn named(word: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|field| field.word() == word)
    }

    /// What to do about a name that is not a field.
    #[must_use]
    pub fn help(word: &str) -> String {
        unknown_help(word, Self::ALL.iter().map(|field| field.word()))
    }
}

/// Whether a column by this name holds what is never imported: e-mail addresses and telephone numbers.
pub fn is_personal(column: &str) -> bool {
    let column: String =
        column.to_lowercase().chars().filter(|c| c.is_alphanumeric() || *c == '.').collect();
    ["email", "phone", "telefon", "mobile"].iter().any(|word| column.contains(word))
}

pub(super) fn read(folder: &Folder, report: &Report) -> ImportSettings {
    let Some(file) = folder.toml(SETTINGS_FILE, report) else {
        return ImportSettings::default();
    };
    let settings = file.read(|root| {
        let settings = root.table("import", read_settings).unwrap_or_default();
        ImportSettings {
            maps: root.tables("map", read_map),
            exports: root.tables("export", read_export),
            ..settings
        }
    });
    settings.unwrap_or_default()
}

fn read_settings(table: &TomlTable<'_>) -> ImportSettings {
    let days = table.integer("drop_missing_after");
    let drop_missing_after =
        days.and_then(|days| u16::try_from(days).ok()).filter(|days| *days > 0);
    if days.is_some() && drop_missing_after.is_none() {
        let message = "import.drop_missing_after must be a number of days from 1 to 65535";
        table.error("drop_missing_after", "invalid-value", message, "write the days, such as 90");
    }
    ImportSettings {
        avatars: table.boolean("avatars").unwrap_or(false),
        drop_missing_after,
        location: table.string("location"),
        only_sources: table
            .items("only_sources")
            .map(|items| items.into_iter().map(|(name, _)| name).collect())
            .unwrap_or_default(),
        ..ImportSettings::default()
    }
}

fn read_export(table: &TomlTable<'_>) -> Option<Export> {
    let input = table.required("input");
    let (map, source) = (table.string("map"), table.string("source"));
    let prune = table.boolean("prune").unwrap_or(false);
    let header_env = table.string("header_env");
    let folder = table.folder("input").to_owned();
    Some(Export { input: input?, folder, map, source, prune, header_env })
}

fn read_map(table: &TomlTable<'_>) -> Option<ColumnMap> {
    let name = table.required("name");
    let source = table.string("source");
    let columns = table.table("columns", |columns| {
        let mut named = BTreeMap::new();
        for field in Field::ALL {
            let Some(column) = columns.string(field.word()) else { continue };
            if is_personal(&column) {
                let message = format!("{column:?} looks like an e-mail or telephone column");
                columns.error(field.word(), "personal-column", message, PERSONAL_HELP);
            }
            named.insert(*field, column);
        }
        named
    });
    if columns.is_none() && !table.contains("columns") {
        let help = "add columns = { author = \"…\", rating = \"…\", date = \"…\", text = \"…\" }";
        table.error("columns", "missing-key", "a map needs its columns", help);
    }
    let best = table.integer("best");
    if best.is_some_and(|best| !(2..=1000).contains(&best)) {
        let message = "best must be the best rating of the column, from 2 to 1000";
        table.error("best", "invalid-value", message, "write it, such as 10");
    }
    let map = ColumnMap {
        name: String::new(),
        best: best.and_then(|best| u32::try_from(best).ok()),
        source,
        date_format: table.string("date_format"),
        html_entities: table.boolean("html_entities").unwrap_or(false),
        columns: columns.unwrap_or_default(),
    };
    Some(ColumnMap { name: name?, ..map })
}

/// What to do about a map that names such a column.
pub const PERSONAL_HELP: &str = "name another column; these are never imported";
