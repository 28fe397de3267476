//! The templates, the words and the values that every page shares, made once for all pages.

use insights::bounded;
use minijinja::{Environment, Value, context, value::Serde};
use serde::Serialize;

use super::{
    actions::{ActionView, actions, code, review_link},
    assets::Assets,
    contact::{ContactView, contact},
    routes::{LinkView, PICTURE},
    templates,
    values::{EVERY_TEMPLATE, TemplateValues, ValueLog},
    view::{MIN_FOR_LISTS, MIN_OPINIONS, Viewer},
};
use crate::document::RenderError;
use content::{Menu, dataset::Dataset};

/// The percentage of reviews with an opinion below which figures of aspects would speak for too few.
const SCORED_PERCENT: u64 = 30;

/// The size in dots of the picture beside a link, as Open Graph and X cards require it.
pub(super) const PICTURE_SIZE: (u32, u32) = (1_200, 630);

/// Renders pages. Shared by all threads.
#[derive(Debug)]
pub(super) struct Renderer<'d> {
    pub(super) viewer: Viewer<'d>,
    pub(super) assets: Assets,
    pub(super) environment: Environment<'static>,
    pub(super) site: Value,
    /// The log of the values that templates get, if it is wanted.
    log: Option<ValueLog>,
}

/// The values that every page has.
#[derive(Debug, Serialize)]
struct SiteView<'d> {
    title: &'d str,
    name: &'d str,
    description: Option<&'d str>,
    language: String,
    direction: &'static str,
    sample: bool,
    has_reviews: bool,
    /// The `Content-Security-Policy`: what pages may load.
    policy: &'d str,
    base_url: &'d str,
    /// The path before every link to a document at the root.
    root: String,
    /// The path of the first page.
    home: String,
    logo: Option<String>,
    /// The address of the picture that is shown beside links, and its size.
    picture: Option<PictureView>,
    /// The path of the list of all reviews, or of the first page if that has all.
    all: String,
    /// The path of the page that explains how figures are computed.
    about: String,
    /// The path of the page with the owner's statements, and what is withheld.
    review_policy: String,
    /// The links to the business, the most direct first.
    actions: Vec<ActionView>,
    /// The page with the places to write a review.
    review_us: Option<LinkView>,
    menu: Vec<LinkView>,
    /// The owner's pages that are linked at the end of every page.
    footer: Vec<LinkView>,
    developers: LinkView,
    badges: LinkView,
    website: Option<&'d str>,
    contact: ContactView,
    sidecar: bool,
    hub: Option<String>,
    terms: Option<&'d contract::model::DataTerms>,
}

#[derive(Debug, Serialize)]
struct PictureView {
    url: String,
    width: u32,
    height: u32,
}

impl<'d> Renderer<'d> {
    pub(super) fn new(data: &'d Dataset) -> Result<Self, RenderError> {
        let viewer = Viewer::new(data);
        let appearance = &data.site.appearance;
        let assets = Assets::of(appearance, data.log.is_some(), code(&viewer), &viewer.routes);
        let asset = assets.function(&viewer.routes);
        let environment = templates::environment(appearance, asset, &viewer.words)?;
        let site = Value::from(Serde(site_view(&viewer, &assets)));
        Ok(Self { viewer, assets, environment, site, log: None })
    }

    /// Makes a renderer that records the values that each template gets.
    pub(super) fn noting(data: &'d Dataset) -> Result<Self, RenderError> {
        let log = ValueLog::default();
        let mut renderer = Self::new(data)?;
        renderer.viewer.words.take_used();
        renderer.site = Value::from(Serde(site_view(&renderer.viewer, &renderer.assets)));
        log.note(EVERY_TEMPLATE, "site", &renderer.site);
        Ok(Self { log: Some(log), ..renderer })
    }

    /// Returns the recorded values.
    pub(super) fn values(&self) -> TemplateValues {
        self.log.as_ref().map(ValueLog::values).unwrap_or_default()
    }

    pub(super) fn note(&self, template: &str, name: &str, value: &Value) {
        if let Some(log) = &self.log {
            log.note(template, name, value);
        }
    }

    /// Renders a template that is not a page.
    pub(super) fn fragment(&self, template: &str, view: Value) -> Result<String, RenderError> {
        self.note(template, "view", &view);
        self.rendered(template, context! { site => &self.site, view => view })
    }

    /// The text of a template: within bounds, where the site has templates of its own.
    pub(super) fn rendered(&self, name: &str, values: Value) -> Result<String, RenderError> {
        let template = self.environment.get_template(name)?;
        let own = &self.viewer.data.site.appearance.templates;
        let mut pages = own.iter().filter(|(name, _)| name.ends_with(".html"));
        let Some(at_fault) = own.get(name).or_else(|| Some(pages.next()?.1)) else {
            return Ok(template.render(values)?);
        };
        let place = || at_fault.path.display().to_string();
        bounded(place, || template.render(values)).map_err(RenderError::Template)
    }
}

fn site_view<'d>(viewer: &Viewer<'d>, assets: &Assets) -> SiteView<'d> {
    let (data, routes) = (viewer.data, &viewer.routes);
    let business = &data.business;
    let page = |name: &str, word: &str| viewer.link(&routes.page(name), viewer.words.word(word));
    let is_small = data.reviews.len() < MIN_FOR_LISTS;
    let all = viewer.link(&routes.all(), viewer.words.word("reviews"));
    let mut menu: Vec<LinkView> = (!is_small).then_some(all).into_iter().collect();
    let subjects = [
        ("technicians/", "technicians", business.technicians.iter().any(|who| who.is_scored)),
        ("services/", "services", !business.services.is_empty()),
        ("areas/", "areas", !business.service_areas.is_empty()),
    ];
    if shows_aspects(data) {
        menu.push(page("aspects/", "aspects"));
    }
    menu.extend(
        subjects.into_iter().filter(|(.., any)| *any).map(|(path, word, _)| page(path, word)),
    );
    if !data.faq.is_empty() {
        menu.push(page("faq/", "questions"));
    }
    menu.push(page("search/", "search"));
    let own = |place| viewer.own_links(place);
    menu.extend(own(Menu::Header));
    SiteView {
        title: &data.title,
        name: &business.name,
        description: business.description.as_deref(),
        language: viewer.words.language.clone(),
        direction: viewer.words.direction(),
        sample: data.site.sample,
        has_reviews: !data.reviews.is_empty(),
        policy: data.site.security.policy(),
        base_url: &data.site.base_url,
        root: routes.href("").trim_end_matches('/').to_owned(),
        home: routes.href(&routes.page("")),
        logo: assets.logo(data).map(|path| routes.href(path)),
        picture: data.site.appearance.pages.exist().then(|| PictureView {
            url: routes.url(&routes.page(PICTURE)),
            width: PICTURE_SIZE.0,
            height: PICTURE_SIZE.1,
        }),
        all: routes.href(&if is_small { routes.page("") } else { routes.all() }),
        about: routes.href(&routes.page("about-these-reviews/")),
        review_policy: routes.href(&routes.policy()),
        actions: actions(viewer),
        review_us: review_link(viewer),
        menu,
        footer: own(Menu::Footer),
        developers: page("developers/api/", "developers"),
        badges: page("badges/", "badges"),
        website: business.url.as_deref(),
        contact: contact(viewer),
        sidecar: data.site.sidecar,
        hub: data.hub(),
        terms: business.data_terms.as_ref(),
    }
}

/// Whether enough reviews could be judged for figures of aspects.
pub(super) fn shows_aspects(data: &Dataset) -> bool {
    let coverage = &data.insights.coverage;
    let judged = coverage.text + coverage.annotated;
    let mut counts = data.insights.aspects.iter().map(|aspect| aspect.tally.count());
    let any = counts.any(|count| count >= MIN_OPINIONS);
    any && judged * 100 >= SCORED_PERCENT * data.reviews.len() as u64
}
