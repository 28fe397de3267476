"""What is shipped beside the programs: releases, image, unit, workflows, alerts and their documentation.

    python run.py [--candor PROGRAM] [--sidecar PROGRAM]

Every test must run: one that does not is a failure.
"""

import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.append(str(HERE.parent))

import programs  # noqa: E402

if __name__ == "__main__":
    sys.exit(programs.run("Test what is shipped beside the programs.", HERE))
