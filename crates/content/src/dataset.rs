//! Turns the content into the data to publish: corrections applied, names resolved, authors' privacy kept, unverified
//! reviews withheld and counted. Everything rendered is rendered from a [`Dataset`].

mod aggregate;
mod check;
mod extent;
mod mentions;
mod moderation;
mod photos;
mod publish;
mod published;
mod standing;

use contract::{
    model::{
        AggregateRating, Business, Day, Named, Review, ReviewId, Service, Summary, Technician,
        Verification, VerificationKind,
    },
    problem::Report,
    routes,
};
use insights::{Annotation, Answer, Applied, AspectConfig, Entity, Insights, names::KnownNames};
use std::{
    collections::{BTreeMap, HashMap},
    sync::Arc,
};

use jiff::Timestamp;
use tracing::info_span;

pub use aggregate::{SourceSummary, SourceVerification};
pub use extent::{Extent, parts, rated, with_claim};
pub use moderation::Moderation;
pub use moderation::withheld;
pub use standing::Unpublished;

use crate::{
    cache::Cache,
    entities::{OwnTexts, PostalCodes},
    load::Content,
    record::Record,
    site::Site,
    transparency::TransparencyLog,
    words::Words,
};
use moderation::Moderated;

/// One business's reviews, ready to be rendered. Reviews are newest first: date, then id, falling.
#[derive(Debug)]
pub struct Dataset {
    /// Site settings.
    pub site: Site,
    /// The site's title, or the business's name.
    pub title: String,
    /// Identity, with the public technicians, services and areas.
    pub business: Business,
    /// The postal codes of its areas.
    pub postal_codes: PostalCodes,
    /// The owner's texts on pages of services.
    pub service_texts: OwnTexts,
    /// The owner's texts on pages of areas.
    pub area_texts: OwnTexts,
    /// Averages and distribution over all published reviews.
    pub aggregate: AggregateRating,
    /// Averages and distribution of each source.
    pub sources: Vec<SourceSummary>,
    /// The reviews that are withheld, counted.
    pub moderation: Moderation,
    /// All published reviews.
    pub reviews: Vec<Review>,
    /// The known reviews that are not published, with the reasons.
    pub unpublished: Unpublished,
    /// The transparency log, where the site has one.
    pub log: Option<TransparencyLog>,
    /// Reviews that were withdrawn, and the time.
    pub withdrawn: Vec<(ReviewId, Timestamp)>,
    /// Days after which imports remove a review that its source no longer has.
    pub drop_missing_after: Option<u16>,
    /// The computed insights: counts, aspects and quotes.
    pub insights: Insights,
    /// Questions and answers, the owner's first.
    pub faq: Vec<Answer>,
    /// The summary: the owner's, or a computed one where the data suffices.
    pub summary: Option<Summary>,
    /// The newest `updated`, never the clock.
    pub generated_at: Timestamp,
    /// The entities that the owner listed, which texts are searched for.
    pub listed: Listed,
}

/// The entities that the owner listed, public or not.
#[derive(Debug, Default)]
pub struct Listed {
    /// `technicians.toml`
    pub technicians: Vec<insights::Technician>,
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
}

impl Listed {
    /// Returns all names that a text is searched for.
    #[must_use]
    pub fn names(&self) -> KnownNames<'_> {
        KnownNames {
            technicians: &self.technicians,
            services: &self.services,
            service_areas: &self.service_areas,
            problems: &self.problems,
            topics: &self.topics,
        }
    }
}

impl Dataset {
    /// Applies all content; texts with an analysis in `cache` are not analysed again. Reports problems of the whole.
    #[must_use]
    pub fn assemble(mut content: Content, cache: &Cache, report: &Report) -> Self {
        check::references(&content, report);
        check::invisible(&content, report);
        // Figures of content with errors would be wrong: nothing is reported about them.
        let ignored = Report::default();
        let whole =
            if content.is_sound(crate::load::DESCRIBING, report) { report } else { &ignored };
        let names = mentions::compile(&content, report);
        let mut stored: BTreeMap<String, u64> = BTreeMap::new();
        for review in &content.reviews {
            *stored.entry(review.source.0.to_string()).or_default() += 1;
        }
        let moderated = moderation::withhold(&mut content);
        check::duplicates(&moderated.kept, whole);
        moderated.report(&content.place("business.toml"), whole);
        let Moderated { kept, moderation, withdrawn, withheld, .. } = moderated;
        let unpublished = Unpublished::new(withheld, &content.tombstones);

        let annotations = std::mem::take(&mut content.annotations);
        let annotations = judgements(annotations, &kept, &content.aspects, whole);
        let known = known(&content);
        let resolver = mentions::Resolver {
            names: names.as_ref(),
            known,
            annotations: &annotations,
            language: &content.site.language,
        };
        let resolved = resolver.resolve_all(&kept, &content.overrides, whole);
        let mut reviews: Vec<Review> = kept
            .into_iter()
            .zip(resolved)
            .map(|(record, mentions)| {
                let correction = content.overrides.get(&record.id);
                publish::publish(record, correction, mentions, &content)
            })
            .collect();
        info_span!("detect languages")
            .in_scope(|| insights::detect_languages(&mut reviews, &content.site.language, cache));

        let mut business = described(&content, &reviews);
        let sources = aggregate::by_source(
            &reviews,
            &stored,
            &content.sources,
            &content.imports,
            &business.methods,
        );
        let described = (&*content.sources, &content.claims);
        aggregate::check_claims(described, &sources, &stored, whole);
        business.verification = shared_method(&sources, &business.methods);
        business.methods.retain(|name, _| sources.iter().any(|source| source.source == *name));
        let aggregate = AggregateRating::over(reviews.iter().map(|review| review.rating));
        let input = insights::Input {
            reviews: &reviews,
            language: &content.site.language,
            business: &business,
            known,
            config: &content.aspects,
            annotations: &annotations,
            memory: cache,
        };
        let insights = insights::compute(&input, report);
        let words = Words::new(&content.site);
        let facts = insights::Facts {
            business: &business,
            aggregate: &aggregate,
            insights: &insights,
            reviews: &reviews,
            rated: rated(&words, &aggregate, &sources),
            parts: parts(&words, &sources),
            speech: Arc::new(words),
        };
        let whole =
            if content.is_sound(crate::load::DESCRIBING, report) { report } else { &ignored };
        let place = &content.summary_place;
        let (faq, summary) = insights::answers(&facts, content.faq, content.summary, place, whole);
        let mut site = content.site;
        // Who has no page has no picture.
        let shown = |id: &str| business.technicians.iter().any(|t| t.is_scored && *t.id == *id);
        site.appearance.photos.retain(|id, _| shown(id));
        photos::make(&mut site, cache, report);
        let data = Self {
            title: site.title.clone().unwrap_or_else(|| business.name.clone()),
            generated_at: newest_change(&reviews).unwrap_or(site.id_base_date),
            sources,
            site,
            business,
            postal_codes: content.postal_codes,
            service_texts: content.service_texts,
            area_texts: content.area_texts,
            aggregate,
            moderation,
            reviews,
            unpublished,
            log: content.log,
            withdrawn,
            drop_missing_after: content.import_settings.drop_missing_after,
            insights,
            faq,
            summary,
            listed: Listed {
                technicians: content.technicians,
                services: content.services,
                service_areas: content.service_areas,
                problems: content.problems,
                topics: content.topics,
                aspects: content.aspects,
            },
        };
        standing::report_unlogged(&data, content.folder.own().path(), whole);
        data
    }

    /// The address of a published path.
    #[must_use]
    pub fn address(&self, path: &str) -> String {
        format!("{}/{path}", self.site.base_url)
    }

    /// Returns the address of the hub, on a site that has one.
    #[must_use]
    pub fn hub(&self) -> Option<String> {
        self.site.sidecar.then(|| format!("{}{}", self.site.base_url, routes::HUB))
    }

    /// The stable `tag:` URI of a review (RFC 4151).
    #[must_use]
    pub fn entry_id(&self, id: ReviewId) -> String {
        format!("{}/{id}", self.site.id_base)
    }

    /// Whether a source marks a review as one of a verified purchase.
    #[must_use]
    pub fn has_purchases(&self) -> bool {
        self.reviews.iter().any(|review| review.verification == VerificationKind::Purchase)
    }

    /// Reviews by id.
    #[must_use]
    pub fn by_id(&self) -> HashMap<ReviewId, &Review> {
        self.reviews.iter().map(|review| (review.id, review)).collect()
    }
}

/// Returns all names that a text is searched for.
fn known(content: &Content) -> KnownNames<'_> {
    KnownNames {
        technicians: &content.technicians,
        services: &content.services,
        service_areas: &content.service_areas,
        problems: &content.problems,
        topics: &content.topics,
    }
}

/// The business with its public technicians, its services and areas. Who has figures is decided on
/// the day of the newest review.
fn described(content: &Content, reviews: &[Review]) -> Business {
    let as_of = reviews.first().map(|review| review.date.midnight_utc());
    let as_of = as_of.unwrap_or(content.site.id_base_date).to_zoned(jiff::tz::TimeZone::UTC).date();
    let named = |entity: &Entity| Named { id: entity.id.clone(), name: entity.name.clone() };
    let public = content.technicians.iter().filter(|technician| technician.public);
    let technician = |technician: &insights::Technician| Technician {
        id: technician.entity.id.clone(),
        name: technician.entity.name.clone(),
        aliases: technician.entity.aliases.clone(),
        active_until: technician.active_until.map(Day::from),
        is_scored: technician.is_scored(as_of),
    };
    let service = |entity: &Entity| Service {
        id: entity.id.clone(),
        label: entity.name.clone(),
        aliases: entity.aliases.clone(),
    };
    Business {
        technicians: public.map(technician).collect(),
        services: content.services.iter().map(service).collect(),
        service_areas: content.service_areas.iter().map(named).collect(),
        ..content.business.clone()
    }
}

/// The method that all published sources share; on a site without reviews, all stated sources.
fn shared_method(
    sources: &[SourceSummary],
    methods: &BTreeMap<String, Verification>,
) -> Option<Verification> {
    let published = sources.iter().map(|source| methods.get(&source.source));
    let mut all: Vec<Option<&Verification>> = published.collect();
    if all.is_empty() {
        all = methods.values().map(Some).collect();
    }
    let first = *all.first()?;
    all.iter().all(|method| *method == first).then(|| first.cloned()).flatten()
}

/// Returns the time of the newest change of a review.
fn newest_change(reviews: &[Review]) -> Option<Timestamp> {
    reviews.iter().map(|review| review.updated).max()
}

/// The annotations that are about the published texts.
fn judgements(
    annotations: Vec<Annotation>,
    kept: &[Record],
    aspects: &AspectConfig,
    report: &Report,
) -> Applied {
    if annotations.is_empty() {
        return Applied::default();
    }
    let words = |record: &Record| record.text.as_ref().and_then(|words| words.0.clone());
    let texts: BTreeMap<ReviewId, Option<Box<str>>> =
        kept.iter().map(|record| (record.id, words(record))).collect();
    Applied::new(annotations, &texts, aspects, report)
}
