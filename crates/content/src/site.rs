//! Reads `site.toml`.

use std::str::FromStr;

use jiff::Timestamp;

use super::{
    actions::{self, Action},
    appearance::{self, Appearance},
    folder::{Folder, SHARED},
    host_keys::{self, HostKeys},
    syntax::{is_language_tag, web_url},
    text_file,
    toml_reader::{TomlFile, TomlTable},
};
use contract::{
    manifest::MAX_ADDRESSES,
    model::{Day, ReviewId},
    problem::{Place, Report},
    routes,
    security::Security,
};

/// The content format this program reads; `site.toml` says which one it is written in.
pub const FORMAT: i64 = 1;

/// `site.toml`: the published site as a whole.
#[derive(Clone, Debug)]
pub struct Site {
    /// The origin everything is served from, without a trailing slash.
    pub base_url: String,
    /// Origins the site had before: their subscribers and links stay valid.
    pub previous_base_urls: Vec<String>,
    /// Title of the site and its feeds; the business's name where it is absent.
    pub title: Option<String>,
    /// BCP 47 tag of the site's own words.
    pub language: String,
    /// Start of every feed entry's `tag:` URI (RFC 4151), set once.
    pub id_base: String,
    /// The day in `id_base`: the date of a site without reviews.
    pub id_base_date: Timestamp,
    /// The business is invented; pages say so.
    pub sample: bool,
    /// How much of an author's name is published.
    pub authors: Authors,
    /// Whether anything published mentions search, since, MCP and the hub.
    pub sidecar: bool,
    /// The sidecar's own address, where it has one.
    pub sidecar_url: Option<String>,
    /// Who serves it; `None`: a build writes documents alone.
    pub host: Option<HostKeys>,
    /// Header fields that protect readers.
    pub security: Security,
    /// How visitors reach the business, in the order of the file.
    pub actions: Vec<Action>,
    /// How the pages look and where they are.
    pub appearance: Appearance,
}

impl Site {
    /// The published address of a review.
    #[must_use]
    pub fn review_url(&self, id: ReviewId) -> String {
        if self.appearance.review_pages.enabled {
            format!("{}/{}", self.base_url, routes::review(id))
        } else {
            format!("{}/reviews/#{id}", self.base_url)
        }
    }

    /// Where the business is introduced: the first page, or the address of a site without pages.
    #[must_use]
    pub fn home_url(&self) -> String {
        format!("{}/{}", self.base_url, self.appearance.pages.prefix())
    }
}

/// `[privacy] authors`: applied before anything is written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Authors {
    /// As on the platform.
    #[default]
    Full,
    /// First name and initial, no picture.
    Short,
    /// No name, no picture, no link to the review on its platform.
    Anonymous,
}

impl FromStr for Authors {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text {
            "full" => Ok(Self::Full),
            "short" => Ok(Self::Short),
            "anonymous" => Ok(Self::Anonymous),
            _ => Err(format!("must be one of full, short, anonymous, found {text:?}")),
        }
    }
}

pub(super) fn read(folder: &Folder, base_url: Option<&str>, report: &Report) -> Option<Site> {
    let path = folder.own().shown("site.toml".as_ref());
    let Some(file) = folder.toml("site.toml", report) else {
        if !folder.own().has(&path) {
            let place = Place::file(path.display().to_string());
            let help = "add it with format = 1 and base_url = \"https://…\", or make a site with: candor init DIR";
            report.error("missing-file", place, "a site needs this file", help);
        }
        return None;
    };
    let read = |table: &TomlTable<'_>| {
        if check_format(table) { read_site(table, base_url, folder) } else { None }
    };
    file.read(read).flatten()
}

fn check_format(table: &TomlTable<'_>) -> bool {
    let format = table.integer("format");
    if let Some(newer) = format.filter(|format| *format > FORMAT) {
        let message = format!(
            "this content is written in format {newer}, this program reads format {FORMAT}"
        );
        table.error("format", "newer-format", message, "update candor");
        // The other keys may mean anything: what is said of them would mislead.
        table.ignore_rest();
        return false;
    }
    if format.is_none() {
        table.warning(
            "format",
            "missing-format",
            "the content does not say its format",
            "add format = 1 at the top",
        );
    }
    true
}

fn read_site(table: &TomlTable<'_>, base_url: Option<&str>, folder: &Folder) -> Option<Site> {
    check_shared(table, folder);
    let written = match base_url {
        Some(given) => {
            table.string("base_url");
            Some(given.to_owned())
        }
        None => table.required("base_url"),
    };
    let base_url = written.and_then(|text| {
        let refuse = |reason| {
            let help = "write the site's address, such as https://reviews.example.com";
            table.error("base_url", "invalid-base-url", format!("base_url: {reason}"), help);
        };
        origin(&text).map_err(refuse).ok()
    });
    let previous_base_urls = read_previous(table);
    let title = table.string("title");
    let language = table.string("language").unwrap_or_else(|| "en".to_owned());
    if !is_language_tag(&language) {
        let message = format!("language: {language:?} is not a BCP 47 language tag");
        table.error("language", "invalid-language", message, "write a tag such as en, de or pt-BR");
    }
    let sample = table.boolean("sample").unwrap_or(false);
    warn_of_placeholder(table, base_url.as_deref());
    let authors = table.table("privacy", |privacy| privacy.parsed("authors")).flatten();
    let (enabled, sidecar_url) = table
        .table("sidecar", |sidecar| {
            (sidecar.boolean("enabled").unwrap_or(true), sidecar.url("url"))
        })
        .unwrap_or((true, None));
    let id_base = read_id_base(table, base_url.as_deref());
    let host = host_keys::read(table);
    let security = table.table("security", read_security).unwrap_or_default();
    let actions = table.tables("action", actions::read);
    let appearance = appearance::settings(folder, table);
    let base_url = base_url?;
    let (id_base, id_base_date) = id_base?;
    Some(Site {
        base_url,
        previous_base_urls,
        title,
        language,
        id_base,
        id_base_date,
        sample,
        authors: authors.unwrap_or_default(),
        sidecar: enabled,
        sidecar_url,
        host,
        security,
        actions,
        appearance,
    })
}

/// The keys that no two sites have alike.
const SITES_OWN: [&str; 4] = ["base_url", "previous_base_urls", "id_base", SHARED];

/// Reads which folder the site shares with others, and nothing else.
pub(super) fn read_shared(folder: &Folder, report: &Report) {
    if let Some(file) = TomlFile::open(folder.own(), "site.toml", report) {
        file.read(|table| {
            check_shared(table, folder);
            table.ignore_rest();
        });
    }
}

fn check_shared(table: &TomlTable<'_>, folder: &Folder) {
    let Some(name) = table.string(SHARED) else { return };
    let fault = match folder.shared() {
        Ok(None) => return,
        Err(fault) => fault,
        Ok(Some(shared)) => {
            let path = shared.shown("site.toml".as_ref());
            let settings = text_file::read(shared, "site.toml", &Report::default());
            let settings = settings.and_then(|text| toml::from_str::<toml::Table>(&text).ok());
            let settings = settings.unwrap_or_default();
            for key in SITES_OWN.into_iter().filter(|key| settings.contains_key(*key)) {
                let message = format!("{SHARED}: {key} is in {}", path.display());
                let help = "write it into each site's own file";
                table.error(SHARED, "not-to-be-shared", message, help);
            }
            return;
        }
    };
    let path = folder.own().path().join(&name);
    let (reason, help) = fault.say(&path);
    table.error(SHARED, "no-shared-folder", format!("{SHARED}: {reason}"), help);
}

/// Days that browsers may be told to keep to https: ten years.
const MAX_HSTS_DAYS: i64 = 3_650;

fn read_security(table: &TomlTable<'_>) -> Security {
    let days = table.integer("hsts_days");
    let hsts_days = days.filter(|days| (1..=MAX_HSTS_DAYS).contains(days));
    if let (Some(days), None) = (days, hsts_days) {
        let message = format!(
            "{}: must be from 1 to {MAX_HSTS_DAYS} days, found {days}",
            table.full("hsts_days")
        );
        table.error("hsts_days", "invalid-value", message, "correct the value");
    }
    let policy = table.string("content_security_policy");
    if policy.as_ref().is_some_and(|policy| policy.chars().any(char::is_control)) {
        let message = format!("{}: must be one line", table.full("content_security_policy"));
        table.error("content_security_policy", "invalid-value", message, "write it on one line");
    }
    Security {
        content_security_policy: policy,
        hsts_days: hsts_days.and_then(|days| u32::try_from(days).ok()),
    }
}

/// The addresses that `candor init` writes where none is given, and that the documentation uses.
const PLACEHOLDERS: [&str; 2] = ["https://reviews.example.com", "https://reviews.your-domain.com"];

/// Every link, feed and id of a site depends on its address.
fn warn_of_placeholder(table: &TomlTable<'_>, base_url: Option<&str>) {
    if let Some(url) = base_url.filter(|url| PLACEHOLDERS.contains(url)) {
        let message = format!("base_url: {url} is an example");
        let help = "write the address the site will have, and the same host into id_base";
        table.warning("base_url", "placeholder", message, help);
    }
}

fn read_previous(table: &TomlTable<'_>) -> Vec<String> {
    let previous = table.items("previous_base_urls").unwrap_or_default();
    if previous.len() > MAX_ADDRESSES {
        let message = format!(
            "previous_base_urls: {} addresses; at most {MAX_ADDRESSES} are allowed",
            previous.len()
        );
        table.error("previous_base_urls", "invalid-base-url", message, "remove the oldest");
    }
    let read = |(text, span): (String, std::ops::Range<usize>)| {
        let refuse = |reason| {
            let message = format!("previous_base_urls: {reason}");
            table.error_at(span, "invalid-base-url", message, "correct or remove it");
        };
        origin(&text).map_err(refuse).ok()
    };
    previous.into_iter().filter_map(read).collect()
}

/// What to write into `id_base`.
const TAG: &str = "write id_base = \"tag:your.domain,2026-01-01:reviews\" (RFC 4151)";

/// `tag:authority,date:specific`, with a year, a month or a day for the date.
fn read_id_base(table: &TomlTable<'_>, base_url: Option<&str>) -> Option<(String, Timestamp)> {
    let Some(text) = table.string("id_base") else {
        let host =
            base_url.and_then(|url| url::Url::parse(url).ok()?.host_str().map(str::to_owned))?;
        let id_base = format!("tag:{host},2026-01-01:reviews");
        let Some(date) = tag_date(&id_base) else {
            let message = format!(
                "without id_base the ids of feed entries need a domain, and {host:?} of base_url is none"
            );
            table.error("id_base", "invalid-id-base", message, TAG);
            return None;
        };
        let message = "without id_base the ids of feed entries depend on base_url, and a new address would make every entry appear as new";
        table.warning(
            "id_base",
            "missing-id-base",
            message,
            format!("add id_base = \"{id_base}\" and never change it"),
        );
        return Some((id_base, date));
    };
    let date = tag_date(&text);
    if date.is_none() {
        let message = format!("id_base: {text:?} is not a tag URI");
        table.error("id_base", "invalid-id-base", message, TAG);
    }
    Some((text, date?))
}

fn tag_date(text: &str) -> Option<Timestamp> {
    let (entity, specific) = text.strip_prefix("tag:")?.split_once(':')?;
    let (authority, date) = entity.split_once(',')?;
    let authority_ok = !authority.is_empty()
        && authority.bytes().all(|b| b.is_ascii_alphanumeric() || b"-.@_".contains(&b));
    let specific_ok =
        specific.bytes().all(|b| b.is_ascii_alphanumeric() || b"-._~!$&'()*+,;=:@/?%".contains(&b));
    let day = match date.len() {
        4 => format!("{date}-01-01"),
        7 => format!("{date}-01"),
        _ => date.to_owned(),
    };
    let day: Day = day.parse().ok()?;
    (authority_ok && specific_ok).then(|| day.midnight_utc())
}

/// The address of a site without its trailing slash.
pub fn origin(text: &str) -> Result<String, String> {
    web_url(text)?;
    let url = url::Url::parse(text).map_err(|error| error.to_string())?;
    if url.query().is_some() || url.fragment().is_some() || !url.username().is_empty() {
        return Err(format!("{text:?} has more than a scheme, a host and a path"));
    }
    Ok(url.as_str().trim_end_matches('/').to_owned())
}
