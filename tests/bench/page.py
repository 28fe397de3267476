"""The figures that a business has: docs/performance.md, from `bench.json`.

    python page.py FILE

Each row stands for a table of report.py. A part that was not run is left out.
"""

import json
import statistics
import sys
from pathlib import Path

from report import number

# One size for all rows: a business with 10,000 reviews has more than nearly all others.
REVIEWS = 10_000

Line = tuple[str, str, str, str]


def of(rows: list[dict], **properties: object) -> dict | None:
    """The row that has these properties."""
    return next((row for row in rows if all(row[key] == value for key, value in properties.items())), None)


def times(ratio: float) -> str:
    return f"× {number(ratio, 2 if ratio < 10 else 0)}"


def building(figures: dict) -> list[Line]:
    lines = []
    if row := of(figures["build"], reviews=REVIEWS):
        small = of(figures["build"], reviews=1_000) or row
        lines += [
            (
                "Build from nothing",
                f"{number(row['build_s'], 2)} s",
                f"the least that writes and compresses the same files: {times(row['ratio'])}",
                f"With {number(small['reviews'])} reviews it takes {number(small['build_s'], 2)} s.",
            ),
            (
                "Processor time of that build",
                f"{number(row['cpu_s'], 1)} s",
                f"zlib, level 6, over the same bytes: {times(row['cpu_ratio'])}",
                "What a CI service bills.",
            ),
            (
                "Build when nothing changed",
                f"{number(row['unchanged_s'], 2)} s",
                f"a build from nothing: {number(100 * row['unchanged_share'], 1)} %",
                "A nightly run without news.",
            ),
            (
                "Build with one review more",
                f"{number(row['one_more_s'], 2)} s",
                f"a build from nothing: {number(100 * row['one_more_share'], 1)} %",
                "A new review.",
            ),
        ]
    if row := of(figures["build"], reviews=100_000):
        lines.append(
            (
                f"Memory of a build of {number(row['reviews'])} reviews",
                f"{number(row['peak_mb'])} MB",
                f"the texts and facts themselves: {number(row['content_mb'])} MB",
                "The smallest machine of a CI service is enough.",
            )
        )
    if peers := figures["peers"]:
        ours, theirs = (of(peers["building"], program=program) for program in ("Candor", "Eleventy"))
        lines.append(
            (
                "Processor time of a build, with all forms of the data",
                f"{number(ours['cpu_s'], 1)} s",
                f"Eleventy, lists and review pages only: {number(theirs['cpu_s'], 1)} s",
                f"Candor writes {number(ours['files'])} files, Eleventy {number(theirs['files'])}.",
            )
        )
    if row := of(figures["reloads"], reviews=REVIEWS):
        lines.append(
            (
                "The sidecar after a build",
                f"{number(row['reload_ms'])} ms",
                f"its start: {number(1000 * row['load_s'])} ms",
                "Then searches have the new review; none waits meanwhile.",
            )
        )
    return lines


def searching(figures: dict) -> list[Line]:
    lines = []
    for engine, of_what, counted in (
        ("tantivy", "words", "Parts of words are found too."),
        ("FTS5", "substrings", "Every match is counted."),
    ):
        rows = [row for row in figures["engines"] if row["engine"] == engine and row["reviews"] == REVIEWS]
        # Where one of them finds nothing, it was asked for something else: `grosse` is `größe` to the index alone.
        if rows := [row for row in rows if bool(row["matched"]) == bool(row["engine_matched"])]:
            worst = max(rows, key=lambda row: row["ratio"])
            lines.append(
                (
                    f"The index, asked for {of_what}",
                    f"{number(statistics.median(row['index_us'] for row in rows), 1)} µs",
                    f"{engine}: {times(statistics.median(row['ratio'] for row in rows))}, "
                    f"at most {times(worst['ratio'])} (`{worst['asked']}`)",
                    counted,
                )
            )
    shares = [row for row in figures["http"] if row["reviews"] == REVIEWS and row["route"].startswith("search, ")]
    if shares := [row for row in shares if row["route"].split(", ")[1] not in ("304", "400")]:
        rate = min(row["requests_per_second"] for row in shares)
        lines.append(
            (
                "Searches over HTTP",
                f"{number(rate)} a second and more",
                "the same server with fixed bytes: "
                f"{number(min(row['share_percent'] for row in shares))}–"
                f"{number(max(row['share_percent'] for row in shares))} %",
                "One small server is enough.",
            )
        )
    if peers := figures["peers"]:

        def cpu(program: str) -> float:
            return statistics.median(row["cpu_micros"] for row in peers["searching"] if row["program"] == program)

        others = (f"{program}: {number(cpu(program))} µs" for program in ("fastify, scan", "datasette, FTS5"))
        lines.append(
            (
                "Processor time of a search over HTTP",
                f"{number(cpu('Candor, `q`'))} µs",
                "; ".join(others),
                "A search built by hand.",
            )
        )
    for row in figures["mcp"]:
        if row["server"].startswith(("sidecar", "candor-sidecar mcp")):
            lines.append(
                (
                    f"Calls of an agent ({row['server']})",
                    f"{number(row['requests_per_second'])} a second",
                    f"the same bytes without work: {number(row['share_percent'])} %",
                    "No agent asks as often.",
                )
            )
    if row := next(iter(figures["insights"]), None):
        lines.append(
            (
                "Reading reviews for aspects, one core",
                f"{number(row['aspects_per_second'])} reviews a second",
                f"VADER alone on their sentences: {times(row['ratio'])} its rate",
                f"{number(REVIEWS)} reviews are read in {number(REVIEWS / row['aspects_per_second'], 1)} s.",
            )
        )
    return lines


def serving(figures: dict) -> list[Line]:
    lines = [
        (
            f"One change to {number(row['subscribers'])} subscribers",
            f"{number(row['deliveries_per_second'])} deliveries a second",
            f"the same client with nothing else to do: {times(row['ratio'])}",
            f"The last subscriber has it after {number(row['seconds_to_the_last'], 2)} s.",
        )
        for row in figures["fanout"]
    ]
    for row in figures["sites"]:
        lines.append(
            (
                f"{number(row['sites'])} sites in one sidecar, one asked",
                f"{number(row['warm_us'])} µs",
                f"a sidecar with that site alone: {times(row['warm_ratio'])}",
                f"An agency runs one process; a site takes {number(row['site_kb'])} kB of memory while it is asked.",
            )
        )
    if fairness := figures["fairness"]:
        searches = fairness["searches"]
        lines.append(
            (
                "A search while another site is under load",
                f"{number(searches['load on another site']['p99_ms'], 2)} ms (99 of 100)",
                f"load on another sidecar: {number(searches['load on another sidecar']['p99_ms'], 2)} ms",
                "A busy neighbour does not slow a site.",
            )
        )
    return lines


def main() -> None:
    figures = json.loads(Path(sys.argv[1]).read_text("utf-8"))
    machine = figures["machine"]
    print("# Performance\n")
    print("`make bench-report` writes this page, for 10,000 reviews unless a row names another number. Only the comparisons")
    print("carry over to other machines. [All figures](performance/tables.md).\n")
    print(f"Measured on {machine['cores']} cores of {machine['processor']}, commit {machine['commit']}.")
    for title, lines in (
        ("Builds", building(figures)), ("Search, agents and insights", searching(figures)), ("Subscribers and sites", serving(figures)),
    ):  # fmt: skip
        print(f"\n## {title}\n")
        print("| measured | figure | beside | for one business |\n| --- | --- | --- | --- |")
        for line in lines:
            print(f"| {' | '.join(line)} |")


if __name__ == "__main__":
    main()
