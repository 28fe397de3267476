"""One site in some states, each published and served, and a cache in front that may be out of date."""

import contextlib
import functools
import http.client
import http.server
import json
import subprocess
import threading
from pathlib import Path

import programs

# Each is made of the one before.
STATES = ("first", "new", "edited", "returned", "unlisted")
DOCUMENTS = ("/changes.json", "/parts.json")

_services = contextlib.ExitStack()
stop = _services.close


class Publication:
    """A published site that a sidecar of its own serves."""

    def __init__(self, name: str, content: Path):
        public = programs.scratch(f"public-{name}")
        programs.build(content, public)
        self.changes, self.reviews = (
            json.loads((public / name).read_bytes()) for name in ("changes.json", "reviews.json")
        )
        self.address = _services.enter_context(programs.Sidecar(public))

    def ids(self) -> list[str]:
        return [review["id"] for review in self.reviews["reviews"]]


@functools.cache
def all_states() -> dict[str, Publication]:
    """The publications by the names of their states."""
    content = programs.sample(programs.scratch("content"))
    for year in (content / "reviews").iterdir():
        if year.stem < "2025":
            year.unlink()
    for name in ("overrides.toml", "faq.toml", "summary.md"):
        (content / name).unlink()
    published: dict[str, Publication] = {}
    for state in STATES:
        if published:
            _change(state, content, published["first"].ids())
        published[state] = Publication(state, content)
    return published


@functools.cache
def many() -> tuple[Publication, Publication]:
    """A site of 1,500 reviews, and the same with one more."""
    content = programs.sample(programs.scratch("many"))
    for name in ("overrides.toml", "faq.toml", "summary.md"):
        (content / name).unlink()
    for path in (content / "reviews").iterdir():
        lines = path.read_text("utf-8").splitlines()
        path.write_text("\n".join(copy for line in lines for copy in _copies(json.loads(line))) + "\n", "utf-8")
    before = Publication("many", content)
    _change("new", content, before.ids())
    return before, Publication("more", content)


def _copies(review: dict) -> list[str]:
    """Six reviews like one."""
    return [
        json.dumps(review | {"id": review["id"][:-1] + last, "author": f"{review['author']} {last}"})
        for last in "012345"
    ]


def _change(state: str, content: Path, ids: list[str]) -> None:
    """Makes the content of a state. `ids` are those of the first publication."""
    answered, withdrawn, forgotten = ids[:3]
    if state == "new":
        _candor(content, "new", "review", "--author", "Ann B.", "--rating", "5", "--source", "direct",
                "--text", "Early, <b>tidy</b> & “très” kind.")  # fmt: skip
    if state == "edited":
        _candor(content, "reply", answered, "Thank you!")
        _candor(content, "hide", withdrawn, "--reason", "off_topic")
    if state == "returned":
        _candor(content, "hide", withdrawn, "--undo")
        _candor(content, "forget", forgotten)
    if state == "unlisted":  # No review's content is different: changes.json is the same.
        settings = content / "site.toml"
        text = settings.read_text("utf-8").replace('authors = "full"', 'authors = "anonymous"')
        settings.write_text(text, "utf-8")


def _candor(content: Path, *arguments: str) -> None:
    command = [str(programs.program("candor")), *arguments, "--content", str(content)]
    done = subprocess.run(command, env=programs.environment(), capture_output=True, text=True)
    if done.returncode:
        raise AssertionError(f"{command}\n{done.stdout}{done.stderr}")


class Cache:
    """Answers each document from a publication: two documents may be of different ones."""

    def __init__(self):
        self.routes: dict[str, Publication | None] = {}
        # Of the parts.
        self.parts: Publication | None = None
        self.log: list[tuple[str, int]] = []
        self.bytes = 0
        self.is_cut = False
        # A site without parts, and a server without ETags.
        self.has_parts = self.has_etags = True
        self._server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), _Answer)
        self._server.cache = self
        threading.Thread(target=self._server.serve_forever, args=(0.02,), daemon=True).start()
        self.address = f"http://127.0.0.1:{self._server.server_port}"

    def show(self, changes: Publication | None, reviews: Publication | None, parts: Publication | None) -> None:
        """Sets where changes.json, parts.json and the parts come from; None: they cannot be fetched."""
        self.routes = dict(zip(DOCUMENTS, (changes, reviews)))
        self.parts = parts

    def close(self) -> None:
        self._server.shutdown()
        self._server.server_close()


class _Answer(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_GET(self) -> None:
        cache = self.server.cache
        status, fields, body = 503, {}, b""
        if self.path == "/parts.json" and not cache.has_parts:
            status = 404
        elif publication := cache.routes.get(self.path, cache.parts):
            upstream = http.client.HTTPConnection(publication.address.removeprefix("http://"))
            upstream.request("GET", self.path, headers=dict(self.headers))
            answer = upstream.getresponse()
            status, fields, body = answer.status, dict(answer.headers), answer.read()
            upstream.close()
        cache.log.append((self.path, status))
        cache.bytes += len(body)
        self.send_response(status)
        for name in ("ETag" if cache.has_etags else "Last-Modified", "Content-Type", "Content-Encoding"):
            if value := {key.lower(): it for key, it in fields.items()}.get(name.lower()):
                self.send_header(name, value)
        if status != 304:
            self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body[: len(body) // 2] if cache.is_cut else body)
        self.close_connection = cache.is_cut

    def log_message(self, *_: object) -> None:
        """Prints nothing."""
