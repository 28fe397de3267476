"""`openapi.json` keeps the rules of its kind, and what is running keeps to `openapi.json`."""

import re
import subprocess
import sys
import unittest
from pathlib import Path

import service

# Made-up requests per operation and phase.
EXAMPLES = 60


class Description(unittest.TestCase):
    def test_the_linter_has_nothing_to_say(self):
        documents = [service.site(name) / "openapi.json" for name in service.SITES]
        done = run("node", service.HERE / "lint.mjs", *documents)
        self.assertEqual((done.stdout, done.returncode), ("", 0), done.stderr)

    def test_the_linter_would_say_something(self):
        broken = service.site("sample").parent / "broken.json"
        broken.write_text('{"openapi": "3.1.0", "info": {"title": "x"}, "paths": {}}')
        done = run("node", service.HERE / "lint.mjs", broken)
        self.assertIn("error struct", done.stdout)
        self.assertEqual(done.returncode, 1)

    def test_no_request_is_answered_otherwise_than_described(self):
        for name in service.SITES:
            with self.subTest(name), service.Sidecar(service.site(name)) as url:
                done = fuzz(service.site(name) / "openapi.json", url)
                self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
                generated = re.search(r"(\d+) generated, (\d+) passed", done.stdout)
                self.assertIsNotNone(generated, done.stdout)
                self.assertGreater(int(generated[2]), 300, "too few requests to mean anything")
                print(f"{name}: {generated[0]}")


def fuzz(document: Path, url: str) -> subprocess.CompletedProcess:
    """Every check there is, with a seed of its own so that a run can be repeated."""
    command = Path(sys.executable).with_name("schemathesis")
    settings = ("--checks", "all", "--max-examples", EXAMPLES, "--seed", "1", "--no-color")
    config = ("--config-file", service.HERE / "schemathesis.toml")
    return run(command, *config, "run", document, "--url", url, *settings)


def run(*command: object) -> subprocess.CompletedProcess:
    environment = service.environment() | {"SCHEMATHESIS_HOOKS": "hooks"}
    environment["PYTHONPATH"] = str(service.HERE)
    environment["PYTHONDONTWRITEBYTECODE"] = "1"
    scratch = service.site("sample").parent
    return subprocess.run(
        list(map(str, command)), env=environment, cwd=scratch, capture_output=True, text=True
    )
