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
from collections.abc import Iterable
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


def builds(rows: list[Row]) -> None:
    table(
        "Build: whole process, cold output folder, beside the least that writes the same files; its processor time beside that of zlib, level 6",
        ["reviews", "content MB", "build s", "least s", "ratio", "CPU s", "zlib s", "ratio", "peak MB"],
        (
            [
                number(row["reviews"]),
                number(row["content_mb"], 1),
                number(row["build_s"], 2),
                *(number(row[key], 2) for key in ("baseline_s", "ratio", "cpu_s", "zlib_s", "cpu_ratio")),
                number(row["peak_mb"]),
            ]
            for row in rows
        ),
    )
    table(
        "Builds after a build: as a share of the one from nothing",
        ["reviews", "unchanged s", "share %", "MB", "one review more s", "share %", "MB"],
        (
            [
                number(row["reviews"]),
                number(row["unchanged_s"], 2),
                number(100 * row["unchanged_share"], 1),
                number(row["unchanged_mb"]),
                number(row["one_more_s"], 2),
                number(100 * row["one_more_share"], 1),
                number(row["one_more_mb"]),
            ]
            for row in rows
        ),
    )
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
    table(
        "One review more: the sidecar's reload beside its first load, and the preview's page beside its first build",
        ["reviews", "load s", "reload ms", "MB", "after 7 MB", "peak MB", "preview s", "new page ms"],
        (
            [
                number(row["reviews"]),
                number(row["load_s"], 2),
                number(row["reload_ms"]),
                number(row["memory_mb"]),
                number(row["reloaded_mb"]),
                number(row["peak_mb"]),
                number(row["preview_s"], 2),
                number(row["preview_again_ms"]),
            ]
            for row in rows
        ),
    )


def sites(rows: list[Row]) -> None:
    table(
        "Many sites of 250 reviews in one sidecar: first requests to sites that are not in memory, requests to one that "
        "is beside a sidecar with one site, and requests by Zipf's law",
        [
            "sites", "start s", "cold ms", "p95", "warm µs", "to one site", "req/s", "cold %",
            "in memory", "MB", "MB idle", "KB a site", "KB of disk",
        ],
        (
            [
                number(row["sites"]),
                number(row["start_s"], 2),
                number(row["cold_ms"], 1),
                number(row["cold_p95_ms"], 1),
                number(row["warm_us"]),
                number(row["warm_ratio"], 2),
                number(row["requests_a_second"]),
                number(100 * row["cold_share"], 1),
                number(row["loaded"]),
                number(row["peak_mb"]),
                number(row["idle_mb"]),
                number(row["site_kb"]),
                number(row["disk_kb"]),
            ]
            for row in rows
        ),
    )


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
    table(
        "Search, µs: the plain scan, the index (medians; the index's 99th percentile)",
        ["reviews", "needle", "filter", "matched", "scan", "index", "p99", "samples", "ratio"],
        (
            [
                number(row["reviews"]),
                row["needle"].replace(" ", "␠") or "(none)",
                row["filter"] or "none",
                number(row["matched"]),
                number(row["scan_p50_us"]),
                number(row["index_p50_us"], 1),
                number(row["index_p99_us"], 1),
                number(row["index_samples"]) + ("*" if row["index_samples"] < 30 else ""),
                "–" if row["ratio_to_scan"] is None else "× " + number(row["ratio_to_scan"]),
            ]
            for row in rows
        ),
    )


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
    table(
        "Insights: reading reviews for aspects on one core, beside VADER alone on their sentences",
        ["reviews", "words each", "read/s", "best", "VADER/s", "best", "ratio"],
        (
            [
                number(row["reviews"]),
                number(row["words_per_review"]),
                number(row["aspects_per_second"]),
                number(row["aspects_per_second_best"]),
                number(row["vader_per_second"]),
                number(row["vader_per_second_best"]),
                number(row["ratio"], 2),
            ]
            for row in rows
        ),
    )


def http(rows: list[Row], waits: list[Row]) -> None:
    table(
        "HTTP: processor time beside the same server answering fixed bytes of the same length",
        ["reviews", "route", "bytes", "req/s", "CPU µs", "fixed µs", "share", "lowest", "highest", "scan"],
        (
            [
                number(row["reviews"]),
                row["route"],
                number(row["bytes"]),
                number(row["requests_per_second"]),
                number(row["cpu_micros"], 1),
                number(row["fixed_cpu_micros"], 1),
                number(row["share_percent"], 0, " %"),
                number(row["lowest_percent"], 0, " %"),
                number(row["highest_percent"], 0, " %"),
                "–" if row["naive_times"] is None else "× " + number(row["naive_times"]),
            ]
            for row in rows
        ),
    )
    table(
        "A small search while everything is downloaded, µs",
        ["reviews", "downloads", "searches", "median", "p99", "longest"],
        (
            [
                number(row[key])
                for key in ("reviews", "downloads", "searches", "median_micros", "p99_micros", "longest_micros")
            ]
            for row in waits
        ),
    )


def mcp(rows: list[Row]) -> None:
    table(
        "MCP: tools/call search_reviews, 5 reviews",
        ["server", "bytes", "req/s", "req/CPU-s", "share"],
        (
            [
                row["server"],
                number(row["bytes"]),
                number(row["requests_per_second"]),
                number(row["requests_per_cpu_second"]),
                number(row["share_percent"], 0, " %"),
            ]
            for row in rows
        ),
    )


def fanout(rows: list[Row]) -> None:
    table(
        "Hub: one change to all subscribers over TLS, beside the same client posting with nothing else to do",
        ["subscribers", "deliveries/s", "last after s", "bare client/s", "ratio", "memory MiB", "after MiB", "peak MiB"],
        (
            [
                number(row["subscribers"]),
                number(row["deliveries_per_second"]),
                number(row["seconds_to_the_last"], 2),
                number(row["bare_client_per_second"]),
                number(row["ratio"], 2),
                number(row["memory_before_mib"]),
                number(row["memory_after_mib"]),
                number(row["memory_peak_mib"]),
            ]
            for row in rows
        ),
    )


def replicas(rows: list[Row]) -> None:
    table(
        "Hub: one change to all subscribers by several sidecars with one PostgreSQL store, on the same processors",
        ["sidecars", "subscribers", "deliveries/s", "last after s", "ratio"],
        (
            [
                number(row["sidecars"]),
                number(row["subscribers"]),
                number(row["deliveries_per_second"]),
                number(row["seconds_to_the_last"], 2),
                number(row["ratio"], 2),
            ]
            for row in rows
        ),
    )


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
    print("# Performance\n")
    print("`make bench-report` writes this page. Only ratios carry over to other machines.\n")
    for name, value in figures["machine"].items():
        print(f"- {name.capitalize()}: {value}")
    builds(figures["build"])
    reloads(figures["reloads"])
    sites(figures["sites"])
    fairness(figures["fairness"])
    search(figures["search"])
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
