//! `business.toml`: the business that the reviews are about.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;
use toml::{Spanned, de::DeTable};

use super::{
    folder::Folder,
    policy::PolicyTable,
    toml_reader::{At, COUNTRY, SLUG, TIME, TomlFile},
    values::business_types,
    verification::{self, VerificationTable},
};
use contract::{
    model::{Address, Business, DataTerms, END_OF_DAY, Geo, Hours, Source},
    problem::{Place, Report, did_you_mean},
};

const DAYS: [&str; 7] =
    ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"];

pub(super) const FILE: &str = "business.toml";

/// The time zone of a business that names none.
const DEFAULT_TIME_ZONE: &str = "UTC";

/// The names that `candor init` writes if none is given, and that the documentation uses.
const PLACEHOLDERS: [&str; 2] = ["My business", "Your business"];

/// Platforms with a name so long that one like it is a misspelling.
const PLATFORMS: [&str; 6] =
    ["facebook", "google", "homeadvisor", "nextdoor", "tripadvisor", "trustpilot"];

/// The message and the help for a latitude without a longitude, or the reverse.
const HALF: [&str; 2] =
    ["{name} is missing", "give both latitude and longitude in degrees, or neither"];

/// `business.toml`: who the reviews are about
#[derive(Deserialize, JsonSchema)]
pub(super) struct BusinessFile {
    /// The name customers know
    name: At<String>,
    /// The registered name
    legal_name: Option<String>,
    /// A sentence or two
    description: Option<String>,
    /// A type of business of schema.org
    #[schemars(extend("enum" = business_types().collect::<Vec<_>>(), "x-rule" = "category"))]
    category: Option<String>,
    /// The business's own site
    #[schemars(extend("format" = "uri"))]
    url: Option<String>,
    /// Telephone number, in digits
    #[schemars(extend("x-rule" = "phone"))]
    phone: Option<String>,
    /// Public contact address
    #[schemars(extend("format" = "email"))]
    email: Option<String>,
    /// Profiles elsewhere
    #[serde(default)]
    #[schemars(extend("items" = json!({ "type": "string", "format": "uri", "x-rule": "uris" })))]
    same_as: Vec<String>,
    /// IANA name; review dates are days there; default: UTC
    #[schemars(extend("x-rule" = "time-zone"))]
    time_zone: Option<String>,
    /// Where it is
    #[schemars(extend("x-properties" = json!({ "country": {
        "description": "ISO 3166 code: two capital letters", "pattern": COUNTRY,
    } })))]
    address: Option<Address>,
    /// Where it is on a map
    #[schemars(extend("x-properties" = json!({
        "latitude": {
            "description": "Degrees north", "minimum": -90, "maximum": 90, "x-missing": HALF,
        },
        "longitude": {
            "description": "Degrees east", "minimum": -180, "maximum": 180, "x-missing": HALF,
        },
    })))]
    geo: Option<Geo>,
    /// When it is open
    #[serde(default)]
    hours: Vec<HoursTable>,
    /// How the reviews of each source are verified
    verification: Option<At<VerificationTable>>,
    /// What platforms say of themselves
    #[serde(default)]
    #[schemars(extend("x-properties" = json!({
        "id": { "pattern": SLUG },
        "profile_url": { "format": "uri" },
        "review_url": { "format": "uri" },
        "claimed_total": { "x-fault": [
            "claimed_total cannot be negative", "write the number the platform shows",
        ] },
        "claimed_average": { "minimum": 1, "maximum": 5 },
    })))]
    source: Vec<Source>,
    /// What the data may be used for
    #[schemars(extend("x-properties" = json!({ "url": { "format": "uri" } })))]
    data_terms: Option<DataTerms>,
    /// What you state about all reviews
    policy: Option<PolicyTable>,
}

#[derive(Deserialize, JsonSchema)]
struct HoursTable {
    /// English names of days
    #[schemars(length(min = 1), extend(
        "items" = json!({ "type": "string", "enum": DAYS, "x-rule": "day-of-week" }),
        "uniqueItems" = true,
        "x-missing" = ["{name} names no day", "add days = [\"Monday\"]"],
    ))]
    days: Vec<String>,
    /// Time of day such as 08:30
    #[schemars(extend("pattern" = TIME))]
    opens: At<String>,
    /// Time of day such as 17:00, also of the next day; 24:00 is the end of the day
    #[schemars(extend("pattern" = TIME))]
    closes: At<String>,
}

/// The content of `business.toml`.
#[derive(Debug, Default)]
pub(super) struct BusinessContent {
    pub(super) business: Option<Business>,
    pub(super) sources: Vec<Source>,
    /// The place of each source's `claimed_total`.
    pub(super) claims: BTreeMap<String, Place>,
    /// The place at which `time_zone` should be, if the file lacks it.
    pub(super) without_time_zone: Option<Place>,
}

/// Reads the business and its sources. `platform` describes how a platform's reviews are verified; `{source}` in it is
/// the platform's name.
pub(super) fn read(folder: &Folder, platform: &str, report: &Report) -> BusinessContent {
    let path = folder.own().shown(FILE.as_ref());
    let place = || Place::file(path.display().to_string());
    if !folder.own().has(&path) {
        let help = "add it with name = \"…\"";
        report.error("missing-file", place(), "a site needs this file", help);
        return BusinessContent::default();
    }
    let file = folder.toml(FILE, report);
    let Some((file, root)) = file.as_ref().and_then(|file| Some((file, file.parse()?))) else {
        return BusinessContent::default();
    };
    let zone = root.get_ref().get("time_zone").map(|zone| zone.get_ref().as_str());
    let has_time_zone = zone.is_some_and(|zone| zone.is_none_or(|zone| !zone.trim().is_empty()));
    let geo_at = root.get_ref().get("geo").map(Spanned::span);
    let stated = verification::stated(root.get_ref());
    let claims = read_sources(file, root.get_ref());
    let Some(of) = file.build::<BusinessFile>(root) else { return BusinessContent::default() };
    warn_of_placeholder(file, &of.name);
    let methods = of.verification.map(|of| verification::read(file, of, &stated, platform));
    check_hours(file, &of.hours);
    if let (Some(span), Some(Geo { latitude: 0.0, longitude: 0.0 })) = (geo_at, &of.geo) {
        let message = "geo: latitude 0 and longitude 0 are in the sea off Africa";
        file.error(span, "invalid-value", message, "correct it, or remove geo");
    }
    let hours = |of: HoursTable| Hours {
        days: of.days,
        opens: of.opens.into_inner(),
        closes: of.closes.into_inner(),
    };
    let business = Business {
        name: of.name.into_inner(),
        legal_name: of.legal_name,
        description: of.description,
        category: of.category,
        url: of.url,
        phone: of.phone,
        email: of.email,
        address: of.address,
        geo: of.geo,
        hours: of.hours.into_iter().map(hours).collect(),
        same_as: of.same_as,
        time_zone: of.time_zone.unwrap_or_else(|| DEFAULT_TIME_ZONE.to_owned()),
        methods: methods.unwrap_or_default(),
        data_terms: of.data_terms,
        policy: of.policy.map(Into::into).unwrap_or_default(),
        ..Business::default()
    };
    let without_time_zone = (!has_time_zone).then(place);
    BusinessContent { business: Some(business), sources: of.source, claims, without_time_zone }
}

/// Warns of sources whose name is almost that of a platform, and returns the places of what the platforms claim.
fn read_sources(file: &TomlFile<'_>, root: &DeTable<'_>) -> BTreeMap<String, Place> {
    let sources = root.get("source").and_then(|sources| sources.get_ref().as_array());
    let mut claims = BTreeMap::new();
    for source in sources.into_iter().flatten().filter_map(|it| it.get_ref().as_table()) {
        let Some((id, at)) =
            source.get("id").and_then(|id| Some((id.get_ref().as_str()?, id.span())))
        else {
            continue;
        };
        // A second place on one platform has a number.
        let near = did_you_mean(id, PLATFORMS).filter(|near| *near != id);
        if let Some(near) = near.filter(|_| !id.contains(|c: char| c.is_ascii_digit())) {
            let help = format!("did you mean \"{near}\"? The name is published");
            file.warning(at, "unknown-value", format!("source: {id:?} is not known"), &help);
        }
        let claimed = source.get("claimed_total");
        claims.extend(claimed.map(|of| (id.to_owned(), file.place(of.span()))));
    }
    claims
}

/// Reports times that say nothing or contradict themselves, and warns of those of one day that overlap.
fn check_hours(file: &TomlFile<'_>, hours: &[HoursTable]) {
    let mut times = Vec::new();
    for of in hours {
        let (opens, closes) = (of.opens.as_str(), of.closes.as_str());
        if opens == closes || opens == END_OF_DAY {
            let message = format!("hours: no time of opening is from {opens} to {closes}");
            let help = "for the whole day write opens = \"00:00\" and closes = \"24:00\"";
            file.error(of.opens.span(), "invalid-value", message, help);
        }
        // Bars close at 04:00 and shops at 02:00; in the morning, long after, the two are mixed up.
        let hour = |time: &str| time.get(..2).and_then(|hour| hour.parse::<u8>().ok());
        if let (Some(from), Some(to)) = (hour(opens), hour(closes))
            && (5..from).contains(&to)
            && to + 24 - from > 14
        {
            let message = format!("hours: from {opens} to {closes} of the next day is very long");
            let help = match to {
                ..12 => format!(
                    "if the afternoon is meant, write closes = \"{:02}{}\"; else exchange the two times",
                    to + 12,
                    &closes[2..]
                ),
                _ => "correct one of the two times".to_owned(),
            };
            file.warning(of.closes.span(), "invalid-value", message, help);
        }
        let ends = if closes > opens { closes } else { END_OF_DAY };
        times.extend(of.days.iter().map(|day| (day, opens, ends, of.opens.span().start)));
    }
    times.sort_unstable();
    for pair in times.windows(2) {
        let [(day, _, ends, _), (same, opens, _, at)] = pair else { continue };
        if day == same && opens < ends {
            let message = format!(
                "hours: two times of {day} overlap: one ends at {ends}, one begins at {opens}"
            );
            let help =
                "write each time of a day once, such as opens = \"09:00\", closes = \"20:00\"";
            file.warning(*at..at + 1, "invalid-value", message, help);
        }
    }
}

/// Whether a name is the one that `candor init` or the documentation has.
#[must_use]
pub fn is_placeholder_name(name: &str) -> bool {
    PLACEHOLDERS.contains(&name)
}

fn warn_of_placeholder(file: &TomlFile<'_>, name: &At<String>) {
    if is_placeholder_name(name) {
        let message = format!("name: {:?} is an example", **name);
        let help = "write the name of the business";
        file.warning(name.span(), "placeholder", message, help);
    }
}
