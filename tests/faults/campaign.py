"""Every system call of a command fails once, the process is killed at each of them, its writes are cut short, the
disk becomes full, and power is lost. Then the command runs again. After that, content and publication are those of a
run that nothing disturbed. The sidecar lives once with each fault, and once more without.

    campaign.py --candor PROGRAM --sidecar PROGRAM [--every N] [--only CASE]...

strace injects errors and kills. A call is counted in each thread, so a fault strikes the nth call of every thread that
has as many. short.c cuts writes. Power is lost at the calls that change names or sync, and at the end: what was
appended and not synced is gone then, and names are kept. Times of the clock differ from run to run and are not
compared. A command that fails must name the file and the reason.
"""

import argparse
import concurrent.futures
import os
import shutil
import subprocess
import sys
import tempfile
import textwrap
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
import programs
from commands import CASES, Command, Ended
from life import Sidecar
from syscalls import LINKS, RENAMES, UNLINKS, Disk, calls, struck

# The calls that fail, and how.
CALLS = {
    "openat": ("EIO", "ENOSPC", "EACCES"), "read": ("EIO",), "pread64": ("EIO",), "write": ("EIO", "ENOSPC"),
    "pwrite64": ("EIO", "ENOSPC"), "writev": ("EIO",), "copy_file_range": ("EIO",),
    "statx": ("EIO", "EACCES"), "getdents64": ("EIO",), "mkdir": ("ENOSPC", "EACCES"), "mkdirat": ("ENOSPC", "EACCES"),
    "rename": ("EIO", "ENOSPC"), "renameat": ("EIO", "ENOSPC"), "renameat2": ("EIO", "ENOSPC"), "unlink": ("EIO",),
    "unlinkat": ("EIO",), "rmdir": ("EIO",), "link": ("EIO",), "linkat": ("EIO",), "symlink": ("EIO",), "symlinkat": ("EIO",),
    "fsync": ("EIO",), "fdatasync": ("EIO",), "syncfs": ("EIO",), "ftruncate": ("EIO", "ENOSPC"), "utimensat": ("EIO",),
    "fchmod": ("EACCES",), "flock": ("EIO",), "fcntl": ("EIO",), "lseek": ("EIO",),
}  # fmt: skip
TRACED = "trace=" + ",".join(f"?{call}" for call in CALLS)
# Where power is lost.
POWER = RENAMES | LINKS | UNLINKS | {"fsync", "fdatasync", "syncfs"}
WRITES = ("write", "pwrite64", "writev")
# How a system, the loader of programs and SQLite say why.
REASONS = (
    "(os error ", "you have no right to read it", "error while loading shared libraries", "disk I/O error",
    "database or disk is full", "unable to open database file",
)  # fmt: skip
# Names that a path has for a moment only.
STAGES = ("/.candor", ".new")

Point = tuple[str, str, int]


class Campaign:
    """The points of one case, one after the other."""

    def __init__(self, subject: Command | Sidecar, short: Path):
        self.subject, self.short = subject, short
        folder = subject.copy("clean")
        log = subject.scratch / "trace"
        done = subject.run(folder, strace(log, TRACED))
        assert done.status == 0 and not done.wrong, done
        subject.learn(folder)
        trace = log.read_text("utf-8", "replace")
        threads = Counter(tuple(line.split("(")[0].split()) for line in trace.splitlines() if "(" in line)
        self.counts = {call: max((n for key, n in threads.items() if key[-1] == call), default=0) for call in CALLS}
        self.writes = sum(1 for call, arguments, _ in calls(trace) if call in WRITES and f"<{folder}" in arguments)

    def points(self) -> Iterator[Point]:
        for call, count in self.counts.items():
            for n in range(1, count + 1):
                for error in CALLS[call]:
                    yield call, f"error={error}", n
                yield call, "signal=KILL", n
                if call in POWER:
                    yield call, "power", n
        for n in range(1, self.writes + 1):
            yield "write", "short", n
            yield "write", "full", n
        yield "end", "power", 0

    def strike(self, point: Point) -> str | None:
        """What is wrong after this fault and another run."""
        folder = self.subject.copy("-".join(map(str, point)))
        log = folder.with_suffix(".trace")
        try:
            done = self.disturb(point, folder, log)
            wrong = self.judge(point, folder, done, log)
            if not wrong and (wrong := self.subject.complete(folder)):
                wrong += f"\nfirst ({done.status}): {done.said}"
            return wrong and f"{point}: {wrong}"
        except Exception as error:  # another point must not end with this one
            return f"{point}: {error!r}"
        finally:
            shutil.rmtree(folder, ignore_errors=True)
            log.unlink(missing_ok=True)

    def disturb(self, point: Point, folder: Path, log: Path) -> Ended:
        """Runs the command with a fault."""
        call, fault, n = point
        if fault in ("short", "full"):
            strikes = {"LD_PRELOAD": str(self.short), "FAULT_WRITE": str(n)} | ({"FAULT_FULL": "1"} if fault == "full" else {})
            return self.subject.run(folder, more=strikes)
        if fault == "power":
            kill = () if call == "end" else (f"inject={call}:signal=KILL:when={n}",)
            done = self.subject.run(folder, strace(log, TRACED, *kill))
            Disk(folder, self.subject.base, log.read_text("utf-8", "replace")).lose_power()
            self.subject.power_was_lost(folder)
            return done
        return self.subject.run(folder, strace(log, f"trace={call}", f"inject={call}:{fault}:when={n}"))

    def judge(self, point: Point, folder: Path, done: Ended, log: Path) -> str | None:
        """What is wrong before another run."""
        _, fault, _ = point
        is_error = fault.startswith("error=")
        files = struck(folder, log.read_text("utf-8", "replace")) if is_error else set()
        if is_error and not files:
            # No file failed, or the message itself.
            return None
        if done.wrong or "panicked" in done.said or done.status in (101, 134, 139):
            return f"{sorted(files)}: {done.wrong} ({done.status}): {done.said}"
        if done.status == 0 and (other := self.subject.difference(folder)):
            return f"{sorted(files)}: succeeds, and {other}: {done.said}"
        if done.status == 0 or "KILL" in fault or fault == "power":
            return None
        if fault == "short":
            return f"fails ({done.status}): {done.said}"
        if not any(words in done.said for words in REASONS) or not self.names_place(done.said, folder, files):
            return f"does not name one of {sorted(files)} and the reason ({done.status}): {done.said}"
        return None

    def names_place(self, said: str, folder: Path, files: set[str]) -> bool:
        """Whether a message has the name of one of these files, or a path of the site where they are made for a moment."""
        passing = not files or any(stage in file for file in files for stage in STAGES)
        known = {path.relative_to(folder).as_posix() for path in folder.rglob("*")} if passing else set()
        return str(folder) in files or any(name in said for name in known | {Path(file).name for file in files})


def strace(log: Path, *expressions: str) -> tuple[str, ...]:
    """strace with its output in a file, and the paths of files that are open."""
    return ("strace", "-f", "-qq", "-y", "-o", str(log), *(part for expression in expressions for part in ("-e", expression)))


def main() -> int:
    options = argparse.ArgumentParser()
    options.add_argument("--candor", type=Path, required=True)
    options.add_argument("--sidecar", type=Path, required=True)
    options.add_argument("--every", type=int, default=1, help="only each Nth point")
    options.add_argument("--only", action="append", help="only this case")
    given = options.parse_args()
    programs._programs.update(candor=given.candor.resolve(), sidecar=given.sidecar.resolve())
    faults = struck = 0
    with tempfile.TemporaryDirectory(prefix="candor-faults-") as scratch, concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        short = Path(scratch) / "short.so"
        subprocess.run(["cc", "-shared", "-fPIC", "-O1", "-o", short, HERE / "short.c"], check=True)
        for name in [case.name for case in CASES] + [Sidecar.name]:
            if given.only and name not in given.only:
                continue
            folder = Path(scratch) / name.replace(" ", "-")
            case = next((case for case in CASES if case.name == name), None)
            campaign = Campaign(Command(case, folder) if case else Sidecar(folder), short)
            points = list(campaign.points())[:: given.every]
            print(f"{name}: {len(points)} points", file=sys.stderr, flush=True)
            found = [fault for fault in pool.map(campaign.strike, points) if fault]
            print(f"{name}: {len(points)} points, {len(found)} faults", flush=True)
            for fault in found:
                print(textwrap.indent(fault[:2_000], "  "), flush=True)
            faults, struck = faults + len(found), struck + len(points)
    print(f"{struck} points, {faults} faults")
    return 1 if faults or not struck else 0


if __name__ == "__main__":
    sys.exit(main())
