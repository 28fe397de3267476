"""The programs under test, other people's tools, and a running sidecar."""

import functools
import hashlib
import http.server
import json
import os
import re
import signal
import subprocess
import sys
import tarfile
import tempfile
import threading
import time
import urllib.request
from contextlib import contextmanager
from pathlib import Path

import programs

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]


def program(name: str) -> Path:
    """A program under test, by its own name."""
    return programs.program(name.removeprefix("candor-"))


def tool(name: str) -> Path:
    """A tool that `make deps-ship` installs where the system has none."""
    places = [Path(sys.executable).parent, programs.TARGET / "tools/bin", HERE / "node_modules/.bin"]
    return next((place / name for place in places if (place / name).exists()), Path(name))


def environment(**more: str) -> dict[str, str]:
    """This shell's, without its settings for the programs under test."""
    return programs.environment() | more


def run(*command: object, **options) -> subprocess.CompletedProcess:
    """What a command prints, both streams in one."""
    defaults = {"stdout": subprocess.PIPE, "stderr": subprocess.STDOUT, "text": True, "env": environment()}
    return subprocess.run(list(map(str, command)), **(defaults | options))


def archive(folder: Path, name: str, target: str, file: Path | None = None) -> None:
    """An archive as dist lays it out, with its sum."""
    top = f"{name}-{target}"
    path = folder / f"{top}.tar.gz"
    with tarfile.open(path, "w:gz", compresslevel=1) as packed:
        packed.add(file or program(name), f"{top}/{name}")
        packed.add(ROOT / "README.md", f"{top}/README.md")
    digest = hashlib.sha256(path.read_bytes()).hexdigest()
    (folder / f"{top}.tar.gz.sha256").write_text(f"{digest} *{top}.tar.gz\n", "utf-8")


@contextmanager
def served(folder: Path, port: int = 0):
    """The address of a folder."""
    handler = functools.partial(http.server.SimpleHTTPRequestHandler, directory=folder)
    handler.func.log_message = lambda *_: None
    deadline = time.monotonic() + 20
    while True:
        try:
            server = http.server.ThreadingHTTPServer(("127.0.0.1", port), handler)
            break
        except OSError:
            # A connection of another test may have the port of a site that is not there for a moment.
            if port == 0 or time.monotonic() > deadline:
                raise
            time.sleep(0.05)
    with server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_address[1]}"
        server.shutdown()


def blocks(document: str, language: str) -> list[tuple[int, str, str]]:
    """The fenced blocks of a document in `docs/`: line, what follows the language, text."""
    text = (ROOT / "docs" / document).read_text("utf-8")
    found = re.finditer(rf"^```{language}\b([^\n]*)\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)
    return [(text.count("\n", 0, block.start()) + 1, block[1].strip(), block[2]) for block in found]


class Sidecar:
    """A sidecar for a site of two reviews, started by another program perhaps; it ends with the block."""

    def __init__(self, *starter: str, is_listed: bool = False):
        """`is_listed`: as one of several sites."""
        self.starter, self.is_listed = starter, is_listed

    def __enter__(self) -> "Sidecar":
        self.folder = tempfile.TemporaryDirectory(prefix="candor-ship-")
        site = Path(self.folder.name) / "site"
        candor = program("candor")
        run(candor, "init", site, "--name", "Shop", "--base-url", "https://shop.example", check=True)
        settings = site / "content/site.toml"
        settings.write_text(settings.read_text("utf-8").replace("enabled = false", "enabled = true"), "utf-8")
        run(
            candor, "new", "review", "--author", "Ann B.", "--rating", "5", "--text", "On time.", "--source", "direct",
            cwd=site, check=True,
        )
        # One is imported, for the metric of the last import.
        (site / "export.csv").write_text("author,rating,date,text\nCarl D.,5,2026-01-02,On time.\n", "utf-8")
        run(candor, "import", "export.csv", "--source", "google", cwd=site, check=True)
        run(candor, "build", cwd=site, check=True)
        served = ["--public", site / "public"]
        if self.is_listed:
            (site / "sites.toml").write_text('"shop.example" = "public"\n')
            served = ["--sites", site / "sites.toml"]
        self.process = subprocess.Popen(
            [
                *self.starter, program("candor-sidecar"), *served, "--state", site / "state",
                "--listen", "127.0.0.1:0", "--admin", "127.0.0.1:0", "--log-format", "json",
            ],
            env=environment(), stderr=subprocess.PIPE, text=True, start_new_session=True,
        )  # fmt: skip
        for line in self.process.stderr:
            entry = json.loads(line)
            if entry["message"] == "listening":
                self.url, self.admin = f"http://{entry['address']}", f"http://{entry['admin']}"
                return self
        raise AssertionError("the sidecar never listened")

    def __exit__(self, *_: object) -> None:
        # Who started it waits for it.
        os.killpg(self.process.pid, signal.SIGTERM)
        _, log = self.process.communicate(timeout=30)
        self.folder.cleanup()
        if self.process.returncode:
            raise AssertionError(f"the sidecar ended with {self.process.returncode}\n{log}")

    def metrics(self) -> set[str]:
        """The names at /metrics, once the hub has counted what waits."""
        deadline = time.monotonic() + 20
        while True:
            with urllib.request.urlopen(f"{self.admin}/metrics") as answer:
                lines = answer.read().decode().splitlines()
            names = {re.match(r"\w+", line)[0] for line in lines if line and not line.startswith("#")}
            for histogram in re.findall(r"^# TYPE (\w+) histogram$", "\n".join(lines), re.MULTILINE):
                names = names - {f"{histogram}_{part}" for part in ("bucket", "sum", "count")} | {histogram}
            if "candor_hub_pending_verifications" in names or time.monotonic() > deadline:
                return names
            time.sleep(0.05)
