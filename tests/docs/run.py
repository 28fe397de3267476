"""The documentation: links and anchors, the book that mdBook makes of it, and the commands in it.

    python run.py [--candor PROGRAM] [--sidecar PROGRAM]

Every test must run: one that does not is a failure.
"""

import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.append(str(HERE.parent))

import programs  # noqa: E402

if __name__ == "__main__":
    sys.exit(programs.run("Test the documentation.", HERE))
