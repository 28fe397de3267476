//! How the pages look and where they are: `[site]`, `[theme]` and `[labels]` of `site.toml`, the owner's
//! templates and words.

use std::{
    collections::BTreeMap,
    path::{Path, PathBuf},
    str::FromStr,
    sync::Arc,
};

use super::{
    folder::Folder,
    own_pages::OwnPage,
    picture,
    static_files::StaticFile,
    syntax::is_language_tag,
    text_file,
    toml_reader::{TomlFile, TomlTable},
};
use crate::theme::{self, Phrase};
use contract::problem::{Passage, Place, Report, unknown_help};
use insights::TemplateFault;
use system::root::Root;

/// Pictures are part of a page's weight.
const PICTURE_LIMIT: u64 = 100 * 1024;
/// The owner's words.
const STRINGS: &str = "strings.toml";
const TEMPLATES: &str = "templates";
/// What browsers show as a picture, by the end of the file's name.
const PICTURE_TYPES: [(&str, &str); 5] = [
    ("svg", "image/svg+xml"),
    ("png", "image/png"),
    ("webp", "image/webp"),
    ("jpg", "image/jpeg"),
    ("jpeg", "image/jpeg"),
];

/// How the pages look and where they are.
#[derive(Clone, Debug, Default)]
pub struct Appearance {
    /// Where the pages are.
    pub pages: Pages,
    /// Whether each review has a page of its own.
    pub review_pages: ReviewPages,
    /// Whether JSON-LD has the average and the reviews; by default while no review was collected on
    /// another platform.
    pub review_markup: Option<bool>,
    /// The colour of links and bars.
    pub accent: Accent,
    /// Shown beside the business's name.
    pub logo: Option<Picture>,
    /// Pictures of technicians.
    pub photos: Photos,
    /// What technicians, services and areas are called here, by the phrase that says it.
    pub labels: BTreeMap<String, Phrase>,
    /// `strings.toml`: the owner's words for the pages'.
    pub words: BTreeMap<String, Phrase>,
    /// `templates/`: the owner's templates by name.
    pub templates: BTreeMap<String, OwnTemplate>,
    /// `pages/`: pages of the owner's own words, in the order of their links.
    pub own_pages: Vec<OwnPage>,
    /// `static/`: the owner's files, published as they are.
    pub static_files: Vec<StaticFile>,
}

/// A template of the owner's.
#[derive(Clone, Debug)]
pub struct OwnTemplate {
    /// Its file.
    pub path: PathBuf,
    /// What is in it.
    pub text: String,
}

/// `[site] pages`
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Pages {
    /// The site is nothing but reviews.
    #[default]
    Root,
    /// The pages are below `/reviews/` of a larger site.
    Reviews,
    /// There are documents and fragments only.
    None,
}

impl Pages {
    /// Whether there are pages at all.
    #[must_use]
    pub fn exist(self) -> bool {
        self != Self::None
    }

    /// What comes before every page's path: nothing or `reviews/`.
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
    /// There is a page for each review.
    pub enabled: bool,
    /// Search engines may list them.
    pub indexed: bool,
}

impl Default for ReviewPages {
    fn default() -> Self {
        Self { enabled: true, indexed: false }
    }
}

/// A colour, red, green and blue.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Accent(pub [u8; 3]);

impl Default for Accent {
    fn default() -> Self {
        Self([0x0b, 0x6b, 0x5d])
    }
}

impl FromStr for Accent {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let digits = text.strip_prefix('#').filter(|digits| digits.len() == 6);
        let digits = digits.filter(|digits| digits.bytes().all(|b| b.is_ascii_hexdigit()));
        let number = digits.and_then(|digits| u32::from_str_radix(digits, 16).ok());
        let [_, red, green, blue] = number
            .ok_or_else(|| format!("must be a colour such as #0b6b5d, found {text:?}"))?
            .to_be_bytes();
        Ok(Self([red, green, blue]))
    }
}

/// Pictures of technicians, by id.
pub type Photos = BTreeMap<Arc<str>, Picture>;

/// A picture.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Picture {
    /// What its name ends in.
    pub extension: &'static str,
    /// The `Content-Type`.
    pub media_type: &'static str,
    /// The file.
    pub bytes: Vec<u8>,
}

impl Picture {
    /// The name of a technician's picture among the assets.
    pub fn asset_of(&self, id: &str) -> String {
        format!("photo-{id}.{}", self.extension)
    }
}

/// Whether a file's name is a picture's.
pub(super) fn is_picture(name: &str) -> bool {
    let end = name.rsplit_once('.').map(|(_, end)| end.to_lowercase());
    PICTURE_TYPES.iter().any(|(known, _)| Some(*known) == end.as_deref())
}

/// The parts of `site.toml` that are about pages.
pub(super) fn settings(folder: &Folder, table: &TomlTable<'_>) -> Appearance {
    let (pages, review_pages, review_markup) = table.table("site", read_site).unwrap_or_default();
    let theme = table.table("theme", |theme| {
        (theme.parsed("accent").unwrap_or_default(), read_picture(folder, theme, "logo"))
    });
    let (accent, logo) = theme.unwrap_or_default();
    let labels = table.table("labels", read_labels).unwrap_or_default();
    Appearance { pages, review_pages, review_markup, accent, logo, labels, ..Appearance::default() }
}

fn read_site(table: &TomlTable<'_>) -> (Pages, ReviewPages, Option<bool>) {
    let pages = match table.flag_or_string("pages").as_deref() {
        None | Some("/" | "true") => Pages::Root,
        Some("/reviews/") => Pages::Reviews,
        Some("false") => Pages::None,
        Some(other) => {
            let message = format!(
                "{}: must be \"/\", \"/reviews/\" or false, found {other:?}",
                table.full("pages")
            );
            table.error("pages", "invalid-value", message, "correct the value");
            Pages::Root
        }
    };
    let enabled = table.boolean("review_pages").unwrap_or(true) && pages != Pages::None;
    let indexed = table.boolean("index_reviews").unwrap_or(false);
    (pages, ReviewPages { enabled, indexed }, table.boolean("review_markup"))
}

/// The picture whose file a key names.
pub(super) fn read_picture(
    folder: &Folder,
    table: &TomlTable<'_>,
    key: &'static str,
) -> Option<Picture> {
    let name = table.string(key)?;
    let refuse = |reason: String| {
        let help = "name a file of the content folder that is svg, png, webp or jpg and below 100 KiB; candor explain invalid-logo says what a picture may contain";
        table.error(key, "invalid-logo", format!("{}: {reason}", table.full(key)), help);
    };
    let extension = name.rsplit_once('.').map(|(_, end)| end.to_lowercase());
    let known = PICTURE_TYPES.into_iter().find(|(end, _)| Some(*end) == extension.as_deref());
    let Some((extension, media_type)) = known else {
        refuse(format!("{name:?} is not a picture that browsers show"));
        return None;
    };
    let outside = Path::new(&name).components().any(|part| {
        !matches!(part, std::path::Component::Normal(_) | std::path::Component::CurDir)
    });
    if outside {
        refuse(format!("{name:?} is not inside the content folder"));
        return None;
    }
    let root = folder.root_of(table.folder(key));
    match root.read(name.as_ref()) {
        Ok(bytes) if bytes.len() as u64 <= PICTURE_LIMIT => picture::checked(extension, bytes)
            .map_err(|reason| refuse(format!("{name:?} {reason}")))
            .map(|bytes| Picture { extension, media_type, bytes })
            .ok(),
        Ok(bytes) => {
            refuse(format!("{name:?} has {} KiB", bytes.len() / 1024));
            None
        }
        Err(error) => {
            refuse(format!("{name:?} cannot be read: {error}"));
            None
        }
    }
}

fn read_labels(table: &TomlTable<'_>) -> BTreeMap<String, Phrase> {
    const LABELS: [(&str, &str); 6] = [
        ("technician", "technician"),
        ("technicians", "technicians"),
        ("service", "service"),
        ("services", "services"),
        ("service_area", "area"),
        ("service_areas", "areas"),
    ];
    let label = |(key, word): (&'static str, &str)| {
        Some((word.to_owned(), Phrase::Text(table.string(key)?)))
    };
    LABELS.into_iter().filter_map(label).collect()
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
    for (key, (phrase, span)) in phrases {
        let place = file.place(span);
        let Some(example) = shipped.get(&key) else {
            let help = unknown_help(&key, shipped.keys().map(String::as_str));
            report.error("unknown-key", place, format!("unknown key \"{key}\""), help);
            continue;
        };
        if let Some(name) = phrase.unknown_value(example) {
            let message = format!("{key}: there is no value {{{name}}} here");
            let help = format!("the shipped words are: {example}");
            report.error("unknown-value", place, message, help);
            continue;
        }
        words.insert(key, phrase);
    }
    words
}

/// Says when the pages have no words in the site's language.
pub(super) fn check_language(folder: &Folder, language: &str, looks: &Appearance, report: &Report) {
    let has_words = theme::is_shipped(&theme::primary_tag(language)) || !looks.words.is_empty();
    // Words that could not be read are not missing words.
    let unread = folder.has_errors_in(STRINGS, report);
    let pages = looks.pages != Pages::None;
    if !pages || has_words || unread || !is_language_tag(language) {
        return;
    }
    let place = Place::file(folder.own().shown("site.toml".as_ref()).display().to_string());
    let message = format!("no words are shipped for language {language:?}: pages are in English");
    let help = "write them in content/strings.toml; candor explain no-words says more";
    report.warning("no-words", place, message, help);
}

impl OwnTemplate {
    /// Where its fault is.
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
                let help = "fix the template, or remove it to use the built-in one";
                report.error("template-syntax", place, fault.message, help);
            }
        }
    }
    templates
}
