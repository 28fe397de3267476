"""The cells of the table "Comparison" in docs/hosting.md: each is found out at the server and compared with what is written."""

import re
from collections.abc import Callable

import programs
import publication
from client import Answer, Client
from hosts import Host
from rows import MISS

COLUMNS = {"nginx": "nginx", "caddy": "Caddy ≥ 2.8", "caddy 2.6": "Caddy 2.6", "apache": "Apache"}
# Row to what finds its cell.
CELLS: dict[str, Callable[["Seen"], str]] = {}


class Seen:
    """What a server answers about one document."""

    def __init__(self, host: Host):
        self.host, self.client = host, Client(host.address, publication.NAME)
        self.document = host.publication.document("reviews.json")
        self.codings = [coding for coding in ("br", "gzip") if self.get(coding).get("Content-Encoding") == coding]

    def get(self, coding: str | None = None, *fields: tuple[str, str]) -> Answer:
        return self.client.ask("GET", self.document.url, ("Accept-Encoding", coding or "identity"), *fields)

    def statuses(self, name: str, *values: str) -> set[int]:
        """The statuses for values of a field, in each coding: `{}` is the document's tag."""
        return {self.get(coding, (name, value.replace("{}", self.document.tags[coding]))).status
                for coding in (None, *self.codings) for value in values}  # fmt: skip


def row(label: str):
    """Puts a function into the table."""

    def add(function: Callable[[Seen], str]):
        CELLS[label] = function
        return function

    return add


@row("Candor's ETag, and 304 for it: exact, weak, in a list, `*`")
def _(seen: Seen) -> str:
    own = all(seen.get(coding).get("ETag") == seen.document.tags[coding] for coding in (None, *seen.codings))
    hits = seen.statuses("If-None-Match", "{}", "W/{}", f'{MISS}, {{}}', "*")
    return "yes" if own and hits == {304} else f"{hits}"


@row("two `If-None-Match` lines")
def _(seen: Seen) -> str:
    status = seen.get(None, ("If-None-Match", MISS), ("If-None-Match", seen.document.tags[None])).status
    return "yes" if status == 304 else str(status)


@row("`If-Match` with Candor's ETag")
def _(seen: Seen) -> str:
    found = [seen.get(None, ("If-Match", tag)).status for tag in (seen.document.tags[None], MISS)]
    return {(200, 412): "yes", (412, 412): "always 412"}[tuple(found)]


@row("`If-Range` with Candor's ETag")
def _(seen: Seen) -> str:
    part = [seen.get(None, ("Range", "bytes=0-3"), ("If-Range", tag)).status for tag in (seen.document.tags[None], MISS)]
    return {(206, 200): "yes", (200, 200): "whole document"}[tuple(part)]


@row("content codings, each with its ETag")
def _(seen: Seen) -> str:
    assert all(seen.get(coding).get("ETag") == seen.document.tags[coding] for coding in seen.codings)
    if seen.host.name == "nginx":
        return ", ".join(f"{coding} by a module" if coding == "br" else coding for coding in reversed(seen.codings))
    return ", ".join(seen.codings) or "none"


@row("304 for the ETag of another coding")
def _(seen: Seen) -> str:
    status = {seen.get("gzip", ("If-None-Match", seen.document.tags[None])).status}
    return {200: "no", 304: "yes"}[status.pop()] if seen.codings else "–"


@row("unlisted files in `public/`")
def _(seen: Seen) -> str:
    found = []
    for name in ("notes.txt", ".notes"):
        file = seen.host.publication.public / name
        file.write_text("mine", "utf-8")
        found.append(seen.client.ask("GET", f"/{name}").status)
        file.unlink()
    return {(404, 404): "404", (200, 404): "served, unless hidden"}[tuple(found)]


@row("`304`")
def _(seen: Seen) -> str:
    length = seen.get(None, ("If-None-Match", "*")).get("Content-Length")
    return "with `Content-Length: 0`" if length == "0" else "conforms"


@row("`If-Modified-Since` in the future")
def _(seen: Seen) -> str:
    return {200: "ignored", 304: "yes"}[seen.get(None, ("If-Modified-Since", "Fri, 01 Jan 2038 00:00:00 GMT")).status]


@row("body of a 412")
def _(seen: Seen) -> str:
    body = seen.get(None, ("If-Match", MISS)).body
    kind = "nginx's page" if b"<center>nginx</center>" in body else "another" if body else "empty"
    try:
        for coding in seen.codings:
            seen.get(coding, ("If-Match", MISS))
    except EOFError:
        seen.client.close()
        return f"{kind}; for a compressed document the connection ends"
    return kind


def table() -> dict[str, dict[str, str]]:
    """The table of the documentation: row to column to cell."""
    text = (programs.ROOT / "docs/hosting.md").read_text("utf-8").partition("\n## Comparison\n")[2]
    lines = [[cell.strip() for cell in line.strip("|").split("|")] for line in re.search(r"(?m)(^\|.*\n)+", text)[0].splitlines()]
    return {cells[0]: dict(zip(lines[0][1:], cells[1:], strict=True)) for cells in lines[2:]}


def untrue(host: Host) -> list[str]:
    """The cells of a server that are not as the documentation says, and rows that one of the two has not."""
    if host.name not in COLUMNS:
        return []
    seen, written = Seen(host), table()
    faults = [f"{label!r} is a row of one only" for label in set(written) ^ set(CELLS)]
    for label, find in CELLS.items():
        cell, wanted = find(seen), written.get(label, {}).get(COLUMNS[host.name])
        if cell != wanted:
            faults.append(f"{host.name}, {label}: {cell!r}, and docs/hosting.md says {wanted!r}")
    seen.client.close()
    return faults
