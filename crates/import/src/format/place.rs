//! The business that a row or a document is about.

use serde_json::Value;

use super::{ExportFormat, keys::line};
use crate::{
    columns,
    raw::{Location, Row, as_text, find},
    rows::Cells,
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
            let Some(id) = text(Field::Location) else { return columns::place(row.place?) };
            Some(Location { name: text(Field::LocationName).or_else(|| Some(id.clone())), id })
        }
        _ => {
            let name = row.place_text(line(format, "location_name"));
            row.place_text(line(format, "location")).map(|id| Location { id, name })
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
            columns::identified_place(header)
        }
        _ => {
            let name = text("header_location_name");
            text("header_location").or_else(|| name.clone()).map(|id| Location { id, name })
        }
    }
}

/// The business of an object of the Places API.
fn of_place(place: &Cells) -> Option<Location> {
    let named = find(place, "displayName.text").and_then(as_text);
    let found = columns::place(place);
    let id = found.as_ref().map(|place| place.id.clone()).or_else(|| named.clone())?;
    Some(Location { id, name: named.or(found?.name) })
}

/// The business of a node of schema.org.
fn of_node(about: &Cells) -> Option<Location> {
    let name = find(about, "name").and_then(as_text);
    let id = find(about, "@id").and_then(as_text).or_else(|| name.clone())?;
    Some(Location { id, name })
}
