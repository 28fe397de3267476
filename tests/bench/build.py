"""Build time and peak memory of `candor build` by number of reviews.

    python build.py [--full] --json FILE

Each run is paired with the baseline (examples/baseline.rs: it writes the same files from memory, compressed alike, on
all cores, and does nothing else), in turn; the figures are medians and the median of the pairs' ratios. The processor
time of a build is compared with that of zlib, level 6, over the bytes that it publishes.
"""

import argparse
import json
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
import zlib
from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
RELEASE = ROOT / os.environ.get("CARGO_TARGET_DIR", "target") / "release"
CANDOR = RELEASE / "candor"
CORPUS = RELEASE / "examples" / "corpus"
BASELINE = RELEASE / "examples" / "baseline"

# Reviews, and how often each program runs.
QUICK = [(1_000, 7), (10_000, 5), (100_000, 1)]
FULL = [*QUICK, (1_000_000, 1)]


@dataclass
class Run:
    """What one process took."""

    seconds: float
    cpu_seconds: float
    peak_mb: float


@dataclass
class Row:
    """The figures of one size."""

    reviews: int
    content_mb: float
    published_mb: float
    build_s: float
    baseline_s: float
    ratio: float
    cpu_s: float
    zlib_s: float
    cpu_ratio: float
    peak_mb: float
    unchanged_s: float
    unchanged_share: float
    unchanged_mb: float
    one_more_s: float
    one_more_share: float
    one_more_mb: float
    stages: dict[str, dict[str, float]]


def timed(*command: object) -> Run:
    """Runs a program to its end; it must end well."""
    started = time.perf_counter()
    pid = os.posix_spawn(
        str(command[0]),
        [str(part) for part in command],
        os.environ,
        file_actions=[(os.POSIX_SPAWN_OPEN, 1, os.devnull, os.O_WRONLY, 0)],
    )
    _, status, usage = os.wait4(pid, 0)
    seconds = time.perf_counter() - started
    if os.waitstatus_to_exitcode(status) != 0:
        sys.exit(f"{' '.join(map(str, command))} failed")
    return Run(seconds, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024)


def build(content: Path, public: Path, *options: str) -> Run:
    return timed(CANDOR, "build", "--quiet", "--content", content, "--public", public, *options)


def least(public: Path, copy: Path) -> float:
    """The seconds in which the files of a publication are written again."""
    shutil.rmtree(copy, ignore_errors=True)
    done = subprocess.run([BASELINE, public, copy], check=True, capture_output=True, text=True)
    return float(done.stdout)


def zlib_seconds(public: Path) -> float:
    """The processor time of zlib, level 6, over the bytes of all files."""
    spent = 0.0
    for path in public.rglob("*"):
        if path.is_file() and path.suffix not in (".br", ".gz"):
            content = path.read_bytes()
            before = time.process_time()
            zlib.compress(content, 6)
            spent += time.process_time() - before
    return spent


def stages(content: Path, public: Path) -> dict[str, dict[str, float]]:
    """How long each stage of a build from nothing takes, in seconds of one thread."""
    command = [CANDOR, "build", "--quiet", "--clean", "--timings", "--json"]
    command += ["--content", content, "--public", public]
    return json.loads(subprocess.run(command, check=True, capture_output=True).stdout)


def size_mb(folder: Path) -> float:
    return sum(file.stat().st_size for file in folder.rglob("*") if file.is_file()) / 1e6


def add_one(content: Path, number: int, word: str = "more") -> None:
    """One review of the newest day more, with this word in its text."""
    last = max((content / "reviews").glob("*.ndjson"))
    record = json.loads(last.read_text().splitlines()[-1])
    record["id"] = record["id"][:-3] + f"{number:03}"
    record["text"] = f"{number} {word}. {record['text']}"
    record.pop("source_ids", None)
    with last.open("a") as file:
        file.write(json.dumps(record, ensure_ascii=False) + "\n")


def measure(count: int, repeats: int, folder: Path) -> Row:
    content, public, plain = folder / "content", folder / "public", folder / "plain"
    subprocess.run([CORPUS, str(count), content], check=True, stdout=subprocess.DEVNULL)
    pairs, unchanged, one_more = [], [], []
    for number in range(repeats):
        shutil.rmtree(public, ignore_errors=True)
        pairs.append((build(content, public, "--clean"), least(public, plain), zlib_seconds(public)))
        unchanged.append(build(content, public))
        add_one(content, number)
        one_more.append(build(content, public))
    full = [ours for ours, _, _ in pairs]
    median = statistics.median

    def share(runs: list[Run]) -> float:
        return median(run.seconds / whole.seconds for run, whole in zip(runs, full))

    shutil.rmtree(public)
    return Row(
        reviews=count,
        content_mb=size_mb(content),
        stages=stages(content, public),
        published_mb=size_mb(public),
        build_s=median(ours.seconds for ours in full),
        baseline_s=median(plain for _, plain, _ in pairs),
        ratio=median(ours.seconds / plain for ours, plain, _ in pairs),
        cpu_s=median(ours.cpu_seconds for ours in full),
        zlib_s=median(zlib for _, _, zlib in pairs),
        cpu_ratio=median(ours.cpu_seconds / zlib for ours, _, zlib in pairs),
        peak_mb=max(ours.peak_mb for ours in full),
        unchanged_s=median(run.seconds for run in unchanged),
        unchanged_share=share(unchanged),
        unchanged_mb=max(run.peak_mb for run in unchanged),
        one_more_s=median(run.seconds for run in one_more),
        one_more_share=share(one_more),
        one_more_mb=max(run.peak_mb for run in one_more),
    )


def run(description: str, quick: list, full: list, measure: Callable) -> None:
    """Measures each size in a folder of its own, and writes the rows to the file of `--json`."""
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("--full", action="store_true", help="larger sizes too (minutes)")
    parser.add_argument("--json", type=Path, required=True, help="write the figures to this file")
    arguments = parser.parse_args()
    memory = Path("/dev/shm")
    rows = []
    for size in full if arguments.full else quick:
        with tempfile.TemporaryDirectory(dir=memory if memory.is_dir() else None) as folder:
            rows.append(measure(*size, Path(folder)))
    arguments.json.parent.mkdir(parents=True, exist_ok=True)
    arguments.json.write_text(json.dumps([asdict(row) for row in rows], indent=1) + "\n")


if __name__ == "__main__":
    run("Measure builds.", QUICK, FULL, measure)
