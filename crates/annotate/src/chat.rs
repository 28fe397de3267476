//! Responses of the chat completions interface, in one piece or as a stream.

use serde::Deserialize;
use serde_json::Value;

use super::answer::Fault;

/// The reply of a model.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Reply {
    /// The text, which is to be checked.
    pub content: String,
    /// Tokens of the question and of the answer, if the server counts them.
    pub(crate) usage: Option<(u64, u64)>,
}

#[derive(Default, Deserialize)]
struct Completion {
    #[serde(default)]
    choices: Vec<Choice>,
    #[serde(default)]
    usage: Value,
}

#[derive(Default, Deserialize)]
struct Choice {
    /// The message in one piece.
    message: Option<Message>,
    /// A piece of a stream.
    delta: Option<Message>,
    finish_reason: Option<String>,
}

#[derive(Default, Deserialize)]
struct Message {
    content: Option<String>,
}

/// Tokens of the question and of the answer. Some servers count nothing, or write null.
fn counts(usage: &Value) -> Option<(u64, u64)> {
    let count = |name: &str| usage.get(name).and_then(Value::as_u64).unwrap_or_default();
    Some((count("prompt_tokens"), count("completion_tokens"))).filter(|counts| *counts != (0, 0))
}

/// Reads the body of a successful response. Some servers stream although the request does not ask for it.
pub(crate) fn read(body: &[u8]) -> Result<Reply, Fault> {
    let text = str::from_utf8(body).map_err(|_| Fault::NoJson)?.trim_start();
    let is_stream = ["data:", "event:", ":"].iter().any(|start| text.starts_with(start));
    if is_stream {
        stream(text)
    } else {
        // An answer that ends too early is cut off rather than malformed.
        let value: Value = serde_json::from_str(text)
            .map_err(|error| if error.is_eof() { Fault::CutOff } else { Fault::NoJson })?;
        completion(&value)
    }
}

/// Reads a completion in one piece.
fn completion(value: &Value) -> Result<Reply, Fault> {
    let Completion { choices, usage } =
        Completion::deserialize(value).map_err(|_| Fault::NoJson)?;
    let choice = choices.into_iter().next().ok_or(Fault::NoJson)?;
    whole(choice.finish_reason.as_deref())?;
    let content = choice.message.and_then(|message| message.content).ok_or(Fault::NoJson)?;
    Ok(Reply { content, usage: counts(&usage) })
}

/// Server-sent events with pieces of the text; the last one is `[DONE]`.
fn stream(text: &str) -> Result<Reply, Fault> {
    let mut reply = Reply::default();
    let (mut finish, mut is_done) = (None, false);
    for data in text.lines().filter_map(|line| line.strip_prefix("data:")) {
        if data.trim() == "[DONE]" {
            is_done = true;
            break;
        }
        let Ok(Completion { choices, usage }) = serde_json::from_str(data) else {
            return Err(Fault::CutOff);
        };
        reply.usage = counts(&usage).or(reply.usage);
        for choice in choices.into_iter().take(1) {
            reply.content.extend(choice.delta.and_then(|delta| delta.content));
            finish = choice.finish_reason.or(finish);
        }
    }
    if !is_done && finish.is_none() {
        return Err(Fault::CutOff);
    }
    whole(finish.as_deref())?;
    Ok(reply)
}

/// An error if the model stopped because of a limit.
fn whole(finish_reason: Option<&str>) -> Result<(), Fault> {
    match finish_reason {
        Some("length") => Err(Fault::CutOff),
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn reply(content: &str, usage: Option<(u64, u64)>) -> Result<Reply, Fault> {
        Ok(Reply { content: content.to_owned(), usage })
    }

    #[test]
    fn a_completion_has_a_text_and_counts() {
        let of = |text: &str| read(text.as_bytes());
        assert_eq!(
            of(
                r#"{"choices":[{"message":{"role":"assistant","content":"{}"},"finish_reason":"stop"}],"usage":{"prompt_tokens":7,"completion_tokens":2,"total_tokens":9}}"#
            ),
            reply("{}", Some((7, 2)))
        );
        assert_eq!(of(r#"{"choices":[{"message":{"content":"{}"}}]}"#), reply("{}", None));
        for usage in ["null", r#"{"prompt_tokens":null,"completion_tokens":0}"#, "\"free\""] {
            let text =
                format!(r#"{{"choices":[{{"message":{{"content":"{{}}"}}}}],"usage":{usage}}}"#);
            assert_eq!(of(&text), reply("{}", None), "{usage}");
        }
        assert_eq!(
            of(r#"{"choices":[{"message":{"content":"{}"},"finish_reason":"length"}]}"#),
            Err(Fault::CutOff)
        );
        assert_eq!(of(r#"{"choices":[{"message":{"content":"{"#), Err(Fault::CutOff));
        for bad in [
            r#"{"choices":[]}"#,
            r#"{"choices":[{"message":{"content":null,"refusal":"No."}}]}"#,
            "<html>",
            "[]",
        ] {
            assert_eq!(of(bad), Err(Fault::NoJson), "{bad}");
        }
        assert_eq!(read(b"\xff"), Err(Fault::NoJson));
    }

    #[test]
    fn a_stream_is_joined() {
        let piece = |text: &str, finish: &str| {
            format!(
                "data: {{\"choices\":[{{\"delta\":{{\"content\":{text:?}}},\"finish_reason\":{finish}}}]}}\n\n"
            )
        };
        let usage =
            "data: {\"choices\":[],\"usage\":{\"prompt_tokens\":7,\"completion_tokens\":2}}\n\n";
        let (first, last) = (piece("{\"a\"", "null"), piece(":1}", "\"stop\""));
        let of = |text: String| read(text.as_bytes());
        assert_eq!(
            of(format!(": hello\n\n{first}{last}{usage}data: [DONE]\n\n")),
            reply("{\"a\":1}", Some((7, 2)))
        );
        assert_eq!(of(format!("{first}{last}")), reply("{\"a\":1}", None));
        assert_eq!(of(first.clone()), Err(Fault::CutOff));
        assert_eq!(of(format!("{first}data: {{\"cho")), Err(Fault::CutOff));
        assert_eq!(of(format!("{first}{}", piece("", "\"length\""))), Err(Fault::CutOff));
    }
}
