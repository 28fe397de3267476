//! Reads all files of the folder at once, or some of them.

use std::{
    collections::BTreeMap,
    path::{Path, PathBuf},
};

use jiff::{civil::Date, tz::TimeZone};

use crate::{
    annotations,
    appearance::{self, Appearance},
    aspects, business,
    entities::{self, OwnTexts, PostalCodes},
    folder::{self, Folder},
    import_log::{self, ImportLine, LOG_FILE},
    import_settings::{self, ImportSettings},
    overrides::{self, OVERRIDES_FILE, Override, ReplyOrNone},
    own_pages, pages, picture,
    places::{self, KnownPlace, PLACES_FILE},
    record::Record,
    reviews::{self, Rejected},
    site::{self, Site},
    static_files, text_file, time_zone,
    tombstones::{self, TOMBSTONES_FILE, Tombstone},
    transparency::{self, TRANSPARENCY_FOLDER, TransparencyLog},
    verification,
};
use contract::{
    model::{Business, Day, Faq, ReviewId, Source, Summary},
    parallel,
    problem::{Passage, Place, Report},
    text::shell_word,
};
use insights::{Annotation, AspectConfig, Entity, Technician};
use system::root::{Root, report_unreadable};

/// The content of all files of the folder.
#[derive(Debug)]
pub struct Content {
    /// The folder that it was read from.
    pub folder: Folder,
    /// `site.toml`
    pub site: Site,
    /// `business.toml`, with the public technicians, services and areas not yet filled in
    pub business: Business,
    /// The review sources described in `business.toml`.
    pub sources: Vec<Source>,
    /// The place of each source's `claimed_total`.
    pub claims: BTreeMap<String, Place>,
    /// `technicians.toml`
    pub technicians: Vec<Technician>,
    /// `services.toml`
    pub services: Vec<Entity>,
    /// `service_areas.toml`
    pub service_areas: Vec<Entity>,
    /// The key `zip` of `service_areas.toml`.
    pub postal_codes: PostalCodes,
    /// The owner's texts on pages of services.
    pub service_texts: OwnTexts,
    /// The owner's texts on pages of areas.
    pub area_texts: OwnTexts,
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
    /// The text of `summary.md`, for problems found later.
    pub summary_place: Passage,
    /// `overrides.toml`
    pub overrides: BTreeMap<ReviewId, Override>,
    /// `reviews/*.ndjson` and `reviews.json`, as read
    pub reviews: Vec<Record>,
    /// The reviews with errors.
    pub rejected: Rejected,
    /// `tombstones.ndjson`: reviews that were removed
    pub tombstones: Vec<Tombstone>,
    /// `imports.log.ndjson`
    pub imports: Vec<ImportLine>,
    /// `import.toml`
    pub import_settings: ImportSettings,
    /// `log/`, where there is a transparency log that is not damaged
    pub log: Option<TransparencyLog>,
}

/// The content that an import needs beside the reviews.
#[derive(Debug)]
pub struct ImportContext {
    /// IANA name of the time zone in which review dates are days.
    pub time_zone: String,
    /// `import.toml`
    pub settings: ImportSettings,
    /// `tombstones.ndjson`
    pub tombstones: Vec<Tombstone>,
    /// `imports.log.ndjson`
    pub imports: Vec<ImportLine>,
    /// `places.toml`
    pub places: Vec<KnownPlace>,
    /// `business.toml`
    pub business: Business,
}

/// The values that reading depends on beside the files.
#[derive(Clone, Debug)]
pub struct LoadOptions {
    /// Replaces `site.toml`'s `base_url`.
    pub base_url: Option<String>,
    /// Today, UTC: reviews dated later than tomorrow get a warning. Nothing published depends on it.
    pub today: Date,
}

/// The known files and folders of `content/`; anything else gets a warning.
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
    OVERRIDES_FILE,
    "strings.toml",
    "templates",
    own_pages::FOLDER,
    static_files::FOLDER,
    "photos",
    "import.toml",
    PLACES_FILE,
    "reviews",
    "reviews.json",
    TOMBSTONES_FILE,
    LOG_FILE,
    TRANSPARENCY_FOLDER,
];

/// The files that figures, names and statements depend on.
pub(crate) const DESCRIBING: &[&str] = &[
    "business.toml",
    "technicians.toml",
    "services.toml",
    "service_areas.toml",
    "problems.toml",
    "topics.toml",
    "aspects.toml",
    "annotations",
    "overrides.toml",
    TOMBSTONES_FILE,
    "reviews",
    "reviews.json",
];

/// Reads what an import needs beside the reviews. `None` when the business cannot be read.
pub fn load_for_import(dir: &Path, report: &Report) -> Option<ImportContext> {
    if !is_content(dir, report) {
        return None;
    }
    let folder = Folder::of(dir);
    // Days and settings of an import would be wrong without what the site shares.
    site::read_shared(&folder, report);
    let business = business::read(&folder, "", report).business;
    let settings = import_settings::read(&folder, report);
    let tombstones = tombstones::read(dir, report);
    let imports = import_log::read(dir, report);
    let places = places::read(&folder, report);
    let business = business?;
    Some(ImportContext {
        time_zone: business.time_zone.clone(),
        business,
        settings,
        tombstones,
        imports,
        places,
    })
}

/// Returns the sources of reviews with a method of verification, in a content folder that may have problems, which
/// `check` reports.
#[must_use]
pub fn verified_sources(dir: &Path) -> Vec<String> {
    let business = business::read(&Folder::of(dir), "", &Report::default()).business;
    business.map(|business| business.methods.into_keys().collect()).unwrap_or_default()
}

/// The sources whose reviews are posted on a platform, in a content folder that may have problems.
#[must_use]
pub fn platforms(dir: &Path) -> Vec<String> {
    let business = business::read(&Folder::of(dir), "", &Report::default()).business;
    let methods = business.map(|business| business.methods).unwrap_or_default();
    // The phrase for platforms is empty here, and no stated method is.
    methods.into_iter().filter(|(_, of)| of.method.is_empty()).map(|(name, _)| name).collect()
}

/// The folders that a content folder is made of: itself, and the one that it shares with other sites.
pub fn folders(dir: &Path) -> Vec<Root> {
    Folder::of(dir).all().cloned().collect()
}

/// Returns the paths of the folders that a content folder is made of.
pub fn watched(dir: &Path) -> Vec<PathBuf> {
    folders(dir).iter().map(|root| root.path().to_owned()).collect()
}

/// Reads `site.toml` alone.
pub fn read_site(dir: &Path, base_url: Option<&str>, report: &Report) -> Option<Site> {
    site::read(&Folder::of(dir), base_url, report)
}

/// Reads `overrides.toml`.
pub fn read_overrides(dir: &Path, report: &Report) -> BTreeMap<ReviewId, Override> {
    overrides::read(dir, report)
}

/// Whether a folder is there and can be opened. The reason is in `report` otherwise.
fn is_content(dir: &Path, report: &Report) -> bool {
    match Root::at(dir).is_folder() {
        Ok(true) => return true,
        Ok(false) => no_content(dir, report),
        Err(error) => report_unreadable(report, dir, &error),
    }
    false
}

fn no_content(dir: &Path, report: &Report) {
    let place = Place::file(dir.display().to_string());
    let help = if dir.with_file_name("site.toml").is_file() {
        let around = dir.parent().filter(|around| !around.as_os_str().is_empty());
        let around = shell_word(around.unwrap_or(Path::new(".")).display());
        format!("{around} is a content folder: add --content {around}")
    } else if let Some(site) = site_below(dir) {
        format!("there is a site in {0}: cd {0}", shell_word(site.display()))
    } else {
        "name the folder with --content, or make one with: candor init DIR".to_owned()
    };
    report.error("no-content", place, "there is no such content folder", help);
}

/// The first folder beside a missing content folder that has a site: somebody did not go into it.
fn site_below(dir: &Path) -> Option<PathBuf> {
    let (above, name) = (dir.parent()?, dir.file_name()?);
    let listed = if above.as_os_str().is_empty() { Path::new(".") } else { above };
    let folders = std::fs::read_dir(listed).ok()?.flatten().map(|it| above.join(it.file_name()));
    folders.filter(|folder| folder.join(name).join("site.toml").is_file()).min()
}

/// Reads the whole directory. `None` when too little of it could be read to go on; the reasons are
/// in `report` either way.
pub fn load(dir: &Path, options: &LoadOptions, report: &Report) -> Option<Content> {
    if !is_content(dir, report) {
        return None;
    }
    let folder = Folder::of(dir);
    warn_about_unknown_files(folder.own(), KNOWN, report);
    if let Ok(Some(shared)) = folder.shared() {
        warn_about_unknown_files(shared, folder::SHARED_FILES, report);
    }
    let site = site::read(&folder, options.base_url.as_deref(), report);
    let words = appearance::words(&folder, report);
    let language = site.as_ref().map_or("en", |site| &site.language);
    let platform = verification::of_platform(language, &words);
    let business_file = business::read(&folder, &platform, report);
    let stated = business_file.business.as_ref().and_then(|business| business.policy.date);
    let place = Place::file(folder.own().shown(business::FILE.as_ref()).display().to_string());
    reviews::refuse_future(("policy.date", stated), options.today, &place, report);
    let (technicians, photos) = entities::technicians(&folder, report);
    let (services, service_texts) = entities::services(&folder, report);
    let (service_areas, postal_codes, area_texts) = entities::service_areas(&folder, report);
    let mut links = pages::Links::new();
    for (folder, texts) in [("services", &service_texts), ("areas", &area_texts)] {
        for (id, (text, place)) in texts {
            pages::add_links(&format!("{folder}/{id}/"), (text, place), &mut links, report);
        }
    }
    let problems = entities::problems(&folder, report);
    let topics = entities::topics(&folder, report);
    let category = business_file.business.as_ref().and_then(|it| it.category.as_deref());
    let aspects = AspectConfig {
        quality: aspects::quality_label(category),
        ..aspects::read(&folder, report)
    };
    let annotations = annotations::read(dir, report);
    let faq = pages::faq(&folder, &mut links, report);
    let (summary, summary_place) = pages::summary(dir, &mut links, report);
    let day = summary.as_ref().and_then(|summary| summary.date).map(Day::from);
    reviews::refuse_future(("date", day), options.today, &summary_place.place(), report);
    let overrides = overrides::read(dir, report);
    for correction in overrides.values() {
        let day = correction.date.to_zoned(TimeZone::UTC).date().into();
        let reply = match &correction.owner_reply {
            Some(ReplyOrNone::Reply(reply)) => reply.date,
            _ => None,
        };
        for (key, day) in [("date", Some(day)), ("owner_reply.date", reply)] {
            reviews::refuse_future((key, day), options.today, &correction.place, report);
        }
    }
    // The rules are needed when all is read, and take as long as the reviews.
    let read = || reviews::read(dir, options.today, report);
    let ((reviews, rejected), ()) = parallel::both(read, || insights::prepare(&aspects, language));
    let import_settings = import_settings::read(&folder, report);
    places::read(&folder, report);
    time_zone::check(&business_file, &reviews, report);
    let tombstones = tombstones::read(dir, report);
    let imports = import_log::read(dir, report);
    let log = transparency::read(dir, report);
    let templates = appearance::templates(&folder, report);
    let own_pages = own_pages::read(dir, &mut links, report);
    let static_files = static_files::read(folder.own(), report);
    let site = site.map(|site| Site {
        appearance: Appearance {
            photos,
            words,
            templates,
            links,
            own_pages,
            static_files,
            ..site.appearance
        },
        ..site
    });
    if let Some(site) = &site {
        appearance::check_language(&folder, &site.language, &site.appearance, report);
    }
    Some(Content {
        folder,
        site: site?,
        business: business_file.business?,
        sources: business_file.sources,
        claims: business_file.claims,
        technicians,
        services,
        service_areas,
        postal_codes,
        service_texts,
        area_texts,
        problems,
        topics,
        aspects,
        annotations,
        faq,
        summary,
        summary_place,
        overrides,
        reviews,
        rejected,
        tombstones,
        imports,
        import_settings,
        log,
    })
}

fn warn_about_unknown_files(root: &Root, known: &[&str], report: &Report) {
    for name in text_file::names(root, "", report) {
        // A picture may be the logo, also in a folder; whoever keeps others here keeps them for somewhere else.
        let inside = root.names(name.as_ref()).unwrap_or_default();
        let is_read = inside.iter().chain([&name]).any(|name| picture::is_picture(name));
        if is_read || known.contains(&name.as_str()) {
            continue;
        }
        let place = Place::file(root.path().join(&name).display().to_string());
        let help = if crate::theme::template_names().any(|template| template == name) {
            format!("did you mean \"templates/{name}\"?")
        } else if name == "reviews.ndjson" {
            "move it to reviews/2026.ndjson".to_owned()
        } else if let Some(meant) = name.strip_suffix(".txt").filter(|name| known.contains(name)) {
            format!("did you mean \"{meant}\"?")
        } else {
            contract::problem::unknown_help(&name, known.iter().copied())
        };
        report.warning("unknown-file", place, "nothing reads this file", help);
    }
}

impl Content {
    /// Returns one of its files as a whole as the place of a problem.
    #[must_use]
    pub fn place(&self, file_name: &str) -> Place {
        Place::file(self.folder.own().path().join(file_name).display().to_string())
    }

    /// Whether these of its files are free of errors: entries that depend on others are not checked.
    #[must_use]
    pub fn is_sound(&self, file_names: &[&str], report: &Report) -> bool {
        !file_names.iter().any(|name| self.folder.has_errors_in(name, report))
    }
}
