"""Chromium finds nothing wrong with any page."""

import functools
import gzip
import json
import subprocess
import unittest

import service
from test_html import pages

# Compressed bytes of a page at most, and of everything it loads.
PAGE_LIMIT = 50_000
# The first page with its style sheet, as browsers get them.
HOME_LIMIT = 15_000
# Pages the sample is looked at in the slow ways; every template is among them.
SAMPLE = (
    "/", "/reviews/", "/reviews/page/2/", "/rating/1/", "/technicians/", "/technicians/marcus-delgado/",
    "/services/heating/", "/areas/dunmarrow/", "/aspects/", "/aspects/punctuality/", "/summary/", "/faq/",
    "/about-these-reviews/", "/review-policy/", "/search/", "/badges/", "/embed/", "/embed/carousel/", "/embed/list/",
    "/developers/api/",
    "/developers/data-model/reviews/", "/developers/data-model/insights/", "/developers/mcp/tools/",
    "/developers/webhooks/", "/no-such-page/", "/reviews/01KE34VF00CP28DX5MA7K5HVR2/",
)  # fmt: skip
REVIEW = SAMPLE[-1]


@functools.cache
def known(name: str) -> tuple[str, ...]:
    """The paths of a site's pages."""
    public, _ = service.served(name)
    found = [path.relative_to(public).as_posix() for path in pages(public)]
    return tuple("/" + path.removesuffix("index.html") for path in found if path != "404.html")


def plan() -> list[dict]:
    """What is looked at, where: one browser does all of it."""
    sample, others = known("sample"), ("rtl", "empty", "below")
    jobs = [("axe", "sample", SAMPLE), ("keyboard", "sample", SAMPLE), ("layout", "sample", sample)]
    # Not from right to left: the sample's English words would run the wrong way while they come in.
    jobs += [("arrival", "sample", (*SAMPLE, "/reviews/?q=leak", "/search/?q=leak&rating=5"))]
    jobs += [("visitor", "sample", SAMPLE[:2])]
    jobs += [("axe", name, known(name)[::4]) for name in others]
    jobs += [("layout", name, known(name)[::3]) for name in (*others, "hostile")]
    jobs += [("noscript", name, known(name)) for name in ("sample", "below")]
    jobs += [("search", "sample", ("/search/", "/reviews/")), ("agent", "sample", ("/search/", "/reviews/"))]
    jobs += [ ("hostile", "hostile", known("hostile"))]
    proof = ("/proof/", next(path for path in known("logged") if len(path) == len(REVIEW)))
    jobs += [(task, "logged", proof) for task in ("axe", "keyboard", "arrival", "layout", "noscript")]
    jobs += [("proof", "logged", ("/proof/",)), ("proof", "below", ("/reviews/proof/",))]
    return [
        {"task": task, "site": site, "url": service.served(site)[1], "paths": paths}
        for task, site, paths in jobs
    ]


def look(jobs: list[dict]) -> list[dict]:
    """The faults a browser finds."""
    command = ["node", str(service.HERE / "browser.mjs")]
    done = subprocess.run(
        command, input=json.dumps(jobs), capture_output=True, text=True, cwd=service.HERE
    )
    if done.returncode:
        raise AssertionError(done.stdout + done.stderr)
    *faults, end = map(json.loads, done.stdout.splitlines())
    assert end == {"looked": sum(len(job["paths"]) for job in jobs)}, end
    return faults


@functools.cache
def found() -> list[dict]:
    return look(plan())


class Browser(unittest.TestCase):
    def nothing_from(self, task: str):
        looked = [job for job in plan() if job["task"] == task]
        self.assertGreater(sum(len(job["paths"]) for job in looked), 0)
        faults = [fault for fault in found() if fault["task"] == task]
        said = [f"{fault['site']}{fault['path']}: {fault['fault']}" for fault in faults]
        self.assertEqual(said[:20], [])

    def test_axe_finds_nothing(self):
        self.nothing_from("axe")

    def test_axe_would_find_something(self):
        url = service.served("sample")[1]
        self.assertNotEqual(
            look([{"task": "axe", "site": "sample", "url": url, "paths": ["/fragments/latest.html"]}]), []
        )

    def test_every_page_fits_every_window(self):
        self.nothing_from("layout")

    def test_a_visitor_meets_reviews_and_the_number(self):
        self.nothing_from("visitor")

    def test_nothing_moves_while_a_page_arrives(self):
        self.nothing_from("arrival")

    def test_everything_is_reached_by_the_keyboard(self):
        self.nothing_from("keyboard")

    def test_without_a_script_every_page_is_there(self):
        self.nothing_from("noscript")

    def test_searching_with_the_service_and_without(self):
        self.nothing_from("search")

    def test_the_agent_of_a_browser_searches(self):
        self.nothing_from("agent")

    def test_a_browser_verifies_a_review_and_says_what_is_wrong(self):
        self.nothing_from("proof")

    def test_nothing_a_stranger_wrote_runs(self):
        self.nothing_from("hostile")

    def test_pages_are_light(self):
        for name in service.SITES:
            public, _ = service.served(name)
            for path in pages(public):
                size = len(gzip.compress(path.read_bytes()))
                self.assertLess(size, PAGE_LIMIT, path)
        public = service.served("sample")[0]
        shown = [public / "index.html", *public.glob("assets/style.*.css")]
        sizes = [path.with_name(path.name + ".br").stat().st_size for path in shown]
        self.assertLess(sum(sizes), HOME_LIMIT, sizes)
        for script in service.served("sample")[0].rglob("*.js"):
            self.assertLess(script.stat().st_size, 11_000, script)
