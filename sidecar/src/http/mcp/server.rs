//! The handlers that the SDK calls: lists of the current publication, and tools.

use std::borrow::Cow;

use rmcp::{
    ErrorData, RoleServer, ServerHandler,
    model::{
        CacheScope, CallToolRequestParams, CallToolResponse, CallToolResult, CompleteRequestParams,
        CompleteResult, ContentBlock, CustomRequest, CustomResult, DiscoverResult, ErrorCode,
        GetPromptRequestParams, GetPromptResponse, ListPromptsResult, ListResourceTemplatesResult,
        ListResourcesResult, ListToolsResult, PaginatedRequestParams, ReadResourceRequestParams,
        ReadResourceResponse, ServerConfig,
    },
    service::RequestContext,
};

use super::{
    catalog, completions, prompts, resources,
    served::Served,
    text::quoted,
    tools::{self, ToolOutcome},
};

/// Milliseconds a list may be kept: it changes with a publication alone, and what it leads to says
/// so when it is gone.
const LIST_TTL: u64 = 300_000;

/// Milliseconds a document may be kept: as long as the routes may take to follow a publication.
const DOCUMENT_TTL: u64 = 60_000;

/// Entries of a list in one answer; every list of this server is shorter.
const PAGE: usize = 100;

/// Methods the SDK knows. It passes one on as unknown where its parameters cannot be read.
const KNOWN_METHODS: [&str; 10] = [
    "initialize",
    "server/discover",
    "tools/list",
    "tools/call",
    "resources/list",
    "resources/templates/list",
    "resources/read",
    "prompts/list",
    "prompts/get",
    "completion/complete",
];

/// Serves one publication, or several.
#[derive(Clone, Debug)]
pub(super) struct Server {
    served: Served,
}

type Context = RequestContext<RoleServer>;
type Page = Option<PaginatedRequestParams>;

impl Server {
    pub(super) fn new(served: Served) -> Self {
        Self { served }
    }
}

impl ServerHandler for Server {
    fn get_info(&self) -> ServerConfig {
        catalog::of(&self.served).info.clone()
    }

    async fn discover(&self, _: Context) -> Result<DiscoverResult, ErrorData> {
        let versions = self.supported_protocol_versions().into_owned();
        Ok(DiscoverResult::from_server_info(versions, self.get_info())
            .with_ttl_ms(LIST_TTL)
            .with_cache_scope(CacheScope::Public))
    }

    async fn list_tools(&self, page: Page, _: Context) -> Result<ListToolsResult, ErrorData> {
        let (tools, next) = page_of(&catalog::of(&self.served).tools, page, PAGE)?;
        let mut result = ListToolsResult::with_all_items(tools);
        result.next_cursor = next;
        Ok(result.with_ttl_ms(LIST_TTL).with_cache_scope(CacheScope::Public))
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        _: Context,
    ) -> Result<CallToolResponse, ErrorData> {
        let served = &self.served;
        let tool = served.find(&request.name).ok_or_else(|| {
            let known: Vec<_> = served.tools().map(|tool| tool.name.as_str()).collect();
            let name = quoted(&request.name);
            let message = format!("There is no tool {name}. There are {}.", known.join(", "));
            ErrorData::invalid_params(message, None)
        })?;
        let arguments = request.arguments.unwrap_or_default();
        result(&tools::call(served, tool, arguments).await).map(Into::into)
    }

    async fn list_resources(
        &self,
        page: Page,
        _: Context,
    ) -> Result<ListResourcesResult, ErrorData> {
        let (resources, next) = page_of(&catalog::of(&self.served).resources, page, PAGE)?;
        let mut result = ListResourcesResult::with_all_items(resources);
        result.next_cursor = next;
        Ok(result.with_ttl_ms(DOCUMENT_TTL).with_cache_scope(CacheScope::Public))
    }

    async fn list_resource_templates(
        &self,
        page: Page,
        _: Context,
    ) -> Result<ListResourceTemplatesResult, ErrorData> {
        let (templates, next) = page_of(&catalog::of(&self.served).templates, page, PAGE)?;
        let mut result = ListResourceTemplatesResult::with_all_items(templates);
        result.next_cursor = next;
        Ok(result.with_ttl_ms(LIST_TTL).with_cache_scope(CacheScope::Public))
    }

    async fn read_resource(
        &self,
        request: ReadResourceRequestParams,
        _: Context,
    ) -> Result<ReadResourceResponse, ErrorData> {
        let known = catalog::of(&self.served);
        for site in self.served.sites() {
            let read =
                resources::read(&site.snapshot, catalog::catalog(&site.snapshot), &request.uri);
            if let Some(result) = read.await? {
                let result = result.with_ttl_ms(DOCUMENT_TTL);
                return Ok(result.with_cache_scope(CacheScope::Public).into());
            }
        }
        Err(resources::not_found(&known, &request.uri))
    }

    async fn list_prompts(&self, page: Page, _: Context) -> Result<ListPromptsResult, ErrorData> {
        let (prompts, next) = page_of(&catalog::of(&self.served).prompts, page, PAGE)?;
        let mut result = ListPromptsResult::with_all_items(prompts);
        result.next_cursor = next;
        Ok(result.with_ttl_ms(LIST_TTL).with_cache_scope(CacheScope::Public))
    }

    async fn get_prompt(
        &self,
        request: GetPromptRequestParams,
        _: Context,
    ) -> Result<GetPromptResponse, ErrorData> {
        let mut arguments = request.arguments.unwrap_or_default();
        let snapshot = self.served.chosen(&mut arguments);
        let snapshot = snapshot.map_err(|wrong| ErrorData::invalid_params(wrong, None))?;
        prompts::get(snapshot, &request.name, &arguments).map(Into::into)
    }

    async fn complete(
        &self,
        request: CompleteRequestParams,
        _: Context,
    ) -> Result<CompleteResult, ErrorData> {
        completions::complete(&self.served, &request)
    }

    async fn on_custom_request(
        &self,
        request: CustomRequest,
        context: Context,
    ) -> Result<CustomResult, ErrorData> {
        let method = request.method.as_str();
        // A handshake that names its revision in `_meta` is of a revision that has none.
        let removed = method == "initialize" && context.meta.protocol_version().is_some();
        if KNOWN_METHODS.contains(&method) && !removed {
            Err(ErrorData::invalid_params(
                format!("The params of {method} are missing or not of the protocol's form."),
                None,
            ))
        } else {
            Err(ErrorData::new(
                ErrorCode::METHOD_NOT_FOUND,
                format!("There is no method {} here.", quoted(method)),
                None,
            ))
        }
    }
}

/// In the SDK's form. The structured content is what the text says.
fn result(outcome: &ToolOutcome) -> Result<CallToolResult, ErrorData> {
    let content = outcome.texts().map(ContentBlock::text).collect();
    match outcome {
        ToolOutcome::Mistake(_) => Ok(CallToolResult::error(content)),
        ToolOutcome::Data { json, .. } => {
            let unreadable = |error: serde_json::Error| {
                tracing::error!(%error, "an answer is not JSON");
                ErrorData::internal_error("The answer could not be written.", None)
            };
            let mut result = CallToolResult::success(content);
            result.structured_content = Some(serde_json::from_str(json).map_err(unreadable)?);
            Ok(result)
        }
    }
}

/// The page of a list that begins at the cursor, which is a place in it.
fn page_of<T: Clone>(
    all: &[T],
    request: Page,
    most: usize,
) -> Result<(Vec<T>, Option<String>), ErrorData> {
    let cursor = request.and_then(|request| request.cursor);
    let start = match cursor.as_deref().map(str::parse::<usize>) {
        None => 0,
        Some(Ok(start)) if start > 0 && start < all.len() && start % most == 0 => start,
        Some(_) => {
            let message = "The cursor is none of this list: leave it out to begin anew.";
            return Err(ErrorData::invalid_params(Cow::Borrowed(message), None));
        }
    };
    let end = all.len().min(start + most);
    let next = (end < all.len()).then(|| end.to_string());
    Ok((all[start..end].to_vec(), next))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(cursor: Option<&str>) -> Page {
        Some(PaginatedRequestParams::default().with_cursor(cursor.map(str::to_owned)))
    }

    #[test]
    fn pages_make_up_the_list_and_other_cursors_are_refused() {
        let all: Vec<_> = (0..7).collect();
        let (mut seen, mut cursor) = (Vec::new(), None);
        loop {
            let (page, next) = page_of(&all, at(cursor.as_deref()), 3).unwrap();
            seen.extend(page);
            match next {
                Some(next) => cursor = Some(next),
                None => break,
            }
        }
        assert_eq!(seen, all);
        assert_eq!(page_of(&all, None, 100).unwrap(), (all.clone(), None));
        for bad in ["", "0", "1", "7", "9", "-3", "x", "3.0"] {
            assert_eq!(page_of(&all, at(Some(bad)), 3).unwrap_err().code.0, -32602, "{bad}");
        }
    }
}
