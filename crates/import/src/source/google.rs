//! The reviews of a Business Profile, from Google's APIs.
//!
//! An access token is requested, the accounts and their locations are listed, and the pages of the
//! location's reviews (`accounts.locations.reviews.list`, v4) are read as `google-business`.

mod access;
mod client;

use std::fs::File;

use serde::{Deserialize, de::DeserializeOwned};

pub use access::GoogleAccess;
use client::Client;

use super::{InputWalk, SourceFile, Visit, hash};
use crate::error::ImportError;

/// The name of this input in messages and in the log.
pub(super) const SHOWN: &str = "Google Business Profile";

/// Lists accounts, 20 at a time: the most the API permits.
const ACCOUNTS: &str = "https://mybusinessaccountmanagement.googleapis.com/v1/accounts?pageSize=20";
/// Lists the locations of an account.
const LOCATIONS: &str = "https://mybusinessbusinessinformation.googleapis.com/v1/";
/// Lists the reviews of a location of an account.
const REVIEWS: &str = "https://mybusiness.googleapis.com/v4/";

#[derive(Deserialize)]
struct AccountPage {
    #[serde(default)]
    accounts: Vec<Account>,
}

#[derive(Deserialize)]
struct Account {
    /// The resource name: `accounts/1`.
    name: String,
}

#[derive(Deserialize)]
struct LocationPage {
    #[serde(default)]
    locations: Vec<Location>,
}

/// A location that an account may read.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Location {
    /// The resource name: `locations/7`.
    name: String,
    title: Option<String>,
    storefront_address: Option<PostalAddress>,
    metadata: Option<Metadata>,
    #[serde(skip)]
    account: String,
}

#[derive(Deserialize)]
struct PostalAddress {
    locality: Option<String>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Metadata {
    place_id: Option<String>,
}

impl Location {
    fn id(&self) -> &str {
        self.name.rsplit('/').next().unwrap_or_default()
    }

    fn title(&self) -> &str {
        self.title.as_deref().unwrap_or("(no name)")
    }

    fn has_id(&self, wanted: &str) -> bool {
        let place = self.metadata.as_ref().and_then(|metadata| metadata.place_id.as_deref());
        wanted == self.id() || wanted == self.name || place == Some(wanted)
    }

    /// Returns the business as a line of a list to choose from.
    fn line(&self) -> String {
        let city = self.storefront_address.as_ref().and_then(|address| address.locality.as_deref());
        let city = city.map_or(String::new(), |city| format!(", {city}"));
        format!("  {}  {}{city}", self.id(), self.title())
    }
}

impl InputWalk<'_> {
    /// Visits the pages of reviews of the chosen locations.
    pub(super) fn google(&self, visit: &mut Visit<'_>) -> Result<blake3::Hash, ImportError> {
        let access = self.open_options.google;
        let access = access.ok_or_else(|| ImportError::internal("no access to Google"))?;
        let mut client = Client::connect(access, self.open_options.is_interrupted)?;
        let all = self.locations(access, &mut client)?;
        let mut hasher = blake3::Hasher::new();
        for location in choose(&all, self.open_options.locations)? {
            let (account, id) = (&location.account, location.id());
            let first =
                access.url(&format!("{REVIEWS}{account}/locations/{id}/reviews?pageSize=50"))?;
            self.pages(&first, &mut |url| client.get(url), &mut |kept, page| {
                hasher.update(hash(kept)?.as_bytes());
                let name = if page.is_only() {
                    format!("{SHOWN}, location {id}")
                } else {
                    format!("{SHOWN}, location {id}, page {}", page.number)
                };
                let reader = Box::new(File::open(kept).map_err(ImportError::io(kept))?);
                visit(SourceFile {
                    input: self.number,
                    unit: self.shown.clone(),
                    name,
                    bundled: false,
                    // Takeout's name of the folder, for rows that do not name their location.
                    folder: format!("{account}/location-{id}"),
                    profile: Some(location.title().to_owned()),
                    redirected: None,
                    is_hidden: false,
                    budget: None,
                    reader,
                })
            })?;
        }
        Ok(hasher.finalize())
    }

    /// Every location of every account; one that several accounts have is listed once.
    fn locations(
        &self,
        access: &GoogleAccess,
        client: &mut Client<'_>,
    ) -> Result<Vec<Location>, ImportError> {
        let accounts: Vec<AccountPage> = self.list(client, &access.url(ACCOUNTS)?)?;
        let mut all: Vec<Location> = Vec::new();
        for Account { name: account } in accounts.into_iter().flat_map(|page| page.accounts) {
            let mut url = access.url(&format!("{LOCATIONS}{account}/locations"))?;
            let fields = "name,title,storefrontAddress,metadata";
            url.query_pairs_mut().append_pair("readMask", fields).append_pair("pageSize", "100");
            let pages: Vec<LocationPage> = self.list(client, &url)?;
            for location in pages.into_iter().flat_map(|page| page.locations) {
                if !all.iter().any(|known| known.name == location.name) {
                    all.push(Location { account: account.clone(), ..location });
                }
            }
        }
        Ok(all)
    }

    /// Every page of a list.
    fn list<T: DeserializeOwned>(
        &self,
        client: &mut Client<'_>,
        first: &url::Url,
    ) -> Result<Vec<T>, ImportError> {
        let mut pages = Vec::new();
        self.pages(first, &mut |url| client.get(url), &mut |kept, _| {
            let file = File::open(kept).map_err(ImportError::io(kept))?;
            let page = serde_json::from_reader(std::io::BufReader::new(file)).map_err(|error| {
                let reason =
                    format!("{} is not the list that was requested: {error}", first.path());
                ImportError::Read(SHOWN.to_owned(), reason)
            })?;
            pages.push(page);
            Ok(())
        })?;
        Ok(pages)
    }
}

/// The requested locations, by id, place id or title; without a request the only one.
fn choose<'l>(all: &'l [Location], wanted: &[String]) -> Result<Vec<&'l Location>, ImportError> {
    let list = |locations: &[&Location]| {
        locations.iter().map(|location| location.line()).collect::<Vec<_>>().join("\n")
    };
    let every: Vec<&Location> = all.iter().collect();
    if every.is_empty() {
        return Err(ImportError::Read(
            SHOWN.to_owned(),
            "the account has no location; create the refresh token with the account that owns or manages the profile".to_owned(),
        ));
    }
    if wanted.is_empty() {
        return if every.len() == 1 {
            Ok(every)
        } else {
            Err(ImportError::Locations(list(&every)))
        };
    }
    let mut chosen: Vec<&Location> = Vec::new();
    for wanted in wanted {
        let by_id = every.iter().find(|location| location.has_id(wanted));
        let named =
            |location: &&&Location| location.title().to_lowercase() == wanted.to_lowercase();
        let found: Vec<&Location> = match by_id {
            Some(&location) => vec![location],
            None => every.iter().filter(named).copied().collect(),
        };
        match *found {
            [location] if chosen.iter().any(|other| other.name == location.name) => {}
            [location] => chosen.push(location),
            [] => {
                return Err(ImportError::Setting(format!(
                    "--location {wanted}: there is no such business; known are\n{}",
                    list(&every)
                )));
            }
            _ => return Err(ImportError::Locations(list(&found))),
        }
    }
    Ok(chosen)
}
