"""Programs that are started for a run and ended with it: each knows its address and its log."""

import os
import signal
import socket
import subprocess
import sys
import tempfile
import time
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
TARGET = ROOT / os.environ.get("CARGO_TARGET_DIR", "target")
NODE = HERE / "node_modules" / "node" / "bin" / "node"
CADDY = TARGET / "venv-hosts" / "bin" / "caddy"

# Seconds a program may take to listen, or to follow a change.
DEADLINE = 60

_paths: dict[str, Path] = {}
_running: list["Program"] = []
# Web servers read it under other names than ours.
_scratch = tempfile.TemporaryDirectory(
    prefix="candor-hosts-", dir="/dev/shm" if Path("/dev/shm").is_dir() else None
)
os.chmod(_scratch.name, 0o755)


def use(**paths: Path) -> None:
    """Names the programs under test."""
    for name, path in paths.items():
        if not path.is_file():
            sys.exit(f"there is no program {path}; build it first")
        _paths[name] = path.resolve()


def path(name: str) -> Path:
    """A program under test."""
    return _paths[name]


def folder(*parts: str) -> Path:
    """A folder of this run."""
    made = Path(_scratch.name, *(part.replace(" ", "-") for part in parts))
    made.mkdir(parents=True, exist_ok=True)
    return made


def environment(**more: str) -> dict[str, str]:
    """This shell's, without its settings for the programs under test, and with every home a scratch."""
    own = {k: v for k, v in os.environ.items() if not k.startswith(("CANDOR_", "WRANGLER_", "CLOUDFLARE_"))}
    home = str(folder("home"))
    return own | {"HOME": home, "XDG_CONFIG_HOME": home, "XDG_DATA_HOME": home} | more


def free_port() -> int:
    """A port nobody listens on."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def run(*command, **more: str) -> str:
    """Runs to the end; what it said on both outputs."""
    done = subprocess.run(list(map(str, command)), env=environment(**more), capture_output=True, text=True)
    if done.returncode:
        raise AssertionError(f"{' '.join(map(str, command))}\n{done.stdout}{done.stderr}")
    return done.stdout + done.stderr


def until(what: str, holds) -> None:
    """Polls until something holds."""
    deadline = time.monotonic() + DEADLINE
    while not holds():
        if time.monotonic() > deadline:
            raise AssertionError(f"not within {DEADLINE} s: {what}")
        time.sleep(0.05)


class Program:
    """Something that listens on a port of this machine until the run ends."""

    def __init__(self, name: str, port: int, *command, cwd: Path | None = None, **more: str):
        self.name, self.address = name, ("127.0.0.1", port)
        self.log = folder("logs") / f"{name}.log"
        with self.log.open("ab") as out:
            # A session of its own, so that what it starts ends with it.
            self.process = subprocess.Popen(
                list(map(str, command)), cwd=cwd, env=environment(**more), stdout=out,
                stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL, start_new_session=True,
            )  # fmt: skip
        _running.append(self)
        until(f"{name} listens; its log is\n{self.tail()}", self._listens)

    def _listens(self) -> bool:
        if self.process.poll() is not None:
            raise AssertionError(f"{self.name} ended with {self.process.returncode}\n{self.tail()}")
        try:
            socket.create_connection(self.address, 1).close()
        except OSError:
            return False
        return True

    def tail(self) -> str:
        """The end of its log."""
        return self.log.read_text("utf-8", "replace")[-4000:]

    def signal(self, number: int) -> None:
        """To the program alone."""
        self.process.send_signal(number)

    def stop(self) -> None:
        """Ends it and what it started."""
        if self in _running:
            _running.remove(self)
        try:
            os.killpg(self.process.pid, signal.SIGTERM)
            self.process.wait(15)
        except subprocess.TimeoutExpired:
            os.killpg(self.process.pid, signal.SIGKILL)
            self.process.wait()
        except ProcessLookupError:
            self.process.wait()


def stop() -> None:
    """Ends everything, the last first."""
    while _running:
        _running[-1].stop()


def remove() -> None:
    """Removes the run's folder."""
    _scratch.cleanup()
