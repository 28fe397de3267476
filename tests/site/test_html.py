"""Two validators have nothing to say of any page."""

import json
import subprocess
import tempfile
import unittest
from pathlib import Path

import service

VNU = service.HERE / "node_modules" / "vnu-jar" / "build" / "dist" / "vnu.jar"
# One of a kind where there are hundreds of the same template.
REVIEW_PAGES = 12


def pages(public: Path) -> list[Path]:
    """Every page, and some of those that are one per review."""
    everything = sorted(path for path in public.rglob("*.html") if path.parent.name != "fragments")
    reviews = [path for path in everything if len(path.parent.name) == 26]
    kept = set(reviews[:: max(1, len(reviews) // REVIEW_PAGES)])
    return [path for path in everything if path in kept or path not in reviews]


def vnu(files: list[Path]) -> list[str]:
    command = ["java", "-Xss8m", "-jar", VNU, "--errors-only", "--exit-zero-always"]
    command += ["--format", "json", *files]
    done = subprocess.run(list(map(str, command)), capture_output=True, text=True)
    messages = json.loads(done.stderr)["messages"]
    return [f"{m['url']}:{m.get('lastLine')}: {m['message']}" for m in messages]


def html_validate(files: list[Path]) -> list[str]:
    program = service.HERE / "node_modules" / ".bin" / "html-validate"
    with tempfile.TemporaryFile("w+") as out:
        command = [program, "--config", service.HERE / ".htmlvalidate.json", "--formatter", "json"]
        subprocess.run(list(map(str, [*command, *files])), stdout=out, stderr=subprocess.DEVNULL)
        out.seek(0)
        results = json.load(out)
    return [
        f"{result['filePath']}:{message['line']}: {message['ruleId']}: {message['message']}"
        for result in results
        for message in result["messages"]
    ]


# html-validate asks for two things we do otherwise on purpose: an id that begins with a digit (a review's
# is its address, and HTML allows it), and odd hyphens in telephone numbers (whoever copies one needs
# plain ones; the style sheet keeps them on one line).


class Html(unittest.TestCase):
    def test_the_validators_have_nothing_to_say(self):
        # All sites at once: to start a validator takes longer than to look at a page.
        files = []
        for name in service.SITES:
            found = pages(service.served(name)[0])
            self.assertGreater(len(found), 10, name)
            files += found
        for validator in (vnu, html_validate):
            with self.subTest(validator=validator.__name__):
                self.assertEqual(validator(files)[:20], [])

    def test_the_validators_would_say_something(self):
        with tempfile.TemporaryDirectory() as folder:
            broken = Path(folder) / "broken.html"
            broken.write_text("<!DOCTYPE html><title>x</title><p><div></p><img>")
            self.assertNotEqual(vnu([broken]), [])
            self.assertNotEqual(html_validate([broken]), [])
