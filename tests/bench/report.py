"""Every figure of a run as one series of Markdown tables, and as one JSON document.

    python report.py FOLDER

FOLDER holds what the programs wrote; `bench.json` is added to it. A part that was not run is left
out. Only ratios carry over to other machines.
"""

import json
import os
import platform
import subprocess
import sys
from collections.abc import Callable, Iterable
from pathlib import Path

Row = dict


def lines(path: Path) -> list[Row]:
    return [json.loads(line) for line in path.read_text().splitlines()] if path.exists() else []


def collect(folder: Path) -> dict:
    """One list per table."""
    builds, fanout, insights = (folder / name for name in ("build.json", "fanout.json", "insights.json"))
    peers, reloads, replicas = (folder / name for name in ("peers.json", "reload.json", "replicas.json"))
    sites, fairness = folder / "sites.json", folder / "fairness.json"
    search, http = lines(folder / "search.jsonl"), lines(folder / "http.jsonl")
    return {
        "machine": machine(),
        "build": json.loads(builds.read_text()) if builds.exists() else [],
        "reloads": json.loads(reloads.read_text()) if reloads.exists() else [],
        "sites": json.loads(sites.read_text()) if sites.exists() else [],
        "fairness": json.loads(fairness.read_text()) if fairness.exists() else None,
        "search": [row for row in search if "needle" in row],
        "engines": lines(folder / "engines.jsonl"),
        "insights": lines(insights),
        "index": [row for row in search if "build_seconds" in row],
        "memory": [row for row in search if "structure" in row],
        "http": [row for row in http if "route" in row],
        "waits": [row for row in http if "downloads" in row],
        "mcp": lines(folder / "mcp.jsonl"),
        "fanout": json.loads(fanout.read_text()) if fanout.exists() else [],
        "replicas": json.loads(replicas.read_text()) if replicas.exists() else [],
        "peers": json.loads(peers.read_text()) if peers.exists() else None,
    }


def machine() -> Row:
    """What the figures depend on beside the program."""
    models = [line for line in Path("/proc/cpuinfo").read_text().splitlines() if line.startswith("model name")]
    commit = subprocess.run(["git", "describe", "--always", "--dirty"], capture_output=True, text=True)
    return {
        "processor": models[0].partition(": ")[2] if models else platform.processor(),
        "cores": os.cpu_count(),
        "kernel": platform.release(),
        "commit": commit.stdout.strip(),
    }


def number(value: float | None, digits: int = 0, after: str = "") -> str:
    return "–" if value is None else f"{value:,.{digits}f}{after}"


def table(title: str, head: list[str], rows: Iterable[list[str]]) -> None:
    """Words to the left, figures to the right."""
    if not (rows := list(rows)):
        return
    columns = list(zip(head, *rows))
    widths = [max(map(len, column)) for column in columns]
    figures = [all(cell[:1] in "0123456789–×" for cell in column[1:]) for column in columns]

    def line(cells: Iterable[str]) -> str:
        parts = [c.rjust(w) if f else c.ljust(w) for c, w, f in zip(cells, widths, figures)]
        return f"| {' | '.join(parts)} |"

    print(f"\n## {title}\n")
    print(line(head))
    print(line("-" * (w - 1) + (":" if f else "-") for w, f in zip(widths, figures)))
    print("\n".join(map(line, rows)))


def columns(title: str, rows: Iterable[Row], *named: tuple) -> None:
    """A table of one line per row. A column is its heading, the key of its figure and how many digits it has after
    the point; or its heading and what makes its cell of a row."""

    def cell(row: Row, key: str | Callable[[Row], str], digits: int = 0, after: str = "") -> str:
        return key(row) if callable(key) else number(row[key], digits, after)

    table(title, [head for head, *_ in named], ([cell(row, *how) for _, *how in named] for row in rows))


def percent(key: str) -> Callable[[Row], str]:
    return lambda row: number(100 * row[key], 1)


def spaces(key: str) -> Callable[[Row], str]:
    return lambda row: row[key].replace(" ", "␠") or "(none)"


def builds(rows: list[Row]) -> None:
    columns(
        "Build: whole process, cold output folder, beside the least that writes the same files; its processor time beside that of zlib, level 6",
        rows,
        ("reviews", "reviews"), ("content MB", "content_mb", 1), ("build s", "build_s", 2), ("least s", "baseline_s", 2),
        ("ratio", "ratio", 2), ("CPU s", "cpu_s", 2), ("zlib s", "zlib_s", 2), ("ratio", "cpu_ratio", 2),
        ("peak MB", "peak_mb"),
    )  # fmt: skip
    columns(
        "Builds after a build: as a share of the one from nothing",
        rows,
        ("reviews", "reviews"), ("unchanged s", "unchanged_s", 2), ("share %", percent("unchanged_share")),
        ("MB", "unchanged_mb"), ("one review more s", "one_more_s", 2), ("share %", percent("one_more_share")),
        ("MB", "one_more_mb"),
    )  # fmt: skip
    names = sorted({name for row in rows for name in row["stages"]})
    table(
        "Stages of a build from nothing, seconds of one thread",
        ["stage", *(number(row["reviews"]) for row in rows)],
        (
            [name, *(number(row["stages"].get(name, {}).get("seconds"), 3) for row in rows)]
            for name in names
        ),
    )


def reloads(rows: list[Row]) -> None:
    columns(
        "One review more: the sidecar's reload beside its first load, and the preview's page beside its first build",
        rows,
        ("reviews", "reviews"), ("load s", "load_s", 2), ("reload ms", "reload_ms"), ("MB", "memory_mb"),
        ("after 7 MB", "reloaded_mb"), ("peak MB", "peak_mb"), ("preview s", "preview_s", 2),
        ("new page ms", "preview_again_ms"),
    )  # fmt: skip


def sites(rows: list[Row]) -> None:
    columns(
        "Many sites of 250 reviews in one sidecar: first requests to sites that are not in memory, requests to one that "
        "is beside a sidecar with one site, and requests by Zipf's law",
        rows,
        ("sites", "sites"), ("start s", "start_s", 2), ("cold ms", "cold_ms", 1), ("p95", "cold_p95_ms", 1),
        ("warm µs", "warm_us"), ("to one site", "warm_ratio", 2), ("req/s", "requests_a_second"),
        ("cold %", percent("cold_share")), ("in memory", "loaded"), ("MB", "peak_mb"), ("MB idle", "idle_mb"),
        ("KB a site", "site_kb"), ("KB of disk", "disk_kb"),
    )  # fmt: skip


def fairness(figures: Row | None) -> None:
    if not figures:
        return
    table(
        f"Searches of a site while {figures['connections']} connections search another, ms",
        ["load", "median", "p99"],
        ([name, number(took["median_ms"], 2), number(took["p99_ms"], 2)] for name, took in figures["searches"].items()),
    )
    silent = f"beside another site's {figures['silent']:,} that do not respond, {figures['silent_running']} of them called"
    table(
        "From the end of a build to the delivery to a site's only subscriber, ms",
        ["subscribers", "median"],
        [
            ["alone", number(figures["delivery_ms"]["alone"])],
            [silent, number(figures["delivery_ms"]["beside"])],
        ],
    )


def search(rows: list[Row]) -> None:
    def samples(row: Row) -> str:
        return number(row["index_samples"]) + ("*" if row["index_samples"] < 30 else "")

    columns(
        "Search, µs: the plain scan, the index (medians; the index's 99th percentile)",
        rows,
        ("reviews", "reviews"), ("needle", spaces("needle")), ("filter", lambda row: row["filter"] or "none"),
        ("matched", "matched"), ("scan", "scan_p50_us"), ("index", "index_p50_us", 1), ("p99", "index_p99_us", 1),
        ("samples", samples), ("ratio", lambda row: multiple(row["ratio_to_scan"])),
    )  # fmt: skip


def multiple(ratio: float | None) -> str:
    return "–" if ratio is None else "× " + number(ratio)


def engines(rows: list[Row]) -> None:
    columns(
        "The index beside tantivy (words) and SQLite's FTS5 with trigrams (substrings), µs",
        rows,
        ("reviews", "reviews"), ("engine", lambda row: row["engine"]), ("asked", spaces("asked")),
        ("matched", "matched"), ("of the engine", "engine_matched"), ("index", "index_us", 1),
        ("engine µs", "engine_us", 1), ("ratio", "ratio", 2),
    )  # fmt: skip


def memory(rows: list[Row], index: list[Row]) -> None:
    sizes = [row["reviews"] for row in index]
    names = list(dict.fromkeys(row["structure"] for row in rows))
    bytes_of = {(row["structure"], row["reviews"]): row["bytes"] / row["reviews"] for row in rows}

    def per_review(size: int, name: str) -> str:
        return number(bytes_of.get((name, size)), 1)

    def whole(size: int) -> float:
        return sum(value for (_, of), value in bytes_of.items() if of == size)

    table(
        "Memory of the index, bytes per review; time to build it",
        ["structure", *map(number, sizes)],
        [
            *([name, *(per_review(size, name) for size in sizes)] for name in names),
            ["in all", *(number(whole(size), 1) for size in sizes)],
            ["(texts themselves)", *(number(row["text_bytes"] / row["reviews"], 1) for row in index)],
            ["built in, ms", *(number(1000 * row["build_seconds"], 1) for row in index)],
        ]
        if index
        else [],
    )


def insights(rows: list[Row]) -> None:
    columns(
        "Insights: reading reviews for aspects on one core, beside VADER alone on their sentences",
        rows,
        ("reviews", "reviews"), ("words each", "words_per_review"), ("read/s", "aspects_per_second"),
        ("best", "aspects_per_second_best"), ("VADER/s", "vader_per_second"), ("best", "vader_per_second_best"),
        ("ratio", "ratio", 2),
    )  # fmt: skip


def http(rows: list[Row], waits: list[Row]) -> None:
    columns(
        "HTTP: processor time beside the same server answering fixed bytes of the same length",
        rows,
        ("reviews", "reviews"), ("route", lambda row: row["route"]), ("bytes", "bytes"), ("req/s", "requests_per_second"),
        ("CPU µs", "cpu_micros", 1), ("fixed µs", "fixed_cpu_micros", 1), ("share", "share_percent", 0, " %"),
        ("lowest", "lowest_percent", 0, " %"), ("highest", "highest_percent", 0, " %"),
        ("scan", lambda row: multiple(row["naive_times"])),
    )  # fmt: skip
    columns(
        "A small search while everything is downloaded, µs",
        waits,
        ("reviews", "reviews"), ("downloads", "downloads"), ("searches", "searches"), ("median", "median_micros"),
        ("p99", "p99_micros"), ("longest", "longest_micros"),
    )  # fmt: skip


def mcp(rows: list[Row]) -> None:
    columns(
        "MCP: tools/call search_reviews, 5 reviews",
        rows,
        ("server", lambda row: row["server"]), ("bytes", "bytes"), ("req/s", "requests_per_second"),
        ("req/CPU-s", "requests_per_cpu_second"), ("share", "share_percent", 0, " %"),
    )  # fmt: skip


def fanout(rows: list[Row]) -> None:
    columns(
        "Hub: one change to all subscribers over TLS, beside the same client posting with nothing else to do",
        rows,
        ("subscribers", "subscribers"), ("deliveries/s", "deliveries_per_second"), ("last after s", "seconds_to_the_last", 2),
        ("bare client/s", "bare_client_per_second"), ("ratio", "ratio", 2), ("memory MiB", "memory_before_mib"),
        ("after MiB", "memory_after_mib"), ("peak MiB", "memory_peak_mib"),
    )  # fmt: skip


def replicas(rows: list[Row]) -> None:
    columns(
        "Hub: one change to all subscribers by several sidecars with one PostgreSQL store, on the same processors",
        rows,
        ("sidecars", "sidecars"), ("subscribers", "subscribers"), ("deliveries/s", "deliveries_per_second"),
        ("last after s", "seconds_to_the_last", 2), ("ratio", "ratio", 2),
    )  # fmt: skip


def peers(figures: Row | None) -> None:
    if not figures:
        return
    table(
        f"Candor and Eleventy on {number(figures['reviews'])} reviews",
        ["program", "files", "processor s"],
        (
            [row["program"], number(row["files"]), number(row["cpu_s"], 1)]
            for row in figures["building"]
        ),
    )
    print("\nEleventy makes lists and review pages only; the files of Candor include data documents, feeds,")
    print("insights and the compressed forms of all of them.")
    table(
        f"Search over HTTP in {number(figures['reviews'])} reviews, 20 results",
        ["program", "word", "req/s", "processor µs"],
        (
            [
                row["program"],
                row["word"],
                number(row["requests_per_second"]),
                number(row["cpu_micros"]),
            ]
            for row in figures["searching"]
        ),
    )


def main() -> None:
    folder = Path(sys.argv[1])
    figures = collect(folder)
    print("# Figures of a run\n")
    print("`make bench-report` writes this page. Only ratios carry over to other machines.\n")
    for name, value in figures["machine"].items():
        print(f"- {name.capitalize()}: {value}")
    builds(figures["build"])
    reloads(figures["reloads"])
    sites(figures["sites"])
    fairness(figures["fairness"])
    search(figures["search"])
    engines(figures["engines"])
    memory(figures["memory"], figures["index"])
    insights(figures["insights"])
    http(figures["http"], figures["waits"])
    mcp(figures["mcp"])
    fanout(figures["fanout"])
    replicas(figures["replicas"])
    peers(figures["peers"])
    whole = folder / "bench.json"
    whole.write_text(json.dumps(figures, indent=1, ensure_ascii=False) + "\n")
    print(f"all of it: {whole}", file=sys.stderr)


if __name__ == "__main__":
    main()
