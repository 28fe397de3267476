"""Sites to test, each built once, and what their feeds must say by `reviews.json`."""

import functools
import json
import os
import re
import subprocess
import sys
import tempfile
import tomllib
import unittest
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
TARGET = ROOT / os.environ.get("CARGO_TARGET_DIR", "target")

SIZES = (0, 1, 49, 50, 51, 10_000)
SAMPLE = "sample"
NAMES = (*(f"of_{size}" for size in SIZES), SAMPLE)

FEED_SIZE = 50

# What XML 1.0 (section 2.2) cannot hold.
NOT_XML = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")

_programs: dict[str, Path] = {}
_scratch = tempfile.TemporaryDirectory(prefix="candor-feeds-")


def use(candor: Path, corpus: Path) -> None:
    """Names the programs under test."""
    for name, path in (("candor", candor), ("corpus", corpus)):
        if not path.is_file():
            sys.exit(f"there is no program {path}; build it first")
        _programs[name] = path.resolve()


def run(name: str, *arguments: object) -> None:
    """Runs a program under test, away from this shell's settings for it."""
    environment = {k: v for k, v in os.environ.items() if not k.startswith("CANDOR_")}
    command = [str(_programs[name]), *map(str, arguments)]
    done = subprocess.run(command, env=environment, capture_output=True, text=True)
    if done.returncode:
        raise AssertionError(f"{' '.join(command)}\n{done.stdout}{done.stderr}")


@dataclass(frozen=True)
class Item:
    """One review as both feeds must give it."""

    review: dict
    id: str
    title: str
    content: str
    published: datetime
    updated: datetime
    tags: list[str]


class Site:
    """A published site."""

    def __init__(self, content: Path, public: Path):
        self.public = public
        self.settings = tomllib.loads((content / "site.toml").read_text("utf-8"))
        self.manifest = self.json("candor-manifest.json")
        self.base_url = self.manifest["base_url"]
        self.reviews = self.json("reviews.json")

    def bytes(self, path: str) -> bytes:
        return (self.public / path).read_bytes()

    def json(self, path: str):
        return json.loads(self.bytes(path))

    def media_type(self, path: str) -> str:
        (entry,) = (file for file in self.manifest["files"] if file["path"] == path)
        return entry["media_type"]

    @functools.cached_property
    def items(self) -> list[Item]:
        """The newest reviews; their order is computed here, not copied."""
        newest_first = sorted(
            self.reviews["reviews"], key=lambda review: (review["date"], review["id"]), reverse=True
        )
        return [self._item(review) for review in newest_first[:FEED_SIZE]]

    def _item(self, review: dict) -> Item:
        stars, disclosure, mentions = review["rating"], review["disclosure"], review["mentions"]
        business = self.reviews["business"]
        kinds = [disclosure["kind"]] if disclosure else []
        services = [s["label"] for s in business["services"] if s["id"] in mentions["services"]]
        areas = [a["name"] for a in business["service_areas"] if a["id"] in mentions["service_areas"]]
        suffix = "".join(f" ({kind})" for kind in kinds)
        words = review["text"]
        return Item(
            review=review,
            id=f"{self.settings['id_base']}/{review['id']}",
            title=f"{stars} of 5 from {review['author']}{suffix}",
            content=f"Rated {stars} of 5, no written review." if words is None else words,
            published=datetime.fromisoformat(f"{review['date']}T12:00:00Z"),
            updated=datetime.fromisoformat(review["updated"]),
            tags=kinds + services + areas,
        )


def content(name: str) -> Path:
    """The content folder of a site."""
    return ROOT / "content" if name == SAMPLE else _corpus(int(name.removeprefix("of_")))


@functools.cache
def _corpus(count: int) -> Path:
    folder = Path(_scratch.name) / f"content-{count}"
    run("corpus", count, folder)
    return folder


@functools.cache
def site(name: str) -> Site:
    """The site `name`, built on first use."""
    return build(content(name), f"public-{name}")


def build(folder: Path, public_name: str, *arguments: object) -> Site:
    """Builds content into a public folder of its own."""
    public = Path(_scratch.name) / public_name
    run("candor", "build", "--quiet", "--content", folder, "--public", public, *arguments)
    return Site(folder, public)


def scratch(name: str) -> Path:
    """A new folder that goes away with the tests."""
    return Path(tempfile.mkdtemp(prefix=f"{name}-", dir=_scratch.name))


def xml_text(text: str) -> str:
    """The text as XML can say it."""
    return NOT_XML.sub("\ufffd", text)


def on_every_site(tests: type) -> type:
    """Makes one test case for each site out of a class of tests."""
    module = sys.modules[tests.__module__]
    for name in NAMES:
        case = f"{tests.__name__}_{name}"
        members = {"site_name": name, "__module__": tests.__module__}
        setattr(module, case, type(case, (tests, unittest.TestCase), members))
    return tests


class OnSite:
    """Tests of the site `self.site`; see `on_every_site`."""

    site_name: str

    def setUp(self) -> None:
        self.maxDiff = 2_000
        self.site = site(self.site_name)

    def assert_each(self, entries: list, expected: Callable, found: Callable) -> None:
        """What is `found` in each entry is what its review makes one expect."""
        self.assertEqual(len(entries), len(self.site.items))
        for item, entry in zip(self.site.items, entries):
            with self.subTest(id=item.review["id"]):
                self.assertEqual(found(entry), expected(item))
