"""The sidecar's case: it starts, takes a subscription, loads a publication, delivers it and stops."""

import hashlib
import json
import os
import re
import shutil
import signal
import sqlite3
import subprocess
import sys
import time
import urllib.error
import urllib.parse
import urllib.request
from collections.abc import Callable
from pathlib import Path

import programs
from commands import Ended, environment, export, run, site

sys.path.append(str(Path(__file__).resolve().parents[1] / "replicas"))
from subscriber import Subscriber

HOST = "acme.example"
# Seconds until it listens, until it has loaded and delivered a publication, and until it has ended. Where a fault
# strikes the store, the hub may try again later.
LISTENS, PUBLISHES, ENDS = 20, 10, 30


def until(holds: Callable[[], bool], seconds: float) -> bool:
    """Polls until something holds."""
    deadline = time.monotonic() + seconds
    while not holds():
        if time.monotonic() > deadline:
            return False
        time.sleep(0.05)
    return True


class Sidecar:
    """A sidecar of one site. A subscriber is known from the beginning; another subscribes while it runs."""

    name = "sidecar"

    def __init__(self, scratch: Path):
        self.scratch, self.base = scratch, scratch / "base"
        self.base.mkdir(parents=True)
        site(self.base)
        settings = self.base / "content/site.toml"
        settings.write_text(settings.read_text("utf-8").replace("enabled = false", "enabled = true"), "utf-8")
        run(self.base, "build", "--public", "first")
        export(self.base, range(9))
        run(self.base, "import", "export.csv", "--source", "google")
        run(self.base, "build", "--public", "second")
        self.sites = [self.base / "first", self.base / "second"]
        self.reviews = [(folder / "reviews.json").read_bytes() for folder in self.sites]
        self.digest = hashlib.sha256((self.sites[1] / "feed.xml").read_bytes()).hexdigest()
        self.subscriber = Subscriber(scratch)
        self.command = [
            str(programs.program("sidecar")), "--serve-public", "--public", "current", "--state", "state", "--listen", "127.0.0.1:0",
            "--log-format", "json", "--hub-allow-cidr", "127.0.0.0/8,::1", "--hub-retry-delays", "200ms,1s",
            "--hub-extra-ca", str(self.subscriber.authority),
        ]  # fmt: skip
        self.copies = 0
        self.accepted: dict[Path, bool] = {}
        self.names: set[str] = set()
        # The store with one subscription, whose callback each copy replaces by its own.
        folder = self.copy("store")
        ended = self.run(folder, publishes=False)
        assert not ended.wrong and self.accepted[folder] and until(lambda: self._has(folder, 2), PUBLISHES), ended
        shutil.copytree(folder / "state", self.base / "state")

    def copy(self, name: str) -> Path:
        """A folder whose callbacks have numbers of their own."""
        folder = self.scratch / name
        folder.mkdir()
        self.copies += 1
        (folder / "number").write_text(str(4 * self.copies), "utf-8")
        (folder / "current").symlink_to(self.sites[0])
        if (self.base / "state").is_dir():
            shutil.copytree(self.base / "state", folder / "state")
            with sqlite3.connect(folder / "state/hub.db") as store:
                url = self._callback(folder, 1)
                changed = store.execute("UPDATE subscriptions SET callback = ?, callback_key = ?", (url, url))
                assert changed.rowcount == 1
            store.close()
        return folder

    def _callback(self, folder: Path, which: int) -> str:
        """The first is known, the second subscribes."""
        return self.subscriber.url(self._number(folder) + which)

    @staticmethod
    def _number(folder: Path) -> int:
        return int((folder / "number").read_text("utf-8"))

    def _expected(self, folder: Path) -> tuple[int, ...]:
        """The callbacks whose subscriptions the hub has accepted."""
        return (1, 2) if self.accepted.get(folder) else (1,)

    def _has(self, folder: Path, which: int) -> bool:
        """Whether a callback confirmed its subscription."""
        return self._number(folder) + which in self.subscriber.verified

    def _delivered(self, folder: Path) -> bool:
        wanted = {self._number(folder) + which for which in self._expected(folder)}
        return wanted <= self.subscriber.having(self.digest)

    def run(self, folder: Path, wrap: tuple[str, ...] = (), more: dict[str, str] = {}, publishes: bool = True) -> Ended:
        """One life of it, in which somebody subscribes and a publication comes."""
        with (folder / "log").open("wb") as log:
            process = subprocess.Popen(
                [*wrap, *self.command], cwd=folder, env=environment() | more, stdin=subprocess.DEVNULL, stdout=log, stderr=log
            )
        try:
            wrong = self._live(folder, process, wrap, more, publishes)
        finally:
            if process.poll() is None:
                kill(process, bool(wrap), signal.SIGKILL)
                process.wait()
        said = (folder / "log").read_text("utf-8", "replace")
        if '"what":"rejected"' in said:
            # The file that failed was one of those by which names are resolved.
            self.accepted[folder] = False
        return Ended(process.returncode, said, wrong)

    def _live(self, folder: Path, process: subprocess.Popen, wrap: tuple[str, ...], more: dict, publishes: bool) -> str | None:
        address: list[str] = []
        is_wrapped, is_disturbed = bool(wrap), bool(more) or any("inject" in part for part in wrap)

        def listens() -> bool:
            address[:] = re.findall(r'"listening".*?"address":"([^"]*)"', (folder / "log").read_text("utf-8", "replace"))
            return bool(address) or process.poll() is not None

        if not until(listens, LISTENS):
            return f"does not listen within {LISTENS} s"
        wrong: list[str] = []
        if address and folder not in self.accepted:
            self.accepted[folder] = self._subscribes(address[0], folder)
        if address and publishes:
            (folder / "next").symlink_to(self.sites[1])
            os.replace(folder / "next", folder / "current")
            kill(process, is_wrapped, signal.SIGHUP)

            def is_done() -> bool:
                served = self._served(address[0])
                if served not in (None, *self.reviews):
                    wrong.append("serves other bytes than those of a publication")
                return process.poll() is not None or served == self.reviews[1] and self._delivered(folder)

            if not until(is_done, PUBLISHES):
                # A publication is copied before it is served: for that a full disk has no room.
                if self._served(address[0]) not in self.reviews[0 if "FAULT_FULL" in more else 1 :]:
                    wrong.append(f"does not serve the publication within {PUBLISHES} s")
                elif not is_disturbed:
                    wrong.append(f"does not deliver the publication within {PUBLISHES} s")
        elif address:
            until(lambda: self._has(folder, 2) or process.poll() is not None, PUBLISHES)
        kill(process, is_wrapped, signal.SIGTERM)
        if not until(lambda: process.poll() is not None, ENDS):
            wrong.append(f"does not stop within {ENDS} s")
        return wrong[0] if wrong else None

    def _request(self, address: str, path: str, form: dict[str, str] | None = None) -> tuple[int, bytes]:
        data = urllib.parse.urlencode(form).encode() if form else None
        request = urllib.request.Request(f"http://{address}{path}", data, {"Host": HOST})
        try:
            with urllib.request.urlopen(request, timeout=10) as response:
                return response.status, response.read()
        except (OSError, ValueError, urllib.error.URLError):
            return 0, b""

    def _subscribes(self, address: str, folder: Path) -> bool:
        form = {"hub.mode": "subscribe", "hub.topic": f"https://{HOST}/feed.xml", "hub.callback": self._callback(folder, 2)}
        return self._request(address, "/api/websub/hub", form)[0] == 202

    def _served(self, address: str) -> bytes | None:
        status, body = self._request(address, "/reviews.json")
        return body if status == 200 else None

    def learn(self, folder: Path) -> None:
        """Takes the names in a folder as those of a run that nothing disturbed."""
        self.names = names(folder / "state")

    def power_was_lost(self, folder: Path) -> None:
        """A request that was not verified yet may be lost: its subscriber repeats it."""
        self.accepted[folder] = False

    def complete(self, folder: Path) -> str | None:
        """Starts it again; what is wrong then."""
        ended = self.run(folder)
        if ended.wrong or ended.status:
            return f"the next run: {ended.wrong} ({ended.status}): {ended.said}"
        return self.difference(folder)

    def difference(self, folder: Path) -> str | None:
        """A subscription that is lost, or a file that should not be there."""
        command = [programs.program("sidecar"), "subscriptions", "--json", "--state", "state"]
        done = subprocess.run(command, cwd=folder, env=environment(), capture_output=True, text=True)
        if done.returncode:
            return f"the subscriptions are not listed: {done.stderr}"
        listed = {json.loads(line)["callback"] for line in done.stdout.splitlines()}
        for which in self._expected(folder):
            if self._callback(folder, which) not in listed:
                return f"subscription {which} is lost"
        if left := names(folder / "state") ^ self.names:
            return f"{sorted(left)} differ"
        return None


def names(folder: Path) -> set[str]:
    """The files of a folder, without those that SQLite has beside an open store, and copies of published files: those
    of an earlier publication are removed with the next."""
    found = {path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()}
    return {name for name in found if not name.startswith(("hub.db-", "objects/"))}


def kill(process: subprocess.Popen, is_wrapped: bool, number: int) -> None:
    """Sends a signal to the sidecar, also inside strace."""
    children = Path(f"/proc/{process.pid}/task/{process.pid}/children")
    try:
        os.kill(int(children.read_text("utf-8").split()[0]) if is_wrapped else process.pid, number)
    except (OSError, IndexError):
        pass
