"""The systemd unit: what systemd says of it, and whether every setting in it is one."""

import re
import tempfile
import unittest
from pathlib import Path

import ship

UNIT = ship.ROOT / "deploy/candor-sidecar.service"

# systemd's own measure, from 0 to 10: below 2 is "OK". What is left is network, and AF_UNIX for a
# database on the same machine.
EXPOSURE_AT_MOST = 1.2


class Unit(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="candor-unit-")
        self.addCleanup(folder.cleanup)
        # Under a name of its own, as the second site of a machine has it.
        self.unit = Path(folder.name) / "candor-north.service"
        text = UNIT.read_text("utf-8")
        self.unit.write_text(text.replace("/usr/local/bin/candor-sidecar", str(ship.program("candor-sidecar"))), "utf-8")

    def test_systemd_finds_no_fault(self):
        verified = ship.run("systemd-analyze", "verify", "--man=no", self.unit)
        self.assertEqual((verified.returncode, verified.stdout), (0, ""))

    def test_systemd_finds_little_to_attack(self):
        judged = ship.run("systemd-analyze", "security", "--offline=true", "--no-pager", self.unit)
        level = re.search(r"Overall exposure level for \S+: ([0-9.]+)", judged.stdout)
        self.assertTrue(level, judged.stdout)
        self.assertLessEqual(float(level[1]), EXPOSURE_AT_MOST, judged.stdout)

    def test_every_setting_of_unit_and_image_is_one(self):
        known = set(re.findall(r"\bCANDOR_\w+", ship.run(ship.program("candor-sidecar"), "--help").stdout))
        for file in (UNIT, ship.ROOT / "Dockerfile"):
            used = set(re.findall(r"\b(CANDOR_\w+)=", file.read_text("utf-8")))
            self.assertTrue(used and used <= known, f"{file.name}: {used - known}")

    def test_a_stop_has_the_time_it_may_take(self):
        limits = (ship.ROOT / "docs/operating.md").read_text("utf-8")
        requests, deliveries = map(int, re.search(r"running requests after SIGTERM.*\| (\d+) s; .* (\d+) s \|", limits).groups())
        allowed = int(re.search(r"^TimeoutStopSec=(\d+)s$", UNIT.read_text("utf-8"), re.MULTILINE)[1])
        self.assertGreater(allowed, requests + deliveries)


if __name__ == "__main__":
    unittest.main()
