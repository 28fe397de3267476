"""Feeds of the same reviews under other settings."""

import functools
import shutil
import unittest

from lxml import etree

import sites

ATOM = {"a": "http://www.w3.org/2005/Atom"}
MOVED = "https://moved.example/all-reviews"


def atom_texts(site: sites.Site, path: str) -> list[str]:
    return etree.fromstring(site.bytes("feed.xml")).xpath(path, namespaces=ATOM)


@functools.cache
def moved(name: str) -> sites.Site:
    """The same content at another address."""
    return sites.build(sites.content(name), f"moved-{name}", "--base-url", MOVED)


class Moved(unittest.TestCase):
    """RFC 4287 section 4.2.6: a relocated feed keeps its ids."""

    NAMES = ("of_51", sites.SAMPLE)

    def test_atom_ids_stay_when_the_address_changes(self):
        for name in self.NAMES:
            for path in ("a:id/text()", "a:entry/a:id/text()"):
                with self.subTest(site=name, path=path):
                    ids = atom_texts(moved(name), path)
                    self.assertTrue(ids)
                    self.assertEqual(ids, atom_texts(sites.site(name), path))

    def test_json_ids_stay_when_the_address_changes(self):
        for name in self.NAMES:
            with self.subTest(site=name):
                ids = [item["id"] for item in moved(name).json("api/feed.json")["items"]]
                before = sites.site(name).json("api/feed.json")["items"]
                self.assertEqual(len(ids), sites.FEED_SIZE)
                self.assertEqual(ids, [item["id"] for item in before])

    def test_links_follow_the_address(self):
        for name in self.NAMES:
            hrefs = atom_texts(moved(name), "a:link/@href")
            hrefs += atom_texts(moved(name), "a:entry/a:link[@rel='alternate']/@href")
            feed = moved(name).json("api/feed.json")
            hrefs += [feed["home_page_url"], feed["feed_url"], feed["hubs"][0]["url"]]
            hrefs += [item["url"] for item in feed["items"]]
            for href in hrefs:
                with self.subTest(site=name, href=href):
                    self.assertTrue(href.startswith(f"{MOVED}/"))


class WithoutSidecar(unittest.TestCase):
    def test_no_hub_is_named_where_there_is_none(self):
        folder = sites.scratch("static") / "content"
        shutil.copytree(sites.content("of_1"), folder)
        with (folder / "site.toml").open("a", encoding="utf-8") as settings:
            settings.write("\n[sidecar]\nenabled = false\n")
        site = sites.build(folder, sites.scratch("static").name)
        self.assertEqual(atom_texts(site, "a:link[@rel='hub']"), [])
        self.assertNotIn("hubs", site.json("api/feed.json"))
