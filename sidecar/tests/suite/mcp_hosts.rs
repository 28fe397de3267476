//! Which Host and which Origin `/mcp` answers to (docs/mcp.md, "Hosts and origins").

use std::{
    io::{ErrorKind, Read, Write},
    net::TcpStream,
    time::Duration,
};

use serde_json::json;

use crate::{
    Answer, Request, Running, Site,
    agent::{MCP, initialize, post},
    mcp_refusals::refused,
    running::config,
};

#[test]
fn hosts_are_the_sites_own_the_sidecars_and_loopback() {
    let mut site = Site::new();
    site.sidecar = Some("https://api.shop.example/x".into());
    site.later_by(1);
    site.publish();
    let running = Running::start(&site);
    let status =
        |host: &str| post(initialize("2025-06-18")).host(host).send(running.address).status;
    for host in [
        "shop.example",
        "SHOP.example:443",
        "api.shop.example",
        "localhost:1234",
        "127.0.0.1",
        "127.1.2.3:80",
        "[::1]:8080",
    ] {
        assert_eq!(status(host), 200, "{host}");
    }
    for host in ["evil.example", "shop.example.evil.example", "10.0.0.1", "x@shop.example"] {
        let answer = post(initialize("2025-06-18")).host(host).send(running.address);
        let message = format!(
            "The Host {host:?} is not allowed. To allow it, add it to --mcp-hosts (CANDOR_MCP_HOSTS)."
        );
        assert_eq!(refused(&answer), (403, -32000, json!(null), message));
    }
    // Before anything else is looked at, and for every method.
    let get = Request::new("GET", MCP).host("evil.example").send(running.address);
    assert_eq!(get.status, 403);
    assert_eq!(status(""), 400);
    let twice = post(initialize("2025-06-18")).with("Host", "localhost").send(running.address);
    assert_eq!(twice.status, 400);
}

#[test]
fn a_host_can_be_added_and_origins_can_be_limited() {
    let site = Site::new();
    let mut config = config(&site);
    config.mcp.hosts = vec!["sidecar".into()];
    config.mcp.origins = vec!["https://claude.ai".into()];
    let running = Running::start_with(config);
    let ask = |host: &str, origin: &str| {
        let request = post(initialize("2025-06-18")).host(host);
        request.with("Origin", origin).send(running.address)
    };
    assert_eq!(ask("sidecar:8081", "https://claude.ai").status, 200);
    assert_eq!(ask("shop.example", "https://CLAUDE.ai:443").status, 200);
    let message = "The Origin \"https://evil.example\" is not allowed. If it should be, add it to \
                   --mcp-origins (CANDOR_MCP_ORIGINS).";
    let answer = ask("shop.example", "https://evil.example");
    assert_eq!(refused(&answer), (403, -32000, json!(null), message.to_owned()));
}

#[test]
fn a_loopback_host_accepts_loopback_origins_only_and_the_public_one_all() {
    let site = Site::new();
    let running = Running::start(&site);
    let ask = |host: &str, origin: &str| {
        let request = post(initialize("2025-06-18")).host(host);
        request.with("Origin", origin).send(running.address)
    };
    for (host, origin) in [
        ("localhost", "http://localhost:6274"),
        ("127.0.0.1:9", "https://127.0.0.1"),
        ("localhost", "http://[::1]:3000"),
        ("shop.example", "https://claude.ai"),
        ("shop.example", "null"),
    ] {
        assert_eq!(ask(host, origin).status, 200, "{host} {origin}");
    }
    for origin in [
        "https://shop.example",
        "https://evil.example",
        "null",
        "http://localhost.evil.example",
        "",
    ] {
        let message = format!(
            "The Origin {origin:?} is not allowed with a loopback Host: use the site's own name. A proxy must pass the Host header through."
        );
        let answer = ask("localhost", origin);
        assert_eq!(refused(&answer), (403, -32000, json!(null), message), "{origin}");
    }
}

/// A server that answers and closes while the client still sends resets the connection, and the
/// client may lose the answer.
#[test]
fn a_refusal_reaches_a_client_that_sends_its_body_late() {
    let running = Running::start(&Site::new());
    for (path, fields, status) in [
        ("/mcp", "Host: evil.example", 403),
        ("/api/websub/hub", "Host: shop.example\r\nContent-Type: text/plain", 415),
    ] {
        let head = format!(
            "POST {path} HTTP/1.1\r\n{fields}\r\nContent-Length: 4\r\nConnection: close\r\n\r\n"
        );
        let mut stream = TcpStream::connect(running.address).unwrap();
        stream.write_all(head.as_bytes()).unwrap();
        stream.set_read_timeout(Some(Duration::from_millis(200))).unwrap();
        let early = stream.read(&mut [0; 1]).unwrap_err();
        assert_eq!(early.kind(), ErrorKind::WouldBlock, "{path}");
        stream.set_read_timeout(Some(Duration::from_secs(20))).unwrap();
        stream.write_all(b"late").unwrap();
        let mut bytes = Vec::new();
        stream.read_to_end(&mut bytes).unwrap();
        assert_eq!(Answer::parse(&bytes).status, status, "{path}");
    }
}

#[test]
fn a_host_and_an_origin_have_760_bytes_at_most() {
    let running = Running::start(&Site::new());
    // The dots at the end of a host, and the path of an origin, count as they are sent.
    let [host, origin] = ["shop.example", "http://localhost/"].map(|start| {
        [760, 761].map(|length| format!("{start}{}", ".".repeat(length - start.len())))
    });
    let status = |request: Request| request.send(running.address).status;
    let open = || post(initialize("2025-06-18"));
    assert_eq!(host.map(|host| status(open().host(&host))), [200, 403]);
    assert_eq!(origin.map(|origin| status(open().with("Origin", origin))), [200, 403]);
}
