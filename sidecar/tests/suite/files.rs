//! The published files at their addresses, and nothing else at any other.

use std::fs;

use contract::{etag::ETag, manifest::MANIFEST_PATH};

use crate::{Request, Running, Site, get, running::config, site::MODIFIED};

#[test]
fn a_topic_has_every_header_of_the_contract() {
    let site = Site::new();
    let running = Running::start(&site);
    let answer = get(running.address, "/reviews.json");
    let tag = site.tag("reviews.json");
    let length = site.bytes("reviews.json").len().to_string();
    for (name, value) in [
        ("etag", tag.as_str()),
        ("cache-control", "public, max-age=0, must-revalidate"),
        ("vary", "Accept-Encoding"),
        ("access-control-allow-origin", "*"),
        ("access-control-expose-headers", "ETag, Link, Last-Modified, Mcp-Session-Id"),
        (
            "link",
            "<https://shop.example/api/websub/hub>; rel=\"hub\", \
             <https://shop.example/reviews.json>; rel=\"self\"",
        ),
        ("x-content-type-options", "nosniff"),
        ("last-modified", MODIFIED),
        ("content-type", "application/json"),
        ("accept-ranges", "bytes"),
        ("content-length", &length),
    ] {
        assert_eq!(answer.field(name), Some(value), "{name}");
    }
    assert_eq!((answer.status, answer.body.as_slice()), (200, site.bytes("reviews.json")));
}

#[test]
fn an_asset_with_a_hash_in_its_name_is_kept_for_a_year() {
    let mut site = Site::unpublished();
    let path = "assets/style.0123456789abcdef.css";
    site.set(path, "a { }\n");
    site.publish();
    let running = Running::start(&site);
    let request = || Request::new("GET", &format!("/{path}"));
    for (status, answer) in [
        (200, request().send(running.address)),
        (304, request().with("if-none-match", site.tag(path)).send(running.address)),
    ] {
        assert_eq!(answer.status, status);
        let caching = answer.field("cache-control");
        assert_eq!(caching, Some("public, max-age=31536000, immutable"), "{status}");
    }
}

#[test]
fn every_document_protects_its_readers() {
    let mut site = Site::unpublished();
    site.set("embed/index.html", "<p>Card</p>\n");
    site.security.hsts_days = Some(1);
    site.publish();
    let running = Running::start(&site);
    let tag = site.tag("index.html");
    let page = |path: &str| Request::new("GET", path);
    for (status, frames, request) in [
        (200, "'none'", page("/")),
        (304, "'none'", page("/").with("if-none-match", &tag)),
        (200, "*", page("/embed/")),
        (404, "'none'", page("/nothing")),
    ] {
        let answer = request.send(running.address);
        assert_eq!(answer.status, status);
        let policy = answer.field("content-security-policy").unwrap();
        assert!(policy.starts_with("default-src 'none'; "), "{policy}");
        assert!(policy.ends_with(&format!("; frame-ancestors {frames}")), "{policy}");
        for (name, value) in [
            ("referrer-policy", "strict-origin-when-cross-origin"),
            ("permissions-policy", "camera=(), geolocation=(), microphone=(), payment=(), usb=()"),
            ("strict-transport-security", "max-age=86400"),
        ] {
            assert_eq!(answer.field(name), Some(value), "{status} {name}");
        }
    }
}

#[test]
fn no_document_claims_to_be_of_the_future() {
    let mut site = Site::unpublished();
    site.modified = "2199-01-01T00:00:00Z".parse().unwrap();
    site.publish();
    let running = Running::start(&site);
    let answer = get(running.address, "/feed.xml");
    assert_eq!(answer.field("last-modified"), answer.field("date"));
    assert_ne!(answer.field("date"), None);
}

#[test]
fn a_document_from_before_1970_has_no_last_modified() {
    let mut site = Site::unpublished();
    site.modified = "1969-12-31T00:00:00Z".parse().unwrap();
    site.publish();
    let running = Running::start(&site);
    for path in ["/feed.xml", "/api/reviews/search", "/api/reviews/since/2000-01-01"] {
        let answer = get(running.address, path);
        assert_eq!((answer.status, answer.field("last-modified")), (200, None), "{path}");
    }
}

#[test]
fn every_file_is_sent_whole_and_head_says_how_long_it_is() {
    let site = Site::new();
    let running = Running::start(&site);
    for (url, path) in [
        ("/", "index.html"),
        ("/about/", "about/index.html"),
        ("/feed.xml", "feed.xml"),
        ("/feed.xml?a=b", "feed.xml"),
        ("/%66eed.xml", "feed.xml"),
        ("/big.bin", "big.bin"),
    ] {
        let answer = get(running.address, url);
        assert_eq!(answer.status, 200, "{url}");
        assert!(answer.body == site.bytes(path), "{url}");
        let head = Request::new("HEAD", url).send(running.address);
        assert_eq!((head.status, head.body.len()), (200, 0));
        for name in ["content-length", "etag", "content-type", "last-modified"] {
            assert_eq!(head.field(name), answer.field(name), "{url} {name}");
        }
    }
}

#[test]
fn the_manifest_is_published_byte_for_byte() {
    let site = Site::new();
    let running = Running::start(&site);
    let bytes = fs::read(site.public().join(MANIFEST_PATH)).unwrap();
    let answer = get(running.address, "/candor-manifest.json");
    assert_eq!((answer.status, &answer.body), (200, &bytes));
    assert_eq!(answer.field("etag"), Some(ETag::of(&bytes).as_str()));
    assert_eq!(answer.field("content-type"), Some("application/json"));
}

#[test]
fn other_spellings_lead_to_the_address() {
    let site = Site::new();
    let running = Running::start(&site);
    for (from, to) in [
        ("/index.html", "/"),
        ("/about", "/about/"),
        ("/about?a=b", "/about/?a=b"),
        ("/about/index.html", "/about/"),
    ] {
        let answer = get(running.address, from);
        assert_eq!((answer.status, answer.field("location")), (308, Some(to)), "{from}");
    }
}

#[test]
fn a_page_that_does_not_exist_is_the_sites_own() {
    let site = Site::new();
    let running = Running::start(&site);
    for path in ["/nothing", "/404.html", "/about/nothing"] {
        let answer = get(running.address, path);
        assert_eq!((answer.status, answer.text()), (404, "<h1>Nothing here</h1>\n"), "{path}");
        assert_eq!(answer.field("content-type"), Some("text/html; charset=utf-8"));
        assert_eq!(answer.field("cache-control"), Some("no-cache"));
        assert_eq!(answer.field("etag"), None);
    }
}

#[test]
fn programs_get_errors_they_can_read() {
    let site = Site::new();
    let running = Running::start(&site);
    let api = get(running.address, "/api/nothing");
    let json = "{\"error\":\"not_found\",\"message\":\"There is nothing at this path.\"}";
    assert_eq!((api.status, api.text()), (404, json));
    assert_eq!(api.field("content-type"), Some("application/json"));
    assert_eq!(api.field("access-control-allow-origin"), Some("*"));
    let mcp = Request::new("POST", "/mcp/nothing").send(running.address);
    assert_eq!(mcp.status, 404);
    assert_eq!((&mcp.json()["jsonrpc"], &mcp.json()["id"]), (&"2.0".into(), &().into()));
    assert_eq!(mcp.json()["error"]["message"], "There is nothing at this path.");
}

#[test]
fn no_path_leaves_the_site() {
    let mut site = Site::unpublished();
    site.set(".env", "secret");
    site.publish();
    fs::write(site.public().join("unlisted.txt"), "not in the manifest").unwrap();
    fs::write(site.public().join("../outside.txt"), "outside").unwrap();
    let running = Running::start(&site);
    for path in [
        "/../outside.txt",
        "/%2e%2e/outside.txt",
        "/..%2foutside.txt",
        "/..%5coutside.txt",
        "/about/../../outside.txt",
        "/about%2findex.html",
        "//outside.txt",
        "//reviews.json",
        "/reviews.json%00",
        "/reviews.json/",
        "/%c0%ae%c0%ae/outside.txt",
        "/%",
        "/%zz",
        "/.env",
        "/%2eenv",
        "/unlisted.txt",
        "/state/lock",
    ] {
        assert_eq!(get(running.address, path).status, 404, "{path}");
    }
    let answer = get(running.address, "/reviews.json\\..\\x\u{1}");
    assert!(matches!(answer.status, 400 | 404), "{}", answer.status);
}

#[test]
fn every_path_answers_a_preflight() {
    let site = Site::new();
    let running = Running::start(&site);
    for path in ["/reviews.json", "/nothing", "/api/reviews/search", "/mcp", "*"] {
        let answer = Request::new("OPTIONS", path).send(running.address);
        assert_eq!((answer.status, answer.body.len()), (204, 0), "{path}");
        assert_eq!(answer.field("access-control-allow-origin"), Some("*"));
        assert_eq!(answer.field("access-control-allow-methods"), Some("GET, HEAD, POST, OPTIONS"));
        assert_eq!(
            answer.field("access-control-allow-headers"),
            Some(
                "If-None-Match, If-Modified-Since, Content-Type, Accept, Authorization, \
                 Mcp-Session-Id, MCP-Protocol-Version, Mcp-Method, Mcp-Name, Last-Event-ID"
            )
        );
        assert_eq!(answer.field("access-control-max-age"), Some("3600"));
    }
}

#[test]
fn other_methods_are_refused() {
    let site = Site::new();
    let running = Running::start(&site);
    for method in ["POST", "PUT", "DELETE", "PATCH", "PROPFIND"] {
        let answer = Request::new(method, "/feed.xml").send(running.address);
        assert_eq!((answer.status, answer.field("allow")), (405, Some("GET, HEAD, OPTIONS")));
        assert_eq!(
            answer.text(),
            "{\"error\":\"method_not_allowed\",\"message\":\"This path answers GET, HEAD and \
             OPTIONS.\"}"
        );
    }
}

#[test]
fn without_serve_public_no_file_is_served_or_kept_that_no_route_needs() {
    let site = Site::new();
    let mut config = config(&site);
    config.serve_public = false;
    let running = Running::start_with(config);
    for path in ["/", "/reviews.json", "/candor-manifest.json", "/about", "/big.bin"] {
        let answer = get(running.address, path);
        assert_eq!((answer.status, answer.text()), (404, "404 Not found\n"), "{path}");
    }
    let mut expected =
        ["feed.xml", "insights.json", "reviews.json"].map(|path| site.tag(path)[4..36].to_owned());
    expected.sort();
    assert_eq!(site.objects(), expected);
}
