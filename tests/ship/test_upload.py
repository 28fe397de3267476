"""What is uploaded: documents first, the manifest last, and nothing of others is removed."""

import functools
import os
import re
import shutil
import sys
import tempfile
import tomllib
import unittest
from pathlib import Path

import yaml

import ship

# The commands that a workflow has and this machine has not: the server is a folder, and so is the bucket.
STANDINS = {
    # A server has none of the variables.
    "ssh": '#!/bin/sh\nshift\nexec env --ignore-environment PATH="$PATH" sh -c "$*"\n',
    "sudo": "#!/bin/sh\nexit 0\n",
    "aws": f"""#!{sys.executable}
import fnmatch, os, pathlib, shutil, sys
[_, action, *rest] = sys.argv[1:]
place = lambda word: pathlib.Path(os.environ["BUCKETS"], word[5:]) if word.startswith("s3://") else pathlib.Path(word)
options, words = [], []
while rest:
    word = rest.pop(0)
    options.append((word, rest.pop(0))) if word.startswith("--") else words.append(word)
def copy(one, other):
    other.parent.mkdir(parents=True, exist_ok=True)
    shutil.copy(one, other)
    print("sent", other.name, file=open(os.environ["SENT"], "a"))
match action:
    case "cp":
        one, other = map(place, words)
        if not one.is_file():
            sys.exit(1)
        copy(one, other)
    case "rm":
        place(words[0]).unlink(missing_ok=True)
    case "sync":
        one, other = map(place, words)
        for file in sorted(path for path in one.rglob("*") if path.is_file()):
            name, taken = str(file.relative_to(one)), True
            for option, pattern in options:
                if option in ("--include", "--exclude") and fnmatch.fnmatch(name, pattern):
                    taken = option == "--include"
            if taken:
                copy(file, other / name)
""",
}


@functools.cache
def run_of(step: str, workflow: str) -> str:
    """The script of a step of the workflow a site begins with."""
    steps = yaml.safe_load(workflow)["jobs"]["publish"]["steps"]
    return next(found["run"] for found in steps if found.get("name") == step)


class Upload(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="candor-upload-")
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        self.site = self.folder / "site"
        self.bin = self.folder / "bin"
        self.bin.mkdir()
        (self.bin / "candor").symlink_to(ship.program("candor"))
        for name, text in STANDINS.items():
            (self.bin / name).write_text(text, "utf-8")
            (self.bin / name).chmod(0o755)
        (self.folder / "temp").mkdir()

    def begin(self, host: str) -> str:
        """A site of two reviews for a host; its workflow."""
        self.candor(
            "init", self.site, "--name", "Shop", "--base-url", "https://shop.example", "--host", host, "--no-input", cwd=self.folder
        )
        export = "author,rating,date,text\nAnn B.,5,2026-01-02,On time.\nCarl D.,5,2026-01-03,On time.\n"
        (self.folder / "export.csv").write_text(export, "utf-8")
        self.candor("import", self.folder / "export.csv", "--source", "google")
        return (self.site / ".github/workflows/publish.yml").read_text("utf-8")

    def environment(self, **more: object) -> dict[str, str]:
        path = f"{self.bin}{os.pathsep}{os.environ['PATH']}"
        return ship.environment(PATH=path, RUNNER_TEMP=str(self.folder / "temp"), **{key: str(more[key]) for key in more})

    def candor(self, *arguments: object, cwd: Path | None = None) -> str:
        ran = ship.run(self.bin / "candor", *arguments, cwd=cwd or self.site, env=self.environment())
        self.assertEqual(ran.returncode, 0, ran.stdout)
        return ran.stdout

    def deploy(self, script: str, **more: object) -> None:
        ran = ship.run("bash", "-e", "-c", script, cwd=self.site, env=self.environment(**more))
        self.assertEqual(ran.returncode, 0, ran.stdout)

    def forget_one(self) -> str:
        """Removes a review; the path of its page."""
        pages = {path for path in self.files() if re.fullmatch(r"reviews/\w{26}/index\.html", path)}
        self.candor("forget", "--author", "Ann B.")
        self.candor("build")
        [gone] = pages - self.files()
        return gone

    def files(self) -> set[str]:
        return set(self.candor("build", "--list").splitlines())

    def test_a_server_keeps_the_files_of_others(self):
        workflow = self.begin("nginx")
        server = self.folder / "server"
        (server / "public/about").mkdir(parents=True)
        (server / "public/about/index.html").write_text("theirs", "utf-8")
        # `candor host` runs there, and `ssh` stands for it.
        script = run_of("Deploy", workflow).replace("~/.ssh", str(self.folder / "key"))
        given = {"TARGET": server, "CANDOR_HOST": "nginx", "KEY": "key", "KNOWN_HOSTS": "server"}
        self.candor("build")
        self.deploy(script, **given)
        gone = self.forget_one()
        self.assertTrue((server / "public" / gone).is_file())
        self.deploy(script, **given)
        self.assertFalse((server / "public" / gone).exists())
        self.assertEqual((server / "public/about/index.html").read_text("utf-8"), "theirs")
        there = {str(path.relative_to(server / "public")) for path in (server / "public").rglob("*") if path.is_file()}
        self.assertEqual(there, self.files() | {"about/index.html"})
        self.assertTrue((server / "hosts/nginx/site.conf").is_file())

    def test_a_server_gets_the_sidecar_of_the_workflow_and_the_public_folder(self):
        workflow = self.begin("nginx")
        settings = self.site / "content/site.toml"
        text = settings.read_text("utf-8").replace("enabled = false", "enabled = true")
        settings.write_text(text.replace("\nformat = 1\n", '\nformat = 1\nreleases = "releases"\n'), "utf-8")
        server = self.folder / "server"
        server.mkdir()
        script = run_of("Deploy", workflow).replace("~/.ssh", str(self.folder / "key"))
        given = {"TARGET": server, "KEY": "key", "KNOWN_HOSTS": "server", "CANDOR_HOST_SIDECAR": "http://10.0.0.5:8081"}
        job = yaml.safe_load(workflow)["jobs"]["publish"]["env"]
        given |= {name: value for name, value in job.items() if "${{" not in value}
        self.deploy("candor build", **given)
        self.deploy(script, **given)
        self.assertFalse((self.site / "releases").exists())
        self.assertTrue((server / "public/index.html").is_file())
        written = "".join(path.read_text("utf-8") for path in (server / "hosts/nginx").iterdir())
        self.assertIn("10.0.0.5:8081", written)
        self.assertIn(f'root "{server}/public";', written)

    def test_a_bucket_keeps_the_files_of_others(self):
        self.begin("s3")
        bucket, sent = self.folder / "buckets/reviews", self.folder / "sent"
        bucket.mkdir(parents=True)
        (bucket / "theirs.html").write_text("theirs", "utf-8")
        self.candor("build", "--host", "s3")
        self.deploy("sh hosts/s3/upload.sh reviews", BUCKETS=self.folder / "buckets", SENT=sent)
        names = [line.split(" ", 1)[1] for line in sent.read_text("utf-8").splitlines()]
        pages = [at for at, name in enumerate(names) if name.endswith(".html")]
        self.assertEqual(names[-1], "candor-manifest.json")
        self.assertEqual(pages, list(range(pages[0], len(names) - 1)), "pages come after what they name")
        gone = self.forget_one()
        self.candor("host", "s3")
        self.deploy("sh hosts/s3/upload.sh reviews", BUCKETS=self.folder / "buckets", SENT=sent)
        self.assertFalse((bucket / gone).exists())
        self.assertEqual((bucket / "theirs.html").read_text("utf-8"), "theirs")

    def test_netlify_gets_the_program_and_builds(self):
        self.begin("netlify")
        (self.folder / "release").mkdir()
        ship.archive(self.folder / "release", "candor", "x86_64-unknown-linux-musl")
        self.candor("build", "--host", "netlify")
        shutil.copy(self.site / "hosts/netlify/netlify.toml", self.site)
        shutil.rmtree(self.site / "public")
        settings = tomllib.loads((self.site / "netlify.toml").read_text("utf-8"))["build"]
        command, given = settings["command"], settings["environment"]
        # What is in the PATH of a build there has no candor.
        (self.bin / "candor").unlink()
        live = self.folder / "live"
        live.mkdir()
        with ship.served(self.folder / "release") as release, ship.served(live) as url:
            self.deploy(command, URL=url, CANDOR_RELEASE=release, CANDOR_FIRST="true", **given)
            self.assertTrue((self.site / "public/_headers").is_file())
            shutil.copytree(self.site / "public", live, dirs_exist_ok=True)
            before = (live / "candor-manifest.json").read_bytes()
            shutil.rmtree(self.site / "public")
            self.deploy(command, URL=url, CANDOR_RELEASE=release, **given)
            self.assertEqual((self.site / "public/candor-manifest.json").read_bytes(), before)


if __name__ == "__main__":
    unittest.main()
