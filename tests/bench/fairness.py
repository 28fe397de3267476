"""What the load of one site costs another site of the same sidecar.

    python fairness.py --json FILE

While one site is searched on many connections, another is searched on one: beside the same load on another sidecar,
which takes as much of the processors, and beside no load. Then both publish a change: the one to subscribers that do
not respond, the other to one that does.
"""

import argparse
import asyncio
import json
import multiprocessing
import re
import shutil
import socket
import sqlite3
import statistics
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import AbstractContextManager, closing, contextmanager
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path += [str(HERE.parent / folder) for folder in ("hosts", "replicas")]

import programs  # noqa: E402
from build import CORPUS, add_one, build  # noqa: E402
from reload import SIDECAR, get, running, until  # noqa: E402
from replicas import HOSTS, TOPIC, view  # noqa: E402
from sites import SEARCH, ask, connect  # noqa: E402
from subscriber import Subscriber  # noqa: E402

REVIEWS = 250
BUSY, QUIET = "busy.example", "quiet.example"
CONNECTIONS = 64
SEARCHES = 2_000
# A large response that is made anew each time.
LARGE = "/api/reviews/search?query=the&limit=100"
# Subscribers that do not respond, and the changes that are published to them.
SILENT = 2_000
CHANGES = 5

SUBSCRIBE = """
    INSERT INTO subscriptions (site, topic, callback_key, callback, topic_url, host, lease_end, failures,
                               created_at, network)
    VALUES (?, ?, ?, ?, ?, ?, ?, 0, ?, '')
"""


async def search_for_ever(address: str, host: str) -> None:
    """Sends the next search as soon as the one before was answered, on each connection."""
    name, port = address.removeprefix("http://").rsplit(":", 1)
    request = f"GET {LARGE} HTTP/1.1\r\nHost: {host}\r\n\r\n".encode()

    async def one() -> None:
        reader, writer = await asyncio.open_connection(name, int(port))
        while True:
            writer.write(request)
            head = (await reader.readuntil(b"\r\n\r\n")).lower()
            assert head.startswith(b"http/1.1 200"), head
            length = head.partition(b"content-length: ")[2].partition(b"\r\n")[0]
            await reader.readexactly(int(length))

    await asyncio.gather(*(one() for _ in range(CONNECTIONS)))


@contextmanager
def load(address: str, host: str) -> Iterator[None]:
    """Searches of one site, from another process."""
    process = multiprocessing.Process(target=lambda: asyncio.run(search_for_ever(address, host)))
    process.start()
    try:
        time.sleep(1)
        assert process.is_alive()
        yield
        assert process.is_alive()
    finally:
        process.terminate()
        process.join()


def searches(address: str) -> dict[str, float]:
    """Milliseconds that searches of the quiet site take."""
    with closing(connect(address)) as connection:
        ask(connection, QUIET)
        took = [1000 * ask(connection, QUIET) for _ in range(SEARCHES)]
    return {"median_ms": statistics.median(took), "p99_ms": statistics.quantiles(took, n=100)[-1]}


def subscribe(state: Path, site: str, callbacks: list[tuple[str, str]]) -> None:
    """Writes subscriptions of a host and a callback each into the store."""
    now = int(1000 * time.time())
    with closing(sqlite3.connect(next(state.glob("hub*.db")), timeout=30)) as store, store:
        store.executemany(
            SUBSCRIBE,
            [
                (site, TOPIC, callback, callback, f"https://{site}/{TOPIC}", host, now + 10**9, now)
                for host, callback in callbacks
            ],
        )


class Published:
    """The content and the public folder of each site."""

    def __init__(self, folder: Path):
        self.content, self.sites, self.changes = folder / "content", folder / "sites", 0
        for host in (BUSY, QUIET):
            content = self.content / host
            subprocess.run([CORPUS, str(REVIEWS), content], check=True, stdout=subprocess.DEVNULL)
            settings = content / "site.toml"
            settings.write_text(settings.read_text().replace("corpus.example", host))
            build(content, self.sites / host)

    def change(self, *hosts: str) -> float:
        """Publishes a review more of each site; when the last has been."""
        self.changes += 1
        for host in hosts:
            add_one(self.content / host, self.changes)
            build(self.content / host, self.sites / host)
        return time.monotonic()


def deliver(published: Published, subscriber: Subscriber, *hosts: str) -> float:
    """Seconds from the end of the last build to the delivery of the quiet site's change, which is the last."""
    before = len(subscriber.deliveries)
    at = published.change(*hosts)
    until(lambda: len(subscriber.deliveries) > before)
    return subscriber.deliveries[-1].at - at


def measure(folder: Path) -> dict:
    published, subscriber, named = Published(folder), Subscriber(programs.folder("subscriber")), view()
    options = ["--listen", "127.0.0.1:0", "--log-format", "json", "--hub-allow-cidr", "127.0.0.0/8,::1"]
    options += ["--admin", "127.0.0.1:0", "--hub-extra-ca", subscriber.authority]

    def sidecar(name: str) -> AbstractContextManager:
        return running(*named, SIDECAR, "--sites", published.sites, "--state", folder / name, *options)

    with sidecar("state") as (_, address, admin), sidecar("other") as (_, elsewhere, _), socket.socket() as silent:
        quiet = searches(address)
        with load(elsewhere, BUSY):
            baseline = searches(address)
        with load(address, BUSY):
            loaded = searches(address)
        # Connections are accepted by the system, and by nobody else.
        silent.bind(("127.0.0.1", 0))
        silent.listen(4096)
        port, names = silent.getsockname()[1], [f"h{number % HOSTS}.bench.test" for number in range(SILENT)]
        callbacks = [(name, f"https://{name}:{port}/{number}") for number, name in enumerate(names)]
        subscribe(folder / "state", QUIET, [("localhost", subscriber.url(1))])
        subscribe(folder / "state", BUSY, callbacks)
        until(lambda: all(site["followed"] for site in json.loads(get(f"{admin}/sites"))))
        deliver(published, subscriber, QUIET)
        alone = [deliver(published, subscriber, QUIET) for _ in range(CHANGES)]
        beside = [deliver(published, subscriber, BUSY, QUIET) for _ in range(CHANGES)]
        metrics = get(f"{admin}/metrics").decode()
    subscriber.stop()
    running_calls = re.search(r"^candor_hub_deliveries_running (\d+)", metrics, re.MULTILINE)
    return {
        "searches": {"no load": quiet, "load on another sidecar": baseline, "load on another site": loaded},
        "connections": CONNECTIONS,
        "delivery_ms": {"alone": 1000 * statistics.median(alone), "beside": 1000 * statistics.median(beside)},
        "silent": SILENT,
        "silent_running": int(running_calls[1]),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description="Measure what sites of a sidecar cost each other.")
    parser.add_argument("--json", type=Path, required=True)
    arguments = parser.parse_args()
    folder = programs.folder("fairness")
    try:
        arguments.json.write_text(json.dumps(measure(folder), indent=1))
    finally:
        shutil.rmtree(folder)
        programs.remove()


if __name__ == "__main__":
    main()
