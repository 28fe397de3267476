"""How fast one, two and three sidecars with one PostgreSQL store deliver a change to all subscribers.

    tests/postgres/with python replicas.py [--subscribers N] --json FILE

From the end of a build to the last delivery, over TLS to subscribers that respond at once; the median of three
changes, beside that of one sidecar. The subscriptions are written into the store. All of it shares the processors of
one machine, and the database is in memory.
"""

import argparse
import json
import statistics
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path += [str(HERE.parent / folder) for folder in ("hosts", "replicas")]

import programs  # noqa: E402
from cluster import TOPIC, Replica, Site, Store, write_keys  # noqa: E402
from subscriber import write_certificates  # noqa: E402

RELEASE = programs.TARGET / "release"
SIDECARS = (1, 2, 3)
CHANGES = 3
# Names that the subscribers share; at each of them a sidecar has eight deliveries in progress at most.
HOSTS = 32
DEADLINE = 120.0

NAMED = 'mount --bind "$1" /etc/hosts && shift && exec "$@"'

SUBSCRIBE = """
    INSERT INTO subscriptions (site, topic, callback_key, callback, topic_url, host, lease_end, failures,
                               created_at, network)
    SELECT '', '{topic}', url, url, '{topic_url}', host, now + 864000000, 0, now, ''
    FROM (SELECT 'h' || n % {hosts} || '.bench.test' AS host,
                 'https://h' || n % {hosts} || '.bench.test:{port}/' || n AS url,
                 (extract(epoch FROM now()) * 1000)::bigint AS now
          FROM generate_series(1, {count}) AS n) AS callbacks
"""


@dataclass
class Row:
    """The figures of some sidecars."""

    sidecars: int
    subscribers: int
    seconds_to_the_last: float
    deliveries_per_second: float
    ratio: float


@contextmanager
def receiver() -> Iterator[tuple[int, Path]]:
    """The subscribers' process: its port and its authority."""
    folder = programs.folder("receiver")
    write_certificates(folder, "*.bench.test")
    der = ("-outform", "DER", "-out")
    programs.run("openssl", "x509", "-in", folder / "certificate.pem", *der, folder / "leaf.der")
    programs.run("openssl", "pkcs8", "-topk8", "-nocrypt", "-in", folder / "key.pem", *der, folder / "key.der")
    process = subprocess.Popen([RELEASE / "examples/fanout", "--receive", folder], stdout=subprocess.PIPE, text=True)
    try:
        yield int(process.stdout.readline()), folder / "ca.pem"
    finally:
        process.kill()
        process.wait()


def view() -> tuple:
    """The start of a command for which every name of a subscriber is this machine."""
    hosts = programs.folder("names") / "hosts"
    hosts.write_text("127.0.0.1 localhost\n" + "".join(f"127.0.0.1 h{n}.bench.test\n" for n in range(HOSTS)), "utf-8")
    return "unshare", "--map-root-user", "--mount", "sh", "-c", NAMED, "sh", hosts


def measure(count: int) -> list[Row]:
    """A row for each number of sidecars."""
    site, store, rows = Site("bench-site"), Store("bench"), []
    with receiver() as (port, authority):
        common = (site, store, authority, write_keys(), view())
        sidecars = [Replica(number + 1, *common) for number in range(max(SIDECARS))]
        try:
            for number in SIDECARS:
                # The others run already.
                sidecars[number - 1].start()
                if not rows:
                    programs.until("the first content is announced", lambda: store.announced() == 1)
                    settings = {"topic": TOPIC, "topic_url": site.topic_url(), "hosts": HOSTS, "port": port}
                    store.query(SUBSCRIBE.format(count=count, **settings))
                # The first change makes the connections.
                deliver(site, sidecars[:number], count)
                seconds = statistics.median(deliver(site, sidecars[:number], count) for _ in range(CHANGES))
                first = rows[0].seconds_to_the_last if rows else seconds
                rows.append(Row(number, count, seconds, count / seconds, first / seconds))
                print(f"{number} sidecars: {count / seconds:>6.0f} deliveries/s, {first / seconds:.2f} of one", flush=True)
        finally:
            for sidecar in sidecars:
                sidecar.stop()
    return rows


def deliver(site: Site, sidecars: list[Replica], count: int) -> float:
    """Seconds from a published change to its last delivery."""

    def delivered() -> float:
        return sum(sidecar.metric('candor_hub_deliveries_total{[^}]*outcome="delivered"[^}]*}') for sidecar in sidecars)

    expected = delivered() + count
    site.change()
    started = time.monotonic()
    while delivered() < expected:
        if time.monotonic() - started > DEADLINE:
            raise AssertionError(f"{delivered() - expected + count:.0f} of {count} deliveries in {DEADLINE:.0f} s")
        time.sleep(0.005)
    return time.monotonic() - started


def main() -> None:
    parser = argparse.ArgumentParser(description="Measure the hub of several sidecars.")
    parser.add_argument("--subscribers", type=int, default=5_000)
    parser.add_argument("--json", type=Path, required=True)
    arguments = parser.parse_args()
    programs.use(candor=RELEASE / "candor", sidecar=RELEASE / "candor-sidecar")
    try:
        rows = [asdict(row) for row in measure(arguments.subscribers)]
    finally:
        programs.stop()
        programs.remove()
    arguments.json.parent.mkdir(parents=True, exist_ok=True)
    arguments.json.write_text(json.dumps(rows, indent=1))


if __name__ == "__main__":
    main()
