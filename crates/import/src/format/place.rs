//! The business that a row or a document is about.

use serde_json::Value;

use super::{ExportFormat, keys::line};
use crate::{
    columns,
    platform::Platform,
    raw::{Location, Row, as_text, find},
    rows::{Cells, LIST_KEY},
};
use content::{ColumnMap, Field};

pub(super) fn of_row(format: ExportFormat, row: Row<'_>, map: &ColumnMap) -> Option<Location> {
    let unnamed = |id: &str| Location { id: id.to_owned(), name: None };
    match format {
        ExportFormat::GoogleTakeout | ExportFormat::GoogleBusiness => row
            .text("name")?
            .split("locations/")
            .nth(1)?
            .split('/')
            .next()
            .filter(|id| !id.is_empty())
            .map(unnamed),
        ExportFormat::Places => {
            // places/PID/reviews/RID
            let name = row.text("name");
            let id = name.as_ref().and_then(|name| name.strip_prefix("places/")?.split('/').next());
            id.map(unnamed).or_else(|| of_place(row.place?))
        }
        ExportFormat::Jsonld => {
            row.at("itemReviewed").and_then(Value::as_object).or(row.place).and_then(of_node)
        }
        ExportFormat::Csv | ExportFormat::Ndjson | ExportFormat::Json => {
            let text = |field: Field| Some(row.text(map.columns.get(&field)?)?.trim().to_owned());
            let Some(id) = text(Field::Location).map(without_scheme) else {
                let around = row.place.and_then(columns::place);
                let addresses = || row.cells.values().filter_map(Value::as_str);
                return around.or_else(|| Some(unnamed(&addresses().find_map(of_address)?)));
            };
            let column = map.columns.get(&Field::Location).map_or("", String::as_str);
            // The name of a list is not that of the business, if that is there.
            let around = row.place.filter(|_| column == LIST_KEY);
            let around = around.and_then(columns::place).and_then(|place| place.name);
            let own = Some(id.clone()).filter(|_| !columns::is_of_ids(column));
            Some(Location { name: text(Field::LocationName).or(around).or(own), id })
        }
        _ => {
            let name = row.place_text(line(format, "location_name"));
            let id = row.place_text(line(format, "location")).or_else(|| name.clone());
            id.map(|id| Location { id, name })
        }
    }
}

pub(super) fn of_document(format: ExportFormat, header: &Cells) -> Option<Location> {
    let text = |name: &'static str| {
        line(format, name).iter().find_map(|path| find(header, path).and_then(as_text))
    };
    match format {
        ExportFormat::Places => of_place(header),
        ExportFormat::Jsonld => of_node(header),
        ExportFormat::Csv | ExportFormat::Ndjson | ExportFormat::Json => {
            columns::named_place(header)
        }
        _ => {
            let name = text("header_location_name");
            text("header_location").or_else(|| name.clone()).map(|id| Location { id, name })
        }
    }
}

/// The address of a site as its name is written.
fn without_scheme(id: String) -> String {
    match id.split_once("://") {
        Some((_, rest)) => rest.trim_start_matches("www.").trim_end_matches('/').to_owned(),
        None => id,
    }
}

/// The id of the business in an address of a platform, after the beginning that the table names.
fn of_address(url: &str) -> Option<String> {
    let Platform::Known(platform) = Platform::read(Some(url).filter(|url| url.contains("://"))?)
    else {
        return None;
    };
    let id = |start: &&'static str| {
        let (_, rest) = url.split_once(start.strip_prefix(&*platform)?.trim_start())?;
        let is_number = start.ends_with("-d");
        let is_end = |c: char| "/?#&!,".contains(c) || is_number && !c.is_ascii_digit();
        let value = &rest[..rest.find(is_end).unwrap_or(rest.len())];
        // The place ids of Google have the same form in every export.
        let is_whole = start.contains(' ');
        let id = if is_whole { value.to_owned() } else { format!("{start}{value}") };
        (!value.is_empty()).then_some(id)
    };
    columns::pages().find_map(|start| id(&start))
}

/// The business of an object of the Places API.
fn of_place(place: &Cells) -> Option<Location> {
    let named = find(place, "displayName.text").and_then(as_text);
    let found = columns::place(place);
    let id = found.as_ref().map(|place| place.id.clone()).or_else(|| named.clone())?;
    Some(Location { id, name: named.or(found.and_then(|place| place.name)) })
}

/// The business of a node of schema.org.
fn of_node(about: &Cells) -> Option<Location> {
    let name = find(about, "name").and_then(as_text);
    let id = find(about, "@id").and_then(as_text).or_else(|| name.clone())?;
    Some(Location { id, name })
}
