//! Reads the files of what reviews mention: technicians, services, areas, problems, topics.

use std::{
    collections::{BTreeMap, HashSet},
    sync::Arc,
};

use super::{
    appearance::{Photos, read_picture},
    folder::Folder,
    toml_reader::TomlTable,
    values::slug,
};
use contract::problem::Report;
use insights::{Entity, Technician};

pub(super) fn technicians(folder: &Folder, report: &Report) -> (Vec<Technician>, Photos) {
    let mut photos = Photos::new();
    let technicians = read(folder, "technicians.toml", "technician", report, |table, id| {
        if let Some(photo) = read_picture(folder, table, "photo") {
            photos.insert(id.clone(), photo);
        }
        let entity = entity(table, id, "name");
        let (active_from, active_until) = (table.day("active_from"), table.day("active_until"));
        if let (Some(from), Some(until)) = (active_from, active_until)
            && until < from
        {
            let message = format!("active_until {until} is before active_from {from}");
            table.error("active_until", "invalid-value", message, "correct one of the two days");
        }
        let public = table.boolean("public").unwrap_or(true);
        let fuzzy = table.boolean("fuzzy").unwrap_or(false);
        let score = table.boolean("score");
        Some(Technician { entity: entity?, active_from, active_until, public, score, fuzzy })
    });
    (technicians, photos)
}

/// What the owner writes on the page of a service or an area, in Markdown, by id.
pub type OwnTexts = BTreeMap<Arc<str>, String>;

pub(super) fn services(folder: &Folder, report: &Report) -> (Vec<Entity>, OwnTexts) {
    let mut texts = OwnTexts::new();
    let services = read(folder, "services.toml", "service", report, |table, id| {
        texts.extend(table.string("text").map(|text| (id.clone(), text)));
        entity(table, id, "label")
    });
    (services, texts)
}

/// The postal codes of the areas that have some, by id.
pub type PostalCodes = BTreeMap<Arc<str>, Vec<String>>;

pub(super) fn service_areas(
    folder: &Folder,
    report: &Report,
) -> (Vec<Entity>, PostalCodes, OwnTexts) {
    let (mut codes, mut texts) = (PostalCodes::new(), OwnTexts::new());
    let areas = read(folder, "service_areas.toml", "service_area", report, |table, id| {
        let zip = table.strings("zip");
        if !zip.is_empty() {
            codes.insert(id.clone(), zip);
        }
        texts.extend(table.string("text").map(|text| (id.clone(), text)));
        entity(table, id, "name")
    });
    (areas, codes, texts)
}

fn entity(table: &TomlTable<'_>, id: Arc<str>, name_key: &'static str) -> Option<Entity> {
    let name = table.required(name_key);
    let aliases = table.strings("aliases");
    Some(Entity { id, name: name?.into(), aliases, place: table.place("id") })
}

pub(super) fn problems(folder: &Folder, report: &Report) -> Vec<Entity> {
    read(folder, "problems.toml", "problem", report, |table, id| entity(table, id, "label"))
}

pub(super) fn topics(folder: &Folder, report: &Report) -> Vec<Entity> {
    read(folder, "topics.toml", "topic", report, |table, id| entity(table, id, "label"))
}

fn read<T>(
    folder: &Folder,
    file_name: &str,
    key: &'static str,
    report: &Report,
    mut entity: impl FnMut(&TomlTable<'_>, Arc<str>) -> Option<T>,
) -> Vec<T> {
    let Some(file) = folder.toml(file_name, report) else {
        return Vec::new();
    };
    let mut seen = HashSet::new();
    let entities = file.read(|root| {
        root.tables(key, |table| {
            let id = slug(table, &mut seen);
            // Read on without an id, so that the other keys are checked and known.
            let entity = entity(table, id.clone().unwrap_or_default().into());
            id.and(entity)
        })
    });
    entities.unwrap_or_default()
}
