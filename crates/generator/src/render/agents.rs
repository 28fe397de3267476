//! The documents in which agents find the site's Model Context Protocol server: its card, a catalogue that names the
//! card, and the entry for the MCP registry. The formats are drafts; nothing else depends on them.

use serde_json::json;

use super::{Document, RenderError, document};
use crate::document::{Body, JSON};
use content::dataset::Dataset;
use contract::mcp::{Identity, PROTOCOL_VERSIONS};

/// Media type of the card (SEP-2127).
const CARD: &str = "application/mcp-server-card+json";
/// Media type of the catalogue.
const CATALOG: &str = "application/ai-catalog+json";

/// The card's path. Not below `/mcp`: a folder of that name would make hosts redirect the endpoint.
const CARD_PATH: &str = "mcp-server-card.json";

const CARD_SCHEMA: &str =
    "https://static.modelcontextprotocol.io/schemas/v1/server-card.schema.json";
const REGISTRY_SCHEMA: &str =
    "https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json";

/// The documents; none on a site without a sidecar.
pub(super) fn documents(data: &Dataset) -> Result<Vec<Document<'_>>, RenderError> {
    if !data.site.sidecar {
        return Ok(Vec::new());
    }
    let identity = Identity::new(&data.site.base_url, &data.business.name);
    let endpoint = Identity::endpoint(&data.site.base_url, data.site.sidecar_url.as_deref());
    let pretty = |value: serde_json::Value| {
        let mut bytes = serde_json::to_vec_pretty(&value)?;
        bytes.push(b'\n');
        Ok::<_, RenderError>(Body::Bytes(bytes))
    };
    let card = json!({
        "$schema": CARD_SCHEMA,
        "name": identity.name,
        "title": identity.title,
        "version": identity.version,
        "description": identity.description,
        "websiteUrl": identity.website_url,
        "remotes": [{
            "type": "streamable-http", "url": endpoint,
            "supportedProtocolVersions": PROTOCOL_VERSIONS,
        }],
    });
    let catalog = json!({
        "specVersion": "1.0",
        "entries": [{
            "identifier": format!("urn:air:{}:mcp:reviews", identity.host),
            "type": CARD,
            "url": data.address(CARD_PATH),
        }],
    });
    let registry = json!({
        "$schema": REGISTRY_SCHEMA,
        "name": identity.name,
        "title": identity.title,
        "description": identity.description,
        "version": identity.version,
        "websiteUrl": identity.website_url,
        "remotes": [{ "type": "streamable-http", "url": endpoint }],
    });
    Ok(vec![
        document(data, CARD_PATH, CARD, pretty(card)?),
        document(data, ".well-known/ai-catalog.json", CATALOG, pretty(catalog)?),
        document(data, "server.json", JSON, pretty(registry)?),
    ])
}
