//! Tools and prompts that answer at once.

use std::time::Duration;

use actix_web::rt::time::sleep;
use rmcp::{
    ErrorData,
    model::{
        CallToolRequestParams, CallToolResponse, CallToolResult, ClientCapabilities,
        GetPromptRequestParams, GetPromptResponse, GetPromptResult, Tool,
    },
};
use serde_json::{Value, json};

use crate::{
    fixtures::{Context, PNG, WAV, typed},
    inputs,
};

/// Between two notifications of one call.
const PAUSE: Duration = Duration::from_millis(50);

/// Every tool.
pub(crate) fn tools() -> Result<Vec<Tool>, ErrorData> {
    let plain = |name: &&str| json!({ "name": name, "description": name, "inputSchema": { "type": "object" } });
    let mut tools: Vec<Value> = NAMES.iter().chain(&inputs::NAMES).map(plain).collect();
    tools.push(json_schema());
    tools.push(json!({
        "name": "test_custom_headers",
        "description": "Its arguments are in headers too.",
        "inputSchema": {
            "type": "object",
            "properties": {
                "region": { "type": "string", "x-mcp-header": "Region" },
                "priority": { "type": "integer", "x-mcp-header": "Priority" },
                "verbose": { "type": "boolean", "x-mcp-header": "Verbose" },
                "query": { "type": "string" },
            },
        },
    }));
    typed(tools.into())
}

const NAMES: [&str; 10] = [
    "test_simple_text",
    "test_image_content",
    "test_audio_content",
    "test_embedded_resource",
    "test_multiple_content_types",
    "test_tool_with_logging",
    "test_logging_tool",
    "test_tool_with_progress",
    "test_error_handling",
    "test_missing_capability",
];

/// Keywords of JSON Schema 2020-12 that must come through unchanged (SEP-1613, SEP-2106).
fn json_schema() -> Value {
    json!({
        "name": "json_schema_2020_12_tool",
        "description": "Tool with JSON Schema 2020-12 features",
        "inputSchema": {
            "$schema": "https://json-schema.org/draft/2020-12/schema",
            "type": "object",
            "$defs": {
                "address": {
                    "$anchor": "addressDef",
                    "type": "object",
                    "properties": { "street": { "type": "string" }, "city": { "type": "string" } },
                },
            },
            "properties": {
                "name": { "type": "string" },
                "address": { "$ref": "#/$defs/address" },
                "contactMethod": { "type": "string", "enum": ["phone", "email"] },
                "phone": { "type": "string" },
                "email": { "type": "string" },
            },
            "allOf": [{ "anyOf": [{ "required": ["phone"] }, { "required": ["email"] }] }],
            "if": {
                "properties": { "contactMethod": { "const": "phone" } },
                "required": ["contactMethod"],
            },
            "then": { "required": ["phone"] },
            "else": { "required": ["email"] },
            "additionalProperties": false,
        },
    })
}

fn text(text: &str) -> Value {
    json!({ "type": "text", "text": text })
}

fn image() -> Value {
    json!({ "type": "image", "data": PNG, "mimeType": "image/png" })
}

/// Calls a tool.
pub(crate) async fn call(
    request: &CallToolRequestParams,
    context: &Context,
) -> Result<CallToolResponse, ErrorData> {
    let content = match &*request.name {
        "test_simple_text" => json!([text("This is a simple text response for testing.")]),
        "test_image_content" => json!([image()]),
        "test_audio_content" => json!([{ "type": "audio", "data": WAV, "mimeType": "audio/wav" }]),
        "test_embedded_resource" => json!([{ "type": "resource", "resource": {
            "uri": "test://embedded-resource", "mimeType": "text/plain",
            "text": "This is an embedded resource content.",
        } }]),
        "test_multiple_content_types" => json!([
            text("Multiple content types test:"),
            image(),
            { "type": "resource", "resource": {
                "uri": "test://mixed-content-resource", "mimeType": "application/json",
                "text": "{\"test\":\"data\",\"value\":123}",
            } },
        ]),
        "test_tool_with_logging" => log(context).await?,
        // Without a level in the request nothing is logged (2026-07-28).
        "test_logging_tool" if meta(context, "io.modelcontextprotocol/logLevel").is_none() => {
            json!([text("No log was requested.")])
        }
        "test_logging_tool" => log(context).await?,
        "test_tool_with_progress" => progress(context).await?,
        "test_error_handling" => {
            let content =
                vec![typed(text("This tool intentionally returns an error for testing"))?];
            return Ok(CallToolResult::error(content).into());
        }
        "test_missing_capability" => return sampling_only(context),
        "json_schema_2020_12_tool" | "test_custom_headers" => json!([text("Called.")]),
        name => return Err(ErrorData::invalid_params(format!("There is no tool {name}."), None)),
    };
    Ok(CallToolResult::success(typed(content)?).into())
}

#[expect(deprecated, reason = "the handshake's era has it")]
async fn log(context: &Context) -> Result<Value, ErrorData> {
    for said in ["Tool execution started", "Tool processing data", "Tool execution completed"] {
        let message = typed(json!({ "level": "info", "data": said }))?;
        // The client may be gone.
        let _ = context.peer.notify_logging_message(message).await;
        sleep(PAUSE).await;
    }
    Ok(json!([text("Logged three times.")]))
}

/// A member of the request's `_meta`.
fn meta(context: &Context, name: &str) -> Option<Value> {
    serde_json::to_value(&context.meta).ok()?.get(name).cloned()
}

async fn progress(context: &Context) -> Result<Value, ErrorData> {
    let token = meta(context, "progressToken");
    for done in [0, 50, 100] {
        if let Some(token) = &token {
            let progress =
                typed(json!({ "progressToken": token, "progress": done, "total": 100 }))?;
            // The client may be gone.
            let _ = context.peer.notify_progress(progress).await;
        }
        sleep(PAUSE).await;
    }
    Ok(json!([text("Done.")]))
}

fn sampling_only(context: &Context) -> Result<CallToolResponse, ErrorData> {
    let declared = context.client_capabilities().is_some_and(|client| client.sampling.is_some());
    if declared {
        Ok(CallToolResult::success(typed(json!([text("Sampled.")]))?).into())
    } else {
        let required: ClientCapabilities = typed(json!({ "sampling": {} }))?;
        Err(ErrorData::missing_required_client_capability(required))
    }
}

/// Fills in a prompt.
pub(crate) fn prompt(request: &GetPromptRequestParams) -> Result<GetPromptResponse, ErrorData> {
    let argument = |name: &str| {
        let arguments = request.arguments.as_ref();
        arguments.and_then(|arguments| arguments.get(name)?.as_str()).unwrap_or_default()
    };
    let user = |content: Value| json!({ "role": "user", "content": content });
    let messages = match request.name.as_str() {
        "test_simple_prompt" => json!([user(text("This is a simple prompt for testing."))]),
        "test_prompt_with_arguments" => json!([user(text(&format!(
            "Prompt with arguments: arg1='{}', arg2='{}'",
            argument("arg1"),
            argument("arg2")
        )))]),
        "test_prompt_with_embedded_resource" => json!([
            user(json!({ "type": "resource", "resource": {
                "uri": argument("resourceUri"), "mimeType": "text/plain",
                "text": "Embedded resource content for testing.",
            } })),
            user(text("Please process the embedded resource above.")),
        ]),
        "test_prompt_with_image" => {
            json!([user(image()), user(text("Please analyze the image above."))])
        }
        name => return Err(ErrorData::invalid_params(format!("There is no prompt {name}."), None)),
    };
    Ok(GetPromptResult::new(typed(messages)?).into())
}
