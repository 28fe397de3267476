"""template/ and action.yml: reviews in, site out. What GitHub's own actions do is listed as not run."""

import json
import re
import shutil
import tempfile
import unittest
from pathlib import Path

import programs
import ship
import workflow
from test_workflows import actionlint

ACTION = ship.ROOT / "action.yml"
TEMPLATE = ship.ROOT / "template"
WORKFLOW = TEMPLATE / ".github/workflows/reviews.yml"

# What a test on this machine does itself, in place of GitHub: check out, name the address, publish.
OTHERS = ["actions/checkout", "actions/configure-pages", "actions/upload-pages-artifact", "actions/deploy-pages"]


def release(folder: Path, version: str) -> None:
    """A release as the action downloads it, with programs that start the ones under test."""
    machine = ship.run("uname", "-m").stdout.strip()
    program = folder / "program"
    folder.mkdir()
    # The site of this test is on no public address, which `verify` would name a fault.
    verify = 'if [ "$1" = verify ]; then set -- "$@" --preview; fi'
    program.write_text(f'#!/bin/sh\n{verify}\nexec {ship.program("candor")} "$@"\n', "utf-8")
    program.chmod(0o755)
    place = folder / f"v{version}"
    place.mkdir()
    ship.archive(place, "candor", f"{machine}-unknown-linux-musl", program)


class Template(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="candor-template-")
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        self.checkout = self.folder / "checkout"
        shutil.copytree(TEMPLATE, self.checkout)
        self.git("init", "--quiet", "--bare", "--initial-branch=main", self.folder / "remote")
        self.git("init", "--quiet", "--initial-branch=main", ".")
        self.git("remote", "add", "origin", self.folder / "remote")
        self.commit("The template")
        self.git("push", "--quiet", "--set-upstream", "origin", "main")

    def git(self, *arguments: object) -> str:
        names = ("-c", "user.name=Test", "-c", "user.email=test@localhost")
        done = ship.run("git", *names, *arguments, cwd=self.checkout)
        self.assertEqual(done.returncode, 0, done.stdout)
        return done.stdout

    def commit(self, subject: str) -> None:
        self.git("add", "--all")
        self.git("commit", "--quiet", "--message", subject)

    def run_workflow(self, site: str, name: str = "") -> None:
        """One run. The site answers 404 before it is published for the first time; then a sidecar serves it."""
        temporary = Path(tempfile.mkdtemp(dir=self.folder))
        known = {"inputs.name": name, "steps.pages.outputs.base_url": f"http://{site}"}
        runner = workflow.Runner(self.checkout, temporary, known)
        live, port = self.folder / "live", int(site.rpartition(":")[2])
        live.mkdir(exist_ok=True)
        present = programs.Sidecar(live, site) if any(live.iterdir()) else ship.served(live, port)
        *before, verify = workflow.steps(WORKFLOW, ACTION)
        with ship.served(self.folder / "releases") as releases, present:
            for step in before:
                if "inputs" in step:
                    step["inputs"]["releases"] = releases
                runner.run(step)
        self.assertEqual(runner.not_run, OTHERS)
        shutil.copytree(self.checkout / "public", live, dirs_exist_ok=True)
        with programs.Sidecar(live, site):
            runner.run(verify)

    def reviews(self) -> dict[str, str]:
        """The published reviews: the id of each author."""
        document = json.loads((self.checkout / "public/reviews.json").read_text("utf-8"))
        return {review["author"]: review["id"] for review in document["reviews"]}

    def test_reviews_in_site_out(self):
        release(self.folder / "releases", workflow.parsed(ACTION)["inputs"]["version"]["default"])
        with ship.served(self.folder) as address:
            site = address.removeprefix("http://")
        self.run_workflow(site, "Harbour Garage")
        self.assertEqual(self.reviews(), {})
        self.assertIn('name = "Harbour Garage"', (self.checkout / "content/business.toml").read_text("utf-8"))

        exports = self.checkout / "exports/google"
        rows = ["author,rating,date,text", "Ann B.,5,2026-03-01,On time.", "Carl D.,2,2026-03-02,Late."]
        (exports / "first export.csv").write_text("\n".join(rows) + "\n", "utf-8")
        self.commit("Add files via upload")
        self.run_workflow(site)
        first = self.reviews()
        self.assertEqual(set(first), {"Ann B.", "Carl D."})
        self.assertEqual([path.name for path in exports.iterdir()], [".gitkeep"])

        shutil.rmtree(self.checkout / "public")
        (exports / "second.csv").write_text("\n".join([*rows, "Eve F.,4,2026-03-03,Good."]) + "\n", "utf-8")
        self.commit("Add files via upload")
        self.run_workflow(site)
        self.assertEqual(first.items() - self.reviews().items(), set())
        self.assertEqual(set(self.reviews()), {"Ann B.", "Carl D.", "Eve F."})
        manifest = json.loads((self.checkout / "public/candor-manifest.json").read_text("utf-8"))
        self.assertTrue(manifest["files"])

        # Everything was pushed, and nothing is left over.
        self.assertEqual(self.git("status", "--porcelain"), "")
        self.assertEqual(self.git("rev-parse", "main"), self.git("rev-parse", "origin/main"))

    def test_linters_find_nothing(self):
        self.assertEqual(actionlint({"reviews.yml": WORKFLOW.read_text("utf-8")}), "")
        checked = ship.run(ship.tool("zizmor"), "--offline", "--no-progress", "--quiet", WORKFLOW, ACTION)
        self.assertEqual(checked.returncode, 0, checked.stdout)
        for step in workflow.parsed(ACTION)["runs"]["steps"]:
            if "run" in step:
                checked = ship.run("shellcheck", "--shell=bash", "-", input=f"set -e\n{step['run']}")
                self.assertEqual(checked.stdout, "", step["name"])

    def test_the_documentation_names_every_input_and_what_is_not_run(self):
        text = (ship.ROOT / "docs/template.md").read_text("utf-8")
        rows = re.findall(r"^\| `([^`]+)` \|", text, re.MULTILINE)
        self.assertEqual(rows, list(workflow.parsed(ACTION)["inputs"]))
        last = text.rpartition("not run:")[2]
        self.assertEqual(re.findall(r"`([^`]+)`", last), OTHERS)

    def test_the_template_uses_the_version_that_the_action_installs(self):
        version = workflow.parsed(ACTION)["inputs"]["version"]["default"]
        self.assertIn(f"/candor@v{version} ", WORKFLOW.read_text("utf-8"))
        self.assertIn(f'\nversion = "{version}"\n', (ship.ROOT / "Cargo.toml").read_text("utf-8"))


if __name__ == "__main__":
    unittest.main()
