//! `site.toml`: the published site as a whole.

use std::{collections::BTreeMap, ops::Range, path::PathBuf};

use jiff::Timestamp;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;
use toml::{
    Spanned,
    de::{DeTable, DeValue},
};
use url::Url;

use super::{
    actions::{self, Action, ActionTable},
    appearance::{self, Appearance, SiteTable, ThemeTable, labels},
    folder::{Folder, SHARED},
    host_keys::{COMPAT, HOSTS, HostKeys},
    static_files::StaticFile,
    syntax::{is_example, is_local, origin},
    text_file,
    toml_reader::{At, TomlFile},
};
use contract::{
    manifest::MAX_ADDRESSES,
    model::{Day, ReviewId},
    problem::{Place, Report},
    routes,
    security::Security,
};

/// The content format that this program reads; `format` of `site.toml` is compared with it.
pub const FORMAT: i64 = 1;

/// `site.toml`: the site as a whole
#[derive(Deserialize, JsonSchema)]
pub(super) struct SiteFile {
    /// Format of the content folder: 1
    #[expect(dead_code, reason = "it is checked before the other keys are read")]
    format: Option<u8>,
    /// Folder of defaults for several sites, as seen from this folder, such as ../../../defaults
    #[expect(dead_code, reason = "the folder is needed to read this file")]
    shared: Option<String>,
    /// Address of the site. Everything links to it
    #[schemars(extend("format" = "uri", "x-rule" = "address"))]
    base_url: At<String>,
    /// Addresses the site had before
    #[serde(default)]
    #[schemars(length(max = MAX_ADDRESSES), extend(
        "items" = json!({ "type": "string", "format": "uri", "x-rule": "addresses" }),
        "x-fault" = [
            format!("{{name}}: {{found}} addresses; at most {MAX_ADDRESSES} are allowed"),
            "remove the oldest".to_owned(),
        ],
    ))]
    previous_base_urls: Vec<String>,
    /// Title of the site and its feeds; default: the name of the business
    title: Option<String>,
    /// BCP 47 tag of the site's own words; default: en
    #[schemars(extend("x-rule" = "language"))]
    language: Option<String>,
    /// The business is invented, and every page says so
    #[serde(default)]
    sample: bool,
    /// How much of authors is published
    privacy: Option<PrivacyTable>,
    /// The server for search, since, MCP and the hub
    sidecar: Option<SidecarTable>,
    /// tag: URI that begins the id of every feed entry (RFC 4151). Set once, never changed
    #[schemars(extend("pattern" = "^tag:"))]
    id_base: Option<At<String>>,
    /// Who serves the site: every build writes what that host needs
    #[schemars(extend("enum" = HOSTS, "x-rule" = "host"))]
    host: Option<String>,
    /// Where the host reaches the sidecar
    #[schemars(extend("format" = "uri"))]
    host_sidecar: Option<At<String>>,
    /// Older version of the host to write for
    #[schemars(extend("enum" = COMPAT, "x-rule" = "host"))]
    host_compat: Option<At<String>>,
    /// Folder of the host's configuration; default: hosts/NAME
    host_out: Option<At<String>>,
    /// Site's folder on the server, where another machine builds
    #[schemars(extend("x-rule" = "target"))]
    host_target: Option<At<String>>,
    /// Folder of releases, in place of the public folder
    releases: Option<String>,
    /// Header fields that protect readers
    #[schemars(extend("x-properties" = json!({
        "content_security_policy": { "x-rule": "one-line" },
        "hsts_days": { "minimum": 1, "maximum": MAX_HSTS_DAYS, "x-fault": [
            format!("{{name}}: must be from 1 to {MAX_HSTS_DAYS} days, found {{found}}"),
            "correct the value",
        ] },
    })))]
    security: Option<Security>,
    /// What a visitor can do at once, on every page; default: the phone and e-mail of the business
    #[serde(default)]
    action: Vec<ActionTable>,
    /// Where the pages are
    site: Option<SiteTable>,
    /// How the pages look
    theme: Option<ThemeTable>,
    /// What things are called here
    #[serde(default)]
    #[schemars(schema_with = "labels")]
    labels: BTreeMap<String, String>,
}

#[derive(Default, Deserialize, JsonSchema)]
struct PrivacyTable {
    /// full: names as on the platform; short: "Maria L."; anonymous: no names
    #[schemars(with = "Option<String>", extend("enum" = ["full", "short", "anonymous"]))]
    authors: Option<Authors>,
}

#[derive(Default, Deserialize, JsonSchema)]
struct SidecarTable {
    /// Whether published files mention the sidecar; default: true
    enabled: Option<bool>,
    /// Its own address, where that is not the site's
    #[schemars(extend("format" = "uri"))]
    url: Option<String>,
}

/// The published site as a whole.
#[derive(Clone, Debug, Default)]
pub struct Site {
    /// The origin everything is served from, without a trailing slash.
    pub base_url: String,
    /// The place of `base_url`.
    pub base_url_place: Place,
    /// Origins that the site had before: their subscribers and links stay valid.
    pub previous_base_urls: Vec<String>,
    /// Title of the site and its feeds; the business's name where it is absent.
    pub title: Option<String>,
    /// BCP 47 tag of the site's own words.
    pub language: String,
    /// Start of every feed entry's `tag:` URI (RFC 4151), set once.
    pub id_base: String,
    /// The day in `id_base`: the date of a site without reviews.
    pub id_base_date: Timestamp,
    /// Whether the business is invented; pages state it.
    pub sample: bool,
    /// The extent to which authors' names are published.
    pub authors: Authors,
    /// Whether anything published mentions search, since, MCP and the hub.
    pub sidecar: bool,
    /// The sidecar's own address, where it has one.
    pub sidecar_url: Option<String>,
    /// The host of the site; `None`: a build writes documents alone.
    pub host: Option<HostKeys>,
    /// The folder of releases; `None`: the public folder has the site.
    pub releases: Option<PathBuf>,
    /// Header fields that protect readers.
    pub security: Security,
    /// The links by which visitors reach the business, in the order of the file.
    pub actions: Vec<Action>,
    /// The appearance and the place of the pages.
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

    /// Returns the file of `static/` that a page at this path below `base_url` shows with an address.
    #[must_use]
    pub fn picture(&self, page: &str, address: &str) -> Option<&StaticFile> {
        let target = Url::parse(&format!("{}/{page}", self.base_url)).ok()?.join(address).ok()?;
        let path = target.as_str().strip_prefix(&self.base_url)?.strip_prefix('/')?;
        let mut files = self.appearance.static_files.iter();
        files.find(|file| file.path == path && file.is_picture())
    }

    /// Returns the address of the first page, or that of a site without pages.
    #[must_use]
    pub fn home_url(&self) -> String {
        format!("{}/{}", self.base_url, self.appearance.pages.prefix())
    }
}

/// `[privacy] authors`: applied before any file is written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Authors {
    /// The full name, as on the platform.
    #[default]
    Full,
    /// First name and initial, no picture.
    Short,
    /// No name, no picture, and no link to the review on its platform.
    Anonymous,
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
    let mut root = file.parse()?;
    if !check_format(&file, &root) {
        return None;
    }
    check_shared(&file, &root, folder);
    if let Some(given) = base_url {
        let span = root.get_ref().get("base_url").map_or(root.span(), Spanned::span);
        let given = Spanned::new(span.clone(), DeValue::String(given.into()));
        root.get_mut().insert(Spanned::new(span, "base_url".into()), given);
    }
    read_site(&file, root, base_url.is_some())
}

/// Whether this program reads the format. The other keys of a newer one may have any meaning: problems found in them
/// would mislead.
fn check_format(file: &TomlFile<'_>, root: &Spanned<DeTable<'_>>) -> bool {
    let Some(format) = root.get_ref().get("format") else {
        let message = "the content does not say its format";
        file.warning(root.span(), "missing-format", message, "add format = 1 at the top");
        return true;
    };
    let number = format.get_ref().as_integer();
    let number = number.and_then(|n| i64::from_str_radix(n.as_str(), n.radix()).ok());
    let newer = number.filter(|number| *number > FORMAT);
    if let Some(newer) = newer {
        let message = format!(
            "this content is written in format {newer}, this program reads format {FORMAT}"
        );
        file.error(format.span(), "newer-format", message, "update candor");
    }
    newer.is_none()
}

fn read_site(file: &TomlFile<'_>, root: Spanned<DeTable<'_>>, is_given: bool) -> Option<Site> {
    let (span, has_host) = (root.span(), root.get_ref().contains_key("host"));
    let actions_at = TomlFile::starts(root.get_ref(), "action");
    let of: SiteFile = file.build(root)?;
    let base_url = origin(&of.base_url).ok()?;
    warn_of_placeholder(file, &of.base_url, &base_url);
    if !is_given && is_local(&base_url) {
        let message = format!("base_url: {base_url} is not on the internet");
        let help = "write the address that readers use; for a preview there is --base-url";
        file.warning(of.base_url.span(), "local-address", message, help);
    }
    for (key, of) in [
        ("host_sidecar", &of.host_sidecar),
        ("host_compat", &of.host_compat),
        ("host_out", &of.host_out),
        ("host_target", &of.host_target),
    ] {
        if let Some(of) = of.as_ref().filter(|_| !has_host) {
            let message = format!("{key} is about a host, and there is none");
            file.error(of.span(), "missing-key", message, "add host = \"NAME\"");
        }
    }
    let host = of.host.map(|name| HostKeys {
        name,
        sidecar: of.host_sidecar.map(At::into_inner),
        compat: of.host_compat.map(At::into_inner),
        out: of.host_out.map(|out| out.into_inner().into()),
        target: of.host_target.map(At::into_inner),
    });
    let actions = of.action.into_iter().filter_map(|it| actions::read(file, it, &actions_at));
    let actions = actions.collect();
    let (id_base, id_base_date) = read_id_base(file, of.id_base, &base_url, span)?;
    let sidecar = of.sidecar.unwrap_or_default();
    let previous = of.previous_base_urls.iter().filter_map(|url| origin(url).ok()).collect();
    Some(Site {
        base_url,
        base_url_place: file.place(of.base_url.span()),
        previous_base_urls: previous,
        title: of.title,
        language: of.language.unwrap_or_else(|| "en".to_owned()),
        id_base,
        id_base_date,
        sample: of.sample,
        authors: of.privacy.unwrap_or_default().authors.unwrap_or_default(),
        sidecar: sidecar.enabled.unwrap_or(true),
        sidecar_url: sidecar.url,
        host,
        releases: of.releases.map(PathBuf::from),
        security: of.security.unwrap_or_default(),
        actions,
        appearance: appearance::settings(file, of.site, of.theme, of.labels),
    })
}

/// The keys that differ between any two sites.
const SITES_OWN: [&str; 4] = ["base_url", "previous_base_urls", "id_base", SHARED];

/// Reads only the key that names the shared folder.
pub(super) fn read_shared(folder: &Folder, report: &Report) {
    let file = TomlFile::open(folder.own(), "site.toml", report);
    if let Some((file, root)) = file.as_ref().and_then(|file| Some((file, file.parse()?))) {
        check_shared(file, &root, folder);
    }
}

fn check_shared(file: &TomlFile<'_>, root: &Spanned<DeTable<'_>>, folder: &Folder) {
    let Some(shared) = root.get_ref().get(SHARED) else { return };
    let name = shared.get_ref().as_str().unwrap_or_default().trim();
    if name.is_empty() {
        return;
    }
    let fault = match folder.shared() {
        Ok(None) => return,
        Err(fault) => fault,
        Ok(Some(defaults)) => {
            let path = defaults.shown("site.toml".as_ref());
            let settings = text_file::read(defaults, "site.toml", &Report::default());
            let settings = settings.and_then(|text| toml::from_str::<toml::Table>(&text).ok());
            let settings = settings.unwrap_or_default();
            for key in SITES_OWN.into_iter().filter(|key| settings.contains_key(*key)) {
                let message = format!("{SHARED}: {key} is in {}", path.display());
                let help = "write it into each site's own file";
                file.error(shared.span(), "not-to-be-shared", message, help);
            }
            return;
        }
    };
    let (reason, help) = fault.say(&folder.own().path().join(name));
    file.error(shared.span(), "no-shared-folder", format!("{SHARED}: {reason}"), help);
}

/// Maximum days for which browsers use HTTPS only: ten years.
const MAX_HSTS_DAYS: u32 = 3_650;

/// Warns of an address that is a placeholder: every link, feed and id of a site depends on it.
fn warn_of_placeholder(file: &TomlFile<'_>, written: &At<String>, url: &str) {
    if is_example(url) {
        let message = format!("base_url: {url} is an example");
        let help = "write the address the site will have; the next build changes id_base too";
        file.warning(written.span(), "placeholder", message, help);
    }
}

/// The remedy for a wrong `id_base`.
const TAG: &str = "write id_base = \"tag:your.domain,2026-01-01:reviews\" (RFC 4151)";

/// `tag:authority,date:specific`, with a year, a month or a day for the date.
fn read_id_base(
    file: &TomlFile<'_>,
    written: Option<At<String>>,
    base_url: &str,
    root: Range<usize>,
) -> Option<(String, Timestamp)> {
    let refuse = |span, message| file.error(span, "invalid-id-base", message, TAG);
    if let Some(text) = written {
        let date = tag_date(&text);
        if date.is_none() {
            refuse(text.span(), format!("id_base: {:?} is not a tag URI", *text));
        }
        return Some((text.into_inner(), date?));
    }
    let host = Url::parse(base_url).ok()?.host_str().map(str::to_owned)?;
    let id_base = format!("tag:{host},2026-01-01:reviews");
    let Some(date) = tag_date(&id_base) else {
        let message = format!(
            "without id_base the ids of feed entries need a domain, and {host:?} of base_url is none"
        );
        refuse(root, message);
        return None;
    };
    let message = "without id_base the ids of feed entries depend on base_url, and a new address would make every entry appear as new";
    let help = format!("add id_base = \"{id_base}\" and never change it");
    file.warning(root, "missing-id-base", message, help);
    Some((id_base, date))
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
