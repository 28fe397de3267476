//! Where agents find the server (docs/mcp.md, "Protocol"; drafts named in `render/agents.rs`).

use contract::mcp::{PROTOCOL_VERSIONS, TOOLS};
use serde_json::{Value, json};

use super::project::{Project, SITE};

const CARD: &str = "public/mcp-server-card.json";
const CATALOG: &str = "public/.well-known/ai-catalog.json";
const REGISTRY: &str = "public/server.json";

#[test]
fn card_catalogue_and_registry_entry_name_the_same_server() {
    let project = Project::new();
    project.build();
    let remote = |extra: Value| {
        let mut remote = json!({ "type": "streamable-http", "url": "https://reviews.example/mcp" });
        remote.as_object_mut().unwrap().extend(extra.as_object().unwrap().clone());
        json!([remote])
    };
    let server = |schema: &str, remotes: Value| {
        json!({
            "$schema": schema,
            "name": "example.reviews/reviews",
            "title": "Reviews of Acme Plumbing",
            "description": "All published reviews of Acme Plumbing.",
            "version": "1.0.0",
            "websiteUrl": "https://reviews.example/",
            "remotes": remotes,
        })
    };
    assert_eq!(
        project.json(CARD),
        server(
            "https://static.modelcontextprotocol.io/schemas/v1/server-card.schema.json",
            remote(json!({ "supportedProtocolVersions": PROTOCOL_VERSIONS })),
        )
    );
    assert_eq!(
        project.json(REGISTRY),
        server(
            "https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json",
            remote(json!({})),
        )
    );
    assert_eq!(
        project.json(CATALOG),
        json!({ "specVersion": "1.0", "entries": [{
            "identifier": "urn:air:reviews.example:mcp:reviews",
            "type": "application/mcp-server-card+json",
            "url": "https://reviews.example/mcp-server-card.json",
        }] })
    );
}

#[test]
fn the_media_types_are_those_of_the_drafts() {
    let project = Project::new();
    project.build();
    let manifest = project.manifest();
    for (path, media_type) in [
        (".well-known/ai-catalog.json", "application/ai-catalog+json"),
        ("mcp-server-card.json", "application/mcp-server-card+json"),
        ("server.json", "application/json"),
    ] {
        assert_eq!(manifest.file(path).unwrap().media_type, media_type, "{path}");
    }
    // A folder of that name would make hosts redirect the endpoint.
    assert!(!manifest.files.iter().any(|file| file.path.starts_with("mcp/")));
}

#[test]
fn a_sidecar_at_its_own_address_is_found_there() {
    let project = Project::new();
    let own = format!("{SITE}[sidecar]\nurl = \"https://api.reviews.example/\"\n");
    project.write("content/site.toml", own);
    project.build();
    for path in [CARD, REGISTRY] {
        let url = project.json(path)["remotes"][0]["url"].clone();
        assert_eq!(url, "https://api.reviews.example/mcp", "{path}");
    }
}

#[test]
fn without_a_sidecar_there_is_nothing_to_find() {
    let project = Project::new();
    project.write("content/site.toml", format!("{SITE}[sidecar]\nenabled = false\n"));
    project.build();
    for path in [CARD, CATALOG, REGISTRY] {
        assert!(!project.path(path).exists(), "{path}");
    }
    for file in project.manifest().files {
        let bytes = project.bytes(&format!("public/{}", file.path));
        let text = String::from_utf8_lossy(&bytes).to_lowercase();
        assert!(!text.contains("mcp"), "{}", file.path);
    }
}

#[test]
fn every_tool_has_a_name_of_its_own_that_the_protocol_allows() {
    let mut names: Vec<_> = TOOLS.iter().map(|tool| tool.name.as_str()).collect();
    for name in &names {
        let allowed = |byte: u8| byte.is_ascii_alphanumeric() || b"_.-".contains(&byte);
        assert!(name.bytes().all(allowed) && name.len() <= 128, "{name}");
    }
    let count = names.len();
    names.sort_unstable();
    names.dedup();
    assert_eq!((count, names.len()), (16, 16));
}
