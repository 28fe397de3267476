//! Reads `aspects.toml`.

use std::collections::HashSet;

use super::{folder::Folder, toml_reader::TomlTable, values::slug};
use contract::problem::Report;
use insights::{AspectConfig, AspectRules, Polarity, QUALITY};

/// The ends of schema.org types of businesses that customers judge by their food.
const FOOD: &str = "Bakery BarOrPub Brewery CafeOrCoffeeShop Distillery FoodEstablishment IceCreamShop Restaurant Winery";
/// By what they sell.
const GOODS: &str =
    "Store Florist HobbyShop PawnShop ShoppingCenter TireShop AutoDealer MotorcycleDealer";
/// By the work that they do.
const WORK: &str = "AutoBodyShop Repair AutoWash DryCleaningOrLaundry Electrician GeneralContractor HVACBusiness \
    HomeAndConstructionBusiness HousePainter Locksmith MovingCompany Plumber RoofingContractor";

pub(super) fn read(folder: &Folder, report: &Report) -> AspectConfig {
    let Some(file) = folder.toml("aspects.toml", report) else {
        return AspectConfig::default();
    };
    let mut seen = HashSet::new();
    let config = file.read(|root| AspectConfig {
        builtin: root.boolean("builtin").unwrap_or(true),
        aspects: root.tables("aspect", |table| aspect(table, &mut seen)),
        ..AspectConfig::default()
    });
    config.unwrap_or_default()
}

/// The label of the aspect `quality` for a business of this type.
pub(super) fn quality_label(category: Option<&str>) -> &'static str {
    let is_one_of = |types: &str| {
        types.split_ascii_whitespace().any(|known| category.is_some_and(|it| it.ends_with(known)))
    };
    let labels = [(FOOD, "Food"), (GOODS, "Products"), (WORK, "Quality of the work")];
    labels.iter().find(|(types, _)| is_one_of(types)).map_or(QUALITY, |(_, label)| label)
}

fn aspect(table: &TomlTable<'_>, seen: &mut HashSet<String>) -> Option<AspectRules> {
    let id = slug(table, seen);
    let label = table.required("label");
    let definition = table.string("definition");
    let keywords = table.strings("keywords");
    let exclude = table.strings("exclude");
    let patterns = table.tables("patterns", pattern);
    let place = table.passage_from("id");
    Some(AspectRules { id: id?, label: label?, definition, keywords, exclude, patterns, place })
}

fn pattern(table: &TomlTable<'_>) -> Option<(String, Polarity)> {
    let written = table.required("match");
    let polarity = table.required("polarity").and(table.parsed("polarity"));
    Some((written?, polarity?))
}
