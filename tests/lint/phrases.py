#!/usr/bin/env python3
"""No text of the repository uses a phrase of phrases.toml.

    phrases.py                the files that git knows
    phrases.py --self-test

A phrase may continue on the next line of a comment or of a string. Rust code is read with its comments and strings:
no pattern is so short that it could be code.
"""

import re
import subprocess
import sys
import tomllib
from pathlib import Path

ROOT = Path(__file__).parents[2]
KINDS = ["*.rs", "*.md", "*.py", "*.toml", "*.j2", "*.html", "*.mjs", "*.yml", "*.js", "*.css", "*.txt"]
# The lists of the phrases, what others wrote, and the words of customers.
LEFT_OUT = (
    "generator/tests/fixtures/",
    "tests/lint/phrases.", "docs/performance.md", "docs/performance/", "CODE_OF_CONDUCT.md",
    ".github/workflows/release.yml", "content/", "crates/insights/src/data/", "generator/src/site/picture/OFL.txt", "crates/insights-tools/gold/",
)


def phrases():
    """The entries, each with its compiled pattern."""
    listed = tomllib.loads((ROOT / "tests/lint/phrases.toml").read_text("utf-8"))["phrase"]
    return [entry | {"found": re.compile(rf"\b(?:{entry['pattern']})(?!\w)", re.IGNORECASE)} for entry in listed]


def joined(text):
    """The text as one line, without signs of comments and line ends, and the start of each line in it."""
    starts, whole = [], ""
    for line in text.split("\n"):
        starts.append(len(whole))
        whole += re.sub(r"^[\s/!#]+|\s*\\?$", "", line) + " "
    return starts, whole


def problems(name, text, listed):
    starts, whole = joined(text)
    for entry in listed:
        for match in entry["found"].finditer(whole):
            line = sum(start <= match.start() for start in starts)
            yield f"{name}:{line}: {match[0]!r}: write {entry['write']}"


def self_test():
    listed = phrases()
    cases = [
        ("fn f() {}\n/// The value is no\n/// number.", "2: 'is no number': write is not a field"),
        ('"here a value must \\\n  stand"', "1: 'must stand': write is, is in place"),
        ("There is no number. It is no longer one. Where there\n// is no next page.", None),
        ("A row stands for a group.", None),
        ("<li>As it stands", "1: 'As it stands': write as it is"),
        ("# The disk said no.", "1: 'disk said no': write the file operation failed"),
    ]
    for text, expected in cases:
        found = "\n".join(problems("f", text, listed))
        assert found.startswith(f"f:{expected}") if expected else not found, (text, found)


def main():
    if sys.argv[1:] == ["--self-test"]:
        return self_test()
    listed = phrases()
    found = []
    names = subprocess.run(["git", "ls-files", "-z", "--", *KINDS], cwd=ROOT, check=True, capture_output=True, text=True)
    for name in filter(None, names.stdout.split("\0")):
        if not name.startswith(LEFT_OUT) and (ROOT / name).exists():
            found += problems(name, (ROOT / name).read_text("utf-8"), listed)
    print("\n".join(found), end="\n" if found else "")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
