"""Candor beside programs that people would use instead, on the same reviews and in the same run.

    python peers.py --json FILE

Search: a scan of every text in a fastify server, and datasette with an FTS5 index. Building: the same
lists and pages of reviews by Eleventy, which makes nothing else: no data documents, feeds, insights or
compressed files. Times are those of the processor, all threads, which a busy machine hardly changes.
"""

import argparse
import json
import os
import re
import resource
import sqlite3
import statistics
import subprocess
import sys
import tempfile
import threading
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

HERE = Path(__file__).resolve().parent
TARGET = HERE.parents[1] / os.environ.get("CARGO_TARGET_DIR", "target")
RELEASE = TARGET / "release"
PEERS = HERE / "peers"
MODULES = PEERS / "node_modules" / ".bin"
DATASETTE = TARGET / "venv-bench" / "bin" / "datasette"

REVIEWS = 10_000
REPEATS = 3
SECONDS = 3
CONNECTIONS = 8
TICKS = os.sysconf("SC_CLK_TCK")
# A word that many texts have, one that few have, and one that none has.
WORDS = ["furnace", "crawlspace", "zeppelin"]


def cpu_of_children(*command: object, **environment: str) -> float:
    """Runs a program to its end, and gives the seconds of processor time it took."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    words = [str(part) for part in command]
    environment = {**os.environ, **environment}
    done = subprocess.run(words, cwd=PEERS, env=environment, capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"{' '.join(words)}\n{done.stdout}{done.stderr}")
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def files(folder: Path) -> int:
    return sum(path.is_file() for path in folder.rglob("*"))


def building(folder: Path) -> list[dict]:
    rows = []
    content, public, pages = folder / "content", folder / "public", folder / "pages"
    for name, made, command, environment in (
        (
            "Candor",
            public,
            [RELEASE / "candor", "build", "--quiet", "--clean", "--content", content, "--public", public],
            {},
        ),
        (
            "Eleventy",
            pages,
            [MODULES / "eleventy", f"--output={pages}"],
            {"REVIEWS": str(public / "reviews.json")},
        ),
    ):
        times = []
        for _ in range(REPEATS):
            subprocess.run(["rm", "-rf", made], check=True)
            times.append(cpu_of_children(*command, **environment))
        rows.append({"program": name, "files": files(made), "cpu_s": statistics.median(times)})
    return rows


@contextmanager
def server(*command: object) -> Iterator[tuple[int, str]]:
    """A server with its process id and the address that it prints."""
    process = subprocess.Popen(
        list(map(str, command)), stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    )
    try:
        for line in process.stdout:
            found = re.search(r"(?:http://)?(127\.0\.0\.1:[0-9]+)", line)
            if found:
                # Whatever it writes about each request must not fill the pipe.
                threading.Thread(target=process.stdout.read, daemon=True).start()
                yield process.pid, f"http://{found[1]}"
                return
        sys.exit(f"{command[0]} gave no address")
    finally:
        process.terminate()
        process.wait(timeout=30)


def cpu_seconds(pid: int) -> float:
    """Processor time of a running process, all threads."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / TICKS


def load(pid: int, url: str) -> dict:
    """Requests for some seconds: how many a second, and the server's processor time for each."""
    with urllib.request.urlopen(url, timeout=60) as first:
        first.read()
    command = [MODULES / "autocannon", "--json", "-c", CONNECTIONS, "-d", SECONDS, url]
    before = cpu_seconds(pid)
    done = subprocess.run(list(map(str, command)), capture_output=True, text=True, check=True)
    spent = cpu_seconds(pid) - before
    said = json.loads(done.stdout)
    if said["non2xx"] or said["errors"] or not said["2xx"]:
        sys.exit(f"{url}: {said['2xx']} answers, {said['non2xx']} refusals, {said['errors']} errors")
    return {"requests_per_second": said["requests"]["mean"], "cpu_micros": 1e6 * spent / said["2xx"]}


def database(reviews: Path, path: Path) -> None:
    """The texts with an index of their words, as datasette's documentation shows it."""
    rows = json.loads(reviews.read_text())["reviews"]
    with sqlite3.connect(path) as store:
        store.execute("CREATE TABLE reviews (id TEXT, author TEXT, rating INTEGER, date TEXT, text TEXT)")
        keys = ("id", "author", "rating", "date", "text")
        store.executemany(
            "INSERT INTO reviews VALUES (?, ?, ?, ?, ?)", ([row[key] for key in keys] for row in rows)
        )
        store.execute("CREATE VIRTUAL TABLE reviews_fts USING fts5(text, content='reviews')")
        store.execute("INSERT INTO reviews_fts(rowid, text) SELECT rowid, text FROM reviews")


def searching(folder: Path) -> list[dict]:
    reviews, store = folder / "public" / "reviews.json", folder / "reviews.db"
    database(reviews, store)
    ours = [RELEASE / "candor-sidecar", "--public", folder / "public", "--listen", "127.0.0.1:0"]
    ours += ["--state", folder / "state"]
    peers = [
        ("Candor, `query`", ours, "/api/reviews/search?query={}"),
        ("fastify, scan", ["node", PEERS / "scan.mjs", reviews], "/api/reviews/search?query={}"),
        ("Candor, `q`", ours, "/api/reviews/search?q={}"),
        (
            "datasette, FTS5",
            [DATASETTE, "serve", store, "--host", "127.0.0.1", "--port", "0", "--nolock"],
            "/reviews/reviews.json?_search={}&_size=20&_sort_desc=date",
        ),
    ]
    rows = []
    for name, command, path in peers:
        with server(*command) as (pid, address):
            for word in WORDS:
                load_of = [load(pid, address + path.format(word)) for _ in range(REPEATS)]
                row = {
                    key: statistics.median(one[key] for one in load_of)
                    for key in ("requests_per_second", "cpu_micros")
                }
                rows.append({"program": name, "word": word, **row})
    return rows


def main() -> None:
    parser = argparse.ArgumentParser(description="Measure Candor beside its peers.")
    parser.add_argument("--json", type=Path, required=True, help="write the figures to this file")
    arguments = parser.parse_args()
    memory = Path("/dev/shm")
    with tempfile.TemporaryDirectory(dir=memory if memory.is_dir() else None) as name:
        folder = Path(name)
        corpus = RELEASE / "examples" / "corpus"
        cpu_of_children(corpus, REVIEWS, folder / "content")
        rows = {"reviews": REVIEWS, "building": building(folder), "searching": searching(folder)}
    arguments.json.write_text(json.dumps(rows, indent=1) + "\n")


if __name__ == "__main__":
    main()
