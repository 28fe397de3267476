//! The lists of one publication for MCP clients. `http::mcp::catalog` makes them, the snapshot keeps them.

use contract::mcp::Identity;
use rmcp::model::{Prompt, Resource, ResourceTemplate, ServerConfig, Tool};

/// The lists, the identity and the instructions.
#[derive(Clone, Debug)]
pub(crate) struct Catalog {
    pub(crate) identity: Identity,
    pub(crate) info: ServerConfig,
    pub(crate) tools: Vec<Tool>,
    pub(crate) resources: Vec<Resource>,
    pub(crate) templates: Vec<ResourceTemplate>,
    pub(crate) prompts: Vec<Prompt>,
}
