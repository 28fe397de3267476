"""A site on a server of its own, and the night after: what docs/ci/candor-import.service does with a new review.

    python night.py [--candor PROGRAM]

The host is named once, when the site is made. The commands of the unit are run as they are written there; the export
stands for Google's APIs.
"""

import argparse
import http.client
import json
import os
import re
import shlex
import sys
import types
import unittest
from pathlib import Path

import hosts
import programs

UNIT = programs.ROOT / "docs" / "ci" / "candor-import.service"
HEAD = "id,author,rating,date,text\n"
FIRST = "abcdefghij1,Ann Bell,5,2026-01-02,On time and tidy.\n"
NEXT = "abcdefghij2,Cy Dunn,4,2026-01-03,A good repair at a fair price.\n"


class AtNight:
    """A host that serves a site of its own folder."""

    # How it is published for the first time.
    FIRST_BUILD = ["build"]

    def __init__(self):
        self.port = programs.free_port()
        self.folder = programs.folder("night", type(self).__name__, "site")
        self.candor(
            "init", ".", "--no-input", "--name", "Acme", "--base-url", f"http://127.0.0.1:{self.port}", "--host", self.name
        )
        self.publication = types.SimpleNamespace(config=self.folder / "hosts" / self.name)
        self.import_reviews(HEAD + FIRST)
        self.candor(*self.FIRST_BUILD)
        self.program = self.start()

    def candor(self, *arguments) -> str:
        """Runs the program in the site's folder."""
        command = shlex.join(["exec", str(programs.path("candor")), *map(str, arguments)])
        return programs.run("sh", "-c", f"cd '{self.folder}' && {command}")

    def import_reviews(self, text: str) -> None:
        (self.folder / "export.csv").write_text(text, "utf-8")
        self.candor("import", "export.csv", "--source", "google")

    def night(self) -> None:
        """What the unit runs before it reloads the server."""
        for line in re.findall(r"^ExecStart=/usr/local/bin/candor (.+)$", UNIT.read_text("utf-8"), re.MULTILINE):
            if line == "import google":
                self.import_reviews(HEAD + FIRST + NEXT)
            else:
                self.candor(*line.split())

    def get(self, path: str, tag: str | None = None) -> http.client.HTTPResponse:
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=programs.DEADLINE)
        connection.request("GET", path, headers={"If-None-Match": tag} if tag else {})
        answer = connection.getresponse()
        answer.text = answer.read().decode("utf-8")
        connection.close()
        return answer


class Nginx(AtNight, hosts.Nginx):
    """Reads its tables when it starts."""


class Releases(Nginx):
    """Serves the current one of several releases."""

    FIRST_BUILD = ["build", "--releases", "releases"]


# Seconds since 1970.
AT = 1_767_225_600
STANDINS = {
    "ssh": "while :; do case $1 in -l) shift 2 ;; -*) shift ;; *) break ;; esac; done; shift; exec sh -c \"$*\"",
    "sudo": "exit 0",
}


class Uploaded(Releases):
    """Serves what another machine builds: `ssh` is a shell here, and the server another folder. The test reloads."""

    def __init__(self):
        self.server = programs.folder("night", type(self).__name__, "the server's")
        bin = programs.folder("night", type(self).__name__, "bin")
        for name, text in STANDINS.items():
            (bin / name).write_text(f"#!/bin/sh\n{text}\n", "utf-8")
            (bin / name).chmod(0o755)
        (bin / "candor").symlink_to(programs.path("candor"))
        self.bin = bin
        super().__init__()

    def upload(self) -> None:
        """As if every build were of one second: what changed and has the size of before is sent, too."""
        for path in self.folder.rglob("*"):
            os.utime(path, (AT, AT), follow_symlinks=False)
        [command] = re.findall(r"^next: (sh .+)$", self.candor("build"), re.MULTILINE)
        programs.run("sh", "-c", f"PATH='{self.bin}':\"$PATH\" && {command}")

    def start(self):
        self.candor("host", "nginx", *self.FIRST_BUILD[1:], "--target", f"deploy@server:{self.server}")
        self.upload()
        self.publication.config = self.server / "hosts" / "nginx"
        return super().start()

    def night(self) -> None:
        super().night()
        self.upload()


class UploadedInPlace(Uploaded):
    """The same of a public folder."""

    FIRST_BUILD = ["build", "--public", "public"]


class Apache(AtNight, hosts.Apache):
    """Reads its tables from files."""

    def text(self, name: str) -> str:
        """Without the port, which is put in."""
        return re.sub(r"(?m)^Listen .*\n", "", super().text(name)).replace(f"*:{self.port}", "*:80")


class Night(unittest.TestCase):
    def before_a_reload(self, host, tag):
        """Files are those of the new build, and what the server has read is of the one before."""
        changed = host.get("/reviews.json", tag)
        self.assertEqual(changed.status, 200)
        self.assertNotEqual(changed.headers["ETag"], tag)
        reviews = json.loads(changed.text)["reviews"]
        self.assertEqual(len(reviews), 2)
        for review in reviews:
            self.assertEqual(host.get(review["url"].removeprefix(f"http://127.0.0.1:{host.port}")).status, 200)
        for hidden in ("/reviews.json.br", "/reviews.json.gz", "/.candor-stage/", "/nothing"):
            self.assertEqual(host.get(hidden).status, 404, hidden)

    def after_a_night(self, host_class):
        host = host_class()
        before = host.get("/reviews.json")
        self.assertEqual(before.status, 200)
        tag = before.headers["ETag"]
        self.assertEqual(host.get("/reviews.json", tag).status, 304)
        host.night()
        self.before_a_reload(host, tag)
        host.reload()

        def is_new() -> bool:
            # While it reloads, nginx answers with old processes, too: they send no tag of a new build.
            answers = [host.get("/reviews.json", tag) for _ in range(20)]
            return all(answer.status == 200 and answer.headers["ETag"] for answer in answers)

        programs.until(f"{host.name} sends the tags of the new build", is_new)
        after = host.get("/reviews.json", tag)
        self.assertEqual(after.status, 200)
        reviews = json.loads(after.text)["reviews"]
        new = next(review for review in reviews if review["author"] == "Cy Dunn")
        path = new["url"].removeprefix(f"http://127.0.0.1:{host.port}")
        self.assertEqual(host.get(path).status, 200)
        said = host.candor("verify", "--preview", f"http://127.0.0.1:{host.port}")
        self.assertRegex(said, r"\b0 failures|no failures")

    def test_nginx_serves_what_the_night_brought(self):
        self.after_a_night(Nginx)

    def test_nginx_serves_the_releases_of_the_night(self):
        self.after_a_night(Releases)

    def test_nginx_serves_what_was_built_elsewhere(self):
        self.after_a_night(Uploaded)

    def test_nginx_serves_a_folder_that_was_uploaded(self):
        self.after_a_night(UploadedInPlace)

    def test_apache_serves_what_the_night_brought(self):
        self.after_a_night(Apache)


def main() -> int:
    parser = argparse.ArgumentParser(description="Test the night after a site was set up.")
    parser.add_argument("--candor", type=Path, default=programs.TARGET / "debug" / "candor")
    arguments = parser.parse_args()
    programs.use(candor=arguments.candor)
    try:
        outcome = unittest.main(argv=[sys.argv[0]], exit=False)
    finally:
        programs.stop()
        programs.remove()
    return 0 if outcome.result.wasSuccessful() else 1


if __name__ == "__main__":
    sys.exit(main())
