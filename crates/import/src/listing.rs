//! Reads the business that an export describes: name, address, coordinates, opening hours. Only what a
//! file has is taken; nothing is guessed.

mod address;
mod hours;

use std::{
    io::{BufReader, Cursor, Read},
    ops::ControlFlow,
    path::Path,
};

use serde_json::Value;

use super::{
    detect::{self, Asked, Detected},
    error::ImportError,
    format::ExportFormat,
    raw::{as_text, find},
    rows::{self, Cells, RowLocation, Rows},
    source::{self, Input, OpenOptions, SourceFile},
    table,
};
use content::{business_types, web_url};
use contract::model::{Business, Geo};

const KEYS: &str = include_str!("../data/listing.txt");
/// Largest listing without reviews: 16 MiB.
const MAX_LISTING: u64 = 16 << 20;

/// A business as an export describes it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Listing {
    /// The business; `time_zone` and `name` are empty if the export does not have them.
    pub business: Business,
    /// A category that is not a type of schema.org.
    pub other_category: Option<String>,
    /// There are opening hours, in an unknown form.
    pub odd_hours: bool,
    /// The platform, where the format has but one.
    pub source: Option<&'static str>,
    /// The folder of an archive it is from.
    folder: Option<String>,
}

/// Reads every business that a file, an archive or a folder describes.
///
/// # Errors
/// When it cannot be read.
pub fn read(path: &Path) -> Result<Vec<Listing>, ImportError> {
    let mut listings = Vec::new();
    // A path is read in place: nothing is kept in the stage.
    let options = OpenOptions {
        header: None,
        google: None,
        locations: &[],
        is_interrupted: &|| false,
        stage: Path::new(""),
        max_kept: 0,
        read: &|_| {},
    };
    source::each(0, &Input::Path(path.to_owned()), &options, &mut |file| {
        read_file(file, &mut listings)
    })?;
    listings.retain(|listing: &Listing| !listing.business.name.is_empty());
    Ok(listings)
}

fn read_file(file: SourceFile<'_>, listings: &mut Vec<Listing>) -> Result<(), ImportError> {
    let SourceFile { name, folder, mut reader, .. } = file;
    let unreadable =
        |error: &dyn std::fmt::Display| ImportError::Read(name.clone(), error.to_string());
    let mut prefix = Vec::new();
    let start = reader.by_ref().take(detect::PREFIX as u64).read_to_end(&mut prefix);
    start.map_err(|error| unreadable(&error))?;
    let found = detect::detect(&prefix, Asked::default());
    let folder = Some(folder).filter(|folder| !folder.is_empty());
    let mut collector = Collector { listings, format: None, folder };
    if let Detected::ExportFormat { format, container, .. } = found {
        collector.format = Some(format);
        let whole = BufReader::new(Cursor::new(prefix).chain(reader));
        return rows::read(container, whole, &mut collector).map_err(|error| unreadable(&error));
    }
    let rest = reader.take(MAX_LISTING).read_to_end(&mut prefix);
    rest.map_err(|error| unreadable(&error))?;
    match serde_json::from_slice(&prefix) {
        Ok(Value::Object(cells)) => collector.take(&cells, true),
        Ok(Value::Array(items)) => {
            items.iter().filter_map(Value::as_object).for_each(|cells| collector.take(cells, true));
        }
        _ => {}
    }
    Ok(())
}

/// Collects the listings of one file.
struct Collector<'l> {
    listings: &'l mut Vec<Listing>,
    format: Option<ExportFormat>,
    folder: Option<String>,
}

impl Rows for Collector<'_> {
    fn row(&mut self, _at: RowLocation, cells: Cells, place: Option<&Cells>) -> ControlFlow<()> {
        // In a table a row has the values of its business, and `name` is the business's in one only.
        self.take(&cells, self.format == Some(ExportFormat::Outscraper));
        if let Some(place) = place {
            self.take(place, true);
        }
        ControlFlow::Continue(())
    }

    fn broken(&mut self, _at: RowLocation, _reason: String) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }

    fn header(&mut self, header: &Cells) {
        self.take(header, true);
    }
}

impl Collector<'_> {
    /// Adds what an object says to the business of its name or its folder.
    fn take(&mut self, cells: &Cells, is_place: bool) {
        let mut found = described(&Described { cells }, is_place);
        if found.business.name.is_empty() {
            return;
        }
        found.source = self.format.and_then(ExportFormat::source);
        found.folder.clone_from(&self.folder);
        let known = self.listings.iter_mut().find(|known| {
            known.business.name == found.business.name
                || (known.folder.is_some() && known.folder == found.folder && self.format.is_none())
        });
        match known {
            Some(known) => known.complete_with(found),
            None => self.listings.push(found),
        }
    }
}

/// An object that may describe a business.
struct Described<'a> {
    cells: &'a Cells,
}

impl<'a> Described<'a> {
    /// The values of a line of the table, in the object or one it is wrapped in.
    fn all(&self, line: &'static str) -> impl Iterator<Item = &'a Value> {
        let wrapped = ["result", "place_info"].map(|outer| self.cells.get(outer)?.as_object());
        let objects: Vec<&Cells> =
            std::iter::once(self.cells).chain(wrapped.into_iter().flatten()).collect();
        table::words(KEYS, line)
            .filter_map(move |path| objects.iter().find_map(|cells| find(cells, path)))
    }

    fn text(&self, line: &'static str) -> Option<String> {
        contract::text::clean(&self.all(line).find_map(as_text)?)
    }

    fn number(&self, line: &'static str) -> Option<f64> {
        self.text(line)?.parse().ok()
    }
}

fn described(object: &Described<'_>, is_place: bool) -> Listing {
    let name = object.text("name").or_else(|| {
        // The name of a resource has slashes: places/PID, accounts/AID/locations/LID.
        object.text("own_name").filter(|name| is_place && !name.contains('/'))
    });
    let geo = object.number("latitude").zip(object.number("longitude"));
    let category = object.text("category");
    let known_category = category.as_deref().and_then(schema_type);
    let (hours, odd_hours) = match hours::read(object) {
        Some(Some(hours)) => (hours, false),
        Some(None) => (Vec::new(), true),
        None => (Vec::new(), false),
    };
    Listing {
        business: Business {
            name: name.unwrap_or_default(),
            category: known_category.map(str::to_owned),
            url: object.text("url").filter(|url| web_url(url).is_ok()),
            phone: object.text("phone"),
            address: address::read(object),
            geo: geo.map(|(latitude, longitude)| Geo { latitude, longitude }),
            hours,
            time_zone: object.text("time_zone").unwrap_or_default(),
            ..Business::default()
        },
        other_category: category.filter(|_| known_category.is_none()),
        odd_hours,
        ..Listing::default()
    }
}

/// The type of schema.org that is written like this category: `hair_salon` is `HairSalon`.
fn schema_type(category: &str) -> Option<&'static str> {
    let letters = |text: &str| {
        text.chars()
            .filter(|c| c.is_alphanumeric())
            .flat_map(char::to_lowercase)
            .collect::<String>()
    };
    let category = letters(category);
    business_types().find(|known| letters(known) == category)
}

impl Listing {
    /// Copies what is missing here.
    fn complete_with(&mut self, other: Self) {
        let (own, others) = (&mut self.business, other.business);
        own.category = own.category.take().or(others.category);
        own.url = own.url.take().or(others.url);
        own.phone = own.phone.take().or(others.phone);
        own.address = own.address.take().or(others.address);
        own.geo = own.geo.take().or(others.geo);
        if own.hours.is_empty() {
            own.hours = others.hours;
        }
        if own.time_zone.is_empty() {
            own.time_zone = others.time_zone;
        }
        self.odd_hours = (self.odd_hours || other.odd_hours) && own.hours.is_empty();
        self.other_category = self.other_category.take().or(other.other_category);
        self.other_category.take_if(|_| own.category.is_some());
        self.source = self.source.or(other.source);
    }

    /// Keys of `business.toml` with their values as TOML. Without the name and the time zone, which
    /// other settings go before.
    #[must_use]
    pub fn values(&self) -> Vec<(&'static str, String)> {
        // JSON's escapes are TOML's.
        let quoted = |text: &str| Value::from(text).to_string();
        let business = &self.business;
        let address = business.address.clone().unwrap_or_default();
        let texts = [
            ("category", &business.category),
            ("url", &business.url),
            ("phone", &business.phone),
            ("address.street", &address.street),
            ("address.city", &address.city),
            ("address.region", &address.region),
            ("address.postal_code", &address.postal_code),
            ("address.country", &address.country),
        ];
        let texts =
            texts.into_iter().filter_map(|(key, text)| Some((key, quoted(text.as_deref()?))));
        let geo = business.geo.as_ref().map(|Geo { latitude, longitude }| {
            ("geo", format!("{{ latitude = {latitude:?}, longitude = {longitude:?} }}"))
        });
        let rows = business.hours.iter().map(|hours| {
            let days: Vec<String> = hours.days.iter().map(|day| quoted(day)).collect();
            let (opens, closes) = (quoted(&hours.opens), quoted(&hours.closes));
            format!("  {{ days = [{}], opens = {opens}, closes = {closes} }},\n", days.join(", "))
        });
        let rows: String = rows.collect();
        let hours = (!rows.is_empty()).then(|| ("hours", format!("[\n{rows}]")));
        texts.chain(geo).chain(hours).collect()
    }

    /// The keys that were found.
    #[must_use]
    pub fn keys(&self) -> Vec<&'static str> {
        let time_zone = (!self.business.time_zone.is_empty()).then_some("time_zone");
        let others = self.values().into_iter().map(|(key, _)| key);
        ["name"].into_iter().chain(time_zone).chain(others).collect()
    }
}
