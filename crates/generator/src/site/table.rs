//! The words of all reviews by their stems, and those of authors' names: what a search that finds little is
//! compared with. Stems are made here, so that the browser needs none.

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
};

use rust_stemmers::{Algorithm, Stemmer};
use serde_json::json;

use super::renderer::Renderer;
use crate::document::{Body, Document, JSON};
use content::{dataset::Dataset, theme::primary_tag};
use contract::{compress::Effort, query::name_words, text::search_fold};

/// Below `base_url`.
pub(super) const TABLE: &str = "words.json";
/// Letters of a word in the table: shorter ones are looked for as they are.
const LENGTH: std::ops::RangeInclusive<usize> = 4..=30;

pub(super) fn document<'d>(renderer: &Arc<Renderer<'d>>) -> Document<'d> {
    let data = renderer.viewer.data;
    Document {
        path: renderer.viewer.routes.page(TABLE),
        media_type: JSON,
        links: Vec::new(),
        effort: Effort::Best,
        body: Body::Page(Box::new(move || Ok(table(data).into_bytes()))),
    }
}

/// `{"words": {stem: {form: reviews}}, "authors": [word]}`
fn table(data: &Dataset) -> String {
    let mut words: BTreeMap<String, BTreeMap<String, u64>> = BTreeMap::new();
    let mut authors = BTreeSet::new();
    for review in &data.reviews {
        authors.extend(name_words(&review.author));
        let language = review.language.as_deref().unwrap_or(&data.site.language);
        let stemmer = algorithm(&primary_tag(language)).map(Stemmer::create);
        let text = review.text.as_deref().unwrap_or_default().to_lowercase();
        let of_review = text.split(|c: char| !c.is_alphabetic());
        let of_review = of_review.filter(|word| LENGTH.contains(&word.chars().count()));
        for word in of_review.collect::<BTreeSet<_>>() {
            let stem = stemmer.as_ref().map_or(word.into(), |stemmer| stemmer.stem(word));
            let forms = words.entry(search_fold(&stem)).or_default();
            *forms.entry(search_fold(word)).or_default() += 1;
        }
    }
    json!({ "words": words, "authors": authors }).to_string()
}

/// For a primary language tag.
fn algorithm(tag: &str) -> Option<Algorithm> {
    Some(match tag {
        "de" => Algorithm::German,
        "en" => Algorithm::English,
        "es" => Algorithm::Spanish,
        "fr" => Algorithm::French,
        "it" => Algorithm::Italian,
        "nl" => Algorithm::Dutch,
        "pt" => Algorithm::Portuguese,
        "sv" => Algorithm::Swedish,
        _ => return None,
    })
}
