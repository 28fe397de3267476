"""Kills builds and rollbacks at any moment, and reads through nginx what is published then."""

import http.client
import itertools
import json
import random
import shutil
import subprocess
import time
from pathlib import Path

import hosts
import programs
import publication

KILLS = 40
SERVER = "server {{ listen 127.0.0.1:{port}; location / {{ root {root}; }} }}"


class Releases:
    """A folder of releases of two contents in turn, and an nginx that serves its current one."""

    def __init__(self):
        self.content = programs.folder("releases", "content")
        shutil.copytree(publication.content(), self.content, dirs_exist_ok=True)
        # A rollback would take entries back.
        shutil.rmtree(self.content / "log")
        self.file = sorted((self.content / "reviews").glob("*.ndjson"))[-1]
        lines = self.file.read_text("utf-8").splitlines(keepends=True)
        self.texts = itertools.cycle(["".join(lines), "".join(lines[:-1])])
        self.root = programs.folder("releases", "root")
        self.current = self.root / "current"
        self.builds, self.longest = {}, 0.0
        for _ in range(2):
            started = time.monotonic()
            self.edit()
            programs.run(*self.command("build"))
            self.longest = max(self.longest, time.monotonic() - started)
            manifest = json.loads((self.current / "candor-manifest.json").read_bytes())
            files = [entry["path"] for entry in manifest["files"]]
            self.builds[manifest["build_id"]] = {file: (self.current / file).read_bytes() for file in files}
        self.port = programs.free_port()
        hosts.nginx("releases", self.port, SERVER.format(port=self.port, root=self.current))

    def edit(self) -> None:
        """The other content."""
        self.file.write_text(next(self.texts), "utf-8")

    def command(self, verb: str) -> list[str]:
        """What is run."""
        options = {"--content": self.content, "--releases": self.root, "--base-url": publication.BASE_URL}
        return [str(programs.path("candor")), verb, *(str(word) for option in options.items() for word in option)]

    def kill(self, verb: str, chance: random.Random, at_the_switch: bool) -> bool:
        """Whether the command still ran when it was killed."""
        before = self.current.readlink()
        quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
        process = subprocess.Popen(self.command(verb), env=programs.environment(), **quiet)
        wait = chance.random() * self.longest
        if at_the_switch:
            while process.poll() is None and self.current.readlink() == before and self.is_unplaced():
                pass
            wait = chance.random() * 0.002
        time.sleep(wait)
        process.kill()
        return process.wait() < 0

    def is_unplaced(self) -> bool:
        """Until the new release has the name of its build."""
        return not Path(self.root, ".candor-stage", "current").is_symlink()

    def faults(self) -> list[str]:
        """What nginx serves that is not of the build whose manifest it serves."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=programs.DEADLINE)

        def get(file: str) -> bytes | None:
            connection.request("GET", f"/{file}")
            answer = connection.getresponse()
            body = answer.read()
            return body if answer.status == 200 else None

        documents = self.builds[json.loads(get("candor-manifest.json"))["build_id"]]
        every = set().union(*self.builds.values())
        wrong = sorted(file for file in every if get(file) != documents.get(file))
        connection.close()
        return wrong


def mixed() -> list[str]:
    """What was not of one build, after each of the kills."""
    releases, chance = Releases(), random.Random(19)
    found, killed = releases.faults(), 0
    for number in range(KILLS):
        releases.edit()
        verb = "rollback" if number % 4 == 3 else "build"
        killed += releases.kill(verb, chance, at_the_switch=number % 2 == 1)
        found += [f"{file}, after the {verb} of kill {number}" for file in releases.faults()]
    if killed < KILLS // 4:
        found.append(f"only {killed} of {KILLS} commands were killed before their end")
    return found
