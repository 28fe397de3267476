//! Any published site over standard input and output (docs/mcp.md, "Any site, from your own machine").

use std::{
    fs::File,
    io::{BufRead, BufReader, Read, Write},
    net::{TcpListener, TcpStream},
    path::PathBuf,
    process::{Child, ChildStdin, ChildStdout, Stdio},
    sync::{Arc, Mutex},
    thread,
    time::{Duration, SystemTime},
};

use serde_json::{Value, json};

use crate::{
    Running, Site,
    agent::{Agent, Era, meta},
    eventually,
    listing::id,
    process::command,
    shop,
};

/// A plain web server for a folder, as many hosts are: `Last-Modified` and no `ETag`. Each connection
/// is closed after a response, which does not say so.
pub(crate) struct Folder {
    pub(crate) url: String,
    /// The status of each response.
    statuses: Arc<Mutex<Vec<u16>>>,
}

impl Folder {
    pub(crate) fn serve(folder: PathBuf) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        let statuses = Arc::new(Mutex::new(Vec::new()));
        let answered = statuses.clone();
        // It ends with the process of the tests.
        thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                answered.lock().unwrap().extend(respond(stream, &folder).ok());
            }
        });
        Self { url, statuses }
    }

    /// How many responses had this status.
    fn count(&self, status: u16) -> usize {
        self.statuses.lock().unwrap().iter().filter(|it| **it == status).count()
    }
}

fn respond(mut stream: TcpStream, folder: &std::path::Path) -> std::io::Result<u16> {
    let (mut path, mut held) = (String::new(), String::new());
    for line in BufReader::new(stream.try_clone()?).lines() {
        let line = line?;
        match line.split_once(' ') {
            Some(("GET", rest)) => path = rest.split(' ').next().unwrap_or_default().to_owned(),
            Some((name, value)) if name.eq_ignore_ascii_case("if-modified-since:") => {
                held = value.to_owned();
            }
            None => break,
            _ => {}
        }
    }
    let path = folder.join(path.trim_start_matches('/'));
    let Ok(bytes) = std::fs::read(&path) else {
        stream.write_all(b"HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n")?;
        return Ok(404);
    };
    let modified = httpdate::fmt_http_date(path.metadata()?.modified()?);
    let (status, body) = if held == modified { (304, Vec::new()) } else { (200, bytes) };
    let length =
        if status == 200 { format!("Content-Length: {}\r\n", body.len()) } else { String::new() };
    write!(stream, "HTTP/1.1 {status} X\r\nLast-Modified: {modified}\r\n{length}\r\n")?;
    stream.write_all(&body)?;
    Ok(status)
}

/// `candor-sidecar mcp`, with its standard streams.
pub(crate) struct Lines {
    child: Child,
    input: Option<ChildStdin>,
    output: BufReader<ChildStdout>,
    era: Era,
}

impl Lines {
    pub(crate) fn start(urls: &[&str]) -> Self {
        Self::of(urls, Era::Session)
    }

    pub(crate) fn of(urls: &[&str], era: Era) -> Self {
        let mut command = command();
        command.args(["mcp", "--refresh", "1"]).args(urls);
        let command = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        let mut child = command.spawn().unwrap();
        let (input, output) = (child.stdin.take(), BufReader::new(child.stdout.take().unwrap()));
        let mut lines = Self { child, input, output, era };
        if era == Era::Session {
            let opened =
                lines.send(&serde_json::from_str(&crate::agent::initialize("2025-06-18")).unwrap());
            assert_eq!(opened["result"]["protocolVersion"], "2025-06-18", "{opened}");
            lines.notify(&json!({ "jsonrpc": "2.0", "method": "notifications/initialized" }));
        }
        lines
    }

    fn notify(&mut self, message: &Value) {
        writeln!(self.input.as_ref().unwrap(), "{message}").unwrap();
    }

    fn send(&mut self, message: &Value) -> Value {
        self.notify(message);
        let mut line = String::new();
        self.output.read_line(&mut line).unwrap();
        serde_json::from_str(&line).unwrap()
    }

    pub(crate) fn ask(&mut self, method: &str, mut params: Value) -> Value {
        if self.era == Era::Stateless {
            params["_meta"] = meta();
        }
        self.send(&json!({ "jsonrpc": "2.0", "id": 1, "method": method, "params": params }))
    }

    pub(crate) fn call(&mut self, tool: &str, arguments: Value) -> Value {
        let params = json!({ "name": tool, "arguments": arguments });
        self.ask("tools/call", params)["result"].take()
    }
}

impl Drop for Lines {
    fn drop(&mut self) {
        drop(self.input.take());
        let ended = self.child.wait();
        let mut rest = String::new();
        self.output.read_to_string(&mut rest).unwrap();
        assert!(thread::panicking() || ended.unwrap().success() && rest.is_empty(), "{rest}");
    }
}

#[test]
fn every_answer_is_that_of_the_route() {
    let (site, other) = (shop::published(), shop::published());
    let running = Running::start(&other);
    let folder = Folder::serve(site.public());
    for era in [Era::Session, Era::Stateless] {
        let (agent, mut lines) = (Agent::of(running.address, era), Lines::of(&[&folder.url], era));
        for (method, params) in [
            ("tools/list", json!({})),
            ("prompts/list", json!({})),
            ("resources/list", json!({})),
            ("resources/read", json!({ "uri": "https://shop.example/llms.txt" })),
            ("prompts/get", json!({ "name": "whats_new", "arguments": { "since": "2025-01-01" } })),
            ("tools/call", json!({ "name": "search_reviews", "arguments": { "limit": 2 } })),
            ("tools/call", json!({ "name": "get_review", "arguments": { "id": id(1) } })),
            ("tools/call", json!({ "name": "get_review", "arguments": { "id": "x" } })),
            ("tools/call", json!({ "name": "no_tool" })),
            ("no/method", json!({})),
        ] {
            let expected = agent.send(method, params.clone()).json();
            assert_eq!(lines.ask(method, params.clone()), expected, "{era:?} {method} {params}");
        }
        assert_eq!(lines.send(&json!("not a message"))["error"]["code"], -32600);
    }
}

#[test]
fn it_follows_the_site_and_answers_from_the_last_good_publication() {
    let mut site = shop::published();
    let folder = Folder::serve(site.public());
    let mut lines = Lines::start(&[&folder.url]);
    let mut matched =
        || lines.call("search_reviews", json!({}))["structuredContent"]["matched"].take();
    assert_eq!(matched(), 6);
    eventually("304 by Last-Modified alone", || folder.count(304) > 0);
    // Its files are not what its manifest says.
    site.set("reviews.json", shop::listing(&shop::reviews()[..2]));
    site.later_by(1);
    let seen = folder.count(200);
    site.publish_manifest();
    // `Last-Modified` knows seconds only, and the first manifest may be of this one.
    let manifest = File::options().append(true).open(site.public().join("candor-manifest.json"));
    manifest.unwrap().set_modified(SystemTime::now() + Duration::from_secs(60)).unwrap();
    eventually("the manifest and what it lists", || folder.count(200) > seen + 1);
    assert_eq!(matched(), 6);
    site.publish();
    eventually("the next publication", || matched() == 2);
    site.remove("candor-manifest.json");
    eventually("the site is gone", || folder.count(404) > 0);
    assert_eq!(matched(), 2);
}

/// What it says of addresses it cannot use.
fn refused(urls: &[&str]) -> String {
    let output =
        command().args(["mcp", "--log", "off"]).args(urls).stdin(Stdio::null()).output().unwrap();
    assert_eq!((output.status.success(), &*output.stdout), (false, &b""[..]));
    String::from_utf8(output.stderr).unwrap()
}

#[test]
fn an_address_that_cannot_be_used_is_named_with_the_reason_and_the_remedy() {
    let empty = tempfile::tempdir().unwrap();
    let none = Folder::serve(empty.path().to_path_buf()).url;
    assert_eq!(
        refused(&[&none]),
        format!(
            "error: {none}/ is not the address of a Candor site: {none}/candor-manifest.json answered \
             404. Name the address below which candor-manifest.json is published\n"
        )
    );
    let site = Site::new();
    site.write("reviews.json", b"{}");
    let liar = Folder::serve(site.public()).url;
    let untrusted = refused(&[&liar]);
    let begin = format!(
        "error: what is published at {liar}/ cannot be trusted: {liar}/reviews.json is not \
                         the file the manifest lists: expected "
    );
    let end = "Try again in a few minutes, in case it is being published now; otherwise its owner has to \
               publish it again\n";
    assert!(untrusted.starts_with(&begin) && untrusted.ends_with(end), "{untrusted}");
    let closed = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    let gone = refused(&[&format!("http://{closed}")]);
    let begin =
        format!("error: http://{closed}/ cannot be reached: http://{closed}/candor-manifest.json ");
    let end = "Check the address and the network, and start again\n";
    assert!(gone.starts_with(&begin) && gone.ends_with(end), "{gone}");
    let plain = refused(&["http://shop.example"]);
    assert!(plain.contains("it must begin with https://"), "{plain}");
}

#[test]
fn one_call_compares_three_businesses() {
    let sites: Vec<Site> = (0..3)
        .map(|n| {
            let mut reviews = shop::reviews();
            reviews[5]["owner_reply"] = json!({ "text": "Sorry.", "date": null });
            let mut site = shop::site();
            site.set("reviews.json", shop::listing(&reviews[..6 - n]));
            site.publish();
            site
        })
        .collect();
    let folders: Vec<_> = sites.iter().map(|site| Folder::serve(site.public())).collect();
    let urls: Vec<_> = folders.iter().map(|folder| folder.url.as_str()).collect();
    let names: Vec<_> = urls.iter().map(|url| url.strip_prefix("http://").unwrap()).collect();
    let mut lines = Lines::start(&urls);
    let tools = lines.ask("tools/list", json!({}))["result"].take();
    // A transparency log adds a tool of 700 bytes.
    assert!(tools.to_string().len() <= 14_300, "{}", tools.to_string().len());
    for tool in tools["tools"].as_array().unwrap() {
        let site = &tool["inputSchema"]["properties"]["site"];
        if tool["name"] == "compare_businesses" {
            assert!(site.is_null());
        } else {
            let known = (tool["name"] == "get_business").then_some(json!(names));
            assert_eq!((&site["type"], site.get("enum")), (&json!("string"), known.as_ref()));
            assert!(tool["inputSchema"]["required"].as_array().unwrap().contains(&json!("site")));
        }
    }
    let all = lines.call("compare_businesses", json!({}))["structuredContent"].take();
    let found = all["businesses"].as_array().unwrap();
    assert!(found.iter().map(|it| &it["site"]).eq(&names));
    let first = &found[0];
    assert_eq!(first["critical"]["matched"], 2);
    assert_eq!(first["critical"]["replied"], 1);
    assert_eq!(first["critical"]["newest"]["id"], id(6));
    assert_eq!(first["critical"]["newest"]["owner_reply"]["text"], "Sorry.");
    assert_eq!(first["critical"]["review_url"], "https://shop.example/reviews/#{id}");
    assert_eq!((&first["average"], &first["withheld_count"]), (&json!(3.33), &json!(1)));
    assert_eq!(first["partial_sources"], json!([]));
    assert_eq!(
        found[2]["critical"],
        json!({
            "matched": 1, "replied": 0, "review_url": "https://shop.example/reviews/#{id}",
            "newest": crate::listing::in_lists(shop::reviews()[2].clone()),
        })
    );
    let late = lines.call("compare_businesses", json!({ "q": "clean", "since": "2025-01-01" }));
    let counts = late["structuredContent"]["businesses"].as_array().unwrap().iter();
    assert!(counts.map(|it| it["matched"].as_u64().unwrap()).eq([2, 1, 1]));
    let of_one = json!({ "site": format!("http://{}/", names[1]), "limit": 1 });
    assert_eq!(lines.call("search_reviews", of_one)["structuredContent"]["matched"], 5);
    for (site, received) in [(json!(null), "\"\""), (json!("x"), "\"x\"")] {
        let text = lines.call("get_summary", json!({ "site": site }))["content"][0]["text"].take();
        assert_eq!(text, format!("site must be one of {}; received {received}", names.join(", ")));
    }
    let prompt =
        json!({ "name": "whats_new", "arguments": { "since": "2025-01-01", "site": names[0] } });
    assert!(lines.ask("prompts/get", prompt)["result"]["messages"][0].is_object());
    let read = lines.ask("resources/read", json!({ "uri": "https://shop.example/llms.txt" }));
    assert_eq!(read["result"]["contents"][0]["text"], "# Acme Plumbing\n");
    let twice = refused(&[urls[0], urls[0]]);
    assert_eq!(twice, format!("error: {}/ is named twice: name each site once\n", urls[0]));
}
