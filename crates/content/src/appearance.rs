//! The appearance and the place of the pages: `[site]`, `[theme]` and `[labels]` of `site.toml`, the owner's templates
//! and words.

use std::{collections::BTreeMap, path::PathBuf, sync::Arc};

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::Deserialize;
use serde_json::json;

use super::{
    folder::Folder,
    own_pages::OwnPage,
    pages::Links,
    photo::{Dots, Photo},
    picture::{Picture, Use},
    static_files::StaticFile,
    syntax::{colour, is_language_tag},
    text_file,
    toml_reader::{At, COLOUR, TomlFile},
};
use crate::theme::{self, Phrase};
use contract::problem::{Passage, Place, Report, unknown_help};
use insights::TemplateFault;
use system::root::Root;

/// The file of the owner's words.
const STRINGS: &str = "strings.toml";
const TEMPLATES: &str = "templates";

/// The appearance and the place of the pages.
#[derive(Clone, Debug, Default)]
pub struct Appearance {
    /// The path below which the pages are.
    pub pages: Pages,
    /// Whether each review has a page of its own.
    pub review_pages: ReviewPages,
    /// Whether JSON-LD has the average and the reviews; by default while no review was collected on
    /// another platform.
    pub review_markup: Option<bool>,
    /// The colour of links and bars.
    pub accent: Accent,
    /// The picture beside the business's name.
    pub logo: Option<Picture>,
    /// The logo as the picture beside links has it, unless it is an SVG.
    pub small_logo: Option<Dots>,
    /// The photograph at the top of the first page.
    pub photo: Option<Photo>,
    /// Its file, and the place that names it.
    pub photo_file: Option<(Picture, Place)>,
    /// The photographs of own pages, by their path in `static/`.
    pub shown: BTreeMap<String, Photo>,
    /// Pictures of technicians.
    pub photos: Photos,
    /// The owner's words for technicians, services and areas, by the key of the phrase that they replace.
    pub labels: BTreeMap<String, Phrase>,
    /// `strings.toml`: the owner's words for phrases of the pages, by the key of the phrase.
    pub words: BTreeMap<String, Phrase>,
    /// `templates/`: the owner's templates by name.
    pub templates: BTreeMap<String, OwnTemplate>,
    /// `pages/`: pages of the owner's own words, in the order of their links.
    pub own_pages: Vec<OwnPage>,
    /// What the owner's texts refer to.
    pub links: Links,
    /// `static/`: the owner's files, published as they are.
    pub static_files: Vec<StaticFile>,
}

/// A template of the owner's.
#[derive(Clone, Debug)]
pub struct OwnTemplate {
    /// The path of its file.
    pub path: PathBuf,
    /// The text of the file.
    pub text: String,
}

/// `[site] pages`
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Pages {
    /// The pages are the whole site.
    #[default]
    Root,
    /// The pages are below `/reviews/` of a larger site.
    Reviews,
    /// There are no pages: only documents and fragments.
    None,
}

impl Pages {
    /// Whether the site has pages.
    #[must_use]
    pub fn exist(self) -> bool {
        self != Self::None
    }

    /// Returns the first part of every page's path: nothing or `reviews/`.
    #[must_use]
    pub fn prefix(self) -> &'static str {
        match self {
            Self::Root | Self::None => "",
            Self::Reviews => "reviews/",
        }
    }
}

/// `[site] review_pages` and `index_reviews`
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ReviewPages {
    /// Whether each review has a page of its own.
    pub enabled: bool,
    /// Whether search engines may list these pages.
    pub indexed: bool,
}

impl Default for ReviewPages {
    fn default() -> Self {
        Self { enabled: true, indexed: false }
    }
}

/// A colour: red, green and blue.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Accent(pub [u8; 3]);

impl Default for Accent {
    fn default() -> Self {
        Self([0x0b, 0x6b, 0x5d])
    }
}

/// Pictures of technicians, by id.
pub type Photos = BTreeMap<Arc<str>, (Picture, Place)>;

/// `[site]` of `site.toml`.
#[derive(Default, Deserialize, JsonSchema)]
pub(super) struct SiteTable {
    /// "/": the pages are the whole site; "/reviews/": below an existing site; false: no pages
    #[schemars(with = "Option<String>", extend(
        "type" = ["string", "boolean"], "enum" = json!(["/", "/reviews/", true, false]),
        "x-fault" = [
            "{name}: must be \"/\", \"/reviews/\" or false, found {found}", "correct the value",
        ],
    ))]
    pages: Option<toml::Value>,
    /// A page for each review; default: true
    review_pages: Option<bool>,
    /// Whether search engines may list those; default: false
    #[serde(default)]
    index_reviews: bool,
    /// Whether JSON-LD has the average and reviews; default: only while no review was collected on
    /// another platform
    review_markup: Option<bool>,
}

/// `[theme]` of `site.toml`.
#[derive(Default, Deserialize, JsonSchema)]
pub(super) struct ThemeTable {
    /// Colour of links and buttons
    #[schemars(extend("pattern" = COLOUR))]
    accent: Option<String>,
    /// A picture in this folder: svg, png, webp or jpg, below 100 KiB
    #[schemars(extend("x-rule" = "picture"))]
    logo: Option<At<String>>,
    /// A photograph in this folder, for the top of the first page: png, webp or jpg, below 25 MiB
    #[schemars(extend("x-rule" = "photo"))]
    photo: Option<At<String>>,
}

/// The keys of `[labels]`, and the phrase that each replaces.
const LABELS: [(&str, &str); 6] = [
    ("technician", "technician"),
    ("technicians", "technicians"),
    ("service", "service"),
    ("services", "services"),
    ("service_area", "area"),
    ("service_areas", "areas"),
];

/// The schema of `[labels]`.
pub(super) fn labels(_: &mut SchemaGenerator) -> Schema {
    let all: BTreeMap<&str, _> = LABELS.map(|(key, _)| (key, json!({ "type": "string" }))).into();
    json_schema!({ "type": "object", "properties": all, "x-order": LABELS.map(|(key, _)| key) })
}

/// The parts of `site.toml` that are about pages.
pub(super) fn settings(
    file: &TomlFile<'_>,
    site: Option<SiteTable>,
    theme: Option<ThemeTable>,
    labels: BTreeMap<String, String>,
) -> Appearance {
    let (site, theme) = (site.unwrap_or_default(), theme.unwrap_or_default());
    let pages = match site.pages {
        Some(toml::Value::Boolean(false)) => Pages::None,
        Some(toml::Value::String(path)) if path == "/reviews/" => Pages::Reviews,
        _ => Pages::Root,
    };
    let enabled = site.review_pages.unwrap_or(true) && pages != Pages::None;
    let label =
        |(key, word): (&str, &str)| Some((word.to_owned(), Phrase::Text(labels.get(key)?.clone())));
    Appearance {
        pages,
        review_pages: ReviewPages { enabled, indexed: site.index_reviews },
        review_markup: site.review_markup,
        accent: theme.accent.and_then(|it| colour(&it).ok()).map(Accent).unwrap_or_default(),
        logo: theme.logo.and_then(|name| file.picture(&name, Use::Picture)),
        photo_file: theme
            .photo
            .and_then(|name| Some((file.picture(&name, Use::Photo)?, file.place(name.span())))),
        labels: LABELS.into_iter().filter_map(label).collect(),
        ..Appearance::default()
    }
}

/// `strings.toml`: any of the shipped phrases, in other words.
pub(super) fn words(folder: &Folder, report: &Report) -> BTreeMap<String, Phrase> {
    let mut words = BTreeMap::new();
    for folder in folder.all() {
        for (key, phrase) in read_words(folder, report) {
            words.entry(key).or_insert(phrase);
        }
    }
    words
}

fn read_words(root: &Root, report: &Report) -> BTreeMap<String, Phrase> {
    let file = TomlFile::open(root, STRINGS, report);
    let Some((file, root)) = file.as_ref().and_then(|file| Some((file, file.parse()?))) else {
        return BTreeMap::new();
    };
    let shipped = theme::shipped_keys();
    let (phrases, problems) = theme::read_phrases(root.get_ref());
    for problem in problems {
        let help =
            "write key = \"words\", or key = { one = \"…\", other = \"…\" } where a number decides";
        report.error("invalid-value", file.place(problem.span), problem.message, help);
    }
    let mut words = BTreeMap::new();
    for (key, (phrase, [key_span, span])) in phrases {
        let Some(example) = shipped.get(&key) else {
            let help = unknown_help(&key, shipped.keys().map(String::as_str));
            let place = file.place(key_span);
            report.error("unknown-key", place, format!("unknown key \"{key}\""), help);
            continue;
        };
        let place = file.place(span);
        if let Some(name) = phrase.unknown_value(example) {
            let message = format!("{key}: there is no value {{{name}}} here");
            let help = format!("the shipped words are: {example}");
            report.error("unknown-value", place, message, help);
            continue;
        }
        if phrase.lacks_number(example) {
            let message = format!("{key}: the number {{n}} is missing");
            let help = format!("the shipped words are: {example}");
            report.error("unknown-value", place, message, help);
            continue;
        }
        words.insert(key, phrase);
    }
    words
}

impl Appearance {
    /// Counts the phrases that neither Candor nor the owner has in a language.
    pub(crate) fn missing_phrases(&self, language: &str) -> usize {
        let is_shipped = theme::is_shipped(&theme::primary_tag(language));
        let is_own = |key: &String| self.words.contains_key(key) || self.labels.contains_key(key);
        theme::shipped_keys().keys().filter(|key| !is_shipped && !is_own(key)).count()
    }

    /// Whether most phrases of the pages are in the language; else pages are English.
    pub(crate) fn speaks(&self, language: &str) -> bool {
        2 * self.missing_phrases(language) <= theme::shipped_keys().len()
    }
}

/// Warns if the pages lack words in the site's language.
pub(super) fn check_language(folder: &Folder, language: &str, looks: &Appearance, report: &Report) {
    let missing = looks.missing_phrases(language);
    // Words that could not be read are not missing words.
    let unread = folder.has_errors_in(STRINGS, report);
    let pages = looks.pages != Pages::None;
    if !pages || missing == 0 || unread || !is_language_tag(language) {
        return;
    }
    let place = Place::file(folder.own().shown("site.toml".as_ref()).display().to_string());
    let are = if looks.speaks(language) { "have English words" } else { "are marked as English" };
    let message = format!("pages {are}: of the phrases in {language:?} {missing} are missing");
    let help = "write them in content/strings.toml; candor help no-words says more";
    report.warning("no-words", place, message, help);
}

impl OwnTemplate {
    /// Returns the place of a fault in this template.
    pub fn place_of(&self, fault: &TemplateFault) -> Place {
        let path = self.path.display().to_string();
        let whole = Passage::new(path, self.text.as_str().into(), 0..self.text.len());
        whole.place_of(&fault.words, fault.line)
    }
}

/// `templates/`: files that replace the built-in ones of the same name, and `_*.html` they include.
pub(super) fn templates(folder: &Folder, report: &Report) -> BTreeMap<String, OwnTemplate> {
    let mut templates = BTreeMap::new();
    for folder in folder.all() {
        for (name, template) in read_templates(folder, report) {
            templates.entry(name).or_insert(template);
        }
    }
    templates
}

fn read_templates(root: &Root, report: &Report) -> BTreeMap<String, OwnTemplate> {
    let mut templates = BTreeMap::new();
    for name in text_file::names(root, TEMPLATES, report) {
        let path = root.path().join(TEMPLATES).join(&name);
        let place = Place::file(path.display().to_string());
        if !theme::template_names().any(|known| known == name) && !name.starts_with('_') {
            let help = unknown_help(&name, theme::template_names());
            report.error("unknown-template", place, "no page is made from this template", help);
            continue;
        }
        let Some(text) = text_file::read(root, &path, report) else { continue };
        let help = "fix the template, or remove it to use the built-in one";
        if text.trim().is_empty() && name.ends_with(".html") && !name.starts_with('_') {
            report.error("template-syntax", place, "this template makes an empty page", help);
            continue;
        }
        if let Some(hash) = theme::newer_built_in(&name, &text) {
            let place = Place::line(path.display().to_string(), 1);
            let help = format!(
                "copy what changed in candor templates show {name}, then write {hash} into this line"
            );
            let message = "the built-in template has changed since this one was ejected";
            report.warning("old-template", place, message, help);
        }
        let checked = theme::check_template(&name, &text);
        let template = OwnTemplate { path, text };
        match checked {
            Ok(()) => drop(templates.insert(name, template)),
            Err(fault) => {
                let place = template.place_of(&fault);
                report.error("template-syntax", place, fault.message, help);
            }
        }
    }
    templates
}
