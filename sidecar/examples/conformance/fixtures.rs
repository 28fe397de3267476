//! The MCP server that the conformance suite calls. Its fixtures show that the sidecar's checks and
//! the SDK behind them transmit every kind of content.

#![expect(deprecated, reason = "the handshake's era has levels and subscriptions")]

use rmcp::{
    ErrorData, RoleServer, ServerHandler,
    model::{
        CacheScope, CallToolRequestParams, CallToolResponse, CompleteRequestParams, CompleteResult,
        CompletionInfo, DiscoverResult, GetPromptRequestParams, GetPromptResponse, Implementation,
        ListPromptsResult, ListResourceTemplatesResult, ListResourcesResult, ListToolsResult,
        PaginatedRequestParams, ReadResourceRequestParams, ReadResourceResponse,
        ReadResourceResult, ServerCapabilities, ServerConfig, SetLevelRequestParams,
        SubscribeRequestParams, Tool, UnsubscribeRequestParams,
    },
    service::RequestContext,
};
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

use crate::{calls, inputs};

/// One pixel.
pub(crate) const PNG: &str = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==";

/// A sound of no length.
pub(crate) const WAV: &str = "UklGRiQAAABXQVZFZm10IBAAAAABAAEARKwAAIhYAQACABAAZGF0YQAAAAA=";

/// The server of the suite.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Fixtures;

pub(crate) type Context = RequestContext<RoleServer>;
type Page = Option<PaginatedRequestParams>;

/// JSON in the SDK's types.
pub(crate) fn typed<T: DeserializeOwned>(value: Value) -> Result<T, ErrorData> {
    serde_json::from_value(value)
        .map_err(|error| ErrorData::internal_error(format!("a fixture is wrong: {error}"), None))
}

impl ServerHandler for Fixtures {
    fn get_info(&self) -> ServerConfig {
        let capabilities = json!({
            "completions": {}, "logging": {}, "prompts": {}, "tools": {},
            "resources": { "subscribe": true },
        });
        let capabilities: ServerCapabilities = typed(capabilities).unwrap_or_default();
        ServerConfig::new(capabilities)
            .with_server_info(Implementation::new("conformance", "1.0.0"))
    }

    async fn discover(&self, _: Context) -> Result<DiscoverResult, ErrorData> {
        let mut info = self.get_info();
        // Both belong to the handshake's era.
        info.capabilities.logging = None;
        info.capabilities.resources = Some(Default::default());
        let versions = self.supported_protocol_versions().into_owned();
        Ok(DiscoverResult::from_server_info(versions, info)
            .with_ttl_ms(60_000)
            .with_cache_scope(CacheScope::Public))
    }

    fn get_tool(&self, name: &str) -> Option<Tool> {
        calls::tools().ok()?.into_iter().find(|tool| tool.name == name)
    }

    async fn list_tools(&self, _: Page, _: Context) -> Result<ListToolsResult, ErrorData> {
        Ok(ListToolsResult::with_all_items(calls::tools()?)
            .with_ttl_ms(60_000)
            .with_cache_scope(CacheScope::Public))
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        context: Context,
    ) -> Result<CallToolResponse, ErrorData> {
        match inputs::call(&request, &context)? {
            Some(response) => Ok(response),
            None => calls::call(&request, &context).await,
        }
    }

    async fn list_resources(&self, _: Page, _: Context) -> Result<ListResourcesResult, ErrorData> {
        let resources = typed(json!([
            { "uri": "test://static-text", "name": "text", "description": "Some text.", "mimeType": "text/plain" },
            { "uri": "test://static-binary", "name": "binary", "description": "A pixel.", "mimeType": "image/png" },
            { "uri": "test://watched-resource", "name": "watched", "description": "It never changes.", "mimeType": "text/plain" },
        ]))?;
        Ok(ListResourcesResult::with_all_items(resources)
            .with_ttl_ms(60_000)
            .with_cache_scope(CacheScope::Public))
    }

    async fn list_resource_templates(
        &self,
        _: Page,
        _: Context,
    ) -> Result<ListResourceTemplatesResult, ErrorData> {
        let templates = typed(json!([{
            "uriTemplate": "test://template/{id}/data", "name": "template",
            "description": "Data of an id.", "mimeType": "application/json",
        }]))?;
        Ok(ListResourceTemplatesResult::with_all_items(templates)
            .with_ttl_ms(60_000)
            .with_cache_scope(CacheScope::Public))
    }

    async fn read_resource(
        &self,
        request: ReadResourceRequestParams,
        _: Context,
    ) -> Result<ReadResourceResponse, ErrorData> {
        let uri = request.uri.as_str();
        let id = uri.strip_prefix("test://template/").and_then(|rest| rest.strip_suffix("/data"));
        let contents = match (uri, id) {
            ("test://static-text", _) => {
                json!({ "mimeType": "text/plain", "text": "This is the content of the static text resource." })
            }
            ("test://static-binary", _) => json!({ "mimeType": "image/png", "blob": PNG }),
            ("test://watched-resource", _) => json!({ "mimeType": "text/plain", "text": "still" }),
            (_, Some(id)) => {
                let data = format!("Data for ID: {id}");
                let text = json!({ "id": id, "templateTest": true, "data": data }).to_string();
                json!({ "mimeType": "application/json", "text": text })
            }
            _ => {
                let data = Some(json!({ "uri": uri }));
                return Err(ErrorData::resource_not_found("There is no such resource.", data));
            }
        };
        let mut contents = contents;
        contents["uri"] = uri.into();
        let result = ReadResourceResult::new(typed(json!([contents]))?);
        Ok(result.with_ttl_ms(60_000).with_cache_scope(CacheScope::Public).into())
    }

    async fn list_prompts(&self, _: Page, _: Context) -> Result<ListPromptsResult, ErrorData> {
        let argument = |name: &str| json!({ "name": name, "description": name, "required": true });
        let prompts = typed(json!([
            { "name": "test_simple_prompt", "description": "Some text." },
            {
                "name": "test_prompt_with_arguments", "description": "Repeats its arguments.",
                "arguments": [argument("arg1"), argument("arg2")],
            },
            {
                "name": "test_prompt_with_embedded_resource", "description": "Embeds a resource.",
                "arguments": [argument("resourceUri")],
            },
            { "name": "test_prompt_with_image", "description": "Has an image." },
            { "name": "test_input_required_result_prompt", "description": "Asks for its context." },
        ]))?;
        Ok(ListPromptsResult::with_all_items(prompts)
            .with_ttl_ms(60_000)
            .with_cache_scope(CacheScope::Public))
    }

    async fn get_prompt(
        &self,
        request: GetPromptRequestParams,
        _: Context,
    ) -> Result<GetPromptResponse, ErrorData> {
        match inputs::prompt(&request)? {
            Some(response) => Ok(response),
            None => calls::prompt(&request),
        }
    }

    async fn complete(
        &self,
        _: CompleteRequestParams,
        _: Context,
    ) -> Result<CompleteResult, ErrorData> {
        Ok(CompleteResult::new(CompletionInfo::default()))
    }

    async fn set_level(&self, _: SetLevelRequestParams, _: Context) -> Result<(), ErrorData> {
        Ok(())
    }

    async fn subscribe(&self, _: SubscribeRequestParams, _: Context) -> Result<(), ErrorData> {
        Ok(())
    }

    async fn unsubscribe(&self, _: UnsubscribeRequestParams, _: Context) -> Result<(), ErrorData> {
        Ok(())
    }
}
