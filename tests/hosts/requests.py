"""Requests for comparing a server with a sidecar that serves the documents itself: each field in the forms that clients and
the suites of others send, on documents of each kind, and addresses in every spelling."""

from collections.abc import Iterator
from dataclasses import dataclass

import publication

MISS = '"b3-00000000000000000000000000000000"'


@dataclass(frozen=True)
class Request:
    """What is sent."""

    target: str
    fields: tuple[tuple[str, str], ...] = ()
    method: str = "GET"
    host: str | None = None

    def __str__(self) -> str:
        return " ".join([self.method, self.target[:80], *(f"[{name}: {value[:90]}]" for name, value in self.fields), self.host or ""])

    def lines(self, name: str) -> list[str]:
        """The lines of a field."""
        return [value for field, value in self.fields if field == name]


CODINGS = (None, "identity", "gzip", "br", "gzip, br", "GZIP", "gzip;q=0", "gzip;q=0.000", "br;q=0", "br;q=0, gzip", "gzip;q=1.000", "gzip; q=0.5",
           "identity;q=0", "identity;q=0, gzip", "*;q=0", "*", "*;q=0.5", "gzip;q=0, *", "", "x-gzip", "deflate", "gzip;q=2", "gzip;q=0.5, identity",
           "br;q=0.1, gzip", "gzip, deflate, br, zstd", "gzipped", "gzip;x=1", ", gzip,,")  # fmt: skip
METHODS = ("POST", "PUT", "DELETE", "PATCH", "OPTIONS", "TRACE", "PROPFIND", "QUERY", "get", "CONNECT")


def tags(tag: str) -> list[str]:
    """Forms of If-None-Match and If-Match."""
    bare = tag.strip('"')
    return [tag, f"W/{tag}", f"w/{tag}", f"{tag}, {MISS}", f'{MISS}, W/"x", {tag}', f'{MISS},{tag},"x"', MISS, "*", " * ", f"*, {tag}", f"{tag}, *",
            '"*"', bare, f'"{bare}', f'{bare}"', f"'{bare}'", f"{tag}x", f"x{tag}", f"{tag} {MISS}", f"{MISS} {tag}", f"{MISS}; {tag}", f",, {tag} ,",
            tag.upper(), f'"{bare}-gzip"', f"W/ {tag}", f"W{tag}", f'"x,{bare}"', f'"x, {tag}', f'"x" "y", {tag}', "", '"', '""', ",", "b3", "é",
            ", ".join([MISS] * 40 + [tag])]  # fmt: skip


def dates(modified: str | None) -> list[str]:
    """Forms of If-Modified-Since and If-Unmodified-Since."""
    known = [modified] if modified else []
    return [*known, *(date.replace("GMT", "UTC") for date in known), *(date.replace(" GMT", "") for date in known),
            "Thu, 01 Jan 1970 00:00:00 GMT", "Fri, 01 Jan 2038 00:00:00 GMT", "Friday, 01-Jan-38 00:00:00 GMT", "Fri Jan  1 00:00:00 2038",
            "Sat, 31 Foo 2099 00:00:00 GMT", "yesterday", "4102444800", "", "0"]  # fmt: skip


def ranges(length: int) -> list[str]:
    """Forms of Range."""
    return ["bytes=0-0", "bytes=2-4", "bytes=2-", "bytes=0-", "bytes=-3", "bytes=-0", f"bytes=-{length + 9}", f"bytes=0-{length + 9}", f"bytes={length}-",
            f"bytes={length - 1}-", "bytes=4-2", "bytes=0-1,4-5", "bytes=0-1,0-1,0-1", "bytes=-1,0-0", "bytes=0-0, 2-3", "bytes= 0-1", "bytes=0 - 1",
            "Bytes=0-1", "bytes 0-1", "lines=0-1", "bytes=", "bytes=-", "bytes=a-b", "bytes=+1-2", "bytes=0-99999999999999999999", "0-1", "bytes=0-1,",
            "bytes=0-1;x", "none"]  # fmt: skip


def spellings(path: str) -> list[str]:
    """An address, written otherwise."""
    first, last = path[1:2], path[-1:]
    return [path, f"{path}?", f"{path}?from=mail", f"{path}?a=b?c=d&%zz", f"/{path}", f"/.{path}", f"/x/..{path}", f"{path}/", f"{path}//", f"{path}/.",
            f"/%{ord(first):02x}{path[2:]}" if first else path, f"/%{ord(first):02X}{path[2:]}" if first else path,
            f"{path[:-1]}%{ord(last):02x}", f"/%2e{path}", f"/%2e%2e{path}", f"/%2f{path}", f"{path}%00", f"{path}%20", f"{path}%zz", f"{path}%",
            f"{path};x", f"{path}.gz", f"{path}.br", path.upper(), f"{path}%3Fx", f"{path}\\", f"{path}#x", f"{path}%C3%A9",
            f"http://{publication.NAME}{path}", f"https://{publication.NAME}{path}", f"HTTP://{publication.NAME}{path}"]  # fmt: skip


def of_document(path: str, tag_of: dict, modified: str | None, length: int) -> Iterator[Request]:
    """Requests for a document, whose codings have these tags."""
    for coding in CODINGS:
        accept = () if coding is None else (("Accept-Encoding", coding),)
        for method in ("GET", "HEAD"):
            yield Request(path, accept, method)
    for lines in (("gzip", "br"), ("gzip;q=0", "gzip"), ("identity", "gzip")):
        yield Request(path, tuple(("Accept-Encoding", line) for line in lines))
    for coding, tag in tag_of.items():
        accept = ("Accept-Encoding", coding or "identity")
        for value in tags(tag):
            for method in ("GET", "HEAD", "POST", "OPTIONS"):
                yield Request(path, (accept, ("If-None-Match", value)), method)
            yield Request(path, (accept, ("If-Match", value)))
            yield Request(path, (accept, ("Range", "bytes=0-1"), ("If-Range", value)))
        for other in tag_of.values():
            yield Request(path, (accept, ("If-None-Match", other)))
        for name in ("If-None-Match", "If-Match"):
            yield Request(path, (accept, (name, MISS), (name, tag)))
            yield Request(path, (accept, (name, tag), (name, tag)))
        for value in ranges(length):
            for method in ("GET", "HEAD"):
                yield Request(path, (accept, ("Range", value)), method)
        yield Request(path, (accept, ("Range", "bytes=0-1"), ("Range", "bytes=2-3")))
        yield Request(path, (accept, ("Range", "bytes=0-1"), ("If-None-Match", tag)))
        yield Request(path, (accept, ("Range", "bytes=0-1"), ("If-Match", MISS)))
    for value in dates(modified):
        for name in ("If-Modified-Since", "If-Unmodified-Since"):
            for method in ("GET", "HEAD"):
                yield Request(path, ((name, value),), method)
        yield Request(path, (("If-Modified-Since", value), ("If-None-Match", MISS)))
        yield Request(path, (("If-Modified-Since", value), ("If-None-Match", tag_of[None])))
        yield Request(path, (("If-Unmodified-Since", value), ("If-Match", tag_of[None])))
        yield Request(path, (("Range", "bytes=0-1"), ("If-Range", value)))
    if modified:
        yield Request(path, (("If-Modified-Since", modified), ("If-Modified-Since", modified)))
    for method in METHODS:
        yield Request(path, (), method)
    yield Request(path, (("Origin", "https://a.example"), ("Access-Control-Request-Method", "GET")), "OPTIONS")


def of_addresses(paths: list[str]) -> Iterator[Request]:
    """Addresses in every spelling, of documents, folders and nothing."""
    for path in paths:
        for target in dict.fromkeys(spellings(path)):
            for method in ("GET", "HEAD", "POST", "OPTIONS"):
                yield Request(target, (), method)
    for host in ("REVIEWS.EXAMPLE", "reviews.example.", "reviews.example:80", "reviews.example:8080", "reviews.example:"):
        for path in paths:
            yield Request(path, (), host=host)
    for target in ("*", "", "reviews.json", "http://", "/" * 300, "/" + "x" * 8_000, "/reviews.json?" + "x" * 8_000, "/" + "x" * 40_000):
        for method in ("GET", "OPTIONS"):
            yield Request(target, (), method)


def of_routes() -> Iterator[Request]:
    """The sidecar's own routes, which the host passes on."""
    search, since = "/api/reviews/search", "/api/reviews/since"
    for target in (
        search, f"{search}?query=water", f"{search}?query=water+heater&limit=2", f"{search}?query=%zz", f"{search}?query=%C3%A9", f"{search}?query=é",
        f"{search}?query=%22a%22", f'{search}?query="a"', f"{search}?query=<a>", f"{search}?rating=9", f"{search}?query=a&query=b", f"{search}/",
        f"{search}?limit=1&q=-{'%C3%BC' * 990}", f"{search}?limit=1&facets={','.join(['rating'] * 1_000)}",
        f"{search}?{'x' * 8_000}=1", f"{search}?query={'x' * 20_000}", f"{search}?{'x' * 36_000}", f"{search}?{'x' * 80_000}", f"{search}%20",
        f"{since}/2020-01-01", f"{since}/2020-01-01T00:00:00Z", f"{since}/2020-01-01T00%3A00%3A00Z", f"{since}/2026-02-30", f"{since}/%zz", f"{since}/",
        since, f"{since}/2020-01-01/", f"{since}/2020-01-01%2F", f"{since}//2020-01-01", f"{since}/./2020-01-01", f"{since}/../search", f"{since}/%32020-01-01",
        f"{since}/2020-01-01%00", f"{since}/2020-01-01?x=%zz", f"{since}/{'x' * 8_000}", f"{since}/a%20b", "/api", "/api/", "/api/none", "/api/%2e%2e/reviews.json",
        "/mcp", "/mcp/", "/api/websub/hub", "/api/websub/hub/",
    ):  # fmt: skip
        for method in ("GET", "HEAD", "POST", "OPTIONS", "PUT"):
            yield Request(target, (), method)
        for coding in ("gzip", "br", "gzip;q=0", "*"):
            yield Request(target, (("Accept-Encoding", coding),))
        for value in ("*", MISS, '"b3-'):
            yield Request(target, (("If-None-Match", value),))
            yield Request(target, (("If-Match", value),))
        yield Request(target, (("If-None-Match", MISS), ("If-None-Match", MISS)))
        yield Request(target, (("Range", "bytes=0-1"),))
