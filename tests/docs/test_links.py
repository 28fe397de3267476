"""No link of a Markdown file, and none of the book, leads nowhere. Addresses of other sites are not requested."""

import functools
import html.parser
import json
import re
import subprocess
import sys
import unittest
from pathlib import Path
from urllib.parse import unquote, urlsplit

import markdown
import programs


class Page(html.parser.HTMLParser):
    """The links and the anchors of a page."""

    def __init__(self, path: Path):
        super().__init__()
        self.links, self.anchors = [], set()
        self.feed(path.read_text("utf-8"))

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        for name, value in attributes:
            if name in ("href", "src") and tag != "base":
                self.links.append(value or "")
            if name == "id" or (tag == "a" and name == "name"):
                self.anchors.add(value)


@functools.cache
def page(path: Path) -> Page:
    """A page, read once."""
    return Page(path)


@functools.cache
def book() -> Path:
    """The folder of the book."""
    folder = programs.scratch("book")
    command = [Path(sys.executable).parent / "mdbook", "build", programs.ROOT / "docs", "--dest-dir", folder]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode or re.search(r"\b(WARN|ERROR)\b", done.stdout + done.stderr):
        raise AssertionError(done.stdout + done.stderr)
    return folder


class Sources(unittest.TestCase):
    def test_links_lead_to_files_and_headings(self):
        checked = 0
        for name in markdown.files():
            for link in markdown.links(markdown.read(name)):
                target = urlsplit(link)
                if target.scheme or target.netloc:
                    continue
                path = programs.ROOT / name
                if target.path:
                    path = path.parent / unquote(target.path)
                self.assertTrue(path.exists(), f"{name}: {link}")
                if target.fragment and path.suffix == ".md":
                    self.assertIn(target.fragment, markdown.anchors(path.read_text("utf-8")), f"{name}: {link}")
                checked += 1
        self.assertGreater(checked, 200)


class Book(unittest.TestCase):
    def test_links_lead_to_pages_and_anchors(self):
        checked = 0
        for path in sorted(book().rglob("*.html")):
            for link in page(path).links:
                target = urlsplit(link)
                # The page for what is not found is served at any depth, with addresses from the root.
                if target.scheme or target.netloc or path.name == "404.html":
                    continue
                other = (path.parent / unquote(target.path)).resolve() if target.path else path
                other = other / "index.html" if other.is_dir() else other
                self.assertTrue(other.is_file(), f"{path.name}: {link}")
                if target.fragment and other.suffix == ".html":
                    self.assertIn(unquote(target.fragment), page(other).anchors, f"{path.name}: {link}")
                checked += 1
        self.assertGreater(checked, 1000)

    def test_every_document_is_a_page_and_can_be_searched(self):
        listed = set(markdown.links(markdown.read("docs/SUMMARY.md")))
        docs = programs.ROOT / "docs"
        no_pages = {"SUMMARY.md", "looks/README.md"}
        documents = {path.relative_to(docs).as_posix() for path in docs.rglob("*.md")} - no_pages
        self.assertEqual(listed, documents)
        [index] = book().glob("searchindex-*.js")
        [text] = re.findall(r"JSON\.parse\('(.*)'\)", index.read_text("utf-8"), re.DOTALL)
        urls = json.loads(re.sub(r"\\(['\\])", r"\1", text))["doc_urls"]
        searched = {url.split("#")[0].replace(".html", ".md") for url in urls}
        self.assertEqual(searched, documents)


class FirstScreen(unittest.TestCase):
    def test_the_readme_begins_with_how_to_run_and_to_test_what_they_need_and_how_long_they_take(self):
        screen = "\n".join((programs.ROOT / "README.md").read_text("utf-8").splitlines()[:25])
        for needed in ("Rust", "C compiler", "make", "git"):
            self.assertIn(needed, screen)
        for target in ("run", "test"):
            self.assertRegex(screen, rf"(?m)^\| `make {target}` \|.*\| \d+ minutes")
            self.assertRegex((programs.ROOT / "Makefile").read_text("utf-8"), rf"(?m)^{target}:")


if __name__ == "__main__":
    unittest.main()
