"""The Model Context Protocol server, asked by other people's software.

    python run.py [--candor PROGRAM] [--sidecar PROGRAM]

Every test must run: one that does not is a failure.
"""

import argparse
import sys
import unittest
from pathlib import Path

import servers


def main() -> int:
    debug = servers.TARGET / "debug"
    parser = argparse.ArgumentParser(description="Test the Model Context Protocol server.")
    parser.add_argument("--candor", type=Path, default=debug / "candor")
    parser.add_argument("--sidecar", type=Path, default=debug / "candor-sidecar")
    arguments = parser.parse_args()
    servers.use(arguments.candor, arguments.sidecar)
    try:
        tests = unittest.defaultTestLoader.discover(str(Path(__file__).parent))
        result = unittest.TextTestRunner(verbosity=1).run(tests)
    finally:
        servers.stop()
    if result.skipped or not result.testsRun:
        print("FAILED: every test must run", file=sys.stderr)
        return 1
    return 0 if result.wasSuccessful() else 1


if __name__ == "__main__":
    sys.exit(main())
