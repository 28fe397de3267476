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

    def run_workflow(self, site: str, name: str = "", zone: str = "", address: str = "") -> str:
        """One run, and its summary. The site answers 404 before it is published for the first time; then a sidecar serves it."""
        temporary = Path(tempfile.mkdtemp(dir=self.folder))
        known = {
            "inputs.name": name, "inputs.time-zone": zone, "github.token": "token", "steps.pages.outputs.base_url": f"http://{site}",
        }  # fmt: skip
        programs_folder = self.folder / "programs"
        programs_folder.mkdir(exist_ok=True)
        # What GitHub's program was asked to do, and the text of an issue.
        (programs_folder / "gh").write_text(f'#!/bin/sh\necho "$1 $2" >> {self.folder}/asked\nshift 2\ncat "$4" >> {self.folder}/issue\n', "utf-8")
        (programs_folder / "gh").chmod(0o755)
        runner = workflow.Runner(self.checkout, temporary, known, programs=programs_folder)
        address = address or site
        live, port = self.folder / "live", int(address.rpartition(":")[2])
        live.mkdir(exist_ok=True)
        present = programs.Sidecar(live, address) if any(live.iterdir()) else ship.served(live, port)
        before = workflow.steps(WORKFLOW, ACTION)
        at = next(at for at, step in enumerate(before) if step.get("name") == "Verify the live site")
        before, after = before[:at], before[at:]
        with ship.served(self.folder / "releases") as releases, present:
            for step in before:
                if "inputs" in step:
                    step["inputs"]["releases"] = releases
                runner.run(step)
        summary = temporary / "GITHUB_STEP_SUMMARY"
        summary = summary.read_text("utf-8") if summary.exists() else ""
        if not (self.checkout / "public").exists():
            self.assertEqual(runner.not_run, OTHERS[:1])
            for step in after:
                self.assertIsNone(runner.run(step))
            return summary
        self.assertEqual(runner.not_run, OTHERS)
        shutil.copytree(self.checkout / "public", live, dirs_exist_ok=True)
        with programs.Sidecar(live, address):
            for step in after:
                runner.run(step)
        return summary

    def reviews(self) -> dict[str, str]:
        """The published reviews: the id of each author."""
        document = json.loads((self.checkout / "public/reviews.json").read_text("utf-8"))
        return {review["author"]: review["id"] for review in document["reviews"]}

    def test_reviews_in_site_out(self):
        release(self.folder / "releases", workflow.parsed(ACTION)["inputs"]["version"]["default"])
        with ship.served(self.folder) as address:
            site = address.removeprefix("http://")
        # The first push of a copy: nobody has said what the business is called.
        self.assertIn("the site is not set up yet", self.run_workflow(site))
        self.assertFalse((self.checkout / "content").exists())

        self.run_workflow(site, "Harbour Garage", "Pacific/Auckland")
        self.assertEqual(self.reviews(), {})
        self.assertIn('time_zone = "Pacific/Auckland"', (self.checkout / "content/business.toml").read_text("utf-8"))
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
        # For a machine that serves; the action publishes public/.
        settings = self.checkout / "content/site.toml"
        settings.write_text(settings.read_text("utf-8").replace("\nformat = 1\n", '\nformat = 1\nreleases = "releases"\n'), "utf-8")
        (exports / "second.csv").write_text("\n".join([*rows, "Eve F.,4,2026-03-03,Good."]) + "\n", "utf-8")
        self.commit("Add files via upload")
        self.run_workflow(site)
        self.assertEqual(first.items() - self.reviews().items(), set())
        self.assertEqual(set(self.reviews()), {"Ann B.", "Carl D.", "Eve F."})
        manifest = json.loads((self.checkout / "public/candor-manifest.json").read_text("utf-8"))
        self.assertTrue(manifest["files"])

        # One that cannot be read stops no other. The run ends with what it says of it.
        (exports / "broken.csv").write_text("nothing of use\n", "utf-8")
        (exports.parent / "loose.csv").write_text("\n".join(rows) + "\n", "utf-8")
        (exports / "third.csv").write_text("\n".join([*rows, "Gus H.,3,2026-03-04,Fine."]) + "\n", "utf-8")
        self.commit("Add files via upload")
        with self.assertRaisesRegex(AssertionError, "^End with what could not be imported: 1\n"):
            self.run_workflow(site)
        self.assertIn("Gus H.", self.reviews())
        self.assertEqual(sorted(path.name for path in exports.iterdir()), [".gitkeep", "broken.csv"])
        self.assertTrue((exports.parent / "loose.csv").is_file())
        # Nobody types a command there.
        issue = (self.folder / "issue").read_text("utf-8")
        self.assertRegex(issue, r"broken\.csv cannot be imported: .*--map .*\n    In place of such options, give the table the columns author, ")
        self.assertIn("loose.csv does not say which platform its reviews come from\n    Upload it into the folder with the name of its platform instead, such as exports/google/ or exports/direct/.\n", issue)
        self.assertNotRegex(issue, "next:|--source|This one")
        self.assertEqual((self.folder / "asked").read_text("utf-8").splitlines(), ["issue list", "issue create"])

        # Everything was pushed, and nothing is left over.
        self.assertEqual(self.git("status", "--porcelain"), "")
        self.assertEqual(self.git("rev-parse", "main"), self.git("rev-parse", "origin/main"))

    def test_nothing_is_published_under_the_name_of_an_example(self):
        release(self.folder / "releases", workflow.parsed(ACTION)["inputs"]["version"]["default"])
        with ship.served(self.folder) as address:
            site = address.removeprefix("http://")
        with self.assertRaisesRegex(AssertionError, "(?s)^Check: 1\n.*Nothing was published: the name or the address is still an example. Choose Actions, Reviews, Run workflow again, and enter the name"):
            self.run_workflow(site, "My business")
        self.assertFalse((self.checkout / "public").exists())
        self.assertEqual(self.git("log", "--format=%s").strip(), "The template")
        # Content that is there is edited.
        self.commit("The content")
        with self.assertRaisesRegex(AssertionError, "(?s)^Check: 1\n.*says in which line of content/: edit it there"):
            self.run_workflow(site)

    def test_a_domain_that_is_not_in_the_dns_yet(self):
        """A name that nobody can look up was read by nobody."""
        release(self.folder / "releases", workflow.parsed(ACTION)["inputs"]["version"]["default"])
        with ship.served(self.folder) as address:
            address = address.removeprefix("http://")
        self.run_workflow("reviews.harbour-garage.invalid", "Harbour Garage", address=address)
        self.assertTrue((self.checkout / "public/index.html").is_file())

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
