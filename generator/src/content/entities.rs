use std::{collections::HashSet, path::Path, sync::Arc};

use jiff::civil::Date;

use super::toml_reader::{Table, TomlFile};
use crate::problem::{Place, Report};

/// Somebody or something a review can name.
#[derive(Clone, Debug)]
pub struct Entity {
    /// Slug.
    pub id: Arc<str>,
    /// Shown.
    pub name: Arc<str>,
    /// Further names customers use.
    pub aliases: Vec<String>,
    /// Where it is described, for problems found later.
    pub place: Place,
}

/// Somebody who does the work.
#[derive(Clone, Debug)]
pub struct Technician {
    /// Id, name and aliases.
    pub entity: Entity,
    /// First day on the job.
    pub active_from: Option<Date>,
    /// Last day on the job; afterwards there is no page and no score.
    pub active_until: Option<Date>,
    /// Whether the technician is published at all.
    pub public: bool,
    /// Whether slips in the name are forgiven.
    pub fuzzy: bool,
}

impl Technician {
    /// Whether the technician is shown with a score, judged on the day `as_of`.
    #[must_use]
    pub fn is_listed(&self, as_of: Date) -> bool {
        self.public && self.active_until.is_none_or(|last| last >= as_of)
    }
}

pub(super) fn technicians(dir: &Path, report: &Report) -> Vec<Technician> {
    read(dir, "technicians.toml", "technician", report, |table, id| {
        let entity = entity(table, id, "name");
        let (active_from, active_until) = (table.day("active_from"), table.day("active_until"));
        let public = table.boolean("public").unwrap_or(true);
        let fuzzy = table.boolean("fuzzy").unwrap_or(false);
        Some(Technician { entity: entity?, active_from, active_until, public, fuzzy })
    })
}

pub(super) fn services(dir: &Path, report: &Report) -> Vec<Entity> {
    read(dir, "services.toml", "service", report, |table, id| entity(table, id, "label"))
}

pub(super) fn service_areas(dir: &Path, report: &Report) -> Vec<Entity> {
    read(dir, "service_areas.toml", "service_area", report, |table, id| {
        // Postal codes are read by the pages of the areas.
        table.strings("zip");
        entity(table, id, "name")
    })
}

fn entity(table: &Table<'_>, id: Arc<str>, name_key: &'static str) -> Option<Entity> {
    let name = table.required(name_key);
    let aliases = table.strings("aliases");
    Some(Entity { id, name: name?.into(), aliases, place: table.place("id") })
}

pub(super) fn problems(dir: &Path, report: &Report) -> Vec<Entity> {
    read(dir, "problems.toml", "problem", report, |table, id| entity(table, id, "label"))
}

pub(super) fn topics(dir: &Path, report: &Report) -> Vec<Entity> {
    read(dir, "topics.toml", "topic", report, |table, id| entity(table, id, "label"))
}

fn read<T>(
    dir: &Path,
    file_name: &str,
    key: &'static str,
    report: &Report,
    mut entity: impl FnMut(&Table<'_>, Arc<str>) -> Option<T>,
) -> Vec<T> {
    let Some(file) = TomlFile::open(&dir.join(file_name), report) else {
        return Vec::new();
    };
    let mut seen = HashSet::new();
    file.read(|root| {
        root.tables(key, |table| {
            let id = slug(table, &mut seen);
            // Read on without an id, so that the other keys are checked and known.
            let entity = entity(table, id.clone().unwrap_or_default().into());
            id.and(entity)
        })
    })
}

/// An id for addresses: small letters, digits and hyphens, unique in its file.
pub(super) fn slug(table: &Table<'_>, seen: &mut HashSet<String>) -> Option<String> {
    let id = table.required("id")?;
    let valid = id.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'-')
        && !id.starts_with('-')
        && !id.ends_with('-');
    if !valid {
        let message = format!("id: {id:?} cannot be part of an address");
        table.error(
            "id",
            "invalid-id",
            message,
            "use small letters, digits and hyphens, such as water-heaters",
        );
        return None;
    }
    if !seen.insert(id.clone()) {
        table.error(
            "id",
            "duplicate-id",
            format!("the id {id:?} stands in this file twice"),
            "give each its own id",
        );
        return None;
    }
    Some(id)
}
