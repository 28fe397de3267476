#!/usr/bin/env python3
"""Changes the code in one place at a time, and runs the tests that must notice it.

    run.py [--seed N] [--sample N] [--area NAME]...

cargo-mutants lists the changes. areas.toml names the files of each area and its tests. The changes are made in a copy of
the checkout, so the checkout may be edited meanwhile. A change is killed when a test fails or runs three times as long
as it should; it is unviable when the code does not compile. Results are kept in target/mutants/results.jsonl, so that a
further run continues there. It tries again what survived, unless no file has changed.

Exits with 1 if less than 90 % of an area's changes are killed, without those that survivors.txt accepts.
"""

import argparse
import hashlib
import json
import os
import random
import re
import resource
import shutil
import signal
import statistics
import subprocess
import sys
import threading
import time
import tomllib
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
TARGET = ROOT / os.environ.get("CARGO_TARGET_DIR", "target")
TREE, RESULTS, SCRATCH = TARGET / "mutants/tree", TARGET / "mutants/results.jsonl", TARGET / "mutants/tmp"
ENOUGH = 0.9
# For a change that requests memory without end.
MEMORY = 12 << 30
ENVIRONMENT = {name: value for name, value in os.environ.items() if not name.startswith("CANDOR_")} | {
    "CARGO_TARGET_DIR": str(TARGET / "mutants/build"), "CARGO_INCREMENTAL": "1", "TMPDIR": str(SCRATCH)}


def output(command, folder):
    return subprocess.run(command, cwd=folder, check=True, capture_output=True, text=True).stdout


def copy():
    """Copies what has changed in the checkout, so that cargo compiles only that. Returns the hash of it."""
    digest = hashlib.sha256()
    listed = {name for name in output(["git", "ls-files", "-co", "--exclude-standard", "-z"], ROOT).split("\0") if (ROOT / name).is_file()}
    for file in [file for file in TREE.rglob("*") if file.is_file() and str(file.relative_to(TREE)) not in listed]:
        file.unlink()
    for name in sorted(listed):
        data = (ROOT / name).read_bytes()
        if not name.startswith("tests/mutants/"):
            digest.update(name.encode() + b"\0" + data)
        if not (TREE / name).is_file() or (TREE / name).read_bytes() != data:
            (TREE / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / name, TREE / name)
    return digest.hexdigest()


def drawn(areas, sample, seed):
    """As many changes of each area as of every other, while it has them."""
    possible = {}
    for area in areas:
        files = [part for glob in area["files"] for part in ("--file", glob)]
        listed = json.loads(output([TARGET / "tools/bin/cargo-mutants", "mutants", "--list", "--json", *files], TREE))
        random.Random(seed).shuffle(listed)
        possible[area["name"]] = [mutant | {"area": area["name"], "suites": area["suites"]} for mutant in listed]
    print(f"{sum(map(len, possible.values()))} changes are possible")
    turns = sorted((turn, name) for name, listed in possible.items() for turn in range(len(listed)))[:sample]
    return [possible[name][turn] for name in possible for turn, of in turns if of == name]


class Suite:
    """A line of `suites`: what cargo builds, the package and the target of the test program, and its arguments."""

    programs = {}
    seconds = {}

    def __init__(self, line):
        self.line = line
        build, tests = line.split(" | ")
        self.build = [os.environ.get("CARGO", "cargo"), *build.split(), "--locked", "--message-format=json"]
        package, target, *self.arguments = tests.split()
        self.tests = package, target

    def compiles(self):
        """Builds, and remembers the test programs. One that only runs the command is not built again."""
        built = subprocess.run(self.build, cwd=TREE, env=ENVIRONMENT, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        for message in map(json.loads, built.stdout.splitlines()):
            if message.get("executable") and message["profile"]["test"]:
                manifest, target = Path(message["manifest_path"]), message["target"]
                package = tomllib.loads(manifest.read_text("utf-8"))["package"]["name"]
                Suite.programs[package, "lib" if target["kind"] == ["lib"] else target["name"]] = message["executable"], manifest.parent
        return built.returncode == 0

    def failure(self):
        """The first test that fails, "time" if they run too long, or None."""
        SCRATCH.mkdir(parents=True, exist_ok=True)
        program, folder = Suite.programs[self.tests]
        tests = subprocess.Popen([program, *self.arguments], cwd=folder, env=ENVIRONMENT, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
                                 start_new_session=True, preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY)))
        late = threading.Event()
        timer = threading.Timer(3 * Suite.seconds.get(self.line, 300) + 20, lambda: (late.set(), os.killpg(tests.pid, signal.SIGKILL)))
        timer.start()
        failed = next((found[1] for found in (re.match(r"test (\S+).* FAILED", line) for line in tests.stdout) if found), None)
        timer.cancel()
        if failed:
            os.killpg(tests.pid, signal.SIGKILL)
        ended = tests.wait()
        shutil.rmtree(SCRATCH, ignore_errors=True)
        return failed or ("time" if late.is_set() else "the program ends" if ended else None)

    def baseline(self):
        """Runs the tests on unchanged code, and remembers how long they take."""
        started = time.monotonic()
        if failed := self.failure() if self.compiles() else "cargo":
            sys.exit(f"{self.line}: {failed} fails without a change")
        Suite.seconds[self.line] = time.monotonic() - started
        print(f"{Suite.seconds[self.line]:3.0f} s  {self.line}", flush=True)


def outcome(mutant):
    """Whether the change is killed, survives or is unviable, and the test that kills it."""
    file = TREE / mutant["file"]
    before = file.read_text("utf-8")
    lines = before.split("\n")
    start, end = (len("\n".join([*lines[: at["line"] - 1], ""])) + at["column"] - 1 for at in (mutant["span"]["start"], mutant["span"]["end"]))
    file.write_text(before[:start] + mutant["replacement"] + before[end:], "utf-8")
    try:
        for suite in map(Suite, mutant["suites"]):
            if not suite.compiles():
                return "unviable", ""
            if failed := suite.failure():
                return "killed", failed
        return "survived", ""
    finally:
        file.write_text(before, "utf-8")


def identity(mutant):
    """The change with the text of its line instead of the number, so that other lines may move."""
    line = (TREE / mutant["file"]).read_text("utf-8").split("\n")[mutant["span"]["start"]["line"] - 1].strip()
    return re.sub(r":\d+:\d+: ", ": ", mutant["name"], count=1) + f" in `{line}`"


def report(sample, accepted):
    """Prints the share of each area, and the survivors. Returns the exit status."""
    status = 0
    print(f"\n{'area':22} viable  killed   share  accepted  median")
    for area in dict.fromkeys(mutant["area"] for mutant in sample):
        own = [mutant for mutant in sample if mutant["area"] == area]
        viable = [mutant for mutant in own if mutant["outcome"] != "unviable"]
        killed = sum(mutant["outcome"] == "killed" for mutant in viable)
        listed = sum(mutant["outcome"] == "survived" and mutant["change"] in accepted for mutant in viable)
        status |= killed < ENOUGH * (len(viable) - listed)
        print(f"{area:22} {len(viable):6}  {killed:6}  {killed / max(len(viable), 1):6.1%}  {listed:8}  {statistics.median(mutant['seconds'] for mutant in own):4.0f} s")
    for mutant in sample:
        if mutant["outcome"] == "survived":
            print(f"{'accepted' if mutant['change'] in accepted else 'survivor'}: {mutant['name']}\n    {mutant['change']}")
    return int(status)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--sample", type=int, default=200)
    parser.add_argument("--area", action="append")
    options = parser.parse_args()
    areas = tomllib.loads((HERE / "areas.toml").read_text("utf-8"))["area"]
    accepted = {line for line in (HERE / "survivors.txt").read_text("utf-8").splitlines() if line.startswith(("crates/", "sidecar/"))}
    state = copy()
    sample = [mutant for mutant in drawn(areas, options.sample, options.seed) if not options.area or mutant["area"] in options.area]
    if not Suite("test --workspace --no-run --lib --test suite | every test").compiles():
        sys.exit("the code does not compile")
    for line in dict.fromkeys(line for mutant in sample for line in mutant["suites"]):
        Suite(line).baseline()
    kept = [json.loads(line) for line in RESULTS.read_text("utf-8").splitlines()] if RESULTS.exists() else []
    done = {(result["name"], result["file"]): result for result in kept}
    for number, mutant in enumerate(sample, 1):
        key = mutant["name"], hashlib.sha256((TREE / mutant["file"]).read_bytes()).hexdigest()
        if key not in done or (done[key]["outcome"] == "survived" and done[key]["state"] != state):
            started = time.monotonic()
            found, by = outcome(mutant)
            done[key] = {"name": key[0], "file": key[1], "state": state, "outcome": found, "by": by, "seconds": round(time.monotonic() - started, 1)}
            with RESULTS.open("a", encoding="utf-8") as results:
                results.write(json.dumps(done[key]) + "\n")
        print(f"{number}/{len(sample)}  {done[key]['outcome']:8}  {done[key]['seconds']:5} s  {mutant['name']}  {done[key]['by']}", flush=True)
        mutant |= {"outcome": done[key]["outcome"], "seconds": done[key]["seconds"], "change": identity(mutant)}
    return report(sample, accepted)


if __name__ == "__main__":
    sys.exit(main())
