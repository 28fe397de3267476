//! Reads and validates `content/`: hand-written TOML and Markdown, machine-written reviews. Everything wrong is
//! reported in one run.
//!
//! - [`dataset`] applies corrections, resolves names, and withholds what is not verified; [`cache`] keeps what was
//!   computed of texts.
//! - [`theme`] is what pages are made from: built-in templates and phrases. [`words`] fills the phrases in.
//! - [`workspace`] lists the sites that an agency keeps together.
//! - [`content_schema`] describes the files for editors.
//! - [`change`] is the only module that writes: it puts changed files in place all together.

mod actions;
mod annotations;
mod appearance;
mod aspects;
mod business;
pub mod cache;
pub mod change;
pub mod content_schema;
pub mod dataset;
mod entities;
mod folder;
mod front_matter;
mod host_keys;
mod id_prefix;
mod import_log;
mod import_settings;
mod load;
mod ndjson;
mod overrides;
mod own_pages;
mod pages;
mod photo;
mod picture;
mod places;
mod policy;
mod record;
mod reviews;
mod site;
mod static_files;
mod syntax;
mod text_file;
pub mod theme;
mod time_zone;
mod tombstones;
mod toml_reader;
mod transparency;
mod values;
mod verification;
pub mod words;
pub mod workspace;

pub use actions::{Action, ActionKind};
pub use appearance::{Accent, Appearance, OwnTemplate, Pages, Photos, ReviewPages};
pub use business::is_placeholder_name;
pub use entities::{OwnTexts, PostalCodes};
pub use folder::{Folder, accept_shared};
pub use host_keys::{COMPAT, HOSTS, HostKeys, remembered, target};
pub use id_prefix::IdPrefix;
pub use import_log::{ImportLine, ImportedFile, ImportedSource, LOG_FILE};
pub use import_settings::{ColumnMap, Export, Field, ImportSettings, NO_COLUMN, SETTINGS_FILE};
pub use load::{
    Content, ImportContext, LoadOptions, folders, load, load_for_import, platforms, read_overrides,
    read_site, verified_sources, watched,
};
pub use overrides::{
    KeyChange, ListedIds, MentionLists, OVERRIDES_FILE, Override, edit as edit_overrides,
    unknown_mention,
};
pub use own_pages::{Menu, OwnPage};
pub use photo::{Dots, Photo, Version};
pub use picture::Picture;
pub use places::{KnownPlace, PLACES_FILE, places_file};
pub use record::{
    Author, DatePrecision, LanguageTag, Origin, Record, ReplyMissing, SourceName, Translation,
    WebUrl, Words, is_distinctive,
};
pub use reviews::{FIRST_YEAR, Rejected, latest_day, review_files};
pub use site::{Authors, FORMAT, Site};
pub use static_files::{FOLDER as STATIC_FOLDER, StaticFile};
pub use syntax::{is_language_tag, is_placeholder, origin, web_url};
pub use time_zone::of_this_machine as time_zone_of_this_machine;
pub use tombstones::{TOMBSTONES_FILE, Tombstone, TombstoneReason};
pub use transparency::{
    CHECKPOINT_FILE, EARLIER_FILE, ENTRIES_FILE, LogSettings, RESTORE_LOG, SALTS_FILE, SaltLine,
    TRANSPARENCY_FOLDER, TRANSPARENCY_SETTINGS, TransparencyLog, entry_place, has_log,
    lines as entry_lines, read as read_log, settings_text as log_settings_text,
};
pub use values::{PERSONAL_HELP, business_types, is_personal};
pub use verification::method_help;
