"""Sites to describe and to ask: each built once, and served by a sidecar of its own."""

import functools
import json
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]

# The sample business with a sidecar and without one, and a business nobody reviewed yet.
SITES = ("sample", "documents_alone", "empty")

_programs: dict[str, Path] = {}
_scratch = tempfile.TemporaryDirectory(prefix="candor-api-")


def use(**programs: Path) -> None:
    """Names the programs under test."""
    for name, path in programs.items():
        if not path.is_file():
            sys.exit(f"there is no program {path}; build it first")
        _programs[name] = path.resolve()


def environment() -> dict[str, str]:
    """This shell's, without its settings for the programs under test."""
    return {k: v for k, v in os.environ.items() if not k.startswith("CANDOR_")}


@functools.cache
def site(name: str) -> Path:
    """The public folder of a site."""
    folder = Path(_scratch.name) / name
    content, public = folder / "content", folder / "public"
    shutil.copytree(ROOT / "content", content)
    settings = content / "site.toml"
    if name == "documents_alone":
        settings.write_text(without_sidecar(settings.read_text("utf-8")), "utf-8")
    if name == "empty":
        shutil.rmtree(content / "reviews")
        (content / "overrides.toml").unlink()
        (content / "faq.toml").unlink()
        (content / "summary.md").unlink()
    command = [_programs["candor"], "build", "--quiet", "--content", content, "--public", public]
    done = subprocess.run(command, env=environment(), capture_output=True, text=True)
    if done.returncode:
        raise AssertionError(f"{command}\n{done.stdout}{done.stderr}")
    return public


def without_sidecar(settings: str) -> str:
    """`site.toml` with the sidecar switched off."""
    lines = [line for line in settings.splitlines() if line.strip() != "[sidecar]"]
    lines = [line for line in lines if not line.startswith(("enabled", "url"))]
    return "\n".join([*lines, "[sidecar]", "enabled = false", ""])


class Sidecar:
    """A running sidecar; it ends with the block."""

    def __init__(self, public: Path):
        self.public = public
        self.state = tempfile.mkdtemp(prefix="state-", dir=_scratch.name)

    def __enter__(self) -> str:
        command = [
            _programs["sidecar"], "--serve-public", "--public", self.public, "--state", self.state,
            "--listen", "127.0.0.1:0", "--log-format", "json",
        ]  # fmt: skip
        self.process = subprocess.Popen(
            list(map(str, command)), env=environment(), stderr=subprocess.PIPE, text=True
        )
        for line in self.process.stderr:
            entry = json.loads(line)
            if entry["message"] == "listening":
                return f"http://{entry['address']}"
        raise AssertionError("the sidecar never listened")

    def __exit__(self, *_: object) -> None:
        self.process.terminate()
        _, log = self.process.communicate(timeout=30)
        if self.process.returncode:
            raise AssertionError(f"the sidecar ended with {self.process.returncode}\n{log}")
