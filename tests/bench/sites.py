"""Many sites in one sidecar: memory, disk, cold and warm answers.

    python sites.py [--full] --json FILE

Distinct sites of about 250 reviews are built once and published under many host names: each has a
manifest of its own, and hard links to the files. Cold: the first request to a site that is not in
memory. Warm: requests to sites in memory, in turn with requests to a sidecar that has one of them as
its only site. Load: requests to hosts by Zipf's law.
"""

import http.client
import json
import os
import random
import statistics
import subprocess
import time
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from build import CORPUS, build, run, size_mb
from reload import SIDECAR, get, memory_mb, running

# Sites, and requests by Zipf's law.
QUICK = [(1_000, 10_000)]
FULL = [*QUICK, (10_000, 100_000)]
DISTINCT = 50
COLD = 200
WARM = 2_000
# Bytes, for the sites; the program, its connections and what is being loaded come to that.
MEMORY = 700 << 20
SEARCH = "/api/reviews/search?query=friendly&limit=5"
# What the sidecar reads of a publication.
USED = {"reviews.json", "insights.json", "changes.json", "llms.txt"}


@dataclass
class Row:
    """The figures of one number of sites."""

    sites: int
    start_s: float
    cold_ms: float
    cold_p95_ms: float
    warm_ratio: float
    warm_us: float
    requests_a_second: float
    cold_share: float
    loaded: int
    resident_mb: float
    peak_mb: float
    idle_mb: float
    site_kb: float
    disk_kb: float


def publish(folder: Path, count: int) -> list[str]:
    """Publishes the sites, and returns their host names."""
    hosts = [f"s{number}.example" for number in range(count)]
    for number in range(DISTINCT):
        content, public = folder / f"content{number}", folder / f"public{number}"
        reviews = 250 - DISTINCT // 2 + number
        subprocess.run([CORPUS, str(reviews), content], check=True, stdout=subprocess.DEVNULL)
        build(content, public)
        manifest = json.loads((public / "candor-manifest.json").read_text())
        paths = {topic["path"] for topic in manifest["topics"]}
        used = [file["path"] for file in manifest["files"] if file["path"] in USED | paths]
        base = manifest["base_url"]
        text = json.dumps(manifest)
        for host in hosts[number::DISTINCT]:
            site = folder / "sites" / host
            site.mkdir(parents=True)
            own = text.replace(base, f"https://{host}").replace(manifest["id_base"], f"tag:{host},2015-01-01:reviews")
            (site / "candor-manifest.json").write_text(own)
            for path in used:
                (site / path).parent.mkdir(parents=True, exist_ok=True)
                os.link(public / path, site / path)
    return hosts


def ask(connection: http.client.HTTPConnection, host: str) -> float:
    """Seconds until a search has been answered."""
    started = time.perf_counter()
    connection.request("GET", SEARCH, headers={"Host": host})
    answer = connection.getresponse()
    body = answer.read()
    took = time.perf_counter() - started
    assert answer.status == 200 and b'"matched"' in body, (host, answer.status, body)
    return took


def connect(address: str) -> http.client.HTTPConnection:
    host, port = address.removeprefix("http://").rsplit(":", 1)
    return http.client.HTTPConnection(host, int(port), timeout=30)


def zipf(hosts: list[str], requests: int) -> Iterator[str]:
    """Hosts of requests: the second is asked half as often as the first, and so on."""
    chance = random.Random(1)
    weights = [1 / rank for rank in range(1, len(hosts) + 1)]
    return iter(chance.choices(hosts, weights, k=requests))


def measure(count: int, requests: int, folder: Path) -> Row:
    hosts = publish(folder, count)
    random.Random(2).shuffle(hosts)
    state = folder / "state"
    options = ["--sites", folder / "sites", "--memory", str(MEMORY), "--state", state]
    options += ["--listen", "127.0.0.1:0", "--admin", "127.0.0.1:0", "--log-format", "json"]
    single = ["--public", folder / "public0", "--state", folder / "single"]
    single += ["--listen", "127.0.0.1:0", "--log-format", "json"]
    started = time.perf_counter()
    with (
        running(SIDECAR, *options) as (process, address, admin),
        running(SIDECAR, *single) as (_, only, _),
        closing(connect(address)) as many,
        closing(connect(only)) as one,
    ):
        start, idle = time.perf_counter() - started, memory_mb(process, "VmRSS")
        cold = [ask(many, host) for host in hosts[-COLD:]]
        loaded = memory_mb(process, "VmRSS")
        pairs = [(ask(many, hosts[-1]), ask(one, "localhost")) for _ in range(WARM)]
        before = json.loads(get(f"{admin}/readyz"))
        started = time.perf_counter()
        for host in zipf(hosts, requests):
            ask(many, host)
        rate = requests / (time.perf_counter() - started)
        metrics = get(f"{admin}/metrics").decode()
        loads = next(
            float(line.split()[1])
            for line in metrics.splitlines()
            if line.startswith("candor_site_loads_total ")
        )
        report = json.loads(get(f"{admin}/readyz"))
        resident, peak = memory_mb(process, "VmRSS"), memory_mb(process, "VmHWM")
    return Row(
        sites=count,
        start_s=start,
        cold_ms=1000 * statistics.median(cold),
        cold_p95_ms=1000 * statistics.quantiles(cold, n=20)[-1],
        warm_ratio=statistics.median(many / one for many, one in pairs),
        warm_us=1e6 * statistics.median(many for many, _ in pairs),
        requests_a_second=rate,
        cold_share=(loads - before["loaded"]) / requests,
        loaded=report["loaded"],
        resident_mb=resident,
        peak_mb=peak,
        idle_mb=idle,
        site_kb=1000 * (loaded - idle) / COLD,
        disk_kb=1000 * size_mb(state) / sum(1 for _ in (state / "sites").iterdir()),
    )


if __name__ == "__main__":
    run("Measure many sites.", QUICK, FULL, measure)
