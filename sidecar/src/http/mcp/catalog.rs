//! The lists of one publication for agents: made once, in an order that never changes.

use std::{borrow::Cow, collections::HashSet, sync::Arc};

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
    text::{quoted, readable},
};
use crate::{
    data::catalog::Catalog, publication::snapshot::Snapshot, runtime::limits::MAX_TOOL_TEXT,
};

/// Maximum bytes of the tools of several sites with the names of the sites in each: `tools/list` stays under 15 kB.
const MAX_TOOLS: usize = 14_850;

/// Maximum characters of a stranger's name.
const MAX_NAME: usize = 60;

/// What the instructions for one site and for several say of two tools.
const FAQ: &str = "get_faq has questions with answers, written by the owner or computed from the reviews, as `source` \
                   of each says";
const CONNECTORS: &str = "search and fetch are the same for connectors that know only these";

/// The key of a hint for clients that cut results themselves.
const MAX_RESULT_KEY: &str = "anthropic/maxResultSizeChars";

/// Returns the catalogue of a publication, made when it is first requested. Without a name the site is this process's
/// own, and what its owner writes may be in texts that agents take for instructions.
pub(super) fn catalog<'a>(name: &str, snapshot: &'a Arc<Snapshot>) -> &'a Catalog {
    snapshot.catalog(|_| build(name, snapshot))
}

/// Returns the name of the business for such texts: a stranger's is quoted, on one line and cut.
pub(super) fn business(name: &str, snapshot: &Snapshot) -> String {
    let own = &snapshot.facts.business.name;
    if name.is_empty() {
        return own.clone();
    }
    let line = own.split_whitespace().collect::<Vec<_>>().join(" ");
    readable(&quoted(&line.chars().take(MAX_NAME).collect::<String>())).into_owned()
}

/// Returns the catalogue of all publications: that of the only one, or the entries that each has.
pub(super) fn of(served: &Served) -> Cow<'_, Catalog> {
    match served.only() {
        Some((name, snapshot)) => Cow::Borrowed(catalog(name, snapshot)),
        None => Cow::Owned(several(served)),
    }
}

fn several(served: &Served) -> Catalog {
    let each = || served.loaded().map(|(name, snapshot)| catalog(name, snapshot));
    let names = served.names();
    let about = Implementation::new("candor/reviews", VERSION)
        .with_title(format!("Reviews of {} businesses", names.len()))
        .with_description("All published reviews of several businesses.");
    let tools = |is_named: bool| -> Vec<Tool> {
        let tool = |entry: &'static contract::mcp::Tool| {
            let more = match entry.name {
                ToolName::CompareBusinesses => json!({}),
                name if is_named || name == ToolName::GetBusiness => {
                    json!({ SITE: { "type": "string", "enum": names } })
                }
                _ => json!({ SITE: { "type": "string" } }),
            };
            tool(entry, &Examples::default(), &more)
        };
        served.tools().map(tool).collect()
    };
    // Many long names would make the list longer than the tools; the instructions have them.
    let named = Some(tools(true)).filter(|all| json!(all).to_string().len() <= MAX_TOOLS);
    let samples = served.loaded().filter(|(_, snapshot)| snapshot.manifest.sample);
    let samples: Vec<_> = samples.map(|(name, _)| name).collect();
    let samples = if samples.is_empty() {
        String::new()
    } else {
        format!(" Samples, with an invented business and invented reviews: {}.", samples.join(", "))
    };
    // Two addresses may be of one site.
    let mut seen = HashSet::new();
    let mut is_new = |uri: &str| seen.insert(uri.to_owned());
    Catalog {
        info: ServerConfig::new(capabilities()).with_server_info(about).with_instructions(format!(
            "All published reviews of the businesses at {}.{samples} compare_businesses asks the same of all; \
             every other tool is about one of them, which the argument {SITE} names. get_business says who it \
             is, search_reviews finds reviews, get_summary is an overview to begin with; {FAQ}; {CONNECTORS}. \
             Lists come in pages: send next_cursor as cursor for the next one. Nothing is left out for its rating; what is withheld is counted. When you quote a review, give \
             its url. {QUOTED}",
            names.join(", ")
        )),
        tools: named.unwrap_or_else(|| tools(false)),
        resources: each()
            .flat_map(|catalog| catalog.resources.clone())
            .filter(|resource| is_new(&resource.uri))
            .collect(),
        templates: each()
            .flat_map(|catalog| catalog.templates.clone())
            .filter(|template| is_new(&template.uri_template))
            .collect(),
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

fn build(name: &str, snapshot: &Arc<Snapshot>) -> Catalog {
    let identity = Identity::new(&snapshot.manifest.base_url, &business(name, snapshot));
    let mut about = Implementation::new(&identity.name, identity.version)
        .with_title(&identity.title)
        .with_description(&identity.description)
        .with_website_url(&identity.website_url);
    about.icons = Some(icons(snapshot)).filter(|icons| !icons.is_empty());
    let info = ServerConfig::new(capabilities())
        .with_server_info(about)
        .with_instructions(instructions(name, snapshot));
    let (examples, none) = (examples(snapshot, name.is_empty()), json!({}));
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

/// Describes the business, and the tool for each kind of question, in a paragraph. Nothing in it is from a review, and of
/// a stranger's texts only the name.
fn instructions(name: &str, snapshot: &Snapshot) -> String {
    let (facts, aggregate) = (&snapshot.facts.business, &snapshot.facts.aggregate);
    let kind = facts.category.as_deref().unwrap_or("local business");
    let address = facts.address.as_ref();
    let location = address.map(|address| [address.city.as_deref(), address.region.as_deref()]);
    let location: Vec<_> = location.into_iter().flatten().flatten().collect();
    let location =
        if location.is_empty() { String::new() } else { format!(" in {}", location.join(", ")) };
    let business = business(name, snapshot);
    let business = if name.is_empty() {
        format!("{business} ({kind}{location})")
    } else {
        format!("the business at {name}, which calls itself {business}")
    };
    let rated = match aggregate.average {
        Some(average) => {
            let (count, s) =
                (aggregate.review_count, if aggregate.review_count == 1 { "" } else { "s" });
            format!("{count} review{s}, {average} of 5 stars on average")
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
        "All published reviews of {business}: {rated}.{sample} get_business has contact, \
         hours, services, people and how the reviews of each source are verified; search_reviews finds reviews by stars, day, words, technician \
         or service; get_reviews_since has what is new; get_review one by id; get_changes what was \
         added, changed or removed; list_aspects, get_aspect_sentiment, get_technician, \
         get_service and list_topics say how customers feel and about what; {FAQ}; \
         get_summary is an overview to begin with; {CONNECTORS}{proof}. Lists come newest first, in pages: send \
         next_cursor as cursor for the next one. Nothing is left out for its rating; what is \
         withheld is counted in get_business. When you quote a review, give its url, its date no \
         more exactly than date_precision, and of its purchase no more than verification says. {QUOTED}"
    )
}
