//! The businesses that rows are about.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use serde_json::Value;

use super::FileRead;
use crate::{columns, format::ExportFormat, node::Node, raw::Location};

/// The businesses an import's rows are about.
#[derive(Default)]
pub(in super::super) struct Locations {
    /// The businesses by number, from 1. Ids of different kinds are never equal.
    all: Vec<(LocationIdKind, Location, String)>,
    numbers: HashMap<(LocationIdKind, String), u32>,
    /// Names by the folder they were found in.
    names: BTreeMap<String, String>,
    /// Folders of businesses that were chosen before they were read.
    chosen: BTreeSet<String>,
    /// The names of the businesses that files are named after.
    pub(in super::super) files: BTreeSet<String>,
}

/// The prefix of a business's id in the resource names of Google's Business Profile API. Maps has other ids.
pub(in super::super) const OWNERS: &str = "locations/";

/// The kinds of ids of businesses. Only ids of one kind are compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
enum LocationIdKind {
    Owner,
    Maps,
    /// In the address of a page of a platform.
    Page(&'static str),
    Other(ExportFormat),
}

impl LocationIdKind {
    fn of(format: ExportFormat, Location { id, name }: &Location) -> Self {
        if let Some(start) = columns::pages().find(|start| id.starts_with(start)) {
            return Self::Page(start);
        }
        // Without an id the name is the id.
        if name.as_ref() == Some(id) {
            return Self::Other(format);
        }
        match format {
            ExportFormat::GoogleTakeout | ExportFormat::GoogleBusiness => Self::Owner,
            ExportFormat::Apify | ExportFormat::Outscraper | ExportFormat::Places => Self::Maps,
            other => Self::Other(other),
        }
    }
}

/// A business and how many rows are about it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in super::super) struct LocationCount {
    pub(in super::super) location: Location,
    pub(in super::super) rows: u64,
}

impl Locations {
    /// The number of a row's business; 0 where nothing names one. Takeout names it by a folder.
    pub(super) fn number(
        &mut self,
        format: ExportFormat,
        location: Option<Location>,
        folder: &str,
    ) -> u32 {
        let by_folder = || {
            let last = folder.rsplit(['/', '\\']).next()?;
            let id = last.strip_prefix("location-")?.to_owned();
            Some(Location { id, name: None })
        };
        let Some(location) = location.or_else(by_folder) else { return 0 };
        let kind = LocationIdKind::of(format, &location);
        let key = (kind, location.id.clone());
        *self.numbers.entry(key).or_insert_with(|| {
            self.all.push((kind, location, folder.to_owned()));
            u32::try_from(self.all.len()).unwrap_or(u32::MAX)
        })
    }

    /// Keeps the name of the business of a folder, if this file of the folder has it: LISTING_NAME, or
    /// else the title in `data.json`.
    pub(super) fn learn(&mut self, folder: &str, file: &str, bytes: &[u8]) {
        let Ok(value) = serde_json::from_slice::<Value>(bytes) else { return };
        if let Some(name) = listing_name(&value, 0) {
            self.names.insert(folder.to_owned(), name);
        } else if file.ends_with("data.json")
            && let Some(title) = value.get("title").and_then(Value::as_str)
        {
            self.names.entry(folder.to_owned()).or_insert_with(|| title.to_owned());
        }
    }

    /// Notes that the business of a folder was chosen, and its name.
    pub(super) fn choose(&mut self, folder: &str, name: String) {
        self.number(ExportFormat::GoogleBusiness, None, folder);
        self.names.insert(folder.to_owned(), name);
        self.chosen.insert(folder.to_owned());
    }

    /// The business of a row within one of the document: its own, with the name of that where it has none.
    pub(super) fn within(&mut self, own: u32, around: u32) -> u32 {
        let named = self.get(around).and_then(|location| location.name);
        let at = usize::try_from(own).ok().and_then(|own| own.checked_sub(1));
        let Some((_, location, _)) = at.and_then(|at| self.all.get_mut(at)) else { return around };
        location.name = location.name.take().or(named);
        own
    }

    /// Rows that name no business are about the one that their file is named after, if the names of the files of one folder,
    /// archive or workbook differ so. Inputs that were listed belong together.
    pub(super) fn name_by_files(&mut self, files: &[FileRead], nodes: &mut [Node]) {
        let rows = || nodes.iter().filter_map(Node::row).filter(|row| row.location == 0);
        let numbers: Vec<usize> =
            rows().map(|row| row.file).collect::<BTreeSet<_>>().into_iter().collect();
        let names: Vec<&str> = numbers.iter().map(|file| &*files[*file].name).collect();
        let is_one = numbers.iter().all(|file| files[*file].input == files[numbers[0]].input);
        let Some(names) = columns::names_of_files(&names).filter(|_| numbers.len() > 1 && is_one)
        else {
            return;
        };
        let mut of_file = HashMap::new();
        for (file, name) in numbers.into_iter().zip(names) {
            let name = name.to_owned();
            let location = Location { id: name.clone(), name: Some(name.clone()) };
            of_file.insert(file, self.number(ExportFormat::Csv, Some(location), ""));
            self.files.insert(name);
        }
        for row in nodes.iter_mut().filter_map(Node::row_mut).filter(|row| row.location == 0) {
            row.location = of_file[&row.file];
        }
    }

    pub(super) fn name_by_folder(&mut self) {
        for (_, location, folder) in &mut self.all {
            if location.name.is_none() {
                location.name = self.names.get(folder).cloned();
            }
        }
    }

    /// The businesses with their rows, where there is more than one of a kind.
    pub(in super::super) fn several(
        &self,
        rows: impl Fn(u32) -> u64,
    ) -> Option<Vec<LocationCount>> {
        let mut found: Vec<_> =
            self.all.iter().map(|(kind, ..)| *kind).zip(self.all(rows)).collect();
        found.retain(|(_, counted)| counted.rows > 0);
        found.sort_by_key(|(kind, _)| *kind);
        let kinds = found.chunk_by(|(a, _), (b, _)| a == b).filter(|of_kind| of_kind.len() > 1);
        let found: Vec<_> = kinds.flatten().map(|(_, counted)| counted.clone()).collect();
        (!found.is_empty()).then_some(found)
    }

    /// The business of this number, with [`OWNERS`] before an id of that kind.
    pub(in super::super) fn get(&self, number: u32) -> Option<Location> {
        let at = usize::try_from(number).ok()?.checked_sub(1)?;
        let (kind, Location { id, name }, _) = self.all.get(at)?.clone();
        let id = if kind == LocationIdKind::Owner { format!("{OWNERS}{id}") } else { id };
        Some(Location { id, name })
    }

    /// Every business with its rows.
    pub(in super::super) fn all(&self, rows: impl Fn(u32) -> u64) -> Vec<LocationCount> {
        let all = (1..).zip(&self.all);
        all.map(|(n, (_, location, _))| LocationCount { location: location.clone(), rows: rows(n) })
            .collect()
    }

    /// The numbers of the businesses that are wanted, by id or name.
    pub(in super::super) fn chosen(&self, wanted: &[String]) -> BTreeSet<u32> {
        let is_wanted = |location: &Location| {
            wanted.iter().any(|wanted| {
                *wanted == location.id
                    || location
                        .name
                        .as_deref()
                        .is_some_and(|n| n.to_lowercase() == wanted.to_lowercase())
            })
        };
        let all = (1..).zip(&self.all);
        all.filter(|(_, (_, location, folder))| self.chosen.contains(folder) || is_wanted(location))
            .map(|(n, _)| n)
            .collect()
    }
}

/// Takeout's `additionalData.json` has the name under this key, at an undocumented depth.
fn listing_name(value: &Value, depth: usize) -> Option<String> {
    match value {
        Value::Object(cells) => {
            let own = cells.get("LISTING_NAME").and_then(Value::as_str).map(str::to_owned);
            own.or_else(|| cells.values().find_map(|value| listing_name(value, depth + 1)))
        }
        Value::Array(items) if depth < 16 => {
            items.iter().find_map(|value| listing_name(value, depth + 1))
        }
        _ => None,
    }
}
