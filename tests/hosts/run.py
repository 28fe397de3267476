"""Every host that can be started here, asked the whole request matrix; builds killed beside an nginx.

    python run.py [--candor PROGRAM] [--sidecar PROGRAM] [--every N] [HOST...]

Prints one table, host by row, and what only a paid host could prove. A test that is skipped is a
failure.
"""

import argparse
import multiprocessing
import sys
import time
import unittest
from pathlib import Path

import beside
import cells
import comparison
import hosts
import matrix
import programs
import publication
import releases
import shared
from expected import EXPECTED

MARKS = {"ok": "ok", "as expected": "dev", "FAIL": "FAIL"}


def main() -> int:
    debug = programs.TARGET / "debug"
    parser = argparse.ArgumentParser(description="Test the hosts.")
    parser.add_argument("--candor", type=Path, default=debug / "candor")
    parser.add_argument("--sidecar", type=Path, default=debug / "candor-sidecar")
    parser.add_argument("--every", type=int, default=1, metavar="N", help="for a quick look: each Nth document only")
    parser.add_argument("host", nargs="*", help="all of them unless some are named")
    arguments = parser.parse_args()
    programs.use(candor=arguments.candor, sidecar=arguments.sidecar)
    known = {host.name: host for host in (*hosts.ALL, *hosts.BY_NAME)}
    if unknown := [name for name in arguments.host if name not in known]:
        parser.error(f"no such host: {', '.join(unknown)}; there are {', '.join(known)}")
    chosen = [known[name] for name in arguments.host] or list(hosts.ALL)
    try:
        mixed = releases.mixed() if hosts.Nginx in chosen else []
        different = comparison.found() if hosts.Nginx in chosen else []
        others = beside.found() + shared.found() if len(chosen) == len(hosts.ALL) else []
        outcomes = ask(chosen, arguments.every, different)
    finally:
        programs.stop()
        programs.remove()
    print_table(outcomes)
    return judge(outcomes, mixed, different, others)


# The hosts of this run: processes that are made of this one ask them.
STARTED: list[hosts.Host] = []


def ask(chosen: list[type[hosts.Host]], every: int, different: list[str]) -> list[matrix.Outcomes]:
    """Asks the hosts side by side, as the client takes more of a processor than the servers; then changes the site once
    for all of them. Adds what docs/hosting.md does not say."""
    STARTED.extend(kind() for kind in chosen)
    with multiprocessing.get_context("fork").Pool() as pool:
        every_row = pool.starmap(ask_one, [(number, every) for number in range(len(chosen))], chunksize=1)
    asked = []
    for host, outcomes in zip(STARTED, every_row):
        matrix.ask_again(host, outcomes)
        different += cells.untrue(host)
        asked.append((host, outcomes, matrix.seen(host)))
    publication.change()
    for host, outcomes, before in asked:
        host.change()
        matrix.ask_changed(host, outcomes, before)
    return every_row


def ask_one(number: int, every: int) -> matrix.Outcomes:
    """Every row of one of the hosts."""
    started = time.monotonic()
    outcomes = matrix.ask(STARTED[number], every)
    print(f"{outcomes.host}: {time.monotonic() - started:.0f} s", flush=True)
    return outcomes


def print_table(outcomes: list[matrix.Outcomes]) -> None:
    """One line a row, one column a host; then why a deviation is expected."""
    width = max(map(len, matrix.ROWS))
    print("\n" + " " * width, *(one.host.rjust(10) for one in outcomes))
    for name in matrix.ROWS:
        marks = (MARKS[one.verdict(name)[0]].rjust(max(10, len(one.host))) for one in outcomes)
        print(name.ljust(width), *marks)
    for one in outcomes:
        for name in matrix.ROWS:
            verdict, reason = one.verdict(name)
            if verdict == "as expected":
                print(f"dev: {one.host}, {name}: {reason}")
    for what, unproven in hosts.UNPROVEN.items():
        print(f"unproven: {what}: {unproven}")


def judge(outcomes: list[matrix.Outcomes], mixed: list[str], different: list[str], others: list[str]) -> int:
    """A test for each row of each host, one of the builds that were killed, one of nginx beside the sidecar, one of other
    people's sites."""
    tests = unittest.TestSuite()
    tests.addTest(unittest.FunctionTestCase(lambda: fail_if(mixed, f"a killed build left a mix: {mixed}")))
    tests.addTest(unittest.FunctionTestCase(lambda: fail_if(different, "not as docs/hosting.md says:\n" + "\n".join(different[:40]))))
    tests.addTest(unittest.FunctionTestCase(lambda: fail_if(others, "beside other sites: " + "\n".join(others))))
    for one in outcomes:
        unknown = set(EXPECTED[one.host]) - set(matrix.ROWS)
        tests.addTest(unittest.FunctionTestCase(lambda unknown=unknown: fail_if(unknown, f"no such rows: {unknown}")))
        for name in matrix.ROWS:
            tests.addTest(Row(one, name))
    result = unittest.TextTestRunner(verbosity=0).run(tests)
    if result.skipped or not result.testsRun:
        print("FAILED: every test must run", file=sys.stderr)
        return 1
    return 0 if result.wasSuccessful() else 1


def fail_if(condition, message: str) -> None:
    """Fails a test."""
    if condition:
        raise AssertionError(message)


class Row(unittest.TestCase):
    """How one row ended at one host."""

    longMessage = False

    def __init__(self, outcomes: matrix.Outcomes, row: str):
        super().__init__("runTest")
        self.outcomes, self.row = outcomes, row

    def __str__(self) -> str:
        return f"{self.outcomes.host}, {self.row}"

    def runTest(self) -> None:
        verdict, why = self.outcomes.verdict(self.row)
        if verdict == "FAIL":
            self.fail(why)


if __name__ == "__main__":
    sys.exit(main())
