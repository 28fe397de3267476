//! The inputs for a new site: flags, an export, answers on the terminal, defaults, in this order.

use clap::ValueEnum as _;
use contract::model::DIRECT;
use jiff::tz::TimeZone;

use super::{Init, interview::Interview};
use content::SourceName;
use generator::host::Host;
use import::listing::Listing;

/// Is in the skeleton files too; `candor check` warns of both.
const NAME: &str = "My business";
const BASE_URL: &str = "https://reviews.example.com";
/// Countries with one time zone.
const ZONES: &str = include_str!("zones.txt");
/// The platforms of the skeleton file.
const PLATFORMS: &str = "google, yelp, facebook, trustpilot";

/// The values from which a new site is made.
pub(super) struct Answers {
    pub(super) name: String,
    pub(super) base_url: String,
    /// `None`: not known. `candor check` warns when that matters.
    pub(super) time_zone: Option<String>,
    pub(super) language: String,
    /// `None`: those of the skeleton file. Direct reviews are none of a platform's.
    pub(super) platforms: Option<Vec<String>>,
    pub(super) host: Option<Host>,
    /// What is checked of reviews that the owner received; `None`: nothing yet.
    pub(super) direct: Option<String>,
}

/// Collects the answers.
pub(super) struct Asker<'a> {
    pub(super) init: &'a Init,
    pub(super) base_url: Option<&'a str>,
    pub(super) listing: Option<&'a Listing>,
    /// What the shared folder says.
    pub(super) shared: &'a toml::Table,
    pub(super) interview: Option<Interview<'a>>,
}

impl Asker<'_> {
    pub(super) fn answers(mut self) -> anyhow::Result<Answers> {
        let init = self.init;
        let listed = self.listing.map(|listing| &listing.business);
        let name = listed.map(|b| b.name.clone()).filter(|name| !name.is_empty());
        let name = self.ask(
            init.name.clone(),
            "Name of the business",
            &name.unwrap_or(NAME.to_owned()),
            name_of,
        )?;
        let base_url = self.base_url.map(str::to_owned);
        let address = self.listing.and_then(default_address).unwrap_or(BASE_URL.to_owned());
        // Nobody has confirmed an address that was not asked for.
        let address = if self.interview.is_some() { address.as_str() } else { BASE_URL };
        let base_url =
            self.ask(base_url, "Address the site will have", address, content::origin)?;
        let time_zone = self.time_zone()?;
        let shared = self.shared.get("language").and_then(|tag| tag.as_str());
        let given = init.language.clone().or_else(|| shared.map(str::to_owned));
        let language = self.ask(given, "Language of the site's own words", "en", language)?;
        let given = (!init.sources.is_empty()).then(|| init.sources.clone());
        let methods = self.shared.get("verification");
        let given = given.or_else(|| methods?.get("platforms")?.clone().try_into().ok());
        let from_listing = self.listing.and_then(|listing| listing.source);
        let is_known = self.interview.is_some() || given.is_some() || from_listing.is_some();
        let platforms = if !is_known && methods.is_none() {
            None
        } else {
            let question = "Where reviews come from, with commas between";
            let mut sources =
                self.ask(given, question, from_listing.unwrap_or(PLATFORMS), sources)?;
            // Two methods of a source are an error.
            let listed = methods.and_then(|of| of.get("sources")?.as_array());
            let is_listed = |source: &str| listed.is_some_and(|it| it.contains(&source.into()));
            let has_method = |source: &str| methods.is_some_and(|of| of.get(source).is_some());
            sources.retain(|it| it != DIRECT && !is_listed(it) && !has_method(it));
            Some(sources)
        };
        let hosts: Vec<&str> = Host::value_variants().iter().map(|host| host.name()).collect();
        let question = format!("Who serves the site: {}", hosts.join(", "));
        let host = self.ask(init.host.map(Some), &question, "none", host)?;
        let question = "What you check of reviews that you received yourself";
        let direct = match &mut self.interview {
            Some(interview) => interview.ask(question, NOTHING, method)?,
            None => None,
        };
        Ok(Answers { name, base_url, time_zone, language, platforms, host, direct })
    }

    fn time_zone(&mut self) -> anyhow::Result<Option<String>> {
        let listed = self.listing.map(|listing| listing.business.time_zone.clone());
        let listed = listed.filter(|zone| time_zone(zone).is_ok());
        let listed = listed.or_else(|| zone_of(self.listing?).map(str::to_owned));
        let machine = || Some(content::time_zone_of_this_machine()?.iana_name()?.to_owned());
        let known = listed.clone().or_else(machine);
        let shared = self.shared.get("time_zone").filter(|_| listed.is_none());
        let shared = shared.and_then(|zone| zone.as_str()).map(str::to_owned);
        match (self.init.time_zone.clone().or(shared), &mut self.interview) {
            (Some(given), _) => Ok(Some(given)),
            (None, None) => Ok(known),
            (None, Some(interview)) => {
                let default = known.as_deref().unwrap_or("UTC");
                interview.ask("Time zone of the business", default, time_zone).map(Some)
            }
        }
    }

    /// The given value, the answer, or the default.
    fn ask<T>(
        &mut self,
        given: Option<T>,
        question: &str,
        default: &str,
        read: impl Fn(&str) -> Result<T, String>,
    ) -> anyhow::Result<T> {
        match (given, &mut self.interview) {
            (Some(given), _) => Ok(given),
            (None, Some(interview)) => interview.ask(question, default, read),
            (None, None) => read(default).map_err(anyhow::Error::msg),
        }
    }
}

/// The time zone of the country, where it has one.
fn zone_of(listing: &Listing) -> Option<&'static str> {
    let country = listing.business.address.as_ref()?.country.as_deref()?;
    ZONES.lines().find_map(|line| line.strip_prefix(country)?.strip_prefix(' '))
}

/// `reviews` below the domain of the website, unless that is a page on a site of others.
fn default_address(listing: &Listing) -> Option<String> {
    let url = url::Url::parse(listing.business.url.as_deref()?).ok()?;
    let host = url.domain().filter(|_| url.path() == "/")?;
    Some(format!("https://reviews.{}", host.strip_prefix("www.").unwrap_or(host)))
}

/// The default answer of the question what is checked.
const NOTHING: &str = "nothing yet";

fn method(text: &str) -> Result<Option<String>, String> {
    Ok(contract::text::clean(text).filter(|text| text != NOTHING))
}

pub(super) fn name_of(text: &str) -> Result<String, String> {
    contract::text::clean(text).ok_or_else(|| "a business needs a name".to_owned())
}

/// Reads an IANA name.
pub(super) fn time_zone(text: &str) -> Result<String, String> {
    let zone = TimeZone::get(text);
    let name = zone.ok().and_then(|zone| zone.iana_name().map(str::to_owned));
    name.ok_or_else(|| {
        format!(
            "{text:?} is not an IANA time zone; write a name such as America/Chicago or Europe/Berlin"
        )
    })
}

/// A BCP 47 tag.
pub(super) fn language(text: &str) -> Result<String, String> {
    if content::is_language_tag(text) {
        Ok(text.to_owned())
    } else {
        Err(format!("{text:?} is not a BCP 47 language tag; write a tag such as en, de or pt-BR"))
    }
}

/// The name of a platform, by any of its names.
pub(super) fn source(text: &str) -> Result<String, String> {
    let name = import::source_of(text);
    SourceName::try_from(name.clone()).map(|_| name)
}

fn sources(text: &str) -> Result<Vec<String>, String> {
    text.split(',').map(str::trim).filter(|name| !name.is_empty()).map(source).collect()
}

fn host(text: &str) -> Result<Option<Host>, String> {
    match text {
        "none" => Ok(None),
        name => Host::from_str(name, true).map(Some),
    }
}
