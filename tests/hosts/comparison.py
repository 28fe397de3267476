"""nginx beside a sidecar that serves the documents itself: each response is the same, or a row of the table in
docs/hosting.md says what nginx does instead. A difference without a row fails, and so does a row that is not true."""

import collections
import re
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import hosts
import programs
import publication
import requests
from client import Answer, Client
from requests import Request

KINDS = ("index.html", "badges/index.html", "reviews.json", "feed.xml", "share.png")
ADDRESSES = ("/", "/reviews.json", "/badges/", "/badges/index.html", "/none", "/api/feed.json", "/404.html", "/reviews")
# Fields that clients use, of which the order of the members does not matter.
LISTS = ("Cache-Control", "Vary", "Allow", "Access-Control-Allow-Methods", "Access-Control-Expose-Headers", "Access-Control-Allow-Headers")
FIELDS = (
    "ETag", "Content-Encoding", "Content-Type", "Content-Length", "Content-Range", "Accept-Ranges", "Location", "Link", "Last-Modified",
    "Retry-After", "Access-Control-Allow-Origin", "Access-Control-Max-Age", "X-Content-Type-Options", "Content-Security-Policy",
    "Referrer-Policy", "Permissions-Policy",
)  # fmt: skip
CODED = frozenset({"ETag", "Content-Encoding", "Content-Length", "Accept-Ranges", "body"})
PROTECTING = {"Content-Security-Policy", "Referrer-Policy", "Permissions-Policy"}
SINGLE = ("If-None-Match", "If-Match", "If-Modified-Since")


@dataclass(frozen=True)
class Row:
    """A row of the table: which differences it is about, and what nginx does there, in the words of the table."""

    label: str
    about: Callable[[Request, Answer, Answer], bool]
    seen: Callable[[Request, Answer, Answer], str]
    parts: frozenset[str] | None = None


def status(_request: Request, _ours: Answer, theirs: Answer) -> str:
    return f"`{theirs.status}`"


def coding(_request: Request, _ours: Answer, theirs: Answer) -> str:
    return theirs.get("Content-Encoding") or "none"


def coding_of(request: Request, ours: Answer, theirs: Answer) -> str:
    return f"as if it were missing: {coding(request, ours, theirs)}"


def page(_request: Request, _ours: Answer, theirs: Answer) -> str:
    return "nginx's page" if theirs.get("Content-Type") == "text/html" else theirs.get("Content-Type")


def first_coding(request: Request) -> str:
    """What the first line of Accept-Encoding alone accepts."""
    line = request.lines("Accept-Encoding")[0]
    return line if line in ("gzip", "br") else "none"


def plain(target: str) -> str:
    """An address as nginx reads it: unreserved characters are decoded, slashes merged, dot segments removed."""
    scheme, path, query = re.fullmatch(r"((?i:https?)://[^/?#]*)?([^?#]*)(.*)", target, re.DOTALL).groups()
    path = re.sub(r"%([0-9A-Fa-f]{2})", lambda found: chr(int(found[1], 16)) if re.match("[-./0-9A-Z_a-z~]", chr(int(found[1], 16))) else found[0], path)
    kept: list[str] = []
    for part in re.sub("/+", "/", path).split("/")[1:]:
        if part == "..":
            kept = kept[:-1]
        elif part != ".":
            kept.append(part)
    if path.endswith(("/.", "/..")):
        kept.append("")
    return (scheme or "") + "/" + "/".join(kept).lstrip("/") + query.partition("#")[0]


def is_spelled_otherwise(request: Request) -> bool:
    return request.target.startswith("/") and plain(request.target) != request.target


# The first row that is about a difference is its row.
ROWS = (
    Row("an address above 40 KiB", lambda request, _ours, theirs: len(request.target) > 39_000 and theirs.status == 414, status),
    Row("two lines of `If-None-Match`, `If-Match` or `If-Modified-Since`",
        lambda request, _ours, theirs: theirs.status == 400 and any(len(request.lines(name)) > 1 for name in SINGLE), status),
    Row("`%zz`, `%00`, `..` above the root, an address without `/`, a method in small letters, `CONNECT`",
        lambda request, _ours, theirs: theirs.status in (400, 405) and theirs.get("Content-Type") == "text/html"
        and (bool(re.search(r"%(?![0-9A-Fa-f]{2})|%00|\.\.|%2e%2e|^[^/]|^$", request.target)) or request.method in ("get", "CONNECT")), status),
    Row("`POST`, `PUT` and such to `…/index.html`, or without the last slash", lambda _request, ours, theirs: (ours.status, theirs.status) == (405, 308), status),
    Row("`POST` to the address of a document in capital letters", lambda request, ours, theirs: (ours.status, theirs.status) == (404, 405)
        and request.target.isupper(), status),
    Row("`OPTIONS` of `/404.html`", lambda request, ours, theirs: request.method == "OPTIONS" and (ours.status, theirs.status) == (204, 404), status),
    Row("`If-Match` that holds", lambda request, ours, theirs: bool(request.lines("If-Match")) and ours.status != 412 == theirs.status, status),
    Row("`If-Unmodified-Since` that is not a date", lambda request, ours, theirs: bool(request.lines("If-Unmodified-Since")) and ours.status != 412 == theirs.status, status),
    Row("a date in another zone than `GMT`, or in none", lambda request, ours, theirs: any(
        re.search(r"UTC$|:\d\d$", value) for name in ("If-Modified-Since", "If-Range") for value in request.lines(name)), status, frozenset({"status"})),
    Row("`Range` with `HEAD`", lambda request, _ours, _theirs: request.method == "HEAD" and bool(request.lines("Range")), status,
        frozenset({"status"})),
    Row("`Range` of a compressed document", lambda request, _ours, theirs: bool(request.lines("Range") and theirs.get("Content-Encoding")), status,
        frozenset({"status"})),
    Row("two lines of `Range`, or blanks around its `-`", lambda request, _ours, theirs: theirs.status == 206 and (
        len(request.lines("Range")) > 1 or " -" in str(request.lines("Range"))), status, frozenset({"status"})),
    Row("`Range` that is malformed, or above 18 digits", lambda request, _ours, theirs: bool(request.lines("Range")) and theirs.status == 416, status,
        frozenset({"status"})),
    Row("`Accept-Ranges` of a `206`, of a compressed document, or of several ranges", lambda request, _ours, theirs: bool(
        theirs.status == 206 or theirs.get("Content-Encoding") or "," in str(request.lines("Range"))), lambda _request, _ours, theirs: theirs.get("Accept-Ranges") or "none", frozenset({"Accept-Ranges"})),
    Row("the ETag of another coding in `If-None-Match`", lambda request, ours, theirs: (ours.status, theirs.status) == (200, 304)
        and theirs.get("ETag") in request.lines("If-None-Match"), status),
    Row("`If-None-Match: *`, if the client accepts compression", lambda request, _ours, theirs: theirs.status == 304 and request.lines("If-None-Match")[0].strip() == "*",
        lambda *_: "`304` with the ETag of the uncompressed bytes", frozenset({"ETag"})),
    Row("every `304`", lambda _request, _ours, theirs: theirs.status == 304,
        lambda _request, _ours, theirs: f"has `Content-Length: {theirs.get('Content-Length')}` and a `Content-Type`", frozenset({"Content-Length", "Content-Type"})),
    Row("two lines of `Accept-Encoding`", lambda request, _ours, _theirs: len(request.lines("Accept-Encoding")) > 1,
        lambda request, ours, theirs: "the first counts" if coding(request, ours, theirs) == first_coding(request) else "the first does not count"),
    Row("`Accept-Encoding: *` or `x-gzip`", lambda request, _ours, _theirs: bool(re.search(r"\*|x-gzip", "".join(request.lines("Accept-Encoding")))),
        coding_of),
    Row("weights of codings", lambda request, _ours, _theirs: "q=0." in str(request.lines("Accept-Encoding")),
        lambda request, ours, theirs: f"{coding(request, ours, theirs)} before {coding(request, ours, ours)}", CODED),
    Row("the body of `308`, `412`, `414` and `416`", lambda _request, ours, theirs: ours.status == theirs.status and theirs.status in (412, 414, 416), page),
    Row("the body of `308`, `412`, `414` and `416`", lambda _request, ours, theirs: ours.status == theirs.status == 308, page, frozenset({"Content-Type", "Content-Length", "body"})),
    Row("`…/index.html?`, `/reviews?`", lambda request, _ours, theirs: request.target.endswith("?") and theirs.status == 308,
        lambda _request, _ours, theirs: f"`308` to `{theirs.get('Location')[-1]}`", frozenset({"Location"})),
    Row("preflights, `308` and errors", lambda _request, _ours, theirs: theirs.status not in (200, 206, 304),
        lambda *_: "have the fields of documents", frozenset(PROTECTING | {"Vary", "Link", "Access-Control-Allow-Origin", "Access-Control-Expose-Headers", "X-Content-Type-Options"})),
)  # fmt: skip
SPELLING = "other spellings of an address (`//`, `/./`, `/x/../`, `%72` for `r`)"


def parts_of(ours: Answer, theirs: Answer) -> list[str]:
    """What differs: the status, or else fields and the body."""
    if ours.status != theirs.status:
        return ["status"]
    fields = [name for name in LISTS if ours.members(name) != theirs.members(name)]
    fields += [name for name in FIELDS if ours.all(name) != theirs.all(name)]
    return [*fields, "body"] if ours.body != theirs.body else fields


def asked(client: Client, request: Request) -> Answer:
    """The response; a connection that is closed instead counts as status 0."""
    body = b"" if request.method in ("POST", "PUT", "PATCH", "QUERY") else None
    try:
        return client.ask(request.method, request.target, *request.fields, host=request.host, body=body)
    except (AssertionError, OSError, EOFError, ValueError):
        client.close()
        return Answer(0, [], b"")


def table() -> dict[str, str]:
    """The rows of the documentation: what is special about a request, and what nginx does."""
    text = (programs.ROOT / "docs/hosting.md").read_text("utf-8")
    section = text.partition("\n### nginx beside the sidecar\n")[2].partition("\n## ")[0]
    return dict(re.findall(r"^\| (.+?) \| (.+?) \|$", section, re.MULTILINE)[1:])


def corpus(client: Client, site: publication.Publication) -> list[Request]:
    """Every request."""
    found = []
    style = next(document.file for document in site.documents() if "assets/style." in document.file)
    for file in (*KINDS, style):
        document = site.document(file)
        got = client.ask("GET", document.url, ("Accept-Encoding", "identity"))
        found += requests.of_document(document.url, document.tags, got.get("Last-Modified") or None, len(got.body))
    manifest = client.ask("GET", "/candor-manifest.json", ("Accept-Encoding", "identity"))
    found += requests.of_document("/candor-manifest.json", {None: manifest.get("ETag")}, None, len(manifest.body))
    return [*found, *requests.of_addresses(list(ADDRESSES)), *requests.of_routes()]


class BesideDebian(hosts.Nginx):
    """nginx with the site that Debian's package has, first on the same address."""

    name = "nginx beside Debian's site"

    def start(self) -> programs.Program:
        site = re.sub(r"listen \d+;", f"listen 127.0.0.1:{self.port};", self.text("site.conf"))
        site = re.sub(r"listen \[::\]:\d+;", "", site).replace("# brotli_static on;", "brotli_static on;")
        default = f"server {{ listen 127.0.0.1:{self.port} default_server; root /var/www/html; server_name _; location / {{ try_files $uri $uri/ =404; }} }}"
        return hosts.nginx(self.name, self.port, default + self.text("candor-hashes.conf") + site)


def found() -> list[str]:
    """What is not as it should be."""
    host = BesideDebian()
    direct = publication.start_sidecar("direct", "--serve-public", public=host.publication.public)
    ours, theirs = Client(direct.address, publication.NAME), Client(host.address, publication.NAME)
    try:
        return differences(ours, theirs, corpus(ours, host.publication))
    finally:
        for client in (ours, theirs):
            client.close()
        host.program.stop()
        direct.stop()


def differences(ours: Client, theirs: Client, wanted: list[Request]) -> list[str]:
    """Differences that have no row, and rows that are not true."""
    seen, faults = collections.defaultdict(set), []
    for request in wanted:
        got, answer = asked(ours, request), asked(theirs, request)
        parts = parts_of(got, answer)
        if parts and is_spelled_otherwise(request):
            as_plain = asked(ours, Request(plain(request.target), request.fields, request.method, request.host))
            if as_plain.status != got.status:
                seen[SPELLING].add("as the plain one")
            # A redirect has the spelling of the request.
            got, parts = as_plain, [part for part in parts_of(as_plain, answer) if part != "Location"]
        for part in parts:
            row = next((row for row in ROWS if (row.parts is None or part in row.parts) and row.about(request, got, answer)), None)
            if row:
                seen[row.label].add(row.seen(request, got, answer))
            else:
                faults.append(f"{part} has no row: {request}: {got.status} {got.get(part)!r}, nginx: {answer.status} {answer.get(part)!r}")
    print(f"nginx beside the sidecar: {len(wanted)} requests", flush=True)
    documented, observed = table(), {label: ", ".join(sorted(what)) for label, what in seen.items()}
    for label in {**documented, **observed}:
        if documented.get(label) != observed.get(label):
            faults.append(f"row {label!r}: the table says {documented.get(label)!r}, and nginx {observed.get(label)!r}")
    return faults
