//! Pages for programmers. Every example is this site's own data, and every command can be run as it is. They are in
//! English, whatever the site's language is.

use contract::{
    mcp::{Examples, Identity, TOOLS, Tool, ToolName},
    query::{Parameter, SEARCH},
    routes::TOPICS,
};
use minijinja::{Value, context, value::Serde};
use serde::Serialize;
use serde_json::{Value as Json, json};

use super::{
    members::SubjectKind,
    page::{Head, Page},
    renderer::Renderer,
    routes::LinkView,
    subject::subjects,
};
use crate::{
    document::RenderError,
    render::{insight_samples, schema_of_insights, schema_of_reviews},
};
use content::dataset::Dataset;

/// One line of a table of keys.
#[derive(Debug, Serialize)]
struct KeyView {
    name: String,
    kind: String,
    description: String,
}

/// Returns the pages of a site; those that need a sidecar only if there is one.
pub(super) fn pages<'d>(renderer: &Renderer<'d>) -> Result<Vec<Page<'d>>, RenderError> {
    let data = renderer.viewer.data;
    let examples = Samples::of(data)?;
    let mut pages = vec![
        page(renderer, "api", "The interface", "developers_api.html", api(data, &examples)),
        page(
            renderer,
            "data-model/reviews",
            "Data model: reviews",
            "developers_reviews.html",
            reviews(&examples),
        ),
        page(
            renderer,
            "data-model/insights",
            "Data model: insights",
            "developers_insights.html",
            insights(data),
        ),
    ];
    if data.site.sidecar {
        let (tools, hooks) = (mcp(data, &examples), webhooks(data));
        pages.push(page(renderer, "mcp/tools", "Tools for agents", "developers_mcp.html", tools));
        pages.push(page(renderer, "webhooks", "Webhooks", "developers_webhooks.html", hooks));
    }
    Ok(pages)
}

fn page<'d>(
    renderer: &Renderer<'d>,
    path: &str,
    title: &'static str,
    template: &'static str,
    view: Value,
) -> Page<'d> {
    let routes = &renderer.viewer.routes;
    let name = renderer.viewer.data.business.name.clone();
    let menu = menu(renderer);
    Page::new(routes.page(&format!("developers/{path}/")), template, move |renderer| {
        let title = format!("{title} · {name}");
        let view = context! {
            menu => Value::from(Serde(&menu)), base_url => &renderer.viewer.data.site.base_url,
            ..view.clone()
        };
        (Head { description: format!("For developers: {title}"), title, json_ld: None }, view)
    })
    .unlisted()
}

fn menu(renderer: &Renderer<'_>) -> Vec<LinkView> {
    let all = [
        ("api", "Interface", false),
        ("data-model/reviews", "Reviews", false),
        ("data-model/insights", "Insights", false),
        ("mcp/tools", "Agents", true),
        ("webhooks", "Webhooks", true),
    ];
    let viewer = &renderer.viewer;
    let shown = all.into_iter().filter(|(.., dynamic)| !dynamic || viewer.data.site.sidecar);
    shown
        .map(|(path, label, _)| {
            viewer.link(&viewer.routes.page(&format!("developers/{path}/")), label)
        })
        .collect()
}

/// Pieces of this site's data, as they are published.
struct Samples {
    review: Option<Json>,
    id: Option<String>,
    date: String,
    /// A word that reviews contain, for the example of a search.
    word: String,
    technician: Option<String>,
    service: Option<String>,
    aspect: Option<String>,
}

impl Samples {
    fn of(data: &Dataset) -> Result<Self, RenderError> {
        // The newest that shows most: words and an answer.
        let review = data.reviews.iter().find(|r| r.text.is_some() && r.owner_reply.is_some());
        let review = review.or(data.reviews.first());
        let most = |kind| {
            let all = subjects(data, kind);
            all.iter().max_by_key(|subject| subject.tally.count()).map(|s| s.id.to_string())
        };
        let word = review.and_then(|review| longest_word(review.text.as_deref()?));
        Ok(Self {
            review: review.map(serde_json::to_value).transpose()?,
            id: review.map(|review| review.id.to_string()),
            date: data.reviews.first().map_or("2026-01-01".to_owned(), |r| r.date.to_string()),
            word: word.unwrap_or_else(|| "time".to_owned()),
            technician: most(SubjectKind::Technician),
            service: most(SubjectKind::Service),
            aspect: most(SubjectKind::Aspect),
        })
    }
}

/// Returns the longest word of letters that a URL can have unescaped.
fn longest_word(text: &str) -> Option<String> {
    let words = text.split(|c: char| !c.is_ascii_alphabetic());
    words.max_by_key(|word| word.len()).filter(|word| word.len() > 2).map(str::to_lowercase)
}

fn pretty(value: &Json) -> String {
    serde_json::to_string_pretty(value).unwrap_or_default()
}

fn api(data: &Dataset, samples: &Samples) -> Value {
    let base = &data.site.base_url;
    let search = |query: String| format!("curl '{base}/api/reviews/search?{query}'");
    let mut searches = vec![search(format!("query={}&limit=2", samples.word))];
    searches.push(search("min_rating=4&limit=2".to_owned()));
    searches.extend(
        samples.technician.iter().map(|id| search(format!("mentions_technician={id}&limit=2"))),
    );
    searches
        .extend(samples.service.iter().map(|id| search(format!("mentions_service={id}&rating=5"))));
    let parameter = |parameter: &Parameter| KeyView {
        name: parameter.name.to_owned(),
        kind: kind_of(&parameter.kind.schema()),
        description: parameter.http_description(),
    };
    let parameters: Vec<KeyView> = SEARCH.iter().map(parameter).collect();
    context! {
        documents => Value::from(Serde(DOCUMENTS)),
        searches => searches,
        date => &samples.date,
        parameters => Value::from(Serde(parameters)),
    }
}

/// Documents with their descriptions.
const DOCUMENTS: [(&str, &str); 9] = [
    (
        "reviews.json",
        "every published review, the business, averages, sources, what is withheld and why",
    ),
    ("insights.json", "what follows from the reviews, with evidence"),
    ("reviews.ndjson", "the same reviews, one a line"),
    ("reviews.csv", "the same for spreadsheets"),
    ("api/feed.json", "the newest 50 as JSON Feed 1.1"),
    ("feed.xml", "the newest 50 as Atom"),
    ("changes.json", "what was added, changed and withdrawn, and when"),
    ("openapi.json", "all of this as OpenAPI 3.1"),
    ("candor-manifest.json", "every file with its type, tag and time of change"),
];

fn reviews(samples: &Samples) -> Value {
    let (keys, business) =
        (keys(&schema_of_reviews(), "Review"), keys(&schema_of_reviews(), "Business"));
    context! {
        keys => Value::from(Serde(keys)),
        business => Value::from(Serde(business)),
        document => Value::from(Serde(root_keys(&schema_of_reviews()))),
        example => samples.review.as_ref().map(pretty),
    }
}

fn insights(data: &Dataset) -> Value {
    let schema = schema_of_insights();
    let [aspect, review] = insight_samples(data).map(|sample| sample.as_ref().map(pretty));
    context! {
        document => Value::from(Serde(root_keys(&schema))),
        aspect => Value::from(Serde(keys(&schema, "Aspect"))),
        entity => Value::from(Serde(keys(&schema, "Entity"))),
        per_review => Value::from(Serde(keys(&schema, "PerReview"))),
        aspect_example => aspect,
        review_example => review,
    }
}

fn mcp(data: &Dataset, samples: &Samples) -> Value {
    let endpoint = Identity::endpoint(&data.site.base_url, data.site.sidecar_url.as_deref());
    let argument = |name: &str| -> Option<Json> {
        match name {
            "id" => samples.id.clone().map(Json::from),
            "date" => Some(samples.date.clone().into()),
            "technician" => samples.technician.clone().map(Json::from),
            "service" => samples.service.clone().map(Json::from),
            "aspect" => samples.aspect.clone().map(Json::from),
            "query" => Some(samples.word.clone().into()),
            _ => None,
        }
    };
    let tool = |tool: &Tool| {
        let given = tool
            .required
            .iter()
            .copied()
            .chain((tool.name == ToolName::SearchReviews).then_some("query"));
        let arguments: serde_json::Map<String, Json> =
            given.filter_map(|name| Some((name.to_owned(), argument(name)?))).collect();
        let usable = tool.required.iter().all(|name| arguments.contains_key(*name));
        let call = json!({
            "jsonrpc": "2.0", "id": 1, "method": "tools/call",
            "params": { "name": tool.name.as_str(), "arguments": arguments, "_meta": meta() },
        });
        let call = usable.then(|| curl(&endpoint, tool.name.as_str(), &call));
        let schema = tool.input_schema(&Examples::default());
        context! {
            name => tool.name.as_str(), title => tool.title, description => tool.full_description(),
            keys => Value::from(Serde(properties(&schema))), call => call,
        }
    };
    let offered = TOOLS.iter().filter(|tool| tool.is_offered(data.log.is_some()));
    context! { endpoint => &endpoint, tools => offered.map(tool).collect::<Vec<_>>() }
}

/// Returns the metadata of a request of the newest revision.
fn meta() -> Json {
    json!({
        "io.modelcontextprotocol/protocolVersion": REVISION,
        "io.modelcontextprotocol/clientInfo": { "name": "curl", "version": "1" },
        "io.modelcontextprotocol/clientCapabilities": {},
    })
}

/// The newest revision, which needs one request and no handshake.
const REVISION: &str = contract::mcp::PROTOCOL_VERSIONS[contract::mcp::PROTOCOL_VERSIONS.len() - 1];

fn curl(endpoint: &str, tool: &str, call: &Json) -> String {
    // A single quote ends what the shell takes as it is.
    let body = call.to_string().replace('\'', "'\\''");
    format!(
        "curl '{endpoint}' -H 'Content-Type: application/json' -H 'Accept: application/json, text/event-stream' \
         -H 'MCP-Protocol-Version: {REVISION}' -H 'Mcp-Method: tools/call' -H 'Mcp-Name: {tool}' -d '{body}'"
    )
}

fn webhooks(data: &Dataset) -> Value {
    let topics: Vec<String> = TOPICS.iter().map(|path| data.address(path)).collect();
    context! { hub => data.hub(), topics => topics }
}

/// The keys of the document itself.
fn root_keys(schema: &Json) -> Vec<KeyView> {
    properties(schema)
}

/// The keys of one of its parts.
fn keys(schema: &Json, part: &str) -> Vec<KeyView> {
    properties(&schema["$defs"][part])
}

fn properties(schema: &Json) -> Vec<KeyView> {
    let properties = schema["properties"].as_object().into_iter().flatten();
    let key = |(name, schema): (&String, &Json)| KeyView {
        name: name.clone(),
        kind: kind_of(schema),
        description: schema["description"].as_str().unwrap_or_default().to_owned(),
    };
    properties.map(key).collect()
}

/// Describes a schema's type in a word or two.
fn kind_of(schema: &Json) -> String {
    if let Some(target) = schema["$ref"].as_str() {
        return target.rsplit('/').next().unwrap_or(target).to_owned();
    }
    if let Some(any) = schema["anyOf"].as_array() {
        return any.iter().map(kind_of).collect::<Vec<_>>().join(" or ");
    }
    let own = match &schema["type"] {
        Json::String(one) => one.clone(),
        Json::Array(several) => {
            several.iter().filter_map(Json::as_str).collect::<Vec<_>>().join(" or ")
        }
        _ => String::new(),
    };
    match (own.as_str(), schema["format"].as_str()) {
        ("array", _) => format!("list of {}", kind_of(&schema["items"])),
        ("string", Some(format)) => format.to_owned(),
        _ => own,
    }
}
