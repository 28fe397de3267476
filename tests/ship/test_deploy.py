"""docs/deploy.md: blocks marked `tried` run as they are; the others are at least shell."""

import os
import re
import shutil
import tempfile
import textwrap
import unittest
from pathlib import Path

import ship

DEPLOY = ship.ROOT / "docs/deploy.md"


def sections() -> dict[str, list[str]]:
    """The blocks that are tried, by section (a heading of the second level)."""
    found = {}
    for section in re.split(r"^## ", DEPLOY.read_text("utf-8"), flags=re.MULTILINE)[1:]:
        tried = re.findall(r"^ *```sh tried\n(.*?)^ *```$", section, re.MULTILINE | re.DOTALL)
        found[section.split("\n", 1)[0]] = [textwrap.dedent(block) for block in tried]
    return found


class Deploy(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory(prefix="candor-deploy-")
        cls.addClassCleanup(folder.cleanup)
        cls.folder = Path(folder.name)
        (cls.folder / "bin").mkdir()
        for name in ("candor", "candor-sidecar"):
            (cls.folder / "bin" / name).symlink_to(ship.program(name))

    def shell(self, place: Path, blocks: list[str], what: str) -> None:
        path = f"{self.folder / 'bin'}{os.pathsep}{os.environ['PATH']}"
        script = "set -euo pipefail\n" + "\n".join(blocks)
        ran = ship.run("bash", "-c", script, cwd=place, env=ship.environment(PATH=path))
        self.assertEqual(ran.returncode, 0, f"{what}:\n{script}\n{ran.stdout}")

    def test_what_is_marked_as_tried_works(self):
        found = sections()
        start = self.folder / "start"
        start.mkdir()
        self.shell(start, found.pop("Start"), "Start")
        self.assertTrue((start / "my-site/public/candor-manifest.json").is_file())
        self.assertGreaterEqual(sum(map(len, found.values())), 10)
        for section, blocks in found.items():
            if blocks:
                with self.subTest(section):
                    # Each begins where the start ended.
                    place = self.folder / re.sub(r"\W+", "-", section)
                    shutil.copytree(start, place)
                    self.shell(place / "my-site", blocks, section)

    def test_shellcheck_finds_nothing_in_any_block(self):
        for document in ("deploy.md", "runbook.md"):
            for line, _, script in ship.blocks(document, "sh"):
                checked = ship.run(
                    "shellcheck", "--shell=bash", "--severity=warning", "--exclude=SC2164", "-", input=script
                )
                self.assertEqual((checked.returncode, checked.stdout), (0, ""), f"docs/{document}:{line}")


if __name__ == "__main__":
    unittest.main()
