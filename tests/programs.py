"""The programs under test, and what the drivers in these folders share: where the programs are, the
sample's content in several states, building a site, serving it, running every test of a folder."""

import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
import unittest
from collections.abc import Callable
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
TARGET = ROOT / os.environ.get("CARGO_TARGET_DIR", "target")

_programs: dict[str, Path] = {}
_scratch = tempfile.TemporaryDirectory(prefix="candor-tests-")


def program(name: str) -> Path:
    """`candor` or `sidecar`."""
    return _programs[name]


def scratch(name: str) -> Path:
    """A folder of this run, removed with it."""
    return Path(_scratch.name) / name


def environment() -> dict[str, str]:
    """This shell's, without its settings for the programs under test."""
    return {k: v for k, v in os.environ.items() if not k.startswith("CANDOR_")}


def sample(folder: Path) -> Path:
    """A copy of the sample's content."""
    shutil.copytree(ROOT / "content", folder)
    return folder


def without_reviews(folder: Path) -> None:
    """Makes of the sample a business nobody reviewed yet."""
    shutil.rmtree(folder / "reviews")
    for name in ("overrides.toml", "faq.toml", "summary.md"):
        (folder / name).unlink()


def build(content: Path, public: Path, *options: object) -> None:
    """Builds a site."""
    candor("build", "--quiet", "--content", content, "--public", public, *options)


def candor(*arguments: object) -> None:
    """Runs a command that must succeed."""
    command = [str(_programs["candor"]), *map(str, arguments)]
    done = subprocess.run(command, env=environment(), capture_output=True, text=True)
    if done.returncode:
        raise AssertionError(f"{command}\n{done.stdout}{done.stderr}")


class Sidecar:
    """A running sidecar; it ends with the block."""

    def __init__(self, public: Path, listen: str = "127.0.0.1:0", options: tuple = ()):
        self.public, self.listen, self.options = public, listen, options
        self.state = tempfile.mkdtemp(prefix="state-", dir=_scratch.name)

    def __enter__(self) -> str:
        command = [
            _programs["sidecar"], "--serve-public", "--public", self.public, "--state", self.state,
            "--listen", self.listen, "--log-format", "json", *self.options,
        ]  # fmt: skip
        deadline, line = time.monotonic() + 20, ""
        while True:
            self.process = subprocess.Popen(
                list(map(str, command)), env=environment(), stderr=subprocess.PIPE, text=True
            )
            for line in self.process.stderr:
                if not line.startswith("{"):
                    break
                entry = json.loads(line)
                if entry["message"] == "listening":
                    return f"http://{entry['address']}"
            self.process.communicate(timeout=30)
            # A connection of another test may have the port of a site that is not there for a moment.
            if "cannot listen" not in line or time.monotonic() > deadline:
                raise AssertionError(f"the sidecar never listened; it said: {line}")
            time.sleep(0.05)

    def __exit__(self, *_: object) -> None:
        self.process.terminate()
        _, log = self.process.communicate(timeout=30)
        if self.process.returncode:
            raise AssertionError(f"the sidecar ended with {self.process.returncode}\n{log}")


def run(description: str, folder: Path, stop: Callable[[], None] = lambda: None) -> int:
    """Runs every test of a folder; the process's status. A test that is skipped is a failure."""
    debug = TARGET / "debug"
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("--candor", type=Path, default=debug / "candor")
    parser.add_argument("--sidecar", type=Path, default=debug / "candor-sidecar")
    for name, path in vars(parser.parse_args()).items():
        if not path.is_file():
            sys.exit(f"there is no program {path}; build it first")
        _programs[name] = path.resolve()
    tests = unittest.defaultTestLoader.discover(str(folder))
    try:
        result = unittest.TextTestRunner(verbosity=1).run(tests)
    finally:
        stop()
    if result.skipped or not result.testsRun:
        print("FAILED: every test must run", file=sys.stderr)
        return 1
    return 0 if result.wasSuccessful() else 1
