"""Builds and serves sites, lints how they describe their interface, and tries it out.

    python run.py [--candor PROGRAM] [--sidecar PROGRAM]

A test that is skipped is a failure.
"""

import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.append(str(HERE.parent))

import programs  # noqa: E402

if __name__ == "__main__":
    sys.exit(programs.run("Test the described interface.", HERE))
