//! Reads and validates `content/`: hand-written TOML and Markdown, machine-written reviews.
//! Everything wrong is reported in one run; nothing here writes.

mod annotations;
mod aspects;
mod business;
mod entities;
mod overrides;
mod pages;
mod record;
mod reviews;
mod site;
mod toml_reader;

use std::{
    collections::BTreeMap,
    path::{Path, PathBuf},
};

use jiff::civil::Date;

pub use annotations::{AnnotatedAspect, Annotation, Mode};
pub use aspects::{AspectConfig, AspectRules, Polarity};
pub use entities::{Entity, Technician};
pub use overrides::{MentionLists, Override};
pub use record::Record;
pub use reviews::Origin;
pub(crate) use site::origin;
pub use site::{Authors, FORMAT, Site};

use crate::{
    model::{Business, Faq, ReviewId, Source, Summary},
    problem::{Place, Report},
};

/// Everything an owner wrote or imported, as it stands in the files.
#[derive(Debug)]
pub struct Content {
    /// The folder it was read from.
    pub dir: PathBuf,
    /// `site.toml`
    pub site: Site,
    /// `business.toml`, with the public technicians, services and areas not yet filled in
    pub business: Business,
    /// The review sources described in `business.toml`.
    pub sources: Vec<Source>,
    /// `technicians.toml`
    pub technicians: Vec<Technician>,
    /// `services.toml`
    pub services: Vec<Entity>,
    /// `service_areas.toml`
    pub service_areas: Vec<Entity>,
    /// `problems.toml`
    pub problems: Vec<Entity>,
    /// `topics.toml`
    pub topics: Vec<Entity>,
    /// `aspects.toml`
    pub aspects: AspectConfig,
    /// `annotations/*.jsonl`
    pub annotations: Vec<Annotation>,
    /// `faq.toml`, in order
    pub faq: Vec<Faq>,
    /// `summary.md`
    pub summary: Option<Summary>,
    /// `overrides.toml`
    pub overrides: BTreeMap<ReviewId, Override>,
    /// `reviews/*.ndjson` and `reviews.json`, as read
    pub reviews: Vec<Record>,
}

/// What reading depends on beside the files.
#[derive(Clone, Debug)]
pub struct LoadOptions {
    /// Stands in for `site.toml`'s `base_url`.
    pub base_url: Option<String>,
    /// Today, UTC: reviews dated later than tomorrow get a warning. Nothing published depends on it.
    pub today: Date,
}

/// Files and folders of `content/` that this program knows; anything else gets a warning.
const KNOWN: &[&str] = &[
    "site.toml",
    "business.toml",
    "technicians.toml",
    "services.toml",
    "service_areas.toml",
    "problems.toml",
    "topics.toml",
    "aspects.toml",
    "annotations",
    "faq.toml",
    "summary.md",
    "overrides.toml",
    "reviews",
    "reviews.json",
];

/// Reads the whole directory. `None` when too little of it could be read to go on; the reasons are
/// in `report` either way.
pub fn load(dir: &Path, options: &LoadOptions, report: &Report) -> Option<Content> {
    if !dir.is_dir() {
        let place = Place::file(dir.display().to_string());
        let help = "name the folder with --content, or make one with: candor init DIR";
        report.error("no-content", place, "there is no such content folder", help);
        return None;
    }
    warn_about_unknown_files(dir, report);
    let site = site::read(dir, options.base_url.as_deref(), report);
    let (business, sources) = business::read(dir, report);
    let technicians = entities::technicians(dir, report);
    let services = entities::services(dir, report);
    let service_areas = entities::service_areas(dir, report);
    let problems = entities::problems(dir, report);
    let topics = entities::topics(dir, report);
    let aspects = aspects::read(dir, report);
    let annotations = annotations::read(dir, report);
    let faq = pages::faq(dir, report);
    let summary = pages::summary(dir, report);
    let overrides = overrides::read(dir, report);
    let reviews = reviews::read(dir, options.today, report);
    Some(Content {
        dir: dir.to_owned(),
        site: site?,
        business: business?,
        sources,
        technicians,
        services,
        service_areas,
        problems,
        topics,
        aspects,
        annotations,
        faq,
        summary,
        overrides,
        reviews,
    })
}

fn warn_about_unknown_files(dir: &Path, report: &Report) {
    let entries = match std::fs::read_dir(dir) {
        Ok(entries) => entries,
        Err(error) => return report.unreadable(dir, &error),
    };
    for entry in entries.flatten() {
        let name = entry.file_name().to_string_lossy().into_owned();
        if name.starts_with('.') || KNOWN.contains(&name.as_str()) {
            continue;
        }
        let place = Place::file(entry.path().display().to_string());
        let help = crate::problem::unknown_help(&name, KNOWN.iter().copied());
        report.warning("unknown-file", place, "nothing reads this file", help);
    }
}

/// Whether the text is an absolute `http` or `https` address. Other schemes, `javascript:` above
/// all, never reach a page.
pub(crate) fn web_url(text: &str) -> Result<(), String> {
    let url = url::Url::parse(text).map_err(|error| format!("{text:?} is no address: {error}"))?;
    match url.scheme() {
        "http" | "https" if !text.contains(char::is_whitespace) => Ok(()),
        "http" | "https" => Err(format!("{text:?} contains a blank")),
        scheme => Err(format!("{scheme}: addresses are not published, only http and https")),
    }
}

impl Content {
    /// One of its files as a whole, as a place for a problem.
    #[must_use]
    pub fn place(&self, file_name: &str) -> Place {
        Place::file(self.dir.join(file_name).display().to_string())
    }
}
