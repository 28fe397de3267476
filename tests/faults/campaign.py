"""Every system call of a command fails once, and the process is killed at each of them; then the command runs
again. After that, content and publication are those of a run that nothing disturbed.

    campaign.py --candor PROGRAM [--every N] [--only CASE]

strace injects the faults. A call is counted in each thread, so a fault strikes the nth call of every thread that
has as many. Times of the clock differ from run to run and are not compared.
"""

import argparse
import concurrent.futures
import dataclasses
import os
import re
import shutil
import subprocess
import sys
import tempfile
import textwrap
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
import programs

# The calls that fail, and how.
CALLS = {
    "openat": ("EIO", "ENOSPC", "EACCES"), "read": ("EIO",), "write": ("EIO", "ENOSPC"), "pwrite64": ("EIO", "ENOSPC"),
    "statx": ("EIO", "EACCES"), "getdents64": ("EIO",), "mkdir": ("ENOSPC", "EACCES"), "mkdirat": ("ENOSPC", "EACCES"),
    "rename": ("EIO", "ENOSPC"), "renameat": ("EIO", "ENOSPC"), "renameat2": ("EIO", "ENOSPC"), "unlink": ("EIO",),
    "unlinkat": ("EIO",), "rmdir": ("EIO",), "link": ("EIO",), "linkat": ("EIO",), "symlink": ("EIO",), "symlinkat": ("EIO",),
    "fsync": ("EIO",), "fdatasync": ("EIO",), "syncfs": ("EIO",), "ftruncate": ("EIO", "ENOSPC"), "utimensat": ("EIO",),
    "fchmod": ("EACCES",), "flock": ("EIO",), "fcntl": ("EIO",), "lseek": ("EIO",),
}  # fmt: skip
# Seconds that a command takes at most, with faults and without.
LIMIT = 60
# New ids and times, and hashes of what has them.
RANDOM = re.compile(rb"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z|\b[0-9A-HJKMNP-TV-Z]{26}\b|\b[0-9a-f]{32,64}\b|[A-Za-z0-9+/]{40,}=*")
# What a command computes once more where it is missing; files of hashes alone.
CACHE, HASHES = ".candor-cache/", re.compile("content/log/.*tile/")


@dataclasses.dataclass
class Case:
    """A command, and what it finds."""

    name: str
    arguments: tuple[str, ...]
    prepare: Callable[[Path], None]
    # Commands that must succeed at the end.
    then: tuple[str, ...] = ()


def export(folder: Path, numbers: range) -> None:
    rows = "\n".join(f"Ann {n},{1 + n % 5},2026-01-{n + 1:02},Words of review {n}." for n in numbers)
    (folder / "export.csv").write_text(f"author,rating,date,text\n{rows}\n", "utf-8")


def run(folder: Path, *arguments: str) -> str:
    command = [str(programs.program("candor")), *arguments]
    done = subprocess.run(command, cwd=folder, env=environment(), capture_output=True, text=True, timeout=LIMIT)
    if done.returncode:
        raise AssertionError(f"{command}\n{done.stdout}{done.stderr}")
    return done.stdout


def site(folder: Path) -> None:
    """A small site with six reviews."""
    run(folder, "init", ".", "--no-input", "--name", "Acme", "--base-url", "https://acme.example")
    export(folder, range(6))
    run(folder, "import", "export.csv", "--source", "google")


def published(folder: Path) -> None:
    site(folder)
    run(folder, "build")
    export(folder, range(9))
    run(folder, "import", "export.csv", "--source", "google")


def logged(folder: Path) -> None:
    site(folder)
    (folder / "key").write_text(re.search("PRIVATE.*", run(folder, "log", "init"))[0], "utf-8")


def again(folder: Path) -> None:
    site(folder)
    export(folder, range(2, 9))


def environment() -> dict[str, str]:
    return programs.environment() | {"XDG_CACHE_HOME": "/nonexistent", "HOME": "/nonexistent"}


CASES = (
    Case("first build", ("build",), site),
    Case("build", ("build",), published),
    Case("releases", ("build", "--releases", "releases"), site),
    Case("import", ("import", "export.csv", "--source", "google"), again),
    Case("reply", ("reply", "{id}", "Thank you!"), site),
    Case("hide", ("hide", "{id}", "--reason", "off_topic"), site),
    Case("log add", ("log", "add", "--key-file", "key"), logged, ("build",)),
)


def tree(folder: Path) -> dict[str, bytes]:
    """Every file, without what differs from run to run."""
    found = {}
    for path in folder.rglob("*"):
        name = path.relative_to(folder).as_posix()
        if path.is_symlink():
            found[name] = os.readlink(path).encode()
        elif path.is_file() and not name.startswith(CACHE):
            found[name] = b"" if HASHES.match(name) else RANDOM.sub(b"X", path.read_bytes())
    return found


def traced(folder: Path, command: list[str], options: list[str]) -> subprocess.CompletedProcess:
    strace = ["strace", "-f", "-qq", *options, *command]
    return subprocess.run(strace, cwd=folder, env=environment(), capture_output=True, text=True, timeout=LIMIT)


class Campaign:
    """The points of one case, one after the other."""

    def __init__(self, case: Case, scratch: Path):
        self.case, self.scratch = case, scratch
        self.base = scratch / "base"
        self.base.mkdir(parents=True)
        case.prepare(self.base)
        reviews = next((self.base / "content/reviews").glob("*.ndjson")).read_text("utf-8")
        review = re.search(r'"id":"([0-9A-Z]{26})"', reviews)[1]
        self.command = [str(programs.program("candor")), *(argument.format(id=review) for argument in case.arguments)]
        folder = self.copy("clean")
        log = scratch / "trace"
        done = traced(folder, self.command, ["-o", str(log), "-e", "trace=" + ",".join(f"?{call}" for call in CALLS)])
        assert done.returncode == 0, done.stdout + done.stderr
        self.expected = tree(folder)
        counts = Counter(tuple(line.split("(")[0].split()) for line in log.read_text("utf-8", "replace").splitlines() if "(" in line)
        self.counts = {call: max((n for key, n in counts.items() if key[-1] == call), default=0) for call in CALLS}

    def copy(self, name: str) -> Path:
        folder = self.scratch / name
        shutil.copytree(self.base, folder, symlinks=True)
        return folder

    def points(self) -> Iterator[tuple[str, str, int]]:
        for call, count in self.counts.items():
            for n in range(1, count + 1):
                for error in CALLS[call]:
                    yield call, f"error={error}", n
                yield call, "signal=KILL", n

    def strike(self, point: tuple[str, str, int]) -> str | None:
        """What is wrong after this fault and another run."""
        call, fault, n = point
        folder = self.copy("-".join(map(str, point)))
        try:
            inject = ["-o", "/dev/null", "-e", f"trace={call}", "-e", f"inject={call}:{fault}:when={n}"]
            try:
                done = traced(folder, self.command, inject)
            except subprocess.TimeoutExpired:
                return f"{point}: takes longer than {LIMIT} s"
            said = done.stdout + done.stderr
            if "panicked" in said or done.returncode in (101, 134, 139):
                return f"{point}: {said}"
            # The message itself is a write.
            may_be_silent = "KILL" in fault or call == "write"
            if done.returncode and not may_be_silent and not said.strip():
                return f"{point}: ends with {done.returncode} and says nothing"
            if done.returncode == 0 and (other := self.difference(folder)):
                return f"{point}: succeeds, and {other}: {said}"
            second = subprocess.run(self.command, cwd=folder, env=environment(), capture_output=True, text=True, timeout=LIMIT)
            if second.returncode:
                return f"{point}: the next run fails: {second.stdout}{second.stderr}\nfirst: {said}"
            other = self.difference(folder)
            if self.case.then:
                run(folder, *self.case.then)
            if other:
                return f"{point}: after the next run {other}\nfirst ({done.returncode}): {said}\nnext: {second.stdout}{second.stderr}"
        finally:
            shutil.rmtree(folder, ignore_errors=True)
        return None

    def difference(self, folder: Path) -> str | None:
        found = tree(folder)
        for name in sorted(found.keys() | self.expected.keys()):
            if found.get(name) != self.expected.get(name):
                how = "is left" if name not in self.expected else "is missing" if name not in found else "is different"
                return f"{name} {how}"
        return None


def main() -> int:
    options = argparse.ArgumentParser()
    options.add_argument("--candor", type=Path, required=True)
    options.add_argument("--every", type=int, default=1, help="only each Nth point")
    options.add_argument("--only", help="only this case")
    given = options.parse_args()
    programs._programs["candor"] = given.candor.resolve()
    faults = struck = 0
    with tempfile.TemporaryDirectory(prefix="candor-faults-") as scratch, concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for case in CASES:
            if given.only not in (None, case.name):
                continue
            campaign = Campaign(case, Path(scratch) / case.name.replace(" ", "-"))
            points = list(campaign.points())[:: given.every]
            found = [fault for fault in pool.map(campaign.strike, points) if fault]
            print(f"{case.name}: {len(points)} points, {len(found)} faults", flush=True)
            for fault in found:
                print(textwrap.indent(fault[:2_000], "  "))
            faults, struck = faults + len(found), struck + len(points)
    print(f"{struck} points, {faults} faults")
    return 1 if faults or not struck else 0


if __name__ == "__main__":
    sys.exit(main())
