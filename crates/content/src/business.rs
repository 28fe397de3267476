//! Reads `business.toml`.

use super::{folder::Folder, syntax, toml_reader::TomlTable, values, verification};
use contract::{
    model::{Address, Business, DataTerms, Geo, Hours, Source},
    problem::{Place, Report, unknown_help},
};

const DAYS: [&str; 7] =
    ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"];

const FILE: &str = "business.toml";

/// The time zone of a business that names none.
const DEFAULT_TIME_ZONE: &str = "UTC";

/// The names that `candor init` writes where none is given, and that the documentation uses.
const PLACEHOLDERS: [&str; 2] = ["My business", "Your business"];

/// `business.toml`
#[derive(Debug, Default)]
pub(super) struct BusinessFile {
    pub(super) business: Option<Business>,
    pub(super) sources: Vec<Source>,
    /// Where `time_zone` should be, in a file that lacks it.
    pub(super) without_time_zone: Option<Place>,
}

/// The business and its sources. `platform` says how a platform's reviews are verified; `{source}`
/// in it is the platform's name.
pub(super) fn read(folder: &Folder, platform: &str, report: &Report) -> BusinessFile {
    let path = folder.own().shown(FILE.as_ref());
    let is_there = folder.own().has(&path);
    let file = is_there.then(|| folder.toml(FILE, report));
    let Some(file) = file.flatten() else {
        if !is_there {
            let place = Place::file(path.display().to_string());
            report.error(
                "missing-file",
                place,
                "a site needs this file",
                "add it with name = \"…\"",
            );
        }
        return BusinessFile::default();
    };
    let read = |table: &TomlTable<'_>| BusinessFile {
        business: read_business(table, platform),
        sources: table.tables("source", read_source),
        without_time_zone: (!table.contains("time_zone"))
            .then(|| Place::file(path.display().to_string())),
    };
    file.read(read).unwrap_or_default()
}

fn read_business(table: &TomlTable<'_>, platform: &str) -> Option<Business> {
    let name = table.required("name");
    if let Some(name) = name.as_deref().filter(|name| PLACEHOLDERS.contains(name)) {
        let message = format!("name: {name:?} is an example");
        table.warning("name", "placeholder", message, "write the name of the business");
    }
    let business = Business {
        name: String::new(),
        legal_name: table.string("legal_name"),
        description: table.string("description"),
        category: values::category(table),
        url: table.url("url"),
        phone: values::phone(table),
        email: values::email(table),
        address: table.table("address", read_address),
        geo: table.table("geo", read_geo).flatten(),
        hours: table.tables("hours", read_hours),
        same_as: read_urls(table, "same_as"),
        time_zone: read_time_zone(table),
        methods: table
            .table("verification", |t| verification::read(t, platform))
            .unwrap_or_default(),
        data_terms: table
            .table("data_terms", |t| {
                let (text, url) = (t.required("text"), t.url("url"));
                Some(DataTerms { text: text?, url })
            })
            .flatten(),
        ..Business::default()
    };
    Some(Business { name: name?, ..business })
}

fn read_address(table: &TomlTable<'_>) -> Address {
    let country = table.string("country");
    if let Some(code) =
        country.as_deref().filter(|c| c.len() != 2 || !c.bytes().all(|b| b.is_ascii_uppercase()))
    {
        let message = format!("address.country: {code:?} is not an ISO 3166 code");
        table.error(
            "country",
            "invalid-value",
            message,
            "write two capital letters such as US or DE",
        );
    }
    Address {
        street: table.string("street"),
        city: table.string("city"),
        region: table.string("region"),
        postal_code: table.string("postal_code"),
        country,
    }
}

fn read_geo(table: &TomlTable<'_>) -> Option<Geo> {
    let degrees = |key: &'static str, limit: f64| {
        let value = table.float(key);
        if value.is_none() && !table.contains(key) {
            table.error(
                key,
                "missing-key",
                format!("geo.{key} is missing"),
                "give both latitude and longitude in degrees, or neither",
            );
        }
        let value = value?;
        if !(-limit..=limit).contains(&value) {
            table.error(
                key,
                "invalid-value",
                format!("geo.{key} must be from -{limit} to {limit}, found {value}"),
                "correct the number",
            );
            return None;
        }
        Some(value)
    };
    let (latitude, longitude) = (degrees("latitude", 90.0), degrees("longitude", 180.0));
    Some(Geo { latitude: latitude?, longitude: longitude? })
}

fn read_hours(table: &TomlTable<'_>) -> Option<Hours> {
    let days = table.items("days").unwrap_or_default();
    for (day, span) in days.iter().filter(|(day, _)| !DAYS.contains(&day.as_str())) {
        let message = format!("hours.days: {day:?} is not a day of the week");
        table.error_at(span.clone(), "invalid-value", message, unknown_help(day, DAYS));
    }
    let days = days.into_iter().map(|(day, _)| day).collect();
    let time = |key: &'static str| {
        let text = table.required(key)?;
        let valid = text.len() == 5 && text.parse::<jiff::civil::Time>().is_ok();
        if !valid {
            table.error(
                key,
                "invalid-value",
                format!("hours.{key}: {text:?} is not a time of day"),
                "write it as 08:30",
            );
        }
        valid.then_some(text)
    };
    let (opens, closes) = (time("opens"), time("closes"));
    Some(Hours { days, opens: opens?, closes: closes? })
}

fn read_urls(table: &TomlTable<'_>, key: &'static str) -> Vec<String> {
    let urls = table.items(key).unwrap_or_default();
    for (url, span) in &urls {
        if let Err(reason) = syntax::web_url(url) {
            let help = "write whole addresses such as https://example.com/page";
            table.error_at(span.clone(), "invalid-url", format!("{key}: {reason}"), help);
        }
    }
    urls.into_iter().map(|(url, _)| url).collect()
}

fn read_time_zone(table: &TomlTable<'_>) -> String {
    let Some(name) = table.string("time_zone") else {
        return DEFAULT_TIME_ZONE.to_owned();
    };
    if jiff::tz::TimeZone::get(&name).is_err() {
        let message = format!("time_zone: {name:?} is not an IANA time zone");
        table.error(
            "time_zone",
            "invalid-time-zone",
            message,
            "write a name such as America/Chicago or Europe/Berlin",
        );
    }
    name
}

fn read_source(table: &TomlTable<'_>) -> Option<Source> {
    let id = table.required("id");
    let claimed_total = table.integer("claimed_total");
    if claimed_total.is_some_and(|total| total < 0) {
        table.error(
            "claimed_total",
            "invalid-value",
            "claimed_total cannot be negative",
            "write the number the platform shows",
        );
    }
    let source = Source {
        id: String::new(),
        profile_url: table.url("profile_url"),
        review_url: table.url("review_url"),
        claimed_total: claimed_total.and_then(|total| u64::try_from(total).ok()),
        complete: table.boolean("complete"),
    };
    Some(Source { id: id?, ..source })
}
