//! The table of limits in the documentation says what the constants say.

use contract::{
    api::FEED_SIZE,
    query::{
        CURSOR_LENGTH, DEFAULT_LIMIT, MAX_IGNORED, MAX_LIMIT, MAX_NAME_LENGTH, MAX_NEEDLE_LENGTH,
        MAX_PARAMETERS, MAX_WORDS,
    },
};
use sidecar::{
    MAX_LARGE_RESPONSES, MAX_MEMORY, MAX_RESPONSES, MESSAGE_TIMEOUT, STALL_TIMEOUT, limits,
};
use std::time::Duration;

use crate::{Request, Running, Site};

fn kib(bytes: usize) -> String {
    if bytes >= 1024 * 1024 {
        format!("{} MiB", bytes / 1024 / 1024)
    } else {
        format!("{} KiB", bytes / 1024)
    }
}

fn thousands(number: usize) -> String {
    if number >= 1_000 {
        format!("{},{:03}", number / 1_000, number % 1_000)
    } else {
        number.to_string()
    }
}

fn rows() -> Vec<(String, String)> {
    let row = |what: &str, limit: String| (what.to_owned(), limit);
    let characters = |most: usize| format!("{} characters", thousands(most));
    let whole = |bytes: u64| kib(usize::try_from(bytes).unwrap());
    let seconds = |time: Duration| format!("{} s", time.as_secs());
    vec![
        row(
            "the head of a connection's first request must arrive within",
            seconds(limits::REQUEST_TIMEOUT),
        ),
        row("a later request must be there and its response begin within", seconds(STALL_TIMEOUT)),
        row(
            "of a response that waits for its reader, the reader must take",
            format!("{} every {}", kib(limits::MIN_PROGRESS), seconds(STALL_TIMEOUT)),
        ),
        row("an idle connection is kept for", seconds(limits::KEEP_ALIVE)),
        row("memory for a connection", whole(limits::CONNECTION_MEMORY)),
        row(
            "connections: `--max-memory` divided by that",
            thousands(usize::try_from(MAX_MEMORY / limits::CONNECTION_MEMORY).unwrap()),
        ),
        row(
            "responses of search, `since` and MCP under way at once; the next is 503",
            thousands(MAX_RESPONSES),
        ),
        row(
            &format!("of them longer than {}", whole(limits::LARGE_RESPONSE)),
            thousands(MAX_LARGE_RESPONSES),
        ),
        row(
            "of connections, of these responses, and of the long ones, for one client network",
            format!("one in {}", limits::SHARES),
        ),
        row("path and query of a request", kib(limits::MAX_TARGET)),
        row("parameters of a request, or arguments of a tool", MAX_PARAMETERS.to_string()),
        row("unknown names in a response", MAX_IGNORED.to_string()),
        row("`query`, `q`", characters(MAX_NEEDLE_LENGTH)),
        row("words and phrases of `q`", MAX_WORDS.to_string()),
        row(
            "`mentions_technician`, `mentions_service`, `source`, `language`, `aspect`",
            characters(MAX_NAME_LENGTH),
        ),
        row("`cursor`", characters(CURSOR_LENGTH)),
        row(
            "reviews of a search response",
            format!("{MAX_LIMIT}; {DEFAULT_LIMIT} if not asked for"),
        ),
        row("reviews of a feed", FEED_SIZE.to_string()),
        row("body of a message to `/mcp`", kib(limits::MAX_MESSAGE)),
        row(
            "messages to `/mcp` that take the place of a long response",
            format!("from {}", kib(limits::LARGE_MESSAGE)),
        ),
        row("a message to `/mcp` must arrive within", seconds(MESSAGE_TIMEOUT)),
        row(
            "responses of a batch, after which its further requests are refused",
            whole(limits::LARGE_RESPONSE),
        ),
        row("text of a tool's result", kib(limits::MAX_TOOL_TEXT + 1)),
        row("a document read as a resource", whole(limits::MAX_RESOURCE)),
        row("entries of a transparency log for `get_proof`", whole(limits::MAX_LOG_ENTRIES)),
        row("salts of a transparency log for `get_proof`", whole(limits::MAX_SALTS)),
        row(
            "checkpoint and key document of a log for `get_proof`, each",
            whole(limits::MAX_LOG_NOTE),
        ),
        row("a response compressed while its reader waits", whole(limits::MAX_COMPRESSED)),
        row("compressed responses kept in memory", kib(limits::COMPRESSED_CACHE)),
        row(
            "of a long response sent before other requests have their turn",
            kib(limits::FAIR_SHARE),
        ),
    ]
}

#[test]
fn the_documented_limits_are_the_constants() {
    let documented = include_str!("../../../docs/operating.md");
    for (what, limit) in rows() {
        let row = format!("| {what} | {limit} |\n");
        assert!(documented.contains(&row), "docs/operating.md lacks the row {row}");
    }
}

#[test]
fn a_head_has_at_most_96_fields_and_128_kib() {
    let running = Running::start(&Site::new());
    let status = |request: Request| request.send(running.address).status;
    // Host and Connection are two of them.
    let fields =
        |count| (2..count).fold(Request::get("/"), |it, n| it.with(&format!("X-{n}"), "x"));
    assert_eq!([96, 97].map(|count| status(fields(count))), [200, 431]);
    let long = |bytes| status(Request::get("/").with("X-Long", "x".repeat(bytes)));
    assert_eq!([120, 140].map(|kib| long(kib * 1024)), [200, 431]);
}
