"""Chromium finds nothing wrong with any page."""

import gzip
import json
import subprocess
import unittest

import service
from test_html import pages

# Compressed bytes of a page at most, and of everything it loads.
PAGE_LIMIT = 50_000
# Pages each site is looked at in the slow ways; every template is among them.
SAMPLE = (
    "/", "/reviews/", "/reviews/page/2/", "/rating/1/", "/technicians/", "/technicians/marcus-delgado/",
    "/services/heating/", "/areas/dunmarrow/", "/aspects/", "/aspects/punctuality/", "/summary/", "/faq/",
    "/about-these-reviews/", "/search/", "/badges/", "/embed/", "/developers/api/",
    "/developers/data-model/reviews/", "/developers/data-model/insights/", "/developers/mcp/tools/",
    "/developers/webhooks/", "/no-such-page/", "/reviews/01KE34VF00CP28DX5MA7K5HVR2/",
)  # fmt: skip


def addresses(name: str) -> tuple[str, list[str]]:
    """Where a site is served, and the paths of its pages."""
    public, url = service.served(name)
    found = [path.relative_to(public).as_posix() for path in pages(public)]
    paths = ["/" + path.removesuffix("index.html") for path in found if path != "404.html"]
    return url, paths


def look(what: str, url: str, paths: list[str]) -> list[str]:
    """The faults a browser finds."""
    command = ["node", str(service.HERE / "browser.mjs"), what, url, *paths]
    done = subprocess.run(command, capture_output=True, text=True, cwd=service.HERE)
    if done.returncode:
        raise AssertionError(done.stdout + done.stderr)
    faults = [json.loads(line) for line in done.stdout.splitlines()]
    return [f"{fault['path']}: {fault['fault']}" for fault in faults]


class Browser(unittest.TestCase):
    def faults(self, what: str, name: str, paths=None):
        url, known = addresses(name)
        with self.subTest(what, site=name):
            self.assertEqual(look(what, url, list(paths or known))[:20], [])

    def test_axe_finds_nothing(self):
        self.faults("axe", "sample", SAMPLE)
        for name in ("rtl", "empty", "below"):
            self.faults("axe", name, addresses(name)[1][::4])

    def test_axe_would_find_something(self):
        url, _ = addresses("sample")
        self.assertNotEqual(look("axe", url, ["/badge.svg"]), [])

    def test_every_page_fits_every_window_and_moves_nothing(self):
        self.faults("layout", "sample")
        for name in ("rtl", "empty", "below", "hostile"):
            self.faults("layout", name, addresses(name)[1][::3])

    def test_everything_is_reached_by_the_keyboard(self):
        self.faults("keyboard", "sample", SAMPLE)

    def test_without_a_script_every_page_is_there(self):
        for name in ("sample", "below"):
            self.faults("noscript", name)

    def test_searching_with_the_service_and_without(self):
        self.faults("search", "sample", ["/search/"])

    def test_nothing_a_stranger_wrote_runs(self):
        self.faults("hostile", "hostile")

    def test_pages_are_light(self):
        for name in service.SITES:
            public, _ = service.served(name)
            for path in pages(public):
                size = len(gzip.compress(path.read_bytes()))
                self.assertLess(size, PAGE_LIMIT, path)
        script = next(service.served("sample")[0].rglob("search.js"))
        self.assertLess(script.stat().st_size, 10_000)
