"""The programs under test: the sample site, built once, and the servers that serve it."""

import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
TARGET = ROOT / os.environ.get("CARGO_TARGET_DIR", "target")
HERE = Path(__file__).resolve().parent
NODE = HERE / "node_modules" / "node" / "bin" / "node"

# How long a server may take to say where it listens.
DEADLINE = 30

_programs: dict[str, Path] = {}
_folder: tempfile.TemporaryDirectory | None = None
_running: dict[str, tuple[subprocess.Popen, str]] = {}


def use(candor: Path, sidecar: Path) -> None:
    """Says which programs are tested, and builds the sample site with a transparency log."""
    global _folder
    _programs.update(sidecar=sidecar)
    memory = Path("/dev/shm")
    _folder = tempfile.TemporaryDirectory(prefix="candor-mcp-", dir=memory if memory.is_dir() else None)
    shutil.copytree(ROOT / "content", folder("content"))
    key = folder("log.key")
    for arguments in (["log", "init", "--key-file", key], ["log", "add", "--key-file", key], ["build"]):
        command = [candor, "--quiet", *arguments, "--content", folder("content"), "--public", folder("public")]
        subprocess.run(command, check=True, stderr=subprocess.DEVNULL)


def folder(name: str) -> Path:
    """A folder of this run."""
    assert _folder
    return Path(_folder.name) / name


def product() -> str:
    """The address of the sidecar with the sample site."""
    public, state = folder("public"), folder("state-product")
    return _start(
        "product",
        [_programs["sidecar"], "--public", public, "--state", state, "--listen", "127.0.0.1:0",
         "--serve-public", "--log-format", "json"],
        lambda line: "http://" + json.loads(line)["address"] if '"listening"' in line else None,
    )


def static(number: int = 0) -> str:
    """The address of a plain web server with the sample site, which has nothing but files."""
    return _start(
        f"static-{number}",
        [sys.executable, "-u", "-m", "http.server", "0", "--bind", "127.0.0.1", "--directory", folder("public")],
        lambda line: found[1] if (found := re.search(r"\((http://127[^/]+)/\)", line)) else None,
    )


def over_stdio(*urls: str) -> list[str]:
    """The command of a server over standard input and output for these sites."""
    return [str(_programs["sidecar"]), "mcp", *urls]


def _start(name: str, command: list, address_in) -> str:
    if name not in _running:
        log = folder(f"{name}.log")
        with log.open("wb") as out:
            process = subprocess.Popen(command, stdout=out, stderr=subprocess.STDOUT)
        _running[name] = (process, _wait(process, log, address_in))
    return _running[name][1]


def _wait(process: subprocess.Popen, log: Path, address_in) -> str:
    deadline = time.monotonic() + DEADLINE
    while time.monotonic() < deadline and process.poll() is None:
        for line in log.read_text().splitlines():
            if address := address_in(line):
                return address
        time.sleep(0.05)
    process.kill()
    raise RuntimeError(f"the server did not start:\n{log.read_text()}")


def stop() -> None:
    """Stops what was started, by its process, and removes the run's folder."""
    for process, _ in _running.values():
        process.terminate()
        process.wait(timeout=DEADLINE)
    _running.clear()
    if _folder:
        _folder.cleanup()


def node(*arguments, **options) -> subprocess.CompletedProcess:
    """Runs a program with the Node the tools need, whatever the machine has."""
    return subprocess.run(
        [NODE, *arguments], cwd=HERE, capture_output=True, text=True, check=False, timeout=120, **options
    )


def plain(text: str) -> str:
    """Output without colours."""
    return re.sub(r"\x1b\[[0-9;]*m", "", text)
