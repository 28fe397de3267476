#!/usr/bin/env python3
"""No source file above 400 lines, and no crate above its budget.

    lines.py               checks the checkout
    lines.py --self-test

lines.txt names each crate with the lines that its src may have. A commit may lower a budget, or raise it and
say why.
"""

import subprocess
import sys
import tempfile
from pathlib import Path

LONGEST = 400
BUDGETS = "tests/lint/lines.txt"


def lines(file):
    return file.read_bytes().count(b"\n")


def problems(root, files):
    root, files = Path(root), [Path(file) for file in files]
    long = ((file, lines(root / file)) for file in files if file.suffix in {".rs", ".py"})
    found = [f"{file}: {count} lines; divide it, {LONGEST} are allowed" for file, count in long if count > LONGEST]
    budgets = dict(line.split() for line in (root / BUDGETS).read_text("utf-8").splitlines())
    for crate in sorted(str(file.parent) for file in files if file.name == "Cargo.toml" and (root / file.parent / "src").exists()):
        count = sum(lines(root / file) for file in files if file.suffix == ".rs" and file.is_relative_to(f"{crate}/src"))
        budget = int(budgets.pop(crate, 0))
        if count > budget:
            found.append(f"{crate}: {count} lines, and its budget is {budget}; shorten it, or raise the budget in {BUDGETS} and say why in the commit")
    return found + [f"{crate}: there is no such crate; remove it from {BUDGETS}" for crate in budgets]


def self_test():
    """A file and a crate that are too long, a budget of no crate, and none of these."""
    for length, budgets, expected in [
        (401, "a 500", "a/src/lib.rs: 401 lines"),
        (400, "a 399", "a: 400 lines, and its budget is 399"),
        (400, "", "a: 400 lines, and its budget is 0"),
        (400, "a 400\nb 1", "b: there is no such crate"),
        (400, "a 400", None),
    ]:
        with tempfile.TemporaryDirectory() as folder:
            texts = {"a/src/lib.rs": "\n" * length, "a/Cargo.toml": "", BUDGETS: budgets}
            for name, text in texts.items():
                path = Path(folder) / name
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(text)
            found = "\n".join(problems(folder, texts))
            assert (expected in found) if expected else not found, (length, budgets, found)


def main():
    if sys.argv[1:] == ["--self-test"]:
        return self_test()
    files = subprocess.run(["git", "ls-files", "--cached", "--others", "--exclude-standard", "-z"], check=True, capture_output=True, text=True).stdout.split("\0")
    found = problems(".", [file for file in files if file and Path(file).is_file()])
    print("\n".join(found), end="\n" if found else "")
    return 1 if found else 0


sys.exit(main())
