//! The files of entities that reviews mention: technicians, services, areas, problems, topics.

use std::{collections::BTreeMap, sync::Arc};

use schemars::JsonSchema;
use serde::Deserialize;

use super::{
    appearance::Photos,
    folder::Folder,
    picture::Use,
    toml_reader::{At, SLUG, TomlFile},
};
use contract::{
    model::Day,
    problem::{Passage, Report},
};
use insights::{Entity, Technician};

macro_rules! lists {
    ($(
        $(#[$doc:meta])* $file:ident { $key:ident }
        $table:ident { $(#[$name_doc:meta])* $name:ident, $($(#[$more_doc:meta])* $more:ident: $type:ty,)* }
    )+) => {
        $(
            $(#[$doc])*
            #[derive(Default, Deserialize, JsonSchema)]
            #[serde(default)]
            pub(super) struct $file {
                $key: Vec<$table>,
            }

            #[derive(Deserialize, JsonSchema)]
            struct $table {
                /// Small letters, digits and hyphens
                #[schemars(extend("pattern" = SLUG))]
                id: At<String>,
                $(#[$name_doc])*
                $name: String,
                /// Other names and words for it
                #[serde(default)]
                aliases: Vec<At<String>>,
                $($(#[$more_doc])* $more: $type,)*
            }

            impl $table {
                fn entity(&self, file: &TomlFile<'_>) -> Entity {
                    warn_of_commas(file, &self.aliases);
                    Entity {
                        id: self.id.as_str().into(),
                        name: self.$name.as_str().into(),
                        aliases: self.aliases.iter().map(|it| it.as_str().to_owned()).collect(),
                        place: file.place(self.id.span()),
                    }
                }
            }
        )+
    };
}

lists! {
    /// `technicians.toml`: who does the work
    TechniciansFile { technician }
    TechnicianTable {
        /// The name reviews are searched for
        name,
        /// A picture in the content folder
        #[schemars(extend("x-rule" = "face"))]
        photo: Option<At<String>>,
        /// First day
        active_from: Option<Day>,
        /// Last day
        active_until: Option<At<Day>>,
        /// false: never published
        public: Option<bool>,
        /// Whether there is a page and figures such as the share of praise; default: until the last day
        score: Option<bool>,
        /// Whether misspellings match; default: false
        #[serde(default)]
        fuzzy: bool,
    }
    /// `services.toml`: what the business does
    ServicesFile { service }
    ServiceTable {
        /// What it is called
        label,
        /// What its page says of it: Markdown
        text: Option<At<String>>,
    }
    /// `service_areas.toml`: where it works
    ServiceAreasFile { service_area }
    AreaTable {
        /// What it is called
        name,
        /// Postal codes
        #[serde(default)]
        #[schemars(extend("uniqueItems" = true))]
        zip: Vec<String>,
        /// What its page says of it: Markdown
        text: Option<At<String>>,
    }
    /// `problems.toml`: problems that reviews mention
    ProblemsFile { problem }
    ProblemTable {
        /// What it is called
        label,
    }
    /// `topics.toml`: further things that reviews mention
    TopicsFile { topic }
    TopicTable {
        /// What it is called
        label,
    }
}

/// Warns of several names in one text, which no review has as a whole.
fn warn_of_commas(file: &TomlFile<'_>, aliases: &[At<String>]) {
    for alias in aliases.iter().filter(|alias| alias.contains(',')) {
        let each: Vec<String> = alias.split(',').map(|name| format!("{:?}", name.trim())).collect();
        let message = format!("aliases: {:?} is one name with a comma in it", **alias);
        let help = format!("put each name in quotes of its own: {}", each.join(", "));
        file.warning(alias.span(), "invalid-value", message, help);
    }
}

pub(super) fn technicians(folder: &Folder, report: &Report) -> (Vec<Technician>, Photos) {
    let mut photos = Photos::new();
    let Some(file) = folder.toml("technicians.toml", report) else { return (Vec::new(), photos) };
    let read = |it: TechnicianTable| {
        let entity = it.entity(&file);
        let photo = it
            .photo
            .and_then(|name| Some((file.picture(&name, Use::Face)?, file.place(name.span()))));
        photos.extend(photo.map(|photo| (entity.id.clone(), photo)));
        if let (Some(from), Some(until)) = (it.active_from, &it.active_until)
            && **until < from
        {
            let message = format!("active_until {} is before active_from {from}", **until);
            let help = "correct one of the two days";
            file.error(until.span(), "invalid-value", message, help);
        }
        Technician {
            entity,
            active_from: it.active_from.map(Day::date),
            active_until: it.active_until.map(|day| day.date()),
            public: it.public.unwrap_or(true),
            score: it.score,
            fuzzy: it.fuzzy,
        }
    };
    let tables = file.load::<TechniciansFile>().unwrap_or_default().technician;
    let technicians = tables.into_iter().map(read).collect();
    (technicians, photos)
}

/// The owner's texts for the pages of services or areas, in Markdown, each with its place, by id.
pub type OwnTexts = BTreeMap<Arc<str>, (String, Passage)>;

fn own_text(file: &TomlFile<'_>, text: At<String>) -> (String, Passage) {
    let place = file.passage(text.span(), false);
    (text.into_inner(), place)
}

pub(super) fn services(folder: &Folder, report: &Report) -> (Vec<Entity>, OwnTexts) {
    let mut texts = OwnTexts::new();
    let Some(file) = folder.toml("services.toml", report) else { return (Vec::new(), texts) };
    let read = |it: ServiceTable| {
        let entity = it.entity(&file);
        texts.extend(it.text.map(|text| (entity.id.clone(), own_text(&file, text))));
        entity
    };
    let tables = file.load::<ServicesFile>().unwrap_or_default().service;
    let services = tables.into_iter().map(read).collect();
    (services, texts)
}

/// The postal codes of the areas that have some, by id.
pub type PostalCodes = BTreeMap<Arc<str>, Vec<String>>;

pub(super) fn service_areas(
    folder: &Folder,
    report: &Report,
) -> (Vec<Entity>, PostalCodes, OwnTexts) {
    let (mut codes, mut texts) = (PostalCodes::new(), OwnTexts::new());
    let Some(file) = folder.toml("service_areas.toml", report) else {
        return (Vec::new(), codes, texts);
    };
    let read = |it: AreaTable| {
        let entity = it.entity(&file);
        codes.extend((!it.zip.is_empty()).then(|| (entity.id.clone(), it.zip)));
        texts.extend(it.text.map(|text| (entity.id.clone(), own_text(&file, text))));
        entity
    };
    let tables = file.load::<ServiceAreasFile>().unwrap_or_default().service_area;
    let areas = tables.into_iter().map(read).collect();
    (areas, codes, texts)
}

pub(super) fn problems(folder: &Folder, report: &Report) -> Vec<Entity> {
    let Some(file) = folder.toml("problems.toml", report) else { return Vec::new() };
    let problems = file.load::<ProblemsFile>().unwrap_or_default().problem;
    problems.iter().map(|it| it.entity(&file)).collect()
}

pub(super) fn topics(folder: &Folder, report: &Report) -> Vec<Entity> {
    let Some(file) = folder.toml("topics.toml", report) else { return Vec::new() };
    let topics = file.load::<TopicsFile>().unwrap_or_default().topic;
    topics.iter().map(|it| it.entity(&file)).collect()
}
