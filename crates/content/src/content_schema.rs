//! JSON Schemas of the hand-written files of `content/`, for editors: they complete keys and mark what
//! `candor check` would refuse. The readers of `content` decide; a test compares the two.

#![expect(dead_code, reason = "the types describe files and are never made")]

mod entities;

use std::collections::BTreeMap;

use schemars::{JsonSchema, Schema, generate::SchemaSettings, transform::RecursiveTransform};
use serde_json::{Value, json};

use crate::{
    actions::ActionKind,
    host_keys::{COMPAT, HOSTS},
    theme,
    values::business_types,
};
use contract::model::DIRECT;

const PAGES: [&str; 2] = ["/", "/reviews/"];
const DAYS: [&str; 7] =
    ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"];

/// `site.toml`: the site as a whole
#[derive(JsonSchema)]
#[schemars(deny_unknown_fields)]
struct SiteFile {
    /// Format of the content folder: 1
    format: Option<u8>,
    /// Address of the site. Everything links to it
    #[schemars(extend("format" = "uri"))]
    base_url: String,
    /// Addresses the site had before
    previous_base_urls: Option<Vec<String>>,
    /// Title of the site and its feeds; default: the name of the business
    title: Option<String>,
    /// BCP 47 tag of the site's own words; default: en
    language: Option<String>,
    /// tag: URI that begins the id of every feed entry (RFC 4151). Set once, never changed
    #[schemars(extend("pattern" = "^tag:"))]
    id_base: Option<String>,
    /// Folder of defaults for several sites, as seen from this folder, such as ../../../defaults
    shared: Option<String>,
    /// The business is invented, and every page says so
    sample: Option<bool>,
    /// What a visitor can do at once, on every page; default: the phone and e-mail of the business
    action: Option<Vec<ActionTable>>,
    /// Where the pages are
    site: Option<SiteTable>,
    /// How the pages look
    theme: Option<ThemeTable>,
    /// What things are called here
    labels: Option<LabelsTable>,
    /// How much of authors is published
    privacy: Option<PrivacyTable>,
    /// The server for search, since, MCP and the hub
    sidecar: Option<SidecarTable>,
    /// Header fields that protect readers
    security: Option<SecurityTable>,
    /// Who serves the site: every build writes what that host needs
    #[schemars(extend("enum" = HOSTS))]
    host: Option<String>,
    /// Where the host reaches the sidecar
    #[schemars(extend("format" = "uri"))]
    host_sidecar: Option<String>,
    /// Older version of the host to write for
    #[schemars(extend("enum" = COMPAT))]
    host_compat: Option<String>,
    /// Folder of the host's configuration; default: hosts/NAME
    host_out: Option<String>,
}

#[derive(JsonSchema)]
#[schemars(deny_unknown_fields)]
struct ActionTable {
    /// What it is; call: tel:, book: https://, mail: mailto:
    #[schemars(extend("enum" = ActionKind::ALL.map(|(name, _)| name)))]
    kind: String,
    /// Words on the button; default: the site's words for the kind
    label: Option<String>,
    /// Where it leads
    #[schemars(extend("format" = "uri"))]
    url: String,
}

#[derive(JsonSchema)]
#[schemars(deny_unknown_fields)]
struct SiteTable {
    /// "/": the pages are the whole site; "/reviews/": below an existing site; false: no pages
    #[schemars(with = "String", extend("type" = ["string", "boolean"], "enum" = json!([PAGES[0], PAGES[1], true, false])))]
    pages: Option<String>,
    /// A page for each review; default: true
    review_pages: Option<bool>,
    /// Whether search engines may list those; default: false
    index_reviews: Option<bool>,
    /// Whether JSON-LD has the average and reviews; default: only while no review was collected on
    /// another platform
    review_markup: Option<bool>,
}

#[derive(JsonSchema)]
#[schemars(deny_unknown_fields)]
struct ThemeTable {
    /// Colour of links and buttons
    #[schemars(extend("pattern" = "^#[0-9A-Fa-f]{6}$"))]
    accent: Option<String>,
    /// A picture in this folder: svg, png, webp or jpg, below 100 KiB
    logo: Option<String>,
}

#[derive(JsonSchema)]
#[schemars(deny_unknown_fields)]
struct LabelsTable {
    technician: Option<String>,
    technicians: Option<String>,
    service: Option<String>,
    services: Option<String>,
    service_area: Option<String>,
    service_areas: Option<String>,
}

#[derive(JsonSchema)]
#[schemars(deny_unknown_fields)]
struct PrivacyTable {
    /// full: names as on the platform; short: "Maria L."; anonymous: no names
    #[schemars(extend("enum" = ["full", "short", "anonymous"]))]
    authors: Option<String>,
}

#[derive(JsonSchema)]
#[schemars(deny_unknown_fields)]
struct SecurityTable {
    /// How many days browsers ask for the site by https alone; default: they are not told
    #[schemars(range(min = 1, max = 3650))]
    hsts_days: Option<u16>,
    /// What pages may load, in place of Candor's own Content-Security-Policy
    content_security_policy: Option<String>,
}

#[derive(JsonSchema)]
#[schemars(deny_unknown_fields)]
struct SidecarTable {
    /// Whether published files mention the sidecar; default: true
    enabled: Option<bool>,
    /// Its own address, where that is not the site's
    #[schemars(extend("format" = "uri"))]
    url: Option<String>,
}

/// `business.toml`: who the reviews are about
#[derive(JsonSchema)]
#[schemars(deny_unknown_fields)]
struct BusinessFile {
    /// The name customers know
    name: String,
    /// The registered name
    legal_name: Option<String>,
    /// A sentence or two
    description: Option<String>,
    /// A type of business of schema.org
    #[schemars(extend("enum" = business_types().collect::<Vec<_>>()))]
    category: Option<String>,
    /// The business's own site
    #[schemars(extend("format" = "uri"))]
    url: Option<String>,
    /// Telephone number, in digits
    phone: Option<String>,
    /// Public contact address
    #[schemars(extend("format" = "email"))]
    email: Option<String>,
    /// Profiles elsewhere
    same_as: Option<Vec<String>>,
    /// IANA name; review dates are days there; default: UTC
    time_zone: Option<String>,
    /// Where it is
    address: Option<AddressTable>,
    /// Where it is on a map
    geo: Option<GeoTable>,
    /// When it is open
    hours: Option<Vec<HoursTable>>,
    /// How the reviews of each source are verified
    verification: Option<VerificationTable>,
    /// What platforms say of themselves
    source: Option<Vec<SourceTable>>,
    /// What the data may be used for
    data_terms: Option<DataTermsTable>,
}

#[derive(JsonSchema)]
#[schemars(deny_unknown_fields)]
struct AddressTable {
    /// Street and number
    street: Option<String>,
    /// Town
    city: Option<String>,
    /// State or province
    region: Option<String>,
    /// ZIP or postal code
    postal_code: Option<String>,
    /// ISO 3166 code: two capital letters
    #[schemars(extend("pattern" = "^[A-Z]{2}$"))]
    country: Option<String>,
}

#[derive(JsonSchema)]
#[schemars(deny_unknown_fields)]
struct GeoTable {
    /// Degrees north
    #[schemars(range(min = -90, max = 90))]
    latitude: f64,
    /// Degrees east
    #[schemars(range(min = -180, max = 180))]
    longitude: f64,
}

#[derive(JsonSchema)]
#[schemars(deny_unknown_fields)]
struct HoursTable {
    /// English names of days
    #[schemars(extend("items" = json!({ "type": "string", "enum": DAYS })))]
    days: Option<Vec<String>>,
    /// Time of day such as 08:30
    #[schemars(extend("pattern" = "^[0-2][0-9]:[0-5][0-9]$"))]
    opens: String,
    /// Time of day such as 17:00
    #[schemars(extend("pattern" = "^[0-2][0-9]:[0-5][0-9]$"))]
    closes: String,
}

#[derive(JsonSchema)]
struct VerificationTable {
    /// Platforms such as google, whose reviews you do not check
    #[schemars(extend("items" = listed_source()))]
    platforms: Option<Vec<String>>,
    /// Sources that one method covers
    #[schemars(extend("items" = listed_source()))]
    sources: Option<Vec<String>>,
    /// That method in a few words
    method: Option<String>,
    /// That method in a sentence or two
    description: Option<String>,
    /// A page that describes it
    #[schemars(extend("format" = "uri"))]
    url: Option<String>,
    /// The method for the source of that name, such as direct
    #[schemars(flatten)]
    of_source: BTreeMap<String, MethodTable>,
}

#[derive(JsonSchema)]
#[schemars(deny_unknown_fields)]
struct MethodTable {
    /// The method in a few words
    method: String,
    /// The method in a sentence or two
    description: Option<String>,
    /// A page that describes it
    #[schemars(extend("format" = "uri"))]
    url: Option<String>,
}

/// A source in a list: direct reviews need a method of their own.
fn listed_source() -> Value {
    json!({ "type": "string", "not": { "const": DIRECT } })
}

#[derive(JsonSchema)]
#[schemars(deny_unknown_fields)]
struct SourceTable {
    /// The platform, such as google
    id: String,
    /// The business there
    #[schemars(extend("format" = "uri"))]
    profile_url: Option<String>,
    /// Where a customer writes a review; default: profile_url
    #[schemars(extend("format" = "uri"))]
    review_url: Option<String>,
    /// How many reviews the platform says it has
    claimed_total: Option<u64>,
    /// Whether all of them are here
    complete: Option<bool>,
}

#[derive(JsonSchema)]
#[schemars(deny_unknown_fields)]
struct DataTermsTable {
    /// The terms in a sentence
    text: String,
    /// The terms in full
    #[schemars(extend("format" = "uri"))]
    url: Option<String>,
}

/// Every file by its name without `.toml`, with its schema.
#[must_use]
pub fn all() -> BTreeMap<&'static str, Value> {
    let mut all = entities::all();
    all.insert("site", schema_of::<SiteFile>());
    all.insert("business", schema_of::<BusinessFile>());
    all.insert("strings", schema_of_strings());
    for (name, schema) in &mut all {
        schema["title"] = format!("{name}.toml").into();
    }
    all
}

/// The files of `content/.schema/`: names and texts.
#[must_use]
pub fn files() -> Vec<(String, String)> {
    let text = |(name, schema)| (format!("{name}.json"), format!("{schema:#}\n"));
    all().into_iter().map(text).collect()
}

/// `strings.toml`: any of the shipped phrases, with the English one as description.
fn schema_of_strings() -> Value {
    let phrase = |(key, phrase): (String, theme::Phrase)| {
        let by_number = json!({ "type": "object", "additionalProperties": { "type": "string" } });
        let schema = json!({
            "description": phrase.to_string(), "anyOf": [{ "type": "string" }, by_number],
        });
        (key, schema)
    };
    let properties: serde_json::Map<String, Value> =
        theme::shipped_keys().into_iter().map(phrase).collect();
    json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema", "type": "object", "properties": properties, "additionalProperties": false,
    })
}

fn schema_of<T: JsonSchema>() -> Value {
    let settings =
        SchemaSettings::draft2020_12().with(|settings| settings.inline_subschemas = true);
    let settings = settings.with_transform(RecursiveTransform(without_null));
    settings.into_generator().into_root_schema_for::<T>().to_value()
}

/// TOML has no null: what may be absent is just not required.
fn without_null(schema: &mut Schema) {
    let is_null = |value: &Value| *value == "null" || value["type"] == "null";
    if let Some(Value::Array(types)) = schema.get_mut("type") {
        types.retain(|value| !is_null(value));
        if let [only] = &types[..] {
            let only = only.clone();
            schema.insert("type".to_owned(), only);
        }
    }
    if let Some(Value::Array(any)) = schema.get_mut("anyOf") {
        any.retain(|value| !is_null(value));
        if let [Value::Object(only)] = &mut any[..] {
            let only = std::mem::take(only);
            schema.remove("anyOf");
            for (key, value) in only {
                schema.ensure_object().entry(key).or_insert(value);
            }
        }
    }
    if let Some(Value::Array(words)) = schema.get_mut("enum") {
        words.retain(|word| !word.is_null());
    }
}
