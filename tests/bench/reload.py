"""How long a change takes to reach readers: the sidecar's reload, and the preview of `candor serve`.

    python reload.py --json FILE

Sidecar: from the end of a build with one review more to the first search that finds it, beside the
time from its start to the first answer. Preview: from a saved file to the new first page, as the
script in an open page would see it, beside the preview's first build.
"""

import json
import signal
import statistics
import subprocess
import sys
import threading
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from build import CANDOR, CORPUS, RELEASE, add_one, build, run

SIDECAR = RELEASE / "candor-sidecar"
# Reviews.
SIZES = [(10_000,), (100_000,)]
REPEATS = 7
DEADLINE = 120.0


@dataclass
class Row:
    """The figures of one size."""

    reviews: int
    load_s: float
    reload_ms: float
    memory_mb: float
    reloaded_mb: float
    peak_mb: float
    preview_s: float
    preview_again_ms: float


@contextmanager
def running(*command: object) -> Iterator[tuple[subprocess.Popen, str, str]]:
    """A program that prints the address it listens at, and that of its health checks, if it has any;
    it is asked to end with the block."""
    words = [str(part) for part in command]
    process = subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    try:
        for line in process.stdout:
            if '"listening"' in line:
                fields = json.loads(line)
                address, admin = f"http://{fields['address']}", f"http://{fields.get('admin')}"
                break
            if line.strip().startswith("http://"):
                address, admin = line.strip().rstrip("/"), ""
                break
        else:
            sys.exit(f"{' '.join(words)} does not listen")
        # A program whose output is not read would wait at some point.
        threading.Thread(target=process.stdout.read, daemon=True).start()
        yield process, address, admin
    finally:
        process.send_signal(signal.SIGTERM)
        process.wait()


def get(url: str) -> bytes:
    try:
        with urllib.request.urlopen(url, timeout=30) as answer:
            return answer.read()
    except urllib.error.HTTPError as refused:
        return refused.read()


def until(is_so: Callable[[], bool]) -> float:
    """Seconds until something is so."""
    started = time.perf_counter()
    while not is_so():
        if time.perf_counter() - started > DEADLINE:
            sys.exit("it does not come to that")
        time.sleep(0.002)
    return time.perf_counter() - started


def memory_mb(process: subprocess.Popen, field: str) -> float:
    lines = Path(f"/proc/{process.pid}/status").read_text().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith(field)) / 1024


def word(number: int) -> str:
    """What no review of the corpus says."""
    return f"zzz{number:03}zzz"


def measure(count: int, folder: Path) -> Row:
    content, public = folder / "content", folder / "public"
    subprocess.run([CORPUS, str(count), content], check=True, stdout=subprocess.DEVNULL)
    build(content, public)
    reloads = []
    started = time.perf_counter()
    options = ["--public", public, "--state", folder / "state", "--listen", "127.0.0.1:0", "--log-format", "json"]
    with running(SIDECAR, "serve", *options) as (process, address, _):
        def found(text: str) -> bool:
            return json.loads(get(f"{address}/api/reviews/search?query={text}"))["matched"] > 0

        until(lambda: found("the"))
        load = time.perf_counter() - started
        memory = memory_mb(process, "VmRSS")
        for number in range(REPEATS):
            add_one(content, number, word(number))
            build(content, public)
            reloads.append(until(lambda: found(word(number))))
        reloaded, peak = memory_mb(process, "VmRSS"), memory_mb(process, "VmHWM")
    again = []
    options = ["--content", content, "--folder", folder / "preview", "--listen", "127.0.0.1:0"]
    started = time.perf_counter()
    with running(CANDOR, "serve", *options) as (_, address, _):
        preview = time.perf_counter() - started
        for number in range(REPEATS, 2 * REPEATS):
            add_one(content, number, word(number))
            again.append(until(lambda: word(number).encode() in get(f"{address}/")))
    return Row(
        reviews=count,
        load_s=load,
        reload_ms=1000 * statistics.median(reloads),
        memory_mb=memory,
        reloaded_mb=reloaded,
        peak_mb=peak,
        preview_s=preview,
        preview_again_ms=1000 * statistics.median(again),
    )


if __name__ == "__main__":
    run("Measure reloads.", SIZES, SIZES, measure)
