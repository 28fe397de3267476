"""Publishes a site again and again, and keeps copies of its reviews with the programs of docs/clients/.

    python run.py [--candor PROGRAM] [--sidecar PROGRAM]

A test that is skipped is a failure.
"""

import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.append(str(HERE.parent))

import programs  # noqa: E402
import publications  # noqa: E402

if __name__ == "__main__":
    sys.exit(programs.run("Test the clients.", HERE, publications.stop))
