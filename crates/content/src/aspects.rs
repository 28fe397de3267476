//! Reads `aspects.toml`.

use schemars::JsonSchema;
use serde::Deserialize;

use super::{
    folder::Folder,
    toml_reader::{At, SLUG},
};
use contract::problem::Report;
use insights::{AspectConfig, AspectRules, QUALITY};

/// The ends of schema.org types of businesses that customers judge by their food.
const FOOD: &str = "Bakery BarOrPub Brewery CafeOrCoffeeShop Distillery FoodEstablishment IceCreamShop Restaurant Winery";
/// The types of businesses that customers judge by the goods that they sell.
const GOODS: &str =
    "Store Florist HobbyShop PawnShop ShoppingCenter TireShop AutoDealer MotorcycleDealer";
/// The types of businesses that customers judge by the work that they do.
const WORK: &str = "AutoBodyShop Repair AutoWash DryCleaningOrLaundry Electrician GeneralContractor HVACBusiness \
    HomeAndConstructionBusiness HousePainter Locksmith MovingCompany Plumber RoofingContractor";

/// `aspects.toml`: what customers judge
#[derive(Default, Deserialize, JsonSchema)]
#[serde(default)]
pub(super) struct AspectsFile {
    /// false: without the built-in aspects
    builtin: Option<bool>,
    aspect: Vec<AspectTable>,
}

#[derive(Deserialize, JsonSchema)]
struct AspectTable {
    /// Small letters, digits and hyphens
    #[schemars(extend("pattern" = SLUG))]
    id: At<String>,
    /// What it is called
    label: String,
    /// A sentence on what counts
    definition: Option<String>,
    /// Words that mention it
    #[serde(default)]
    keywords: Vec<String>,
    /// Phrases that do not
    #[serde(default)]
    exclude: Vec<String>,
    /// Phrases with an opinion
    #[serde(default)]
    patterns: Vec<Pattern>,
}

#[derive(Deserialize, JsonSchema)]
struct Pattern {
    /// The words, with * for one word
    #[serde(rename = "match")]
    words: String,
    /// The opinion
    #[schemars(extend("enum" = ["positive", "neutral", "negative"]))]
    polarity: String,
}

pub(super) fn read(folder: &Folder, report: &Report) -> AspectConfig {
    let Some(file) = folder.toml("aspects.toml", report) else {
        return AspectConfig::default();
    };
    let AspectsFile { builtin, aspect } = file.load().unwrap_or_default();
    let pattern = |it: Pattern| Some((it.words, it.polarity.parse().ok()?));
    let read = |AspectTable { id, label, definition, keywords, exclude, patterns }| {
        let place = file.passage(id.span(), true);
        let patterns = patterns.into_iter().filter_map(pattern).collect();
        let id = id.into_inner();
        AspectRules { id, label, definition, keywords, exclude, patterns, place }
    };
    let aspects = aspect.into_iter().map(read).collect();
    AspectConfig { builtin: builtin.unwrap_or(true), aspects, ..AspectConfig::default() }
}

/// The label of the aspect `quality` for a business of this type.
pub(super) fn quality_label(category: Option<&str>) -> &'static str {
    let is_one_of = |types: &str| {
        types.split_ascii_whitespace().any(|known| category.is_some_and(|it| it.ends_with(known)))
    };
    let labels = [(FOOD, "Food"), (GOODS, "Products"), (WORK, "Quality of the work")];
    labels.iter().find(|(types, _)| is_one_of(types)).map_or(QUALITY, |(_, label)| label)
}
