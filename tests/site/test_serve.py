"""`candor serve`: builds, serves, reloads the open page, and leaves nothing behind."""

import contextlib
import os
import re
import signal
import subprocess
import time
import unittest
import urllib.request
from pathlib import Path

import programs
import service

DEADLINE = 60


def until(what, met):
    """Waits for something to become true."""
    end = time.monotonic() + DEADLINE
    while time.monotonic() < end:
        if found := met():
            return found
        time.sleep(0.05)
    raise AssertionError(f"never: {what}")


def is_alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    # A process nobody waited for is dead too.
    return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"


def fetch(url: str) -> str:
    with urllib.request.urlopen(url, timeout=10) as answer:
        return answer.read().decode("utf-8")


class Serve:
    """`candor serve` in a git repository of its own; killed at the end of the block."""

    def __init__(self, name: str):
        self.folder = programs.scratch(name)
        self.content = programs.sample(self.folder / "content")
        subprocess.run(["git", "init", "--quiet", self.folder], check=True)

    def git_status(self) -> str:
        command = ["git", "-C", self.folder, "status", "--porcelain", "--untracked-files=all"]
        return subprocess.run(command, check=True, capture_output=True, text=True).stdout

    def __enter__(self):
        command = [
            programs.program("candor"), "serve", "--listen", "127.0.0.1:0",
            "--sidecar", programs.program("sidecar").resolve(),
        ]  # fmt: skip
        self.process = subprocess.Popen(
            list(map(str, command)), cwd=self.folder, env=programs.environment(),
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
        )  # fmt: skip
        self.said = ""
        for line in self.process.stdout:
            self.said += line
            if found := re.match(r"\s+(http://127\.0\.0\.1:\d+)/$", line):
                self.url = found[1]
            if "Ctrl-C ends both" in line:
                break
        else:
            raise AssertionError(self.said)
        children = Path(f"/proc/{self.process.pid}/task/{self.process.pid}/children")
        (self.sidecar,) = map(int, children.read_text().split())
        return self

    def __exit__(self, *_):
        self.process.kill()
        self.process.wait()
        self.process.stdout.close()
        with contextlib.suppress(ProcessLookupError):
            os.kill(self.sidecar, signal.SIGKILL)

    def ends(self) -> int:
        """The exit code of candor, once the sidecar has ended too."""
        code = self.process.wait(DEADLINE)
        until("the sidecar ends", lambda: not is_alive(self.sidecar))
        return code


class ServeTest(unittest.TestCase):
    def test_the_open_page_reloads_after_a_change_and_git_sees_nothing(self):
        with Serve("serve-reload") as serve:
            before = serve.git_status()
            self.assertNotIn("candor-preview", before)
            page = fetch(serve.url + "/")
            self.assertIn("location.reload()", page)
            node = ["node", str(service.HERE / "reload.mjs"), serve.url + "/", "Brand New Name"]
            with subprocess.Popen(
                node, cwd=service.HERE, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
            ) as browser:
                self.assertEqual(browser.stdout.readline(), "open\n")
                business = serve.content / "business.toml"
                text = business.read_text("utf-8")
                business.write_text(re.sub(r'(?m)^name = ".*"$', 'name = "Brand New Name"', text, count=1), "utf-8")
                self.assertEqual(browser.stdout.read(), "reloaded\n")
            self.assertEqual(serve.git_status(), before)

    def test_an_error_keeps_the_last_good_site(self):
        with Serve("serve-error") as serve:
            (serve.content / "site.toml").write_text("format = [\n", "utf-8")
            line = ""
            while "the last good site stays" not in line:
                line = serve.process.stdout.readline()
                self.assertTrue(line, "candor ended")
            self.assertIn("<h1", fetch(serve.url + "/"))

    def test_ctrl_c_and_sigterm_end_both(self):
        for number in (signal.SIGINT, signal.SIGTERM):
            with self.subTest(number), Serve(f"serve-{number.name}") as serve:
                serve.process.send_signal(number)
                self.assertEqual(serve.ends(), 0)

    def test_a_killed_candor_takes_the_sidecar_with_it(self):
        with Serve("serve-killed") as serve:
            serve.process.kill()
            serve.ends()

    def test_a_killed_sidecar_ends_candor_with_an_error(self):
        with Serve("serve-orphan") as serve:
            os.kill(serve.sidecar, signal.SIGKILL)
            self.assertEqual(serve.ends(), 1)
            self.assertIn("error: candor-sidecar has ended: signal: 9", serve.process.stdout.read())

    def test_a_publication_holds_no_script_of_the_preview(self):
        content = programs.sample(programs.scratch("serve-publication") / "content")
        public = programs.scratch("serve-publication") / "public"
        programs.build(content, public)
        for path in public.rglob("*.html"):
            page = path.read_text("utf-8")
            self.assertNotIn("location.reload", page, path)
            self.assertNotIn("sha256-", page, path)
