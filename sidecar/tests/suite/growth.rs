//! Whatever a client sends, twice the bytes take about twice the steps, which are counted (`make test-growth`),
//! and an error stays short. The rows are those of the table in docs/security.md.

use serde_json::{Value, json};
use sidecar::limits::MAX_TOOL_TEXT;

use crate::{
    Answer, Request, Running, Site,
    agent::{Agent, MCP, initialize, post},
    running::config,
    shop,
};

const SEARCH: &str = "/api/reviews/search";

/// What the sidecar does meanwhile by itself takes fewer steps than these.
const NOISE: u64 = 20_000;

/// A kind of input: what it is, a size, and the request of a size.
type Row = (&'static str, usize, Box<dyn Fn(usize) -> Request>);

fn row(name: &'static str, size: usize, request: impl Fn(usize) -> Request + 'static) -> Row {
    (name, size, Box::new(request))
}

/// So many different parts with this between two of them.
fn parts(count: usize, between: &str, part: impl Fn(usize) -> String) -> String {
    (0..count).map(part).collect::<Vec<_>>().join(between)
}

fn search(query: String) -> Request {
    Request::get(&format!("{SEARCH}?{query}"))
}

/// Fails where twice the size takes more than 2.5 times the steps, or an error is long. A size is tried three
/// times, and the least counts.
fn assert_proportional(running: &Running, (name, size, request): &Row) {
    let send = |size: usize| {
        let request = request(size);
        (0..3)
            .map(|_| crate::steps::steps(|| request.send(running.address)))
            .min_by_key(|it| it.1)
            .unwrap()
    };
    let [(_, constant), (_, once), (answer, twice)] = [1, *size, 2 * size].map(send);
    println!(
        "{name}: {constant} steps at 1, {once} at {size}, {twice} at twice the size, {}",
        answer.status
    );
    let (once, twice) = (once.saturating_sub(constant), twice.saturating_sub(constant));
    assert!(twice as f64 <= 2.5 * once.max(NOISE) as f64, "{name}: {once} steps, then {twice}");
    assert_short(name, &answer);
}

fn assert_short(name: &str, answer: &Answer) {
    assert!(answer.status < 500, "{name}: {}", answer.status);
    assert!(answer.body.len() < 4 * MAX_TOOL_TEXT, "{name}: {} bytes", answer.body.len());
    let is_error = answer.status >= 400;
    assert!(!is_error || answer.body.len() <= MAX_TOOL_TEXT, "{name}: {} bytes", answer.body.len());
}

fn assert_all_proportional(site: &Site, rows: &[Row]) {
    let mut config = config(site);
    config.poll_interval = std::time::Duration::from_secs(600);
    let running = Running::start_with(config);
    for row in rows {
        assert_proportional(&running, row);
    }
}

#[test]
fn targets() {
    let rows = [
        row("parameters, each once", 3_000, |n| search(parts(n, "&", |n| format!("k{n}")))),
        row("parameters of one name", 3_000, |n| search(parts(n, "&", |_| "rating=9".into()))),
        row("empty parameters", 12_000, |n| search("&".repeat(n))),
        row("a long unknown name", 12_000, |n| search("k".repeat(n))),
        row("an unknown name, percent-encoded", 4_000, |n| search("%01".repeat(n))),
        row("a number of stars", 12_000, |n| search(format!("rating={}", "9".repeat(n)))),
        row("a least number of stars", 12_000, |n| {
            search(format!("min_rating=1.{}", "9".repeat(n)))
        }),
        row("a day", 12_000, |n| search(format!("since={}", "2".repeat(n)))),
        row("a limit", 12_000, |n| search(format!("limit={}", "0".repeat(n)))),
        row("a cursor", 12_000, |n| search(format!("cursor={}", "0".repeat(n)))),
        row("a name", 12_000, |n| search(format!("mentions_technician={}", "a".repeat(n)))),
        row("a name that is short enough", 95, |n| {
            search(format!("source={}", "a+".repeat(n / 2)))
        }),
        row("words of q", 240, |n| {
            search(format!("q={}", parts(n, "+", |n| format!("{:x}", n + 16))))
        }),
        row("excluded words of q", 160, |n| {
            search(format!("q={}", parts(n, "+", |n| format!("-{n:x}"))))
        }),
        row("quotation marks of q", 490, |n| search(format!("q={}", "\"".repeat(n)))),
        row("one word of q", 490, |n| search(format!("q={}", "a".repeat(n)))),
        row("marks of one letter", 490, |n| {
            search(format!("query=a{}", "%CC%81%CC%A7".repeat(n / 2)))
        }),
        row("since", 12_000, |n| Request::get(&format!("/api/reviews/since/{}", "1".repeat(n)))),
        row("parameters of since", 3_000, |n| {
            Request::get(&format!(
                "/api/reviews/since/2025-01-01?{}",
                parts(n, "&", |n| format!("k{n}"))
            ))
        }),
        row("a path", 12_000, |n| Request::get(&format!("/{}", "a/".repeat(n / 2)))),
        row("a path of escapes", 4_000, |n| Request::get(&format!("/{}", "%2e%2f".repeat(n / 2)))),
        row("characters to be encoded", 5_000, |n| {
            Request::get(&format!("/?q={}", "\"".repeat(n)))
        }),
        row("a method", 12_000, |n| Request::new(&"A".repeat(n), "/")),
    ];
    assert_all_proportional(&shop::published(), &rows);
}

#[test]
fn header_fields() {
    let mut rows = vec![
        row("a Host", 12_000, |n| post("{}").host(&"a.".repeat(n / 2))),
        row("an international Host", 12_000, |n| post("{}").host(&"xn--a-ecp.".repeat(n / 10))),
        row("a Host of one label", 12_000, |n| post("{}").host(&format!("xn--{}", "9".repeat(n)))),
        row("an Origin", 12_000, |n| {
            post("{}").with("Origin", format!("http://{}", "a.".repeat(n / 2)))
        }),
        row("a session", 12_000, |n| post("{}").with("Mcp-Session-Id", ".".repeat(n))),
        row("a revision", 12_000, |n| post("{}").with("MCP-Protocol-Version", "9".repeat(n))),
        row("Accept", 1_500, |n| {
            let list = parts(n, ",", |n| format!("a/{n};q=0.1"));
            Request::new("POST", MCP).host("localhost").with("Accept", list).body("{}")
        }),
        row("Content-Type", 3_000, |n| {
            let kind = format!("application/json;{}", parts(n, ";", |n| format!("a{n}=b")));
            Request::new("POST", MCP).host("localhost").with("Content-Type", kind).body("{}")
        }),
        row("Expect", 3_000, |n| Request::get("/").with("Expect", "a,".repeat(n))),
        row("Connection", 3_000, |n| Request::get("/").with("Connection", "a,".repeat(n))),
        row("names of fields", 40, |n| {
            (0..n).fold(Request::get("/"), |request, n| request.with(&format!("X-{n}"), "x"))
        }),
    ];
    for target in ["/big.bin", SEARCH, "/api/reviews/since/2025-01-01"] {
        for (name, part, between) in [
            ("If-None-Match", "\"b3-0\"", ", "),
            ("If-None-Match", "\"", ""),
            ("If-None-Match", "W/", ","),
            ("If-Match", "\"a,b\" x", ","),
            ("If-Modified-Since", "Sun, 06 Nov 1994 08:49:37 GMT", " "),
            ("If-Range", "\"b3-0\"", ", "),
            ("Range", "0-1", ","),
            ("Range", "9", ""),
            ("Accept-Encoding", "gzip;q=0.001", ","),
            ("Accept-Encoding", "x", ","),
            ("Accept-Encoding", ";", ""),
            ("X-Forwarded-For", "8.8.8.8", ","),
        ] {
            rows.push(row(name, 1_000, move |n| {
                let unit = if name == "Range" { "bytes=" } else { "" };
                let value = parts(n, between, |_| part.to_owned());
                Request::get(target).with(name, format!("{unit}{value}"))
            }));
        }
    }
    let mut site = shop::site();
    site.set("big.bin", vec![b'x'; 1_000]);
    site.publish();
    assert_all_proportional(&site, &rows);
}

#[test]
fn forms_of_the_hub() {
    let form = |body: String| {
        Request::new("POST", "/api/websub/hub")
            .with("Content-Type", "application/x-www-form-urlencoded")
            .body(body)
    };
    let topic = "hub.mode=subscribe&hub.topic=https%3A%2F%2Fshop.example%2Ffeed.xml";
    let rows = [
        row("unknown fields", 1_000, move |n| form(parts(n, "&", |n| format!("k{n}=v")))),
        row("known fields", 500, move |n| form("hub.mode=x&".repeat(n))),
        row("a mode", 7_000, move |n| form(format!("hub.mode={}", "%61".repeat(n / 3)))),
        row("a topic", 7_000, move |n| {
            form(format!("hub.mode=subscribe&hub.topic=https://x/{}", "%25".repeat(n / 3)))
        }),
        row("a callback", 1_000, move |n| {
            form(format!("{topic}&hub.callback=https://s.invalid/{}", "a".repeat(n)))
        }),
        row("the host of a callback", 1_000, move |n| {
            form(format!("{topic}&hub.callback=https://xn--{}/", "9".repeat(n)))
        }),
        row("a lease", 7_000, move |n| {
            form(format!("{topic}&hub.lease_seconds={}", "9".repeat(n)))
        }),
        row("a form that is too long", 40_000, move |n| form("a".repeat(n))),
    ];
    assert_all_proportional(&shop::published(), &rows);
}

#[test]
fn messages() {
    let site = shop::published();
    let running = Running::start(&site);
    let session = Agent::new(&running).session;
    let opened = post(initialize("2025-03-26")).send(running.address);
    let batches = opened.field("mcp-session-id").unwrap().to_owned();
    drop(running);
    let of = |session: &str, body: String| post(body).with("Mcp-Session-Id", session);
    let raw = move |name: &'static str, size: usize, body: fn(usize) -> String| {
        let session = session.clone();
        row(name, size, move |n| of(&session, body(n)))
    };
    let batch = move |name: &'static str, size: usize, body: fn(usize) -> String| {
        let session = batches.clone();
        row(name, size, move |n| of(&session, body(n)))
    };
    let rows = [
        raw("arguments, each once", 20_000, |n| {
            call("search_reviews", (0..n).map(|n| (format!("k{n}"), Value::Null)).collect())
        }),
        raw("one argument, again and again", 20_000, |n| {
            let arguments = parts(n, ",", |_| "\"rating\":9".into());
            format!(
                "{{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\",\"params\":\
                     {{\"name\":\"search_reviews\",\"arguments\":{{{arguments}}}}}}}"
            )
        }),
        raw("a list as an argument", 100_000, |n| one("rating", json!(vec![0; n]))),
        raw("an object as an argument", 20_000, |n| {
            one("limit", (0..n).map(|n| (format!("k{n}"), Value::Null)).collect())
        }),
        raw("a text as an argument", 200_000, |n| one("query", "\u{1}".repeat(n / 6).into())),
        raw("an argument of some depth", 60, |n| {
            one("rating", (0..n).fold(Value::Null, |inner, _| json!([inner])))
        }),
        raw("a name of an argument", 200_000, |n| one(&"k".repeat(n), Value::Null)),
        raw("a name of a tool", 200_000, |n| call(&"k".repeat(n), Value::Null)),
        raw("words for the questions", 240, |n| {
            call("get_faq", json!({ "query": parts(n, " ", |n| format!("{n:x}")) }))
        }),
        raw("an id of a review", 200_000, |n| call("get_review", json!({ "id": " ".repeat(n) }))),
        raw("an aspect", 200_000, |n| {
            call("get_aspect_sentiment", json!({ "aspect": "a ".repeat(n / 2) }))
        }),
        raw("an instant", 200_000, |n| call("get_changes", json!({ "since": "1".repeat(n) }))),
        raw("a method", 200_000, |n| ask(&"k".repeat(n), json!({}))),
        raw("_meta", 20_000, |n| {
            let meta: Value = (0..n).map(|n| (format!("k{n}"), Value::Null)).collect();
            ask("tools/list", json!({ "_meta": meta }))
        }),
        raw("a revision in _meta", 200_000, |n| {
            ask(
                "tools/list",
                json!({ "_meta": { "io.modelcontextprotocol/protocolVersion": "9".repeat(n) } }),
            )
        }),
        raw("a cursor of a list", 200_000, |n| {
            ask("tools/list", json!({ "cursor": "9".repeat(n) }))
        }),
        raw("a resource", 200_000, |n| {
            ask("resources/read", json!({ "uri": "%61".repeat(n / 3) }))
        }),
        raw("a review as a resource", 200_000, |n| {
            ask(
                "resources/read",
                json!({ "uri": format!("candor://shop.example/review/{}", "a".repeat(n)) }),
            )
        }),
        raw("arguments of a prompt", 20_000, |n| {
            let arguments: Value = (0..n).map(|n| (format!("k{n}"), Value::Null)).collect();
            ask("prompts/get", json!({ "name": "whats_new", "arguments": arguments }))
        }),
        raw("an argument of a prompt", 200_000, |n| {
            ask(
                "prompts/get",
                json!({ "name": "whats_new", "arguments": { "since": "1".repeat(n) } }),
            )
        }),
        raw("a completion", 200_000, |n| {
            ask(
                "completion/complete",
                json!({
                    "ref": { "type": "ref/prompt", "name": "should_i_hire" },
                    "argument": { "name": "service", "value": "a ".repeat(n / 2) },
                }),
            )
        }),
        raw("an id of a message", 200_000, |n| {
            json!({ "jsonrpc": "2.0", "id": "1".repeat(n), "method": "ping" }).to_string()
        }),
        raw("members of a message", 20_000, |n| {
            format!(
                "{{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\",{}}}",
                parts(n, ",", |n| format!("\"k{n}\":0"))
            )
        }),
        raw("depth", 200_000, |n| ask("ping", Value::Null).replace("null", &"[".repeat(n))),
        raw("blanks", 200_000, |n| " ".repeat(n)),
        raw("what is not JSON", 200_000, |n| format!("{{\"a\":\"{}", "\\u0001".repeat(n / 6))),
        raw("a batch outside its revision", 100_000, |n| {
            format!("[{}]", parts(n, ",", |_| "1".into()))
        }),
        batch("messages of a batch", 100_000, |n| format!("[{}]", parts(n, ",", |_| "1".into()))),
        batch("arguments of a batch", 2_000, |n| {
            // Always more than a call may have.
            let arguments: Value = (0..n + 65).map(|n| (format!("k{n}"), Value::Null)).collect();
            format!("[{}]", parts(16, ",", |_| call("search_reviews", arguments.clone())))
        }),
        batch("methods of a batch", 20_000, |n| {
            format!("[{}]", parts(16, ",", |_| ask(&"k".repeat(n), json!({}))))
        }),
    ];
    assert_all_proportional(&site, &rows);
}

fn ask(method: &str, params: Value) -> String {
    json!({ "jsonrpc": "2.0", "id": 1, "method": method, "params": params }).to_string()
}

fn call(tool: &str, arguments: Value) -> String {
    ask("tools/call", json!({ "name": tool, "arguments": arguments }))
}

/// A search with one argument.
fn one(name: &str, value: Value) -> String {
    call("search_reviews", json!({ name: value }))
}
