"""The JSON Feed meets its schema and says what `reviews.json` and the Atom feed say."""

import re
import subprocess
import sys
from datetime import datetime

from lxml import etree

import sites

SCHEMA = sites.HERE / "node_modules" / "jsonfeed-schema" / "schema-v1.1.json"
ATOM = {"a": "http://www.w3.org/2005/Atom"}
TAG_URI = re.compile(
    r"tag:[A-Za-z0-9._@-]+,\d{4}(-\d\d(-\d\d)?)?:[A-Za-z0-9._~!$&'()*+,;=:@/?%-]*"
)
EXTENSION = {
    "rating",
    "date_precision",
    "verified",
    "verification",
    "source",
    "source_url",
    "owner_reply",
    "disclosure",
}


@sites.on_every_site
class JsonFeed(sites.OnSite):
    def setUp(self):
        super().setUp()
        self.feed = self.site.json("api/feed.json")

    def test_meets_the_schema(self):
        command = [sys.executable, "-m", "check_jsonschema", "--schemafile", SCHEMA]
        command.append(self.site.public / "api" / "feed.json")
        done = subprocess.run(command, capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)

    def test_is_served_as_json(self):
        self.assertEqual(self.site.media_type("api/feed.json"), "application/json")

    def test_feed(self):
        base = self.site.base_url
        self.assertEqual(self.feed["version"], "https://jsonfeed.org/version/1.1")
        self.assertEqual(self.feed["title"], self.site.settings["title"])
        self.assertEqual(self.feed["home_page_url"], f"{base}/")
        self.assertEqual(self.feed["feed_url"], f"{base}/api/feed.json")
        self.assertEqual(self.feed["language"], self.site.settings["language"])
        self.assertEqual(self.feed["description"], self.site.reviews["business"]["description"])

    def test_hubs(self):
        hub = {"type": "WebSub", "url": f"{self.site.base_url}/api/websub/hub"}
        self.assertEqual(self.feed["hubs"], [hub])

    def test_the_newest_fifty_or_all(self):
        count = len(self.site.reviews["reviews"])
        self.assertEqual(len(self.feed["items"]), min(sites.FEED_SIZE, count))

    def test_ids(self):
        ids = [item["id"] for item in self.feed["items"]]
        self.assertEqual(ids, [item.id for item in self.site.items])
        self.assertEqual(len(set(ids)), len(ids))
        for tag in ids:
            self.assertRegex(tag, re.compile(f"^{TAG_URI.pattern}$"))

    def test_ids_are_those_of_the_atom_feed(self):
        entries = etree.fromstring(self.site.bytes("feed.xml"))
        ids = entries.xpath("a:entry/a:id/text()", namespaces=ATOM)
        self.assertEqual([item["id"] for item in self.feed["items"]], ids)

    def test_urls_and_titles(self):
        self.assert_each(
            self.feed["items"],
            lambda expected: (expected.review["url"], expected.title),
            lambda item: (item["url"], item["title"]),
        )

    def test_content_is_plain_text(self):
        self.assert_each(
            self.feed["items"],
            lambda expected: (expected.content, None),
            lambda item: (item["content_text"], item.get("content_html")),
        )

    def test_publication_is_noon_of_the_day(self):
        self.assert_each(
            self.feed["items"],
            lambda expected: f"{expected.review['date']}T12:00:00Z",
            lambda item: item["date_published"],
        )

    def test_modification(self):
        self.assert_each(
            self.feed["items"],
            lambda expected: expected.updated,
            lambda item: datetime.fromisoformat(item["date_modified"]),
        )

    def test_authors(self):
        def author(expected):
            picture = expected.review["author_avatar_url"]
            return {"name": expected.review["author"]} | ({"avatar": picture} if picture else {})

        self.assert_each(
            self.feed["items"], lambda expected: [author(expected)], lambda item: item["authors"]
        )

    def test_language_and_tags(self):
        self.assert_each(
            self.feed["items"],
            lambda expected: (expected.review["language"], expected.tags),
            lambda item: (item.get("language"), item["tags"]),
        )

    def test_extension(self):
        self.assert_each(
            self.feed["items"],
            lambda expected: {key: expected.review[key] for key in EXTENSION},
            lambda item: item["_review"],
        )
