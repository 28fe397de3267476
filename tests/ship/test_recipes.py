"""The rule of `shell_rules.py`: what breaks it is found, and nothing that is published breaks it."""

import json
import os
import re
import shutil
import tempfile
import unittest
from pathlib import Path

import yaml

import recipes
import ship
from shell_rules import faults
from test_upload import STANDINS

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
    "a here-document over ssh": 'ssh "$server" <<EOF\ncd $folder\nEOF',
    "a here-document for a shell": "bash <<EOF\ncd $folder\nEOF",
    "a here-string for a shell": 'bash <<< "cd $folder"',
    "parallel": 'parallel "rm {}" ::: *',
    "watch": 'watch "ls $f"',
    "script": 'script -c "ls $f" /dev/null',
    "env -S": 'env -S "ls $f"',
    "system of awk": "awk '{system(\"rm \" $0)}' names",
    "a file of another that is read": ". ./settings",
    "output that is read": "source <(cat names)",
    "python that writes a variable": """python3 -c 'import os; open(os.environ["GITHUB_ENV"], "a").write(open("t").read())'""",
    "awk that writes a variable": "awk '{print > ENVIRON[\"GITHUB_ENV\"]}' x",
    "the file by printenv": 'echo "a=$b" >> "$(printenv GITHUB_ENV)"',
    "the file by another name": 'v=GITHUB_ENV\necho "a=$b" >> "${!v}"',
    "a name in a value": 'export "$line"',
    "a name in a value of declare": 'declare "$line"',
    "a comparison of numbers": "[[ $name -eq 1 ]]",
    "a sum": 'echo "$(( $name + 1 ))"',
    "a comparison in arithmetic": "(( name > 1 ))",
    "input of ssh": 'printf "cd %s\\n" "$name" | ssh "$server"',
    "input of bash -s": 'printf "cd %s\\n" "$name" | bash -s',
    "a script that is made for bash": 'bash <(echo "cd $name")',
    "a script that is written": 'echo "cd $name" > x.sh\nbash x.sh',
    "the path of rsync": 'rsync --rsync-path="cd $folder && rsync" a b:',
    "the shell of rsync": 'rsync -e "ssh -o ProxyCommand=$command" a b:',
    "a command of ssh": 'ssh -o "ProxyCommand=nc $name 22" "$server"',
    "a command of git": 'GIT_SSH_COMMAND="ssh -i $name" git fetch',
    "an alias of git": 'git -c "alias.x=!echo $name" x',
    "a program of python": "python3 -c \"print('$name')\"",
    "a command of sed": 'sed "s/x/$name/e" names',
    "a file that bash reads": 'export BASH_ENV="$name"',
    "a value that grows": 'name=x\nname+=$title\necho "n=$name" >> "$GITHUB_OUTPUT"',
    "a value of printf": 'name=x\nprintf -v name %s "$title"\necho "n=$name" >> "$GITHUB_OUTPUT"',
    "a value of a default": 'name=\n: "${name:=$title}"\necho "n=$name" >> "$GITHUB_OUTPUT"',
    "text of several lines, joined": 'echo "a=$(jq --compact-output --join-output .title f)" >> "$GITHUB_OUTPUT"',
    "text of several lines, by letters": 'echo "a=$(jq --compact-output -cr .title f)" >> "$GITHUB_OUTPUT"',
    "the file by a name of a loop": 'for v in GITHUB_ENV; do echo "t=$title" >> "${!v}"; done',
    "the folder of a name": 'cd "$title"\necho "$PWD" >> "$GITHUB_PATH"',
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
    "a script as it is": "ssh \"$server\" <<'EOF'\ncd \"$folder\"\nEOF",
    "input of a program": "candor import - <<EOF\n$rows\nEOF",
    "numbers": 'tries=0\ntries=$(( tries + 1 ))\n[[ $tries -lt 5 ]] && [ "$tries" -eq 1 ]',
    "an environment": ". venv/bin/activate\nexport NAME=\"$line\"",
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
            "action.yml", "template/.github/workflows/reviews.yml", "docs/ci/many-sites.yml", "docs/ci/gitlab/import.yml",
            "docs/ci/candor-import.service", "deploy/candor-sidecar@.service", "deploy/compose.yaml", "Dockerfile",
            "docs/deploy.md", "README.md", "docs/clients/sync.sh", ".github/workflows/ci.yml",
        ):  # fmt: skip
            self.assertIn(name, read)

    def test_what_candor_writes_for_each_host_keeps_it(self):
        self.assertEqual([fault for name, text, reads in recipes.written() for fault in reads(text, name)], [])


class ManySites(unittest.TestCase):
    """The recipe for the sites of an agency: one that fails stops no other, and no name or text is run as a command."""

    NIGHT = ("Import and commit", "Read what the server has", "Build", "Deploy", "Verify the live sites", "Name the sites that failed")

    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="candor-sites-")
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        self.site, self.server = self.folder / "checkout", self.folder / "server"
        self.server.mkdir()
        job = yaml.safe_load((ship.ROOT / "docs/ci/many-sites.yml").read_text("utf-8"))["jobs"]["sites"]
        self.steps = {step["name"]: step["run"].replace("~/.ssh", str(self.folder / "key")) for step in job["steps"] if "run" in step}
        self.assertEqual(tuple(self.steps), ("Install candor", *self.NIGHT))
        self.variables = job["env"]
        (self.folder / "bin").mkdir()
        (self.folder / "bin/candor").symlink_to(ship.program("candor"))
        for name in ("ssh", "sudo"):
            (self.folder / "bin" / name).write_text(STANDINS[name], "utf-8")
            (self.folder / "bin" / name).chmod(0o755)
        ship.run("git", "init", "--quiet", "--bare", "remote.git", cwd=self.folder, check=True)
        ship.run("git", "clone", "--quiet", "remote.git", "checkout", cwd=self.folder, check=True)
        (self.site / "candor-workspace.toml").write_text('sites = ["sites/*"]\n', "utf-8")

    def begin(self, name: str, url: str = "") -> Path:
        """A site that imports one review; its export."""
        site = self.site / "sites" / name
        given = ("--name", "Shop", "--base-url", url or f"https://{len(os.listdir(site.parent)) if site.parent.exists() else 0}.example")
        ship.run(ship.program("candor"), "init", site, *given, "--no-input", check=True)
        (site / "export.csv").write_text("author,rating,date,text\nCarl D.,5,2026-01-02,On time.\n", "utf-8")
        (site / "content/import.toml").write_text('[[export]]\ninput = "../export.csv"\nsource = "google"\n', "utf-8")
        return site / "export.csv"

    def run_step(self, name: str) -> tuple[int, str, str]:
        """Exit code, output, and what was written for later steps."""
        files = {file: self.folder / file for file in ("GITHUB_ENV", "GITHUB_OUTPUT", "GITHUB_STEP_SUMMARY")}
        for file in files.values():
            file.write_text("", "utf-8")
        path = f"{self.folder / 'bin'}{os.pathsep}{os.environ['PATH']}"
        given = ship.environment(
            PATH=path, RUNNER_TEMP=str(self.temp), TARGET=str(self.server), KEY="key", KNOWN_HOSTS="server",
            **{name: str(file) for name, file in files.items()}, **self.variables,
        )  # fmt: skip
        ran = ship.run("bash", "-e", "-c", self.steps[name], cwd=self.site, env=given)
        return ran.returncode, ran.stdout, "".join(files[file].read_text("utf-8") for file in ("GITHUB_ENV", "GITHUB_OUTPUT"))

    def night(self) -> tuple[int, list[str]]:
        """Every step on a new machine: the exit code of the last, and the failures it names."""
        self.temp = self.folder / "temp"
        shutil.rmtree(self.temp, ignore_errors=True)
        self.temp.mkdir()
        for public in self.site.glob("sites/*/public"):
            shutil.rmtree(public)
        for step in self.NIGHT:
            code, output, written = self.run_step(step)
            self.assertEqual(written, "", step)
            if step != self.NIGHT[-1]:
                self.assertEqual(code, 0, f"{step}: {output}")
        self.assertEqual((self.folder / "GITHUB_STEP_SUMMARY").read_text("utf-8"), output)
        return code, output.splitlines()

    def commits(self) -> int:
        return len(ship.run("git", "--git-dir", self.folder / "remote.git", "log", "--all", "--format=%h", check=True).stdout.split())

    def reviews(self, name: str) -> int:
        return (self.server / name / "public/reviews.json").read_text("utf-8").count('"author":')

    def test_a_site_that_fails_stops_no_other_and_is_named(self):
        # `candor verify` needs an answer from each live site: here whether it is asked about.
        (self.folder / "bin/candor").unlink()
        verify = f"#!/bin/sh\n[ \"$1\" = verify ] || exec '{ship.program('candor')}' \"$@\"\necho \"$2\" >> {self.folder}/asked\n"
        (self.folder / "bin/candor").write_text(f"{verify}[ \"$2\" != https://down.example ]\n", "utf-8")
        (self.folder / "bin/candor").chmod(0o755)
        exports = {name: self.begin(name, f"https://{name}.example") for name in ("down", "north", "south", "west")}
        down = ["'sites/down': verify"]
        # What the machine that serves keeps is not for the workflow. One of the sites has nothing to import.
        settings = self.site / "sites/south/content/site.toml"
        settings.write_text(settings.read_text("utf-8").replace("\nformat = 1\n", '\nformat = 1\nreleases = "releases"\n'), "utf-8")
        self.begin("by-hand", "https://by-hand.example")
        (self.site / "sites/by-hand/content/import.toml").unlink()
        self.assertEqual(self.night(), (1, down))
        self.assertEqual([self.reviews(name) for name in exports], [1, 1, 1, 1])
        self.assertEqual(self.commits(), 1)
        self.assertTrue((self.server / "north/hosts/nginx/site.conf").is_file())
        self.assertEqual((self.folder / "asked").read_text("utf-8").split(), [f"https://{name}.example" for name in ("by-hand", *exports)])

        # A night without news commits, builds and deploys nothing.
        before = {path: path.stat().st_mtime_ns for path in self.server.rglob("*")}
        self.assertEqual(self.night(), (1, down))
        self.assertEqual(self.commits(), 1)
        self.assertEqual({path: path.stat().st_mtime_ns for path in self.server.rglob("*")}, before)

        # One has no export, one no settings, one cannot be written to on the server: the last one is deployed.
        for export in exports.values():
            export.write_text(export.read_text("utf-8") + "Dora E.,4,2026-01-03,Tidy.\n", "utf-8")
        exports["down"].write_text("nothing of use\n", "utf-8")
        (self.site / "sites/north/content/site.toml").write_text("[", "utf-8")
        shutil.rmtree(self.server / "west")
        (self.server / "west").write_text("a file", "utf-8")
        code, failed = self.night()
        self.assertEqual((code, set(failed)), (1, {"sites/down: import", "sites/north: import", "sites/north: build", "sites/west: deploy", *down}))
        self.assertEqual([self.reviews(name) for name in ("down", "north", "south")], [1, 1, 2])
        self.assertEqual(self.commits(), 2)

        # The next night repeats what failed.
        (self.server / "west").unlink()
        self.night()
        self.assertEqual(self.reviews("west"), 2)

    def test_a_name_that_could_be_a_command_is_not_deployed(self):
        for name in ("north'; touch owned; '", "$(touch owned)", "a b", "-rf", "münchen", "two\nlines", '"'):
            self.begin(name)
        code, failed = self.night()
        named = [line for line in failed if line.endswith(": use letters without accents, digits, dots, hyphens and underscores only")]
        self.assertEqual((code, len(named)), (1, 7))
        self.assertEqual(list(self.server.iterdir()), [])
        self.assertEqual(list(self.folder.rglob("owned")), [])

    def test_no_text_of_the_content_becomes_a_variable(self):
        settings = self.begin("north").parent / "content/site.toml"
        # Two lines of one text look like settings.
        hostile = 'base_url = "BASH_ENV=owned"'
        text = f"title = '''\n{hostile}\n{hostile}'''\n" + re.sub("(?m)^title = .*$", "", settings.read_text("utf-8"))
        settings.write_text(text, "utf-8")
        self.night()
        manifest = json.loads((self.server / "north/public/candor-manifest.json").read_text("utf-8"))
        self.assertEqual(manifest["base_url"], "https://0.example")


if __name__ == "__main__":
    unittest.main()
