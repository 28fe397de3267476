"""The request matrix: each row is a rule, asked of every document in every coding, of every document
once, or of a host once. A row that does not hold raises AssertionError with what was seen."""

import json
import re
import zlib
from datetime import datetime, timedelta, timezone
from email.utils import parsedate_to_datetime

import publication
from client import Answer, Client

# Row to function, in the order they are printed.
EACH_CODING: dict = {}
EACH_DOCUMENT: dict = {}
EACH_HOST: dict = {}

MISS = '"b3-00000000000000000000000000000000"'
POST = ("Content-Type", "application/x-www-form-urlencoded")


def row(table: dict, name: str):
    """Puts a function into a table."""

    def add(function):
        table[name] = function
        return function

    return add


def equal(seen, wanted, what: str = "") -> None:
    """Raises unless both are equal."""
    if seen != wanted:
        raise AssertionError(f"{what or 'it'} is {seen!r}, not {wanted!r}")


def holds(condition, what: str) -> None:
    """Raises unless it holds."""
    if not condition:
        raise AssertionError(what)


class Case:
    """A document in a coding at a host, and what it answered to a plain GET."""

    def __init__(self, client: Client, document: publication.Document, coding: str | None):
        self.client, self.document, self.coding = client, document, coding
        self.accept = ("Accept-Encoding", coding or "identity")
        self.got = self.ask()
        self.tag = self.got.get("ETag")
        self.served = self.got.get("Content-Encoding") or None
        self.modified = self.got.get("Last-Modified")

    def ask(self, *fields: tuple[str, str], method: str = "GET", query: str = "") -> Answer:
        """Asks for the document in the coding."""
        return self.client.ask(method, self.document.url + query, self.accept, *fields)

    def none_match(self, value: str, *more: tuple[str, str], status: int = 304, **options) -> Answer:
        """Asks with If-None-Match and wants this status."""
        answer = self.ask(("If-None-Match", value), *more, **options)
        equal(answer.status, status, "status")
        return answer

    def since(self, date: str, status: int) -> None:
        """Asks with If-Modified-Since and wants this status; without a date of its own, always 200."""
        answer = self.ask(("If-Modified-Since", date))
        equal(answer.status, status if self.modified else 200, "status")

    def date(self, days: int = 0, form: str = "%a, %d %b %Y %H:%M:%S GMT") -> str:
        """The date of the document, moved by some days, in one of HTTP's forms."""
        known = parsedate_to_datetime(self.modified) if self.modified else datetime(2026, 1, 1, tzinfo=timezone.utc)
        return (known + timedelta(days=days)).strftime(form)


@row(EACH_CODING, "bytes")
def _(case: Case) -> None:
    equal(case.got.status, 200, "status")
    body = case.got.body
    if case.served in case.document.tags and body == case.document.bytes(case.served):
        return
    if case.served == "gzip":
        body = zlib.decompress(body, 31)
    holds(case.served != "br", f"the {case.served} bytes are not Candor's")
    holds(body == case.document.bytes(), f"{len(body)} bytes that are not Candor's")


@row(EACH_CODING, "coding")
def _(case: Case) -> None:
    equal(case.served, case.coding, "Content-Encoding")


@row(EACH_CODING, "own tag")
def _(case: Case) -> None:
    equal(case.tag, case.document.tags.get(case.served), f"ETag of {case.served or 'identity'}")


@row(EACH_CODING, "type")
def _(case: Case) -> None:
    equal(case.got.all("Content-Type"), [case.document.type], "Content-Type")


@row(EACH_CODING, "fields")
def _(case: Case) -> None:
    got = case.got
    equal(got.members("Cache-Control"), case.document.caching, "Cache-Control")
    equal(got.all("Access-Control-Allow-Origin"), ["*"], "Access-Control-Allow-Origin")
    exposed = {"etag", "link", "last-modified", "mcp-session-id"}
    equal(got.members("Access-Control-Expose-Headers"), exposed, "Access-Control-Expose-Headers")
    equal(got.all("X-Content-Type-Options"), ["nosniff"], "X-Content-Type-Options")
    frames = "*" if re.search("(^|/)(embed|fragments)/", case.document.file) else "'none'"
    policies = got.all("Content-Security-Policy")
    holds(len(policies) == 1 and policies[0].endswith(f"; frame-ancestors {frames}"), f"Content-Security-Policy is {policies}")
    equal(got.all("Referrer-Policy"), ["strict-origin-when-cross-origin"], "Referrer-Policy")
    equal(len(got.all("Permissions-Policy")), 1, "Permissions-Policy")


@row(EACH_CODING, "Vary")
def _(case: Case) -> None:
    if len(case.document.tags) > 1:
        holds("accept-encoding" in case.got.members("Vary"), f"Vary is {case.got.get('Vary')!r}")


@row(EACH_CODING, "Link")
def _(case: Case) -> None:
    equal(case.got.get("Link"), case.document.link, "Link")


@row(EACH_CODING, "Last-Modified")
def _(case: Case) -> None:
    wanted = datetime.fromisoformat(case.document.modified)
    seen = parsedate_to_datetime(case.modified) if case.modified else None
    equal(seen, wanted, "Last-Modified")


@row(EACH_CODING, "exact")
def _(case: Case) -> None:
    case.none_match(case.tag)


@row(EACH_CODING, "W/")
def _(case: Case) -> None:
    case.none_match(case.tag if case.tag.startswith("W/") else f"W/{case.tag}")


@row(EACH_CODING, "first of a list")
def _(case: Case) -> None:
    case.none_match(f'{case.tag}, {MISS}')


@row(EACH_CODING, "last of a list")
def _(case: Case) -> None:
    case.none_match(f'{MISS}, W/"x", {case.tag}')


@row(EACH_CODING, "list without spaces")
def _(case: Case) -> None:
    case.none_match(f'{MISS},{case.tag},"x"')


@row(EACH_CODING, "two lines")
def _(case: Case) -> None:
    case.none_match(MISS, ("If-None-Match", case.tag))


@row(EACH_CODING, "*")
def _(case: Case) -> None:
    case.none_match("*")


@row(EACH_CODING, "miss")
def _(case: Case) -> None:
    equal(case.none_match(MISS, status=200).body, case.got.body, "body")


@row(EACH_CODING, "unquoted tag")
def _(case: Case) -> None:
    case.none_match(case.tag.removeprefix("W/").strip('"'), status=200)


@row(EACH_CODING, "HEAD")
def _(case: Case) -> None:
    answer = case.ask(method="HEAD")
    equal(answer.status, 200, "status")
    equal(answer.get("ETag"), case.tag, "ETag")
    equal(answer.get("Content-Type"), case.got.get("Content-Type"), "Content-Type")


@row(EACH_CODING, "HEAD hit")
def _(case: Case) -> None:
    case.none_match(case.tag, method="HEAD")


@row(EACH_CODING, "miss, later date")
def _(case: Case) -> None:
    case.none_match(MISS, ("If-Modified-Since", case.date(1)), status=200)


@row(EACH_CODING, "hit, earlier date")
def _(case: Case) -> None:
    case.none_match(case.tag, ("If-Modified-Since", case.date(-1)))


@row(EACH_CODING, "date equal")
def _(case: Case) -> None:
    case.since(case.date(), 304)


@row(EACH_CODING, "date later")
def _(case: Case) -> None:
    case.since(case.date(1), 304)


@row(EACH_CODING, "date earlier")
def _(case: Case) -> None:
    case.since(case.date(-1), 200)


@row(EACH_CODING, "no date")
def _(case: Case) -> None:
    for garbage in ("yesterday", "Sat, 31 Foo 2099 00:00:00 GMT", "4102444800"):
        case.since(garbage, 200)


@row(EACH_CODING, "rfc850 date")
def _(case: Case) -> None:
    case.since(case.date(0, "%A, %d-%b-%y %H:%M:%S GMT"), 304)


@row(EACH_CODING, "asctime date")
def _(case: Case) -> None:
    date = case.date(0, "%a %b %d %H:%M:%S %Y")
    case.since(date[:8] + date[8:10].replace("0", " ", 1) + date[10:] if date[8] == "0" else date, 304)


@row(EACH_CODING, "304 fields")
def _(case: Case) -> None:
    answer = case.none_match(case.tag)
    equal(answer.get("ETag"), case.tag, "ETag")
    for name in ("Cache-Control", "Vary", "Link", "Access-Control-Allow-Origin"):
        equal(answer.get(name), case.got.get(name), name)


@row(EACH_CODING, "304 length")
def _(case: Case) -> None:
    answer = case.none_match(case.tag)
    holds(answer.get("Content-Length") in ("", case.got.get("Content-Length")), "Content-Length: 0 on a 304")


@row(EACH_CODING, "query")
def _(case: Case) -> None:
    case.none_match(case.tag, query="?from=mail")


@row(EACH_CODING, "If-Match")
def _(case: Case) -> None:
    equal(case.ask(("If-Match", case.tag)).status, 200, "status of a hit")
    equal(case.ask(("If-Match", MISS)).status, 412, "status of a miss")


@row(EACH_DOCUMENT, "q=0")
def _(client: Client, document: publication.Document) -> None:
    for accept, refused in (("gzip;q=0", "gzip"), ("br;q=0, gzip", "br"), ("gzip;q=0, *;q=0.5", "gzip")):
        answer = client.ask("GET", document.url, ("Accept-Encoding", accept))
        equal(answer.status, 200, "status")
        holds(answer.get("Content-Encoding") != refused, f"{refused} in answer to {accept}")


@row(EACH_DOCUMENT, "POST")
def _(client: Client, document: publication.Document) -> None:
    answer = client.ask("POST", document.url, body=b"")
    equal(answer.status, 405, "status")
    holds(answer.members("Allow") >= {"get", "head"}, f"Allow is {answer.get('Allow')!r}")


@row(EACH_DOCUMENT, "POST with a hit")
def _(client: Client, document: publication.Document) -> None:
    for value in (document.tags[None], "*"):
        equal(client.ask("POST", document.url, ("If-None-Match", value), body=b"").status, 405, "status")


@row(EACH_DOCUMENT, "OPTIONS")
def _(client: Client, document: publication.Document) -> None:
    asked = (("Origin", "https://elsewhere.example"), ("Access-Control-Request-Method", "GET"))
    answer = client.ask("OPTIONS", document.url, *asked, ("Access-Control-Request-Headers", "if-none-match"))
    holds(answer.status in (200, 204), f"status is {answer.status}")
    equal(answer.all("Access-Control-Allow-Origin"), ["*"], "Access-Control-Allow-Origin")
    holds("if-none-match" in answer.members("Access-Control-Allow-Headers"), "If-None-Match is not allowed")


@row(EACH_DOCUMENT, "siblings")
def _(client: Client, document: publication.Document) -> None:
    at = "/" + document.file
    for suffix in (".br", ".gz", ".etag"):
        equal(client.ask("GET", at + suffix).status, 404, f"status of {suffix}")


def rpc(client: Client, method: str, params: dict, *fields: tuple[str, str], host: str | None = None) -> Answer:
    """A message to /mcp."""
    body = json.dumps({"jsonrpc": "2.0", "id": 1, "method": method, "params": params}).encode()
    accept = ("Accept", "application/json, text/event-stream")
    return client.ask("POST", "/mcp", ("Content-Type", "application/json"), accept, *fields, body=body, host=host)


def handshake(client: Client, host: str | None = None) -> Answer:
    """The beginning of a session, from a page of another site."""
    who = {"name": "hosts", "version": "1"}
    hello = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": who}
    return rpc(client, "initialize", hello, ("Origin", "https://inspector.example"), host=host)
