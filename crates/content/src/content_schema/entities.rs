//! Schemas of the files about what reviews mention, of corrections and of imports.

use std::collections::BTreeMap;

use contract::model::{Day, DisclosureKind, WithheldReason};
use schemars::JsonSchema;
use serde_json::Value;

use super::schema_of;

macro_rules! lists {
    ($($(#[$doc:meta])* $name:ident { $key:ident: $table:ty })+) => {
        $(
            $(#[$doc])*
            #[derive(JsonSchema)]
            #[schemars(deny_unknown_fields)]
            struct $name {
                $key: Option<Vec<$table>>,
            }
        )+
    };
}

lists! {
    /// `technicians.toml`: who does the work
    TechniciansFile { technician: Technician }
    /// `services.toml`: what the business does
    ServicesFile { service: Service }
    /// `service_areas.toml`: where it works
    ServiceAreasFile { service_area: ServiceArea }
    /// `problems.toml`: problems that reviews mention
    ProblemsFile { problem: Labelled }
    /// `topics.toml`: further things that reviews mention
    TopicsFile { topic: Labelled }
    /// `faq.toml`: questions customers ask
    FaqFile { faq: Faq }
}

#[derive(JsonSchema)]
#[schemars(deny_unknown_fields)]
struct Technician {
    /// Small letters, digits and hyphens
    id: String,
    /// The name reviews are searched for
    name: String,
    /// Other names
    aliases: Option<Vec<String>>,
    /// A picture in the content folder
    photo: Option<String>,
    /// First day
    active_from: Option<Day>,
    /// Last day
    active_until: Option<Day>,
    /// false: never published
    public: Option<bool>,
    /// Whether there is a page and figures such as the share of praise; default: until the last day
    score: Option<bool>,
    /// Whether misspellings match; default: false
    fuzzy: Option<bool>,
}

#[derive(JsonSchema)]
#[schemars(deny_unknown_fields)]
struct Service {
    /// Small letters, digits and hyphens
    id: String,
    /// What it is called
    label: String,
    /// Other words for it
    aliases: Option<Vec<String>>,
    /// What its page says of it: Markdown
    text: Option<String>,
}

#[derive(JsonSchema)]
#[schemars(deny_unknown_fields)]
struct Labelled {
    /// Small letters, digits and hyphens
    id: String,
    /// What it is called
    label: String,
    /// Other words for it
    aliases: Option<Vec<String>>,
}

#[derive(JsonSchema)]
#[schemars(deny_unknown_fields)]
struct ServiceArea {
    /// Small letters, digits and hyphens
    id: String,
    /// What it is called
    name: String,
    /// Other names
    aliases: Option<Vec<String>>,
    /// Postal codes
    zip: Option<Vec<String>>,
    /// What its page says of it: Markdown
    text: Option<String>,
}

#[derive(JsonSchema)]
#[schemars(deny_unknown_fields)]
struct Faq {
    /// Small letters, digits and hyphens
    id: String,
    /// The question
    question: String,
    /// The answer: Markdown with computed values
    answer: String,
    /// A condition on computed values
    when: Option<String>,
    /// Place among the questions
    order: Option<i64>,
    /// Ids of reviews that support the answer
    review_ids: Option<Vec<String>>,
}

/// `aspects.toml`: what customers judge
#[derive(JsonSchema)]
#[schemars(deny_unknown_fields)]
struct AspectsFile {
    /// false: without the built-in aspects
    builtin: Option<bool>,
    aspect: Option<Vec<Aspect>>,
}

#[derive(JsonSchema)]
#[schemars(deny_unknown_fields)]
struct Aspect {
    /// Small letters, digits and hyphens
    id: String,
    /// What it is called
    label: String,
    /// A sentence on what counts
    definition: Option<String>,
    /// Words that mention it
    keywords: Option<Vec<String>>,
    /// Phrases that do not
    exclude: Option<Vec<String>>,
    /// Phrases with an opinion
    patterns: Option<Vec<Pattern>>,
}

#[derive(JsonSchema)]
#[schemars(deny_unknown_fields)]
struct Pattern {
    /// The words, with * for one word
    #[schemars(rename = "match")]
    words: String,
    /// The opinion
    #[schemars(extend("enum" = ["positive", "neutral", "negative"]))]
    polarity: String,
}

/// `overrides.toml`: corrections by hand, one table per review id
#[derive(JsonSchema)]
struct OverridesFile {
    #[schemars(flatten)]
    reviews: BTreeMap<String, Correction>,
}

#[derive(JsonSchema)]
#[schemars(deny_unknown_fields)]
struct Correction {
    /// The day, or the instant, of the correction
    date: String,
    /// Why the review is withheld
    hidden: Option<WithheldReason>,
    /// Display name
    author: Option<String>,
    /// Whether the method of verification covers it
    verified: Option<bool>,
    /// What must be disclosed
    disclosure: Option<DisclosureTable>,
    /// The review on its platform
    #[schemars(extend("format" = "uri"))]
    source_url: Option<String>,
    /// BCP 47 tag of the text
    language: Option<String>,
    /// The reply in place of the stored one; false: no reply is published
    owner_reply: Option<ReplyOrNone>,
    /// In place of what the text seems to name
    mentions: Option<MentionsTable>,
    /// Never published
    note: Option<String>,
}

#[derive(JsonSchema)]
#[schemars(untagged)]
#[expect(dead_code, reason = "only its schema is used")]
enum ReplyOrNone {
    Reply(ReplyTable),
    None(#[schemars(extend("const" = false))] bool),
}

#[derive(JsonSchema)]
#[schemars(deny_unknown_fields)]
struct ReplyTable {
    /// The reply in the words of the business
    text: String,
    /// The day of the reply
    date: Option<Day>,
}

#[derive(JsonSchema)]
#[schemars(deny_unknown_fields)]
struct DisclosureTable {
    /// What connects author and business
    kind: DisclosureKind,
    /// In words
    note: Option<String>,
}

#[derive(JsonSchema)]
#[schemars(deny_unknown_fields)]
struct MentionsTable {
    technicians: Option<Vec<String>>,
    services: Option<Vec<String>>,
    service_areas: Option<Vec<String>>,
}

/// `import.toml`: how imports behave
#[derive(JsonSchema)]
#[schemars(deny_unknown_fields)]
struct ImportFile {
    import: Option<ImportTable>,
    /// The columns of unknown exports
    map: Option<Vec<MapTable>>,
    /// What candor import imports when it is told nothing
    export: Option<Vec<ExportTable>>,
}

#[derive(JsonSchema)]
#[schemars(deny_unknown_fields)]
struct ExportTable {
    /// A path as seen from this folder, an https address, or google
    input: String,
    /// The name of a `[[map]]`
    map: Option<String>,
    /// The platform the reviews come from, where the export does not say
    source: Option<String>,
    /// Whether stored reviews are removed that this complete export does not have
    prune: Option<bool>,
    /// Variable with a header to send to the address
    header_env: Option<String>,
}

#[derive(JsonSchema)]
#[schemars(deny_unknown_fields)]
struct PlacesFile {
    /// The business as each source names it
    place: Option<Vec<PlaceTable>>,
}

#[derive(JsonSchema)]
#[schemars(deny_unknown_fields)]
struct PlaceTable {
    /// The platform
    source: String,
    /// Ids of the business there
    ids: Option<Vec<String>>,
    /// Names of the business there
    names: Option<Vec<String>>,
}

#[derive(JsonSchema)]
#[schemars(deny_unknown_fields)]
struct ImportTable {
    /// Whether addresses of authors' pictures are stored; default: false
    avatars: Option<bool>,
    /// Days after which a review that imports lack is removed; default: never
    drop_missing_after: Option<u16>,
    /// The business whose reviews are taken: id or name
    location: Option<String>,
    /// The sources whose reviews are taken, where a column names several
    only_sources: Option<Vec<String>>,
}

#[derive(JsonSchema)]
#[schemars(deny_unknown_fields)]
struct MapTable {
    /// What --map calls it
    name: String,
    /// The platform the reviews come from
    source: Option<String>,
    /// How dates are written, such as DD/MM/YYYY
    date_format: Option<String>,
    /// Whether texts hold HTML entities
    html_entities: Option<bool>,
    /// The best rating of the column; default: 5
    best: Option<u32>,
    /// The column of each field
    columns: ColumnsTable,
}

#[derive(JsonSchema)]
#[schemars(deny_unknown_fields)]
struct ColumnsTable {
    author: Option<String>,
    author_id: Option<String>,
    avatar: Option<String>,
    rating: Option<String>,
    date: Option<String>,
    updated: Option<String>,
    title: Option<String>,
    text: Option<String>,
    original_text: Option<String>,
    language: Option<String>,
    id: Option<String>,
    url: Option<String>,
    reply: Option<String>,
    reply_date: Option<String>,
    location: Option<String>,
    location_name: Option<String>,
    source: Option<String>,
    status: Option<String>,
    answer_to: Option<String>,
    kind: Option<String>,
    purchase: Option<String>,
    date_precision: Option<String>,
    disclosure: Option<String>,
}

/// The files of this module by their names without `.toml`.
pub(super) fn all() -> BTreeMap<&'static str, Value> {
    BTreeMap::from([
        ("technicians", schema_of::<TechniciansFile>()),
        ("services", schema_of::<ServicesFile>()),
        ("service_areas", schema_of::<ServiceAreasFile>()),
        ("problems", schema_of::<ProblemsFile>()),
        ("topics", schema_of::<TopicsFile>()),
        ("faq", schema_of::<FaqFile>()),
        ("aspects", schema_of::<AspectsFile>()),
        ("overrides", schema_of::<OverridesFile>()),
        ("import", schema_of::<ImportFile>()),
        ("places", schema_of::<PlacesFile>()),
    ])
}
