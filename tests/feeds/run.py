"""Builds sites of several sizes and reads their feeds with other people's software.

    python run.py [--candor PROGRAM] [--corpus PROGRAM]

A test that is skipped is a failure: the second readers must be there.
"""

import argparse
import sys
import unittest
from pathlib import Path

import sites


def main() -> int:
    debug = sites.TARGET / "debug"
    parser = argparse.ArgumentParser(description="Test the feeds.")
    parser.add_argument("--candor", type=Path, default=debug / "candor")
    parser.add_argument("--corpus", type=Path, default=debug / "examples" / "corpus")
    arguments = parser.parse_args()
    sites.use(arguments.candor, arguments.corpus)
    tests = unittest.defaultTestLoader.discover(str(Path(__file__).parent))
    result = unittest.TextTestRunner(verbosity=1).run(tests)
    if result.skipped or not result.testsRun:
        print("FAILED: every test must run", file=sys.stderr)
        return 1
    return 0 if result.wasSuccessful() else 1


if __name__ == "__main__":
    sys.exit(main())
