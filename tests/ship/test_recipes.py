"""The rule of `shell_rules.py`: what breaks it is found, and nothing that is published breaks it."""

import json
import os
import re
import tempfile
import unittest
from pathlib import Path

import yaml

import recipes
import ship
from shell_rules import faults

WORKFLOW = "jobs: {job: {steps: [%s]}}"

# Each breaks the rule in its own way.
FAULTY = {
    "content becomes a variable": """echo "SITE=$(sed -n 's/^base_url = "\\(.*\\)"$/\\1/p' site.toml)" >> "$GITHUB_ENV\"""",
    "a variable becomes a variable": 'echo "TITLE=$TITLE" >> "$GITHUB_ENV"',
    "without quotes around the file": "echo TITLE=$TITLE >> $GITHUB_ENV",
    "a file becomes variables": 'cat settings >> "$GITHUB_ENV"',
    "a group": '{ echo "a=b"; echo "title=$TITLE"; } >> "$GITHUB_OUTPUT"',
    "a block": 'echo "title<<EOF" >> "$GITHUB_OUTPUT"\necho "$TITLE" >> "$GITHUB_OUTPUT"\necho EOF >> "$GITHUB_OUTPUT"',
    "a here-document": 'cat >> "$GITHUB_ENV" <<EOF\nTITLE=$TITLE\nEOF',
    "tee": 'echo "TITLE=$TITLE" | tee --append "$GITHUB_ENV"',
    "printf": 'printf "title=%s\\n" "$TITLE" >> "$GITHUB_OUTPUT"',
    "another name of the file": 'out=$GITHUB_OUTPUT\necho "title=$TITLE" >> "$out"',
    "an option": 'candor build --report "$GITHUB_OUTPUT"',
    "a value that was read": 'read -r name < names\necho "name=$name" >> "$GITHUB_OUTPUT"',
    "a value of a loop": 'for name in *; do echo "$name" >> "$GITHUB_PATH"; done',
    "a value that was made of one": 'name=x-$NAME\necho "$name" >> "$GITHUB_PATH"',
    "text of several lines": 'echo "list=$(jq --raw-output .title site.json)" >> "$GITHUB_OUTPUT"',
    "JSON as a variable": 'echo "LIST=$(jq --compact-output . site.json)" >> "$GITHUB_ENV"',
    "the older way": 'echo "::set-output name=title::$TITLE"',
    "an expression": 'candor build --public "${{ matrix.business }}/public"',
    "a word": "cd $name",
    "a default": "cd ${name:-public}",
    "the program itself": "$name/candor build",
    "output of a command": "rm $(candor build --list)",
    "backquotes": "rm `candor build --list`",
    "a list": "names=($(ls))",
    "a test": "[ -f $name ]",
    "a target of a redirection": "candor stats > $name",
    "a loop over ls": "for name in $(ls); do echo x; done",
    "a loop over a variable": "for name in $NAMES; do echo x; done",
    "a loop over find": "for name in $(find . -name '*.csv'); do echo x; done",
    "names that look like options": "rm *",
    "names from ls": "ls | grep csv",
    "find and xargs": "find . | xargs rm",
    "xargs": "xargs rm < names",
    "read without -r": 'while read name; do rm -- "$name"; done < names',
    "ssh": """ssh "$server" "cd '$folder' && ls\"""",
    "ssh with options": """ssh -p 22 -o BatchMode=yes "$server" ls "$folder\"""",
    "sh -c": 'sh -c "cd $folder"',
    "bash -ec, with a path": 'sudo /bin/bash -ec "cd \'$folder\'"',
    "sh -c for each name": "find . -exec sh -c 'rm {}' \\;",
    "a fault in sh -c": "sh -c 'cd $1' sh \"$folder\"",
    "su": 'su candor --command "cd $folder"',
    "docker": 'docker exec reviews sh -c "ls $folder"',
    "eval": 'eval "$command"',
    "trap": 'trap "rm -rf $folder" EXIT',
    "a script that is made": "sed 's/^/rm /' names | sh",
}  # fmt: skip

SOUND = {
    "text": 'echo "changed=true" >> "$GITHUB_OUTPUT"\necho changed=true >> "$GITHUB_OUTPUT"',
    "a folder of the script": 'name=candor-$(uname -m)-unknown-linux-musl\necho "$PWD/$name" >> "$GITHUB_PATH"',
    "JSON of one line": 'echo "names=$(jq --raw-input . names | jq --compact-output --slurp .)" >> "$GITHUB_OUTPUT"',
    "a summary": 'echo "$TITLE" >> "$GITHUB_STEP_SUMMARY"',
    "quoted": 'cd "$name" && rm -- "${names[@]}" && candor build ${name:+--name "$name"}',
    "assigned": 'name=$other\nother=$(candor stats)\ncase $name in x) ;; esac\n[[ $name == x ]] && exit "$status"',
    "counted": 'for _ in $(seq 60); do [ $? = 0 ]; done',
    "every name": 'for name in exports/*; do candor import "$name"; done',
    "lines": "while IFS= read -r name; do rm -- \"$name\"; done < names\nxargs --delimiter='\\n' rm -- < names",
    "ends of names": "find . -print0 | xargs -0 rm --",
    "quoted for the other shell": 'ssh "$server" "cd ${folder@Q} && ls"',
    "an argument of the other shell": "sh -c 'cd \"$1\"' sh \"$folder\"",
    "an installer": "curl -LsSf https://example.com/installer.sh | sh",
    "at the end": "trap 'rm -rf \"$folder\"' EXIT",
}


class Rule(unittest.TestCase):
    def test_each_faulty_script_is_found(self):
        missed = [name for name, script in FAULTY.items() if not faults(script)]
        self.assertEqual(missed, [])

    def test_a_fault_has_its_line_its_reason_and_its_remedy(self):
        self.assertEqual(
            faults('set -e\nssh "$server" "cd $folder"\necho "A=$b" >> "$GITHUB_ENV"\ncd $folder'),
            [
                "2: $folder is part of a command for another shell: write ${name@Q}",
                "3: $b is written to GITHUB_ENV, where a line is a setting",
                "4: $folder is not quoted",
            ],
        )

    def test_no_sound_script_is(self):
        found = {name: faults(script) for name, script in SOUND.items() if faults(script)}
        self.assertEqual(found, {})

    def test_workflows_and_actions(self):
        for step in (
            "{run: 'cd $name'}",
            "{uses: actions/github-script@v8, with: {script: 'x(\"${{ github.event.head_commit.message }}\")'}}",
            "{run: ls, env: {BASH_ENV: '${{ inputs.file }}'}}",
            "{run: ls, shell: pwsh}",
        ):
            self.assertEqual(len(recipes.of_workflow(WORKFLOW % step, "it")), 1, step)
            self.assertEqual(len(recipes.of_workflow(f"runs: {{steps: [{step}]}}", "it")), 1, step)
        self.assertEqual(recipes.of_workflow(WORKFLOW % "{run: ls, env: {NAME: '${{ inputs.name }}'}}", "it"), [])

    def test_gitlab(self):
        for job in (
            "{script: ['cd $CI_COMMIT_REF_NAME']}", "{before_script: ['cd $name'], script: [ls]}",
            "{script: [ls], after_script: ['cd $name']}", "{script: [ls], artifacts: {reports: {dotenv: build.env}}}",
        ):  # fmt: skip
            self.assertEqual(len(recipes.of_gitlab(f"job: {job}", "it")), 1, job)

    def test_units(self):
        for command in (
            "/bin/sh -c 'cd /srv/%i && ls'", '/bin/sh -c "cd ${FOLDER}"', "bash -ec 'cd $FOLDER'", "/usr/bin/rm $FOLDER",
            "/bin/sh -c 'rm *'", "-/bin/sh -c 'cd /srv/%I'",
        ):  # fmt: skip
            self.assertTrue(recipes.of_unit(f"[Service]\nExecStart={command}\n", "it"), command)
        for command in ("/bin/kill -HUP $MAINPID", "candor --content ${FOLDER} %i", "/bin/sh -c '[ ! -d x ] || exec y'"):
            self.assertEqual(recipes.of_unit(f"[Service]\nExecStart={command}\n", "it"), [], command)

    def test_images_and_containers(self):
        self.assertEqual(len(recipes.of_image("FROM x\nRUN cd /src && \\\n    ls $NAME\n", "it")), 1)
        for service in ("{command: 'ls ${FOLDER}'}", "{healthcheck: {test: [CMD-SHELL, 'ls ${FOLDER}']}}", "{command: [sh, -c, 'ls $FOLDER']}"):
            self.assertEqual(len(recipes.of_compose(f"services: {{one: {service}}}", "it")), 1, service)
        self.assertEqual(recipes.of_compose("services: {one: {command: [ls, '${FOLDER}']}}", "it"), [])

    def test_blocks_of_documents(self):
        for block in (
            "```sh tried\ncd $name\n```", "1. So:\n\n   ```sh\n   cd $name\n   ```", "```yaml step\n- run: cd $name\n```",
            "```yaml\njobs: {job: {steps: [{run: cd $name}]}}\n```", "```ini\nExecStart=rm $NAME\n```", "```dockerfile\nRUN rm $NAME\n```",
        ):  # fmt: skip
            self.assertEqual(len(recipes.of_document(f"# It\n\n{block}\n", "it")), 1, block)


class Published(unittest.TestCase):
    def test_every_recipe_action_and_unit_keeps_the_rule(self):
        found, read = [], set()
        for name, text, reads in recipes.tracked():
            found += reads(text, name)
            read.add(name)
        self.assertEqual(found, [])
        # It was really looked at.
        for name in (
            "action.yml", "template/.github/workflows/reviews.yml", "docs/ci/three-sites.yml", "docs/ci/gitlab/import.yml",
            "docs/ci/candor-import.service", "deploy/candor-sidecar@.service", "deploy/compose.yaml", "Dockerfile",
            "docs/deploy.md", "README.md", "docs/clients/sync.sh", ".github/workflows/ci.yml",
        ):  # fmt: skip
            self.assertIn(name, read)

    def test_what_candor_writes_for_each_host_keeps_it(self):
        self.assertEqual([fault for name, text, reads in recipes.written() for fault in reads(text, name)], [])


class ThreeSites(unittest.TestCase):
    """The recipe with names and texts that its earlier form ran as commands."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="candor-sites-")
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        self.site = self.folder / "checkout"
        self.site.mkdir()
        jobs = yaml.safe_load((ship.ROOT / "docs/ci/three-sites.yml").read_text("utf-8"))["jobs"].values()
        self.steps = {step["name"]: step["run"] for job in jobs for step in job["steps"] if "run" in step}
        (self.folder / "bin").mkdir()
        (self.folder / "bin/candor").symlink_to(ship.program("candor"))

    def run_step(self, name: str, **more: str) -> tuple[int, str, str]:
        """Exit code, output, and what was written for later steps."""
        files = {file: self.folder / file for file in ("GITHUB_ENV", "GITHUB_OUTPUT")}
        for file in files.values():
            file.write_text("", "utf-8")
        path = f"{self.folder / 'bin'}{os.pathsep}{os.environ['PATH']}"
        given = ship.environment(PATH=path, **{name: str(file) for name, file in files.items()}, **more)
        ran = ship.run("bash", "-e", "-c", self.steps[name], cwd=self.site, env=given)
        return ran.returncode, ran.stdout, "".join(file.read_text("utf-8") for file in files.values())

    def git(self, *arguments: object) -> str:
        names = ("-c", "user.name=Test", "-c", "user.email=test@localhost")
        return ship.run("git", *names, *arguments, cwd=self.site, check=True).stdout.strip()

    def commit(self, *folders: str) -> str:
        for folder in folders:
            (self.site / folder / "content").mkdir(parents=True, exist_ok=True)
            settings = self.site / folder / "content/site.toml"
            settings.write_text((settings.read_text() if settings.exists() else "") + "\n")
        self.git("init", "--quiet")
        self.git("add", "--all")
        self.git("commit", "--quiet", "--message", "Change")
        return self.git("rev-parse", "HEAD")

    def listed(self, before: str) -> list[str]:
        code, output, written = self.run_step("List the businesses that changed", BEFORE=before)
        self.assertEqual(code, 0, output)
        return json.loads(written.removeprefix("businesses="))

    def test_only_businesses_that_changed_are_listed(self):
        first = self.commit("north", "south", "harbour-2")
        self.assertEqual(self.listed("0" * 40), ["harbour-2", "north", "south"])
        self.assertEqual(self.listed(first), [])
        self.commit("south")
        self.assertEqual(self.listed(first), ["south"])
        self.git("rm", "-r", "--quiet", "south")
        self.git("commit", "--quiet", "--message", "Closed")
        self.assertEqual(self.listed(first), [])

    def test_a_name_that_could_be_a_command_is_refused(self):
        for name in ("north'; touch owned; '", "$(touch owned)", "a b", "-rf", "münchen", "two\nlines", '"'):
            with self.subTest(name):
                self.setUp()
                self.commit("north", name)
                code, output, written = self.run_step("List the businesses that changed", BEFORE="")
                self.assertEqual((code, written), (1, ""))
                self.assertRegex(output, r"^rename the folder .*: use letters without accents, digits, dots, hyphens and underscores only\n$")
                self.assertNotIn("\n", output[:-1])
                self.assertFalse((self.site / "owned").exists())

    def test_no_text_of_the_content_becomes_a_variable(self):
        with ship.served(self.folder) as url:
            ship.run(ship.program("candor"), "init", self.site / "north", "--name", "Shop", "--base-url", url, check=True)
            settings = self.site / "north/content/site.toml"
            text = settings.read_text("utf-8")
            # Two lines of one text look like settings.
            hostile = 'base_url = "BASH_ENV=owned"'
            text = re.sub("(?m)^title = .*$|\\A", f"title = '''\n{hostile}\n{hostile}'''\n", text, count=1)
            settings.write_text(text, "utf-8")
            given = {"CANDOR_CONTENT": "north/content", "CANDOR_PUBLIC": "north/public", "CANDOR_FIRST": "true"}
            for step in ("Check", "Build"):
                code, output, written = self.run_step(step, **given)
                self.assertEqual(code, 0, f"{step}: {output}")
                self.assertEqual(written, {"Check": "", "Build": "changed=true\n"}[step])
            manifest = json.loads((self.site / "north/public/candor-manifest.json").read_text("utf-8"))
            self.assertEqual(manifest["base_url"], url)


if __name__ == "__main__":
    unittest.main()
