"""What is shipped beside the programs: packing, image, unit, workflows, alerts and their documentation.

    python run.py [--candor PROGRAM] [--sidecar PROGRAM]

Every test must run: one that does not is a failure.
"""

import argparse
import sys
import unittest
from pathlib import Path

import ship


def main() -> int:
    debug = ship.ROOT / "target" / "debug"
    parser = argparse.ArgumentParser(description="Test what is shipped beside the programs.")
    parser.add_argument("--candor", type=Path, default=debug / "candor")
    parser.add_argument("--sidecar", type=Path, default=debug / "candor-sidecar")
    arguments = parser.parse_args()
    ship.use(arguments.candor, arguments.sidecar)
    tests = unittest.defaultTestLoader.discover(str(Path(__file__).parent))
    result = unittest.TextTestRunner(verbosity=1).run(tests)
    if result.skipped or not result.testsRun:
        print("FAILED: every test must run", file=sys.stderr)
        return 1
    return 0 if result.wasSuccessful() else 1


if __name__ == "__main__":
    sys.exit(main())
