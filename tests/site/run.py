"""Builds and serves sites and looks at every page: two validators, a browser, a shell.

    python run.py [--candor PROGRAM] [--sidecar PROGRAM]

A test that is skipped is a failure.
"""

import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.append(str(HERE.parent))

import programs  # noqa: E402
import service  # noqa: E402

if __name__ == "__main__":
    sys.exit(programs.run("Test the pages.", HERE, service.stop))
