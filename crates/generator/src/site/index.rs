//! What the search in the browser reads, below `search/`:
//!
//! - `words.json`: the words of all reviews by their stems, and those of authors' names: what a search that finds
//!   little is compared with. Stems are made here, so that the browser needs none.
//! - Of a site with parts, so that a search downloads few of the reviews: `rows.json`, what filters ask of each review;
//!   `opinions.json`, what is judged of it; `tokens.json`, what texts have between blanks, without the punctuation
//!   around it; `tokens-N.json`, the reviews of each token; `authors.json`, those of each word of a name. Reviews are
//!   numbered from the oldest, so that one more is a small difference.

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::{Arc, OnceLock},
};

use contract::{compress::Effort, model::Review, query::name_words, text::search_fold};
use insights::ReviewInsight;
use rust_stemmers::{Algorithm, Stemmer};
use serde::Serialize;
use serde_json::{Value, json};

use super::{renderer::Renderer, view::Viewer};
use crate::{
    document::{Body, Document, JSON},
    render::parts,
};
use content::{dataset::Dataset, theme::primary_tag};

/// Below the pages.
pub(super) const FOLDER: &str = "search/";
/// Letters of a word of `words.json`: shorter ones are looked for as they are.
const LENGTH: std::ops::RangeInclusive<usize> = 4..=30;
/// Reviews for each file of tokens.
const REVIEWS: usize = 200;
/// The first characters of a token that decide about its file, so that forms of one word are together.
const BEGINNING: usize = 3;

pub(super) fn documents<'d>(renderer: &Arc<Renderer<'d>>) -> Vec<Document<'d>> {
    let data = renderer.viewer.data;
    let document = |name: &str, make: Box<dyn Fn() -> Value + Sync + 'd>| Document {
        path: renderer.viewer.routes.page(&format!("{FOLDER}{name}.json")),
        media_type: JSON,
        links: Vec::new(),
        effort: Effort::Quick,
        body: Body::Page(Box::new(move || Ok(make().to_string().into_bytes()))),
    };
    let Some(parts) = parts::divided(data) else {
        let names = move || authors(data).into_keys().collect::<Vec<_>>();
        let make = move || json!({ "words": words(data), "authors": names() });
        return vec![document("words", Box::new(make)).with_effort(Effort::Best)];
    };
    let chunks = (data.reviews.len() / REVIEWS).next_power_of_two();
    let parts: Vec<_> = parts.into_iter().map(|(date, reviews)| (date, reviews.len())).collect();
    let of_opinions = Arc::clone(renderer);
    let tokens = Arc::new(OnceLock::new());
    let tokens = || {
        let tokens = Arc::clone(&tokens);
        move || Arc::clone(tokens.get_or_init(|| Arc::new(Tokens::of(data, chunks))))
    };
    let all = tokens();
    let mut documents = vec![
        document("words", Box::new(move || json!({ "words": words(data) }))),
        document("authors", Box::new(move || json!(authors(data)))),
        document("rows", Box::new(move || rows(data, &parts, chunks))),
        document("opinions", Box::new(move || opinions(&of_opinions.viewer))),
        document("tokens", Box::new(move || all().list())),
    ];
    documents.extend((0..chunks).map(|chunk| {
        let tokens = tokens();
        document(&format!("tokens-{chunk}"), Box::new(move || json!(tokens().0[chunk])))
    }));
    documents
}

/// The numbers of reviews, each as the difference to the one before it.
#[derive(Clone, Default, Serialize)]
#[serde(transparent)]
struct Rows {
    gaps: Vec<u32>,
    #[serde(skip)]
    last: u32,
}

impl Rows {
    /// Adds a number, which is not less than those before it.
    fn push(&mut self, row: u32) {
        self.gaps.push(row - self.last);
        self.last = row;
    }
}

/// The reviews of each token, by the file that it is in.
struct Tokens(Vec<BTreeMap<String, Rows>>);

impl Tokens {
    fn of(data: &Dataset, chunks: usize) -> Self {
        let mut all = vec![BTreeMap::<String, Rows>::new(); chunks];
        for (row, review) in oldest_first(data) {
            let folded = search_fold(review.text.as_deref().unwrap_or_default());
            let parts = folded.split(' ');
            let tokens = parts.map(|part| part.trim_matches(|c: char| !c.is_alphanumeric()));
            let tokens = tokens.filter(|token| !token.is_empty());
            for token in tokens.collect::<BTreeSet<_>>() {
                all[chunk(token, chunks)].entry(token.to_owned()).or_default().push(row);
            }
        }
        Self(all)
    }

    fn list(&self) -> Value {
        json!(self.0.iter().flat_map(BTreeMap::keys).collect::<BTreeSet<_>>())
    }
}

/// The file of a token. `index.js` has the same.
fn chunk(token: &str, chunks: usize) -> usize {
    let add = |hash: u32, c: char| (hash * 31 + u32::from(c)) % 65_521;
    token.chars().take(BEGINNING).fold(0, add) as usize % chunks
}

fn oldest_first(data: &Dataset) -> impl Iterator<Item = (u32, &Review)> {
    (0..).zip(data.reviews.iter().rev())
}

/// `{stem: {form: reviews}}`, each form as most reviews spell it.
fn words(data: &Dataset) -> BTreeMap<String, BTreeMap<String, u64>> {
    let mut spellings: BTreeMap<(String, String), BTreeMap<String, u64>> = BTreeMap::new();
    for review in &data.reviews {
        let language = review.language.as_deref().unwrap_or(&data.site.language);
        let stemmer = algorithm(&primary_tag(language)).map(Stemmer::create);
        let text = review.text.as_deref().unwrap_or_default();
        let of_review = text.split(|c: char| !c.is_alphabetic());
        let of_review = of_review.filter(|word| LENGTH.contains(&word.chars().count()));
        let forms: BTreeMap<_, _> = of_review.map(|word| (search_fold(word), word)).collect();
        for (form, word) in forms {
            let lower = word.to_lowercase();
            let stem = stemmer.as_ref().map_or(lower.as_str().into(), |it| it.stem(&lower));
            let spellings = spellings.entry((search_fold(&stem), form)).or_default();
            *spellings.entry(word.to_owned()).or_default() += 1;
        }
    }
    let mut words: BTreeMap<String, BTreeMap<String, u64>> = BTreeMap::new();
    for ((stem, _), spellings) in spellings {
        let count = spellings.values().sum();
        // Of two as frequent, the one in small letters, which come after capitals.
        let most = spellings.into_iter().max_by_key(|(_, count)| *count);
        words.entry(stem).or_default().extend(most.map(|(word, _)| (word, count)));
    }
    words
}

/// The reviews of each word of an author's name.
fn authors(data: &Dataset) -> BTreeMap<String, Rows> {
    let mut authors: BTreeMap<String, Rows> = BTreeMap::new();
    for (row, review) in oldest_first(data) {
        for word in name_words(&review.author).into_iter().collect::<BTreeSet<_>>() {
            authors.entry(word).or_default().push(row);
        }
    }
    authors
}

/// Days with their numbers of reviews, columns, the names that filters know, and the files of the reviews.
fn rows(data: &Dataset, files: &[(String, usize)], chunks: usize) -> Value {
    let mut days: Vec<(String, usize)> = Vec::new();
    for (_, review) in oldest_first(data) {
        let day = review.date.to_string();
        match days.last_mut() {
            Some((last, count)) if *last == day => *count += 1,
            _ => days.push((day, 1)),
        }
    }
    let business = &data.business;
    let column = |value: fn(&Review) -> Value| column(data.reviews.iter().rev().map(value));
    json!({
        "business": {
            "technicians": business.technicians,
            "services": business.services,
            "service_areas": business.service_areas,
        },
        "days": days,
        "columns": {
            "rating": column(|review| json!(review.rating)),
            "source": column(|review| json!(review.source)),
            "language": column(|review| json!(review.language)),
            "owner_reply": column(|review| json!(review.owner_reply.is_some())),
            "text": column(|review| json!(review.text.as_ref().map(|_| true))),
            "mentions": column(|review| json!(review.mentions)),
        },
        "files": files,
        "chunks": chunks,
    })
}

/// The labels that filters know, and columns of what is judged of each review.
fn opinions(viewer: &Viewer<'_>) -> Value {
    let insights = &viewer.data.insights;
    let column = |value: &dyn Fn(&ReviewInsight) -> Value| {
        column(insights.per_review.iter().rev().map(value))
    };
    let aspects = |of: &ReviewInsight| {
        let opinions = of.aspects.iter().map(|it| {
            json!({ "id": insights.aspect_ids[usize::from(it.aspect)], "sentiment": it.sentiment })
        });
        opinions.collect()
    };
    let topics = |of: &ReviewInsight| {
        of.topics.iter().map(|at| json!(insights.topics[usize::from(*at)].id)).collect()
    };
    let labels = insights.aspects.iter().map(|aspect| {
        json!({ "id": aspect.id, "label": viewer.words.aspect(&aspect.id, &aspect.label) })
    });
    let topic_labels =
        insights.topics.iter().map(|topic| json!({ "id": topic.id, "label": topic.label }));
    json!({
        "aspects": labels.collect::<Vec<_>>(),
        "topics": topic_labels.collect::<Vec<_>>(),
        "columns": {
            "sentiment": column(&|of| json!(of.sentiment)),
            "aspects": column(&aspects),
            "topics": column(&topics),
        },
    })
}

/// The different values, and which of them each review has.
fn column(all: impl Iterator<Item = Value>) -> Value {
    let mut values = Vec::new();
    let mut known = BTreeMap::new();
    let of = all.map(|value| {
        *known.entry(value.to_string()).or_insert_with(|| {
            values.push(value);
            values.len() - 1
        })
    });
    let of: Vec<_> = of.collect();
    json!({ "values": values, "of": of })
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
