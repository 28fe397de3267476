"""Two feed readers see in the Atom feed what `reviews.json` says."""

import functools
import json
import subprocess
from datetime import datetime, timezone

import feedparser

import sites
from sites import xml_text


@functools.cache
def by_feedparser(name: str) -> feedparser.FeedParserDict:
    """The feed as feedparser (Python) reads it."""
    return feedparser.parse(sites.site(name).bytes("feed.xml"))


@functools.cache
def by_feedsmith(name: str) -> dict:
    """The feed as feedsmith (JavaScript) reads it."""
    command = ["node", str(sites.HERE / "parse_atom.mjs")]
    feed = sites.site(name).bytes("feed.xml")
    return json.loads(subprocess.run(command, input=feed, capture_output=True, check=True).stdout)


def instant(parsed) -> datetime:
    return datetime(*parsed[:6], tzinfo=timezone.utc)


class Expected(sites.OnSite):
    """What both readers must see."""

    def links(self, item) -> list[tuple]:
        links = [("alternate", item.review["url"], "text/html")]
        source = item.review["source_url"]
        return links + ([("via", source, None)] if source else [])

    def feed_links(self) -> list[tuple]:
        base = self.site.base_url
        return [
            ("self", f"{base}/feed.xml", "application/atom+xml"),
            ("alternate", f"{base}/", "text/html"),
            ("alternate", f"{base}/api/feed.json", "application/json"),
            ("hub", f"{base}/api/websub/hub", None),
        ]


@sites.on_every_site
class Feedparser(Expected):
    def setUp(self):
        super().setUp()
        self.read = by_feedparser(self.site_name)

    def test_recognises_atom_without_complaint(self):
        self.assertFalse(self.read.bozo, self.read.get("bozo_exception"))
        self.assertEqual(self.read.version, "atom10")

    def test_feed(self):
        feed = self.read.feed
        self.assertEqual(feed.id, self.site.settings["id_base"])
        self.assertEqual(feed.title, self.site.settings["title"])
        self.assertEqual(feed.subtitle, self.site.reviews["business"]["description"])
        self.assertEqual(feed.language, self.site.settings["language"])
        self.assertEqual(feed.generator, "Candor")
        updated = datetime.fromisoformat(self.site.reviews["generated_at"])
        self.assertEqual(instant(feed.updated_parsed), updated.replace(microsecond=0))

    def test_feed_links(self):
        # feedparser gives a link without a type the type text/html.
        expected = [(rel, href, kind or "text/html") for rel, href, kind in self.feed_links()]
        found = [(link.rel, link.href, link.type) for link in self.read.feed.links]
        self.assertEqual(found, expected)

    def test_ids(self):
        self.assertEqual([e.id for e in self.read.entries], [item.id for item in self.site.items])

    def test_titles(self):
        self.assert_each(
            self.read.entries,
            lambda item: (xml_text(item.title), "text/plain"),
            lambda entry: (entry.title, entry.title_detail.type),
        )

    def test_links(self):
        self.assert_each(
            self.read.entries,
            lambda item: [(rel, href, kind or "text/html") for rel, href, kind in self.links(item)],
            lambda entry: [(link.rel, link.href, link.type) for link in entry.links],
        )

    def test_dates(self):
        self.assert_each(
            self.read.entries,
            lambda item: (item.published, item.updated.replace(microsecond=0)),
            lambda entry: (instant(entry.published_parsed), instant(entry.updated_parsed)),
        )

    def test_content(self):
        self.assert_each(
            self.read.entries,
            lambda item: [(xml_text(item.content), "text/plain")],
            lambda entry: [(content.value, content.type) for content in entry.content],
        )

    def test_authors(self):
        self.assert_each(
            self.read.entries,
            lambda item: [xml_text(item.review["author"])],
            lambda entry: [author.name for author in entry.authors],
        )

    def test_categories(self):
        self.assert_each(
            self.read.entries,
            lambda item: item.tags,
            lambda entry: [tag.term for tag in entry.get("tags", [])],
        )


@sites.on_every_site
class Feedsmith(Expected):
    def setUp(self):
        super().setUp()
        self.read = by_feedsmith(self.site_name)
        self.entries = self.read.get("entries", [])

    def test_feed(self):
        self.assertEqual(self.read["id"], self.site.settings["id_base"])
        self.assertEqual(self.read["title"]["value"], self.site.settings["title"])
        description = self.site.reviews["business"]["description"]
        self.assertEqual(self.read["subtitle"]["value"], description)
        self.assertEqual(self.read["generator"]["text"], "Candor")
        updated = datetime.fromisoformat(self.site.reviews["generated_at"])
        self.assertEqual(datetime.fromisoformat(self.read["updated"]), updated)

    def found_links(self, links: list[dict]) -> list[tuple]:
        return [(link["rel"], link["href"], link.get("type")) for link in links]

    def test_feed_links(self):
        self.assertEqual(self.found_links(self.read["links"]), self.feed_links())

    def test_ids(self):
        self.assertEqual([e["id"] for e in self.entries], [item.id for item in self.site.items])

    def test_titles(self):
        self.assert_each(
            self.entries,
            lambda item: xml_text(item.title),
            lambda entry: entry["title"]["value"],
        )

    def test_links(self):
        self.assert_each(self.entries, self.links, lambda entry: self.found_links(entry["links"]))

    def test_dates(self):
        self.assert_each(
            self.entries,
            lambda item: (item.published, item.updated),
            lambda entry: tuple(
                datetime.fromisoformat(entry[key]) for key in ("published", "updated")
            ),
        )

    def test_content(self):
        self.assert_each(
            self.entries,
            lambda item: (xml_text(item.content), "text"),
            lambda entry: (entry["content"]["value"], entry["content"]["type"]),
        )

    def test_content_language_where_it_is_known(self):
        known = {item.id: item.review["language"] for item in self.site.items}
        for entry in self.entries:
            if known[entry["id"]]:
                self.assertEqual(entry["content"]["xml"]["lang"], known[entry["id"]])

    def test_authors(self):
        self.assert_each(
            self.entries,
            lambda item: [{"name": xml_text(item.review["author"])}],
            lambda entry: entry["authors"],
        )

    def test_categories(self):
        self.assert_each(
            self.entries,
            lambda item: item.tags,
            lambda entry: [category["term"] for category in entry.get("categories", [])],
        )
