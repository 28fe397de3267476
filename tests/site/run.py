"""Builds and serves sites and looks at every page: two validators, a browser, a shell.

    python run.py [--candor PROGRAM] [--sidecar PROGRAM]

A test that is skipped is a failure.
"""

import argparse
import sys
import unittest
from pathlib import Path

import service


def main() -> int:
    debug = service.ROOT / "target" / "debug"
    parser = argparse.ArgumentParser(description="Test the pages.")
    parser.add_argument("--candor", type=Path, default=debug / "candor")
    parser.add_argument("--sidecar", type=Path, default=debug / "candor-sidecar")
    arguments = parser.parse_args()
    service.use(candor=arguments.candor, sidecar=arguments.sidecar)
    tests = unittest.defaultTestLoader.discover(str(Path(__file__).parent))
    try:
        result = unittest.TextTestRunner(verbosity=1).run(tests)
    finally:
        service.stop()
    if result.skipped or not result.testsRun:
        print("FAILED: every test must run", file=sys.stderr)
        return 1
    return 0 if result.wasSuccessful() else 1


if __name__ == "__main__":
    sys.exit(main())
