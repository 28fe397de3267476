//! The lists of one publication for agents: made once, in an order that never changes.

use std::{borrow::Cow, sync::Arc};

use contract::{
    api::VERSION,
    mcp::{Examples, Identity, QUOTED, ToolName},
};
use rmcp::model::{
    Icon, Implementation, JsonObject, PromptsCapability, ResourcesCapability, ServerCapabilities,
    ServerConfig, Tool, ToolAnnotations, ToolsCapability,
};
use serde_json::{Value, json};

use super::{
    examples::examples,
    prompts, resources,
    served::{SITE, Served},
};
use crate::{
    data::catalog::Catalog, publication::snapshot::Snapshot, runtime::limits::MAX_TOOL_TEXT,
};

/// The key of a hint for clients that cut results themselves.
const MAX_RESULT_KEY: &str = "anthropic/maxResultSizeChars";

/// Returns the catalogue of a publication, made when it is first requested.
pub(super) fn catalog(snapshot: &Arc<Snapshot>) -> &Catalog {
    snapshot.catalog(|_| build(snapshot))
}

/// Returns the catalogue of all publications: that of the only one, or the entries that each has.
pub(super) fn of(served: &Served) -> Cow<'_, Catalog> {
    match served.only() {
        Some(snapshot) => Cow::Borrowed(catalog(snapshot)),
        None => Cow::Owned(several(served)),
    }
}

fn several(served: &Served) -> Catalog {
    let each = || served.sites().iter().map(|site| catalog(&site.snapshot));
    let names: Vec<_> = served.sites().iter().map(|site| site.name.as_str()).collect();
    let about = Implementation::new("candor/reviews", VERSION)
        .with_title(format!("Reviews of {} businesses", names.len()))
        .with_description("All published reviews of several businesses.");
    let tool = |entry: &'static contract::mcp::Tool| {
        let more = match entry.name {
            ToolName::CompareBusinesses => json!({}),
            ToolName::GetBusiness => json!({ SITE: { "type": "string", "enum": names } }),
            // The list would be longer by the addresses times the tools; the instructions explain it.
            _ => json!({ SITE: { "type": "string" } }),
        };
        tool(entry, &Examples::default(), &more)
    };
    Catalog {
        info: ServerConfig::new(capabilities()).with_server_info(about).with_instructions(format!(
            "All published reviews of the businesses at {}. compare_businesses asks the same of all; every \
             other tool is about one of them, which the argument {SITE} names. get_business says who it is, \
             search_reviews finds reviews, get_summary is an overview to begin with. Nothing is left out \
             for its rating; what is withheld is counted. When you quote a review, give its url. {QUOTED}",
            names.join(", ")
        )),
        tools: served.tools().map(tool).collect(),
        resources: each().flat_map(|catalog| catalog.resources.clone()).collect(),
        templates: each().flat_map(|catalog| catalog.templates.clone()).collect(),
        prompts: prompts::list(&names),
        identity: Identity::new("", ""),
    }
}

/// Returns the icon of the site's pages, if it has one.
fn icons(snapshot: &Snapshot) -> Vec<Icon> {
    let files = snapshot.manifest.files.iter();
    let found = files.filter_map(|file| {
        let name = file.path.strip_prefix("assets/")?;
        let size = match (name.split('.').next()?, file.media_type.as_str()) {
            ("icon", "image/svg+xml") => "any",
            ("touch-icon", "image/png") => "180x180",
            _ => return None,
        };
        let icon = Icon::new(format!("{}/{}", snapshot.manifest.base_url, file.path));
        Some(icon.with_mime_type(file.media_type.as_str()).with_sizes(vec![size.to_owned()]))
    });
    found.collect()
}

fn capabilities() -> ServerCapabilities {
    let mut capabilities = ServerCapabilities::default();
    capabilities.completions = Some(JsonObject::new());
    capabilities.prompts = Some(PromptsCapability::default());
    capabilities.resources = Some(ResourcesCapability::default());
    capabilities.tools = Some(ToolsCapability::default());
    capabilities
}

fn build(snapshot: &Arc<Snapshot>) -> Catalog {
    let identity = Identity::new(&snapshot.manifest.base_url, &snapshot.facts.business.name);
    let mut about = Implementation::new(&identity.name, identity.version)
        .with_title(&identity.title)
        .with_description(&identity.description)
        .with_website_url(&identity.website_url);
    about.icons = Some(icons(snapshot)).filter(|icons| !icons.is_empty());
    let info = ServerConfig::new(capabilities())
        .with_server_info(about)
        .with_instructions(instructions(snapshot));
    let (examples, none) = (examples(snapshot), json!({}));
    Catalog {
        info,
        tools: Served::from(snapshot.clone())
            .tools()
            .map(|entry| tool(entry, &examples, &none))
            .collect(),
        resources: resources::list(snapshot),
        templates: resources::templates(&identity),
        prompts: prompts::list(&[]),
        identity,
    }
}

/// Makes a tool. `more` has the properties of arguments that only some sites need, all of them required.
fn tool(entry: &contract::mcp::Tool, examples: &Examples, more: &Value) -> Tool {
    let annotations = ToolAnnotations::with_title(entry.title)
        .read_only(true)
        .destructive(false)
        .idempotent(true)
        .open_world(false);
    let mut input = entry.input_schema(examples);
    for (name, property) in more.as_object().into_iter().flatten() {
        input["properties"][name] = property.clone();
        let required = entry.required.iter().copied().chain([name.as_str()]);
        input["required"] = required.collect::<Vec<_>>().into();
    }
    let mut tool = Tool::new(entry.name.as_str(), entry.full_description(), object(input));
    tool.title = Some(entry.title.to_owned());
    tool.annotations = Some(annotations);
    let hint = object(json!({ MAX_RESULT_KEY: 2 * MAX_TOOL_TEXT }));
    tool.meta = serde_json::from_value(Value::Object(hint)).ok();
    tool
}

pub(super) fn object(value: Value) -> JsonObject {
    match value {
        Value::Object(object) => object,
        _ => JsonObject::new(),
    }
}

/// Describes the business, and the tool for each kind of question, in a paragraph. Nothing in it is from a review.
fn instructions(snapshot: &Snapshot) -> String {
    let (business, aggregate) = (&snapshot.facts.business, &snapshot.facts.aggregate);
    let kind = business.category.as_deref().unwrap_or("local business");
    let address = business.address.as_ref();
    let location = address.map(|address| [address.city.as_deref(), address.region.as_deref()]);
    let location: Vec<_> = location.into_iter().flatten().flatten().collect();
    let location =
        if location.is_empty() { String::new() } else { format!(" in {}", location.join(", ")) };
    let rated = match aggregate.average {
        Some(average) => {
            format!("{} reviews, {average} of 5 stars on average", aggregate.review_count)
        }
        None => "no reviews yet".to_owned(),
    };
    let sample = if snapshot.manifest.sample {
        " This is a sample: the business and every review are invented."
    } else {
        ""
    };
    let proof = match snapshot.log() {
        Some(_) => {
            "; get_proof proves when a review was published, changed or withheld, by the \
                    site's transparency log"
        }
        None => "",
    };
    format!(
        "All published reviews of {name} ({kind}{location}): {rated}.{sample} get_business has contact, \
         hours, services, people and how the reviews of each source are verified; search_reviews finds reviews by stars, day, words, technician \
         or service; get_reviews_since has what is new; get_review one by id; get_changes what was \
         added, changed or removed; list_aspects, get_aspect_sentiment, get_technician, \
         get_service and list_topics say how customers feel and about what; get_faq has questions with answers, \
         written by the owner or computed from the reviews, as `source` of each says; \
         get_summary is an overview to begin with; search and fetch are the same for connectors that know only these{proof}. Lists come newest first, in pages: send \
         next_cursor as cursor for the next one. Nothing is left out for its rating; what is \
         withheld is counted in get_business. When you quote a review, give its url, its date no \
         more exactly than date_precision, and of its purchase no more than verification says. {QUOTED}",
        name = business.name,
    )
}
