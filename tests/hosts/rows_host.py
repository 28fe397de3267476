"""The rows asked of a host once: what has no address, and the routes that the sidecar answers."""

import json
import zlib

import programs
import publication
import relay
from client import Answer, Client
from rows import EACH_HOST, MISS, POST, equal, handshake, holds, row, rpc


def plain(answer: Answer) -> bytes:
    """The body without the coding that a host may choose where none was asked for."""
    return zlib.decompress(answer.body, 31) if answer.get("Content-Encoding") == "gzip" else answer.body


@row(EACH_HOST, "no such page")
def _(client: Client, site: publication.Publication) -> None:
    page = (site.public / "404.html").read_bytes()
    for path in ("/no-such-page", "/badges/none/", "/reviews/01/none.html", "/.env"):
        answer = client.ask("GET", path, ("Accept-Encoding", "identity"), ("If-None-Match", "*"))
        equal(answer.status, 404, f"status of {path}")
        holds(answer.body == page, f"{path} is not answered with 404.html")
        holds(answer.get("Content-Type").startswith("text/html"), f"Content-Type is {answer.get('Content-Type')!r}")


@row(EACH_HOST, "no such data")
def _(client: Client, _site: publication.Publication) -> None:
    answer = client.ask("GET", "/api/none")
    equal(answer.status, 404, "status")
    equal(json.loads(answer.body)["error"], "not_found", "error")


@row(EACH_HOST, "404.html")
def _(client: Client, _site: publication.Publication) -> None:
    equal(client.ask("GET", "/404.html").status, 404, "status")


@row(EACH_HOST, "folders")
def _(client: Client, _site: publication.Publication) -> None:
    for path, to in (("/badges", "/badges/"), ("/badges/index.html", "/badges/"), ("/index.html", "/")):
        answer = client.ask("GET", f"{path}?from=mail")
        holds(answer.status in (301, 302, 307, 308), f"status of {path} is {answer.status}")
        where = answer.get("Location").removeprefix(publication.BASE_URL)
        equal(where, f"{to}?from=mail", f"Location of {path}")


@row(EACH_HOST, "manifest")
def _(client: Client, site: publication.Publication) -> None:
    answer = client.ask("GET", "/candor-manifest.json", ("Accept-Encoding", "identity"))
    equal(answer.status, 200, "status")
    holds(answer.body == (site.public / "candor-manifest.json").read_bytes(), "bytes that are not Candor's")
    again = client.ask("GET", "/candor-manifest.json", ("If-None-Match", answer.get("ETag")))
    equal(again.status, 304, "status with its tag")


@row(EACH_HOST, "search")
def _(client: Client, _site: publication.Publication) -> None:
    found = []
    for query in ("water%20heater", "water+heater"):
        answer = client.ask("GET", f"/api/reviews/search?query={query}&limit=5")
        equal(answer.status, 200, "status")
        equal(answer.all("Access-Control-Allow-Origin"), ["*"], "Access-Control-Allow-Origin")
        found.append(json.loads(plain(answer)))
    holds(found[0]["matched"] > 0, "nothing is found")
    equal(found[0], found[1], "the answer to +")


@row(EACH_HOST, "search: 304, 400, 405")
def _(client: Client, _site: publication.Publication) -> None:
    path = "/api/reviews/search?rating=5"
    tag = client.ask("GET", path).get("ETag")
    equal(client.ask("GET", path, ("If-None-Match", f"{MISS}, {tag}")).status, 304, "status with its tag")
    bad = client.ask("GET", "/api/reviews/search?rating=9&limit=0", ("If-None-Match", "*"))
    equal(bad.status, 400, "status of a bad rating")
    equal(len(json.loads(bad.body)["issues"]), 2, "number of issues")
    equal(client.ask("POST", path, ("If-None-Match", tag), body=b"").status, 405, "status of POST")


@row(EACH_HOST, "since")
def _(client: Client, _site: publication.Publication) -> None:
    for coding in ("identity", "gzip"):
        accept = ("Accept-Encoding", coding)
        got = client.ask("GET", "/api/reviews/since/2020-01-01", accept)
        equal(got.status, 200, "status")
        again = client.ask("GET", "/api/reviews/since/2020-01-01", accept, ("If-None-Match", got.get("ETag")))
        equal(again.status, 304, f"status with the tag of {coding}")
        equal(again.get("ETag"), got.get("ETag"), "ETag of the 304")
        head = client.ask("HEAD", "/api/reviews/since/2020-01-01", accept)
        equal((head.status, head.get("ETag")), (200, got.get("ETag")), "HEAD")


@row(EACH_HOST, "since: no date")
def _(client: Client, _site: publication.Publication) -> None:
    answer = client.ask("GET", "/api/reviews/since/2026-02-30", ("If-None-Match", "*"))
    equal(answer.status, 400, "status")
    equal(json.loads(answer.body)["error"], "validation_error", "error")


@row(EACH_HOST, "mcp: session")
def _(client: Client, _site: publication.Publication) -> None:
    answer = handshake(client)
    equal(answer.status, 200, "status")
    session = ("Mcp-Session-Id", answer.get("Mcp-Session-Id"))
    holds(session[1], "there is no Mcp-Session-Id")
    version = ("MCP-Protocol-Version", "2025-06-18")
    tools = rpc(client, "tools/list", {}, session, version)
    equal(tools.status, 200, "status of tools/list")
    holds(len(json.loads(plain(tools))["result"]["tools"]) > 5, "tools are missing")
    call = rpc(client, "tools/call", {"name": "search_reviews", "arguments": {"rating": 5}}, session, version)
    holds(json.loads(plain(call))["result"]["structuredContent"]["matched"] > 0, "nothing is found")


@row(EACH_HOST, "mcp: refusals")
def _(client: Client, _site: publication.Publication) -> None:
    equal(rpc(client, "tools/list", {}).status, 400, "status without a session")
    unknown = rpc(client, "tools/list", {}, ("Mcp-Session-Id", "none"))
    equal(unknown.status, 404, "status of an unknown session")
    holds("error" in json.loads(unknown.body), "the 404 is not JSON-RPC")
    get = client.ask("GET", "/mcp", ("Accept", "text/event-stream"))
    equal((get.status, get.members("Allow") & {"post"}), (405, {"post"}), "GET")


@row(EACH_HOST, "mcp: foreign Host")
def _(client: Client, _site: publication.Publication) -> None:
    answer = handshake(client, host="evil.example")
    holds(b'"result"' not in answer.body, "a Host that is not Candor's is answered")


@row(EACH_HOST, "hub")
def _(client: Client, _site: publication.Publication) -> None:
    topic = f"hub.topic={publication.BASE_URL}/feed.xml"
    form = f"hub.mode=subscribe&{topic}&hub.callback="
    accepted = client.ask("POST", "/api/websub/hub", POST, body=f"{form}https://told.example/".encode())
    equal(accepted.status, 202, "status")
    refused = client.ask("POST", "/api/websub/hub", POST, body=f"{form}http://told.example/".encode())
    equal(refused.status, 400, "status of a plain callback")
    holds(b"https" in refused.body.lower(), f"the reason is {refused.body[:200]!r}")
    ping = client.ask("POST", "/api/websub/hub", POST, body=f"hub.mode=publish&{topic}".encode())
    equal(ping.status, 202, "status of a ping")


@row(EACH_HOST, "candor verify")
def _(client: Client, _site: publication.Publication) -> None:
    with relay.to(client.address) as proxy:
        programs.run(
            programs.path("candor"), "verify", publication.BASE_URL, "--preview", "--timeout", "2m",
            ALL_PROXY=proxy, NO_PROXY="",
        )  # fmt: skip


@row(EACH_HOST, "earlier name: documents")
def _(client: Client, _site: publication.Publication) -> None:
    for path in ("/feed.xml?a=b", "/badges/"):
        answer = client.ask("GET", path, host=publication.EARLIER)
        holds(answer.status in (301, 308), f"status is {answer.status}")
        equal(answer.get("Location"), publication.BASE_URL + path, "Location")


@row(EACH_HOST, "earlier name: mcp")
def _(client: Client, _site: publication.Publication) -> None:
    equal(handshake(client, host=publication.EARLIER).status, 200, "status")


@row(EACH_HOST, "earlier name: hub")
def _(client: Client, _site: publication.Publication) -> None:
    form = f"hub.mode=publish&hub.topic=http://{publication.EARLIER}/feed.xml".encode()
    equal(client.ask("POST", "/api/websub/hub", POST, body=form, host=publication.EARLIER).status, 202, "status")
