//! Tools and a prompt that ask the client back before they answer (SEP-2322).

use std::collections::BTreeMap;

use rmcp::{
    ErrorData,
    model::{
        CallToolRequestParams, CallToolResponse, CallToolResult, GetPromptRequestParams,
        GetPromptResponse, GetPromptResult, InputRequiredResult,
    },
};
use serde_json::{Value, json};

use crate::fixtures::{Context, typed};

pub(crate) const NAMES: [&str; 9] = [
    "test_streaming_elicitation",
    "test_input_required_result_elicitation",
    "test_input_required_result_sampling",
    "test_input_required_result_list_roots",
    "test_input_required_result_request_state",
    "test_input_required_result_multiple_inputs",
    "test_input_required_result_multi_round",
    "test_input_required_result_tampered_state",
    "test_input_required_result_capabilities",
];

type Responses = BTreeMap<String, Value>;

/// What a tool asks for in a round: the requests, and the state that comes back with the answers.
struct Round {
    requests: Value,
    state: Option<&'static str>,
}

fn elicit(message: &str, key: &str, kind: &str) -> Value {
    let schema =
        json!({ "type": "object", "properties": { key: { "type": kind } }, "required": [key] });
    json!({ "method": "elicitation/create", "params": { "message": message, "requestedSchema": schema } })
}

fn sample(question: &str, tokens: u32) -> Value {
    json!({ "method": "sampling/createMessage", "params": {
        "messages": [{ "role": "user", "content": { "type": "text", "text": question } }],
        "maxTokens": tokens,
    } })
}

fn roots() -> Value {
    json!({ "method": "roots/list", "params": {} })
}

/// The rounds of a tool, in order.
fn rounds(name: &str, context: &Context) -> Option<Vec<Round>> {
    let ask = |requests: Value, state| Round { requests, state };
    let confirm = || elicit("Please confirm", "ok", "boolean");
    let name_please = || elicit("What is your name?", "name", "string");
    if name == "test_streaming_elicitation" {
        return Some(vec![ask(json!({ "user_name": name_please() }), None)]);
    }
    let rounds = match name.strip_prefix("test_input_required_result_")? {
        "elicitation" => vec![ask(json!({ "user_name": name_please() }), None)],
        "sampling" => {
            let question = sample("What is the capital of France?", 100);
            vec![ask(json!({ "capital_question": question }), None)]
        }
        "list_roots" => vec![ask(json!({ "client_roots": roots() }), None)],
        "request_state" => vec![ask(json!({ "confirm": confirm() }), Some("one"))],
        "tampered_state" => vec![ask(json!({ "confirm": confirm() }), Some("sealed"))],
        "multiple_inputs" => vec![ask(
            json!({
                "user_name": name_please(), "greeting": sample("Generate a greeting", 50),
                "client_roots": roots(),
            }),
            Some("several"),
        )],
        "multi_round" => vec![
            ask(
                json!({ "step1": elicit("Step 1: What is your name?", "name", "string") }),
                Some("round-1"),
            ),
            ask(
                json!({ "step2": elicit("Step 2: What is your favorite color?", "color", "string") }),
                Some("round-2"),
            ),
        ],
        "capabilities" => vec![ask(what_the_client_can(context), None)],
        _ => return None,
    };
    Some(rounds)
}

/// Only what the client said it can answer.
fn what_the_client_can(context: &Context) -> Value {
    let client = context.client_capabilities().unwrap_or_default();
    let mut requests = json!({});
    if client.sampling.is_some() {
        requests["sampled"] = sample("Say something", 20);
    }
    if client.elicitation.is_some() {
        requests["elicited"] = elicit("What is your name?", "name", "string");
    }
    requests
}

/// Whether the answer to a request is of the form its method has.
fn answers(request: &Value, response: Option<&Value>) -> bool {
    let Some(response) = response else { return false };
    match request["method"].as_str() {
        Some("elicitation/create") => {
            let required = request["params"]["requestedSchema"]["required"].as_array();
            let mut required = required.into_iter().flatten().filter_map(Value::as_str);
            let declined = response["action"].as_str().is_some_and(|action| action != "accept");
            declined || required.all(|key| response["content"].get(key).is_some())
        }
        Some("sampling/createMessage") => response.get("content").is_some(),
        _ => response["roots"].is_array(),
    }
}

fn complete(request: &Value, responses: Option<&Responses>) -> bool {
    let requests = request.as_object().into_iter().flatten();
    let mut requests = requests
        .map(|(key, request)| answers(request, responses.and_then(|responses| responses.get(key))));
    requests.all(|answered| answered)
}

/// A state with its seal, which nobody can change unnoticed.
fn sealed(state: &str) -> String {
    format!("{state}.{}", seal(state))
}

fn seal(state: &str) -> String {
    let key = blake3::derive_key("candor 2026 state of a conformance fixture", b"fixed");
    blake3::keyed_hash(&key, state.as_bytes()).to_hex().to_string()
}

/// Which state comes back; an error where it is unknown.
fn opened(state: Option<&str>) -> Result<Option<&str>, ErrorData> {
    let Some(state) = state else { return Ok(None) };
    let opened = state.rsplit_once('.').filter(|(state, found)| seal(state) == *found);
    let changed = || ErrorData::invalid_params("The requestState was changed.", None);
    opened.map(|(state, _)| Some(state)).ok_or_else(changed)
}

/// Calls a tool that asks back; `None` where the name is no such tool's.
pub(crate) fn call(
    request: &CallToolRequestParams,
    context: &Context,
) -> Result<Option<CallToolResponse>, ErrorData> {
    let Some(rounds) = rounds(&request.name, context) else { return Ok(None) };
    let state = opened(request.request_state.as_deref())?;
    let responses = request.input_responses.as_ref();
    // Without a state the first round is meant.
    let at = rounds.iter().position(|round| round.state == state).unwrap_or_default();
    let (round, next) = (&rounds[at], rounds.get(at + 1));
    let returned = round.state.is_none() || state.is_some();
    let asked = match (returned && complete(&round.requests, responses), next) {
        (false, _) => round,
        (true, Some(next)) => next,
        (true, None) => {
            let said = serde_json::to_string(&responses).unwrap_or_default();
            let text = json!([{ "type": "text", "text": format!("state-ok: {said}") }]);
            return Ok(Some(CallToolResult::success(typed(text)?).into()));
        }
    };
    let result: InputRequiredResult = typed(json!({
        "resultType": "input_required", "inputRequests": asked.requests,
        "requestState": asked.state.map(sealed),
    }))?;
    Ok(Some(result.into()))
}

/// The prompt that asks for its context.
pub(crate) fn prompt(
    request: &GetPromptRequestParams,
) -> Result<Option<GetPromptResponse>, ErrorData> {
    if request.name != "test_input_required_result_prompt" {
        return Ok(None);
    }
    let requests = json!({ "user_context": elicit("What context should the prompt use?", "context", "string") });
    if complete(&requests, request.input_responses.as_ref()) {
        let text = json!({ "type": "text", "text": "Use the context." });
        let messages = typed(json!([{ "role": "user", "content": text }]))?;
        return Ok(Some(GetPromptResult::new(messages).into()));
    }
    let result: InputRequiredResult =
        typed(json!({ "resultType": "input_required", "inputRequests": requests }))?;
    Ok(Some(result.into()))
}
