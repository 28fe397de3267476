"""Every block of commands is run by a test (```sh tried) or says in its first line that it is not, and why."""

import json
import os
import pty
import re
import subprocess
import tempfile
import unittest
from pathlib import Path

import markdown
import programs
import served

NOT_RUN = re.compile(r"# Not run by a test: \S.*\.$")
SHELLS = {"bash", "shell", "console", "zsh", "fish", "powershell", "ps1", "cmd", "bat"}
COMMAND = re.compile(r"^(\$ |(sudo|candor|candor-sidecar|curl|make|cargo|npm|npx|git|docker) )", re.MULTILINE)

# Tests of other folders that run the blocks of a document.
ELSEWHERE = {"docs/clients.md": "tests/clients/clients.py", "docs/deploy.md": "tests/ship/test_deploy.py"}
# They begin in an empty folder; the others in one with a copy of the sample, which is published.
BEGINNINGS = {"README.md", "docs/five-minutes.md"}


def documents() -> list[str]:
    """What people read: the front pages and the documentation."""
    folders = ("docs", ".github", "template")
    return [name for name in markdown.files() if "/" not in name or Path(name).parts[0] in folders]


def tried(name: str) -> list[markdown.Block]:
    """The blocks of a document that a test runs."""
    return [block for block in markdown.blocks(markdown.read(name)) if block.info == ["sh", "tried"]]


def read(terminal: int) -> bytes:
    """What a terminal says next; nothing when its other side is closed."""
    try:
        return os.read(terminal, 1 << 16)
    except OSError:
        return b""


class Marks(unittest.TestCase):
    def test_every_block_of_commands_is_tried_or_says_that_it_is_not(self):
        checked = 0
        for name in documents():
            for block in markdown.blocks(markdown.read(name)):
                place = f"{name}:{block.line}"
                self.assertTrue(block.info, f"{place}: the block does not say its language")
                self.assertNotIn(block.info[0], SHELLS, f"{place}: commands are in blocks of `sh`")
                if block.info[0] == "text":
                    self.assertNotRegex(block.text, COMMAND, f"{place}: commands are in blocks of `sh`")
                if block.info[0] == "sh":
                    says = bool(NOT_RUN.fullmatch(block.text.split("\n", 1)[0]))
                    self.assertNotEqual(says, block.info == ["sh", "tried"], f"{place}: is it run by a test?")
                    checked += 1
        self.assertGreater(checked, 25)

    def test_who_runs_the_blocks_of_a_document_names_it(self):
        for name, test in ELSEWHERE.items():
            self.assertIn(name, markdown.read(test))
        for name in (*ELSEWHERE, *BEGINNINGS):
            self.assertTrue(tried(name), name)


class Commands(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        temporary = tempfile.TemporaryDirectory(prefix="candor-docs-")
        cls.addClassCleanup(temporary.cleanup)
        cls.folder = Path(temporary.name)
        (cls.folder / "bin").mkdir()
        for name in ("candor", "candor-sidecar"):
            (cls.folder / "bin" / name).symlink_to(programs.program(name.removeprefix("candor-")))

    def run_in(self, folder: Path, name: str, address: str | None = None) -> None:
        """Runs the blocks of a document one after the other, in one shell."""
        blocks = [block.text if address is None else served.at(address, block.text) for block in tried(name)]
        script = "\n".join([served.SHELL, *blocks])
        path = f"{self.folder / 'bin'}{os.pathsep}{os.environ['PATH']}"
        done = subprocess.run(
            ["bash", "-c", script], cwd=folder, env=programs.environment() | {"PATH": path}, text=True,
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
        )  # fmt: skip
        self.assertEqual(done.returncode, 0, f"{name}:\n{script}\n{done.stdout}")

    def test_what_begins_in_an_empty_folder_works(self):
        for name in sorted(BEGINNINGS):
            with self.subTest(name):
                folder = self.folder / name.replace("/", "-")
                folder.mkdir()
                self.run_in(folder, name)

    def test_the_block_of_the_readme_can_be_pasted_into_a_terminal(self):
        folder = self.folder / "pasted"
        folder.mkdir()
        # The server runs until it is ended: no shell reads what is after it.
        before, _, after = tried("README.md")[0].text.partition("candor serve")
        self.assertEqual(after.count("\n"), 1, after)
        lines = before.splitlines()
        said = self.typed(["bash", "--norc", "--noprofile", "-i"], folder, [*lines, "exit"])
        site = folder / "my-site"
        reviews = "".join(path.read_text("utf-8") for path in site.glob("content/reviews/*.ndjson"))
        self.assertIn("Ann B.", reviews, said)
        self.assertTrue((site / "public" / "index.html").exists(), said)

    def typed(self, command: list[str], folder: Path, lines: list[str]) -> str:
        """What a terminal shows when these lines are typed into it."""
        ours, theirs = pty.openpty()
        process = subprocess.Popen(
            command, cwd=folder, stdin=theirs, stdout=theirs, stderr=theirs,
            env=programs.environment() | {"PATH": f"{self.folder / 'bin'}{os.pathsep}{os.environ['PATH']}"},
        )  # fmt: skip
        os.close(theirs)
        os.write(ours, ("\n".join(lines) + "\n").encode())
        said = b""
        while chunk := read(ours):
            said += chunk
        os.close(ours)
        process.wait()
        return said.decode()

    def test_a_terminal_is_asked_what_an_export_does_not_say(self):
        folder = self.folder / "asked"
        folder.mkdir()
        review = {"reviewId": "r1", "name": "Bo", "stars": 5, "text": "Quick.", "publishedAtDate": "2026-02-11T23:40:12.345Z"}
        place = {"title": "Acme Pipes", "placeId": "ChIJ1", "website": "https://www.acme-pipes.org/", "countryCode": "GB"}
        (folder / "export.json").write_text(json.dumps([place | {"reviews": [review]}]), "utf-8")
        command = ["candor", "init", "shop", "--from", "export.json"]
        said = self.typed([str(self.folder / "bin" / command[0]), *command[1:]], folder, [*[""] * 6, "Matched to an invoice"])
        for question in (
            "Name of the business [Acme Pipes]: ", "[https://reviews.acme-pipes.org]: ", "[Europe/London]: ",
            "What you check of reviews that you received yourself [nothing yet]: ",
        ):  # fmt: skip
            self.assertIn(question, said)
        business = (folder / "shop/content/business.toml").read_text("utf-8")
        self.assertIn('\n[verification.direct]\nmethod = "Matched to an invoice"\n', business)
        self.assertIn("Quick.", (folder / "shop/content/reviews/2026.ndjson").read_text("utf-8"), said)

    def test_what_is_said_of_a_site_works(self):
        folder = self.folder / "site"
        with served.sample(folder) as address:
            for name in documents():
                if name not in BEGINNINGS and name not in ELSEWHERE and tried(name):
                    with self.subTest(name):
                        self.run_in(folder, name, address)


if __name__ == "__main__":
    unittest.main()
