"""The site under test: the sample business at a name that is not a loopback name, published for each
host, changed once; and the sidecar that answers for it."""

import filecmp
import functools
import json
import re
import shutil
from pathlib import Path

import programs

# The names readers, earlier readers and proxies use. Nothing resolves them: they are sent as Host.
NAME, EARLIER, SIDECAR = "reviews.example", "old.example", "sidecar.test"
BASE_URL = f"http://{NAME}"


class Document:
    """A published file, as the manifest lists it."""

    def __init__(self, public: Path, entry: dict):
        self.file, self.type = entry["path"], entry["media_type"]
        self.tags = {None: entry["etag"]}
        self.tags |= {coding: sibling["etag"] for coding, sibling in entry.get("encodings", {}).items()}
        self.modified = entry.get("modified")
        self.link = ", ".join(f'<{link["href"]}>; rel="{link["rel"]}"' for link in entry.get("links", []))
        hashed = re.search(r"(^|/)assets/[^/]+\.[0-9a-f]{16}\.[0-9a-z]+$", self.file)
        self.caching = {"public", "max-age=31536000", "immutable"} if hashed else {"public", "max-age=0", "must-revalidate"}
        self.url = "/" + re.sub(r"(^|/)index\.html$", r"\1", self.file)
        self._public = public

    SUFFIXES = {None: "", "br": ".br", "gzip": ".gz"}

    def bytes(self, coding: str | None = None) -> bytes:
        """As they are sent in a coding."""
        return (self._public / (self.file + self.SUFFIXES[coding])).read_bytes()


# Files of the owner's: with and without an extension, in capitals, hidden, text and bytes.
OWN_FILES = {
    ".well-known/security.txt": b"Contact: mailto:office@reviews.example\n" * 9,
    ".well-known/apple-app-site-association": b'{"applinks": {}}',
    "google1a2b.html": b"google-site-verification: google1a2b.html",
    "fonts/Head.woff2": bytes(range(256)),
    "prices.pdf": b"%PDF-1.7\n",
}


@functools.cache
def content() -> Path:
    """The sample content, under our names."""
    made = programs.folder("content")
    shutil.copytree(programs.ROOT / "content", made, dirs_exist_ok=True)
    for name, data in OWN_FILES.items():
        file = made / "static" / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(data)
    settings = made / "site.toml"
    text = settings.read_text("utf-8")
    text = re.sub(r'(?m)^base_url = .*$', f'base_url = "{BASE_URL}"\nprevious_base_urls = ["http://{EARLIER}"]', text)
    text = re.sub(r'(?m)^\[sidecar\]$', f'[sidecar]\nurl = "https://{SIDECAR}"', text)
    settings.write_text(text, "utf-8")
    log(made, "init")
    log(made, "add")
    return made


def log(made: Path, verb: str) -> None:
    """Begins or continues the transparency log, whose files every host serves too."""
    key = programs.folder("log-key") / "key"
    programs.run(programs.path("candor"), "log", verb, "--content", made, "--key-file", key)


def build(public: Path, base_url: str, *more) -> str:
    """Publishes the content as it is now."""
    return programs.run(
        programs.path("candor"), "build", "--content", content(), "--public", public,
        "--base-url", base_url, *more,
    )  # fmt: skip


@functools.cache
def original() -> Path:
    """The site as it is first, for no host in particular; the sidecar answers from it."""
    public = programs.folder("site") / "public"
    build(public, BASE_URL)
    return public


def change() -> None:
    """Edits one review: what is the same in every run, and only once."""
    reviews = sorted((content() / "reviews").glob("*.ndjson"))[-1]
    lines = reviews.read_text("utf-8").splitlines()
    review = json.loads(lines[-1])
    review["text"] = (review["text"] or "") + " They came back the next day to look at it again."
    lines[-1] = json.dumps(review, ensure_ascii=False, separators=(",", ":"))
    reviews.write_text("\n".join(lines) + "\n", "utf-8")
    log(content(), "add")
    build(original(), BASE_URL)


class Publication:
    """What one host serves: its own copy of the site, and the configuration written for it."""

    def __init__(self, host: str, base_url: str, *options: str):
        self.base_url = base_url
        self.public = programs.folder(host) / "public"
        self.config = programs.folder(host, "config")
        if base_url == BASE_URL:
            shutil.copytree(original(), self.public)
        self.options = ["--host-out", self.config, *options] if options else []
        self.said = self.build()

    def build(self) -> str:
        """Publishes what changed."""
        return build(self.public, self.base_url, *self.options)

    def repeats(self) -> bool:
        """Whether another build leaves everything as it is, configuration included."""
        before = programs.folder("before")
        for name in ("public", "config"):
            shutil.rmtree(before / name, ignore_errors=True)
            shutil.copytree(self.config if name == "config" else self.public, before / name)
        self.build()
        return same(before / "public", self.public) and same(before / "config", self.config)

    def manifest(self) -> dict:
        """As it is published now."""
        return json.loads((self.public / "candor-manifest.json").read_bytes())

    def documents(self) -> list[Document]:
        """All that have an address, but for the manifest, which cannot hold its own tag."""
        hidden = re.compile(r"(^|/)\.(?!well-known/)|^404\.html$")
        files = self.manifest()["files"]
        return [Document(self.public, entry) for entry in files if not hidden.search(entry["path"])]

    def document(self, file: str) -> Document:
        """One of them."""
        return next(document for document in self.documents() if document.file == file)


def same(one: Path, other: Path) -> bool:
    """Whether two folders hold the same names and bytes."""
    compared = filecmp.dircmp(one, other)
    if compared.left_only or compared.right_only or compared.funny_files:
        return False
    _, differ, failed = filecmp.cmpfiles(one, other, compared.common_files, shallow=False)
    return not differ and not failed and all(same(one / name, other / name) for name in compared.common_dirs)


@functools.cache
def sidecar() -> programs.Program:
    """The sidecar beside the servers."""
    return start_sidecar("sidecar")


def start_sidecar(name: str, *more, public: Path | None = None, port: int = 0) -> programs.Program:
    """A sidecar of the site, known under its own name as well."""
    port = port or programs.free_port()
    return programs.Program(
        name, port, programs.path("sidecar"), "--public", public or original(), "--state", programs.folder(name, "state"),
        "--listen", f"127.0.0.1:{port}", *more,
    )  # fmt: skip
