//! The only dispatch: from a message, in the SDK's types, to the result of its method.

use std::borrow::Cow;

use rmcp::{
    ErrorData,
    model::{
        CacheScope, CallToolRequestParams, CallToolResult, CompleteRequestParams, ContentBlock,
        DiscoverResult, ErrorCode, GetPromptRequestParams, GetPromptResult,
        InitializeRequestParams, InitializeResult, ListPromptsResult, ListResourceTemplatesResult,
        ListResourcesResult, ListToolsResult, PaginatedRequestParams, ProtocolVersion,
        ReadResourceRequestParams, ReadResourceResult, ServerResult,
    },
};
use serde::de::DeserializeOwned;

use super::{
    apps, catalog, completions,
    message::Message,
    prompts, resources,
    served::Served,
    text::{quoted, readable},
    tools::{self, ToolData},
};

/// Milliseconds for which a list may be cached: it changes with a publication alone, and a request for a removed entry
/// fails.
const LIST_TTL: u64 = 300_000;

/// Milliseconds for which a document may be cached: the time in which the routes follow a publication.
const DOCUMENT_TTL: u64 = 60_000;

/// Number of entries of a list in one response.
const PAGE: usize = 100;

type Page = Option<PaginatedRequestParams>;

/// Returns the result of a request, which its transport and its revision have checked already; with the extension for
/// clients that show views.
///
/// # Errors
/// When there is no such method, or its parameters cannot be used.
pub(super) async fn result(
    message: &Message<'_>,
    served: &Served,
    has_views: bool,
) -> Result<ServerResult, ErrorData> {
    let is_stateless = message.is_stateless();
    let mut found = dispatch(message, is_stateless, served).await;
    if has_views && let Ok(result) = &mut found {
        apps::add_to(result);
    }
    match found {
        // The member is new in the stateless revision.
        Ok(mut result) if !is_stateless => {
            result.strip_result_type_for_legacy_peer();
            Ok(result)
        }
        Err(mut error) if is_stateless && error.code == ErrorCode::RESOURCE_NOT_FOUND => {
            error.code = ErrorCode::INVALID_PARAMS;
            Err(error)
        }
        found => found,
    }
}

async fn dispatch(
    message: &Message<'_>,
    is_stateless: bool,
    served: &Served,
) -> Result<ServerResult, ErrorData> {
    /// Returns a page of a list of the publication, which every client may cache.
    macro_rules! list {
        ($result:ident, $list:ident, $ttl:expr) => {{
            let (page, next) = page_of(&catalog::of(served).$list, params(message)?, PAGE)?;
            let mut result = $result::with_all_items(page);
            result.next_cursor = next;
            result.with_ttl_ms($ttl).with_cache_scope(CacheScope::Public).into()
        }};
    }
    Ok(match &*message.method {
        "initialize" => initialize(message, served)?.into(),
        "server/discover" => discover(served).into(),
        "ping" if !is_stateless => ServerResult::empty(()),
        "tools/list" => list!(ListToolsResult, tools, LIST_TTL),
        "tools/call" => call_tool(params(message)?, served).await?.into(),
        "resources/list" => list!(ListResourcesResult, resources, DOCUMENT_TTL),
        "resources/templates/list" => list!(ListResourceTemplatesResult, templates, LIST_TTL),
        "resources/read" => read_resource(&params(message)?, served).await?.into(),
        "prompts/list" => list!(ListPromptsResult, prompts, LIST_TTL),
        "prompts/get" => get_prompt(params(message)?, served)?.into(),
        "completion/complete" => {
            let params: CompleteRequestParams = params(message)?;
            completions::complete(served, &params)?.into()
        }
        _ => return Err(unknown_method(message)),
    })
}

fn unknown_method(message: &Message<'_>) -> ErrorData {
    let text = format!("There is no method {} here.", quoted(&message.method));
    ErrorData::new(ErrorCode::METHOD_NOT_FOUND, text, None)
}

/// Parses the parameters as the SDK's type.
fn params<T: DeserializeOwned>(message: &Message<'_>) -> Result<T, ErrorData> {
    let json = message.params.map_or("null", |params| params.get());
    serde_json::from_str(json).map_err(|_| {
        let method = &message.method;
        let text = format!("The params of {method} are missing or not of the protocol's form.");
        ErrorData::invalid_params(text, None)
    })
}

fn initialize(message: &Message<'_>, served: &Served) -> Result<InitializeResult, ErrorData> {
    let params: InitializeRequestParams = params(message)
        // A handshake that names its revision in `_meta` is of a revision that has none.
        .map_err(
            |error| if message.meta.version.is_some() { unknown_method(message) } else { error },
        )?;
    let asked = params.protocol_version;
    let is_spoken = asked.has_initialize() && ProtocolVersion::KNOWN_VERSIONS.contains(&asked);
    let agreed = if is_spoken { asked } else { ProtocolVersion::LATEST_WITH_INITIALIZE };
    Ok(catalog::of(served).info.clone().with_protocol_version(agreed))
}

fn discover(served: &Served) -> DiscoverResult {
    let (versions, info) =
        (ProtocolVersion::KNOWN_VERSIONS.to_vec(), catalog::of(served).info.clone());
    DiscoverResult::from_server_info(versions, info)
        .with_ttl_ms(LIST_TTL)
        .with_cache_scope(CacheScope::Public)
}

async fn call_tool(
    params: CallToolRequestParams,
    served: &Served,
) -> Result<CallToolResult, ErrorData> {
    let tool = served.find(&params.name).ok_or_else(|| {
        let known: Vec<_> = served.tools().map(|tool| tool.name.as_str()).collect();
        let name = quoted(&params.name);
        let message = format!("There is no tool {name}. There are {}.", known.join(", "));
        ErrorData::invalid_params(message, None)
    })?;
    let called = tools::call(served, tool, params.arguments.unwrap_or_default()).await;
    let ToolData { json, hint } = match called {
        Ok(data) => data,
        Err(mistake) => return Ok(CallToolResult::error(vec![ContentBlock::text(mistake)])),
    };
    let texts = [Some(readable(&json).into_owned()), hint].into_iter().flatten();
    let mut result = CallToolResult::success(texts.map(ContentBlock::text).collect());
    let structured = serde_json::from_str(&json).map_err(|error| {
        tracing::error!(%error, "an answer is not JSON");
        ErrorData::internal_error("The answer could not be written.", None)
    });
    result.structured_content = Some(structured?);
    Ok(result)
}

async fn read_resource(
    params: &ReadResourceRequestParams,
    served: &Served,
) -> Result<ReadResourceResult, ErrorData> {
    if params.uri == apps::URI {
        return Ok(apps::view().with_ttl_ms(DOCUMENT_TTL).with_cache_scope(CacheScope::Public));
    }
    for (name, snapshot) in served.loaded() {
        let known = catalog::catalog(name, snapshot);
        if let Some(result) = resources::read(snapshot, known, &params.uri).await? {
            return Ok(result.with_ttl_ms(DOCUMENT_TTL).with_cache_scope(CacheScope::Public));
        }
    }
    Err(resources::not_found(&catalog::of(served), &params.uri))
}

fn get_prompt(
    params: GetPromptRequestParams,
    served: &Served,
) -> Result<GetPromptResult, ErrorData> {
    let mut arguments = params.arguments.unwrap_or_default();
    let chosen = served.chosen(&mut arguments);
    let (name, snapshot) = chosen.map_err(|wrong| ErrorData::invalid_params(wrong, None))?;
    let site = Some(name).filter(|_| served.only().is_none());
    prompts::get(&catalog::business(name, snapshot), site, &params.name, &arguments)
}

/// Returns the page of a list that begins at the cursor, which is a position in it.
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
